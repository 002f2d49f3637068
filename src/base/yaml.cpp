#include "base/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <cmath>
#include <string>

namespace quaestor {

namespace {

class Converter {
public:
    Result<json::value> convert(const YAML::Node& node, std::size_t depth) {
        if (++nodes_ > kYamlNodesMax) return fail(Code::limit_exceeded, too_large());
        if (depth > kJsonDepthMax) return fail(Code::limit_exceeded, fmt::format("nested more than {} deep", kJsonDepthMax));
        switch (node.Type()) {
            case YAML::NodeType::Sequence:
                return sequence(node, depth);
            case YAML::NodeType::Map:
                return map(node, depth);
            case YAML::NodeType::Scalar:
                // yaml-cpp marks a quoted scalar with the tag "!"; it is text whatever it looks like.
                return node.Tag() == "!" ? json::value(node.Scalar()) : plain_scalar(node.Scalar());
            default:
                return json::value(nullptr);
        }
    }

private:
    static std::string too_large() { return fmt::format("more than {} values", kYamlNodesMax); }

    Result<json::value> sequence(const YAML::Node& node, std::size_t depth) {
        json::array array;
        for (const auto& item : node) {
            auto value = convert(item, depth + 1);
            if (!value) return value;
            array.push_back(std::move(*value));
        }
        return array;
    }

    Result<json::value> map(const YAML::Node& node, std::size_t depth) {
        json::object object;
        for (const auto& entry : node) {
            if (!entry.first.IsScalar()) return fail(at(entry.first, "a key must be a word or a number"));
            auto value = convert(entry.second, depth + 1);
            if (!value) return value;
            if (!object.emplace(entry.first.Scalar(), std::move(*value)).second) {
                return fail(at(entry.first, fmt::format("\"{}\" is there twice", entry.first.Scalar())));
            }
        }
        return object;
    }

    static Error at(const YAML::Node& node, std::string_view problem) {
        const auto mark = node.Mark();
        return {Code::invalid_argument, fmt::format("line {}, column {}: {}", mark.line + 1, mark.column + 1, problem)};
    }

    static json::value plain_scalar(const std::string& text) {
        if (text.empty() || text == "~" || text == "null") return nullptr;
        if (text == "true") return true;
        if (text == "false") return false;
        const char* end = text.data() + text.size();
        std::int64_t whole = 0;
        if (auto [stop, error] = std::from_chars(text.data(), end, whole); error == std::errc() && stop == end) return whole;
        double real = 0;
        auto [stop, error] = std::from_chars(text.data(), end, real);
        if (error == std::errc() && stop == end && std::isfinite(real)) return real;
        return json::value(text);
    }

    std::size_t nodes_ = 0;
};

}  // namespace

Result<json::value> parse_yaml(std::string_view text) {
    try {
        return Converter().convert(YAML::Load(std::string(text)), 0);
    } catch (const YAML::Exception& exception) {
        return fail(Code::invalid_argument, fmt::format("line {}, column {}: {}", exception.mark.line + 1,
                                                        exception.mark.column + 1, exception.msg));
    }
}

}  // namespace quaestor
