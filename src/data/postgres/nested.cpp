#include "data/postgres/nested.hpp"

#include "base/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace quaestor::data::postgres {

namespace {

/// PostgreSQL's own limit for the dimensions of an array, and ours for types within types.
constexpr int kNestingMax = 32;

std::string quoted(std::string_view text) {
    return to_text(json::value(json::string(text)));
}

bool is_finite_number(std::string_view text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// True when every reader of JSON keeps the number as it is; otherwise it goes as text.
bool stays_exact(std::string_view text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return is_finite_number(text) && std::ranges::count_if(text, is_digit) <= std::numeric_limits<double>::digits10;
}

class Writer {
public:
    explicit Writer(const Types& types) : types_(types) {}

    /// Adds the value to the output; false when it makes no sense.
    bool write(TypeId id, std::string_view text, int depth) {
        const auto found = types_.find(id);
        if (depth > kNestingMax) return false;
        if (found == types_.end()) return add(quoted(text));
        const Type& type = found->second;
        if (type.element != 0) return write_array(type, text, depth);
        if (type.is_row) return write_row(type, text, depth);
        switch (type.kind) {
            case ValueKind::boolean:
                return add(text == "t" ? "true" : "false");
            case ValueKind::structure:
                return add(text);
            case ValueKind::number:
                return add(is_finite_number(text) ? std::string(text) : quoted(text));
            case ValueKind::integer:
            case ValueKind::decimal:
                return add(stays_exact(text) ? std::string(text) : quoted(text));
            default:
                return add(quoted(text));
        }
    }

    std::string release() { return std::move(out_); }

private:
    bool add(std::string_view json) {
        out_ += json;
        return true;
    }

    bool write_array(const Type& type, std::string_view text, int depth) {
        if (text.starts_with('[')) text.remove_prefix(std::min(text.find('=') + 1, text.size()));  // [0:2]={…}
        const auto element = types_.find(type.element);
        const char delimiter = element == types_.end() ? ',' : element->second.delimiter;
        std::size_t at = 0;
        return write_elements(type.element, delimiter, text, at, depth) && at == text.size();
    }

    /// {…} from text[at]; moves `at` behind it.
    bool write_elements(TypeId element, char delimiter, std::string_view text, std::size_t& at, int depth) {
        if (depth > kNestingMax || at >= text.size() || text[at] != '{') return false;
        out_ += '[';
        ++at;
        for (bool first = true; at < text.size() && text[at] != '}'; first = false) {
            if (!first && text[at++] != delimiter) return false;
            if (!first) out_ += ',';
            if (at < text.size() && text[at] == '{') {
                if (!write_elements(element, delimiter, text, at, depth + 1)) return false;
            } else if (!write_element(element, delimiter, text, at, depth)) {
                return false;
            }
        }
        out_ += ']';
        return at++ < text.size();
    }

    bool write_element(TypeId element, char delimiter, std::string_view text, std::size_t& at, int depth) {
        if (at < text.size() && text[at] == '"') {
            const auto value = read_quoted(text, at);
            return value && write(element, *value, depth + 1);
        }
        const std::size_t begin = at;
        while (at < text.size() && text[at] != delimiter && text[at] != '}') ++at;
        const auto value = text.substr(begin, at - begin);
        return value == "NULL" ? add("null") : write(element, value, depth + 1);
    }

    /// (a,"b c",) with nothing for NULL.
    bool write_row(const Type& type, std::string_view text, int depth) {
        if (text.size() < 2 || text.front() != '(' || text.back() != ')') return false;
        text = text.substr(1, text.size() - 2);
        out_ += '{';
        std::size_t at = 0;
        for (std::size_t i = 0; i == 0 || at < text.size(); ++i) {
            if (i > 0 && text[at++] != ',') return false;
            if (i > 0) out_ += ',';
            const bool is_known = i < type.fields.size();
            out_ += quoted(is_known ? type.fields[i].first : fmt::format("f{}", i + 1)) + ":";
            if (!write_field(is_known ? type.fields[i].second : 0, text, at, depth)) return false;
        }
        out_ += '}';
        return true;
    }

    bool write_field(TypeId id, std::string_view text, std::size_t& at, int depth) {
        if (at == text.size() || text[at] == ',') return add("null");
        std::string value;
        while (at < text.size() && text[at] != ',') {
            if (text[at] != '"') {
                value += text[at++];
                continue;
            }
            const auto piece = read_quoted(text, at);
            if (!piece) return false;
            value += *piece;
        }
        return write(id, value, depth + 1);
    }

    /// "…" from text[at], in which \x and "" stand for x and "; moves `at` behind it.
    static std::optional<std::string> read_quoted(std::string_view text, std::size_t& at) {
        std::string value;
        for (++at; at < text.size(); ++at) {
            const bool is_doubled = text[at] == '"' && at + 1 < text.size() && text[at + 1] == '"';
            if (text[at] == '"' && !is_doubled) {
                ++at;
                return value;
            }
            if (text[at] == '\\' || is_doubled) ++at;
            if (at < text.size()) value += text[at];
        }
        return std::nullopt;
    }

    const Types& types_;
    std::string out_;
};

}  // namespace

std::optional<std::string> to_json(TypeId id, const Types& types, std::string_view text) {
    Writer writer(types);
    if (!writer.write(id, text, 0)) return std::nullopt;
    return writer.release();
}

}  // namespace quaestor::data::postgres
