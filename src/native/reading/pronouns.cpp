#include "native/reading/phrasing.hpp"
#include "native/reading/restating.hpp"
#include "native/reading/restating_units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace quaestor::native {

namespace {

using rules::Token;
using rules::Unit;

/// Names that "they" may stand for.
constexpr std::size_t kSubjectsMax = 5;
constexpr double kSureName = 0.95;

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
        if (!says_value(unit, view) || token.score < kSureName) continue;
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
    const auto time = range_of(rules::units_of(earlier), [&view](const Unit& unit) { return says_time(unit, view); });
    if (!time) return false;
    const bool has_preposition = at > 0 && is_listed(fold(question.word(at - 1)), kTimePrepositions);
    out.replace(at, at + 1, fmt::format("{}{}", has_preposition ? "" : "in ", earlier.span(time->first, time->last)));
    return true;
}

/// "the youngest player, and when was he born": the one that the same question asks for.
bool names_leader_before(const LinkedQuestion& question, std::size_t at) {
    std::size_t joint = at;
    while (joint > 0 && fold(question.word(joint)) != "and" && fold(question.word(joint)) != ",") --joint;
    const auto is_before = [&](LinkKind kind) {
        return std::ranges::any_of(question.links, [&](const Link& link) {
            return link.kind == kind && link.last < joint && link.score >= kSureName;
        });
    };
    return joint > 0 && is_before(LinkKind::table) && is_before(LinkKind::order);
}

}  // namespace

std::optional<std::string> without_pronouns(const LinkedQuestion& question, const LinkedQuestion& earlier,
                                            std::span<const std::string> given, const rules::SchemaView& view) {
    const std::vector<std::string> subjects = subjects_of(earlier, given, view);
    Phrasing out(question);
    bool is_changed = false;
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        const std::string word = fold(question.word(at));
        const bool is_span = at + 1 < question.words.size() && is_listed(word, kPointing) &&
                             is_listed(fold(question.word(at + 1)), kSpans);
        if (is_span && say_time(question, at, earlier, view, out)) {
            is_changed = true;
            continue;
        }
        const auto pronoun = std::ranges::find(kPronouns, word, &Pronoun::word);
        if (pronoun == kPronouns.end()) continue;
        if (subjects.empty() || (subjects.size() > 1 && !pronoun->is_plural)) return std::nullopt;
        const std::string names = fmt::format("{}", fmt::join(subjects, " and "));
        const bool is_before_top = at + 1 < question.words.size() && is_listed(fold(question.word(at + 1)), kTops);
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
        const bool is_subject = at > 0 && is_listed(fold(question.word(at - 1)), kBeforeSubject);
        const bool is_named = std::ranges::any_of(question.links, [&](const Link& link) {
            const bool is_thing =
                link.kind == LinkKind::value || (link.kind == LinkKind::table && !pronoun->is_person && !is_subject);
            return is_thing && link.last < at && link.score >= kSureName;
        });
        if (!is_named && !names_leader_before(question, at)) return true;
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

}  // namespace quaestor::native
