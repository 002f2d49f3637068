// The built program as a server: a process of its own that a test starts, asks over a socket, and kills.
// Whoever makes one owns the process; it is killed at the latest when this goes.
// Threads: one call at a time.
#pragma once

#include "net/http_client.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace quaestor::server::testing {

class ServedProcess {
public:
    /// Starts `quaestor serve --port 0 --json OPTIONS` in `folder` and waits until it tells its address. Throws when it
    /// ends instead.
    ServedProcess(const std::filesystem::path& folder, std::vector<std::string> options = {});
    ~ServedProcess();
    ServedProcess(const ServedProcess&) = delete;
    ServedProcess& operator=(const ServedProcess&) = delete;

    [[nodiscard]] const std::string& url() const { return url_; }
    void send_signal(int signal) const;
    /// Waits for its end: the exit code, or 128 and the signal.
    int wait();

    /// A request with the session "ann"; headers are added to it.
    Result<net::HttpResponse> call(std::string method, std::string path, std::string body = {},
                                   std::vector<net::HttpHeader> headers = {});
    /// Reads a stream until `enough` says so of what has come, or it ends. All that came.
    std::string stream(std::string method, std::string path, std::string body,
                       const std::function<bool(std::string_view)>& enough);

private:
    pid_t process_ = -1;
    int output_ = -1;
    std::string url_;
    net::HttpClient http_;
};

/// Runs the program to its end: what it wrote, and its exit code.
struct EndedProcess {
    int code = 0;
    std::string text;  ///< standard output and error together
};
[[nodiscard]] EndedProcess run_quaestor(const std::filesystem::path& folder, std::vector<std::string> arguments);

}  // namespace quaestor::server::testing
