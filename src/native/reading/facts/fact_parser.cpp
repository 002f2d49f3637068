#include "native/reading/facts/fact_query.hpp"
#include "native/reading/parser.hpp"

#include <algorithm>

namespace quaestor::native {

namespace {

constexpr std::size_t kFactProposalsMax = 5;
/// Readings that leave more out are no readings.
constexpr double kWorstFact = -3;

class FactParser final : public QuestionParser {
public:
    [[nodiscard]] std::string_view name() const override { return kFactParser; }

    [[nodiscard]] Result<std::vector<Proposal>> propose(const LinkedQuestion& question, const Knowledge& knowledge,
                                                        const CancelToken& cancel) const override {
        const rules::SchemaView view(knowledge);
        const facts::Names names(view, question);
        const facts::Mentions mentions = facts::mentions_of(question, names, view);
        std::vector<Proposal> proposals;
        for (std::size_t table = 0; table < view.schema().tables().size(); ++table) {
            if (cancel.cancelled()) return std::unexpected(cancel.error());
            auto reading = facts::FactQuery(static_cast<TableId>(table), view, names, mentions).reading();
            if (!reading || reading->score < kWorstFact) continue;
            proposals.push_back({std::move(reading->form), std::min(reading->score, 0.0), kFactParser,
                                 std::string(reading->rule), std::move(reading->assumptions)});
        }
        std::ranges::sort(proposals, std::greater(), &Proposal::score);
        if (proposals.size() > kFactProposalsMax) proposals.resize(kFactProposalsMax);
        return proposals;
    }
};

}  // namespace

std::unique_ptr<QuestionParser> fact_parser() {
    return std::make_unique<FactParser>();
}

}  // namespace quaestor::native
