#include "data/ascii.hpp"
#include "data/dialect.hpp"
#include "data/import.hpp"
#include "data/import/csv_types.hpp"
#include "data/import/names.hpp"
#include "data/import/sqlite_columns.hpp"
#include "data/import/sqlite_schema.hpp"
#include "data/import/target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <map>
#include <utility>

namespace quaestor::data {

namespace {

/// Rows between two looks at the token.
constexpr std::int64_t kRowsPerLook = 1'024;

struct KeptForeignKey {
    std::vector<std::size_t> columns;
    std::size_t table = 0;  ///< the place of the target in the plan
};

/// A table as it will be made.
struct TablePlan {
    SqliteTable source;
    std::string name;
    std::vector<std::string> column_names;
    std::vector<SqliteColumnGuess> guesses;
    std::vector<std::size_t> primary_key;  ///< empty when there is none, or when it cannot be kept
    std::vector<KeptForeignKey> foreign_keys;
    ImportedTable report;
};

std::string column_list(const std::vector<std::string>& names) {
    std::vector<std::string> quoted;
    std::ranges::transform(names, std::back_inserter(quoted), [](const auto& name) { return quote_name(name); });
    return fmt::format("{}", fmt::join(quoted, ", "));
}

std::string select_all(const SqliteTable& table) {
    std::vector<std::string> names;
    std::ranges::transform(table.columns, std::back_inserter(names), &SqliteColumn::name);
    return fmt::format("SELECT {} FROM main.{}", column_list(names), quote_name(table.name));
}

class SqliteImport {
public:
    SqliteImport(const SqliteFile& file, const ImportTarget& target, ImportMeter& meter)
        : file_(file), target_(target), meter_(meter) {}

    /// Decides how each table will look; nothing is written.
    [[nodiscard]] Result<> plan(const SqliteSchema& schema);
    [[nodiscard]] std::vector<std::string> names() const;
    /// Makes and fills the tables, those first that others point to.
    [[nodiscard]] Result<> make_all();
    [[nodiscard]] std::vector<ImportedTable> reports() const;

private:
    [[nodiscard]] Result<> survey(TablePlan& plan);
    void keep_primary_key(TablePlan& plan);
    [[nodiscard]] Result<> keep_foreign_keys(std::size_t place);
    [[nodiscard]] Result<std::string> objection(const TablePlan& plan, const SqliteForeignKey& key,
                                                KeptForeignKey& kept);
    [[nodiscard]] Result<bool> is_satisfied(const TablePlan& plan, const KeptForeignKey& key) const;
    void order_by_dependency();
    [[nodiscard]] Result<> make(TablePlan& plan);
    [[nodiscard]] std::string create_statement(const TablePlan& plan) const;
    [[nodiscard]] Result<> fill(TablePlan& plan);

