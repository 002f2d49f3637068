// What the tests of the conformance list stand on: a model of one provider over the real HTTP client, against a server
// that speaks that provider's protocol.
// A fixture; each test has its own server. Threads: the server calls back from its own threads.
#pragma once

#include "kit/http_server.hpp"
#include "llm/http_chat_model.hpp"
#include "llm/providers/fake_provider.hpp"
#include "llm/providers/stream_kit.hpp"
#include "net/http_client.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <mutex>

namespace quaestor::test {

class Conformance : public testing::TestWithParam<std::string> {
protected:
    Conformance();
    /// Every request was one that the provider would have taken.
    void TearDown() override;

    /// What the server does about the next request that has no script yet.
    void script(Reply reply);
    void script(const ScriptedReply& reply);
    /// A stream that goes on after `events`; the test says how.
    [[nodiscard]] static Reply streaming(const std::vector<std::string>& events);

    struct Heard {
        llm::ModelResult<llm::ChatReply> reply;
        std::vector<llm::Delta> deltas;
    };
    Heard chat(llm::ChatRequest request, llm::CallOptions options = {});
    /// The fault of a chat that must fail.
    llm::ModelError fault_of(llm::ChatRequest request = {.messages = {llm::user("q")}}, llm::CallOptions options = {});
    [[nodiscard]] std::vector<Asked> asked() const;

    const std::unique_ptr<FakeProvider> provider_;
    llm::HttpModelLimits limits_;

private:
    Reply answer(const ReceivedRequest& request);

    mutable std::mutex mutex_;
    std::deque<Reply> replies_;
    std::vector<Asked> asked_;
    std::vector<std::string> wrong_;

protected:
    HttpServer server_;
    net::HttpClient client_;
};

}  // namespace quaestor::test
