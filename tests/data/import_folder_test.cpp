#include "base/json.hpp"
#include "base/log.hpp"
#include "data/import_kit.hpp"

#include <fmt/format.h>

#include <atomic>
#include <barrier>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class FolderImport : public ImportTest {
protected:
    FolderImport() {
        fs::create_directory(path("data"));
        redirect_log([this](std::string_view line) { log_ += line; });
    }
    ~FolderImport() override { redirect_log({}); }

    [[nodiscard]] Result<std::string> open(const ImportOptions& options = {}) const {
        return cached_folder(path("data"), path("cache"), options);
    }
    [[nodiscard]] std::vector<std::string> tables(const std::string& file) const {
        return ask_file(file, "SELECT table_name FROM duckdb_tables() ORDER BY 1");
    }
    [[nodiscard]] std::vector<std::string> databases() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::recursive_directory_iterator(path("cache"))) {
            if (entry.path().extension() == ".duckdb") found.push_back(entry.path().string());
        }
        return found;
    }
    [[nodiscard]] json::value manifest() const {
        for (const auto& entry : fs::recursive_directory_iterator(path("cache"))) {
            if (entry.path().filename() == "manifest.json")
                return parse_json(read_whole(entry.path().string())).value();
        }
        return nullptr;
    }

    std::string log_;
};

TEST_F(FolderImport, MakesATableOfEachFileAndPrefixesThoseOfSubFolders) {
    write("data/sales.csv", "a\n1\n");
    write("data/sales.json", "[{\"a\": 2}]");
    write("data/2024/Jan Sales.csv", "a\n3\n");
    write("data/2024/deep/er.jsonl", "{\"a\": 4}\n");
    write("data/notes.txt", "nothing to read");
    write("data/.hidden.csv", "a\n1\n");
    write("data/.git/x.csv", "a\n1\n");
    const auto file = open().value();
    EXPECT_THAT(tables(file), ElementsAre("sales", "sales_2", "t_2024_deep_er", "t_2024_jan_sales"));
    EXPECT_THAT(ask_file(file, "SELECT a FROM t_2024_jan_sales"), ElementsAre("3"));
}

TEST_F(FolderImport, IsMadeAgainOnlyWhenAFileCameWentOrChanged) {
    int reads = 0;
    const ImportOptions counting{.progress = [&](std::string_view, double) { ++reads; }};
    write("data/a.csv", "x\n1\n");
    const auto first = open(counting).value();
    EXPECT_GT(std::exchange(reads, 0), 0);
    EXPECT_EQ(open(counting).value(), first);
    EXPECT_EQ(reads, 0);

    write("data/b.csv", "x\n2\n");
    const auto second = open(counting).value();
    EXPECT_GT(std::exchange(reads, 0), 0);
    EXPECT_THAT(tables(second), ElementsAre("a", "b"));

    write("data/a.csv", "x\n10\n");
    EXPECT_THAT(ask_file(open(counting).value(), "SELECT x FROM a"), ElementsAre("10"));
    EXPECT_GT(std::exchange(reads, 0), 0);

    fs::remove(path("data/b.csv"));
    EXPECT_THAT(tables(open(counting).value()), ElementsAre("a"));
    EXPECT_THAT(databases(), SizeIs(1)) << "the old ones are removed";
}

TEST_F(FolderImport, SeesAFileOfTheSameSizeAndTimeThatIsAnother) {
    const auto file = write("data/a.csv", "x\n1\n");
    static_cast<void>(open().value());
    const auto time = fs::last_write_time(file);
    write("data/new.tmp", "x\n2\n");
    fs::rename(path("data/new.tmp"), file);
    fs::last_write_time(file, time);
    EXPECT_THAT(ask_file(open().value(), "SELECT x FROM a"), ElementsAre("2"));
}

TEST_F(FolderImport, LeavesADatabaseToThoseWhoReadIt) {
    write("data/a.csv", "x\n1\n");
    const auto old_file = open().value();
    const auto database = duck::Database::open(old_file, {{"access_mode", "READ_ONLY"}}).value();
    const auto connection = database.connect().value();
    write("data/a.csv", "x\n22\n");
    const auto new_file = open().value();
    EXPECT_NE(new_file, old_file);
    auto rows = connection.query("SELECT x FROM a").value();
    EXPECT_EQ(rows.next().value()->integer(0, 0), 1);
    EXPECT_THAT(ask_file(new_file, "SELECT x FROM a"), ElementsAre("22"));
}

TEST_F(FolderImport, PassesOverFilesThatCannotBeReadAndSaysSo) {
    write("data/good.csv", "x\n1\n");
    write("data/bad.json", "[{");
    write("data/bad.parquet", "PAR1 and then nothing");
    write("data/late.csv", "x\n2\n");
    const auto file = open().value();
    EXPECT_THAT(tables(file), ElementsAre("good", "late"));
    const auto kept = manifest();
    ASSERT_EQ(kept.at("passed_over").as_array().size(), 2U);
    EXPECT_EQ(kept.at("passed_over").at(0).at("file").as_string(), "bad.json");
    EXPECT_THAT(log_, HasSubstr("bad.parquet"));
}

