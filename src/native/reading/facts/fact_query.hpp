// One reading of a question as a query over a table of facts: rows of that table, or groups of them, with what they
// belong to. Private to the fact reader.
// Threads: one for each reading.
#pragma once

#include "native/reading/facts/mentions.hpp"
#include "native/reading/facts/names.hpp"
#include "native/reading/facts/two_ends.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native::facts {

/// Columns that one question asks for.
inline constexpr std::size_t kColumnsMax = 4;

/// Tables between the table of facts and what it is asked about, and what each step costs.
inline constexpr int kFactStepsMax = 2;
inline constexpr double kFactStep = 0.06;
/// Adding up or averaging where nobody said so.
inline constexpr double kSilentAggregate = 0.35;
/// What a column of another table costs.
inline constexpr double kOtherTable = 0.06;

/// A column that the question names, as it is reached from the table of facts.
struct ChosenColumn {
    ColumnRef ref;
    double score = 0;
    std::vector<std::size_t> words;
    ColumnRef times{};  ///< by which it is multiplied: a price by a quantity
};

struct FactReading {
    Query form;
    double score = 0;
    std::string_view rule;
    std::vector<std::string> assumptions{};
};

/// The rows that a part of a question describes.
struct KeyReading {
    DescribedMention described;
    double score = 0;
};

class FactQuery {
public:
    FactQuery(TableId root, const rules::SchemaView& view, const Names& names, const Mentions& mentions)
        : root_(root),
          view_(view),
          names_(names),
          said_(mentions),
          ends_(TwoEnds::of(view, root)),
          taken_(mentions.taken),
          explained_(mentions.explained) {}

    /// Nothing when the table does not have what is said.
    [[nodiscard]] std::optional<FactReading> reading();
    /// The same as the keys of what is asked for; nothing where no rows of a table are. Instead of reading().
    [[nodiscard]] std::optional<KeyReading> key_reading();

private:
    // fact_query.cpp: what of the question this table can hold
    [[nodiscard]] std::optional<ColumnRef> reached(ColumnId column) const;
    [[nodiscard]] ColumnId role_said(const std::vector<ColumnId>& keys) const;
    [[nodiscard]] bool is_role_said(ColumnId key) const;
    [[nodiscard]] bool names_a_reached_table(std::size_t word) const;

    // fact_ends.cpp: rows with two ends
    void choose_end();
    [[nodiscard]] ColumnId at_chosen_end(ColumnId column) const;
    [[nodiscard]] bool is_of_wrong_end(ColumnId column) const;
    [[nodiscard]] std::string_view unsaid_word(ColumnId column) const;
    [[nodiscard]] Expression of_row(const ColumnRef& ref) const;
    [[nodiscard]] Expression in_unit_said(const ColumnRef& ref) const;
    [[nodiscard]] Expression of_opponent(const ColumnRef& ref) const;
    void add_outcome();

    // fact_described.cpp: rows that are said by a question of their own
    bool add_described();
    [[nodiscard]] std::optional<ColumnRef> key_to(TableId table) const;
    [[nodiscard]] bool shares_time() const;
    [[nodiscard]] bool has_time() const { return said_.time && (!said_.shares_time || shares_time()); }

    // fact_times.cpp: when
    bool add_time();
    [[nodiscard]] std::optional<ColumnRef> time_column() const;
    [[nodiscard]] double time_rank(ColumnId column) const;
    [[nodiscard]] std::optional<Condition> time_condition(const ColumnRef& column, const TimeMention& time) const;
    [[nodiscard]] std::optional<Condition> season_condition(const ColumnRef& column, const TimeMention& time) const;

    // fact_query.cpp, fact_columns.cpp: what of the question this table can hold
    void choose_entity();
    void choose_place();
    void choose_worth();
    [[nodiscard]] ColumnRef price_of_what_is_sold() const;
    [[nodiscard]] bool is_kind_asked() const;
    [[nodiscard]] double entity_score(TableId table) const;
    [[nodiscard]] bool is_people(TableId table) const;
    bool add_unknown();
    void choose_columns();
    void choose_asked(std::vector<bool>& used);
    void explain_by_key();
    [[nodiscard]] std::optional<ChosenColumn> best_column(const std::vector<bool>& used) const;
    [[nodiscard]] double score() const;

