#include "native/lower.hpp"
#include "native/sql_parser.hpp"
#include "native/sql_writer.hpp"
#include "native/unsupported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace quaestor::native {

namespace {

constexpr std::array<std::string_view, 13> kClauses{"JOIN", "ON",     "WHERE", "GROUP",     "ORDER", "LIMIT", "INNER",
                                                    "LEFT", "HAVING", "CROSS", "INTERSECT", "UNION", "EXCEPT"};

}  // namespace

SqlParser::Deeper::Deeper(SqlParser& parser) : parser_(parser) {
    if (++parser_.depth_ > kDepthMax) {
        --parser_.depth_;
        throw Unsupported{"a statement nested this deep"};
    }
}

std::string_view SqlParser::peek(std::size_t ahead) const {
    return at_ + ahead < tokens_.size() ? std::string_view(tokens_[at_ + ahead].key) : std::string_view();
}

SqlToken::Kind SqlParser::kind(std::size_t ahead) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].kind : SqlToken::Kind::sign;
}

Unsupported SqlParser::unexpected() const {
    if (at_ >= tokens_.size()) return {"a statement that ends too early"};
    return {fmt::format("\"{}\" where it stands", tokens_[at_].text)};
}

SqlToken SqlParser::take() {
    if (at_ >= tokens_.size()) throw unexpected();
    return tokens_[at_++];
}

bool SqlParser::eat(std::string_view key) {
    const bool is_there = peek() == key;
    if (is_there) ++at_;
    return is_there;
}

bool SqlParser::eat_all(std::string_view keys) {
    const std::size_t start = at_;
    while (!keys.empty()) {
        const std::size_t end = std::min(keys.find(' '), keys.size());
        if (!eat(keys.substr(0, end))) {
            at_ = start;
            return false;
        }
        keys.remove_prefix(std::min(end + 1, keys.size()));
    }
    return true;
}

void SqlParser::need(std::string_view keys) {
    if (!eat_all(keys)) throw unexpected();
}

std::optional<std::size_t> SqlParser::eat_one(std::initializer_list<std::string_view> keys) {
    const auto found = std::ranges::find(keys, peek());
    if (at_ >= tokens_.size() || found == keys.end()) return std::nullopt;
    ++at_;
    return static_cast<std::size_t>(found - keys.begin());
}

bool SqlParser::is_name(std::size_t ahead) const {
    if (at_ + ahead >= tokens_.size()) return false;
    return kind(ahead) == SqlToken::Kind::quoted || kind(ahead) == SqlToken::Kind::word;
}

Query SqlParser::statement() {
    Query whole = query();
    if (at_ != tokens_.size()) throw unexpected();
    return whole;
}

Query SqlParser::query() {
    const Deeper deeper(*this);
    Query first = core();
    if (const auto operation = eat_one({"INTERSECT", "UNION", "EXCEPT"})) {
        if (peek() == "ALL") throw Unsupported{"a set operation that keeps equal rows"};
        first.combined = Query::Combined{static_cast<SetOperation>(*operation), query()};
    }
    return first;
}

std::size_t SqlParser::from_position() const {
    int depth = 0;
    for (std::size_t at = at_; at < tokens_.size(); ++at) {
        const std::string& key = tokens_[at].key;
        depth += key == "(" ? 1 : key == ")" ? -1 : 0;
        if (depth == 0 && key == "FROM") return at;
    }
    throw Unsupported{"a query that reads no table"};
}

Query SqlParser::core() {
    need("SELECT");
    const std::size_t select = at_;
    at_ = from_position() + 1;
    if (peek() == "(") {
        at_ = select;
        return wrapped_query();
    }
    scopes_.emplace_back(schema_, naming_);
    result_aliases_.emplace_back();
    sources();
    scopes_.back().find_branches();
    const std::size_t after = std::exchange(at_, select);
    Query query;
    select_list(query);
    at_ = after;
    if (eat("WHERE")) query.where = condition();
    group_list(query);
    if (eat_all("ORDER BY")) order_list(query);
    limit(query);
    scopes_.back().check_joins(query);
    query.tables = scopes_.back().trunk();
    query.tables = extra_tables(schema_, query);
    scopes_.pop_back();
    result_aliases_.pop_back();
    return query;
}

/// The two queries within a query that the writer makes: a part of a set operation, and ranks with ties.
Query SqlParser::wrapped_query() {
    if (eat_all("* FROM (")) {
        Query inner = query();
        need(") AS PART");
        return inner;
    }
    std::size_t columns = 0;
    do {
        if (peek() != fmt::format("C{}", columns++)) throw Unsupported{"a query in FROM"};
        ++at_;
        if (eat("AS")) take();
    } while (eat(","));
    need("FROM (");
    return ranked_query(columns);
}

Query SqlParser::ranked_query(std::size_t columns) {
    Query inner = query();
    const bool is_ranked = inner.select.size() == columns && !inner.order.empty() && !inner.limit && !inner.combined;
    if (!is_ranked) throw Unsupported{"a query in FROM"};
    need(") AS RANKED WHERE PLACE <=");
    const SqlToken count = take();
    if (count.kind != SqlToken::Kind::number) throw Unsupported{"a limit that is no number"};
    need("ORDER BY PLACE");
    inner.limit = Limit{Limit::Kind::with_ties, Constant{count.text}};
    return inner;
}