    const SqliteFile& file_;
    const ImportTarget& target_;
    ImportMeter& meter_;
    std::vector<TablePlan> plans_;
    std::vector<std::size_t> order_;
};

// ---- planning

Result<> SqliteImport::plan(const SqliteSchema& schema) {
    UniqueNames names;
    for (const auto& table : schema.tables) {
        auto& plan = plans_.emplace_back(TablePlan{.source = table});
        plan.name = names.add(table.name.empty() ? "table" : table.name);
        plan.report = {.name = plan.name, .from = table.name};
        std::vector<std::string> written;
        std::ranges::transform(table.columns, std::back_inserter(written), &SqliteColumn::name);
        plan.column_names = column_names(written);
        meter_.begin(table.name, 1);
        if (auto surveyed = survey(plan); !surveyed) return surveyed;
        keep_primary_key(plan);
        meter_.end();
    }
    for (std::size_t place = 0; place < plans_.size(); ++place) {
        if (auto kept = keep_foreign_keys(place); !kept) return kept;
    }
    order_by_dependency();
    if (!plans_.empty()) {
        auto& notes = plans_.front().report.notes;
        notes.insert(notes.end(), schema.notes.begin(), schema.notes.end());
    }
    return {};
}

Result<> SqliteImport::survey(TablePlan& plan) {
    const auto is_key_column = [&](const std::string& name) {
        return std::ranges::any_of(plan.source.foreign_keys, [&](const SqliteForeignKey& key) {
            return std::ranges::any_of(key.columns,
                                       [&](const auto& column) { return lower_ascii(column) == lower_ascii(name); });
        });
    };
    for (const auto& column : plan.source.columns) {
        plan.guesses.emplace_back(column.declared, column.place_in_key > 0 || is_key_column(column.name));
    }
    std::int64_t& rows = plan.report.rows;
    auto read = file_.for_each_row(select_all(plan.source), [&](sqlite3_stmt* row) -> Result<> {
        ++rows;
        for (std::size_t index = 0; index < plan.guesses.size(); ++index) {
            plan.guesses[index].add(row, static_cast<int>(index), rows);
        }
        return rows % kRowsPerLook == 0 ? meter_.check_stop() : Result<>();
    });
    if (!read) return read;
    for (std::size_t index = 0; index < plan.guesses.size(); ++index) {
        const std::string note = plan.guesses[index].note();
        if (!note.empty())
            plan.report.notes.push_back(fmt::format("column {} {}", for_note(plan.column_names[index]), note));
    }
    return meter_.check_stop();
}

void SqliteImport::keep_primary_key(TablePlan& plan) {
    const auto& columns = plan.source.columns;
    for (std::size_t index = 0; index < columns.size(); ++index) {
        if (columns[index].place_in_key > 0) plan.primary_key.push_back(index);
    }
    std::ranges::sort(plan.primary_key, {}, [&](std::size_t index) { return columns[index].place_in_key; });
    const bool can_be_kept = std::ranges::all_of(plan.primary_key, [&](std::size_t index) {
        return !plan.guesses[index].has_nulls() && plan.guesses[index].keeps_values_apart();
    });
    if (can_be_kept) return;
    plan.primary_key.clear();
    plan.report.notes.emplace_back("the primary key was left out: some of its values are NULL or of several types");
}

Result<> SqliteImport::keep_foreign_keys(std::size_t place) {
    TablePlan& plan = plans_[place];
    for (const auto& key : plan.source.foreign_keys) {
        KeptForeignKey kept;
        auto why_not = objection(plan, key, kept);
        if (!why_not) return fail(why_not.error());
        if (why_not->empty()) {
            plan.foreign_keys.push_back(std::move(kept));
        } else {
            plan.report.notes.push_back(fmt::format("the foreign key ({}) to {} was left out: {}",
                                                    for_note(fmt::format("{}", fmt::join(key.columns, ", "))),
                                                    for_note(key.table), *why_not));
        }
    }
    return {};
}

/// Why DuckDB cannot hold the key, or nothing and the key.
Result<std::string> SqliteImport::objection(const TablePlan& plan, const SqliteForeignKey& key, KeptForeignKey& kept) {
    const auto same_name = [](const std::string& left, const std::string& right) {
        return lower_ascii(left) == lower_ascii(right);
    };
    const auto target =
        std::ranges::find_if(plans_, [&](const auto& other) { return same_name(other.source.name, key.table); });
    if (target == plans_.end()) return "there is no such table";
    if (&*target == &plan) return "it points to its own table";
    if (target->primary_key.size() != key.columns.size()) return "it does not point to a primary key";
    for (std::size_t part = 0; part < key.columns.size(); ++part) {
        const std::size_t wanted = target->primary_key[part];
        const auto& name = target->source.columns[wanted].name;
        if (part < key.target_columns.size() && !same_name(name, key.target_columns[part])) {
            return "it does not point to a primary key";
        }
        const auto column = std::ranges::find_if(
            plan.source.columns, [&](const auto& own) { return same_name(own.name, key.columns[part]); });
        if (column == plan.source.columns.end()) return "there is no such column";
        kept.columns.push_back(static_cast<std::size_t>(column - plan.source.columns.begin()));
        if (plan.guesses[kept.columns.back()].duckdb_type() != target->guesses[wanted].duckdb_type()) {
            return "the types of its two sides differ";
        }
    }
    kept.table = static_cast<std::size_t>(target - plans_.begin());
    const auto satisfied = is_satisfied(plan, kept);
    if (!satisfied) return fail(satisfied.error());
    return std::string(*satisfied ? "" : "some of its values are not in the other table");
}

Result<bool> SqliteImport::is_satisfied(const TablePlan& plan, const KeptForeignKey& key) const {
    const TablePlan& target = plans_[key.table];
    std::vector<std::string> given;
    std::vector<std::string> equal;
    for (std::size_t part = 0; part < key.columns.size(); ++part) {
        const std::string own = quote_name(plan.source.columns[key.columns[part]].name);
        const std::string other = quote_name(target.source.columns[target.primary_key[part]].name);
        given.push_back(fmt::format("own.{} IS NOT NULL", own));
        // DuckDB compares byte by byte, whatever the column's collation in SQLite.
        equal.push_back(fmt::format("other.{} = own.{} COLLATE BINARY", other, own));
    }
    bool satisfied = true;
    auto read = file_.for_each_row(
        fmt::format(
            "SELECT 1 FROM main.{} AS own WHERE {} AND NOT EXISTS (SELECT 1 FROM main.{} AS other WHERE {}) LIMIT 1",
            quote_name(plan.source.name), fmt::join(given, " AND "), quote_name(target.source.name),
            fmt::join(equal, " AND ")),
        [&](sqlite3_stmt*) {
            satisfied = false;
            return Result<>();
        });
    if (!read) return fail(read.error());
    return satisfied;
}

/// Where tables point to each other in a circle, one key of it is left out.
void SqliteImport::order_by_dependency() {
    std::vector<bool> placed(plans_.size(), false);
    const auto waits = [&](const KeptForeignKey& key) { return !placed[key.table]; };
    std::vector<std::size_t> left(plans_.size());
    for (std::size_t place = 0; place < left.size(); ++place) left[place] = place;
    while (!left.empty()) {
        auto next = std::ranges::find_if(
            left, [&](std::size_t place) { return std::ranges::none_of(plans_[place].foreign_keys, waits); });
        if (next == left.end()) {
            next = left.begin();
            auto& plan = plans_[*next];
            std::erase_if(plan.foreign_keys, waits);
            plan.report.notes.emplace_back("a foreign key was left out: it is part of a circle");
        }
        placed[*next] = true;
        order_.push_back(*next);
        left.erase(next);
    }
}

// ---- making

std::vector<std::string> SqliteImport::names() const {
    std::vector<std::string> names;
    std::ranges::transform(plans_, std::back_inserter(names), &TablePlan::name);
    return names;
}

std::vector<ImportedTable> SqliteImport::reports() const {
    std::vector<ImportedTable> reports;
    std::ranges::transform(plans_, std::back_inserter(reports), &TablePlan::report);
    return reports;
}

Result<> SqliteImport::make_all() {
    for (const std::size_t place : order_) {
        meter_.begin(plans_[place].source.name, 1);
        if (auto made = make(plans_[place]); !made) return made;
        meter_.end();
    }
    return meter_.check_stop();
}

Result<> SqliteImport::make(TablePlan& plan) {
    auto created = target_.connection().query(create_statement(plan));
    if (!created) return fail(created.error());
    return fill(plan);
}

std::string SqliteImport::create_statement(const TablePlan& plan) const {
    std::vector<std::string> parts;
    for (std::size_t index = 0; index < plan.guesses.size(); ++index) {
        const bool not_null = plan.source.columns[index].not_null && !plan.guesses[index].has_nulls();
        parts.push_back(fmt::format("{} {}{}", quote_name(plan.column_names[index]), plan.guesses[index].duckdb_type(),
                                    not_null ? " NOT NULL" : ""));
    }
    const auto named = [](const TablePlan& of, const std::vector<std::size_t>& columns) {
        std::vector<std::string> names;
        for (const std::size_t column : columns) names.push_back(of.column_names[column]);
        return column_list(names);
    };
    if (!plan.primary_key.empty()) parts.push_back(fmt::format("PRIMARY KEY ({})", named(plan, plan.primary_key)));
    for (const auto& key : plan.foreign_keys) {
        const TablePlan& target = plans_[key.table];
        parts.push_back(fmt::format("FOREIGN KEY ({}) REFERENCES main.{} ({})", named(plan, key.columns),
                                    quote_name(target.name), named(target, target.primary_key)));
    }
    return fmt::format("CREATE TABLE main.{} ({})", quote_name(plan.name), fmt::join(parts, ", "));
}

Result<> SqliteImport::fill(TablePlan& plan) {
    auto appender = duck::Appender::open(target_.connection(), "main", plan.name);
    if (!appender) return fail(appender.error());
    std::int64_t rows = 0;
    std::size_t waiting = 0;
    auto filled = file_.for_each_row(select_all(plan.source), [&](sqlite3_stmt* row) -> Result<> {
        for (std::size_t index = 0; index < plan.guesses.size(); ++index) {
            if (!plan.guesses[index].append(appender->raw(), row, static_cast<int>(index))) {
                return fail(Code::conflict, fmt::format("table {} changed while it was being read", plan.source.name),
                            "try again");
            }
        }
        if (auto ended = appender->end_row(); !ended) return ended;
        waiting += plan.guesses.size();
        if (waiting >= kValuesPerFlush) {
            waiting = 0;
            if (auto flushed = appender->flush(); !flushed) return flushed;
        }
        if (++rows % kRowsPerLook != 0) return {};
        meter_.tell(static_cast<double>(rows) / static_cast<double>(plan.report.rows));
        return meter_.check_stop();
    });
    if (!filled) return filled;
    return appender->close();
}

}  // namespace

Result<std::vector<ImportedTable>> import_sqlite(const std::string& file, const std::string& into,
                                                 const ImportOptions& options) {
    auto source = SqliteFile::open(file);
    if (!source) return fail(source.error());
    const auto registration = options.stop.on_cancel([&] { source->interrupt(); });
    const auto failed = [&](const Error& error) {
        return fail(options.stop.cancelled() ? options.stop.error() : error);
    };
    const auto schema = source->read_schema();
    if (!schema) return failed(schema.error());
    if (schema->tables.empty()) {
        return fail(Code::not_found, fmt::format("{} holds no tables", file), "look whether it is the right file");
    }
    auto target = ImportTarget::open(into, options);
    if (!target) return fail(target.error());
    // Each table is read twice.
    ImportMeter meter(options, 2 * static_cast<double>(schema->tables.size()));
    SqliteImport import(*source, *target, meter);
    if (auto planned = import.plan(*schema); !planned) return failed(planned.error());
    if (auto room = target->make_room(import.names()); !room) return fail(room.error());
    if (auto made = target->attempt([&] { return import.make_all(); }); !made) return failed(made.error());
    if (auto finished = target->finish(); !finished) return fail(finished.error());
    return import.reports();
}

}  // namespace quaestor::data
