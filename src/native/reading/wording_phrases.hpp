// Phrases of English for the parts of a logical form. A new kind of expression needs one overload of term().
// Private to native/.
// Threads: one for each phrase that is made.
#pragma once

#include "native/logical_form.hpp"
#include "native/reading/wording_names.hpp"
#include "native/sql_writer.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// Conditions and sub-queries inside each other that are still put into words.
inline constexpr std::size_t kWordingDepthMax = 12;

class Phrases {
public:
    Phrases(const Schema& schema, const Spoken& spoken) : names_(schema), spoken_(spoken) {}

    [[nodiscard]] std::string query(const Query& query);
    /// "singer": what a row stands for, before it is grouped.
    [[nodiscard]] std::string subject(const Query& query) const;
    /// "singers whose country is "France"".
    [[nodiscard]] std::string filtered_subjects(const Query& query);
    /// One of the selected expressions without an article: "number of singers", "average age".
    [[nodiscard]] std::string measure(const Query& query, const Expression& expression);
    /// What the first row has by the order: "highest age", "2nd most concerts".
    [[nodiscard]] std::string leading(const Query& query);
    /// "the 3 singers with the highest age", of a form with one order and a limit.
    [[nodiscard]] std::string leaders(const Query& query);
    /// What a group of the form is: "country", "singer".
    [[nodiscard]] std::string group_noun(const Query& query);

private:
    // wording.cpp: whole queries.
    [[nodiscard]] std::string single(const Query& query);
    [[nodiscard]] std::string listing(const Query& query);
    [[nodiscard]] std::string different(const Query& query);
    [[nodiscard]] std::string totals(const Query& query);
    [[nodiscard]] std::string grouped(const Query& query);
    [[nodiscard]] std::string selected_of_group(const Query& query, const std::vector<const Expression*>& others);
    [[nodiscard]] std::string group_keys(const Query& query, bool& are_hidden);
    [[nodiscard]] std::string selected(const std::vector<const Expression*>& select);
    [[nodiscard]] std::string subjects_with(const std::optional<Condition>& where);
    [[nodiscard]] std::string needed_tables() const;
    [[nodiscard]] std::string order_and_limit(const Query& query, bool is_order_clear);
    [[nodiscard]] std::string superlative(const Query& query, const std::string& noun);
    [[nodiscard]] std::string most(const OrderBy& order, std::size_t place);
    [[nodiscard]] std::string direction(const OrderBy& order) const;
    [[nodiscard]] std::size_t row_count(const Value& value) const;

    // wording_terms.cpp: expressions, without an article, and with one.
    [[nodiscard]] std::string term(const Expression& expression);
    [[nodiscard]] std::string term(const ColumnRef& ref);
    [[nodiscard]] std::string term(const PartOf& part);
    [[nodiscard]] std::string term(const AggregateOf& aggregate);
    [[nodiscard]] std::string term(const Calculation& calculation);
    [[nodiscard]] std::string term(const Subquery& sub);
    [[nodiscard]] std::string term(const Window& window);
    [[nodiscard]] std::string term(const OfEnd& of_end);
    [[nodiscard]] std::string term(const InUnit& in_unit);
    [[nodiscard]] std::string the(const Expression& expression);
    [[nodiscard]] std::string operand(const Expression& expression);
    [[nodiscard]] std::string count_term(const AggregateOf& aggregate);
    [[nodiscard]] bool is_date(const Expression& expression) const;
    [[nodiscard]] ColumnKind kind_of(const Expression& expression) const;

    // wording_conditions.cpp: "whose country is "France"", "without any concert".
    [[nodiscard]] std::string clause(const Condition& condition);
    [[nodiscard]] bool fits_whose(const Condition& condition) const;
    struct Membership {
        bool negated = false;
        const Query* inner = nullptr;
        RowSubject subject{};
        const Compare* count = nullptr;  ///< of how many there must be
        std::string as{};                ///< " as white player"
    };
    [[nodiscard]] std::optional<Membership> membership(const Condition& condition) const;
    [[nodiscard]] std::string members(const Membership& membership);
    [[nodiscard]] std::optional<std::string> truth_clause(const Compare& compare) const;
    [[nodiscard]] std::string test(const Condition& condition, bool with_article);
    [[nodiscard]] std::string test(const Compare& compare, bool with_article);
    [[nodiscard]] std::string test(const Match& match, bool with_article);
    [[nodiscard]] std::string test(const Among& among, bool with_article);
    [[nodiscard]] std::optional<std::string> row_test(const Among& among, bool with_article);
    [[nodiscard]] std::string test(const Between& between, bool with_article);
    [[nodiscard]] std::string test(const IsNull& null, bool with_article);
    [[nodiscard]] std::string test(const AllOf& all, bool with_article);
    [[nodiscard]] std::string test(const AnyOf& any, bool with_article);
    [[nodiscard]] std::string test(const NotThat& negation, bool with_article);
    [[nodiscard]] std::string joined(const std::vector<Condition>& parts, std::string_view joiner, bool with_article);
    [[nodiscard]] std::string left_side(const Expression& left, bool with_article);
    [[nodiscard]] std::string compared(const Expression& left, Comparison comparison, const Side& right);
    [[nodiscard]] std::string side(const Side& side, const Expression& left);

    // wording_values.cpp
    [[nodiscard]] std::string said(const Value& value) const;
    [[nodiscard]] std::string value(const Value& value, const Expression& compared) const;

    [[nodiscard]] const RowSubject& about() const { return levels_.back(); }
    [[nodiscard]] std::string noun() const { return names_.noun(about()); }

    WordingNames names_;
    const Spoken& spoken_;
    std::vector<RowSubject> levels_;
    std::size_t depth_ = 0;
};

/// The column whose values an expression gives, also as the lowest or highest of them; 0 when it calculates.
[[nodiscard]] ColumnId column_of(const Expression& expression);
[[nodiscard]] bool has_aggregate(const Expression& expression);
/// Whether it counts rows, all of them.
[[nodiscard]] bool counts_rows(const Expression& expression);
/// The words of the question that a value stands for, or its text.
[[nodiscard]] std::string said_text(const Value& value, const Spoken& spoken);

}  // namespace quaestor::native
