#include "base/json.hpp"

#include "base/log.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

#include <boost/describe/enum_from_string.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

namespace quaestor {

namespace {

// ---- Reading text

/// Builds the value like boost::json::parse(), but reads doubles exactly (Boost 1.81 may be off in the last bit) and
/// refuses those beyond the range of a double instead of making them infinite.
class Handler {
public:
    static constexpr std::size_t max_object_size = json::object::max_size();
    static constexpr std::size_t max_array_size = json::array::max_size();
    static constexpr std::size_t max_key_size = json::string::max_size();
    static constexpr std::size_t max_string_size = json::string::max_size();
    using Failure = boost::system::error_code;
    using Text = json::string_view;

    Handler() { stack_.reset(); }
    json::value release() { return stack_.release(); }

    bool on_document_begin(Failure&) { return true; }
    bool on_document_end(Failure&) { return true; }
    bool on_object_begin(Failure&) { return true; }
    bool on_object_end(std::size_t size, Failure&) { return stack_.push_object(size), true; }
    bool on_array_begin(Failure&) { return true; }
    bool on_array_end(std::size_t size, Failure&) { return stack_.push_array(size), true; }
    bool on_key_part(Text part, std::size_t, Failure&) { return stack_.push_chars(part), true; }
    bool on_key(Text rest, std::size_t, Failure&) { return stack_.push_key(rest), true; }
    bool on_string_part(Text part, std::size_t, Failure&) { return stack_.push_chars(part), true; }
    bool on_string(Text rest, std::size_t, Failure&) { return stack_.push_string(rest), true; }
    bool on_number_part(Text, Failure&) { return true; }
    bool on_int64(std::int64_t number, Text, Failure&) { return stack_.push_int64(number), true; }
    bool on_uint64(std::uint64_t number, Text, Failure&) { return stack_.push_uint64(number), true; }
    bool on_bool(bool value, Failure&) { return stack_.push_bool(value), true; }
    bool on_null(Failure&) { return stack_.push_null(), true; }
    bool on_comment_part(Text, Failure&) { return true; }
    bool on_comment(Text, Failure&) { return true; }

    /// The text is whole because the parser gets all of its input at once.
    bool on_double(double approximate, Text text, Failure& failure) {
        double exact = approximate;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exact);
        const bool too_small = error == std::errc::result_out_of_range && std::abs(approximate) < 1;
        const bool too_large = error == std::errc::result_out_of_range && !too_small;
        if (too_small) exact = 0;
        if (too_large) {
            failure = json::error::exponent_overflow;
            return false;
        }
        stack_.push_double(exact);
        return true;
    }

private:
    json::value_stack stack_;
};

std::string describe(const boost::system::error_code& failure) {
    if (failure == json::error::incomplete) return "the text ends too early";
    if (failure == json::error::extra_data) return "something follows after the end of the value";
    if (failure == json::error::too_deep) return fmt::format("it is nested deeper than {} levels", kJsonDepthMax);
    if (failure == json::error::exponent_overflow) return "the number is too large";
    return failure.message();
}

std::unexpected<Error> not_json(std::string_view text, std::size_t position, const boost::system::error_code& failure) {
    const std::string_view before = text.substr(0, position);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::string_view line_start = before.substr(before.rfind('\n') + 1);
    // Bytes that continue a character do not make a column.
    const auto column = std::ranges::count_if(line_start, [](char byte) { return (byte & 0xC0) != 0x80; }) + 1;
    const bool beyond_bounds = failure == json::error::too_deep || failure == json::error::exponent_overflow;
    return fail(Code::invalid_argument,
                fmt::format("not valid JSON at line {}, column {}: {}", line, column, describe(failure)),
                beyond_bounds ? "" : "look there for a missing or extra comma, quote or bracket");
}

// ---- Writing text

/// "-2.2250738585072014e-308" and some room.
constexpr std::size_t kDoubleLengthMax = 32;

/// Most texts are longer than a few fields; growing from nothing would copy them several times.
constexpr std::size_t kTextReserved = 256;

class Writer {
public:
    /// Without an indent everything is on one line.
    explicit Writer(std::size_t indent) : indent_(indent) { out_.reserve(kTextReserved); }

    void write(const json::value& value);
    std::string release() { return std::move(out_); }

private:
    void write_string(std::string_view text);
    void write_escaped(char character);
    template <class Integer>
    void write_integer(Integer number);
    void write_double(double number);
    void write_object(const json::object& object);
    void write_array(const json::array& array);
    void begin(char bracket);
    void next_item(bool first);
    void end(char bracket, bool empty);

