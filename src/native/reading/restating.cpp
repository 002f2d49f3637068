#include "native/reading/restating.hpp"

#include "native/reading/phrasing.hpp"
#include "native/reading/rules/schema_view.hpp"
#include "native/reading/rules/tokens.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace quaestor::native {

namespace {

using rules::Cue;
using rules::Token;
using rules::Unit;

/// Names that "they" may stand for.
constexpr std::size_t kSubjectsMax = 5;
constexpr double kSureName = 0.95;

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
};

bool is_year_number(const Token& token) {
    int year = 0;
    const auto [end, problem] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), year);
    return token.is(Token::Kind::number) && problem == std::errc() && end == token.text.data() + token.text.size() &&
           year >= 1000 && year < 3000;
}

/// Whether words may say a time.
bool is_time(const Unit& unit, const rules::SchemaView& view) {
    return std::ranges::any_of(unit.meanings, [&](const Token& token) {
        const bool is_season = token.is(Token::Kind::value) && view.says_when(token.column);
        return token.is(Token::Kind::period) || is_year_number(token) || is_season;
    });
}

bool is_value(const Unit& unit, const rules::SchemaView& view) {
    return unit.meanings.front().is(Token::Kind::value) && !is_time(unit, view);
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

/// From the first to the last unit that fits.
template <typename Fits>
std::optional<Range> range_of(const std::vector<Unit>& units, Fits fits) {
    std::optional<Range> range;
    for (const Unit& unit : units) {
        if (!fits(unit)) continue;
        const Token& token = unit.meanings.front();
        if (!range) range = Range{token.first, token.last};
        range->last = token.last;
    }
    return range;
}

// ---- pronouns

struct Pronoun {
    std::string_view word;
    bool is_person = false;
    bool is_plural = false;
    bool is_possessive = false;
};
constexpr std::array kPronouns{
    Pronoun{.word = "he", .is_person = true},
    Pronoun{.word = "she", .is_person = true},
    Pronoun{.word = "him", .is_person = true},
    Pronoun{.word = "his", .is_person = true, .is_possessive = true},
    Pronoun{.word = "her", .is_person = true},
    Pronoun{.word = "hers", .is_person = true},
    Pronoun{.word = "it"},
    Pronoun{.word = "its", .is_possessive = true},
    Pronoun{.word = "they", .is_plural = true},
    Pronoun{.word = "them", .is_plural = true},
    Pronoun{.word = "their", .is_plural = true, .is_possessive = true},
};
constexpr std::array<std::string_view, 3> kPointing{"that", "this", "same"};
constexpr std::array<std::string_view, 6> kSpans{"season", "year", "month", "day", "quarter", "week"};
/// "its top scorers" are the top scorers of it.
constexpr std::array<std::string_view, 6> kTops{"top", "best", "leading", "highest", "first", "last"};
constexpr std::array<std::string_view, 3> kTimePrepositions{"in", "during", "for"};

/// The names that the earlier question says, in its words.
std::vector<std::string> names_said(const LinkedQuestion& earlier, const rules::SchemaView& view) {
    std::vector<std::string> names;
    for (const Unit& unit : rules::units_of(earlier)) {
        const Token& token = unit.meanings.front();
        if (!is_value(unit, view) || token.score < kSureName) continue;
        const auto labels = view.labels(view.table_of(token.column));
        const bool is_name =
            std::ranges::find(labels, token.column) != labels.end() || view.has_word(token.column, "name");
        if (is_name) names.emplace_back(earlier.span(token.first, token.last));
    }
    return names;
}

/// What the conversation is about: the one that the answer gave, or those that the question named.
std::vector<std::string> subjects_of(const LinkedQuestion& earlier, std::span<const std::string> given,
                                     const rules::SchemaView& view) {
    const bool is_new = given.size() == 1 && !fold(earlier.text).contains(fold(given.front()));
    if (is_new) return {given.front()};
    if (auto names = names_said(earlier, view); !names.empty()) return names;
    if (given.size() <= kSubjectsMax) return {given.begin(), given.end()};
    return {};
}

/// "her" before a noun says whose; at the end it says who.
bool says_whose(const LinkedQuestion& question, std::size_t at, const Pronoun& pronoun) {
    if (pronoun.is_possessive) return true;
    const bool is_followed = at + 1 < question.words.size() && !plain_words(question.word(at + 1)).empty();
    return pronoun.word == "her" && is_followed;
}

/// "that season" after a question about 2023; false when the earlier question says no time.
bool say_time(const LinkedQuestion& question, std::size_t at, const LinkedQuestion& earlier,
              const rules::SchemaView& view, Phrasing& out) {
    const auto time = range_of(rules::units_of(earlier), [&view](const Unit& unit) { return is_time(unit, view); });
    if (!time) return false;
    const bool has_preposition = at > 0 && is_one_of(fold(question.word(at - 1)), kTimePrepositions);
    out.replace(at, at + 1, fmt::format("{}{}", has_preposition ? "" : "in ", earlier.span(time->first, time->last)));
    return true;
}

/// With names for pronouns and the time for "that season". Nothing when it has neither, or nobody knows whose.
std::optional<std::string> without_pronouns(const LinkedQuestion& question, const LinkedQuestion& earlier,
                                            std::span<const std::string> given, const rules::SchemaView& view) {
    const std::vector<std::string> subjects = subjects_of(earlier, given, view);
    Phrasing out(question);
    bool is_changed = false;
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        const std::string word = fold(question.word(at));
        const bool is_span = at + 1 < question.words.size() && is_one_of(word, kPointing) &&
                             is_one_of(fold(question.word(at + 1)), kSpans);
        if (is_span && say_time(question, at, earlier, view, out)) {
            is_changed = true;
            continue;
        }
        const auto pronoun = std::ranges::find(kPronouns, word, &Pronoun::word);
        if (pronoun == kPronouns.end()) continue;
        if (subjects.empty() || (subjects.size() > 1 && !pronoun->is_plural)) return std::nullopt;
        const std::string names = fmt::format("{}", fmt::join(subjects, " and "));
        const bool is_before_top = at + 1 < question.words.size() && is_one_of(fold(question.word(at + 1)), kTops);
        if (pronoun->is_possessive && is_before_top) {
            out.replace(at, at, "the");
            out.append("of " + names);
        } else {
            out.replace(at, at, says_whose(question, at, *pronoun) ? names + "'s" : names);
        }
        is_changed = true;
    }
    if (!is_changed) return std::nullopt;
    return out.text();
}

