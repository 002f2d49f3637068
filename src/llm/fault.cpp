#include "llm/fault.hpp"

#include <fmt/format.h>

namespace quaestor::llm {

namespace {

Code code_of(Fault fault) {
    switch (fault) {
        case Fault::auth:
            return Code::permission_denied;
        case Fault::rate_limited:
            return Code::rate_limited;
        case Fault::overloaded:
            return Code::unavailable;
        case Fault::context_too_long:
            return Code::limit_exceeded;
        case Fault::refused:
            return Code::unsupported;
        case Fault::bad_request:
            return Code::invalid_argument;
        case Fault::timeout:
            return Code::timeout;
        case Fault::network:
            return Code::unavailable;
        case Fault::malformed:
            return Code::corrupt;
        case Fault::cancelled:
            return Code::cancelled;
    }
    return Code::internal;
}

std::string key_hint(std::string_view model) {
    const std::string_view provider = model.substr(0, model.find('/'));
    constexpr std::string_view kRest = "llm.models.….key; see quaestor doctor";
    if (provider == "openai") return fmt::format("set OPENAI_API_KEY, or {}", kRest);
    if (provider == "anthropic") return fmt::format("set ANTHROPIC_API_KEY, or {}", kRest);
    if (provider == "google") return fmt::format("set GEMINI_API_KEY, or {}", kRest);
    return fmt::format("set {}", kRest);
}

std::string hint_for(Fault fault, std::string_view model) {
    switch (fault) {
        case Fault::auth:
            return key_hint(model);
        case Fault::rate_limited:
            return "wait a little and ask again; if it happens often, lower the model's rate limit in llm.models";
        case Fault::overloaded:
            return "ask again in a minute, or name a second model in llm.frontier to stand in";
        case Fault::context_too_long:
            return "ask about less at once, begin a new conversation, or choose a model with a longer context";
        case Fault::refused:
            return "put the question differently; the provider's rules do not allow this content";
        case Fault::bad_request:
            return "check the model's name, base_url and options in llm.models; see quaestor models";
        case Fault::timeout:
            return "ask again, or allow more time for the model";
        case Fault::network:
            return "check the network, the proxy settings and the model's base_url; see quaestor doctor";
        case Fault::malformed:
            return "ask again; if it stays, check the model's base_url and what stands between, or choose another "
                   "model";
        case Fault::cancelled:
            return {};
    }
    return {};
}

Fault fault_of(Code code) {
    switch (code) {
        case Code::timeout:
            return Fault::timeout;
        case Code::cancelled:
            return Fault::cancelled;
        case Code::invalid_argument:
            return Fault::bad_request;
        case Code::limit_exceeded:
        case Code::corrupt:
            return Fault::malformed;
        case Code::rate_limited:
            return Fault::rate_limited;
        default:
            return Fault::network;
    }
}

std::string_view words_for(Fault fault) {
    switch (fault) {
        case Fault::timeout:
            return "no answer in time";
        case Fault::cancelled:
            return "the call was cancelled";
        case Fault::bad_request:
            return "the request could not be sent";
        case Fault::malformed:
            return "the reply makes no sense";
        case Fault::rate_limited:
            return "too many requests";
        default:
            return "no connection, or it broke";
    }
}

}  // namespace

std::unexpected<ModelError> fault(Fault fault, std::string_view model, std::string what,
                                  std::optional<Duration> retry_after) {
    return std::unexpected(
        ModelError{fault, Error{code_of(fault), fmt::format("{}: {}", model, what), hint_for(fault, model), nullptr},
                   retry_after});
}

ModelError fault_from(std::string_view model, const Error& error) {
    const Fault kind = fault_of(error.code);
    ModelError told = fault(kind, model, std::string(words_for(kind))).error();
    // Who cancels for a deadline says timeout, and a certificate that does not hold is no matter of trying again.
    told.error.code = error.code;
    if (!error.advice().empty()) told.error.hint = error.advice();
    told.error = std::move(told.error).because(error);
    return told;
}

bool is_worth_retrying(Fault fault) {
    return fault == Fault::rate_limited || fault == Fault::overloaded || fault == Fault::timeout ||
           fault == Fault::network;
}

bool is_worth_another_model(Fault fault) {
    return fault != Fault::refused && fault != Fault::cancelled && fault != Fault::bad_request;
}

bool is_providers_fault(Fault fault) {
    return fault == Fault::overloaded || fault == Fault::timeout || fault == Fault::network ||
           fault == Fault::malformed;
}

}  // namespace quaestor::llm
