// Measures an HTTP server from outside: processor time for each event, requests a second, memory of idle streams,
// memory of the whole. The server is a command; {port} in it is replaced. Ours and the peers' answer the same four
// paths. usage: server_bench VARIANT -- COMMAND...
#include "bench_kit.hpp"
#include "load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <netinet/in.h>
#include <sstream>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace quaestor;
using namespace quaestor::bench;

namespace {

constexpr int kRounds = 5;
constexpr double kRoundSeconds = 2;
constexpr double kWarmUpSeconds = 1;
constexpr int kConnections = 64;
constexpr int kIdleConnections = 10'000;
constexpr double kIdleBytesMax = 8'192;
constexpr double kResidentMegabytesMax = 150;
constexpr double kMegabyte = 1e6;
constexpr std::chrono::milliseconds kStartTime{60'000};
constexpr std::chrono::milliseconds kPause{50};
constexpr std::chrono::seconds kSettleTime{1};

std::uint16_t free_port() {
    const int handle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(handle, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::getsockname(handle, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        give_up("there is no free port");
    ::close(handle);
    return ntohs(address.sin_port);
}

/// The server's group, for give_up() ends the program without destructors.
pid_t group_to_end = 0;
void end_group() {
    if (group_to_end > 0) ::kill(-group_to_end, SIGKILL);
}

/// A server with the processes that it starts; they end with the object.
class Server {
public:
    Server(std::vector<std::string> command, std::uint16_t port) : port_(port) {
        std::vector<char*> arguments;
        for (std::string& word : command) {
            if (const auto at = word.find("{port}"); at != std::string::npos) word.replace(at, 6, std::to_string(port));
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        process_ = ::fork();
        if (process_ == 0) {
            ::setpgid(0, 0);
            ::execvp(arguments.front(), arguments.data());
            ::_exit(127);
        }
        group_to_end = process_;
        std::atexit(end_group);
        wait_until_it_answers();
    }
    ~Server() {
        ::kill(-process_, SIGTERM);
        std::this_thread::sleep_for(kSettleTime);
        ::kill(-process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
        group_to_end = 0;
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] LoadPlan plan(std::string path, int connections, double seconds) const {
        return {.port = port_, .path = std::move(path), .connections = connections, .seconds = seconds};
    }
    /// Processor time so far, in microseconds, in ticks of 10,000.
    [[nodiscard]] double cpu_us() const {
        double ticks = 0;
        for (const pid_t process : processes()) {
            const auto fields = stat_of(process);
            if (fields.size() > 12) ticks += std::stod(fields[11]) + std::stod(fields[12]);
        }
        return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)) * 1e6;
    }
    [[nodiscard]] double resident_bytes() const {
        double pages = 0;
        for (const pid_t process : processes()) {
            const auto fields = stat_of(process);
            if (fields.size() > 21) pages += std::stod(fields[21]);
        }
        return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
    }

private:
    /// The fields behind the name, of which the first is the state.
    static std::vector<std::string> stat_of(pid_t process) {
        std::ifstream file(fmt::format("/proc/{}/stat", process));
        std::string text;
        std::getline(file, text);
        std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
        std::vector<std::string> fields;
        for (std::string field; rest >> field;) fields.push_back(field);
        return fields;
    }

    [[nodiscard]] std::vector<pid_t> processes() const {
        std::multimap<pid_t, pid_t> children;
        for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
            const std::string name = entry.path().filename();
            if (!std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0; })) continue;
            const auto process = static_cast<pid_t>(std::stol(name));
            const auto fields = stat_of(process);
            if (fields.size() > 1) children.emplace(static_cast<pid_t>(std::stol(fields[1])), process);
        }
        std::vector<pid_t> all{process_};
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto [begin, end] = children.equal_range(all[i]);
            for (auto child = begin; child != end; ++child) all.push_back(child->second);
        }
        return all;
    }

    void wait_until_it_answers() const {
        const double end = now_us() + std::chrono::duration<double, std::micro>(kStartTime).count();
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port_);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        for (bool answers = false; !answers; std::this_thread::sleep_for(kPause)) {
            if (now_us() > end) give_up("the server did not come up");
            const int handle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            answers = ::connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
            ::close(handle);
        }
        std::this_thread::sleep_for(kSettleTime);
    }

    std::uint16_t port_;
    pid_t process_ = -1;
};

void bench_events(const std::string& variant, const char* path, const Server& server) {
    (void)put_load_on(server.plan(path, kConnections, kWarmUpSeconds));
    std::vector<double> cpu;
    std::vector<double> rates;
    for (int round = 0; round < kRounds; ++round) {
        const double before = server.cpu_us();
        const LoadResult result = put_load_on(server.plan(path, kConnections, kRoundSeconds));
        if (result.events == 0) give_up("no event came");
        cpu.push_back((server.cpu_us() - before) / static_cast<double>(result.events));
        rates.push_back(static_cast<double>(result.events) / result.seconds);
    }
    emit(variant, "server_cpu_per_event", cpu, "us/event", kRounds, {{"events_per_second", median(rates)}});
}

void bench_health(const Server& server) {
    (void)put_load_on(server.plan("/health", kConnections, kWarmUpSeconds));
    std::vector<double> rates;
    std::vector<double> cpu;
    for (int round = 0; round < kRounds; ++round) {
        const double before = server.cpu_us();
        const LoadResult result = put_load_on(server.plan("/health", kConnections, kRoundSeconds));
        rates.push_back(static_cast<double>(result.requests) / result.seconds);
        cpu.push_back((server.cpu_us() - before) / static_cast<double>(result.requests));
    }
    emit("health", "health_rate", rates, "requests/s", kRounds, {{"server_cpu_us_per_request", median(cpu)}});
}

void bench_idle(const Server& server) {
    const double before = server.resident_bytes();
    const HeldStreams held(server.plan("/idle", kIdleConnections, 0));
    std::this_thread::sleep_for(kSettleTime);
    emit("idle", "rss_per_idle_stream", {(server.resident_bytes() - before) / kIdleConnections}, "bytes/connection",
         kIdleConnections, {{"at_most", kIdleBytesMax}});
}

/// Of the program with its agents open, while nobody asks.
void bench_resident(const std::string& variant, const Server& server) {
    emit(variant, "resident_memory", {server.resident_bytes() / kMegabyte}, "MB", 1,
         {{"at_most", kResidentMegabytesMax}});
}

}  // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (words.size() < 3 || words[1] != "--") {
        fmt::print(stderr, "usage: server_bench flushed|together|health|idle|resident|resident_first -- COMMAND...\n");
        return 2;
    }
    const std::string& variant = words[0];
    const Server server({words.begin() + 2, words.end()}, free_port());
    if (variant == "flushed") {
        bench_events(variant, "/stream_flush", server);
    } else if (variant == "together") {
        bench_events(variant, "/stream", server);
    } else if (variant == "health") {
        bench_health(server);
    } else if (variant == "idle") {
        bench_idle(server);
    } else if (variant.starts_with("resident")) {
        bench_resident(variant, server);
    } else {
        give_up("server_bench knows flushed, together, health, idle and resident");
    }
}
