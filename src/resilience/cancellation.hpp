// Asking work to stop, with a reason. A CancelSource belongs to whoever may stop the work; tokens go to the work.
// Cancellation is cooperative and happens once: the first reason stays.
// Threads: all members may be called from any thread.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <boost/describe/enum.hpp>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace quaestor {

enum class CancelReason { user_request, client_gone, deadline, budget, shutdown };
BOOST_DESCRIBE_ENUM(CancelReason, user_request, client_gone, deadline, budget, shutdown)

[[nodiscard]] std::string_view to_string(CancelReason reason);

class CancelToken {
public:
    /// A token that is never cancelled.
    CancelToken() = default;

    [[nodiscard]] bool cancelled() const { return stop_.stop_requested(); }
    /// Why; only meaningful once cancelled() is true.
    [[nodiscard]] CancelReason reason() const;
    /// The cancellation as an error: timeout for a deadline, cancelled for everything else.
    [[nodiscard]] Error error() const;
    /// False when nobody can ever cancel this token.
    [[nodiscard]] bool can_be_cancelled() const { return stop_.stop_possible(); }

    /// Calls `action` once on cancellation, from the cancelling thread, or at once when it has happened already.
    /// Destroying the result unregisters, and waits for an action that is running in another thread.
    using Registration = std::stop_callback<std::function<void()>>;
    [[nodiscard]] std::unique_ptr<Registration> on_cancel(std::function<void()> action) const;

private:
    friend class CancelSource;
    struct Shared;
    std::stop_token stop_;
    std::shared_ptr<const Shared> shared_;
};

class CancelSource {
public:
    CancelSource();
    [[nodiscard]] CancelToken token() const;
    /// Returns false when it was cancelled already.
    bool cancel(CancelReason reason, std::string detail = {});

private:
    std::stop_source stop_;
    std::shared_ptr<CancelToken::Shared> shared_;
};

}  // namespace quaestor
