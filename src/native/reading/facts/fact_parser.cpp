#include "native/reading/facts/nesting.hpp"
#include "native/reading/parser.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::native {

namespace {

constexpr std::size_t kFactProposalsMax = 6;
/// Whether the figure is wanted beside the name is rarely said.
constexpr double kNoFigure = 0.3;
/// Readings that leave more out are no readings.
constexpr double kWorstFact = -3;

/// The same without the figure that rows are ordered by or compared in; nothing where only figures are shown, or none.
std::optional<Query> names_alone(const Query& form) {
    Query names = form;
    std::vector<Expression> figures;
    for (const OrderBy& order : form.order) figures.push_back(order.by);
    const auto add_compared = [&figures](const Condition& condition) {
        const auto* compare = std::get_if<Compare>(&condition.node);
        if (compare != nullptr && !std::holds_alternative<Words>(compare->right)) figures.push_back(compare->left);
    };
    if (form.where) {
        add_compared(*form.where);
        if (const auto* all = std::get_if<AllOf>(&form.where->node)) std::ranges::for_each(all->parts, add_compared);
    }
    std::erase_if(names.select, [&](const Expression& one) {
        return std::ranges::find(figures, one) != figures.end() &&
               std::ranges::find(form.group, one) == form.group.end();
    });
    const bool is_other = names.select.size() < form.select.size() && !names.select.empty();
    return is_other ? std::optional(std::move(names)) : std::nullopt;
}

void add(facts::FactReading reading, std::vector<Proposal>& proposals) {
    if (reading.score < kWorstFact) return;
    const double score = std::min(reading.score, 0.0);
    if (auto alone = names_alone(reading.form)) {
        proposals.push_back({std::move(*alone), score - kNoFigure, kFactParser,
                             fmt::format("{}{}", reading.rule, kNamesAloneRule), reading.assumptions});
    }
    proposals.push_back(
        {std::move(reading.form), score, kFactParser, std::string(reading.rule), std::move(reading.assumptions)});
}

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
            if (reading) add(std::move(*reading), proposals);
        }
        for (auto& reading : facts::nested_readings(question, names, mentions, view)) {
            add(std::move(reading), proposals);
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
