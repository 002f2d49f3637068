// A process of crash_child, and what it told before it ended or was killed.
// Whoever makes it owns it: the destructor kills the process.
// Threads: one.
#pragma once

#include "base/json.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace quaestor::crash {

/// A checkpoint of which somebody was told that it is stored.
struct Acknowledged {
    std::string id;
    std::int64_t step = 0;
};

class Child {
public:
    Child(std::string location, std::string thread_id, std::string durability = "sync") {
        std::string program = CRASH_CHILD;
        char* const words[] = {program.data(), location.data(), thread_id.data(), durability.data(), nullptr};
        std::array<int, 2> pipe{};
        if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
        output_ = pipe[0];
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
        const int failure = posix_spawn(&pid_, words[0], &actions, nullptr, words, environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(pipe[1]);
        if (failure == 0) return;
        ::close(output_);
        throw std::runtime_error("could not start " + program);
    }
    ~Child() {
        kill();
        ::close(output_);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Reads until there are so many lines, or the process has ended.
    void read_lines(std::size_t count) {
        while (lines_.size() < count && read_some()) {
        }
    }

    /// Reads until so much time has passed, or the process has ended.
    void read_for(std::chrono::microseconds duration) {
        using std::chrono::steady_clock;
        const auto end = steady_clock::now() + duration;
        for (auto now = steady_clock::now(); now < end; now = steady_clock::now()) {
            pollfd arrived{.fd = output_, .events = POLLIN, .revents = 0};
            const timespec left{.tv_sec = (end - now) / std::chrono::seconds(1),
                                .tv_nsec = (end - now) % std::chrono::seconds(1) / std::chrono::nanoseconds(1)};
            if (::ppoll(&arrived, 1, &left, nullptr) == 1 && !read_some()) return;
        }
    }

    /// Kills the process, unless it has ended, and reads what it had told.
    void kill() {
        if (pid_ >= 0) ::kill(pid_, SIGKILL);
        wait();
    }

    /// Reads until the process has ended.
    void wait() {
        while (read_some()) {
        }
        if (pid_ >= 0) ::waitpid(std::exchange(pid_, -1), &status_, 0);
    }

    /// After kill() or wait(): false when it ended by itself.
    [[nodiscard]] bool was_killed() const { return WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL; }

    /// The checkpoints that it told of, in order.
    [[nodiscard]] std::vector<Acknowledged> acknowledged() const {
        std::vector<Acknowledged> told;
        for (const auto& line : lines_) {
            std::istringstream words(line);
            std::string kind;
            Acknowledged checkpoint;
            if (words >> kind >> checkpoint.id >> checkpoint.step && kind == "checkpoint") told.push_back(checkpoint);
        }
        return told;
    }

    /// The state in which the run finished, if it did.
    [[nodiscard]] std::optional<json::value> end() const {
        constexpr std::string_view kFinished = "finished ";
        if (lines_.empty() || !lines_.back().starts_with(kFinished)) return std::nullopt;
        return parse_json(lines_.back().substr(kFinished.size())).value();
    }

private:
    /// False at the end of the output.
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

}  // namespace quaestor::crash
