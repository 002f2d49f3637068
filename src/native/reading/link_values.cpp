#include "native/characters.hpp"
#include "native/reading/link_finders.hpp"
#include "native/spoken_values.hpp"
#include "native/spoken_words.hpp"

#include <algorithm>

namespace quaestor::native {

namespace {

/// Words of one number, and of one misspelt value.
constexpr std::size_t kNumberWordsMax = 6;
constexpr std::size_t kNearWordsMax = 3;
constexpr std::size_t kNearBytesMin = 5;
/// Shorter words say a number only together with others ("a million"), or stand for a scale ("m").
constexpr std::size_t kNumberBytesMin = 3;
/// Letters that stand for a value's words, and a value that an adjective is made of: "West" of "Western".
constexpr std::size_t kInitialsMin = 2;
constexpr double kInitialsScore = 0.9;
constexpr std::size_t kAdjectiveBytesMin = 4;
constexpr double kAdjectiveScore = 0.8;
/// Values that one question is compared with, letter by letter.
constexpr std::size_t kComparedValuesMax = 60'000;

bool is_number_join(std::string_view word) {
    return word == "and" || word == "of" || word == "a" || word == "an";
}

bool begins_number(std::string_view word) {
    if (word.empty()) return false;
    if (is_digit(word.front())) return number_of(word).has_value();
    return word.size() >= kNumberBytesMin && !is_number_join(word) && number_of(word).has_value();
}

/// Ordinals and words of other meanings that also say a number.
bool is_weak_number(std::string_view word) {
    constexpr auto kWeak = std::to_array<std::string_view>(
        {"first", "second", "third", "once", "twice", "single", "couple", "pair", "half", "one"});
    return std::ranges::find(kWeak, word) != kWeak.end();
}

void link_weekday(const LinkingView& view, std::size_t at, Links& out) {
    const auto day = find_spoken(kWeekdays, view.stemmed[at]);
    if (!day) return;
    out.push_back(
        {.first = at, .last = at, .kind = LinkKind::number, .score = kGuessScore, .text = std::to_string(*day)});
}

Link value_link(std::size_t first, std::size_t last, ColumnId column, const Schema& schema, std::string value,
                double score) {
    return {.first = first,
            .last = last,
            .kind = LinkKind::value,
            .score = score,
            .table = schema.table_of(column),
            .column = column,
            .text = std::move(value)};
}

/// "2022-23" where a column holds just that: the index takes numbers for no names.
void link_season_values(const LinkingView& view, Links& out) {
    const Knowledge& knowledge = view.knowledge;
    for (std::size_t at = 0; at + 2 < view.size(); ++at) {
        const bool is_range = view.folded[at].size() == 4 && is_digit(view.folded[at][0]) &&
                              view.folded[at + 1] == "-" && is_digit(view.folded[at + 2][0]);
        if (!is_range) continue;
        const std::string key = squash(view.question.span(at, at + 2));
        for (std::size_t column = 1; column < knowledge.schema().columns().size(); ++column) {
            const auto id = static_cast<ColumnId>(column);
            const auto values = knowledge.values().values_of(id);
            const auto found = std::ranges::find(values, key, &KnownValue::key);
            if (found == values.end()) continue;
            out.push_back(value_link(at, at + 2, id, knowledge.schema(), std::string(found->spelling), 1));
        }
    }
}

std::string initials_of(std::string_view value) {
    std::string out;
    const auto words = plain_words(value);
    if (words.size() < kInitialsMin) return out;
    for (const std::string& word : words) out += word.front();
    return out;
}

/// "MVP" for "Most Valuable Player".
void link_initials(const LinkingView& view, Links& out) {
    for (std::size_t at = 0; at < view.size(); ++at) {
        const std::string_view said = view.question.word(at);
        const bool is_capital = std::ranges::all_of(said, [](char c) { return c >= 'A' && c <= 'Z'; });
        if (said.size() < kInitialsMin || !is_capital) continue;
        for (std::size_t column = 1; column < view.knowledge.schema().columns().size(); ++column) {
            const auto id = static_cast<ColumnId>(column);
            for (const KnownValue& value : view.knowledge.values().values_of(id)) {
                if (initials_of(value.spelling) != view.folded[at]) continue;
                out.push_back(
                    value_link(at, at, id, view.knowledge.schema(), std::string(value.spelling), kInitialsScore));
            }
        }
    }
}

/// "Western Conference" where the column `conference` has "West".
void link_adjectives(const LinkingView& view, Links& out) {
    const Schema& schema = view.knowledge.schema();
    for (std::size_t at = 0; at + 1 < view.size(); ++at) {
        if (view.folded[at].size() < kNearBytesMin) continue;
        for (std::size_t column = 1; column < schema.columns().size(); ++column) {
            if (view.stemmed[at + 1] != link_stem(schema.columns()[column].words)) continue;
            const auto id = static_cast<ColumnId>(column);
            for (const KnownValue& value : view.knowledge.values().values_of(id)) {
                const bool is_longer =
                    value.key.size() >= kAdjectiveBytesMin && view.folded[at].size() > value.key.size();
                if (!is_longer || !view.folded[at].starts_with(value.key)) continue;
                out.push_back(value_link(at, at + 1, id, schema, std::string(value.spelling), kAdjectiveScore));
            }
        }
    }
}

/// Compares texts with the values of all columns, as many as one question may.
class NearValues {
public:
    NearValues(const LinkingView& view, Links& out) : view_(view), out_(out) {}

