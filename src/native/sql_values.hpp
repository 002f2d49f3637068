// The values of a logical form as SQL literals, by what they are compared with; and a note of each for the explanation.
// Private to native/.
// Threads: one for each statement.
#pragma once

#include "data/dialect.hpp"
#include "native/sql_writer.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quaestor::native {

class SqlValues {
public:
    SqlValues(const Schema& schema, data::Dialect dialect, const Spoken& spoken)
        : schema_(schema), dialect_(dialect), spoken_(spoken) {}

    /// A value that `compared` is compared with.
    std::string literal(const Value& value, const Expression& compared);
    /// The same where `compared` is a text that stands for an amount; inches for feet.
    std::string amount(const Value& value, const Expression& compared);
    [[nodiscard]] TextAmount amount_of(const Expression& expression) const;
    /// The text of a pattern that a column is matched with.
    std::string pattern(const Value& value, const Expression& matched);
    /// The number of rows that a value says, 1 when it says none.
    std::size_t row_count(const Value& value);
    /// From the first day of the first value to the day after the last day of the last: where a column of dates is
    /// compared with nothing but periods.
    struct Days {
        ColumnId column = 0;
        Period from;
        Period to;
    };
    std::optional<Days> days(const Expression& compared, std::span<const Side* const> sides);

    /// Whether an expression gives values of a column of dates, or of texts.
    [[nodiscard]] bool gives_dates(const Expression& expression) const;
    [[nodiscard]] bool gives_texts(const Expression& expression) const;

    [[nodiscard]] std::vector<UsedValue> take_used() { return std::move(used_); }

private:
    [[nodiscard]] std::string said(const Value& value) const;
    [[nodiscard]] bool is_flag(ColumnId column) const;
    [[nodiscard]] const SchemaColumn& column(ColumnId id) const {
        return schema_.columns()[static_cast<std::size_t>(id)];
    }
    std::string number_or_text(const std::string& text, ColumnId column);
    std::string truth(ColumnId column, const std::string& text);
    void note(const std::string& text, ColumnId column, Spelling written);

    const Schema& schema_;
    data::Dialect dialect_;
    const Spoken& spoken_;
    std::vector<UsedValue> used_;
};

}  // namespace quaestor::native
