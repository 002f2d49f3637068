#include "native/reading/reader.hpp"

#include "base/text.hpp"
#include "native/reading/amending.hpp"
#include "native/reading/candidates.hpp"
#include "native/reading/correct_shares.hpp"
#include "native/reading/deciding.hpp"
#include "native/reading/named_rates.hpp"
#include "native/reading/named_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace quaestor::native {

namespace {

/// Without white space around it; an error for what nobody can have asked.
Result<std::string> checked_question(std::string_view question) {
    const std::string_view asked = text::trim(question);
    if (asked.empty()) {
        return fail(Code::invalid_argument, "the question is empty",
                    "ask in a sentence: \"How many orders are there?\"");
    }
    if (asked.size() > kQuestionBytesMax) {
        return fail(Code::invalid_argument,
                    fmt::format("the question has {} bytes; at most {} are read", asked.size(), kQuestionBytesMax),
                    "ask for one thing at a time");
    }
    const bool has_control = std::ranges::any_of(
        asked, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r'; });
    if (has_control || !text::is_utf8(asked)) {
        return fail(Code::invalid_argument, "the question is no text",
                    "give it as UTF-8 text without control characters");
    }
    return std::string(asked);
}

/// The choice was fitted on questions that stand alone, and knows nothing of the one before. A change of a query that
/// was right, with every word accounted for and rows to show, is what was meant more often than not.
constexpr double kFollowUpTrust = 0.75;
constexpr double kFollowUpScore = -1;
void trust_follow_up(std::vector<Candidate>& candidates) {
    const auto best = std::ranges::find_if(candidates, [](const Candidate& candidate) {
        const bool has_rows = candidate.result && candidate.result->row_count > 0;
        return candidate.proposal.rule == kFollowUpRule && candidate.proposal.score > kFollowUpScore && has_rows;
    });
    if (best == candidates.end()) return;
    best->probability = std::max(best->probability, kFollowUpTrust);
    for (Candidate& other : candidates) {
        if (&other != &*best) other.probability = std::min(other.probability, 1 - kFollowUpTrust);
    }
    std::rotate(candidates.begin(), best, best + 1);
}

}  // namespace

struct QuestionReader::Inside {
    Inside(data::Source& asked, std::shared_ptr<const Knowledge> known, Parts chosen)
        : source(asked),
          knowledge(std::move(known)),
          choice(std::move(chosen.choice)),
          clock(*chosen.clock),
          parsers(std::move(chosen.parsers)),
          worker(1) {
        if (!parsers.empty()) return;
        parsers.push_back(rule_parser());
        parsers.push_back(fact_parser());
        if (chosen.model) parsers.push_back(trained_parser(std::move(chosen.model)));
    }

    /// Links the words and asks every parser. Blocking.
    Result<std::vector<Candidate>> propose(LinkedQuestion& question, const std::optional<EarlierQuestion>& earlier,
                                           const CancelToken& cancel) const {
        const std::string today = to_iso8601(clock.wall()).substr(0, 10);
        question = link(question.text, *knowledge, today);
        const auto named = with_named_times(question);
        if (named) question = link(named->question, *knowledge, today);
        if (const auto rated = with_named_rates(question, *knowledge)) question = link(*rated, *knowledge, today);
        std::vector<std::vector<Proposal>> lists;
        if (earlier && leans_on_earlier(question)) lists.push_back(follow_up(question, *earlier, *knowledge));
        std::optional<Error> problem;
        for (const auto& parser : parsers) {
            auto proposals = parser->propose(question, *knowledge, cancel);
            if (cancel.cancelled()) return fail(cancel.error());
            if (proposals) {
                if (parser->name() == kTrainedParser) correct_shares(*proposals, question, *knowledge);
                auto whole = parser->name() == kTrainedParser ? amended(*proposals, question, *knowledge)
                                                              : std::vector<Proposal>();
                lists.push_back(std::move(*proposals));
                if (!whole.empty()) lists.push_back(std::move(whole));
            } else {
                problem = std::move(proposals.error());
            }
        }
        if (problem && std::ranges::all_of(lists, &std::vector<Proposal>::empty)) return fail(*problem);
        auto candidates = written_candidates(std::move(lists), question, *knowledge);
        drop_odd_products(candidates, question, *knowledge);
        if (!named) return candidates;
        for (Candidate& candidate : candidates)
            std::ranges::copy(named->assumptions, std::back_inserter(candidate.proposal.assumptions));
        return candidates;
    }

    data::Source& source;
    const std::shared_ptr<const Knowledge> knowledge;
    const ChoiceModel choice;
    Clock& clock;
    std::vector<std::shared_ptr<const QuestionParser>> parsers;
    WorkerPool worker;  ///< last: its thread uses the rest
};

QuestionReader::QuestionReader(data::Source& source, std::shared_ptr<const Knowledge> knowledge, Parts parts)
    : inside_(std::make_unique<Inside>(source, std::move(knowledge), std::move(parts))) {}
QuestionReader::~QuestionReader() = default;

const Knowledge& QuestionReader::knowledge() const {
    return *inside_->knowledge;
}

Task<Result<Understanding>> QuestionReader::read(std::string question, std::optional<EarlierQuestion> earlier,
                                                 CancelToken cancel) {
    auto asked = checked_question(question);
    if (!asked) co_return fail(asked.error());
    Inside& inside = *inside_;
    LinkedQuestion linked{.text = std::move(*asked), .words = {}, .hits = {}, .links = {}};
    auto candidates = co_await inside.worker.run([&] { return inside.propose(linked, earlier, cancel); });
    if (!candidates) co_return fail(candidates.error());
    if (auto ran = co_await preview(inside.source, *candidates, cancel); !ran) co_return fail(ran.error());
    co_await inside.worker.run([&] { inside.choice.choose(linked, *inside.knowledge, *candidates); });
    trust_follow_up(*candidates);
    put_complete_first(*candidates, linked, *inside.knowledge);

    const Judge judge(inside.source, *inside.knowledge, inside.choice, cancel);
    co_return co_await judge.decide(std::move(linked), std::move(*candidates));
}

}  // namespace quaestor::native
