#include "native/reading/candidates.hpp"
#include "native/reading/form_profile.hpp"
#include "native/reading/left_out.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace quaestor::native {

namespace {

constexpr auto kWorthWords = std::to_array<std::string_view>(
    {"revenue", "turnover", "takings", "sales", "spent", "spend", "spending", "earnings", "income", "worth"});
constexpr auto kPriceNames = std::to_array<std::string_view>({"price", "cost", "fee", "charge", "amount", "rate"});

/// Of a link to a value that a name is at least a part of.
constexpr double kNameScore = 0.7;

bool says_worth(const LinkedQuestion& question) {
    const auto words = plain_words(question.text);
    return std::ranges::find_first_of(words, kWorthWords) != words.end();
}

class Products {
public:
    Products(const Candidate& candidate, const rules::SchemaView& view)
        : products_(profile_of(candidate.proposal.form, view.schema()).products), view_(view) {}

    [[nodiscard]] bool has_key() const {
        return std::ranges::any_of(products_, [this](const auto& product) {
            return view_.is_key(product.first) || view_.is_key(product.second);
        });
    }
    [[nodiscard]] bool are_worth() const {
        return !products_.empty() && std::ranges::all_of(products_, [this](const auto& product) {
            return is_price(product.first) || is_price(product.second);
        });
    }
    [[nodiscard]] bool empty() const { return products_.empty(); }

private:
    [[nodiscard]] bool is_price(ColumnId column) const {
        return std::ranges::any_of(kPriceNames, [&](std::string_view word) { return view_.has_word(column, word); });
    }

    std::vector<std::pair<ColumnId, ColumnId>> products_;
    const rules::SchemaView& view_;
};

/// "How much did Acme spend": a name, by its capital and by a value that it is a part of, that the candidate ignores.
bool leaves_out_name(const Candidate& candidate, const LinkedQuestion& question) {
    const auto is_used = [&](const Link& link) {
        const std::string_view said = question.span(link.first, link.last);
        return std::ranges::any_of(candidate.written.values, [&](const UsedValue& value) {
            return value.said.contains(said) || said.contains(value.said) || value.written.text == link.text;
        });
    };
    return std::ranges::any_of(question.links, [&](const Link& link) {
        const bool is_name = link.kind == LinkKind::value && link.first > 0 && link.score >= kNameScore &&
                             std::isupper(static_cast<unsigned char>(question.word(link.first).front())) != 0;
        return is_name && !is_used(link);
    });
}

bool differ_in_conditions_alone(Query left, Query right) {
    left.where = right.where = std::nullopt;
    left.tables = right.tables = {};
    return left == right;
}

}  // namespace

void put_complete_first(std::vector<Candidate>& candidates, const LinkedQuestion& question,
                        const Knowledge& knowledge) {
    const auto is_complete = [&](const Candidate& candidate) {
        return !leaves_out_something(candidate.proposal.form, question, knowledge) &&
               !leaves_out_name(candidate, question);
    };
    const auto complete = std::ranges::find_if(candidates, is_complete);
    if (complete == candidates.begin() || complete == candidates.end()) return;
    const Candidate& first = candidates.front();
    // What speaks for the incomplete one speaks for the same with what it left out.
    const bool is_same = differ_in_conditions_alone(first.proposal.form, complete->proposal.form);
    if (is_same) complete->probability = std::min(1.0, complete->probability + first.probability);
    std::rotate(candidates.begin(), complete, complete + 1);
}

void drop_odd_products(std::vector<Candidate>& candidates, const LinkedQuestion& question, const Knowledge& knowledge) {
    const rules::SchemaView view(knowledge);
    std::erase_if(candidates, [&view](const Candidate& candidate) { return Products(candidate, view).has_key(); });
    const auto is_worth = [&view](const Candidate& candidate) { return Products(candidate, view).are_worth(); };
    if (!says_worth(question) || std::ranges::none_of(candidates, is_worth)) return;
    std::erase_if(candidates, [&](const Candidate& candidate) {
        return !Products(candidate, view).empty() && !is_worth(candidate);
    });
}

}  // namespace quaestor::native
