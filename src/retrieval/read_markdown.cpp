#include "base/text.hpp"
#include "base/yaml.hpp"
#include "retrieval/encoding.hpp"
#include "retrieval/plain_text.hpp"
#include "retrieval/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor::retrieval {

namespace {

constexpr std::size_t kFrontMatterBytesMax = std::size_t{64} << 10;
constexpr std::size_t kAttributesMax = 64;
constexpr int kMarkdownLevels = 6;

std::string scalar_text(const json::value& value) {
    if (const auto* text = value.if_string()) return std::string(*text);
    return value.is_primitive() && !value.is_null() ? to_text(value) : std::string();
}

void take_front_matter(const json::object& fields, Metadata& metadata) {
    for (const auto& field : fields) {
        const std::string key = text::fold(field.key());
        const std::string value = scalar_text(field.value());
        if (value.empty()) continue;
        if (key == "title") {
            metadata.title = value;
        } else if (key == "date") {
            metadata.date = value;
        } else if (key == "type") {
            metadata.type = value;
        } else if (metadata.attributes.size() < kAttributesMax) {
            metadata.attributes.emplace(field.key(), value);
        }
    }
}

/// What follows the front matter; all of it where there is none, or it is no YAML.
std::string_view after_front_matter(std::string_view text, Metadata& metadata) {
    if (!text.starts_with("---\n")) return text;
    std::size_t end = text.find("\n---", 3);
    if (end == std::string_view::npos || end > kFrontMatterBytesMax) return text;
    const auto fields = parse_yaml(text.substr(4, end - 3));
    if (!fields || !fields->is_object()) return text;
    take_front_matter(fields->get_object(), metadata);
    end = text.find('\n', end + 1);
    return end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
}

/// "](target)" or "][reference]" at `at`: where it ends.
std::size_t link_end(std::string_view line, std::size_t at) {
    if (at + 1 >= line.size()) return at;
    const char open = line[at + 1];
    if (open != '(' && open != '[') return at;
    const std::size_t end = line.find(open == '(' ? ')' : ']', at + 2);
    return end == std::string_view::npos ? at : end + 1;
}

/// <em>, </a>, <br/>: where the tag at `at` ends, or `at` when it is none.
std::size_t tag_end(std::string_view line, std::size_t at) {
    if (at + 1 >= line.size()) return at;
    const char next = line[at + 1];
    if (!is_letter(next) && next != '/' && next != '!') return at;
    const std::size_t end = line.find('>', at);
    return end == std::string_view::npos ? at : end + 1;
}

/// Without links, emphasis, code marks and tags: what a reader sees.
std::string without_marks(std::string_view line) {
    std::string out;
    std::size_t open_brackets = 0;
    for (std::size_t at = 0; at < line.size();) {
        const std::string_view rest = line.substr(at);
        if (rest.starts_with("![") || rest.front() == '[') {
            ++open_brackets;
            at += rest.front() == '!' ? 2 : 1;
            if (line.find(']', at) == std::string_view::npos) {
                out += '[';
                --open_brackets;
            }
        } else if (rest.front() == ']' && open_brackets > 0) {
            --open_brackets;
            const std::size_t end = link_end(line, at);
            at = end == at ? at + 1 : end;
        } else if (rest.starts_with("**") || rest.starts_with("__")) {
            at += 2;
        } else if (rest.front() == '`') {
            ++at;
        } else if (rest.front() == '\\' && rest.size() > 1 && !is_letter(rest[1])) {
            out += rest[1];
            at += 2;
        } else if (const std::size_t end = rest.front() == '<' ? tag_end(line, at) : at; end > at) {
            at = end;
        } else {
            out += line[at++];
        }
    }
    return out;
}

/// Cells between bars as a line of text; empty for the line under a table's head.
std::string table_row(std::string_view line) {
    if (line.find_first_not_of("|-: \t") == std::string_view::npos) return {};
    line = text::trim(line);
    if (line.starts_with('|')) line.remove_prefix(1);
    if (line.ends_with('|')) line.remove_suffix(1);
    return std::string(text::trim(line));
}

class MarkdownReader {
public:
    explicit MarkdownReader(Document& document) : document_(document) {}

