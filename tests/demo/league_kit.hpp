// Leagues for tests: a small one and the full one, each made once for the whole program, and ways to ask them.
// The files last until the program ends.
// Threads: gtest's own.
#pragma once

#include "data/duckdb/handle.hpp"
#include "demo/league.hpp"
#include "temporary_folder.hpp"

#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace quaestor::demo {

using TextRows = std::vector<std::vector<std::string>>;

/// A league's file, open to be asked.
class OpenLeague {
public:
    explicit OpenLeague(const std::string& path)
        : database_(data::duck::Database::open(path, {{"access_mode", "READ_ONLY"}, {"threads", "2"}}).value()),
          connection_(database_.connect().value()) {}

    /// All rows of `sql` as texts, NULL as "NULL".
    [[nodiscard]] TextRows ask(const std::string& sql) const {
        auto rows = connection_.query("SELECT COLUMNS(*)::VARCHAR FROM (" + sql + ")");
        if (!rows) throw std::runtime_error(rows.error().describe() + " in " + sql);
        TextRows all;
        while (const auto chunk = rows->next().value()) {
            for (std::size_t row = 0; row < chunk->size(); ++row) {
                auto& cells = all.emplace_back();
                for (std::size_t column = 0; column < rows->column_count(); ++column) {
                    cells.emplace_back(chunk->is_null(column, row) ? "NULL" : chunk->text(column, row));
                }
            }
        }
        return all;
    }
    /// The one value of `sql`.
    [[nodiscard]] std::string value(const std::string& sql) const { return ask(sql).at(0).at(0); }

private:
    data::duck::Database database_;
    data::duck::Connection connection_;
};

class MadeLeague {
public:
    explicit MadeLeague(const LeagueOptions& options) {
        auto made = make_league(path(), options);
        if (!made) throw std::runtime_error(made.error().describe());
        counts_ = std::move(*made);
        open_.emplace(path());
    }
    [[nodiscard]] std::string path() const { return folder_.file("league.duckdb"); }
    [[nodiscard]] const LeagueCounts& counts() const { return counts_; }
    [[nodiscard]] const OpenLeague* operator->() const { return &*open_; }

private:
    store::TemporaryFolder folder_;
    LeagueCounts counts_;
    std::optional<OpenLeague> open_;
};

inline const MadeLeague& small_league() {
    static const MadeLeague league({.is_small = true});
    return league;
}
/// As small, of another seed.
inline const MadeLeague& other_league() {
    static const MadeLeague league({.seed = kLeagueSeed + 1, .is_small = true});
    return league;
}
inline const MadeLeague& full_league() {
    static const MadeLeague league({});
    return league;
}

inline std::string read_text(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace quaestor::demo
