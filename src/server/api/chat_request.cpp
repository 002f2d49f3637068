#include "server/api/chat_request.hpp"

#include "base/ids.hpp"
#include "base/text.hpp"
#include "workflows/common/agent.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace quaestor::server {

namespace {

constexpr std::size_t kTitleCharacters = 50;

Result<> check_choice(std::string_view name, const std::optional<std::string>& value,
                      std::span<const std::string_view> allowed) {
    if (!value || std::ranges::find(allowed, *value) != allowed.end()) return {};
    return fail(Code::invalid_argument,
                fmt::format("{}: \"{}\" is none of those there are", name, text::shorten(*value, kTitleCharacters)),
                fmt::format("use {}", fmt::join(allowed, ", ")));
}

}  // namespace

json::object overrides_of(const ChatRequest& request) {
    json::object set;
    const auto put = [&](std::string_view name, const std::optional<std::string>& value) {
        if (value) set[name] = *value;
    };
    put("override_schema", request.override_schema);
    put("override_direction", request.override_direction);
    put("override_mode", request.override_mode);
    put("mode", request.mode);
    return set;
}

Result<> check(const ChatRequest& request, std::size_t question_bytes) {
    constexpr std::array<std::string_view, 3> kSchemas{"hs92", "hs12", "sitc"};
    constexpr std::array<std::string_view, 2> kDirections{"exports", "imports"};
    constexpr std::array<std::string_view, 2> kModes{"goods", "services"};
    constexpr std::array<std::string_view, 4> kSystemModes{"auto", "sql_only", "graphql_sql", "graphql_only"};
    if (auto usable = workflows::usable_question(request.question); !usable) {
        return fail(Code::invalid_argument, fmt::format("question: {}", usable.error().message),
                    std::string(usable.error().advice()));
    }
    if (request.question.size() > question_bytes) {
        return fail(Code::invalid_argument, fmt::format("question: at most {} bytes are read", question_bytes),
                    "ask a shorter question, or several");
    }
    if (request.thread_id && !is_valid_id(*request.thread_id)) {
        return fail(Code::invalid_argument, "thread_id: this is no valid id", "use 1 to 128 of A-Z a-z 0-9 . _ : -");
    }
    if (auto valid = check_choice("override_schema", request.override_schema, kSchemas); !valid) return valid;
    if (auto valid = check_choice("override_direction", request.override_direction, kDirections); !valid) return valid;
    if (auto valid = check_choice("override_mode", request.override_mode, kModes); !valid) return valid;
    return check_choice("mode", request.mode, kSystemModes);
}

std::string title_of(std::string_view question) {
    std::string_view title = text::trim(question.substr(0, question.find_first_of(".!?")));
    if (title.empty()) title = text::trim(question);
    std::size_t characters = 0;
    std::size_t end = 0;
    std::size_t last_space = 0;
    for (; end < title.size() && characters <= kTitleCharacters; ++end) {
        const bool is_start = (static_cast<unsigned char>(title[end]) & 0xC0U) != 0x80U;
        if (is_start && ++characters > kTitleCharacters) break;
        if (title[end] == ' ') last_space = end;
    }
    if (end == title.size()) return std::string(title);
    return std::string(title.substr(0, last_space == 0 ? end : last_space)) + "...";
}

}  // namespace quaestor::server