    void read(std::string_view text) {
        for_each_line(text, [this](std::string_view line, std::size_t) { read_line(line); });
        document_.text = std::move(out_);
        while (!document_.text.empty() && is_blank(document_.text.back())) document_.text.pop_back();
    }

private:
    void read_line(std::string_view line) {
        const std::string_view bare = text::trim(line);
        if (is_skipping(bare)) return;
        if (bare.starts_with("```") || bare.starts_with("~~~")) {
            is_code_ = !is_code_;
        } else if (is_code_) {
            add_line(line);
        } else if (bare.empty()) {
            paragraph_ends();
        } else if (const int level = atx_level(bare); level > 0) {
            add_heading(bare.substr(static_cast<std::size_t>(level)), level);
        } else if (is_underline(bare)) {
            turn_last_line_into_heading(bare.front() == '=' ? 1 : 2);
        } else if (bare.starts_with('|')) {
            if (const auto row = table_row(without_marks(bare)); !row.empty()) add_line(row);
        } else if (!is_reference(bare)) {
            add_line(without_marks(bare.starts_with("> ") ? bare.substr(2) : bare));
        }
    }

    /// Comments, scripts and styles say nothing to a reader.
    bool is_skipping(std::string_view line) {
        if (until_.empty() && !is_code_) {
            const std::string folded = text::fold(line.substr(0, 8));
            if (folded.starts_with("<!--")) until_ = "-->";
            if (folded.starts_with("<script")) until_ = "</script>";
            if (folded.starts_with("<style")) until_ = "</style>";
        }
        if (until_.empty()) return false;
        if (line.contains(until_)) until_ = {};
        return true;
    }

    static int atx_level(std::string_view line) {
        const std::size_t count = std::min(line.find_first_not_of('#'), line.size());
        const bool is_heading = count > 0 && count <= kMarkdownLevels && count < line.size() && line[count] == ' ';
        return is_heading ? static_cast<int>(count) : 0;
    }

    [[nodiscard]] bool is_underline(std::string_view line) const {
        const bool all_same = line.find_first_not_of(line.front()) == std::string_view::npos;
        return line.size() >= 3 && all_same && (line.front() == '=' || line.front() == '-') && last_line_ > 0 &&
               !out_.ends_with("\n\n");
    }

    /// "[1]: https://…"
    static bool is_reference(std::string_view line) { return line.starts_with('[') && line.contains("]: "); }

    void add_heading(std::string_view title, int level) {
        paragraph_ends();
        std::string text = without_marks(text::trim(title));
        while (text.ends_with('#')) text.pop_back();
        const std::string_view bare = text::trim(text);
        if (bare.empty()) return;
        document_.headings.push_back({{out_.size(), out_.size() + bare.size()}, level, std::string(bare)});
        out_ += bare;
        out_ += "\n\n";
        last_line_ = 0;
    }

    void turn_last_line_into_heading(int level) {
        const std::string title = out_.substr(last_line_ - 1, out_.size() - last_line_);
        out_.resize(last_line_ - 1);
        add_heading(title, level);
    }

    void add_line(std::string_view line) {
        last_line_ = out_.size() + 1;
        out_ += tidy(line);
        out_ += '\n';
    }

    void paragraph_ends() {
        if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
        last_line_ = 0;
    }

    Document& document_;
    std::string out_;
    std::string_view until_;     ///< what ends the part that is left out
    std::size_t last_line_ = 0;  ///< one more than where the last line begins; 0 when it is no line of a paragraph
    bool is_code_ = false;
};

}  // namespace

Result<Document> read_markdown(std::string_view bytes) {
    auto text = to_utf8(bytes);
    if (!text) return fail(text.error());
    Document document;
    MarkdownReader(document).read(after_front_matter(*text, document.metadata));
    return document;
}

}  // namespace quaestor::retrieval
