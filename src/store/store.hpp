// Durable state: checkpoints, conversations and the traces of runs, behind one contract with three backends.
// A Store owns its connections and its writer thread; destroying it finishes what was acknowledged and closes.
// Threads: every member may be called from any executor and never blocks the caller's thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/task.hpp"
#include "graph/checkpoint.hpp"
#include "store/conversation.hpp"
#include "store/trace.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <memory>
#include <string>

namespace quaestor::store {

enum class Backend { memory, sqlite, postgres };
BOOST_DESCRIBE_ENUM(Backend, memory, sqlite, postgres)

struct StoreSettings {
    Backend backend = Backend::sqlite;
    std::string path;     ///< SQLite: the file, made if it is not there (its folder must be)
    Secret url;           ///< PostgreSQL: postgres://user:password@host:port/database or a libpq connection string
    bool fsync = true;    ///< false: a power failure may lose the last commits, never the file (SQLite only)
    int connections = 4;  ///< PostgreSQL: connections for reading
    std::chrono::milliseconds timeout{10'000};  ///< for connecting, and for any one statement
};

/// What `quaestor doctor` shows of a store.
struct StoreHealth {
    std::string backend;   ///< "SQLite 3.40.1", "PostgreSQL 15.19"
    std::string location;  ///< path or URL, without its password
    int schema_version = 0;
    std::size_t threads = 0;
    std::size_t checkpoints = 0;
    std::size_t bytes = 0;  ///< size on disk; 0 where unknown
};
BOOST_DESCRIBE_STRUCT(StoreHealth, (), (backend, location, schema_version, threads, checkpoints, bytes))

class Store {
public:
    virtual ~Store() = default;
    [[nodiscard]] virtual graph::CheckpointStore& checkpoints() = 0;
    [[nodiscard]] virtual ConversationStore& conversations() = 0;
    [[nodiscard]] virtual TraceStore& traces() = 0;
    /// Reads and writes once, and tells what is there.
    virtual Task<Result<StoreHealth>> health() = 0;
};

/// Opens a store, making or migrating its schema. Blocks until it is open: call it before the event loop runs.
/// Code::unavailable: not reachable or locked. Code::corrupt: no database. Code::unsupported: made by a newer Quaestor.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const StoreSettings& settings);

}  // namespace quaestor::store
