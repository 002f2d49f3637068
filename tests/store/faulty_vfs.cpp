#include "faulty_vfs.hpp"

namespace quaestor::store {

/// A file as SQLite sees it; the real one lies behind it in the same piece of memory.
struct FaultyFile {
    sqlite3_file base;
    FaultyVfs* owner;

    static FaultyFile& of(sqlite3_file* file) { return *reinterpret_cast<FaultyFile*>(file); }
    static sqlite3_file* real(sqlite3_file* file) { return reinterpret_cast<sqlite3_file*>(&of(file) + 1); }
    static const sqlite3_io_methods& methods(sqlite3_file* file) { return *real(file)->pMethods; }

    /// The fault that is due, or what `operation` returns.
    template <class Operation>
    static int attempt(sqlite3_file* file, Operation operation) {
        const int fault = of(file).owner->next_operation();
        return fault != SQLITE_OK ? fault : operation();
    }

    static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
        auto& owner = *static_cast<FaultyVfs*>(vfs->pAppData);
        file->pMethods = nullptr;
        if (const int fault = owner.next_operation(); fault != SQLITE_OK) return fault;
        of(file).owner = &owner;
        const int code = owner.real_->xOpen(owner.real_, name, real(file), flags, out_flags);
        if (code == SQLITE_OK) file->pMethods = &kMethods;
        return code;
    }

    static int remove(sqlite3_vfs* vfs, const char* name, int sync) {
        auto& owner = *static_cast<FaultyVfs*>(vfs->pAppData);
        const int fault = owner.next_operation();
        return fault != SQLITE_OK ? fault : owner.real_->xDelete(owner.real_, name, sync);
    }

    static int read(sqlite3_file* file, void* into, int size, sqlite3_int64 at) {
        return attempt(file, [&] { return methods(file).xRead(real(file), into, size, at); });
    }
    static int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
        return attempt(file, [&] { return methods(file).xWrite(real(file), from, size, at); });
    }
    static int truncate(sqlite3_file* file, sqlite3_int64 size) {
        return attempt(file, [&] { return methods(file).xTruncate(real(file), size); });
    }
    static int sync(sqlite3_file* file, int flags) {
        ++of(file).owner->syncs_;
        return attempt(file, [&] { return methods(file).xSync(real(file), flags); });
    }

    static const sqlite3_io_methods kMethods;
};

const sqlite3_io_methods FaultyFile::kMethods{
    .iVersion = 2,
    .xClose = [](sqlite3_file* file) { return methods(file).xClose(real(file)); },
    .xRead = read,
    .xWrite = write,
    .xTruncate = truncate,
    .xSync = sync,
    .xFileSize = [](sqlite3_file* file, sqlite3_int64* size) { return methods(file).xFileSize(real(file), size); },
    .xLock = [](sqlite3_file* file, int level) { return methods(file).xLock(real(file), level); },
    .xUnlock = [](sqlite3_file* file, int level) { return methods(file).xUnlock(real(file), level); },
    .xCheckReservedLock = [](sqlite3_file* file,
                             int* held) { return methods(file).xCheckReservedLock(real(file), held); },
    .xFileControl = [](sqlite3_file* file, int what,
                       void* value) { return methods(file).xFileControl(real(file), what, value); },
    .xSectorSize = [](sqlite3_file* file) { return methods(file).xSectorSize(real(file)); },
    .xDeviceCharacteristics = [](sqlite3_file* file) { return methods(file).xDeviceCharacteristics(real(file)); },
    .xShmMap = [](sqlite3_file* file, int page, int size, int extend,
                  void volatile** memory) { return methods(file).xShmMap(real(file), page, size, extend, memory); },
    .xShmLock = [](sqlite3_file* file, int offset, int count,
                   int flags) { return methods(file).xShmLock(real(file), offset, count, flags); },
    .xShmBarrier = [](sqlite3_file* file) { methods(file).xShmBarrier(real(file)); },
    .xShmUnmap = [](sqlite3_file* file, int remove) { return methods(file).xShmUnmap(real(file), remove); },
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

FaultyVfs::FaultyVfs() : real_(sqlite3_vfs_find(nullptr)), vfs_(*real_) {
    vfs_.zName = "faulty";
    vfs_.szOsFile = static_cast<int>(sizeof(FaultyFile)) + real_->szOsFile;
    vfs_.pAppData = this;
    vfs_.xOpen = FaultyFile::open;
    vfs_.xDelete = FaultyFile::remove;
    sqlite3_vfs_register(&vfs_, 1);
}

FaultyVfs::~FaultyVfs() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real_, 1);
}

void FaultyVfs::fail_at(int place, Lasting lasting, int code) {
    lasts_ = lasting == Lasting::from_then_on;
    code_ = code;
    has_failed_ = false;
    until_fault_ = place;
}

void FaultyVfs::heal() {
    until_fault_ = 0;
}

/// The code with which the operation that begins now has to fail, or SQLITE_OK.
int FaultyVfs::next_operation() {
    int left = until_fault_;
    while (left > 0) {
        const bool is_due = left == 1;
        if (!until_fault_.compare_exchange_weak(left, is_due && lasts_ ? 1 : left - 1)) continue;
        if (!is_due) return SQLITE_OK;
        has_failed_ = true;
        return code_;
    }
    return SQLITE_OK;
}

}  // namespace quaestor::store
