#include "data/conformance_sqlite.hpp"

#include <sqlite3.h>

#include <cstdlib>

namespace quaestor::data {

SqliteDatabase::SqliteDatabase(const std::string& sql) {
    std::string folder = (std::filesystem::temp_directory_path() / "quaestor-sqlite-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) ADD_FAILURE() << "no folder " << folder;
    path_ = std::filesystem::path(folder) / "shop.db";
    write(sql);
}

SqliteDatabase::~SqliteDatabase() {
    std::filesystem::permissions(folder(), std::filesystem::perms::owner_all);
    std::filesystem::remove_all(folder());
}

std::unique_ptr<Engine> SqliteDatabase::open() {
    auto engine = open_sqlite(path_.string());
    if (engine) return std::move(*engine);
    ADD_FAILURE() << engine.error().describe();
    return nullptr;
}

void SqliteDatabase::write(const std::string& sql) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &handle), SQLITE_OK);
    sqlite3_busy_timeout(handle, 10'000);
    // Tests do not have to survive a power failure.
    const std::string script = "PRAGMA synchronous = OFF;" + sql;
    EXPECT_EQ(sqlite3_exec(handle, script.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    sqlite3_close(handle);
}

EngineHome sqlite_home() {
    return {.name = "Sqlite",
            .dialect = Dialect::sqlite,
            .make = [](const std::string& sql) { return std::make_unique<SqliteDatabase>(sql); },
            .has_decimals = false,
            .checks_types = false,
            .is_written_while_open = true,
            .has_schemas = false,
            .forbidden_call = "load_extension('evil')",
            .mistake_in_data = "SELECT json_extract(name, '$.x') FROM customers",
            .blob_query = "SELECT x'00ff'",
            .list_query = ""};
}

}  // namespace quaestor::data
