#include "server/api/desk.hpp"

#include "base/ids.hpp"

#include <fmt/format.h>

#include <charconv>

namespace quaestor::server {

namespace {

constexpr int kRetryAfterSeconds = 2;

}  // namespace

Desk::Desk(ServiceParts given, ServiceSettings chosen)
    : settings(std::move(chosen)),
      store(given.store),
      clock(given.clock),
      hub(settings.hub, given.clock),
      session_rate(settings.session_rate, given.clock),
      key_rate(settings.key_rate, given.clock),
      parts(std::move(given)),
      agents_(parts.agents) {}

std::shared_ptr<const AgentDirectory> Desk::agents() const {
    const std::lock_guard lock(mutex_);
    return agents_;
}

void Desk::use(std::shared_ptr<const AgentDirectory> agents) {
    const std::lock_guard lock(mutex_);
    agents_.swap(agents);
}

Result<Caller> Desk::caller_of(const Request& request) const {
    Caller caller;
    if (const auto session = request.header("X-Session-Id")) caller.session = *session;
    if (!caller.session.empty() && !is_valid_id(caller.session)) {
        return fail(Code::invalid_argument, "X-Session-Id is no valid id", "use 1 to 128 of A-Z a-z 0-9 . _ : -");
    }
    caller.owner = caller.session;
    if (!settings.needs_key) return caller;
    const auto key = presented_key(request);
    const auto known = key ? parts.keys->find(*key) : std::nullopt;
    if (!known) {
        return fail(Code::permission_denied, key ? "this API key is not known" : "an API key is needed",
                    "send Authorization: Bearer KEY; keys are made with quaestor keys create");
    }
    caller.key_id = known->id;
    caller.role = known->role;
    caller.owner = fmt::format("{}/{}", known->id, caller.session);
    return caller;
}

Result<Caller> caller_with_session(const Desk& desk, const Request& request) {
    auto caller = desk.caller_of(request);
    if (caller && caller->session.empty()) {
        return fail(Code::invalid_argument, "the header X-Session-Id is missing",
                    "send one that stays the same for one person, such as a UUID");
    }
    return caller;
}

Task<Result<store::ConversationInfo>> own_conversation(Desk& desk, const Caller& caller, std::string thread_id) {
    const auto unknown =
        fail(Code::not_found, fmt::format("there is no conversation {}", thread_id), "list yours: GET /api/threads");
    if (!is_valid_id(thread_id)) co_return unknown;
    auto info = co_await desk.store.conversations().info(std::move(thread_id));
    if (!info) co_return fail(info.error());
    if (!*info || (!(*info)->owner.empty() && (*info)->owner != caller.owner)) co_return unknown;
    co_return std::move(**info);
}

Response refusal(const Error& error, const Request& request) {
    Response response = error_response(status_of(error.code), error, request.request_id);
    if (response.status == 503 || response.status == 429) {
        response.headers.push_back({"Retry-After", std::to_string(kRetryAfterSeconds)});
    }
    return response;
}

Result<std::size_t> number_in_query(const Request& request, const std::string& name, std::size_t otherwise,
                                    std::size_t least, std::size_t most) {
    const auto given = request.query.find(name);
    if (given == request.query.end()) return otherwise;
    const std::string& text = given->second;
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem == std::errc() && end == text.data() + text.size() && number >= least && number <= most) return number;
    return fail(Code::invalid_argument, fmt::format("{}: expected a number from {} to {}", name, least, most));
}

}  // namespace quaestor::server
