#include "llm/http_chat_model.hpp"

#include <boost/asio/steady_timer.hpp>

#include <utility>
#include <vector>

namespace quaestor::llm {

namespace {

/// The end of the response comes right behind the end of the reply, and then the connection can be used again; a server
/// that leaves it open is not waited for longer than this.
constexpr std::chrono::milliseconds kEndGrace{250};

/// One reply as it arrives: what is read of it goes to the sink before more is taken.
class Arrival {
public:
    Arrival(std::unique_ptr<ReplyReader> reader, const DeltaSink& sink, const CancelToken& cancel,
            const asio::any_io_executor& executor)
        : reader_(std::move(reader)),
          sink_(sink),
          grace_(executor),
          caller_(cancel.on_cancel([this, cancel] { enough_.cancel(cancel.reason()); })) {}

    /// Cancelled with the caller's token, and when the response does not end though the reply has.
    [[nodiscard]] CancelToken enough() const { return enough_.token(); }

    /// False when nothing more is wanted.
    Task<bool> take(std::string_view piece) {
        const bool was_complete = reader_->is_complete();
        auto outcome = reader_->feed(piece, tell_);
        co_await hand_on();
        if (!outcome) fault_ = std::move(outcome.error());
        if (!was_complete && reader_->is_complete()) wait_no_longer_than_grace();
        co_return !fault_;
    }

    Task<ModelResult<ChatReply>> finish() {
        if (fault_) co_return std::unexpected(*fault_);
        auto reply = reader_->finish(tell_);
        co_await hand_on();
        co_return reply;
    }

    [[nodiscard]] bool is_complete() const { return reader_->is_complete(); }

private:
    Task<> hand_on() {
        for (const Delta& delta : std::exchange(told_, {}))
            if (sink_) co_await sink_(delta);
    }

    void wait_no_longer_than_grace() {
        grace_.expires_after(kEndGrace);
        grace_.async_wait([enough = enough_](const boost::system::error_code& stopped) mutable {
            if (!stopped) enough.cancel(CancelReason::deadline);
        });
    }

    std::unique_ptr<ReplyReader> reader_;
    const DeltaSink& sink_;
    CancelSource enough_;
    asio::steady_timer grace_;
    const std::unique_ptr<CancelToken::Registration> caller_;
    std::vector<Delta> told_;
    const ReplyReader::Tell tell_ = [this](Delta delta) { told_.push_back(std::move(delta)); };
    std::optional<ModelError> fault_;
};

/// A page where JSON or events were due: most often a proxy that wants a login, or an address without /v1.
bool is_page(const net::HttpResponse& response) {
    const auto type = response.header("content-type");
    return type && (type->starts_with("text/html") || type->starts_with("application/xhtml"));
}

std::unexpected<ModelError> page_fault(const std::string& model) {
    ModelError told = fault(Fault::malformed, model, "a web page came in place of a model's reply").error();
    told.error.hint = "a proxy may want a login, or base_url may point to the wrong place; see quaestor doctor";
    return std::unexpected(std::move(told));
}

/// A token that was cancelled decides, whatever else went wrong meanwhile: nobody waits for another try.
ModelError call_fault(const std::string& model, const Error& error, const CancelToken& cancel) {
    ModelError told = fault_from(model, cancel.cancelled() ? cancel.error() : error);
    if (cancel.cancelled()) told.fault = Fault::cancelled;
    return told;
}

}  // namespace

HttpChatModel::HttpChatModel(std::unique_ptr<Protocol> protocol, net::Http& http, HttpModelLimits limits)
    : protocol_(std::move(protocol)), http_(http), limits_(limits) {}

const std::string& HttpChatModel::name() const {
    return protocol_->endpoint().name;
}

net::HttpCall HttpChatModel::call_of(net::HttpRequest request, Deadline deadline, CancelToken cancel) const {
    return {.request = std::move(request),
            .limits = {.connect = limits_.connect, .silence = limits_.silence, .body_bytes = limits_.reply_bytes},
            .deadline = deadline,
            .cancel = std::move(cancel)};
}

Task<ModelResult<ChatReply>> HttpChatModel::chat(ChatRequest request, CallOptions options) {
    Arrival arrival(protocol_->reader(request), options.on_delta, options.cancel, co_await asio::this_coro::executor);
    const auto response =
        co_await http_.stream(call_of(protocol_->request(request), options.deadline, arrival.enough()),
                              [&](std::string_view piece) { return arrival.take(piece); });
    // What happens to the connection behind a complete reply takes nothing from it.
    if (!response && !arrival.is_complete())
        co_return std::unexpected(call_fault(name(), response.error(), options.cancel));
    if (response && !response->is_success()) co_return std::unexpected(protocol_->error_of(*response));

    auto reply = co_await arrival.finish();
    if (!reply && reply.error().fault == Fault::malformed && response && is_page(*response))
        co_return page_fault(name());
    co_return reply;
}

Task<ModelResult<void>> HttpChatModel::probe(CallOptions options) {
    const auto response = co_await http_.send(call_of(protocol_->probe(), options.deadline, options.cancel));
    if (!response) co_return std::unexpected(call_fault(name(), response.error(), options.cancel));
    if (!response->is_success()) co_return std::unexpected(protocol_->error_of(*response));
    if (is_page(*response)) co_return page_fault(name());
    co_return ModelResult<void>();
}

}  // namespace quaestor::llm
