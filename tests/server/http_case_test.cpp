// Runs cases/*.http: bytes that are sent, and the replies that must come.
#include "server/http_server.hpp"
#include "server/raw_client.hpp"
#include "server/replies.hpp"
#include "server/test_endpoints.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace quaestor::server {
namespace {

struct HttpCase {
    std::string name;
    std::string place;
    std::string sent;
    bool stays_open = false;            ///< the client does not end its side
    std::vector<std::string> expected;  ///< a reply, and behind it, indented, headers that it has (or, with !, has not)
};

void PrintTo(const HttpCase& http_case, std::ostream* out) {
    *out << http_case.place << " (" << http_case.name << ")";
}

/// ${3*ab} stands for ababab.
std::string repeated(std::string text) {
    for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${")) {
        const auto star = text.find('*', at);
        const auto end = text.find('}', at);
        std::string times;
        for (int left = std::stoi(text.substr(at + 2, star - at - 2)); left > 0; --left)
            times += text.substr(star + 1, end - star - 1);
        text.replace(at, end + 1 - at, times);
    }
    return text;
}

/// Lines end with CR LF unless with a backslash; \r, \n and \0 are those bytes.
std::string bytes_of(const std::string& written) {
    const std::string line = repeated(written);
    std::string bytes;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\') {
            bytes += line[i];
        } else if (++i == line.size()) {
            return bytes;
        } else {
            bytes += line[i] == 'r' ? '\r' : line[i] == 'n' ? '\n' : line[i] == '0' ? '\0' : line[i];
        }
    }
    return bytes + "\r\n";
}

std::vector<HttpCase> read_case_file(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::vector<HttpCase> cases;
    bool is_sent = true;
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (line.starts_with("--- ")) {
            const auto place = fmt::format("{}:{}", file.filename().string(), number);
            cases.push_back({.name = line.substr(4), .place = place, .sent = {}, .expected = {}});
            is_sent = true;
        } else if (cases.empty()) {
            continue;
        } else if (line.starts_with("==>")) {
            cases.back().stays_open = line.ends_with("open");
            is_sent = false;
        } else if (is_sent) {
            cases.back().sent += bytes_of(line);
        } else if (!line.empty()) {
            cases.back().expected.push_back(line);
        }
    }
    return cases;
}

std::vector<HttpCase> all_cases() {
    std::vector<HttpCase> cases;
    for (const auto& entry : std::filesystem::directory_iterator(QUAESTOR_TEST_DIR "/cases")) {
        for (HttpCase& http_case : read_case_file(entry.path())) cases.push_back(std::move(http_case));
    }
    return cases;
}

class HttpCases : public testing::TestWithParam<HttpCase> {
protected:
    static void SetUpTestSuite() {
        server_ = std::make_unique<HttpServer>(
            HttpServerSettings{.port = 0, .threads = 1, .body_bytes = 64, .header_bytes = 1'024}, answer_test);
        ASSERT_TRUE(server_->start());
    }
    static void TearDownTestSuite() { server_.reset(); }

    static inline std::unique_ptr<HttpServer> server_;
};

/// The replies in the words of the case file, with those of the expected headers that they have.
std::vector<std::string> described(const std::vector<ReceivedReply>& replies,
                                   const std::vector<std::string>& expected) {
    std::vector<std::string> lines;
    std::size_t at = 0;
    for (const ReceivedReply& reply : replies) {
        lines.push_back(reply.summary());
        for (++at; at < expected.size() && expected[at].starts_with("  "); ++at) {
            const std::string wanted = expected[at].substr(2);
            const bool is_absence = wanted.starts_with('!');
            const bool has = reply.has(is_absence ? wanted.substr(1) : wanted);
            lines.push_back(has != is_absence ? expected[at] : fmt::format("  does not hold: {}", wanted));
        }
    }
    return lines;
}

TEST_P(HttpCases, AreAnsweredAsTheySay) {
    const HttpCase& http_case = GetParam();
    RawClient client(server_->url());
    client.send(http_case.sent);
    if (!http_case.stays_open) client.end_sending();
    const auto replies = read_replies(client.read_all(), http_case.sent.starts_with("HEAD"));
    EXPECT_EQ(fmt::format("{}", fmt::join(described(replies, http_case.expected), "\n")),
              fmt::format("{}", fmt::join(http_case.expected, "\n")));
}

INSTANTIATE_TEST_SUITE_P(All, HttpCases, testing::ValuesIn(all_cases()));

}  // namespace
}  // namespace quaestor::server
