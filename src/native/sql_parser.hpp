// The reader of one SQL statement. sql_reader.cpp reads its SELECTs, sql_read_terms.cpp the expressions and
// sql_read_tests.cpp the conditions in them. Throws Unsupported.
// Private to native/. Threads: one for each statement.
#pragma once

#include "native/logical_form.hpp"
#include "native/sql_lexer.hpp"
#include "native/sql_scope.hpp"
#include "native/unsupported.hpp"

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

class SqlParser {
public:
    SqlParser(std::string_view sql, const Schema& schema, SqlScope::Naming naming)
        : tokens_(sql_tokens(sql)), schema_(schema), naming_(naming) {}

    /// All of it.
    Query statement();

private:
    /// How deep brackets and queries may be nested.
    static constexpr int kDepthMax = 50;
    class Deeper;

    [[nodiscard]] std::string_view peek(std::size_t ahead = 0) const;
    [[nodiscard]] SqlToken::Kind kind(std::size_t ahead = 0) const;
    SqlToken take();
    bool eat(std::string_view key);
    /// Several tokens in a row, parted by spaces; all or none.
    bool eat_all(std::string_view keys);
    void need(std::string_view keys);
    /// The first of `keys` that comes next, by its place; nothing when none does.
    std::optional<std::size_t> eat_one(std::initializer_list<std::string_view> keys);
    [[nodiscard]] bool is_name(std::size_t ahead = 0) const;
    [[nodiscard]] Unsupported unexpected() const;

    // Queries
    Query query();
    Query core();
    Query wrapped_query();
    Query ranked_query(std::size_t columns);
    [[nodiscard]] std::size_t from_position() const;
    void sources();
    void source();
    TableId table(std::string_view schema, std::string_view name) const;
    std::pair<SqlScope::Place, SqlScope::Place> equality();
    SqlScope::Place own_place();
    void select_list(Query& query);
    void group_list(Query& query);
    void order_list(Query& query);
    void limit(Query& query);
    bool place_by_rank(Query& query);

    // Expressions
    Expression item();
    Expression product();
    bool scale(std::optional<Arithmetic>& scaled);
    std::optional<Expression> in_unit(const Expression& amount, Arithmetic operation);
    Expression operand();
    std::optional<Expression> date_part();
    std::optional<Expression> transparent_call();
    std::optional<Expression> feet_and_inches();
    std::optional<Expression> aggregate();
    std::optional<Expression> window();
    Expression rank_window();
    std::vector<Expression> parted();
    [[nodiscard]] bool is_over_after_bracket() const;
    std::optional<Expression> cast();
    std::optional<Expression> choice_of_end();
    /// A column of this query or of the one around it.
    std::variant<ColumnRef, OuterColumn> reference();
    ColumnRef column();
    std::optional<Expression> alias();

    // Conditions
    Condition condition();
    [[nodiscard]] bool opens_condition() const;
    Condition term();
    Condition test(Expression left);
    Condition match(Expression left, bool negated);
    Condition among(Expression left, bool negated);
    std::optional<Constant> literal();
    Side side();
    Subquery subquery();

    std::vector<SqlToken> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
    const Schema& schema_;
    SqlScope::Naming naming_;
    std::vector<SqlScope> scopes_;
    std::vector<std::map<std::string, Expression>> result_aliases_;  ///< of each scope, in lower case
};

/// Counts the nesting while it lives.
class SqlParser::Deeper {
public:
    explicit Deeper(SqlParser& parser);
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

private:
    SqlParser& parser_;
};

}  // namespace quaestor::native
