#include "data/conformance.hpp"
#include "kit/postgres_server.hpp"

#include <gtest/gtest.h>

namespace quaestor::data {

namespace {

/// The one database of the server that the tests share, emptied and filled anew for each.
class PostgresDatabase final : public TestDatabase {
public:
    explicit PostgresDatabase(const std::string& sql) {
        const auto server = test::shared_postgres();
        if (!server) throw std::runtime_error(server.error().describe());
        server_ = *server;
        if (const auto url = server_->empty_database(); !url) throw std::runtime_error(url.error().describe());
        write(sql);
    }

    [[nodiscard]] std::unique_ptr<Engine> open() override {
        auto engine = open_postgres(server_->url());
        if (engine) return std::move(*engine);
        ADD_FAILURE() << engine.error().describe();
        return nullptr;
    }

    void write(const std::string& sql) override {
        // The server tells of changed rows up to a second later, unless it is asked to at once.
        const auto done = server_->execute(sql + ";DO $$ BEGIN PERFORM pg_stat_force_next_flush(); END $$");
        EXPECT_TRUE(done) << done.error().describe();
    }

private:
    test::PostgresServer* server_ = nullptr;
};

EngineHome postgres_home() {
    return {.name = "Postgres",
            .dialect = Dialect::postgres,
            .make = [](const std::string& sql) { return std::make_unique<PostgresDatabase>(sql); },
            .forbidden_call = "pg_sleep(1)",
            .mistake_in_data = "SELECT 1 / (id - id) FROM customers",
            .blob_query = "SELECT '\\x00ff'::bytea",
            .list_query = "SELECT ARRAY[1, 2, 3]"};
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Postgres, EngineConformance, testing::Values(postgres_home()), name_of_home);

}  // namespace quaestor::data
