#include "program.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quaestor::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kTimeout{240};  // a loaded machine with sanitizers; well below ctest's own limit
constexpr int kSignalled = 128;

/// Both ends of a pipe; what is still open is closed at the end.
struct Pipe {
    std::array<int, 2> ends{-1, -1};

    Pipe() {
        if (pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
    }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    [[nodiscard]] int reading() const { return ends[0]; }
    [[nodiscard]] int writing() const { return ends[1]; }
    void close_end(std::size_t end) {
        if (ends.at(end) >= 0) close(ends.at(end));
        ends.at(end) = -1;
    }
};

class FileActions {
public:
    FileActions() { posix_spawn_file_actions_init(&actions_); }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;

    void connect(const std::string& file, const Pipe& pipe, int target) {
        if (file.empty()) {
            posix_spawn_file_actions_adddup2(&actions_, pipe.writing(), target);
        } else {
            posix_spawn_file_actions_addopen(&actions_, target, file.c_str(), O_WRONLY, 0);
        }
    }
    void set_input(const std::string& file) {
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, file.empty() ? "/dev/null" : file.c_str(), O_RDONLY,
                                         0);
    }
    void set_folder(const std::filesystem::path& folder) {
        posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    }
    [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

std::vector<std::string> environment_of(const ProgramCall& call) {
    std::map<std::string, std::string> variables{
        {"HOME", call.folder.string()}, {"XDG_DATA_HOME", call.folder.string()}, {"NO_COLOR", "1"}};
    for (const char* name : {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"}) {
        if (const char* value = std::getenv(name)) variables.emplace(name, value);
    }
    for (const auto& [name, value] : call.environment) variables.insert_or_assign(name, value);
    std::vector<std::string> lines;
    for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
    return lines;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (auto& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

Result<pid_t> start(const ProgramCall& call, const Pipe& output, const Pipe& errors) {
    std::vector<std::string> words{QUAESTOR_PROGRAM};
    words.insert(words.end(), call.arguments.begin(), call.arguments.end());
    auto environment = environment_of(call);
    FileActions actions;
    actions.set_input(call.input_file);
    actions.set_folder(call.folder);
    actions.connect(call.output_file, output, STDOUT_FILENO);
    actions.connect(call.error_file, errors, STDERR_FILENO);
    pid_t process = 0;
    const int problem = posix_spawn(&process, QUAESTOR_PROGRAM, actions.get(), nullptr, pointers(words).data(),
                                    pointers(environment).data());
    if (problem == 0) return process;
    return fail(Code::unavailable, fmt::format("could not start {}: {}", QUAESTOR_PROGRAM, std::strerror(problem)));
}

/// Appends what is there to read; false at the end of the stream.
bool read_some(int stream, std::string& text) {
    std::array<char, 4096> buffer{};
    const ssize_t count = read(stream, buffer.data(), buffer.size());
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
}

/// Reads both streams to their end, sending the signal on the way; false when that takes too long.
bool collect(const ProgramCall& call, pid_t process, const Pipe& output, const Pipe& errors, ProgramEnd& end) {
    const auto give_up_at = Clock::now() + kTimeout;
    bool must_signal = call.signal != 0;
    std::array<pollfd, 2> streams{pollfd{output.reading(), POLLIN, 0}, pollfd{errors.reading(), POLLIN, 0}};
    std::array<std::string*, 2> texts{&end.output, &end.errors};
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(give_up_at - Clock::now());
        if (left.count() <= 0) return false;
        poll(streams.data(), streams.size(), static_cast<int>(left.count()));
        for (std::size_t i = 0; i < streams.size(); ++i) {
            if (streams.at(i).revents != 0 && !read_some(streams.at(i).fd, *texts.at(i))) streams.at(i).fd = -1;
        }
        if (must_signal && end.errors.find(call.signal_at) != std::string::npos) {
            kill(process, call.signal);
            must_signal = false;
        }
    }
    return true;
}

}  // namespace

Result<ProgramEnd> run_program(const ProgramCall& call) {
    Pipe output;
    Pipe errors;
    auto process = start(call, output, errors);
    if (!process) return fail(process.error());
    output.close_end(1);
    errors.close_end(1);

    ProgramEnd end;
    const bool was_in_time = collect(call, *process, output, errors, end);
    if (!was_in_time) kill(*process, SIGKILL);
    int status = 0;
    waitpid(*process, &status, 0);
    if (!was_in_time) {
        return fail(Code::timeout, fmt::format("the program was killed after {} s; it had said: {}{}", kTimeout.count(),
                                               end.output, end.errors));
    }
    end.exit_code = WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
    return end;
}

std::vector<std::string> split_words(std::string_view line) {
    std::vector<std::string> words;
    char quote = '\0';
    bool in_word = false;
    for (const char c : line) {
        if (quote == '\0' && c == ' ') {
            in_word = false;
            continue;
        }
        if (!in_word) words.emplace_back();
        in_word = true;
        if (quote == '\0' && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == quote) {
            quote = '\0';
        } else {
            words.back() += c;
        }
    }
    return words;
}

}  // namespace quaestor::cli
