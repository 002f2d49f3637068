// How a SQLite file is reached so that nothing is ever written to it or beside it, and what the file system says of it.
// Private to the SQLite engine.
// Threads: safe everywhere.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string>

namespace quaestor::data::sqlite {

/// A database file and what lies beside it. Two equal states mean that nothing has been committed in between, as far as
/// the file system's clock can tell.
struct FileState {
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t changed_at = 0;  ///< nanoseconds
    bool has_shared_memory = false;
    bool has_wal = false;
    std::int64_t wal_size = 0;
    std::int64_t wal_changed_at = 0;

    bool operator==(const FileState&) const = default;
};

/// Code::not_found, Code::permission_denied, Code::invalid_argument when it is no plain file.
[[nodiscard]] Result<FileState> look_at(const std::string& path);

/// How a connection keeps out of the way of others.
enum class Access {
    locking,  ///< with SQLite's locks; a write-ahead log is read through the shared memory of whoever writes
    frozen,   ///< without locks: right only as long as nobody changes the file
};

/// The file as sqlite3_open_v2() takes it with SQLITE_OPEN_URI.
[[nodiscard]] std::string uri_of(const std::string& path, Access access);

/// The name of a VFS that opens existing files for reading, and neither creates nor deletes any, whatever SQLite asks
/// for: journals, write-ahead logs, temporary files.
[[nodiscard]] const char* read_only_vfs();

}  // namespace quaestor::data::sqlite
