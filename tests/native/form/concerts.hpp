// A small schema with every kind of column, for tests that look at single statements, and ways to write forms short.
// Threads: plain functions.
#pragma once

#include "native/form_tokens.hpp"
#include "native/sql_writer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace quaestor::native {

// Columns of concerts().
inline constexpr ColumnId kSingerId = 1;
inline constexpr ColumnId kSingerName = 2;
inline constexpr ColumnId kCountry = 3;
inline constexpr ColumnId kAge = 4;
inline constexpr ColumnId kIsAlive = 5;
inline constexpr ColumnId kBorn = 6;
inline constexpr ColumnId kConcertId = 7;
inline constexpr ColumnId kConcertSinger = 8;
inline constexpr ColumnId kConcertName = 9;
inline constexpr ColumnId kHeld = 10;
inline constexpr ColumnId kVisitors = 11;
inline constexpr ColumnId kNotedOn = 12;

inline Schema concerts() {
    return {{{"", "singer", "singer"}, {"live", "concert", "concert"}},
            {{.name = "*", .words = "*"},
             {0, "id", "id", ColumnKind::number, true, false},
             {0, "name", "name", ColumnKind::text, false, false},
             {0, "country", "country", ColumnKind::text, false, false},
             {0, "age", "age", ColumnKind::number, false, false},
             {0, "is_alive", "is alive", ColumnKind::boolean, false, false},
             {0, "born", "born", ColumnKind::number, false, false},
             {1, "id", "id", ColumnKind::number, true, false},
             {1, "singer_id", "singer id", ColumnKind::number, false, false},
             {1, "name", "name", ColumnKind::text, false, false},
             {1, "held", "held", ColumnKind::time, false, true},
             {1, "visitors", "visitors", ColumnKind::number, false, false},
             {1, "noted_on", "noted on", ColumnKind::text, false, true}},
            {{kConcertSinger, kSingerId}}};
}

inline Expression column(ColumnId id) {
    return {ColumnRef{id, 0}};
}

inline Expression aggregate(Aggregate name, Expression of, bool distinct = false) {
    return {AggregateOf{name, distinct, std::move(of), std::nullopt}};
}

inline Expression count_rows() {
    return aggregate(Aggregate::count, column(0));
}

inline Condition compare(ColumnId id, Comparison comparison, std::string value) {
    return {Compare{column(id), comparison, Constant{std::move(value)}}};
}

inline Result<WrittenSql> written(const Query& query, data::Dialect dialect, const Schema& schema = concerts(),
                                  const ValueIndex* values = nullptr) {
    const std::vector<WordSpan> no_words;
    return write_sql(query, schema, dialect, {"", no_words, values});
}

inline std::string sql_of(const Query& query, data::Dialect dialect, const Schema& schema = concerts()) {
    const auto sql = written(query, dialect, schema);
    EXPECT_TRUE(sql) << sql.error().describe();
    return sql ? sql->sql : "";
}

}  // namespace quaestor::native
