#include "retrieval/headings.hpp"

#include "base/text.hpp"
#include "retrieval/metadata.hpp"
#include "retrieval/plain_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace quaestor::retrieval {

namespace {

constexpr std::size_t kHeadingBytesMax = 100;
constexpr std::size_t kHeadingWordsMax = 14;
/// Of the longer words of a title, so many begin with a capital.
constexpr std::size_t kCapitalPercent = 60;
constexpr std::size_t kLongWord = 4;
/// What follows a heading is a paragraph: a line that ends a sentence, or a long one.
constexpr std::size_t kBodyLineBytes = 60;
/// More headings than this are a list that was misread.
constexpr std::size_t kHeadingsMax = 5'000;

/// Sections of the minutes of the Federal Open Market Committee, as their lines begin.
constexpr std::array<std::string_view, 16> kMinutesSections{
    "Developments in Financial Markets and Open Market Operations",
    "Staff Review of the Economic Situation",
    "Staff Review of the Financial Situation",
    "Staff Economic Outlook",
    "Participants' Views on Current Conditions and the Economic Outlook",
    "Participants' Views on Current Economic Conditions and the Economic Outlook",
    "Committee Policy Actions",
    "Committee Policy Action",
    "Committee Policy Decision",
    "Annual Organizational Matters",
    "Election of Committee Officers",
    "Notation Votes",
    "Notation Vote",
    "Attendance",
    "Review of Monetary Policy Strategy, Tools, and Communications",
    "Summary of Economic Projections"};

struct ImpliedHeading {
    std::string_view beginning;
    std::string_view title;
};
/// Parts of a statement that have no heading of their own.
constexpr std::array kStatementParts{
    ImpliedHeading{"Voting for", "Vote"}, ImpliedHeading{"Voting against", "Vote"},
    ImpliedHeading{"Decisions Regarding Monetary Policy Implementation", "Implementation note"},
    ImpliedHeading{"In a related action", "Related actions"}};

struct Line {
    std::string_view text;
    std::size_t begin = 0;
};

/// Bytes of `line` that say `beginning`, whichever apostrophe they use; 0 when it begins otherwise.
std::size_t length_of_beginning(std::string_view line, std::string_view beginning) {
    constexpr std::string_view kCurved = "’";
    std::size_t at = 0;
    for (const char wanted : beginning) {
        if (wanted == '\'' && line.substr(at).starts_with(kCurved)) {
            at += kCurved.size();
        } else if (at < line.size() && line[at] == wanted) {
            ++at;
        } else {
            return 0;
        }
    }
    return at;
}

std::vector<std::string_view> words_of_line(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t end = std::min(line.find(' ', at), line.size());
        if (end > at) words.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

bool ends_like_text(std::string_view line) {
    return line.find_last_of(".,;:?!") == line.size() - 1;
}

/// Short, without a full stop, the longer words with capitals; or all in capitals.
bool is_written_like_a_title(std::string_view line) {
    if (line.empty() || line.size() > kHeadingBytesMax || ends_like_text(line) || line.contains(" | ")) return false;
    if (!is_upper(line.front()) && static_cast<unsigned char>(line.front()) < 0x80) return false;
    const auto words = words_of_line(line);
    if (words.size() > kHeadingWordsMax) return false;
    std::size_t longer = 0;
    std::size_t capital = 0;
    for (const auto word : words) {
        if (word.size() < kLongWord) continue;
        ++longer;
        capital += is_upper(word.front()) ? 1 : 0;
    }
    const bool has_letters = std::ranges::any_of(line, is_letter);
    return has_letters && (longer == 0 ? words.size() <= 3 : capital * 100 >= longer * kCapitalPercent);
}

/// Depth of "2.1 Methods" or "IV. Results", and where its words begin.
struct Numbering {
    int depth = 0;
    std::size_t words = 0;
};
std::optional<Numbering> numbering_of(std::string_view line) {
    std::size_t at = 0;
    int depth = 0;
    while (at < line.size() && is_digit(line[at])) {
        while (at < line.size() && is_digit(line[at])) ++at;
        ++depth;
        if (at < line.size() && line[at] == '.') ++at;
    }
    if (depth == 0) {
        while (at < line.size() && std::string_view("IVX").contains(line[at])) ++at;
        if (at == 0 || at >= line.size() || line[at] != '.') return std::nullopt;
        ++at;
        depth = 1;
    }
    if (at > 8 || at >= line.size() || line[at] != ' ') return std::nullopt;
    return Numbering{depth, at + 1};
}

class HeadingFinder {
public:
    HeadingFinder(std::string_view text, std::string_view type) : text_(text), type_(type) {
        for_each_line(text, [this](std::string_view line, std::size_t begin) { lines_.push_back({line, begin}); });
    }

    std::vector<Heading> find() {
        if (type_ == "statement" && !text_.empty()) found_.push_back({{0, 0}, 1, "Statement"});
        for (std::size_t i = 0; i < lines_.size() && found_.size() < kHeadingsMax; ++i) {
            if (lines_[i].text.empty()) continue;
            if (add_known(lines_[i])) continue;
            // A statement has none of its own; what looks like one is the page around it.
            if (type_ != "statement" && is_followed_by_text(i)) add_by_looks(i);
        }
        return std::move(found_);
    }

private:
    bool add_known(const Line& line) {
        if (type_ == "minutes") return add_section_of_minutes(line);
        return type_ == "statement" && add_part_of_statement(line);
    }

    bool add_section_of_minutes(const Line& line) {
        if (line.text.starts_with("Voting for this action")) {
            add(line.begin, 0, 2, "Vote");
            return true;
        }
        for (const auto section : kMinutesSections) {
            const std::size_t length = length_of_beginning(line.text, section);
            if (length == 0) continue;
            const std::string_view rest = line.text.substr(length);
            if (rest.size() <= 1) {
                add(line.begin, line.text.size(), 1, section);
            } else if (rest[0] == ' ' && is_upper(rest[1])) {
                // Where a page lost its line ends, the section's text follows on the same line.
                add(line.begin, length, 1, section);
            } else {
                continue;
            }
            return true;
        }
        return false;
    }

    bool add_part_of_statement(const Line& line) {
        for (const auto& part : kStatementParts) {
            if (length_of_beginning(line.text, part.beginning) == 0) continue;
            if (found_.back().title != part.title) add(line.begin, 0, 1, part.title);
            return true;
        }
        return false;
    }

    void add_by_looks(std::size_t i) {
        const Line& line = lines_[i];
        if (const auto numbering = numbering_of(line.text)) {
            if (is_written_like_a_title(line.text.substr(numbering->words)) ||
                (stands_alone(i) && !ends_like_text(line.text) && line.text.size() <= kHeadingBytesMax)) {
                add(line.begin, line.text.size(), numbering->depth, line.text);
            }
            return;
        }
        if (is_written_like_a_title(line.text) && begins_block(i) && !find_date(line.text)) {
            add(line.begin, line.text.size(), 1, line.text);
        }
    }

    [[nodiscard]] bool begins_block(std::size_t i) const {
        if (i == 0 || lines_[i - 1].text.empty()) return true;
        return lines_[i - 1].text.ends_with('.') && type_ != "statement";
    }

    [[nodiscard]] bool stands_alone(std::size_t i) const {
        return begins_block(i) && (i + 1 >= lines_.size() || lines_[i + 1].text.empty());
    }

    /// Lists of names and titles look like headings too, but what follows a heading is text.
    [[nodiscard]] bool is_followed_by_text(std::size_t i) const {
        for (std::size_t next = i + 1; next < lines_.size(); ++next) {
            const std::string_view line = lines_[next].text;
            if (line.empty()) continue;
            return line.size() >= kBodyLineBytes || line.ends_with('.') || line.ends_with(':') ||
                   line.starts_with("- ");
        }
        return false;
    }

    void add(std::size_t begin, std::size_t length, int level, std::string_view title) {
        found_.push_back({{begin, begin + length}, level, std::string(text::trim(title))});
    }

    std::string_view text_;
    std::string_view type_;
    std::vector<Line> lines_;
    std::vector<Heading> found_;
};

}  // namespace

std::vector<Heading> find_headings(std::string_view text, std::string_view type) {
    return HeadingFinder(text, type).find();
}

void complete_headings(Document& document) {
    // Markdown marks all of its headings; what looks like one there is none.
    if (document.format == Format::markdown && !document.headings.empty()) return;
    auto found = find_headings(document.text, document.metadata.type);
    const bool is_marked = document.headings.size() > 1;
    std::erase_if(found, [&](const Heading& heading) {
        const bool is_known = document.metadata.type == "minutes" || document.metadata.type == "statement";
        if (is_marked && !is_known) return true;
        return std::ranges::any_of(document.headings, [&](const Heading& marked) {
            return heading.place.begin >= marked.place.begin && heading.place.begin < marked.place.end;
        });
    });
    // What a page marks as heading stands above what only looks like one.
    for (Heading& heading : found) heading.level += document.headings.empty() ? 0 : document.headings.front().level;
    document.headings.insert(document.headings.end(), found.begin(), found.end());
    std::ranges::sort(document.headings, {},
                      [](const Heading& heading) { return std::pair(heading.place.begin, heading.level); });
}

std::string section_at(const std::vector<Heading>& headings, std::size_t place) {
    std::vector<const Heading*> above;
    for (const Heading& heading : headings) {
        if (heading.place.begin > place) break;
        while (!above.empty() && above.back()->level >= heading.level) above.pop_back();
        above.push_back(&heading);
    }
    std::string path;
    for (const Heading* heading : above) {
        if (!path.empty()) path += kSectionSeparator;
        path += heading->title;
    }
    return path;
}

}  // namespace quaestor::retrieval
