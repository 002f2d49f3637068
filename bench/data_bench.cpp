// The data layer: what the guard costs, what a guarded query costs over the bare engine, how soon a catalogue is there,
// and how fast rows become JSON.
// usage: data_bench guard QUERIES.sql | overhead | catalog [BYTES] | json [ROWS]
// QUERIES.sql holds queries, each behind a line '-- name: NAME tables: the tables it reads'.
#include "base/task.hpp"
#include "base/worker_pool.hpp"
#include "bench_kit.hpp"
#include "data/duckdb/handle.hpp"
#include "data/guard.hpp"
#include "data/source.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <ranges>
#include <set>
#include <string>

using namespace quaestor;
using namespace quaestor::data;
using namespace quaestor::bench;

namespace {

constexpr int kRounds = 7;

struct Query {
    std::string name;
    std::set<std::string> tables;
    std::string sql;
};

std::vector<Query> read_queries(const char* path) {
    constexpr std::string_view kHead = "-- name: ";
    std::ifstream file(path);
    std::vector<Query> queries;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(kHead)) {
            const auto colon = line.find(" tables: ");
            Query query{.name = line.substr(kHead.size(), colon - kHead.size()), .tables = {}, .sql = {}};
            for (const auto table : line.substr(colon + 9) | std::views::split(' ')) {
                query.tables.emplace(std::string_view(table));
            }
            queries.push_back(std::move(query));
        } else if (!queries.empty()) {
            queries.back().sql += line + "\n";
        }
    }
    if (queries.empty()) give_up(fmt::format("no queries in {}", path));
    return queries;
}

/// One value a round: microseconds a query, over all queries.
std::vector<double> time_guard(Dialect dialect, const std::vector<Query>& queries, int n) {
    std::vector<TableNames> names;
    for (const auto& query : queries) {
        TableNames& tables = names.emplace_back();
        for (const auto& table : query.tables) {
            const auto dot = table.find('.');
            dot == std::string::npos ? tables.add({}, table) : tables.add(table.substr(0, dot), table.substr(dot + 1));
        }
    }
    std::vector<double> values;
    for (int round = -1; round < kRounds; ++round) {
        const double began = now_us();
        for (int i = 0; i < n; ++i) {
            for (std::size_t q = 0; q < queries.size(); ++q) {
                const auto verdict = Guard(dialect, names[q]).check(queries[q].sql);
                if (!verdict.ok) give_up(queries[q].name + ": " + verdict.errors.front().message);
                if (std::set(verdict.tables.begin(), verdict.tables.end()) != queries[q].tables) {
                    give_up(queries[q].name + ": wrong tables");
                }
            }
        }
        if (round >= 0) values.push_back((now_us() - began) / (n * static_cast<double>(queries.size())));
    }
    return values;
}

void bench_guard(const char* path) {
    const auto queries = read_queries(path);
    constexpr int kTimes = 200;
    const int n = kTimes * static_cast<int>(queries.size());
    emit("guard", "check", time_guard(Dialect::postgres, queries, kTimes), "us/query", n);
    emit("guard_duckdb", "check", time_guard(Dialect::duckdb, queries, kTimes), "us/query", n);
}

std::string make_database(const std::filesystem::path& folder, const std::string& script) {
    const auto path = (folder / "bench.duckdb").string();
    const auto database = checked(duck::Database::open(path, {{"threads", "2"}}));
    checked(checked(database.connect()).query(script));
    return path;
}

constexpr const char* kSmallScript =
    "CREATE TABLE orders AS SELECT range AS id, range % 7 AS region, range * 1.5 AS amount FROM range(1000)";
constexpr const char* kSmallQuery = "SELECT count(*) AS n, sum(amount) AS total FROM orders WHERE region = 3";

/// Texts that differ, so that nothing is known of one from those before it.
std::string fresh_query(int i) {
    return fmt::format("{} AND id >= {}", kSmallQuery, i);
}

