#include "data/sqlite/file.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace quaestor::data::sqlite {

namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

std::int64_t changed_at(const struct stat& entry) {
    return std::int64_t{entry.st_mtim.tv_sec} * kNanoseconds + entry.st_mtim.tv_nsec;
}

sqlite3_vfs* system_vfs() {
    static sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
    return vfs;
}

/// Files without a name are temporary ones, which live in memory (PRAGMA temp_store) and are never needed.
int open_for_reading(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* flags_out) {
    file->pMethods = nullptr;
    if (name == nullptr) return SQLITE_CANTOPEN;
    constexpr int kWriting =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE | SQLITE_OPEN_DELETEONCLOSE;
    return system_vfs()->xOpen(system_vfs(), name, file, (flags & ~kWriting) | SQLITE_OPEN_READONLY, flags_out);
}

int refuse_to_delete(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*sync*/) {
    return SQLITE_READONLY;
}

Error missing(const std::string& path, int problem) {
    if (problem == EACCES) {
        return {.code = Code::permission_denied,
                .message = fmt::format("{} may not be read by this user", path),
                .hint = "give this user leave to read the file and its folder"};
    }
    return {.code = Code::not_found,
            .message = fmt::format("there is no database file {}: {}", path, std::strerror(problem)),
            .hint = "check the path"};
}

}  // namespace

Result<FileState> look_at(const std::string& path) {
    struct stat entry{};
    if (path.find('\0') != std::string::npos) {
        return fail(Code::invalid_argument, "a path cannot hold a NUL character", "check the path");
    }
    if (stat(path.c_str(), &entry) != 0) return fail(missing(path, errno));
    if (!S_ISREG(entry.st_mode)) {
        return fail(Code::invalid_argument, fmt::format("{} is no file", path), "give the path of a SQLite file");
    }
    if (access(path.c_str(), R_OK) != 0) return fail(missing(path, errno));
    FileState state{.inode = entry.st_ino, .size = entry.st_size, .changed_at = changed_at(entry)};
    state.has_shared_memory = access((path + "-shm").c_str(), F_OK) == 0;
    if (stat((path + "-wal").c_str(), &entry) == 0) {
        state.has_wal = true;
        state.wal_size = entry.st_size;
        state.wal_changed_at = changed_at(entry);
    }
    return state;
}

std::string uri_of(const std::string& path, Access access) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(path).lexically_normal().string()) {
        if (std::string_view("%?#").contains(c)) {
            fmt::format_to(std::back_inserter(uri), "%{:02x}", static_cast<unsigned char>(c));
        } else {
            uri += c;
        }
    }
    // SQLite would create the -shm file of a database in WAL mode, even for a reader.
    return uri + (access == Access::frozen ? "?immutable=1" : "?readonly_shm=1");
}

const char* read_only_vfs() {
    static constexpr const char* kName = "quaestor-read-only";
    static const int registered = [] {
        static sqlite3_vfs vfs = *system_vfs();
        vfs.zName = kName;
        vfs.pNext = nullptr;
        vfs.xOpen = open_for_reading;
        vfs.xDelete = refuse_to_delete;
        return sqlite3_vfs_register(&vfs, 0);
    }();
    return registered == SQLITE_OK ? kName : nullptr;
}

}  // namespace quaestor::data::sqlite
