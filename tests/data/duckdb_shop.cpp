#include "data/duckdb_shop.hpp"

#include "data/duckdb/handle.hpp"
#include "data/shop.hpp"
#include "data/timed_run.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace quaestor::data {

namespace fs = std::filesystem;

fs::path make_folder() {
    std::string name = (fs::temp_directory_path() / "quaestor-data-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        fmt::print(stderr, "cannot make a folder in {}\n", fs::temp_directory_path().string());
        std::exit(1);
    }
    return name;
}

void make_duckdb(const fs::path& file, const std::string& sql) {
    const auto database = duck::Database::open(file.string(), {{"threads", "1"}}).value();
    const auto connection = database.connect().value();
    if (const auto made = connection.query(sql); !made) {
        fmt::print(stderr, "cannot make {}: {}\n", file.string(), made.error().describe());
        std::exit(1);
    }
}

DuckdbShop::DuckdbShop(std::size_t memory_limit) : folder_(make_folder()) {
    const fs::path file = folder_ / "shop.duckdb";
    make_duckdb(file, kShopSql);
    engine_ = open_duckdb(file.string(), memory_limit).value();
    names_ = names_of(engine_->read_schema({}).value());
}

DuckdbShop::~DuckdbShop() {
    engine_.reset();
    fs::remove_all(folder_);
}

std::map<std::string, std::string> DuckdbShop::files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
        std::string bytes(entry.is_regular_file() ? static_cast<std::size_t>(entry.file_size()) : 0, '\0');
        std::ifstream(entry.path(), std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        files[entry.path().string()] = std::move(bytes);
    }
    return files;
}

Result<ResultSet> run_for(Engine& engine, const std::string& sql, const QueryLimits& limits) {
    return run_in_time(engine, sql, limits, {});
}

}  // namespace quaestor::data
