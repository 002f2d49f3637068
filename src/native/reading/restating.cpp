#include "native/reading/restating.hpp"

#include "native/reading/phrasing.hpp"
#include "native/reading/restating_units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace quaestor::native {

namespace {

using rules::Cue;
using rules::Token;
using rules::Unit;

bool is_year_number(const Token& token) {
    int year = 0;
    const auto [end, problem] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), year);
    return token.is(Token::Kind::number) && problem == std::errc() && end == token.text.data() + token.text.size() &&
           year >= 1000 && year < 3000;
}

/// Whether both may be values of one table: two teams, two cities.
bool are_alike(const Unit& left, const Unit& right, const rules::SchemaView& view) {
    for (const Token& one : left.meanings) {
        for (const Token& other : right.meanings) {
            if (!one.is(Token::Kind::value) || !other.is(Token::Kind::value)) continue;
            if (one.column == other.column || view.table_of(one.column) == view.table_of(other.column)) return true;
        }
    }
    return false;
}

constexpr std::array<std::string_view, 16> kPrepositions{"in",      "at",    "on",  "for",    "from",  "with",
                                                         "against", "by",    "of",  "during", "since", "after",
                                                         "before",  "until", "per", "without"};

/// Puts the words of a follow-up where the earlier question has such words, and the rest at its end.
class Merge {
public:
    Merge(const LinkedQuestion& said, const LinkedQuestion& earlier, const rules::SchemaView& view)
        : said_(said),
          earlier_(earlier),
          view_(view),
          units_(rules::units_of(said)),
          earlier_units_(rules::units_of(earlier)),
          out_(earlier) {}

    std::optional<std::string> text() {
        for (const Unit& unit : units_) {
            if (!take(unit)) return std::nullopt;
        }
        if (!put_values() || !put_times() || !is_changed_) return std::nullopt;
        return out_.text();
    }

private:
    /// What only tells that it goes on, or leads into what follows.
    [[nodiscard]] static bool says_nothing(const Token& token) {
        static constexpr std::array kLinks{Cue::addition, Cue::only,   Cue::instead, Cue::conjunction, Cue::disjunction,
                                           Cue::comma,    Cue::filler, Cue::ask,     Cue::verb,        Cue::relative};
        return token.is(Token::Kind::cue) && std::ranges::find(kLinks, token.cue) != kLinks.end();
    }
    [[nodiscard]] static bool leads_in(const Token& token) {
        static constexpr std::array kLeads{Cue::since,   Cue::after,     Cue::before, Cue::until,     Cue::from,
                                           Cue::to,      Cue::group,     Cue::by,     Cue::more_than, Cue::at_least,
                                           Cue::at_most, Cue::less_than, Cue::never,  Cue::negation};
        return token.is(Token::Kind::cue) && std::ranges::find(kLeads, token.cue) != kLeads.end();
    }
    [[nodiscard]] static bool is_time_word(const Token& token) {
        return token.is(Cue::time_unit) || token.is(Cue::time_adverb) || token.is(Cue::over_time) ||
               token.is(Cue::latest);
    }

    bool take(const Unit& unit) {
        const Token& token = unit.meanings.front();
        if (says_nothing(token)) return true;
        if (leads_in(token)) {
            if (!lead_) lead_ = token.first;
            return !is_group(token);
        }
        if (says_time(unit, view_)) return keep(times_, token);
        if (says_value(unit, view_)) return keep(values_, token);
        const bool is_name = token.is(Token::Kind::column) || token.is(Token::Kind::table);
        if (is_name && !begin_of_phrase(token)) return put_measure(token);
        if (is_name || is_time_word(token) || token.is(Token::Kind::number)) return put_at_end(token);
        return false;
    }

    /// "by team": other groups are a change of the query, not of its words.
    [[nodiscard]] static bool is_group(const Token& token) { return token.is(Cue::group) || token.is(Cue::by); }

    /// Values and times are gathered: "the Warriors and the Nets".
    bool keep(std::optional<WordRange>& range, const Token& token) {
        if (!range) range = WordRange{begin_of_phrase(token).value_or(token.first), token.last};
        range->last = token.last;
        lead_.reset();
        return true;
    }

    /// Where the phrase begins that a thing stands in: at "since", at a preposition.
    [[nodiscard]] std::optional<std::size_t> begin_of_phrase(const Token& token) const {
        if (lead_) return lead_;
        std::size_t at = token.first;
        while (at > 0 && is_listed(fold(said_.word(at - 1)), std::array<std::string_view, 3>{"the", "a", "an"})) --at;
        if (at == 0 || !is_listed(fold(said_.word(at - 1)), kPrepositions)) return std::nullopt;
        // "and for", "what about": the preposition belongs to what links.
        const bool is_link = std::ranges::any_of(units_, [&](const Unit& unit) {
            const Token& other = unit.meanings.front();
            return says_nothing(other) && other.first <= at - 1 && at - 1 <= other.last;
        });
        return is_link ? std::nullopt : std::optional(at - 1);
    }

