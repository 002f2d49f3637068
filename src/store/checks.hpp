// What every backend asks of its arguments, so that a mistake gets the same answer everywhere; and what a filter means.
// Checks answer Code::invalid_argument. What passes them can be stored, and read back as it was, by every backend.
// Threads: pure functions.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "graph/checkpoint.hpp"
#include "store/conversation.hpp"
#include "store/trace.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace quaestor::store {

/// Deepest nesting of a stored value; parse_json() goes deeper, for what a backend wraps around it.
inline constexpr std::size_t kStoredDepthMax = 100;

/// `name` says which argument it is: "thread_id".
[[nodiscard]] Result<> check_id(std::string_view name, std::string_view id);

[[nodiscard]] Result<> check(const graph::Checkpoint& checkpoint);
[[nodiscard]] Result<> check(std::span<const graph::PendingWrite> writes);
[[nodiscard]] Result<> check(const graph::CheckpointQuery& query);
[[nodiscard]] Result<> check(const graph::PruneQuery& query);
[[nodiscard]] Result<> check(const Message& message);
[[nodiscard]] Result<> check(const ConversationInfo& info);
[[nodiscard]] Result<> check(const Feedback& feedback);
/// A title, an owner, a comment.
[[nodiscard]] Result<> check_text(std::string_view name, std::string_view text);
[[nodiscard]] Result<> check(const RunRecord& record);

/// True when each key of `filter` is in `metadata` with an equal value. Numbers are equal by value, whatever their
/// type; a bool is no number, and null equals only null.
[[nodiscard]] bool matches(const json::object& metadata, const json::object& filter);

/// `return no_such_thread(id);` Code::not_found for what ought to be there, Code::already_exists for what ought not.
[[nodiscard]] std::unexpected<Error> no_such_checkpoint(std::string_view thread_id, std::string_view id);
[[nodiscard]] std::unexpected<Error> no_such_thread(std::string_view thread_id);
[[nodiscard]] std::unexpected<Error> thread_exists(std::string_view thread_id);

}  // namespace quaestor::store
