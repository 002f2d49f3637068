#include "data/import/json_shape.hpp"

#include "base/json.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace quaestor::data {

namespace {

/// Of the time that a file takes, the share for looking at its shape.
constexpr double kShapeShare = 0.3;

/// Counts what the parser meets. Names and return types are Boost.JSON's.
struct ShapeHandler {
    static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_array_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_key_size = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t max_string_size = std::numeric_limits<std::size_t>::max();

    JsonShape shape;
    std::size_t depth = 0;
    bool in_array = false;  ///< the document is an array
    bool number_is_whole = true;

    using Ec = boost::json::error_code;
    using Text = boost::json::string_view;

    bool on_document_begin(Ec&) {
        ++shape.documents;
        return true;
    }
    bool on_document_end(Ec&) { return true; }
    bool on_array_begin(Ec&) {
        begin_value(false);
        if (depth++ == 0) {
            in_array = true;
            ++shape.arrays;
        }
        return true;
    }
    bool on_array_end(std::size_t, Ec&) {
        --depth;
        return true;
    }
    bool on_object_begin(Ec&) {
        begin_value(true);
        if (depth++ == 0) {
            in_array = false;
            ++shape.objects;
        }
        return true;
    }
    bool on_object_end(std::size_t, Ec&) {
        --depth;
        return true;
    }
    bool on_string_part(Text, std::size_t, Ec&) { return true; }
    bool on_string(Text, std::size_t, Ec&) { return value(); }
    bool on_key_part(Text, std::size_t, Ec&) { return true; }
    bool on_key(Text, std::size_t, Ec&) {
        shape.has_keys = shape.has_keys || depth == (in_array ? 2U : 1U);
        return true;
    }
    bool on_number_part(Text text, Ec&) {
        note_digits(text);
        return true;
    }
    bool on_int64(std::int64_t, Text, Ec&) { return number(); }
    bool on_uint64(std::uint64_t, Text, Ec&) {
        shape.has_large_integers = true;
        return number();
    }
    bool on_double(double, Text text, Ec&) {
        note_digits(text);
        shape.has_large_integers = shape.has_large_integers || number_is_whole;
        return number();
    }
    bool on_bool(bool, Ec&) { return value(); }
    bool on_null(Ec&) { return value(); }
    bool on_comment_part(Text, Ec&) { return true; }
    bool on_comment(Text, Ec&) { return true; }

private:
    void begin_value(bool is_object) {
        if (depth != 1 || !in_array) return;
        ++shape.elements;
        if (is_object) ++shape.element_objects;
    }
    bool value() {
        begin_value(false);
        return true;
    }
    void note_digits(Text text) {
        number_is_whole = number_is_whole && std::ranges::none_of(text, [](char byte) {
                              return byte == '.' || byte == 'e' || byte == 'E';
                          });
    }
    bool number() {
        number_is_whole = true;
        return value();
    }
};

using Parser = boost::json::basic_parser<ShapeHandler>;

class ShapeReader {
public:
    explicit ShapeReader(const std::string& file) : file_(file) {}

    [[nodiscard]] Result<> add(std::string_view text, bool is_last) {
        while (true) {
            boost::json::error_code error;
            if (!in_document_) {
                const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
                pass(text, begin);
                if (text.empty()) return {};
                parser_.reset();
                parser_.handler().depth = 0;
                in_document_ = true;
            }
            const std::size_t used = parser_.write_some(!is_last, text.data(), text.size(), error);
            pass(text, used);
            if (error) return fail(mistake(error.message()));
            if (!parser_.done()) {
                if (is_last) return fail(mistake("it ends too early"));
                return {};
            }
            in_document_ = false;
        }
    }

    [[nodiscard]] bool in_document() const { return in_document_; }
    [[nodiscard]] const JsonShape& shape() const { return parser_.handler().shape; }
    [[nodiscard]] Error mistake(std::string_view what) const {
        return fail(Code::invalid_argument, fmt::format("{} is no valid JSON: line {}: {}", file_, line_, what),
                    "mend the file, or write it again with the program it came from")
            .error();
    }

private:
    static boost::json::parse_options options() {
        boost::json::parse_options options;
        options.max_depth = kJsonDepthMax;
        return options;
    }
    void pass(std::string_view& text, std::size_t bytes) {
        line_ += std::ranges::count(text.substr(0, bytes), '\n');
        text.remove_prefix(bytes);
    }

    const std::string& file_;
    Parser parser_{options()};
    bool in_document_ = false;
    std::int64_t line_ = 1;
};

}  // namespace

Result<JsonShape> read_json_shape(TextSource& source, const std::string& file, double size, ImportMeter& meter) {
    ShapeReader reader(file);
    std::string piece;
    while (true) {
        if (auto look = meter.check_stop(); !look) return fail(look.error());
        meter.tell(kShapeShare * static_cast<double>(source.position()) / size);
        piece.clear();
        const auto more = source.read(piece);
        if (!more) return fail(more.error());
        if (!*more) break;
        if (auto added = reader.add(piece, false); !added) return fail(added.error());
    }
    // A number at the end is complete only when nothing follows it.
    if (reader.in_document()) {
        if (auto ended = reader.add({}, true); !ended) return fail(ended.error());
    }
    return reader.shape();
}

}  // namespace quaestor::data
