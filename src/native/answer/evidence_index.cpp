#include "native/answer/evidence_index.hpp"

#include "native/answer/saying.hpp"
#include "native/characters.hpp"
#include "native/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace quaestor::native {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
/// Longer texts are documents; they are looked at up to here.
constexpr std::size_t kCellTextMax = 2'000;
/// Digits of two numbers that are one text, and different such texts that are kept.
constexpr std::size_t kJoinedNumbersMax = 9;
constexpr std::size_t kNumberedTextsMax = 200;
/// A result with more columns is no table for a person.
constexpr std::size_t kIndexedColumnsMax = 500;

/// Also of a text that is nothing but a number.
double number_in(const data::ResultColumn& column, std::size_t row) {
    if (column.kind() == data::ValueKind::boolean || column.is_null(row)) return kNoNumber;
    if (const auto number = column.number(row)) return *number;
    if (column.kind() != data::ValueKind::text && column.kind() != data::ValueKind::other) return kNoNumber;
    const std::string text = column.text(row);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
    return is_number && !text.empty() ? value : kNoNumber;
}

/// 20230503 for "2023-05-03 12:00"; 0 when it begins with no date.
int day_in(const std::string& text) {
    constexpr std::string_view kShape = "dddd-dd-dd";
    int day = 0;
    if (text.size() < kShape.size()) return 0;
    for (std::size_t at = 0; at < kShape.size(); ++at) {
        if (kShape[at] == '-') {
            if (text[at] != '-') return 0;
        } else if (is_digit(text[at])) {
            day = day * 10 + (text[at] - '0');
        } else {
            return 0;
        }
    }
    return day;
}

bool may_hold_days(data::ValueKind kind) {
    return kind == data::ValueKind::date || kind == data::ValueKind::timestamp || kind == data::ValueKind::text;
}

KnownProse prose_of(std::string_view text) {
    KnownProse prose{.words = " ", .marked = mark_text(text, {}, kPassageMarksMax)};
    for (const FoldedWord& word : folded_words(prose.marked.plain, 0, prose.marked.plain.size()))
        prose.words += word.text + " ";
    return prose;
}

/// "6-3", "12-4": a height or a score, which is no number.
bool is_joined_numbers(std::string_view text) {
    const std::size_t dash = text.find('-');
    constexpr std::size_t kYearDigits = 4;  // "2022-23" is a season
    if (dash >= kYearDigits || text.size() > kJoinedNumbersMax) return false;
    const auto are_digits = [](std::string_view part) { return !part.empty() && std::ranges::all_of(part, is_digit); };
    return are_digits(text.substr(0, dash)) && are_digits(text.substr(dash + 1));
}

void add_statistics(IndexedColumn& column) {
    for (std::size_t row = 0; row < column.numbers.size(); ++row) {
        if (!column.has_number(row)) continue;
        const double value = column.numbers[row];
        if (column.count == 0 || value < column.numbers[column.lowest]) column.lowest = row;
        if (column.count == 0 || value > column.numbers[column.highest]) column.highest = row;
        column.sum += value;
        ++column.count;
        column.sorted.emplace_back(value, row);
    }
    std::ranges::sort(column.sorted);
    if (column.count == 0) column.numbers.clear();
}

}  // namespace

bool IndexedColumn::has_number(std::size_t row) const {
    return row < numbers.size() && !std::isnan(numbers[row]);
}

std::string joined_words(const std::vector<FoldedWord>& words) {
    std::string out;
    for (const FoldedWord& word : words) out += (out.empty() ? "" : " ") + word.text;
    return out;
}

std::vector<FoldedWord> folded_words(std::string_view text, std::size_t begin, std::size_t end) {
    std::vector<FoldedWord> words;
    for (const WordSpan& span : split_words(text.substr(begin, end - begin))) {
        const std::string_view word = text.substr(begin + span.begin, span.end - span.begin);
        std::size_t at = 0;
        if (!is_word_point(next_point(word, at))) continue;
        std::string folded = fold(word);
        if (!folded.empty()) words.push_back({std::move(folded), begin + span.begin, begin + span.end});
    }
    return words;
}

EvidenceIndex::EvidenceIndex(const Evidence& evidence) : question_(prose_of(evidence.question)) {
    for (const data::ResultSet* result : evidence.results) {
        if (result == nullptr) continue;
        results_.push_back(result);
        first_column_.push_back(columns_.size());
        add_result(results_.size() - 1);
    }
    first_column_.push_back(columns_.size());
    for (const std::string_view passage : evidence.passages) passages_.push_back(prose_of(passage));
}