/// Also new each time, and with a row limit behind it, which a query for nothing but aggregates has not.
std::string fresh_lookup(int i) {
    return fmt::format("SELECT region, amount FROM orders WHERE id = {}", i);
}

/// Microseconds for an `ask`, a task that is awaited `n` times.
template <class Ask>
Task<double> time_asks(int n, Ask ask) {
    const double began = now_us();
    for (int i = 0; i < n; ++i) co_await ask(i);
    co_return (now_us() - began) / n;
}

void ask_bare(const duck::Connection& connection, const std::string& sql) {
    auto statement = checked(connection.prepare(sql));
    auto rows = checked(statement.execute());
    if (checked(rows.next())->size() != 1) give_up("the bare query returned no row");
}

Task<> ask_guarded(Source& source, std::string sql) {
    const auto result = checked(co_await source.query(std::move(sql)));
    if (result.row_count != 1) give_up("the guarded query returned no row");
}

struct Bare {
    double in_a_loop = 0;
    double awaited = 0;  ///< on another thread, as a program must call it that may not block
};

template <class Text>
Task<Bare> time_bare(const std::string& path, int n, Text text) {
    const auto database = checked(duck::Database::open(path, {{"access_mode", "READ_ONLY"}, {"threads", "2"}}));
    const auto connection = checked(database.connect());
    WorkerPool workers(2);
    const auto in_place = [&](int i) -> Task<> {
        ask_bare(connection, text(i));
        co_return;
    };
    const auto elsewhere = [&](int i) { return workers.run([&, i] { ask_bare(connection, text(i)); }); };
    co_await time_asks(n / 4, elsewhere);  // warms up
    co_return Bare{.in_a_loop = co_await time_asks(n, in_place), .awaited = co_await time_asks(n, elsewhere)};
}

template <class Text>
Task<double> time_guarded(const std::string& path, int n, Text text) {
    const auto source = checked(co_await open_source(path));
    co_await time_asks(n / 4, [&](int i) { return ask_guarded(*source, text(n + i)); });
    co_return co_await time_asks(n, [&](int i) { return ask_guarded(*source, text(i)); });
}

/// They take turns, so that what else the machine does meets both.
template <class Text>
Task<> compare_with_bare(const char* name, const std::string& path, Text text) {
    constexpr int kTimes = 400;
    std::vector<double> loops;
    std::vector<double> bares;
    std::vector<double> overheads;
    for (int round = 0; round < kRounds; ++round) {
        const Bare bare = co_await time_bare(path, kTimes, text);
        overheads.push_back(co_await time_guarded(path, kTimes, text) - bare.awaited);
        loops.push_back(bare.in_a_loop);
        bares.push_back(bare.awaited);
    }
    emit(name, "guarded_query_over_bare", overheads, "us/query", kTimes,
         {{"bare", median(bares)}, {"bare_in_a_loop", median(loops)}, {"at_most", 150}});
}

void bench_overhead() {
    const TemporaryFolder folder;
    const auto path = make_database(folder.path, kSmallScript);
    run_to_end([&]() -> Task<> {
        co_await compare_with_bare("overhead", path, [](int) { return std::string(kSmallQuery); });
        co_await compare_with_bare("overhead_fresh", path, fresh_query);
        co_await compare_with_bare("overhead_lookup", path, fresh_lookup);
    }());
}

/// 50 tables of the given size together: keys, dates, amounts, texts that compress badly.
std::string large_script(std::size_t bytes) {
    constexpr std::size_t kTables = 50;
    constexpr std::size_t kRowBytes = 49;  // as DuckDB keeps them
    const std::size_t rows = bytes / kTables / kRowBytes;
    std::string script;
    for (std::size_t table = 0; table < kTables; ++table) {
        script += fmt::format(
            "CREATE TABLE t{0} AS SELECT range AS id, (hash(range) % 1000)::INTEGER AS customer_id, "
            "DATE '2020-01-01' + (hash(range, {0}) % 2000)::INTEGER AS day, "
            "(hash(range, 1) % 1000000 / 100)::DECIMAL(12,2) AS amount, md5(range::VARCHAR) AS token, "
            "random() AS weight, md5(random()::VARCHAR) AS note, "
            "['open', 'paid', 'lost'][(range % 3 + 1)::INTEGER] AS status FROM range({1});",
            table, rows);
    }
    return script;
}

