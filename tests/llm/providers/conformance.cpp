#include "llm/providers/conformance.hpp"

namespace quaestor::test {

Conformance::Conformance()
    : provider_(fake_provider(GetParam())),
      server_([this](const ReceivedRequest& request) { return answer(request); }) {}

void Conformance::TearDown() {
    const std::lock_guard lock(mutex_);
    for (const std::string& problem : wrong_) ADD_FAILURE() << problem;
    EXPECT_TRUE(replies_.empty()) << "the server was asked less often than scripted";
}

void Conformance::script(Reply reply) {
    const std::lock_guard lock(mutex_);
    replies_.push_back(std::move(reply));
}

void Conformance::script(const ScriptedReply& reply) {
    script(streaming(provider_->stream(reply)));
}

Reply Conformance::streaming(const std::vector<std::string>& events) {
    Reply reply(200);
    reply.header("content-type", "text/event-stream; charset=utf-8");
    for (const std::string& event : events) reply.piece(event);
    return reply;
}

Reply Conformance::answer(const ReceivedRequest& request) {
    const std::lock_guard lock(mutex_);
    if (replies_.empty()) {
        wrong_.push_back("a request that was not scripted: " + request.target);
        return Reply(500);
    }
    Reply reply = std::move(replies_.front());
    replies_.pop_front();
    if (request.method == "GET") return reply;
    try {
        asked_.push_back(provider_->read(request));
    } catch (const std::exception& problem) {
        wrong_.push_back(std::string(problem.what()) + " in " + request.body);
    }
    return reply;
}

Conformance::Heard Conformance::chat(llm::ChatRequest request, llm::CallOptions options) {
    std::string url = server_.url("");
    while (url.ends_with('/')) url.pop_back();
    llm::HttpChatModel model(provider_->protocol(url), client_, limits_);
    Heard heard;
    if (!options.on_delta)
        options.on_delta = [&](const llm::Delta& delta) -> Task<> {
            heard.deltas.push_back(delta);
            co_return;
        };
    heard.reply = run_to_end(model.chat(std::move(request), std::move(options)));
    return heard;
}

llm::ModelError Conformance::fault_of(llm::ChatRequest request, llm::CallOptions options) {
    const Heard heard = chat(std::move(request), std::move(options));
    if (!heard.reply) return heard.reply.error();
    ADD_FAILURE() << "a reply came: " << heard.reply->message.content;
    return {};
}

std::vector<Asked> Conformance::asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
}

}  // namespace quaestor::test