    /// Whether the words are nearly a value of some column.
    bool link(std::size_t first, std::size_t last) {
        const Knowledge& knowledge = view_.knowledge;
        bool is_found = false;
        for (std::size_t column = 1; column < knowledge.schema().columns().size(); ++column) {
            const auto id = static_cast<ColumnId>(column);
            const std::size_t count = knowledge.values().values_of(id).size();
            if (count == 0 || compared_ + count > kComparedValuesMax) continue;
            compared_ += count;
            auto near = knowledge.values().spelling(id, view_.question.span(first, last));
            if (near.certainty == Spelling::Certainty::unknown) continue;
            out_.push_back(value_link(first, last, id, knowledge.schema(), std::move(near.text), kLikelyScore));
            is_found = true;
        }
        return is_found;
    }

private:
    const LinkingView& view_;
    Links& out_;
    std::size_t compared_ = 0;
};

}  // namespace

std::optional<SaidNumber> number_at(const LinkingView& view, std::size_t first) {
    if (first >= view.size() || !begins_number(view.folded[first])) return std::nullopt;
    for (std::size_t count = std::min(kNumberWordsMax, view.size() - first); count > 0; --count) {
        const std::size_t last = first + count - 1;
        if (count > 1 && is_number_join(view.folded[last])) continue;
        // "3, 4" are two numbers, and "1995 and 2000" too; a number of several words has one that is a word.
        const bool has_word = std::ranges::any_of(std::span(view.folded).subspan(first, count), [](const auto& word) {
            return !is_digit(word.front()) && !is_number_join(word);
        });
        if (count > 1 && !has_word) continue;
        if (auto number = number_of(view.question.span(first, last))) return SaidNumber{last, std::move(*number)};
    }
    return std::nullopt;
}

void link_numbers(const LinkingView& view, Links& out) {
    for (std::size_t at = 0; at < view.size(); ++at) {
        link_weekday(view, at, out);
        const auto number = number_at(view, at);
        if (!number) continue;
        const bool is_weak = number->last == at && is_weak_number(view.folded[at]);
        out.push_back({.first = at,
                       .last = number->last,
                       .kind = LinkKind::number,
                       .score = is_weak ? kGuessScore : 1,
                       .text = number->text});
        at = number->last;
    }
}

void link_values(const LinkingView& view, Links& out) {
    const auto is_silent = [&view](std::size_t at) { return squash(view.folded[at]).empty(); };
    for (ValueHit hit : view.question.hits) {
        // "right now" is no hand.
        const bool is_now = hit.first == hit.last && view.folded[hit.first] == "right" && hit.last + 1 < view.size() &&
                            (view.folded[hit.last + 1] == "now" || view.folded[hit.last + 1] == "away");
        if (is_now) continue;
        while (hit.first < hit.last && is_silent(hit.first)) ++hit.first;
        while (hit.first < hit.last && is_silent(hit.last)) --hit.last;
        out.push_back(value_link(hit.first, hit.last, hit.column, view.knowledge.schema(), hit.value,
                                 hit.is_sure ? 1 : kLikelyScore));
    }
    link_season_values(view, out);
    link_initials(view, out);
    link_adjectives(view, out);
}

void link_near_values(const LinkingView& view, Links& out) {
    NearValues near(view, out);
    const auto is_free = [&view](std::size_t at) { return !view.is_linked(at, kLikelyScore); };
    const auto is_open = [&](std::size_t at) {
        return view.folded[at].size() >= kNearBytesMin && !is_digit(view.folded[at].front()) &&
               !is_filler(view.folded[at]) && is_free(at);
    };
    for (std::size_t at = 0; at < view.size(); ++at) {
        if (!is_open(at)) continue;
        std::size_t count = 1;
        while (count < kNearWordsMax && at + count < view.size() && is_free(at + count)) ++count;
        while (count > 0 && !near.link(at, at + count - 1)) --count;
        at += count > 0 ? count - 1 : 0;
    }
}

}  // namespace quaestor::native
