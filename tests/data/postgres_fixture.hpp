// The shop of shop.hpp in the PostgreSQL server that the tests share, with a role that can only read it.
// Threads: one at a time.
#pragma once

#include "data/engine.hpp"
#include "data/shop.hpp"
#include "kit/postgres_server.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace quaestor::data {

inline constexpr const char* kReaderPassword = "correct-horse-battery";

class PostgresShop : public testing::Test {
protected:
    void SetUp() override {
        const auto server = test::shared_postgres();
        ASSERT_TRUE(server) << server.error().describe();
        server_ = *server;
        const auto url = server_->empty_database();
        ASSERT_TRUE(url) << url.error().describe();
        execute(kShopSql);
        execute(
            fmt::format("DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'reader') THEN "
                        "CREATE ROLE reader LOGIN PASSWORD '{}'; END IF; END $$; "
                        "GRANT USAGE ON SCHEMA public TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA public TO "
                        "reader",
                        kReaderPassword));
    }

    void execute(const std::string& sql) {
        const auto done = server_->execute(sql);
        ASSERT_TRUE(done) << done.error().describe();
    }

    /// The reader's URL by TCP, where a password is needed.
    [[nodiscard]] std::string reader_url(int port, const std::string& password = kReaderPassword) const {
        return fmt::format("postgres://reader:{}@127.0.0.1:{}/postgres", password, port);
    }

    std::unique_ptr<Engine> open(const std::string& url) {
        auto engine = open_postgres(url);
        EXPECT_TRUE(engine) << engine.error().describe();
        return engine ? std::move(*engine) : nullptr;
    }
    std::unique_ptr<Engine> open_as_reader() { return open(reader_url(server_->port())); }
    std::unique_ptr<Engine> open_as_owner() { return open(server_->url()); }

    /// The only cell of a result, as people see it; the error's words when there is none.
    static std::string cell(Engine& engine, const std::string& sql) {
        const auto result = engine.run(sql, {}, {});
        if (!result) return result.error().describe();
        if (result->row_count != 1 || result->columns.size() != 1) return "not one cell";
        return result->columns[0].is_null(0) ? "NULL" : result->columns[0].text(0);
    }

    test::PostgresServer* server_ = nullptr;
};

}  // namespace quaestor::data