void bench_catalog(std::size_t bytes) {
    const TemporaryFolder folder;
    const auto path = make_database(folder.path, large_script(bytes));
    const auto size = static_cast<double>(std::filesystem::file_size(path));
    run_to_end([&]() -> Task<> {
        const double began = now_us();
        const auto source = checked(co_await open_source(path));
        const auto schema = checked(co_await source->schema());
        const double declared = (now_us() - began) / 1e6;
        if (schema->tables.size() != 50) give_up("tables are missing");
        const auto catalog = checked(co_await source->catalog());
        const double complete = (now_us() - began) / 1e6;
        for (const auto& table : catalog->tables) {
            if (!table.rows || !table.columns.front().distinct) give_up(table.name + " was not looked at");
        }
        emit("catalog", "complete", {complete}, "s", 1,
             {{"file_bytes", size}, {"declared_s", declared}, {"at_most", 10}});
    }());
}

constexpr const char* kManyRows =
    "SELECT range AS id, 'customer ' || (range % 1000) AS name, DATE '2026-01-01' + (range % 365)::INTEGER AS day, "
    "(range % 100000 / 100)::DECIMAL(12,2) AS amount, range / 7 AS share, range % 2 = 0 AS is_even "
    "FROM range({})";

/// Both read the rows from a table and write a file.
void bench_json(std::size_t rows) {
    const TemporaryFolder folder;
    const auto path = make_database(folder.path, "CREATE TABLE many AS " + fmt::format(kManyRows, rows));
    const auto out = (folder.path / "rows.json").string();
    std::vector<double> theirs;
    {
        const auto database = checked(duck::Database::open(path, {{"access_mode", "READ_ONLY"}, {"threads", "2"}}));
        const auto connection = checked(database.connect());
        for (int round = -1; round < kRounds; ++round) {
            const double began = now_us();
            checked(connection.query(fmt::format("COPY many TO '{}' (FORMAT JSON, ARRAY true)", out)));
            if (round >= 0) theirs.push_back((now_us() - began) / 1e3);
        }
    }
    std::vector<double> ours;
    run_to_end([&]() -> Task<> {
        const auto source = checked(co_await open_source(path));
        for (int round = -1; round < kRounds; ++round) {
            const double began = now_us();
            const auto result =
                checked(co_await source->query("SELECT * FROM many", {.rows = rows, .bytes = std::size_t{1} << 32}));
            if (result.row_count != rows || result.truncated) give_up("rows are missing");
            std::ofstream(out, std::ios::binary) << to_json_text(result);
            if (round >= 0) ours.push_back((now_us() - began) / 1e3);
        }
    }());
    emit("json", "over_duckdb_export", {median(ours) / median(theirs)}, "times", static_cast<int>(rows),
         {{"ours_ms", median(ours)}, {"duckdb_ms", median(theirs)}, {"at_most", 2}});
}

}  // namespace

int main(int count, char** arguments) {
    const std::string variant = count > 1 ? arguments[1] : "";
    const auto number = [&](std::size_t usual) {
        return count > 2 ? static_cast<std::size_t>(std::strtoull(arguments[2], nullptr, 10)) : usual;
    };
    if (variant == "guard" && count > 2) {
        bench_guard(arguments[2]);
    } else if (variant == "overhead") {
        bench_overhead();
    } else if (variant == "catalog") {
        bench_catalog(number(1'000'000'000));
    } else if (variant == "json") {
        bench_json(number(1'000'000));
    } else {
        give_up("usage: data_bench guard QUERIES.sql | overhead | catalog [BYTES] | json [ROWS]");
    }
}
