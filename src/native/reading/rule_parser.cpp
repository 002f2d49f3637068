#include "native/joins.hpp"
#include "native/reading/parser.hpp"
#include "native/reading/rules/assembly.hpp"
#include "native/reading/rules/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace quaestor::native {

namespace {

constexpr std::size_t kRuleProposalsMax = 8;
/// What a word that nothing was made of costs, a table joined, a query within the query, a thing taken for granted.
constexpr double kLeftOutCost = 1.4;
constexpr double kJoinCost = 0.12;
constexpr double kNestedCost = 0.1;
constexpr double kAssumptionCost = 0.05;
/// Beyond this a reading is worse than none.
constexpr double kWorstScore = -4;

double cost_of_joins(const Query& query, const Schema& schema) {
    const auto plan = join_plan(schema, columns_in(query), query.tables);
    if (!plan) return -kWorstScore;
    const bool is_loose =
        std::ranges::any_of(*plan, [](const JoinStep& step) { return step.there.has_value() && !step.on.has_value(); });
    return is_loose ? -kWorstScore : kJoinCost * static_cast<double>(plan->size() - 1);
}

std::size_t parts_of(const std::optional<Condition>& condition) {
    if (!condition) return 0;
    const auto* all = std::get_if<AllOf>(&condition->node);
    return all != nullptr ? all->parts.size() : 1;
}

class RuleParser final : public QuestionParser {
public:
    [[nodiscard]] std::string_view name() const override { return kRuleParser; }

    [[nodiscard]] Result<std::vector<Proposal>> propose(const LinkedQuestion& question, const Knowledge& knowledge,
                                                        const CancelToken& cancel) const override {
        const rules::SchemaView view(knowledge);
        std::vector<Proposal> proposals;
        for (const rules::TokenReading& reading : rules::readings_of(rules::units_of(question))) {
            if (cancel.cancelled()) return std::unexpected(cancel.error());
            const auto frame = rules::Walk(reading.tokens, view).frame();
            if (!frame) continue;
            for (rules::Draft& draft : rules::drafts_of(*frame, view, question)) {
                add(proposals, std::move(draft), reading.score, *frame, question, view.schema());
            }
        }
        std::ranges::sort(proposals, std::greater(), &Proposal::score);
        if (proposals.size() > kRuleProposalsMax) proposals.resize(kRuleProposalsMax);
        return proposals;
    }

private:
    static void add(std::vector<Proposal>& proposals, rules::Draft draft, double reading_score,
                    const rules::Frame& frame, const LinkedQuestion& question, const Schema& schema) {
        const auto left_out = static_cast<double>(frame.left_out.size());
        const double score = reading_score - draft.cost - kLeftOutCost * left_out - cost_of_joins(draft.form, schema) -
                             kNestedCost * static_cast<double>(parts_of(draft.form.where)) -
                             kAssumptionCost * static_cast<double>(draft.assumptions.size());
        if (score <= kWorstScore) return;
        for (const rules::Token& token : frame.left_out) {
            draft.assumptions.push_back(fmt::format("\"{}\" is left out", question.span(token.first, token.last)));
        }
        const auto same =
            std::ranges::find_if(proposals, [&draft](const Proposal& one) { return one.form == draft.form; });
        Proposal proposal{std::move(draft.form), std::min(score, 0.0), kRuleParser, std::string(draft.rule),
                          std::move(draft.assumptions)};
        if (same == proposals.end()) {
            proposals.push_back(std::move(proposal));
        } else if (same->score < proposal.score) {
            *same = std::move(proposal);
        }
    }
};

}  // namespace

std::unique_ptr<QuestionParser> rule_parser() {
    return std::make_unique<RuleParser>();
}

}  // namespace quaestor::native