TEST_F(FolderImport, IsAnErrorWhenNothingCanBeRead) {
    EXPECT_EQ(open().error().code, Code::not_found);
    write("data/bad.json", "[{");
    const auto bad = open();
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, Code::not_found);
    EXPECT_THAT(bad.error().describe(), HasSubstr("bad.json"));
    EXPECT_EQ(cached_folder(path("nowhere"), path("cache"), {}).error().code, Code::not_found);
    EXPECT_EQ(cached_folder(write("file", "x"), path("cache"), {}).error().code, Code::not_found);
    EXPECT_THAT(databases(), SizeIs(0));
}

TEST_F(FolderImport, DoesNotFollowLinksOutOfTheFolder) {
    write("outside/secret.csv", "x\n1\n");
    write("data/inside.csv", "x\n1\n");
    fs::create_symlink(path("outside/secret.csv"), path("data/file_link.csv"));
    fs::create_directory_symlink(path("outside"), path("data/folder_link"));
    fs::create_symlink("inside.csv", path("data/inner_link.csv"));
    fs::create_symlink("nowhere.csv", path("data/broken_link.csv"));
    fs::create_directory_symlink(path("data"), path("data/loop"));
    EXPECT_THAT(tables(open().value()), ElementsAre("inner_link", "inside"));
}

TEST_F(FolderImport, KeepsFoldersApart) {
    write("data/a.csv", "x\n1\n");
    write("other/a.csv", "x\n2\n");
    const auto one = open().value();
    const auto other = cached_folder(path("other"), path("cache"), {}).value();
    EXPECT_THAT(ask_file(one, "SELECT x FROM a"), ElementsAre("1"));
    EXPECT_THAT(ask_file(other, "SELECT x FROM a"), ElementsAre("2"));
    EXPECT_EQ(cached_folder(path("data/../data"), path("cache"), {}).value(), one);
}

TEST_F(FolderImport, RecoversFromABrokenCache) {
    write("data/a.csv", "x\n1\n");
    const auto file = open().value();
    const auto manifest_file = fs::path(file).parent_path() / "manifest.json";
    write(manifest_file.lexically_relative(folder_).string(), "{ not json");
    EXPECT_THAT(ask_file(open().value(), "SELECT x FROM a"), ElementsAre("1"));
    close();
    fs::remove(file);
    EXPECT_THAT(ask_file(open().value(), "SELECT x FROM a"), ElementsAre("1"));
}

TEST_F(FolderImport, IsMadeByOneOfSeveralThreadsAtOnce) {
    for (int file = 0; file < 5; ++file) write(fmt::format("data/f{}.csv", file), "x\n1\n2\n");
    constexpr int kThreads = 4;
    std::vector<Result<std::string>> files(kThreads, fail(Code::internal, "not run"));
    std::atomic_int reads = 0;
    std::barrier together(kThreads);
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < kThreads; ++thread) {
            threads.emplace_back([&, thread] {
                bool told = false;
                const ImportOptions options{.progress = [&](std::string_view, double) {
                    if (!std::exchange(told, true)) ++reads;
                }};
                together.arrive_and_wait();
                files[static_cast<std::size_t>(thread)] = open(options);
            });
        }
    }
    for (const auto& file : files) EXPECT_EQ(file.value(), files[0].value());
    EXPECT_EQ(reads, 1);
    EXPECT_THAT(tables(files[0].value()), SizeIs(5));
}

TEST_F(FolderImport, IsMadeBySeveralProcessesAtOnce) {
    for (int file = 0; file < 5; ++file) write(fmt::format("data/f{}.csv", file), "x\n1\n2\n");
    std::vector<pid_t> children;
    for (int child = 0; child < 3; ++child) {
        const pid_t pid = fork();
        ASSERT_GE(pid, 0);
        if (pid == 0) _exit(open() ? 0 : 1);
        children.push_back(pid);
    }
    for (const pid_t child : children) {
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_THAT(tables(open().value()), SizeIs(5));
    EXPECT_THAT(databases(), SizeIs(1));
}

TEST_F(FolderImport, LeavesNothingWhenItIsStopped) {
    std::string text = "id\n";
    for (int row = 0; row < 50'000; ++row) text += fmt::format("{}\n", row);
    write("data/a.csv", text);
    CancelSource source;
    const ImportOptions options{.progress =
                                    [&](std::string_view, double done) {
                                        if (done > 0.5) source.cancel(CancelReason::user_request);
                                    },
                                .stop = source.token()};
    EXPECT_EQ(open(options).error().code, Code::cancelled);
    EXPECT_THAT(databases(), SizeIs(0));
    EXPECT_THAT(ask_file(open().value(), "SELECT count(*) FROM a"), ElementsAre("50000"));
}

}  // namespace

}  // namespace quaestor::data
