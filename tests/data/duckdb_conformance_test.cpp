#include "data/conformance.hpp"
#include "data/duckdb_shop.hpp"

namespace quaestor::data {

namespace {

class DuckdbDatabase final : public TestDatabase {
public:
    explicit DuckdbDatabase(const std::string& sql) : folder_(make_folder()), path_(folder_ / "shop.duckdb") {
        write(sql);
    }
    ~DuckdbDatabase() override { std::filesystem::remove_all(folder_); }
    DuckdbDatabase(const DuckdbDatabase&) = delete;
    DuckdbDatabase& operator=(const DuckdbDatabase&) = delete;

    [[nodiscard]] std::unique_ptr<Engine> open() override {
        auto engine = open_duckdb(path_.string());
        if (engine) return std::move(*engine);
        ADD_FAILURE() << engine.error().describe();
        return nullptr;
    }

    void write(const std::string& sql) override { make_duckdb(path_, sql); }

    [[nodiscard]] std::optional<std::filesystem::path> file() const override { return path_; }

private:
    std::filesystem::path folder_;
    std::filesystem::path path_;
};

EngineHome duckdb_home() {
    return {.name = "Duckdb",
            .dialect = Dialect::duckdb,
            .make = [](const std::string& sql) { return std::make_unique<DuckdbDatabase>(sql); },
            .has_decimals = true,
            .checks_types = true,
            .is_written_while_open = false,
            .has_schemas = true,
            .forbidden_call = "getenv('HOME')",
            .mistake_in_data = "SELECT CAST(name AS INTEGER) FROM customers",
            .blob_query = "SELECT '\\x00\\xFF'::BLOB",
            .list_query = "SELECT [1, 2, 3]"};
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Duckdb, EngineConformance, testing::Values(duckdb_home()), name_of_home);

}  // namespace quaestor::data
