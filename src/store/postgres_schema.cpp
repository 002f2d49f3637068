#include "store/postgres_schema.hpp"

#include <fmt/format.h>

#include <array>

namespace quaestor::store::postgres {

namespace {

// Reads the catalogue as a table: a look-up by name might still remember that there was none before the lock was taken.
constexpr Statement kHasMeta{"has_meta", R"sql(
SELECT EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'quaestor' AND tablename = 'meta')
)sql"};
constexpr Statement kReadVersion{"read_version", "SELECT version FROM quaestor.meta"};

/// Any number that no other program is likely to use for its advisory locks.
constexpr std::int64_t kMigrationLock = 0x7175'6165'7374'6f72;

/// Migration i brings version i to i + 1. What has been released is never changed, only added to.
///
/// Times are nanoseconds since 1970, as timestamptz would round them. JSON has the type json, which keeps the text as
/// it was written; jsonb would change numbers. `tags` holds the single values of `metadata` in a form that compares by
/// value.
constexpr std::array<const char*, 2> kMigrations{R"sql(
CREATE SCHEMA quaestor;
CREATE TABLE quaestor.meta (version integer NOT NULL, checked_at timestamptz NOT NULL DEFAULT now());
INSERT INTO quaestor.meta (version) VALUES (0);

CREATE TABLE quaestor.checkpoints (
    thread_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    parent_id text COLLATE "C" NOT NULL,
    is_snapshot boolean NOT NULL,
    change json NOT NULL,
    position json NOT NULL,
    metadata json NOT NULL,
    tags jsonb NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (thread_id, id));
CREATE INDEX checkpoints_by_thread ON quaestor.checkpoints (thread_id, seq);

CREATE TABLE quaestor.writes (
    thread_id text COLLATE "C" NOT NULL,
    checkpoint_id text COLLATE "C" NOT NULL,
    task bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    index bigint NOT NULL,
    value json NOT NULL,
    PRIMARY KEY (thread_id, checkpoint_id, task, kind, index),
    FOREIGN KEY (thread_id, checkpoint_id) REFERENCES quaestor.checkpoints ON DELETE CASCADE);

CREATE TABLE quaestor.conversations (
    thread_id text COLLATE "C" PRIMARY KEY,
    changed bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    updated_at bigint NOT NULL);
CREATE TABLE quaestor.messages (
    thread_id text COLLATE "C" NOT NULL REFERENCES quaestor.conversations ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    role text NOT NULL,
    text text NOT NULL,
    data json NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (thread_id, id));
CREATE INDEX messages_by_thread ON quaestor.messages (thread_id, seq);

CREATE TABLE quaestor.runs (
    run_id text COLLATE "C" PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    thread_id text COLLATE "C" NOT NULL,
    graph text NOT NULL,
    status text NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint,
    input json NOT NULL,
    outcome json NOT NULL,
    trace json NOT NULL);
CREATE INDEX runs_by_start ON quaestor.runs (started_at, seq);
)sql",
                                                 R"sql(
ALTER TABLE quaestor.conversations
    ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN title text NOT NULL DEFAULT '',
    ADD COLUMN created_at bigint NOT NULL DEFAULT 0;
UPDATE quaestor.conversations conversation SET created_at = coalesce(
    (SELECT min(created_at) FROM quaestor.messages WHERE thread_id = conversation.thread_id), updated_at);
CREATE INDEX conversations_by_owner ON quaestor.conversations (owner, changed);

CREATE TABLE quaestor.feedback (
    id text COLLATE "C" PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    thread_id text COLLATE "C" NOT NULL,
    turn bigint NOT NULL,
    owner text COLLATE "C" NOT NULL,
    rating text NOT NULL,
    comment text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    UNIQUE (thread_id, turn, owner));
CREATE INDEX runs_by_thread ON quaestor.runs (thread_id, started_at);
)sql"};

constexpr int kVersion = static_cast<int>(kMigrations.size());

/// 0 where there is no schema yet.
Result<int> read_version(Connection& connection) {
    const auto found = connection.run(kHasMeta);
    if (!found) return fail(found.error());
    if (!found->boolean(0, 0)) return 0;
    const auto version = connection.run(kReadVersion);
    if (version && version->size() == 1) return static_cast<int>(version->integer(0, 0));
    if (!version && version.error().code != Code::internal) return fail(version.error());
    return fail(Code::corrupt, "the schema quaestor in this database was not made by Quaestor",
                "use another database, or drop that schema");
}

Result<> refuse_newer(int version) {
    if (version <= kVersion) return {};
    return fail(
        Code::unsupported,
        fmt::format("the store has schema version {}, and this Quaestor knows only up to {}", version, kVersion),
        "use the newer Quaestor that made it, or another database");
}

/// Between BEGIN and COMMIT.
Result<> migrate_locked(Connection& connection) {
    if (auto locked = connection.run_script(fmt::format("SELECT pg_advisory_xact_lock({})", kMigrationLock)); !locked) {
        return locked;
    }
    const auto version = read_version(connection);
    if (!version) return fail(version.error());
    if (auto known = refuse_newer(*version); !known) return known;
    for (int next = *version; next < kVersion; ++next) {
        if (auto done = connection.run_script(kMigrations[static_cast<std::size_t>(next)]); !done) return done;
    }
    return connection.run_script(fmt::format("UPDATE quaestor.meta SET version = {}", kVersion));
}

}  // namespace

Result<> migrate(Connection& connection) {
    // Looked at without the lock first: a user who may not create anything can still use tables that are up to date.
    const auto version = read_version(connection);
    if (!version) return fail(version.error());
    if (auto known = refuse_newer(*version); !known) return known;
    if (*version == kVersion) return {};

    auto done = connection.run_script("BEGIN");
    if (done) done = migrate_locked(connection);
    const auto ended = connection.run_script(done ? "COMMIT" : "ROLLBACK");
    if (done) done = ended;
    if (done || done.error().code != Code::timeout) return done;
    const Error locked{.code = Code::unavailable,
                       .message = "another program is changing the store's tables and does not finish",
                       .hint = "wait for it or stop it, then try again",
                       .cause = {}};
    return fail(locked.because(done.error()));
}

}  // namespace quaestor::store::postgres
