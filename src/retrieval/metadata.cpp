#include "retrieval/metadata.hpp"

#include "base/text.hpp"
#include "retrieval/plain_text.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace quaestor::retrieval {

namespace {

constexpr std::size_t kTitleBytesMax = 120;
constexpr std::size_t kTypeBytesMax = 40;
constexpr std::size_t kCompactDateDigits = 8;

/// What a name or the beginning of a text says about the type, surest first.
struct TypeWord {
    std::string_view word;
    std::string_view type;
};
constexpr std::array kTypesInNames{TypeWord{"minutes", "minutes"}, TypeWord{"statement", "statement"},
                                   TypeWord{"transcript", "transcript"}, TypeWord{"monetary", "statement"}};
constexpr std::array kTypesInTexts{TypeWord{"minutes of the federal open market committee", "minutes"},
                                   TypeWord{"fomc statement", "statement"},
                                   TypeWord{"federal reserve issues fomc", "statement"}};

struct NameFacts {
    std::string type;
    std::optional<Date> date;
};

/// "20230726" in "monetary20230726a"; digits around it make it another number.
std::optional<Date> compact_date(std::string_view name) {
    for (std::size_t at = 0; at < name.size(); ++at) {
        std::size_t end = at;
        while (end < name.size() && is_digit(name[end])) ++end;
        if (end - at == kCompactDateDigits) {
            const std::string digits(name.substr(at, kCompactDateDigits));
            return parse_date(digits.substr(0, 4) + "-" + digits.substr(4, 2) + "-" + digits.substr(6));
        }
        at = end;
    }
    return std::nullopt;
}

/// The word before the date: "minutes" of "minutes_2023-07-26".
std::string word_before_date(std::string_view stem) {
    std::size_t end = 0;
    while (end < stem.size() && is_lower(stem[end])) ++end;
    const bool is_followed_by_date =
        end > 0 && end + 1 < stem.size() && (stem[end] == '_' || stem[end] == '-') && is_digit(stem[end + 1]);
    return is_followed_by_date ? std::string(stem.substr(0, end)) : std::string();
}

NameFacts facts_of(const std::string& name) {
    const std::string stem = lower_ascii(std::filesystem::path(name).stem().string());
    NameFacts facts;
    for (std::size_t at = 0; at < stem.size() && !facts.date; ++at) {
        if (at == 0 || !is_digit(stem[at - 1])) facts.date = parse_date(std::string_view(stem).substr(at, 10));
    }
    if (facts.date) facts.type = word_before_date(stem);
    if (!facts.date) facts.date = compact_date(stem);
    for (const TypeWord& known : kTypesInNames) {
        if (facts.type.empty() && stem.contains(known.word)) facts.type = known.type;
    }
    return facts;
}

std::string type_in_text(std::string_view preamble) {
    std::string folded = lower_ascii(preamble);
    std::ranges::replace(folded, '\n', ' ');
    for (const TypeWord& known : kTypesInTexts) {
        if (folded.contains(known.word)) return std::string(known.type);
    }
    return {};
}

bool is_title(std::string_view line) {
    return line.size() >= 4 && line.size() <= kTitleBytesMax && line.contains(' ') && is_upper(line.front()) &&
           !line.ends_with('.') && !line.ends_with(',') && !line.ends_with(';') && !line.starts_with("For release") &&
           !line.starts_with("For immediate") && !line.contains(" | ");
}

std::string title_in_text(std::string_view preamble) {
    std::string title;
    for_each_line(preamble, [&](std::string_view line, std::size_t) {
        if (title.empty() && is_title(line) && !find_date(line)) title = line;
    });
    return title;
}

/// A date that stands by itself near the beginning: one inside of a sentence says when something else is or was.
std::optional<Date> date_in_text(std::string_view preamble) {
    constexpr std::size_t kDateLineBytes = 90;
    constexpr std::size_t kFirstLines = 2;
    std::optional<Date> date;
    std::size_t lines = 0;
    for_each_line(preamble, [&](std::string_view line, std::size_t) {
        if (text::trim(line).empty()) return;
        const bool is_first = ++lines <= kFirstLines;
        const bool is_alone = line.size() <= kDateLineBytes && !line.ends_with('.');
        if (!date && (is_first || is_alone)) date = find_date(line);
    });
    return date;
}

/// "minutes_2023-07-26.txt" → "Minutes of July 26, 2023"; "annual_report.md" → "Annual report"
std::string title_from_name(const std::string& name, const Metadata& metadata) {
    std::string title = std::filesystem::path(name).stem().string();
    const auto date = parse_date(metadata.date);
    if (!metadata.type.empty() && date) title = metadata.type + " of " + in_words(*date);
    std::ranges::replace(title, '_', ' ');
    if (!title.empty() && is_lower(title.front())) title.front() = static_cast<char>(title.front() - 'a' + 'A');
    return title;
}

}  // namespace

void complete_metadata(Document& document, const std::string& name) {
    Metadata& metadata = document.metadata;
    const std::string_view preamble = std::string_view(document.text).substr(0, kPreambleBytes);
    const NameFacts facts = facts_of(name);
    auto date = facts.date;
    if (!date) date = find_date(metadata.date);
    if (!date) date = date_in_text(preamble);
    metadata.date = date ? to_string(*date) : std::string();

    if (!facts.type.empty()) metadata.type = facts.type;
    metadata.type = lower_ascii(text::trim(metadata.type));
    if (metadata.type.empty() || metadata.type.size() > kTypeBytesMax) metadata.type = type_in_text(preamble);

    if (metadata.title.empty() && !document.headings.empty()) metadata.title = document.headings.front().title;
    if (metadata.title.empty()) metadata.title = title_in_text(preamble);
    if (metadata.title.empty()) metadata.title = title_from_name(name, metadata);
    metadata.title = text::shorten(metadata.title, kTitleBytesMax);
}

}  // namespace quaestor::retrieval
