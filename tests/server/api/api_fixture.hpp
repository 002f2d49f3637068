// A service over a fake agent, asked without sockets: requests are values, streams are text, and one loop does it all.
// Nothing sleeps: the loop runs until what a test waits for is there.
// Threads: the test's own.
#pragma once

#include "fake_agent.hpp"
#include "server/api/service.hpp"
#include "store/store.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace quaestor::server::testing {

/// A reply as a test looks at it.
struct Got {
    int status = 0;
    std::vector<net::HttpHeader> headers;
    std::string body;

    [[nodiscard]] json::value json() const { return parse_json(body).value(); }
    [[nodiscard]] std::string header(std::string_view name) const;
};

/// One event of a stream.
struct Heard {
    std::string id;
    std::string name;
    json::object data;
};

/// A client that follows a stream; what it was sent so far.
class Listener final : public StreamWriter {
public:
    Task<Result<>> write(std::string_view bytes) override;
    [[nodiscard]] const CancelToken& gone() const override { return token_; }
    void leave() { source_.cancel(CancelReason::client_gone); }

    [[nodiscard]] std::vector<Heard> events() const;
    [[nodiscard]] std::vector<std::string> names() const;
    /// The first event of that name, which must be there.
    [[nodiscard]] Heard event(std::string_view name) const;
    /// The pieces of the answer together.
    [[nodiscard]] std::string talk() const;

    std::string text;
    std::vector<std::string> writes;
    std::vector<net::HttpHeader> headers;
    bool ended = false;

private:
    CancelSource source_;
    CancelToken token_ = source_.token();
};

class ApiTest : public ::testing::Test {
protected:
    ApiTest();
    ~ApiTest() override;

    /// Another service over the same store, as after a restart: the runs of the first are left in the middle.
    void restart(ServiceSettings settings);
    void use(ServiceSettings settings, std::vector<std::string> agents = {"nba"});

    /// `session` is the X-Session-Id; empty: none.
    [[nodiscard]] static Request request(std::string method, std::string path, std::string body = {},
                                         std::string session = "ann");
    [[nodiscard]] Got get(Request request);
    [[nodiscard]] Got get(std::string method, std::string path, std::string body = {}, std::string session = "ann");
    /// Begins to follow a stream; fails the test when it is no stream.
    [[nodiscard]] std::shared_ptr<Listener> open(Request request);
    [[nodiscard]] std::shared_ptr<Listener> ask(std::string question, std::string thread = {},
                                                std::string session = "ann");
    void until(const std::function<bool()>& is_there);
    void until_ended(const Listener& listener);
    /// The id of the run that a stream follows.
    [[nodiscard]] std::string run_of(const Listener& listener);

    [[nodiscard]] Gate& gate() { return *life_.directory->gate; }
    [[nodiscard]] store::Store& store() { return *store_; }
    [[nodiscard]] Service& service() { return *life_.service; }
    [[nodiscard]] asio::io_context& loop() { return *life_.loop; }

    static ServiceSettings settings();

    store::TemporaryFolder folder_;
    ManualClock clock_;
    KeyRing keys_{folder_.path() / "keys.json"};

private:
    [[nodiscard]] Reply reply_to(Request request);

    std::unique_ptr<store::Store> store_;
    /// One process, as it were. Its loop goes first, with all that was suspended on it.
    struct Life {
        std::shared_ptr<FakeDirectory> directory;
        std::unique_ptr<Service> service;
        std::unique_ptr<asio::io_context> loop;
    };
    std::vector<Life> killed_;
    Life life_;
};

/// {"question": …} with a thread, where there is one.
[[nodiscard]] std::string chat_body(std::string_view question, std::string_view thread = {});

}  // namespace quaestor::server::testing
