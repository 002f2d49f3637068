#include "served_process.hpp"

#include "base/json.hpp"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT: POSIX has no header for it

namespace quaestor::server::testing {

namespace {

constexpr int kSignalledCode = 128;

struct Child {
    pid_t process = -1;
    int output = -1;
};

/// Standard output, and with `all` standard error, goes to a pipe.
Child start(const std::filesystem::path& folder, std::vector<std::string> arguments, bool all) {
    std::array<int, 2> pipe{};
    if (pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    if (all) posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO);
    arguments.insert(arguments.begin(), QUAESTOR_PROGRAM);
    arguments.insert(arguments.end(), {"--data-dir", (folder / "data").string()});
    std::vector<char*> pointers;
    for (auto& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    Child child;
    const int problem = posix_spawn(&child.process, QUAESTOR_PROGRAM, &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe[1]);
    child.output = pipe[0];
    if (problem != 0) throw std::runtime_error("the program could not be started");
    return child;
}

std::string read_until(int file, bool (*is_enough)(const std::string&)) {
    std::string text;
    std::array<char, 4096> some{};
    while (!is_enough(text)) {
        const ssize_t count = read(file, some.data(), some.size());
        if (count <= 0) break;
        text.append(some.data(), static_cast<std::size_t>(count));
    }
    return text;
}

int code_of(pid_t process) {
    int status = 0;
    if (waitpid(process, &status, 0) != process) return -1;
    return WIFSIGNALED(status) ? kSignalledCode + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ServedProcess::ServedProcess(const std::filesystem::path& folder, std::vector<std::string> options) {
    options.insert(options.begin(), {"serve", "--port", "0", "--json"});
    const Child child = start(folder, std::move(options), false);
    process_ = child.process;
    output_ = child.output;
    const std::string line = read_until(output_, [](const std::string& text) { return text.contains('\n'); });
    const auto said = parse_json(line);
    if (!said) throw std::runtime_error("the server did not start: " + line);
    url_ = said->at("url").as_string();
}

ServedProcess::~ServedProcess() {
    if (process_ > 0) {
        kill(process_, SIGKILL);
        code_of(process_);
    }
    close(output_);
}

void ServedProcess::send_signal(int signal) const {
    kill(process_, signal);
}

int ServedProcess::wait() {
    const int code = code_of(process_);
    process_ = -1;
    return code;
}

Result<net::HttpResponse> ServedProcess::call(std::string method, std::string path, std::string body,
                                              std::vector<net::HttpHeader> headers) {
    net::HttpCall call;
    call.request.method = std::move(method);
    call.request.url = url_ + path;
    call.request.headers = std::move(headers);
    call.request.headers.push_back({"X-Session-Id", "ann"});
    call.request.body = std::move(body);
    return run_to_end(http_.send(std::move(call)));
}

std::string ServedProcess::stream(std::string method, std::string path, std::string body,
                                  const std::function<bool(std::string_view)>& enough) {
    net::HttpCall call;
    call.request.method = std::move(method);
    call.request.url = url_ + path;
    call.request.headers = {{"X-Session-Id", "ann"}, {"Content-Type", "application/json"}};
    call.request.body = std::move(body);
    std::string text;
    const auto take = [&](std::string_view piece) -> Task<bool> {
        text += piece;
        co_return !enough(text);
    };
    const auto response = run_to_end(http_.stream(std::move(call), take));
    if (response && !response->body.empty()) text += response->body;
    return text;
}

EndedProcess run_quaestor(const std::filesystem::path& folder, std::vector<std::string> arguments) {
    const Child child = start(folder, std::move(arguments), true);
    EndedProcess ended;
    ended.text = read_until(child.output, [](const std::string&) { return false; });
    close(child.output);
    ended.code = code_of(child.process);
    return ended;
}

}  // namespace quaestor::server::testing