    const std::size_t indent_;
    std::size_t depth_ = 0;
    std::string out_;
};

void Writer::write(const json::value& value) {
    switch (value.kind()) {
        case json::kind::null:
            out_ += "null";
            break;
        case json::kind::bool_:
            out_ += value.get_bool() ? "true" : "false";
            break;
        case json::kind::int64:
            write_integer(value.get_int64());
            break;
        case json::kind::uint64:
            write_integer(value.get_uint64());
            break;
        case json::kind::double_:
            write_double(value.get_double());
            break;
        case json::kind::string:
            write_string(value.get_string());
            break;
        case json::kind::array:
            write_array(value.get_array());
            break;
        case json::kind::object:
            write_object(value.get_object());
            break;
    }
}

template <class Integer>
void Writer::write_integer(Integer number) {
    const fmt::format_int digits(number);
    out_.append(digits.data(), digits.size());
}

void Writer::write_double(double number) {
    if (!std::isfinite(number)) {
        out_ += "null";
        return;
    }
    std::array<char, kDoubleLengthMax> buffer;
    const std::string_view digits(buffer.data(), fmt::format_to(buffer.data(), "{}", number));
    out_ += digits;
    // Whoever reads it should still see a double.
    if (digits.find_first_not_of("-0123456789") == std::string_view::npos) out_ += ".0";
}

/// Position of the first byte from `at` on that cannot simply be copied: a control character, '"', '\\' or not ASCII.
std::size_t find_special(std::string_view text, std::size_t at) {
    // Eight bytes at a time: a byte's top bit gets set where it is special (or follows one that is).
    constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
    constexpr std::uint64_t kTops = 0x8080'8080'8080'8080;
    const auto below = [](std::uint64_t bytes, std::uint64_t limit) { return (bytes - kOnes * limit) & ~bytes; };
    for (std::uint64_t bytes = 0; at + sizeof bytes <= text.size(); at += sizeof bytes) {
        std::memcpy(&bytes, text.data() + at, sizeof bytes);
        const std::uint64_t special =
            bytes | below(bytes, 0x20) | below(bytes ^ kOnes * '"', 1) | below(bytes ^ kOnes * '\\', 1);
        if (special & kTops) break;
    }
    const auto is_plain = [](char byte) { return byte >= 0x20 && byte != '"' && byte != '\\' && utf8::is_ascii(byte); };
    while (at < text.size() && is_plain(text[at])) ++at;
    return at;
}

void Writer::write_string(std::string_view text) {
    out_ += '"';
    std::size_t copied = 0;
    const auto copy_until = [&](std::size_t end) { out_.append(text, copied, end - copied); };
    for (std::size_t at = find_special(text, 0); at < text.size(); at = find_special(text, at)) {
        const std::size_t begin = at;
        if (utf8::is_ascii(text[at])) {
            copy_until(begin);
            write_escaped(text[begin]);
            copied = ++at;
        } else if (utf8::next(text, at) == utf8::kMalformed) {
            copy_until(begin);
            out_ += utf8::kReplacement;
            copied = at;
        }
    }
    copy_until(text.size());
    out_ += '"';
}

void Writer::write_escaped(char character) {
    switch (character) {
        case '"':
            out_ += "\\\"";
            break;
        case '\\':
            out_ += "\\\\";
            break;
        case '\b':
            out_ += "\\b";
            break;
        case '\f':
            out_ += "\\f";
            break;
        case '\n':
            out_ += "\\n";
            break;
        case '\r':
            out_ += "\\r";
            break;
        case '\t':
            out_ += "\\t";
            break;
        default:
            fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned>(character));
    }
}

void Writer::write_object(const json::object& object) {
    begin('{');
    bool first = true;
    for (const auto& [key, value] : object) {
        next_item(std::exchange(first, false));
        write_string(key);
        out_ += indent_ ? ": " : ":";
        write(value);
    }
    end('}', object.empty());
}

void Writer::write_array(const json::array& array) {
    begin('[');
    bool first = true;
    for (const auto& item : array) {
        next_item(std::exchange(first, false));
        write(item);
    }
    end(']', array.empty());
}

void Writer::begin(char bracket) {
    out_ += bracket;
    ++depth_;
}

void Writer::next_item(bool first) {
    if (!first) out_ += ',';
    if (indent_) out_.append(1, '\n').append(depth_ * indent_, ' ');
}

void Writer::end(char bracket, bool empty) {
    --depth_;
    if (indent_ && !empty) out_.append(1, '\n').append(depth_ * indent_, ' ');
    out_ += bracket;
}

constexpr std::size_t kPrettyIndent = 2;

}  // namespace

Result<json::value> parse_json(std::string_view text) {
    json::parse_options options;
    options.max_depth = kJsonDepthMax;
    json::basic_parser<Handler> parser(options);
    boost::system::error_code failure;
    const std::size_t consumed = parser.write_some(false, text.data(), text.size(), failure);
    if (!failure && consumed < text.size()) failure = json::error::extra_data;
    if (failure) return not_json(text, consumed, failure);
    return parser.handler().release();
}

std::string to_text(const json::value& value) {
    Writer writer(0);
    writer.write(value);
    return writer.release();
}

std::string to_pretty_text(const json::value& value) {
    Writer writer(kPrettyIndent);
    writer.write(value);
    return writer.release();
}

json::value encode(const Error& error) {
    json::object object{{"code", to_string(error.code)}, {"message", error.message}};
    if (!error.hint.empty()) object.emplace("hint", error.hint);
    if (error.cause) object.emplace("cause", encode(*error.cause));
    return object;
}

Error decode_error(const json::value& value) {
    Error error;
    const json::object* object = value.if_object();
    if (!object) {
        error.message = "unknown error " + to_text(value);
        return error;
    }
    const auto text_of = [&](std::string_view field) -> std::string {
        const json::value* text = object->if_contains(field);
        return text && text->is_string() ? std::string(std::string_view(text->get_string())) : std::string();
    };
    boost::describe::enum_from_string(text_of("code").c_str(), error.code);
    error.message = text_of("message");
    error.hint = text_of("hint");
    if (const json::value* cause = object->if_contains("cause"); cause && !cause->is_null()) {
        error.cause = std::make_shared<const Error>(decode_error(*cause));
    }
    return error;
}

}  // namespace quaestor
