#include "data/sqlite/schema.hpp"

#include "data/sqlite/text.hpp"
#include "data/sqlite/types.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace quaestor::data::sqlite {

namespace {

constexpr const char* kSchema = "main";

constexpr const char* kTablesQuery =
    "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
    " AND substr(lower(name), 1, 7) <> 'sqlite_' ORDER BY name";
/// Hidden columns (1) are arguments of virtual tables; generated ones (2, 3) are columns like others.
constexpr const char* kColumnsQuery =
    "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid";
/// SQLite counts the keys of a table from the last to the first.
constexpr const char* kForeignKeysQuery =
    "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id DESC, seq";

class SchemaReader {
public:
    SchemaReader(Connection& connection, const CancelToken& stop) : connection_(connection), stop_(stop) {}

    Result<Catalog> read() {
        Catalog catalog;
        catalog.dialect = Dialect::sqlite;
        catalog.default_schema = kSchema;
        if (auto done = prepare(); !done) return fail(done.error());
        if (auto done = list_tables(catalog); !done) return fail(done.error());
        for (CatalogTable& table : catalog.tables) {
            if (stop_.cancelled()) return fail(stop_.error());
            if (auto done = read_columns(table); !done) return fail(done.error());
            if (auto done = read_foreign_keys(table); !done) return fail(done.error());
        }
        complete_foreign_keys(catalog);
        std::erase_if(catalog.tables, [](const CatalogTable& table) { return table.columns.empty(); });
        return catalog;
    }

private:
    Result<> prepare() {
        for (const auto& [sql, statement] : {std::pair{kTablesQuery, &tables_}, std::pair{kColumnsQuery, &columns_},
                                             std::pair{kForeignKeysQuery, &keys_}}) {
            auto prepared = connection_.prepare_own(sql);
            if (!prepared) return fail(prepared.error());
            *statement = std::move(*prepared);
        }
        return {};
    }

    Result<> list_tables(Catalog& catalog) {
        int code = SQLITE_OK;
        while ((code = sqlite3_step(tables_.get())) == SQLITE_ROW) {
            CatalogTable& table = catalog.tables.emplace_back();
            table.schema = kSchema;
            table.name = text_at(tables_.get(), 0);
            if (text_at(tables_.get(), 1) == "view") table.kind = CatalogTable::Kind::view;
        }
        if (code != SQLITE_DONE) return fail(connection_.error(code, stop_));
        return {};
    }

    static void ask(const Statement& statement, const std::string& table) {
        sqlite3_reset(statement.get());
        sqlite3_bind_text(statement.get(), 1, table.data(), static_cast<int>(table.size()), SQLITE_TRANSIENT);
    }

    /// A view over a table that is gone gives an error of the statement's, and stays without columns.
    [[nodiscard]] Result<> end(int code) const {
        if (code == SQLITE_DONE || code == SQLITE_ERROR) return {};
        return fail(connection_.error(code, stop_));
    }

    Result<> read_columns(CatalogTable& table) {
        ask(columns_, table.name);
        std::map<int, std::string> key;
        int code = SQLITE_OK;
        while ((code = sqlite3_step(columns_.get())) == SQLITE_ROW) {
            CatalogColumn& column = table.columns.emplace_back();
            column.name = text_at(columns_.get(), 0);
            column.type = text_at(columns_.get(), 1);
            column.kind = kind_of_declared(column.type);
            column.nullable = sqlite3_column_int(columns_.get(), 2) == 0;
            if (const int place = sqlite3_column_int(columns_.get(), 3); place > 0) key[place] = column.name;
        }
        for (auto& [place, name] : key) table.primary_key.push_back(std::move(name));
        note_rowid(table);
        return end(code);
    }

    /// An INTEGER PRIMARY KEY is the row's number, never NULL; other primary keys of SQLite may hold NULL.
    static void note_rowid(CatalogTable& table) {
        if (table.primary_key.size() != 1) return;
        const auto column = std::ranges::find(table.columns, table.primary_key.front(), &CatalogColumn::name);
        if (column != table.columns.end() && lower(column->type) == "integer") column->nullable = false;
    }

    Result<> read_foreign_keys(CatalogTable& table) {
        ask(keys_, table.name);
        int code = SQLITE_OK;
        int last = -1;
        while ((code = sqlite3_step(keys_.get())) == SQLITE_ROW) {
            if (const int id = sqlite3_column_int(keys_.get(), 0); std::exchange(last, id) != id) {
                ForeignKey& key = table.foreign_keys.emplace_back();
                key.schema = kSchema;
                key.table = text_at(keys_.get(), 1);
            }
            ForeignKey& key = table.foreign_keys.back();
            key.columns.push_back(text_at(keys_.get(), 2));
            if (sqlite3_column_type(keys_.get(), 3) != SQLITE_NULL) {
                key.target_columns.push_back(text_at(keys_.get(), 3));
            }
        }
        return end(code);
    }

    /// REFERENCES without columns means the other table's primary key; names are written in any case.
    static void complete_foreign_keys(Catalog& catalog) {
        std::map<std::string, const CatalogTable*> by_name;
        for (const CatalogTable& table : catalog.tables) by_name[lower(table.name)] = &table;
        for (CatalogTable& table : catalog.tables) {
            for (ForeignKey& key : table.foreign_keys) {
                const auto target = by_name.find(lower(key.table));
                if (target == by_name.end()) continue;
                key.table = target->second->name;
                if (key.target_columns.empty()) key.target_columns = target->second->primary_key;
            }
            // A key to a table that is not there helps nobody.
            std::erase_if(table.foreign_keys,
                          [&](const ForeignKey& key) { return !by_name.contains(lower(key.table)); });
        }
    }

    Connection& connection_;
    const CancelToken& stop_;
    Statement tables_;
    Statement columns_;
    Statement keys_;
};

}  // namespace

Result<Catalog> read_schema(Connection& connection, const CancelToken& stop) {
    return SchemaReader(connection, stop).read();
}

}  // namespace quaestor::data::sqlite