// ---- other words in the place of some

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
    [[nodiscard]] static bool says_time(const Token& token) {
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
        if (is_time(unit, view_)) return keep(times_, token);
        if (is_value(unit, view_)) return keep(values_, token);
        const bool is_name = token.is(Token::Kind::column) || token.is(Token::Kind::table);
        if (is_name && !begin_of_phrase(token)) return put_measure(token);
        if (is_name || says_time(token) || token.is(Token::Kind::number)) return put_at_end(token);
        return false;
    }

    /// "by team": other groups are a change of the query, not of its words.
    [[nodiscard]] static bool is_group(const Token& token) { return token.is(Cue::group) || token.is(Cue::by); }

    /// Values and times are gathered: "the Warriors and the Nets".
    bool keep(std::optional<Range>& range, const Token& token) {
        if (!range) range = Range{begin_of_phrase(token).value_or(token.first), token.last};
        range->last = token.last;
        lead_.reset();
        return true;
    }

    /// Where the phrase begins that a thing stands in: at "since", at a preposition.
    [[nodiscard]] std::optional<std::size_t> begin_of_phrase(const Token& token) const {
        if (lead_) return lead_;
        std::size_t at = token.first;
        while (at > 0 && is_one_of(fold(said_.word(at - 1)), std::array<std::string_view, 3>{"the", "a", "an"})) --at;
        if (at == 0 || !is_one_of(fold(said_.word(at - 1)), kPrepositions)) return std::nullopt;
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
                return is_value(unit, view_) && is_value(other, view_) && are_alike(unit, other, view_);
            });
        };
        put(*values_, range_of(earlier_units_, is_like_said), "for");
        return true;
    }

    bool put_times() {
        if (!times_) return true;
        put(*times_, range_of(earlier_units_, [this](const Unit& unit) { return is_time(unit, view_); }), "in");
        return true;
    }

    /// In the place of what is there, with its preposition if the new words bring their own; else at the end.
    void put(Range words, std::optional<Range> there, std::string_view preposition) {
        is_changed_ = true;
        const bool has_preposition = is_one_of(fold(said_.word(words.first)), kPrepositions) ||
                                     rules::cue_at(std::vector{fold(said_.word(words.first))}, 0).has_value();
        const std::string text(said_.span(words.first, words.last));
        if (!there) {
            out_.append(has_preposition ? text : fmt::format("{} {}", preposition, text));
            return;
        }
        const bool replaces_preposition =
            has_preposition && there->first > 0 && is_one_of(fold(earlier_.word(there->first - 1)), kPrepositions);
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
    std::optional<Range> values_;
    std::optional<Range> times_;
    bool is_changed_ = false;
};

}  // namespace

