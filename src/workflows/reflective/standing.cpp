#include "workflows/reflective/standing.hpp"

#include "native/reading/restating.hpp"
#include "workflows/common/small_talk.hpp"
#include "workflows/reflective/small_talk.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace quaestor::workflows::reflective {

namespace {

/// Links that surely name something.
constexpr double kNamedScore = 0.95;
/// What a comparison is about when nobody says when; a database without seasons does not understand it, and it is
/// left out again.
constexpr std::string_view kLatest = " in the latest season";

native::LinkedQuestion linked(const Analyst& analyst, std::string_view question) {
    return native::link(question, analyst.knowledge(), analyst.today());
}

/// Whether the reader is surer of the first: answering goes before asking, asking before declining.
bool is_surer(const Standing& left, const Standing& right) {
    const auto rank = [](const Standing& standing) {
        const auto& readings = standing.read->readings;
        return std::pair(-static_cast<int>(standing.read->decision),
                         readings.empty() ? 0.0 : readings.front().probability);
    };
    return rank(left) > rank(right);
}

/// The first of several wordings that is clear; else the one that the reader is surest of.
Task<Result<Standing>> surest(Analyst& analyst, std::vector<Standing> wordings, CancelToken cancel) {
    Standing best;
    for (auto& wording : wordings) {
        auto read = co_await analyst.understand(wording.question, wording.leans_on, cancel);
        if (!read) co_return fail(read.error());
        wording.read = std::move(*read);
        const bool is_better = best.read == nullptr || is_surer(wording, best);
        if (is_better) best = std::move(wording);
        if (best.is_clear()) break;
    }
    co_return best;
}

/// "players by position": a chart of things shows how many there are.
std::string counted(const Analyst& analyst, std::string asked) {
    const bool is_grouped = asked.contains(" by ") || asked.contains(" per ");
    const auto words = linked(analyst, asked);
    const bool begins_with_things = std::ranges::any_of(words.links, [](const native::Link& link) {
        return link.first == 0 && link.kind == native::LinkKind::table && link.score >= kNamedScore;
    });
    return is_grouped && begins_with_things ? "number of " + std::move(asked) : asked;
}

/// Words of a kind of link, each once, in their order.
std::vector<std::string> said_as(const native::LinkedQuestion& question, native::LinkKind kind) {
    std::vector<std::string> out;
    std::size_t after = 0;
    for (const native::Link& link : question.links) {
        if (link.kind != kind || link.score < kNamedScore || link.first < after) continue;
        out.emplace_back(question.span(link.first, link.last));
        after = link.last + 1;
    }
    return out;
}

/// "Compare …", "which had better efficiency".
bool compares(const std::string& question) {
    static const WordSet kComparing{"compare", "better", "worse", "higher", "lower", "more", "fewer"};
    return any_among(native::plain_words(question), kComparing);
}

std::string without_mark(std::string part) {
    part.erase(part.find_last_not_of("?!. ") + 1);
    return part;
}

/// Which is better is seen from both: a comparison shows them, where "the best" would show one.
std::string shown_for_both(std::string part) {
    for (const auto& [said, meant] : {std::pair(" better ", " higher "), std::pair(" worse ", " lower ")}) {
        if (const auto at = part.find(said); at != std::string::npos) part.replace(at, std::strlen(said), meant);
    }
    return part;
}

/// What the parts so far have named.
struct Said {
    std::vector<std::string> names;
    std::vector<std::string> times;
};

/// The wordings of a part, those that say most first.
std::vector<Standing> wordings_of(const Analyst& analyst, const std::string& part, const Said& before) {
    const auto words = linked(analyst, part);
    std::string full = shown_for_both(native::spelled_out(words, analyst.knowledge()).value_or(without_mark(part)));
    const bool has_names = !said_as(words, native::LinkKind::value).empty();
    const bool has_time = !said_as(words, native::LinkKind::date).empty();
    if (!has_names && compares(part) && !before.names.empty())
        full += fmt::format(", {}", fmt::join(before.names, " or "));
    if (!has_time && before.times.size() == 1) full += fmt::format(" in {}", before.times.front());
    std::vector<Standing> wordings;
    if (!has_time && before.times.empty() && compares(part)) wordings.push_back({full + std::string(kLatest), {}, {}});
    wordings.push_back({full, {}, {}});
    if (without_mark(part) != full) wordings.push_back({part, {}, {}});
    return wordings;
}

void add_said(const Analyst& analyst, const std::string& part, Said& said) {
    const auto words = linked(analyst, part);
    if (auto names = said_as(words, native::LinkKind::value); !names.empty()) said.names = std::move(names);
    if (auto times = said_as(words, native::LinkKind::date); !times.empty()) said.times = std::move(times);
}

/// An earlier part as a turn of a conversation.
Turn turn_of(const Analyst& analyst, const Standing& part) {
    Turn turn{.question = part.question,
              .resolved_question = part.question,
              .answer = {},
              .sql = {},
              .method = {},
              .subjects = {}};
    const auto& reading = part.read->readings.front();
    turn.sql = reading.sql;
    if (reading.result) turn.subjects = subjects_of(analyst.knowledge(), table_of(*reading.result, kSubjectsKept + 1));
    return turn;
}

/// "its top scorers": whose, where that is known.
std::string with_names(const Analyst& analyst, const std::string& part, const Turn& before) {
    const auto words = linked(analyst, part);
    if (!native::points_back(words)) return part;
    const native::EarlierTurn earlier{before.resolved_question, before.subjects};
    return native::restated(words, earlier, analyst.knowledge(), analyst.today()).value_or(part);
}

}  // namespace

