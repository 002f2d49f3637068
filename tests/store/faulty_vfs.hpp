// SQLite's way to the disk, with faults: the Nth operation fails, or the Nth and all after it.
// While a FaultyVfs lives, every SQLite file that is opened goes through it; close them before it ends.
// Threads: SQLite calls it from any thread; the test sets faults from its own.
#pragma once

#include <sqlite3.h>

#include <atomic>

namespace quaestor::store {

class FaultyVfs {
public:
    enum class Lasting { once, from_then_on };

    FaultyVfs();
    ~FaultyVfs();
    FaultyVfs(const FaultyVfs&) = delete;
    FaultyVfs& operator=(const FaultyVfs&) = delete;

    /// Operation number `place` from now, counted from 1, fails with `code`. Operations open, read, write, resize, sync
    /// or delete a file.
    void fail_at(int place, Lasting lasting = Lasting::once, int code = SQLITE_IOERR);
    /// No more faults.
    void heal();
    /// True when a fault has happened since fail_at().
    [[nodiscard]] bool has_failed() const { return has_failed_; }

    /// Files brought to the disk so far.
    [[nodiscard]] int syncs() const { return syncs_; }

private:
    friend struct FaultyFile;
    int next_operation();

    sqlite3_vfs* real_;
    sqlite3_vfs vfs_;
    std::atomic<int> until_fault_ = 0;  ///< operations left before the fault; 0: no fault is set
    std::atomic<bool> lasts_ = false;
    std::atomic<int> code_ = SQLITE_IOERR;
    std::atomic<bool> has_failed_ = false;
    std::atomic<int> syncs_ = 0;
};

}  // namespace quaestor::store
