#include "resilience/cancellation.hpp"

#include <boost/describe/enum_to_string.hpp>

#include <atomic>
#include <utility>

namespace quaestor {

/// Written once, by whoever claims it, before the stop is requested; read only after it.
struct CancelToken::Shared {
    std::atomic_flag claimed;
    CancelReason reason = CancelReason::user_request;
    std::string detail;
};

namespace {

std::string_view explain(CancelReason reason) {
    switch (reason) {
        case CancelReason::user_request:
            return "stopped on request";
        case CancelReason::client_gone:
            return "stopped because the client went away";
        case CancelReason::deadline:
            return "stopped because the deadline passed";
        case CancelReason::budget:
            return "stopped because the budget is used up";
        case CancelReason::shutdown:
            return "stopped because the program is shutting down";
    }
    std::unreachable();
}

std::string_view advise(CancelReason reason) {
    switch (reason) {
        case CancelReason::user_request:
        case CancelReason::client_gone:
            return "";
        case CancelReason::deadline:
            return "try again, or allow more time";
        case CancelReason::budget:
            return "raise the budget, or ask for less";
        case CancelReason::shutdown:
            return "try again when the program is back";
    }
    std::unreachable();
}

}  // namespace

std::string_view to_string(CancelReason reason) {
    return boost::describe::enum_to_string(reason, "user_request");
}

CancelReason CancelToken::reason() const {
    return cancelled() ? shared_->reason : CancelReason::user_request;
}

Error CancelToken::error() const {
    const CancelReason why = reason();
    std::string message(explain(why));
    if (cancelled() && !shared_->detail.empty()) message += ": " + shared_->detail;
    const Code code = why == CancelReason::deadline ? Code::timeout : Code::cancelled;
    return Error{code, std::move(message), std::string(advise(why)), nullptr};
}

std::unique_ptr<CancelToken::Registration> CancelToken::on_cancel(std::function<void()> action) const {
    return std::make_unique<Registration>(stop_, std::move(action));
}

CancelSource::CancelSource() : shared_(std::make_shared<CancelToken::Shared>()) {}

CancelToken CancelSource::token() const {
    CancelToken token;
    token.stop_ = stop_.get_token();
    token.shared_ = shared_;
    return token;
}

bool CancelSource::cancel(CancelReason reason, std::string detail) {
    if (shared_->claimed.test_and_set()) return false;
    shared_->reason = reason;
    shared_->detail = std::move(detail);
    return stop_.request_stop();
}

}  // namespace quaestor