void SqlParser::sources() {
    source();
    while (true) {
        if (peek() == "LEFT" || peek() == "RIGHT" || peek() == "FULL") {
            throw Unsupported{"a join that keeps rows without a partner"};
        }
        const bool is_inner = eat("INNER") || eat("CROSS");
        if (!eat("JOIN") && (is_inner || !eat(","))) return;
        source();
        if (!eat("ON")) continue;
        const bool is_open = eat("(");
        do {
            const auto equal = equality();
            if (is_open && eat("OR")) {
                scopes_.back().add_either(equal, equality());
            } else {
                scopes_.back().add_equality(equal.first, equal.second);
            }
        } while (eat("AND"));
        if (is_open) need(")");
    }
}

void SqlParser::source() {
    std::string name = take().text;
    std::string schema;
    if (eat(".")) schema = std::exchange(name, take().text);
    std::string alias;
    if (eat("AS") || (is_name() && std::ranges::find(kClauses, peek()) == kClauses.end())) alias = take().text;
    scopes_.back().add_table(table(schema, name), name, alias);
}

TableId SqlParser::table(std::string_view schema, std::string_view name) const {
    const auto& tables = schema_.tables();
    const auto is_it = [&](const SchemaTable& table) {
        return lower(table.name) == lower(name) && (schema.empty() || lower(table.schema) == lower(schema));
    };
    auto found =
        std::ranges::find_if(tables, [&](const SchemaTable& table) { return is_it(table) && table.schema.empty(); });
    if (found == tables.end()) found = std::ranges::find_if(tables, is_it);
    if (found == tables.end()) throw Unsupported{fmt::format("the table \"{}\", which is not there", name)};
    return static_cast<TableId>(found - tables.begin());
}

std::pair<SqlScope::Place, SqlScope::Place> SqlParser::equality() {
    const SqlScope::Place left = own_place();
    need("=");
    return {left, own_place()};
}

/// A column in ON.
SqlScope::Place SqlParser::own_place() {
    if (!is_name()) throw unexpected();
    const std::string name = take().text;
    SqlScope::Place place;
    if (eat(".")) {
        if (!scopes_.back().has_alias(name))
            throw Unsupported{fmt::format("the alias \"{}\", which is not there", name)};
        place = scopes_.back().find(name, take().text);
    } else {
        place = scopes_.back().find(name);
    }
    if (place.column == 0) throw Unsupported{"a join on a column that is not there"};
    return place;
}

void SqlParser::select_list(Query& query) {
    query.distinct = eat("DISTINCT");
    do {
        if (place_by_rank(query)) continue;
        query.select.push_back(item());
        const bool has_alias = eat("AS") || (is_name() && peek() != "FROM");
        if (has_alias) result_aliases_.back().insert_or_assign(lower(take().text), query.select.back());
    } while (eat(","));
    if (peek() != "FROM") throw unexpected();
}

/// The rank that the writer keeps ties by; false for a rank that is part of the result.
bool SqlParser::place_by_rank(Query& query) {
    const std::size_t start = at_;
    if (!eat_all("RANK ( ) OVER ( ORDER BY")) return false;
    Query ranked{.select = query.select};
    order_list(ranked);
    if (!eat_all(") AS PLACE")) {
        at_ = start;
        return false;
    }
    query.order = std::move(ranked.order);
    return true;
}

void SqlParser::group_list(Query& query) {
    if (!eat_all("GROUP BY")) return;
    do {
        query.group.push_back(item());
        const auto& node = query.group.back().node;
        if (!std::holds_alternative<ColumnRef>(node) && !std::holds_alternative<PartOf>(node)) {
            throw Unsupported{"a group by what is no column"};
        }
    } while (eat(","));
    if (eat("HAVING")) query.having = condition();
}

void SqlParser::order_list(Query& query) {
    do {
        OrderBy order{{ColumnRef{}}, false};
        std::size_t place = 0;
        if (kind() == SqlToken::Kind::number) {
            const std::string text = take().text;
            std::from_chars(text.data(), text.data() + text.size(), place);
            if (place == 0 || place > query.select.size()) throw Unsupported{"an order by a column that is not there"};
            order.by = query.select[place - 1];
        } else {
            order.by = item();
        }
        order.descending = eat_one({"ASC", "DESC"}) == std::size_t{1};
        if (eat("NULLS")) need("LAST");
        query.order.push_back(std::move(order));
    } while (eat(","));
}

void SqlParser::limit(Query& query) {
    if (!eat("LIMIT")) return;
    const SqlToken count = take();
    if (count.kind != SqlToken::Kind::number) throw Unsupported{"a limit that is no number"};
    query.limit = Limit{Limit::Kind::first, Constant{count.text}};
    if (!eat("OFFSET")) return;
    const std::string offset = take().text;
    std::size_t skipped = 0;
    const auto [end, error] = std::from_chars(offset.data(), offset.data() + offset.size(), skipped);
    if (error != std::errc() || count.text != "1") throw Unsupported{"an offset of more than one row"};
    query.limit = Limit{Limit::Kind::nth, Constant{std::to_string(skipped + 1)}};
}

Result<Query> read_sql(std::string_view sql, const Schema& schema) {
    // With as few keys named as possible: that is how the forms are written that people and parsers make.
    std::string problem;
    for (const auto naming : {SqlScope::Naming::rival_keys, SqlScope::Naming::rival_ways}) {
        try {
            return SqlParser(sql, schema, naming).statement();
        } catch (const Unsupported& found) {
            if (problem.empty()) problem = found.what;
        }
    }
    return fail(Code::unsupported, "this SQL cannot be read as a question's meaning: it has " + problem);
}

}  // namespace quaestor::native
