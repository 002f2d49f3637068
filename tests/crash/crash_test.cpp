#include "crash_graph.hpp"
#include "kit/postgres_server.hpp"
#include "store/memory.hpp"
#include "store/temporary_folder.hpp"

#include <boost/asio/detached.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <poll.h>
#include <set>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quaestor::crash {

namespace {

using graph::AnyResult;
using graph::Durability;
using graph::RunStatus;
using std::chrono::microseconds;
using std::chrono::steady_clock;
using test::PostgresServer;
using testing::HasSubstr;

template <class T>
T unwrap(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().describe());
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::unique_ptr<store::Store> open(const std::string& location) {
    return unwrap(store::open_store(settings_for(location)));
}

/// States by step.
using History = std::map<std::int64_t, json::object>;

/// What a run goes through when nobody disturbs it.
History undisturbed(int rounds) {
    const auto store = store::open_memory();
    auto& checkpoints = store->checkpoints();
    graph::RunOptions options;
    options.thread_id = "undisturbed";
    options.checkpoints = &checkpoints;
    const auto result = run_to_end(run_or_resume(*make_graph(), rounds, options));
    if (result.error) throw std::runtime_error(result.error->describe());

    History history;
    for (const auto& info : unwrap(run_to_end(checkpoints.list({.limit = 1'000})))) {
        const auto saved = unwrap(run_to_end(checkpoints.get(info.thread_id, info.id)));
        history[saved->metadata.at("step").as_int64()] = saved->state;
    }
    return history;
}

TEST(CrashGraph, DoesEveryEffectOnceInTwentySteps) {
    const auto history = undisturbed(kRoundsDefault);
    EXPECT_EQ(history.size(), 21U);  // the input and 20 steps
    const auto& end = history.rbegin()->second;
    std::set<std::string> effects;
    for (const auto& effect : end.at("effects").as_array()) effects.emplace(effect.as_string());
    EXPECT_EQ(effects.size(), 27U);
    EXPECT_EQ(end.at("effects").as_array().size(), effects.size());
    EXPECT_EQ(end.at("counter"), json::value(effects.size()));
}

/// A checkpoint of which somebody was told that it is stored.
struct Acknowledged {
    std::string id;
    std::int64_t step = 0;
};

/// A thread of the store, and what was told of it by all processes or calls that worked on it.
struct Run {
    std::string thread_id;
    std::vector<Acknowledged> acknowledged;
};

/// Every acknowledged checkpoint is there with the state of its step, and none was made a second time.
void expect_kept(store::Store& store, const Run& run, const History& history) {
    std::int64_t last = -1;
    for (const auto& [id, step] : run.acknowledged) {
        const auto saved = unwrap(run_to_end(store.checkpoints().get(run.thread_id, id)));
        ASSERT_TRUE(saved) << "checkpoint " << id << " of step " << step << " is lost";
        EXPECT_EQ(saved->state, history.at(step)) << "step " << step;
        EXPECT_GT(step, last) << "a step whose checkpoint was acknowledged has run again";
        last = step;
    }
}

/// A process of crash_child; killed at the latest when this object goes.
class Child {
public:
    Child(std::string location, std::string thread_id) {
        std::string program = CRASH_CHILD;
        std::string durability = "sync";
        char* const words[] = {program.data(), location.data(), thread_id.data(), durability.data(), nullptr};
        std::array<int, 2> pipe{};
        posix_spawn_file_actions_t actions;
        if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
        output_ = pipe[0];
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
        const int failed = posix_spawn(&pid_, words[0], &actions, nullptr, words, environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(pipe[1]);
        if (failed != 0) throw std::runtime_error("could not start " + program);
    }
    ~Child() {
        kill();
        ::close(output_);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Reads until there are so many lines, or its output has ended.
    void read_lines(std::size_t count) {
        while (lines_.size() < count && read_some()) {
        }
    }

    /// Reads until so much time has passed, or its output has ended.
    void read_for(microseconds duration) {
        const auto end = steady_clock::now() + duration;
        for (auto left = duration; left.count() > 0; left = std::chrono::ceil<microseconds>(end - steady_clock::now())) {
            pollfd arrived{.fd = output_, .events = POLLIN, .revents = 0};
            const timespec timeout{.tv_sec = left.count() / 1'000'000, .tv_nsec = left.count() % 1'000'000 * 1'000};
            if (ppoll(&arrived, 1, &timeout, nullptr) > 0 && !read_some()) return;
        }
    }

    /// Kills it, unless it has ended, and reads what it had told before. Returns the status of waitpid().
    int kill() {
        if (pid_ < 0) return status_;
        ::kill(pid_, SIGKILL);
        return wait();
    }

    int wait() {
        while (read_some()) {
        }
        ::waitpid(std::exchange(pid_, -1), &status_, 0);
        return status_;
    }

    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

private:
    bool read_some() {
        std::array<char, 4096> buffer{};
        const auto size = ::read(output_, buffer.data(), buffer.size());
        if (size <= 0) return false;
        unfinished_.append(buffer.data(), static_cast<std::size_t>(size));
        for (auto end = unfinished_.find('\n'); end != std::string::npos; end = unfinished_.find('\n')) {
            lines_.push_back(unfinished_.substr(0, end));
            unfinished_.erase(0, end + 1);
        }
        return true;
    }

    pid_t pid_ = -1;
    int output_ = -1;
    int status_ = 0;
    std::string unfinished_;
    std::vector<std::string> lines_;
};

/// Runs of one store whose processes are killed again and again until each has come to its end.
class Ordeal {
public:
    Ordeal(std::string location, std::uint64_t seed) : location_(std::move(location)), random_(seed) {
        for (auto& run : open_runs_) run = next_run();
    }

    /// Kills so many processes, each at a place of its own, and looks at the store after each.
    void kill(int count) {
        while (kills_ < count && !testing::Test::HasFailure()) {
            Run& run = open_runs_.at(random_.below(open_runs_.size()));
            Child child = start(run);
            child.read_lines(random_.below(kLinesMax + 1));
            child.read_for(microseconds(random_.below(kPauseMax)));
            const int status = child.kill();
            kills_ += WIFSIGNALED(status) ? 1 : 0;
            hear(run, child, status);
            expect_kept(*open(location_), run, history_);
            checked_ += run.acknowledged.size();
        }
    }

    /// Lets every run that was begun come to its end.
    void finish() {
        for (auto& run : open_runs_) {
            if (testing::Test::HasFailure()) return;
            Child child = start(run);
            hear(run, child, child.wait());
        }
        const auto store = open(location_);
        unwrap(run_to_end(store->health()));
        for (const auto& run : finished_) {
            expect_kept(*store, run, history_);
            checked_ += run.acknowledged.size();
        }
        fmt::print("{} kills, {} acknowledged checkpoints checked, {} resumes, {} runs finished\n", kills_, checked_,
                   resumes_, finished_.size());
    }

private:
    static constexpr std::uint64_t kLinesMax = 8;       ///< of about 22 that a run tells
    static constexpr std::uint64_t kPauseMax = 3'000;   ///< microseconds; a step takes less

    Run next_run() { return {.thread_id = fmt::format("run-{}", ++runs_)}; }

    Child start(const Run& run) {
        resumes_ += run.acknowledged.empty() ? 0 : 1;
        return {location_, run.thread_id};
    }

    /// Takes down what a process told before it ended. A run that it finished gives its place to a new one.
    void hear(Run& run, const Child& child, int status) {
        std::optional<std::string> end;
        for (const auto& line : child.lines()) {
            const auto words = split(line);
            if (words.front() == "checkpoint") run.acknowledged.push_back({words.at(1), std::stoll(words.at(2))});
            if (words.front() == "finished") end = words.at(1);
        }
        if (end) {
            EXPECT_EQ(unwrap(parse_json(*end)), json::value(history_.rbegin()->second));
            finished_.push_back(std::exchange(run, next_run()));
        } else {
            EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the process failed by itself";
        }
    }

    const History history_ = undisturbed(kRoundsDefault);
    std::string location_;
    SeededRandom random_;
    int runs_ = 0;
    std::array<Run, 4> open_runs_;
    std::vector<Run> finished_;
    int kills_ = 0;
    int resumes_ = 0;
    std::size_t checked_ = 0;
};

}  // namespace

}  // namespace quaestor::crash