std::optional<ChartWish> wish_in(const Analyst& analyst, std::string_view question) {
    auto wish = chart_wish(question);
    if (!wish) return std::nullopt;
    const auto words = linked(analyst, question);
    const bool is_in_data = std::ranges::any_of(words.links, [&](const native::Link& link) {
        return link.score >= kNamedScore &&
               is_chart_word(native::stem(native::fold(words.span(link.first, link.last))));
    });
    return is_in_data ? std::nullopt : wish;
}

std::string asked_of_data(const Analyst& analyst, std::string question, const std::vector<Turn>& history) {
    const auto wish = wish_in(analyst, question);
    if (!wish) return question;
    if (!wish->question.empty()) return counted(analyst, wish->question);
    return history.empty() ? question : history.back().resolved_question;
}

std::string assumed_in(std::string_view full, std::string_view asked) {
    if (!full.contains(kLatest) || asked.contains(kLatest)) return {};
    return "no time was named, so the latest season is compared";
}

std::vector<std::string> subjects_of(const native::Knowledge& knowledge, const ResultTable& result) {
    const auto names = std::ranges::find_if(result.columns, [&](const TableColumn& column) {
        return column.kind == data::ValueKind::text && native::names_rows(knowledge, column.name);
    });
    if (names == result.columns.end() || result.rows.size() > kSubjectsKept) return {};
    const auto at = static_cast<std::size_t>(names - result.columns.begin());
    std::vector<std::string> subjects;
    for (const auto& row : result.rows) {
        if (const auto* name = row[at].if_string()) subjects.emplace_back(*name);
    }
    return subjects;
}

Task<Result<Standing>> stand(Analyst& analyst, std::string question, std::vector<Turn> history, CancelToken cancel) {
    question = asked_of_data(analyst, std::move(question), history);
    const auto words = linked(analyst, question);
    std::vector<Standing> wordings;
    const bool leans = native::leans_on_earlier(words) || native::points_back(words);
    if (!history.empty() && leans) {
        const Turn& before = history.back();
        const native::EarlierTurn earlier{before.resolved_question, before.subjects};
        if (auto full = native::restated(words, earlier, analyst.knowledge(), analyst.today())) {
            wordings.push_back({std::move(*full), {}, {}});
        }
        if (!before.sql.empty()) wordings.push_back({question, before.sql, {}});
    } else {
        if (auto full = native::spelled_out(words, analyst.knowledge())) wordings.push_back({std::move(*full), {}, {}});
        wordings.push_back({question, {}, {}});
        const bool has_time = !said_as(words, native::LinkKind::date).empty();
        if (compares(question) && !has_time) {
            wordings.push_back({without_mark(question) + std::string(kLatest), {}, {}});
        }
    }
    if (wordings.empty()) wordings.push_back({std::move(question), {}, {}});
    co_return co_await surest(analyst, std::move(wordings), std::move(cancel));
}

Task<Result<std::vector<Standing>>> stand_in_parts(Analyst& analyst, std::string question, CancelToken cancel) {
    std::vector<Standing> standing;
    const auto parts = parts_of(asked_of_data(analyst, std::move(question), {}));
    if (parts.size() < 2) co_return standing;
    Said said;
    for (const auto& part : parts) {
        const std::string named =
            standing.empty() ? part : with_names(analyst, part, turn_of(analyst, standing.back()));
        auto found = co_await surest(analyst, wordings_of(analyst, named, said), cancel);
        if (found && !found->is_clear() && !standing.empty()) {
            found = co_await stand(analyst, part, {turn_of(analyst, standing.back())}, cancel);
        }
        if (!found) co_return fail(found.error());
        if (!found->is_clear()) co_return std::vector<Standing>();
        add_said(analyst, part, said);
        standing.push_back(std::move(*found));
    }
    co_return standing;
}

}  // namespace quaestor::workflows::reflective