bool names_rows(const Knowledge& knowledge, std::string_view column) {
    const rules::SchemaView view(knowledge);
    const auto& tables = view.schema().tables();
    for (TableId table = 0; table < static_cast<TableId>(tables.size()); ++table) {
        if (!view.has_names(table)) continue;
        const auto labels = view.labels(table);
        const bool is_label =
            std::ranges::any_of(labels, [&](ColumnId label) { return fold(view.column(label).name) == fold(column); });
        if (is_label) return true;
    }
    return false;
}

bool points_back(const LinkedQuestion& question) {
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        const auto pronoun = std::ranges::find(kPronouns, fold(question.word(at)), &Pronoun::word);
        if (pronoun == kPronouns.end()) continue;
        // "the players and their teams" says whose; "which team did he play for" and "how many games did they win" do
        // not.
        static constexpr std::array<std::string_view, 10> kBeforeSubject{"did", "do", "does", "have", "had",
                                                                         "has", "is", "are",  "was",  "were"};
        const bool is_subject = at > 0 && is_one_of(fold(question.word(at - 1)), kBeforeSubject);
        const bool is_named = std::ranges::any_of(question.links, [&](const Link& link) {
            const bool is_thing =
                link.kind == LinkKind::value || (link.kind == LinkKind::table && !pronoun->is_person && !is_subject);
            return is_thing && link.last < at && link.score >= kSureName;
        });
        if (!is_named) return true;
    }
    return false;
}

std::vector<std::string> with_each_name(const LinkedQuestion& question, std::span<const std::string> names) {
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        const auto pronoun = std::ranges::find(kPronouns, fold(question.word(at)), &Pronoun::word);
        if (pronoun == kPronouns.end() || (!pronoun->is_person && !pronoun->is_plural)) continue;
        std::vector<std::string> questions;
        for (const std::string& name : names) {
            Phrasing said(question);
            said.replace(at, at, says_whose(question, at, *pronoun) ? name + "'s" : name);
            questions.push_back(said.text());
        }
        return questions;
    }
    return {};
}

std::optional<std::string> restated(const LinkedQuestion& follow_up, const EarlierTurn& earlier,
                                    const Knowledge& knowledge, std::string_view today) {
    const rules::SchemaView view(knowledge);
    const LinkedQuestion before = link(earlier.question, knowledge, today);
    if (auto said = without_pronouns(follow_up, before, earlier.subjects, view)) return said;
    return Merge(follow_up, before, view).text();
}

}  // namespace quaestor::native
