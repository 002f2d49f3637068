#include "store/postgres.hpp"

#include "store/postgres_checkpoints.hpp"
#include "store/postgres_database.hpp"
#include "store/postgres_records.hpp"
#include "store/postgres_schema.hpp"

#include <fmt/format.h>

namespace quaestor::store {

namespace postgres {

namespace {

constexpr Statement kTouchMeta{"touch_meta", "UPDATE quaestor.meta SET checked_at = now() RETURNING version"};

constexpr Statement kCount{"count", R"sql(
SELECT count(*), count(DISTINCT thread_id),
    (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
     WHERE relnamespace = 'quaestor'::regnamespace AND relkind = 'r')
FROM quaestor.checkpoints
)sql"};

class PostgresStore final : public Store {
public:
    PostgresStore(const Address& address, Connection connection, std::size_t readers)
        : database_(address, std::move(connection), readers) {}

    graph::CheckpointStore& checkpoints() override { return checkpoints_; }
    ConversationStore& conversations() override { return conversations_; }
    TraceStore& traces() override { return traces_; }

    Task<Result<StoreHealth>> health() override {
        const auto version = co_await database_.write(
            [] { return std::vector{Query{.statement = &kTouchMeta, .values = {}}}; },
            [](std::span<const Rows> rows) { return Result<int>(static_cast<int>(rows.front().integer(0, 0))); });
        if (!version) co_return fail(version.error());
        co_return co_await database_.read([=](Connection& connection) -> Result<StoreHealth> {
            const auto counts = connection.run(kCount);
            if (!counts) return fail(counts.error());
            return StoreHealth{.backend = fmt::format("PostgreSQL {}", connection.server_version()),
                               .location = connection.location(),
                               .schema_version = *version,
                               .threads = static_cast<std::size_t>(counts->integer(0, 1)),
                               .checkpoints = static_cast<std::size_t>(counts->integer(0, 0)),
                               .bytes = static_cast<std::size_t>(counts->integer(0, 2))};
        });
    }

private:
    Database database_;
    Checkpoints checkpoints_{database_};
    Conversations conversations_{database_};
    Traces traces_{database_};
};

}  // namespace

}  // namespace postgres

Result<std::unique_ptr<Store>> open_postgres(const StoreSettings& settings) {
    const auto address = postgres::read_address(settings.url, settings.timeout);
    if (!address) return fail(address.error());
    auto connection = postgres::Connection::open(*address);
    if (!connection) return fail(connection.error());
    if (auto migrated = postgres::migrate(*connection); !migrated) return fail(migrated.error());
    const auto readers = static_cast<std::size_t>(std::max(settings.connections, 1));
    return std::make_unique<postgres::PostgresStore>(*address, std::move(*connection), readers);
}

}  // namespace quaestor::store
