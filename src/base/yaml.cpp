#include "base/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <cmath>
#include <string>

namespace quaestor {

namespace {

Error error_at(const YAML::Mark& mark, std::string_view problem, Code code = Code::invalid_argument) {
    return {code, fmt::format("line {}, column {}: {}", mark.line + 1, mark.column + 1, problem)};
}

/// yaml-cpp marks a quoted scalar with the tag "!"; it is text whatever it looks like.
bool is_text(const YAML::Node& scalar) {
    return scalar.Tag() == "!" || scalar.Tag() == "tag:yaml.org,2002:str";
}

class Converter {
public:
    Result<json::value> convert(const YAML::Node& node, std::size_t depth) {
        if (auto bounded = count(node, depth); !bounded) return fail(bounded.error());
        switch (node.Type()) {
            case YAML::NodeType::Sequence:
                return sequence(node, depth);
            case YAML::NodeType::Map:
                return map(node, depth);
            case YAML::NodeType::Scalar:
                return is_text(node) ? json::value(node.Scalar()) : plain_scalar(node.Scalar());
            default:
                return json::value(nullptr);
        }
    }

private:
    Result<> count(const YAML::Node& node, std::size_t depth) {
        ++nodes_;
        if (node.IsScalar()) bytes_ += node.Scalar().size();
        std::string problem;
        if (nodes_ > kYamlNodesMax) problem = fmt::format("more than {} values", kYamlNodesMax);
        if (bytes_ > kYamlBytesMax) problem = fmt::format("more than {} bytes of text", kYamlBytesMax);
        if (depth > kJsonDepthMax) problem = fmt::format("nested more than {} deep", kJsonDepthMax);
        if (problem.empty()) return {};
        return fail(error_at(node.Mark(), problem, Code::limit_exceeded));
    }

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
            if (!entry.first.IsScalar()) return fail(error_at(entry.first.Mark(), "a key must be a word or a number"));
            if (auto bounded = count(entry.first, depth); !bounded) return fail(bounded.error());
            auto value = convert(entry.second, depth + 1);
            if (!value) return value;
            if (!object.emplace(entry.first.Scalar(), std::move(*value)).second) {
                return fail(error_at(entry.first.Mark(), fmt::format("\"{}\" is there twice", entry.first.Scalar())));
            }
        }
        return object;
    }

    static json::value plain_scalar(const std::string& text) {
        if (text.empty() || text == "~" || text == "null") return nullptr;
        if (text == "true") return true;
        if (text == "false") return false;
        const char* end = text.data() + text.size();
        std::int64_t whole = 0;
        if (auto [stop, error] = std::from_chars(text.data(), end, whole); error == std::errc() && stop == end)
            return whole;
        double real = 0;
        auto [stop, error] = std::from_chars(text.data(), end, real);
        if (error == std::errc() && stop == end && std::isfinite(real)) return real;
        return json::value(text);
    }

    std::size_t nodes_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace

Result<json::value> parse_yaml(std::string_view text) {
    if (text.size() > kYamlBytesMax) {
        return fail(Code::limit_exceeded, fmt::format("more than {} bytes of text", kYamlBytesMax));
    }
    try {
        const auto documents = YAML::LoadAll(std::string(text));
        if (documents.empty()) return json::value(nullptr);
        if (documents.size() > 1) return fail(error_at(documents[1].Mark(), "a second document begins"));
        return Converter().convert(documents.front(), 0);
    } catch (const YAML::Exception& exception) {
        return fail(error_at(exception.mark, exception.msg));
    }
}

}  // namespace quaestor