    // fact_conditions.cpp, fact_numbers.cpp: what rows must be like
    bool add_values();
    bool add_value(const ValueMention& value);
    bool add_same_column(const ValueMention::Meaning& meaning, const ColumnRef& ref);
    [[nodiscard]] bool said_again(const Side& before, const Value& value) const;
    void add_pair();
    void add_either();
    [[nodiscard]] std::vector<ColumnId> key_pair(TableId table) const;
    [[nodiscard]] ColumnId first_of_pair(const std::vector<ColumnId>& keys, const ValueMention& first,
                                         const ValueMention& second) const;
    [[nodiscard]] bool are_compared(const ValueMention& first, const ValueMention& second) const;
    void take_tests();
    [[nodiscard]] bool happened(const ChosenColumn& column) const;
    void add_missing();
    void add_present();
    bool add_ordinals();
    bool add_numbers();
    [[nodiscard]] std::optional<Condition> margin(const NumberMention& number) const;
    bool add_average();

    // fact_shapes.cpp, fact_orders.cpp: what is asked of it
    bool shape();
    bool grouped();
    bool over_time();
    bool whole_rows();
    void show_time();
    bool ordered();
    bool order_by_count(const ChosenColumn* asked);
    void order_by(const ChosenColumn& key, const ChosenColumn* asked);
    bool last_of_time();
    bool counted();
    bool listed();
    bool repeated();
    bool never();
    bool ranked();
    bool when_at_last();
    void choose_whose_rows();
    [[nodiscard]] bool asks_for_several() const;
    [[nodiscard]] bool is_row_for_each() const;
    [[nodiscard]] bool is_fixed(ColumnId key) const;
    [[nodiscard]] bool is_row_of(std::size_t word) const;
    [[nodiscard]] bool is_rate(ColumnId column) const;
    [[nodiscard]] bool is_amount(const ColumnRef& ref) const;
    [[nodiscard]] Expression measured(const ChosenColumn& column, bool is_grouped) const;
    [[nodiscard]] std::vector<Expression> labels() const;
    [[nodiscard]] bool is_lower_better(ColumnId column) const;
    [[nodiscard]] bool is_ranking(ColumnId column) const;
    [[nodiscard]] bool are_names_shared() const;
    [[nodiscard]] bool is_descending(ColumnId column) const;
    void add_where();

    // fact_ratios.cpp: shares, differences, so many for each
    bool record();
    void choose_record();
    bool share();
    [[nodiscard]] std::vector<Condition>::iterator share_part();
    bool share_of_measure();
    bool difference();
    bool difference_of_values();
    bool difference_of_times();
    bool difference_of_ends();
    [[nodiscard]] Expression difference_of(Condition first, Condition second) const;
    bool per_row_of_table();

    TableId root_;
    const rules::SchemaView& view_;
    const Names& names_;
    const Mentions& said_;
    std::optional<TwoEnds> ends_;
    bool is_either_ = false;      ///< an end was not said: what stands at either is meant
    bool is_second_end_ = false;  ///< the second one was said
    std::vector<bool> taken_;
    std::vector<bool> explained_;

    Query query_;
    std::vector<Condition> where_;
    std::vector<TableId> fixed_;               ///< tables of which a value says the row
    std::vector<ColumnId> tested_;             ///< columns that are compared with values
    std::vector<TableId> several_;             ///< tables of which several rows are named
    ColumnId named_by_ = 0;                    ///< the column by which they are
    std::vector<const ValueMention*> paired_;  ///< values that stand for the two ends of a row
    TableId entity_ = -1;                      ///< what is asked for: its rows by their names
    std::optional<ColumnRef> time_;            ///< the column that says when
    bool is_time_fixed_ = false;
    bool is_root_said_ = false;
    bool is_apart_ = false;              ///< rows of the table are only looked at in a query of their own
    std::vector<ChosenColumn> columns_;  ///< measures and attributes
    std::string_view rule_;
    std::vector<std::string> assumptions_;
    double cost_ = 0;
};

}  // namespace quaestor::native::facts
