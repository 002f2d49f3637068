#include "data/duckdb/parser.hpp"

#include "base/text.hpp"
#include "data/duckdb/handle.hpp"
#include "data/duckdb/serializer.hpp"
#include "data/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace quaestor::data {

namespace {

/// A level of SQL takes a few levels of its tree.
constexpr std::size_t kTreeDepthMax = 5 * kSqlDepthMax;
constexpr std::size_t kTreeBytesMax = std::size_t{16} << 20;

/// DuckDB's parser copies the queries of CTEs again and again, and nothing can stop it while it does; about so many
/// copies of a token take half a second.
constexpr double kCopiesMax = 500'000;

/// The parsers that nobody uses at the moment.
class ParserPool {
public:
    Result<SqlSerializer> take() {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            SqlSerializer parser = std::move(idle_.back());
            idle_.pop_back();
            return parser;
        }
        if (!database_) {
            auto opened = duck::Database::open(":memory:", {{"threads", "1"},
                                                            {"memory_limit", "256MB"},
                                                            {"temp_directory", ""},
                                                            {"enable_external_access", "false"},
                                                            {"lock_configuration", "true"}});
            if (!opened) return fail(opened.error());
            if (auto prepared = SqlSerializer::prepare(*opened); !prepared) return fail(prepared.error());
            database_ = std::make_unique<duck::Database>(std::move(*opened));
        }
        return SqlSerializer::make(*database_);
    }

    void put_back(SqlSerializer parser) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(parser));
    }

private:
    std::mutex mutex_;
    std::unique_ptr<duck::Database> database_;
    std::vector<SqlSerializer> idle_;
};

ParserPool& parsers() {
    static ParserPool pool;
    return pool;
}

bool is_word(const SqlToken& token, std::string_view word) {
    const auto is_same = [](char left, char right) { return (left | 0x20) == right; };
    return token.kind == SqlToken::Kind::word && std::ranges::equal(token.text, word, is_same);
}

/// Estimates what the parser copies. Each query of a WITH is copied once for each CTE beside it and a few times more,
/// with all that is nested in it, and those of materialised CTEs for each pair of them.
class CopyEstimate {
public:
    [[nodiscard]] double of(const std::vector<SqlToken>& tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (is_word(tokens[i], "with")) withs_.push_back({.depth = depth_});
            if (tokens[i].text == "(") open(tokens, i);
            if (tokens[i].text == ")") close();
            add(1);
        }
        depth_ = -1;
        leave();
        return total_;
    }

private:
    struct With {
        int depth = 0;
        double ctes = 0;
        bool is_materialized = false;
        bool in_cte = false;
        double copied = 0;     ///< in its CTEs
        double remaining = 0;  ///< in the query behind them

        [[nodiscard]] double sum() const {
            constexpr double kCopiesOfOne = 3;
            const double times = is_materialized ? ctes * ctes : ctes;
            return copied * (times + kCopiesOfOne) + remaining;
        }
    };

    void add(double copies) {
        if (withs_.empty()) {
            total_ += copies;
        } else {
            (withs_.back().in_cte ? withs_.back().copied : withs_.back().remaining) += copies;
        }
    }

    /// `name AS (`, `name AS MATERIALIZED (`, `name AS NOT MATERIALIZED (`
    void open(const std::vector<SqlToken>& tokens, std::size_t at) {
        const bool is_materialized = at > 0 && is_word(tokens[at - 1], "materialized");
        std::size_t as = is_materialized ? at - 1 : at;
        if (is_materialized && as > 0 && is_word(tokens[as - 1], "not")) --as;
        if (as > 0 && is_word(tokens[as - 1], "as") && !withs_.empty() && withs_.back().depth == depth_) {
            withs_.back().ctes += 1;
            withs_.back().is_materialized |= is_materialized;
            withs_.back().in_cte = true;
        }
        ++depth_;
    }

    void close() {
        --depth_;
        leave();
        if (!withs_.empty() && withs_.back().depth == depth_) withs_.back().in_cte = false;
    }

    /// Ends the WITHs of the brackets that have been closed.
    void leave() {
        while (!withs_.empty() && withs_.back().depth > depth_) {
            const double sum = withs_.back().sum();
            withs_.pop_back();
            add(sum);
        }
    }

    std::vector<With> withs_;
    int depth_ = 0;
    double total_ = 0;
};

std::unexpected<Error> too_much() {
    return fail(Code::limit_exceeded,
                fmt::format("the statement is nested too deeply, or too large; {} levels are looked at", kSqlDepthMax),
                "ask for less at once");
}

Result<json::value> read_tree(std::string_view text, json::storage_ptr memory) {
    if (text.size() > kTreeBytesMax) return too_much();
    json::parse_options options;
    options.max_depth = kTreeDepthMax;
    boost::system::error_code problem;
    json::value root = json::parse(text, problem, std::move(memory), options);
    if (problem || !root.is_object()) return too_much();
    return root;
}

}  // namespace

Result<json::value> parse_with_duckdb(std::string_view sql, const std::vector<SqlToken>& tokens,
                                      json::storage_ptr memory) {
    if (!text::is_utf8(sql)) {
        return fail(Code::invalid_argument, "the statement is not UTF-8 text", "write it as UTF-8");
    }
    if (CopyEstimate().of(tokens) > kCopiesMax) {
        return fail(Code::limit_exceeded, "the statement has too many WITH queries, beside or within each other",
                    "use fewer of them, or write them as subqueries");
    }
    auto parser = parsers().take();
    if (!parser) return fail(parser.error());
    const auto answer = parser->serialize(sql);
    if (!answer) return fail(answer.error());  // the parser is given up with it
    parsers().put_back(std::move(*parser));
    return read_tree(*answer, std::move(memory));
}

}  // namespace quaestor::data