    bool put_at_end(const Token& token) {
        const std::size_t begin = begin_of_phrase(token).value_or(token.first);
        out_.append(said_.span(begin, token.last));
        lead_.reset();
        return is_changed_ = true;
    }

    /// "What about rebounds?" after assists; per game, where those were.
    bool put_measure(const Token& token) {
        const auto is_measure = [this](const Unit& unit) {
            const Token& other = unit.meanings.front();
            return other.is(Token::Kind::column) && view_.is_measure(other.column);
        };
        const auto there = range_of(earlier_units_, is_measure);
        if (!there || std::ranges::count_if(earlier_units_, is_measure) > 1 || !token.is(Token::Kind::column))
            return false;
        const std::string_view before = earlier_.span(there->first, there->last);
        std::string words(said_.span(token.first, token.last));
        const std::size_t rate = before.find(" per ");
        if (rate != std::string_view::npos && is_called(words + std::string(before.substr(rate)))) {
            words += before.substr(rate);
        }
        out_.replace(there->first, there->last, std::move(words));
        return is_changed_ = true;
    }

    /// Whether some column has these words for its name.
    [[nodiscard]] bool is_called(const std::string& words) const {
        return std::ranges::any_of(view_.schema().columns(), [wanted = stems(words)](const SchemaColumn& column) {
            return stems(column.words) == wanted;
        });
    }

    bool put_values() {
        if (!values_) return true;
        const auto is_like_said = [this](const Unit& other) {
            return std::ranges::any_of(units_, [&](const Unit& unit) {
                return says_value(unit, view_) && says_value(other, view_) && are_alike(unit, other, view_);
            });
        };
        put(*values_, range_of(earlier_units_, is_like_said), "for");
        return true;
    }

    bool put_times() {
        if (!times_) return true;
        put(*times_, range_of(earlier_units_, [this](const Unit& unit) { return says_time(unit, view_); }), "in");
        return true;
    }

    /// In the place of what is there, with its preposition if the new words bring their own; else at the end.
    void put(WordRange words, std::optional<WordRange> there, std::string_view preposition) {
        is_changed_ = true;
        const bool has_preposition = is_listed(fold(said_.word(words.first)), kPrepositions) ||
                                     rules::cue_at(std::vector{fold(said_.word(words.first))}, 0).has_value();
        const std::string text(said_.span(words.first, words.last));
        if (!there) {
            out_.append(has_preposition ? text : fmt::format("{} {}", preposition, text));
            return;
        }
        const bool replaces_preposition =
            has_preposition && there->first > 0 && is_listed(fold(earlier_.word(there->first - 1)), kPrepositions);
        const std::size_t skipped = has_preposition && !replaces_preposition ? 1 : 0;
        out_.replace(there->first - (replaces_preposition ? 1 : 0), there->last,
                     std::string(said_.span(std::min(words.first + skipped, words.last), words.last)));
    }

    const LinkedQuestion& said_;
    const LinkedQuestion& earlier_;
    const rules::SchemaView& view_;
    const std::vector<Unit> units_;
    const std::vector<Unit> earlier_units_;
    Phrasing out_;
    std::optional<std::size_t> lead_;  ///< the word at which "since", "by", "more than" begins what follows
    std::optional<WordRange> values_;
    std::optional<WordRange> times_;
    bool is_changed_ = false;
};

}  // namespace

bool is_listed(std::string_view word, std::span<const std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

bool says_time(const Unit& unit, const rules::SchemaView& view) {
    return std::ranges::any_of(unit.meanings, [&](const Token& token) {
        const bool is_season = token.is(Token::Kind::value) && view.says_when(token.column);
        return token.is(Token::Kind::period) || is_year_number(token) || is_season;
    });
}

bool says_value(const Unit& unit, const rules::SchemaView& view) {
    return unit.meanings.front().is(Token::Kind::value) && !says_time(unit, view);
}

std::optional<std::string> restated(const LinkedQuestion& follow_up, const EarlierTurn& earlier,
                                    const Knowledge& knowledge, std::string_view today) {
    const rules::SchemaView view(knowledge);
    const LinkedQuestion before = link(earlier.question, knowledge, today);
    if (auto said = without_pronouns(follow_up, before, earlier.subjects, view)) return said;
    return Merge(follow_up, before, view).text();
}

}  // namespace quaestor::native
