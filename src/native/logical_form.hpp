// A question's meaning: a query without FROM, JOIN and aliases. Columns are meant by identity; how their tables hang
// together is found through keys (joins.hpp). From it SQL is written, and SQL of this subset is read into it. Plain
// values. Threads: immutable once built.
#pragma once

#include "native/schema.hpp"
#include "native/spoken_values.hpp"
#include "native/units.hpp"

#include <boost/describe/enum.hpp>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace quaestor::native {

enum class Aggregate { count, sum, avg, min, max };
BOOST_DESCRIBE_ENUM(Aggregate, count, sum, avg, min, max)
enum class Arithmetic { plus, minus, divide, multiply, percent };  ///< percent: 100 × left / right
BOOST_DESCRIBE_ENUM(Arithmetic, plus, minus, divide, multiply, percent)
enum class Comparison { equal, unequal, greater, less, greater_equal, less_equal };
BOOST_DESCRIBE_ENUM(Comparison, equal, unequal, greater, less, greater_equal, less_equal)
enum class TextMatch { contains, starts_with, ends_with, like };
BOOST_DESCRIBE_ENUM(TextMatch, contains, starts_with, ends_with, like)
enum class WindowKind { running, previous, change, percent_change, rank };
BOOST_DESCRIBE_ENUM(WindowKind, running, previous, change, percent_change, rank)
enum class SetOperation { intersect, unite, except };
BOOST_DESCRIBE_ENUM(SetOperation, intersect, unite, except)

struct Query;
struct Expression;
struct Condition;

/// Owns a T on the heap and copies it: trees of values.
template <class T>
class Box {
public:
    Box(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT: stands for the value itself
    Box(const Box& other) : value_(std::make_unique<T>(*other.value_)) {}
    Box(Box&&) noexcept = default;
    Box& operator=(Box other) noexcept {
        value_ = std::move(other.value_);
        return *this;
    }
    [[nodiscard]] const T& operator*() const { return *value_; }
    [[nodiscard]] T& operator*() { return *value_; }
    [[nodiscard]] const T* operator->() const { return value_.get(); }
    [[nodiscard]] T* operator->() { return value_.get(); }
    friend bool operator==(const Box& left, const Box& right) { return *left == *right; }

private:
    std::unique_ptr<T> value_;
};

struct ColumnRef {
    ColumnId column = 0;  ///< 0: every row
    ColumnId via = 0;     ///< the foreign key column through which the table is reached; 0: the shortest way
    ColumnId or_via = 0;  ///< another key of the same row through which it may be reached as well: home or away
    friend bool operator==(const ColumnRef&, const ColumnRef&) = default;
};
/// Of rows with two ends, what belongs to the end at which another table's row stands: the points at home in rows
/// whose home team it is, else the points away.
struct OfEnd {
    ColumnRef end;        ///< the key of that table, reached through either end
    ColumnId first = 0;   ///< where `via` leads there
    ColumnId second = 0;  ///< where `or_via` does
    friend bool operator==(const OfEnd&, const OfEnd&) = default;
};
struct PartOf {
    DatePart part = DatePart::year;
    ColumnRef of;
    friend bool operator==(const PartOf&, const PartOf&) = default;
};
struct AggregateOf {
    Aggregate aggregate = Aggregate::count;
    bool distinct = false;
    Box<Expression> of;
    std::optional<Box<Condition>> filter;  ///< only rows that fit it
    bool operator==(const AggregateOf&) const;
};
struct Calculation {
    Arithmetic operation = Arithmetic::plus;
    Box<Expression> left;
    Box<Expression> right;
    bool operator==(const Calculation&) const;
};
struct Subquery {
    Box<Query> query;
    bool operator==(const Subquery&) const;
};
/// What a row says beside the others of the result. Of `of`: its sum up to this row, its value in the row before, the
/// change since that row (as it is, or in per cent of the value there), or its rank, equal values sharing one.
struct Window {
    WindowKind kind = WindowKind::running;
    Box<Expression> of;
    std::vector<Expression> along;   ///< time, the earliest first; a rank needs none
    std::vector<Expression> within;  ///< the rows with the same values go by themselves
    bool lowest_first = false;       ///< of a rank
    bool operator==(const Window&) const;
};
/// An amount in another unit than that of its column: centimetres as metres.
struct InUnit {
    Box<Expression> of;
    const UnitConversion* conversion = nullptr;  ///< one of units.hpp, never none
    bool operator==(const InUnit&) const;
};
struct Expression {
    std::variant<ColumnRef, PartOf, AggregateOf, Calculation, Subquery, Window, OfEnd, InUnit> node;
    bool operator==(const Expression&) const = default;
};

/// Words of the question, or a constant.
struct Words {
    std::size_t first = 0;
    std::size_t last = 0;
    friend bool operator==(const Words&, const Words&) = default;
};
struct Constant {
    std::string text;
    friend bool operator==(const Constant&, const Constant&) = default;
};
/// A column of the query around a sub-query.
struct OuterColumn {
    ColumnId column = 0;
    friend bool operator==(const OuterColumn&, const OuterColumn&) = default;
};
using Value = std::variant<Words, Constant>;
using Side = std::variant<Words, Constant, OuterColumn, Expression>;

struct Compare {
    Expression left;
    Comparison comparison = Comparison::equal;
    Side right;
    bool operator==(const Compare&) const = default;
};
struct Match {
    Expression left;
    TextMatch match = TextMatch::contains;
    bool negated = false;
    Value pattern;
    bool operator==(const Match&) const = default;
};
struct Among {
    Expression left;
    bool negated = false;
    std::variant<std::vector<Value>, Subquery> members;
    bool operator==(const Among&) const = default;
};
struct Between {
    Expression left;
    bool negated = false;
    Side low;
    Side high;
    bool operator==(const Between&) const = default;
};
struct IsNull {
    Expression left;
    bool negated = false;
    bool operator==(const IsNull&) const = default;
};
struct AllOf {
    std::vector<Condition> parts;
    bool operator==(const AllOf&) const;
};
struct AnyOf {
    std::vector<Condition> parts;
    bool operator==(const AnyOf&) const;
};
struct NotThat {
    Box<Condition> condition;
    bool operator==(const NotThat&) const;
};
struct Condition {
    std::variant<Compare, Match, Among, Between, IsNull, AllOf, AnyOf, NotThat> node;
    bool operator==(const Condition&) const = default;
};

struct OrderBy {
    Expression by;
    bool descending = false;
    bool operator==(const OrderBy&) const = default;
};
struct Limit {
    enum class Kind { first, with_ties, nth } kind = Kind::first;
    Value count;
    bool operator==(const Limit&) const = default;
};

struct Query {
    std::vector<Expression> select;
    bool distinct = false;
    std::vector<TableId> tables;  ///< those that no column brings along
    std::optional<Condition> where;
    std::vector<Expression> group;
    std::optional<Condition> having;
    std::vector<OrderBy> order;
    std::optional<Limit> limit;
    struct Combined {
        SetOperation operation = SetOperation::unite;
        Box<Query> with;
        bool operator==(const Combined&) const = default;
    };
    std::optional<Combined> combined;
    bool operator==(const Query&) const = default;
};

/// Of this level, in writing order; sub-queries are levels of their own.
[[nodiscard]] std::vector<ColumnRef> columns_in(const Query& query);

}  // namespace quaestor::native
