// Connections to one SQLite file, one per running query, kept for the next while the file stays as it is.
// Private to the SQLite engine; whoever takes a connection gives it back before the pool ends.
// Threads: all members may be called from several threads at once.
#pragma once

#include "base/error.hpp"
#include "data/sqlite/connection.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace quaestor::data::sqlite {

/// Connections that are kept while nobody uses them.
inline constexpr std::size_t kIdleConnectionsMax = 4;

class Pool {
public:
    Pool(std::string path, std::size_t memory_limit) : path_(std::move(path)), memory_limit_(memory_limit) {}

    struct GiveBack {
        Pool* pool = nullptr;
        void operator()(Connection* connection) const { pool->give_back(std::unique_ptr<Connection>(connection)); }
    };
    using Lease = std::unique_ptr<Connection, GiveBack>;

    /// A connection to the file as it is now. One that was opened before the file changed is not used again: how the
    /// file may be read (see Access) depends on its state.
    [[nodiscard]] Result<Lease> take();

private:
    void give_back(std::unique_ptr<Connection> connection);

    std::string path_;
    std::size_t memory_limit_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Connection>> idle_;
};

}  // namespace quaestor::data::sqlite
