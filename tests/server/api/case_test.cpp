// Every endpoint and every error over a real socket, as text: cases/*.case say what is sent and what has to come back.
#include "fake_agent.hpp"
#include "net/http_client.hpp"
#include "server/api/service.hpp"
#include "server/http_server.hpp"
#include "store/memory.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace quaestor::server::testing {

namespace {

/// "> METHOD PATH", "> Header: value", "{body}" sends; "< STATUS", "< Header: value", "| part of the body" expects.
struct CaseCall {
    int line = 0;
    net::HttpRequest request;
    int status = 0;
    std::vector<net::HttpHeader> headers;
    std::vector<std::string> parts;
};

net::HttpHeader header_in(const std::string& text) {
    const auto colon = text.find(": ");
    return {text.substr(0, colon), text.substr(colon + 2)};
}

void read_sent(const std::string& rest, int number, std::vector<CaseCall>& calls) {
    const bool is_header = rest.find(": ") != std::string::npos && !rest.contains(" /");
    if (is_header) {
        calls.back().request.headers.push_back(header_in(rest));
        return;
    }
    CaseCall call;
    call.line = number;
    const auto space = rest.find(' ');
    call.request.method = rest.substr(0, space);
    call.request.url = rest.substr(space + 1);
    calls.push_back(std::move(call));
}

std::vector<CaseCall> read_case(const std::filesystem::path& path) {
    std::vector<CaseCall> calls;
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.empty() || line.starts_with('#')) continue;
        const std::string rest = line.size() > 2 ? line.substr(2) : "";
        if (line.starts_with("> ")) {
            read_sent(rest, number, calls);
        } else if (line.starts_with("< ")) {
            if (rest.find(": ") == std::string::npos) {
                calls.back().status = std::stoi(rest);
            } else {
                calls.back().headers.push_back(header_in(rest));
            }
        } else if (line.starts_with("| ")) {
            calls.back().parts.push_back(rest);
        } else {
            calls.back().request.body += line;
        }
    }
    return calls;
}

/// A server on a free port over a fake agent. "admin" and "user" stand for keys in a case.
class SocketServer {
public:
    explicit SocketServer(bool needs_key)
        : keys_(folder_.path() / "keys.json"),
          http_({.port = 0, .threads = 2}, [this](Request request) { return service_->handle(std::move(request)); }) {
        ServiceSettings settings;
        settings.needs_key = needs_key;
        settings.cors_origins = development_origins();
        settings.runner = "server test 1";
        service_ =
            std::make_unique<Service>(ServiceParts{.store = *store_,
                                                   .agents = std::make_shared<FakeDirectory>(),
                                                   .documents = nullptr,
                                                   .keys = &keys_,
                                                   .spawn = [this](Task<> task) { http_.spawn(std::move(task)); },
                                                   .gauges = {},
                                                   .files = {}},
                                      std::move(settings));
        user_ = keys_.create("user", KeyRole::user).value().key;
        admin_ = keys_.create("admin", KeyRole::admin).value().key;
        if (auto started = http_.start(); !started) throw std::runtime_error(started.error().describe());
    }
    ~SocketServer() { http_.stop(); }
    SocketServer(const SocketServer&) = delete;
    SocketServer& operator=(const SocketServer&) = delete;

    [[nodiscard]] net::HttpResponse send(net::HttpRequest request) {
        request.url = http_.url() + request.url;
        for (auto& header : request.headers) {
            if (header.value == "Bearer user") header.value = "Bearer " + user_;
            if (header.value == "Bearer admin") header.value = "Bearer " + admin_;
        }
        net::HttpCall call;
        call.request = std::move(request);
        return run_to_end(client_.send(std::move(call))).value();
    }

private:
    store::TemporaryFolder folder_;
    KeyRing keys_;
    HttpServer http_;  ///< its loops outlive the store's threads
    std::unique_ptr<store::Store> store_ = store::open_memory();
    std::string user_;
    std::string admin_;
    std::unique_ptr<Service> service_;
    net::HttpClient client_;
};

class SocketCase : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(SocketCase, GetsWhatItSays) {
    SocketServer server(GetParam().stem().string().starts_with("keys"));
    for (const auto& call : read_case(GetParam())) {
        SCOPED_TRACE(GetParam().filename().string() + ":" + std::to_string(call.line));
        const auto response = server.send(call.request);
        EXPECT_EQ(response.status, call.status) << response.body;
        for (const auto& header : call.headers) {
            EXPECT_THAT(std::string(response.header(header.name).value_or("")), ::testing::HasSubstr(header.value));
        }
        for (const auto& part : call.parts) EXPECT_THAT(response.body, ::testing::HasSubstr(part));
    }
}

std::vector<std::filesystem::path> all_cases() {
    std::vector<std::filesystem::path> cases;
    for (const auto& entry : std::filesystem::directory_iterator(QUAESTOR_TEST_DIR "/cases")) {
        if (entry.path().extension() == ".case") cases.push_back(entry.path());
    }
    std::ranges::sort(cases);
    return cases;
}

INSTANTIATE_TEST_SUITE_P(All, SocketCase, ::testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.stem().string(); });

}  // namespace

}  // namespace quaestor::server::testing
