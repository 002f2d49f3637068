// What can go wrong with a model, the same for all providers, each with words that tell a person what to do.
// Plain values. Threads: immutable.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <boost/describe/enum.hpp>

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace quaestor::llm {

enum class Fault {
    auth,              ///< no key, a wrong one, or one without the right to this model
    rate_limited,      ///< too many requests or tokens in a time; later works
    overloaded,        ///< the provider has too much to do or a fault of its own; later may work
    context_too_long,  ///< the request does not fit the model
    refused,           ///< the provider or model will not answer this content
    bad_request,       ///< the provider does not understand the request: a wrong model name, an unknown option
    timeout,           ///< no answer in time
    network,           ///< no connection, or it broke
    malformed,         ///< the reply makes no sense
    cancelled,         ///< the caller left
};
BOOST_DESCRIBE_ENUM(Fault, auth, rate_limited, overloaded, context_too_long, refused, bad_request, timeout, network,
                    malformed, cancelled)

struct ModelError {
    Fault fault = Fault::malformed;
    Error error;
    std::optional<Duration> retry_after;  ///< as the provider said
};

template <class T>
using ModelResult = std::expected<T, ModelError>;

/// `return fault(Fault::auth, "openai", "the key was refused")`: "openai: the key was refused" with the hint for this
/// fault: "set OPENAI_API_KEY, or llm.models.….key; see quaestor doctor".
[[nodiscard]] std::unexpected<ModelError> fault(Fault fault, std::string_view model, std::string what,
                                                std::optional<Duration> retry_after = {});

/// From what the network said (net/http.hpp).
[[nodiscard]] ModelError fault_from(std::string_view model, const Error& error);

/// Whether the same request may go well later (rate_limited, overloaded, timeout, network), so that it is tried again;
/// whether another model may do better (all but refused, cancelled and bad_request), so that the chain goes on; and
/// whether it says that the provider is ill (overloaded, timeout, network, malformed), so that its breaker counts it.
[[nodiscard]] bool is_worth_retrying(Fault fault);
[[nodiscard]] bool is_worth_another_model(Fault fault);
[[nodiscard]] bool is_providers_fault(Fault fault);

}  // namespace quaestor::llm