std::span<const IndexedColumn> EvidenceIndex::columns_of(std::size_t result) const {
    return std::span(columns_).subspan(first_column_[result], first_column_[result + 1] - first_column_[result]);
}

void EvidenceIndex::add_result(std::size_t result) {
    const data::ResultSet& set = *results_[result];
    for (std::size_t at = 0; at < std::min(set.columns.size(), kIndexedColumnsMax); ++at) {
        const data::ResultColumn& cells = set.columns[at];
        IndexedColumn column{.result = result, .column = at};
        add_name(cells.name(), column);
        const std::size_t rows = std::min({cells.size(), set.row_count, kIndexedCellsMax - cells_});
        cells_ += rows;
        const bool is_numeric = data::is_numeric(cells.kind());
        column.numbers.resize(rows, kNoNumber);
        if (may_hold_days(cells.kind())) column.days.resize(rows, 0);
        for (std::size_t row = 0; row < rows; ++row) {
            column.numbers[row] = number_in(cells, row);
            if (is_numeric || cells.is_null(row)) continue;
            const std::string text = cells.text(row);
            if (!column.days.empty()) column.days[row] = day_in(text);
            if (is_joined_numbers(text)) add_numbered(text);
            add_text(std::string_view(text).substr(0, kCellTextMax), {result, row, at});
        }
        add_statistics(column);
        columns_.push_back(std::move(column));
    }
}

void EvidenceIndex::add_name(const std::string& name, IndexedColumn& column) {
    const std::string words = name_words(name);
    for (const std::string& word : plain_words(words)) column.stems.push_back(stem(word));
    const auto has_digit = [](const std::string& text) { return std::ranges::any_of(text, is_digit); };
    const auto has_letter = [](const std::string& text) {
        return std::ranges::any_of(text,
                                   [](char c) { return !is_digit(c) && is_word_point(static_cast<unsigned char>(c)); });
    };
    for (const std::string& form : {name, words}) {
        if (has_digit(form) && has_letter(form)) numbered_names_.push_back(form);
    }
}

void EvidenceIndex::add_numbered(const std::string& text) {
    const bool is_known = std::ranges::find(numbered_names_, text) != numbered_names_.end();
    if (!is_known && numbered_names_.size() < kNumberedTextsMax) numbered_names_.push_back(text);
}

void EvidenceIndex::add_text(std::string_view text, const CellPlace& place) {
    const std::vector<FoldedWord> words = folded_words(text, 0, text.size());
    if (words.empty()) return;
    const auto [known, is_new] = by_words_.try_emplace(joined_words(words), texts_.size());
    if (!is_new) {
        texts_[known->second].cells.push_back(place);
        return;
    }
    const std::size_t id = texts_.size();
    texts_.push_back({known->first, {place}});
    by_first_[words.front().text].push_back(id);
    for (const FoldedWord& word : words) {
        auto& texts = by_word_[word.text];
        if (texts.size() < kTextsPerWordMax && (texts.empty() || texts.back() != id)) texts.push_back(id);
    }
}

const KnownText* EvidenceIndex::longest_at(const std::vector<FoldedWord>& words, std::size_t first,
                                           std::size_t& last) const {
    const auto found = by_first_.find(words[first].text);
    if (found == by_first_.end()) return nullptr;
    const KnownText* best = nullptr;
    for (const std::size_t id : std::span(found->second).first(std::min(found->second.size(), kTextsPerWordMax))) {
        std::string_view rest = texts_[id].words;
        std::size_t at = first;
        while (at < words.size() && rest.starts_with(words[at].text)) {
            rest.remove_prefix(words[at].text.size());
            ++at;
            if (!rest.starts_with(' ')) break;
            rest.remove_prefix(1);
        }
        const bool is_longer = best == nullptr || texts_[id].words.size() > best->words.size();
        if (!rest.empty() || !is_longer) continue;
        best = &texts_[id];
        last = at - 1;
    }
    return best;
}

std::vector<const KnownText*> EvidenceIndex::containing(std::string_view words) const {
    std::vector<const KnownText*> out;
    const auto found = by_word_.find(std::string(words.substr(0, words.find(' '))));
    if (found == by_word_.end()) return out;
    const std::string key = fmt::format(" {} ", words);
    for (const std::size_t id : found->second) {
        if (fmt::format(" {} ", texts_[id].words).find(key) != std::string::npos) out.push_back(&texts_[id]);
    }
    return out;
}

bool EvidenceIndex::names_column(std::string_view stem) const {
    return std::ranges::any_of(columns_, [stem](const IndexedColumn& column) {
        return std::ranges::find(column.stems, stem) != column.stems.end();
    });
}

}  // namespace quaestor::native
