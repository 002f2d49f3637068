// Every operation on the disk fails once: the first, the second, and so on until a whole scenario meets no fault.
// After each the store tells an error or carries on, what it acknowledged is there, and it can be used again.

#include "conformance.hpp"
#include "faulty_vfs.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace quaestor::store {

namespace {

using Lasting = FaultyVfs::Lasting;
using testing::AnyOf;

/// More operations than any scenario here needs; a bound for the loops.
constexpr int kFaultsMax = 5'000;

StoreSettings impatient_settings(const std::string& path) {
    StoreSettings settings;
    settings.path = path;
    settings.timeout = std::chrono::milliseconds(10);
    return settings;
}

/// Stores a chain of checkpoints, each on the last that was acknowledged, and returns the acknowledged ids.
std::vector<std::string> store_chain(Store& store) {
    std::vector<std::string> acknowledged;
    for (int n = 0; n < 8; ++n) {
        Draft draft("t", fmt::format("c{}", n));
        if (!acknowledged.empty()) draft.after(acknowledged.back());
        draft.append("log", {n}).set("text", json::value(std::string(5'000, 'x')));  // more than a page
        if (run_to_end(store.checkpoints().put(draft))) acknowledged.emplace_back(fmt::format("c{}", n));
    }
    return acknowledged;
}

void expect_all_there(Store& store, const std::vector<std::string>& acknowledged) {
    for (std::size_t n = 0; n < acknowledged.size(); ++n) {
        const auto saved = wait(store.checkpoints().get("t", acknowledged[n]));
        ASSERT_TRUE(saved.has_value()) << acknowledged[n];
        ASSERT_EQ(saved->state.at("log").as_array().size(), n + 1);
    }
}

class SqliteFaults : public testing::Test {
protected:
    /// Runs `scenario(path)` in an empty folder with operation 1, 2, 3, … failing, until none fails any more.
    template <class Scenario>
    void for_every_fault(Lasting lasting, int code, Scenario scenario) {
        for (int place = 1; place < kFaultsMax; ++place) {
            SCOPED_TRACE(fmt::format("operation {} fails", place));
            const TemporaryFolder folder;
            vfs.heal();
            scenario(folder.file("store.db"), [&] { vfs.fail_at(place, lasting, code); });
            if (HasFatalFailure() || !vfs.has_failed()) {
                EXPECT_GT(place, 10);
                return;
            }
        }
        FAIL() << "the scenario never ended";
    }

    FaultyVfs vfs;
};

}  // namespace

TEST_F(SqliteFaults, OfOpeningAreErrorsAndTheNextOpeningWorks) {
    for_every_fault(Lasting::once, SQLITE_IOERR, [&](const std::string& path, auto begin_faults) {
        begin_faults();
        {
            const auto store = open_store(impatient_settings(path));
            if (!store) {
                EXPECT_THAT(store.error().code, AnyOf(Code::unavailable, Code::corrupt, Code::permission_denied));
            }
        }
        const bool failed = vfs.has_failed();
        vfs.heal();
        const auto store = unwrap(open_store(impatient_settings(path)));
        wait(store->checkpoints().put(Draft("t", "c1").snapshot()));
        EXPECT_EQ(failed, vfs.has_failed());
    });
}

TEST_F(SqliteFaults, OfWritingLoseNothingAcknowledgedAndTheStoreCarriesOn) {
    for_every_fault(Lasting::once, SQLITE_IOERR, [&](const std::string& path, auto begin_faults) {
        auto store = unwrap(open_store(impatient_settings(path)));
        begin_faults();
        const auto acknowledged = store_chain(*store);
        EXPECT_GE(acknowledged.size(), 6u);
        if (vfs.has_failed()) expect_all_there(*store, acknowledged);
        // Otherwise the fault is still to come, and may come while the store is closed.
        store.reset();
        vfs.heal();
        store = unwrap(open_store(impatient_settings(path)));
        expect_all_there(*store, acknowledged);
    });
}

TEST_F(SqliteFaults, OfADiskThatIsGoneAreErrorsAndNothingAcknowledgedIsLost) {
    for_every_fault(Lasting::from_then_on, SQLITE_IOERR, [&](const std::string& path, auto begin_faults) {
        auto store = unwrap(open_store(impatient_settings(path)));
        begin_faults();
        const auto acknowledged = store_chain(*store);
        store.reset();
        vfs.heal();
        store = unwrap(open_store(impatient_settings(path)));
        expect_all_there(*store, acknowledged);
        wait(store->checkpoints().put(Draft("t", "after").snapshot()));
    });
}

TEST_F(SqliteFaults, OfAFullDiskAreErrorsUntilThereIsRoomAgain) {
    for_every_fault(Lasting::from_then_on, SQLITE_FULL, [&](const std::string& path, auto begin_faults) {
        const auto store = unwrap(open_store(impatient_settings(path)));
        begin_faults();
        const auto acknowledged = store_chain(*store);
        if (vfs.has_failed()) {
            EXPECT_FALSE(run_to_end(store->checkpoints().put(Draft("t", "full").snapshot())));
        }
        vfs.heal();
        wait(store->checkpoints().put(Draft("t", "room").snapshot()));
        expect_all_there(*store, acknowledged);
    });
}

TEST_F(SqliteFaults, OfPruningLeaveAllOrTheWholeResult) {
    for_every_fault(Lasting::once, SQLITE_IOERR, [&](const std::string& path, auto begin_faults) {
        {
            const auto store = unwrap(open_store(impatient_settings(path)));
            ASSERT_EQ(store_chain(*store).size(), 8u);
        }
        bool pruned = false;
        {
            const auto store = unwrap(open_store(impatient_settings(path)));
            begin_faults();
            pruned = run_to_end(store->checkpoints().prune({.thread_id = "t", .keep_last = 2, .older_than = {}}))
                         .has_value();
        }
        vfs.heal();
        const auto store = unwrap(open_store(impatient_settings(path)));
        const auto left = wait(store->checkpoints().list({})).size();
        EXPECT_THAT(left, pruned ? AnyOf(2u, 2u) : AnyOf(2u, 8u));
        for (std::size_t n = 8 - left; n < 8; ++n) {
            const auto saved = wait(store->checkpoints().get("t", fmt::format("c{}", n)));
            ASSERT_EQ(saved->state.at("log").as_array().size(), n + 1);
        }
    });
}

TEST_F(SqliteFaults, OfAGroupWithAWrongChangeLoseNothingAcknowledged) {
    for_every_fault(Lasting::once, SQLITE_IOERR, [&](const std::string& path, auto begin_faults) {
        std::vector<std::string> acknowledged;
        {
            const auto store = unwrap(open_store(impatient_settings(path)));
            begin_faults();
            asio::io_context loop(1);
            for (int n = 0; n < 8; ++n) {
                const auto id = fmt::format("c{}", n);
                asio::co_spawn(loop, store->checkpoints().put(Draft("t", id).snapshot().set("n", n)),
                               [&, id](std::exception_ptr, const Result<>& stored) {
                                   if (stored) acknowledged.push_back(id);
                               });
                asio::co_spawn(loop, store->checkpoints().put_writes("t", "missing", {}),
                               [](std::exception_ptr, const Result<>& stored) { EXPECT_FALSE(stored); });
            }
            loop.run();
        }
        vfs.heal();
        const auto store = unwrap(open_store(impatient_settings(path)));
        for (const auto& id : acknowledged) ASSERT_TRUE(wait(store->checkpoints().get("t", id)).has_value()) << id;
    });
}

TEST_F(SqliteFaults, OfReadingAreErrorsAndTheNextReadWorks) {
    for_every_fault(Lasting::once, SQLITE_IOERR, [&](const std::string& path, auto begin_faults) {
        std::vector<std::string> acknowledged;
        {
            const auto store = unwrap(open_store(impatient_settings(path)));
            acknowledged = store_chain(*store);
        }
        const auto store = unwrap(open_store(impatient_settings(path)));
        begin_faults();
        const auto read = run_to_end(store->checkpoints().get("t"));
        EXPECT_EQ(read.has_value(), !vfs.has_failed());
        if (read) {
            EXPECT_EQ((*read)->state.at("log").as_array().size(), 8u);
        }
        const bool failed = vfs.has_failed();
        vfs.heal();
        expect_all_there(*store, acknowledged);
        EXPECT_EQ(failed, vfs.has_failed());
    });
}

}  // namespace quaestor::store
