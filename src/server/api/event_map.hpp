// From what a run does to what a client is told: the events of document 001 and of the contract, in their order.
// One for each run, fed by the run's listener. Makes events and sends none.
// Threads: one run at a time.
#pragma once

#include "graph/event.hpp"
#include "server/api/event.hpp"
#include "server/api/run_hub.hpp"
#include "workflows/common/answer.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::server {

/// Bytes of one piece of the answer's text; pieces end between words.
inline constexpr std::size_t kTalkBytes = 24;

class EventMap {
public:
    using Events = std::vector<ServerEvent>;

    /// `reason` says why this agent was chosen; `resumed`: earlier events of this run were told by a log that is gone,
    /// and a client begins its turn anew.
    explicit EventMap(RunAbout about, std::string reason = {}, bool resumed = false)
        : about_(std::move(about)), reason_(std::move(reason)), is_resumed_(resumed) {}

    /// thread_id and run when the run starts, for then it is stored and can be found again; node_start, pipeline_state,
    /// agent_talk, and around the steps of a tool tool_call and tool_output; nothing for events that are nobody's
    /// business.
    [[nodiscard]] Events hear(const graph::Event& event);
    /// What is left of the text, citation, clarification, chart, grounding, answer, error and, last, done.
    [[nodiscard]] Events end(const workflows::Answer& answer);
    /// The end of a run of which nothing could be recorded.
    [[nodiscard]] Events fail(const Error& error);

    /// Why the run failed, once its end was heard.
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

private:
    [[nodiscard]] Events begin();
    [[nodiscard]] Events talk(std::string_view text);
    [[nodiscard]] Events step_end(const graph::Event& event);
    [[nodiscard]] Events tool_begin(const graph::Event& event);
    [[nodiscard]] ServerEvent tool_end(std::int64_t task, std::string_view node, std::string content);
    [[nodiscard]] Events end_tools();
    [[nodiscard]] json::array new_links(const json::object& payload);

    RunAbout about_;
    std::string reason_;
    bool is_resumed_ = false;
    bool has_begun_ = false;
    std::string said_;                                     ///< the answer's text as far as it was sent
    std::string speaking_as_;                              ///< node and step of whoever says it
    std::map<std::int64_t, std::string_view> open_tools_;  ///< by task, with the step that ends each
    std::set<std::string> sent_links_;
    std::optional<Error> error_;
};

/// {message, code, hint}
[[nodiscard]] json::object error_data(const Error& error);

}  // namespace quaestor::server
