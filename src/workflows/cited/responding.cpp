#include "workflows/cited/nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::workflows::cited {

namespace {

using graph::Update;

constexpr std::size_t kMatchesShown = 3;
/// Ends a line of Markdown without ending the paragraph.
constexpr std::string_view kLineEnd = "  \n";

std::string source_line(const Citation& citation) {
    std::string line = fmt::format("  [{}] {}", citation.n, citation.document);
    if (!citation.date.empty()) line += ", " + citation.date;
    if (!citation.section.empty()) line += ", §" + citation.section;
    return line + fmt::format(" (chunk {})", citation.chunk_id);
}

std::string grounded_answer(const State& state) {
    std::string out = state.answer + "\n\nSources:";
    for (const auto& citation : state.citations) out.append(kLineEnd).append(source_line(citation));
    return out;
}

std::string uncertainty(const Librarian& librarian, const State& state) {
    std::string out = fmt::format(
        "I was unable to find sufficient information in the {} document corpus to answer this question confidently. "
        "The available documents may not cover this topic.",
        librarian.info().name);
    if (!state.doubt.empty()) out += " " + state.doubt;
    out += fmt::format("\n\nSearched: {}", fmt::join(state.searched, "; "));
    if (state.retrieved_chunks.empty()) return out;
    auto best = state.retrieved_chunks;
    std::ranges::sort(best, {}, [](const auto& chunk) { return std::pair(-chunk.score, chunk.chunk_id); });
    std::vector<std::string> shown;
    for (const auto& chunk : best) {
        const bool is_shown = std::ranges::find(shown, chunk.document) != shown.end();
        if (is_shown || shown.size() == kMatchesShown) continue;
        if (shown.empty()) out.append(kLineEnd).append("Best matches (low relevance):");
        shown.push_back(chunk.document);
        out.append(kLineEnd).append(
            fmt::format("  [{}] {} (score: {:.2f})", shown.size(), chunk.document, chunk.score));
    }
    return out;
}

std::string method_of(const Librarian& librarian, const State& state) {
    std::string method = fmt::format("How I found this: I searched {} for \"{}\"", librarian.holdings(),
                                     fmt::join(state.searched, "\", \""));
    if (!state.dates.periods.empty()) {
        std::vector<std::string> labels;
        for (const auto& period : state.dates.periods) labels.push_back(period.label);
        method += fmt::format(", those of {} first", fmt::join(labels, " and "));
    }
    method += fmt::format(", and held {} against the passages cited.",
                          state.checked == 1 ? "one sentence" : fmt::format("{} sentences", state.checked));
    if (!state.left_out.empty()) {
        method += fmt::format(
            " {} left out because no passage supports it.",
            state.left_out.size() == 1 ? "One sentence was" : fmt::format("{} sentences were", state.left_out.size()));
    }
    return method;
}

std::vector<std::string> days_of(const std::vector<Citation>& citations) {
    std::vector<std::string> days;
    for (const auto& citation : citations) {
        if (!citation.date.empty()) days.push_back(citation.date);
    }
    std::ranges::sort(days);
    days.erase(std::ranges::unique(days).begin(), days.end());
    return days;
}

/// Which document was taken, where the question did not say of what time.
std::vector<std::string> assumptions_of(const State& state) {
    const auto days = days_of(state.citations);
    const bool could_be_another = state.dates.periods.empty() && days.size() == 1 && !state.retrieved_chunks.empty();
    const bool has_other_days = std::ranges::any_of(state.retrieved_chunks, [&](const auto& chunk) {
        return !days.empty() && !chunk.date.empty() && chunk.date != days.front();
    });
    if (!could_be_another || !has_other_days) return {};
    return {fmt::format("No time was named; this is from the document of {}.", days.front())};
}

}  // namespace

Update<State> respond(const Librarian& librarian, const State& state) {
    Update<State> update;
    if (!state.needs_retrieval) {
        return update.set<&State::status>(AnswerStatus::answered).set<&State::answer>(state.reply);
    }
    update.set<&State::method>(method_of(librarian, state));
    if (state.answer.empty()) {
        update.set<&State::status>(AnswerStatus::uncertain).set<&State::answer>(uncertainty(librarian, state));
        return update.set<&State::suggestions>(librarian.info().examples);
    }
    const std::string answer = grounded_answer(state);
    update.set<&State::status>(AnswerStatus::answered).set<&State::answer>(answer);
    update.set<&State::assumptions>(assumptions_of(state));
    update.add<&State::history>(Turn{state.question, state.resolved_question, answer, days_of(state.citations)});
    return update;
}

}  // namespace quaestor::workflows::cited
