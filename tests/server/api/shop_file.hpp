// The shop of tests/data as an SQLite file.
// For tests that need a database to ask.
// Threads: one call at a time.
#pragma once

#include "data/shop.hpp"

#include <sqlite3.h>

#include <stdexcept>
#include <string>

namespace quaestor::server::testing {

inline void make_shop(const std::string& path) {
    sqlite3* file = nullptr;
    if (sqlite3_open(path.c_str(), &file) != SQLITE_OK ||
        sqlite3_exec(file, data::kShopSql, nullptr, nullptr, nullptr) != SQLITE_OK) {
        throw std::runtime_error("the shop could not be made");
    }
    sqlite3_close(file);
}

}  // namespace quaestor::server::testing
