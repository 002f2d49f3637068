#include "store/checks.hpp"

#include "base/ids.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace quaestor::store {

namespace {

constexpr std::size_t kShownColumns = 60;

constexpr const char* kNotUtf8 = "text that is not UTF-8";
constexpr const char* kNul = "a NUL character";

/// Why `value` could not be read back as it is, or null. Kept free of allocation: it runs for every checkpoint.
const char* flaw_in(const json::value& value, std::size_t depth_left = kStoredDepthMax);

const char* flaw_in(const json::array& items, std::size_t depth_left) {
    if (depth_left == 0) return "values nested too deeply";
    for (const json::value& item : items) {
        if (const char* flaw = flaw_in(item, depth_left - 1)) return flaw;
    }
    return nullptr;
}

const char* flaw_in(const json::object& fields, std::size_t depth_left = kStoredDepthMax) {
    if (depth_left == 0) return "values nested too deeply";
    for (const auto& field : fields) {
        if (!text::is_utf8(field.key())) return kNotUtf8;
        if (const char* flaw = flaw_in(field.value(), depth_left - 1)) return flaw;
    }
    return nullptr;
}

const char* flaw_in(const json::value& value, std::size_t depth_left) {
    switch (value.kind()) {
        case json::kind::array:
            return flaw_in(value.get_array(), depth_left);
        case json::kind::object:
            return flaw_in(value.get_object(), depth_left);
        case json::kind::string:
            return text::is_utf8(value.get_string()) ? nullptr : kNotUtf8;
        case json::kind::double_:
            return std::isfinite(value.get_double()) ? nullptr : "a number that is not finite";
        default:
            return nullptr;
    }
}

const char* flaw_in_text(std::string_view plain) {
    if (!text::is_utf8(plain)) return kNotUtf8;
    return plain.find('\0') == std::string_view::npos ? nullptr : kNul;
}

/// Metadata is looked into by databases, some of which cannot hold a NUL anywhere.
bool has_nul(const json::value& value);

bool has_nul(const json::object& fields) {
    return std::ranges::any_of(fields, [](const auto& field) {
        return field.key().find('\0') != json::string_view::npos || has_nul(field.value());
    });
}

bool has_nul(const json::value& value) {
    if (const auto* text = value.if_string()) return text->find('\0') != json::string::npos;
    if (const auto* fields = value.if_object()) return has_nul(*fields);
    const auto* items = value.if_array();
    return items != nullptr && std::ranges::any_of(*items, [](const json::value& item) { return has_nul(item); });
}

Result<> check_flaw(std::string_view name, const char* flaw) {
    if (flaw == nullptr) return {};
    return fail(Code::invalid_argument, fmt::format("{} has {}, which cannot be stored", name, flaw));
}

bool is_scalar(const json::value& value) {
    return !value.is_object() && !value.is_array();
}

/// The integer that `number` is, if it is one that fits.
template <class Integer>
std::optional<Integer> exact(double number) {
    constexpr double kEnd = 2.0 * static_cast<double>(std::uint64_t{1} << (std::numeric_limits<Integer>::digits - 1));
    if (!(number >= static_cast<double>(std::numeric_limits<Integer>::min()) && number < kEnd)) return {};
    const auto integer = static_cast<Integer>(number);
    return static_cast<double>(integer) == number ? std::optional(integer) : std::nullopt;
}

bool equals_double(const json::value& value, double number) {
    if (value.is_double()) return value.get_double() == number;
    if (value.is_int64()) return exact<std::int64_t>(number) == value.get_int64();
    return exact<std::uint64_t>(number) == value.get_uint64();
}

bool equal(const json::value& left, const json::value& right) {
    if (left.is_number() && right.is_number()) {
        if (left.is_double()) return equals_double(right, left.get_double());
        if (right.is_double()) return equals_double(left, right.get_double());
    }
    return left == right;
}

}  // namespace

Result<> check_id(std::string_view name, std::string_view id) {
    if (is_valid_id(id)) return {};
    return fail(Code::invalid_argument, fmt::format("{} \"{}\" is no valid id", name, text::shorten(id, kShownColumns)),
                "use 1 to 128 of A-Z a-z 0-9 . _ : -");
}

Result<> check(const graph::Checkpoint& checkpoint) {
    if (auto valid = check_id("thread_id", checkpoint.thread_id); !valid) return valid;
    if (auto valid = check_id("checkpoint id", checkpoint.id); !valid) return valid;
    if (!checkpoint.parent_id.empty()) {
        if (auto valid = check_id("parent_id", checkpoint.parent_id); !valid) return valid;
    }
    for (const auto& field : checkpoint.change.append) {
        if (!field.value().is_array()) {
            return fail(Code::invalid_argument,
                        fmt::format("the change adds to \"{}\" something that is no list of items",
                                    text::shorten(field.key(), kShownColumns)));
        }
    }
    if (const char* flaw = flaw_in(checkpoint.change.set)) return check_flaw("the change", flaw);
    if (const char* flaw = flaw_in(checkpoint.change.append)) return check_flaw("the change", flaw);
    if (const char* flaw = flaw_in(checkpoint.position)) return check_flaw("the position", flaw);
    if (const char* flaw = flaw_in(checkpoint.metadata)) return check_flaw("the metadata", flaw);
    return check_flaw("the metadata", has_nul(checkpoint.metadata) ? kNul : nullptr);
}

Result<> check(std::span<const graph::PendingWrite> writes) {
    for (const auto& write : writes) {
        if (const char* flaw = flaw_in(write.value)) return check_flaw("a pending write", flaw);
    }
    return {};
}

Result<> check(const graph::CheckpointQuery& query) {
    if (query.thread_id) {
        if (auto valid = check_id("thread_id", *query.thread_id); !valid) return valid;
    }
    if (query.before) {
        if (!query.thread_id) {
            return fail(Code::invalid_argument, "a listing before a checkpoint needs the thread of that checkpoint",
                        "give thread_id together with before");
        }
        if (auto valid = check_id("before", *query.before); !valid) return valid;
    }
    for (const auto& field : query.metadata) {
        if (!is_scalar(field.value())) {
            return fail(Code::invalid_argument,
                        fmt::format("the filter for metadata \"{}\" is no single value",
                                    text::shorten(field.key(), kShownColumns)),
                        "filter by a string, a number, true, false or null");
        }
    }
    if (const char* flaw = flaw_in(query.metadata)) return check_flaw("the metadata filter", flaw);
    return check_flaw("the metadata filter", has_nul(query.metadata) ? kNul : nullptr);
}

Result<> check(const graph::PruneQuery& query) {
    return query.thread_id ? check_id("thread_id", *query.thread_id) : Result<>{};
}

Result<> check(const Message& message) {
    if (auto valid = check_id("message id", message.id); !valid) return valid;
    if (const char* flaw = flaw_in_text(message.text)) return check_flaw("the message text", flaw);
    return check_flaw("the message data", flaw_in(message.data));
}

Result<> check_text(std::string_view name, std::string_view text) {
    return check_flaw(name, flaw_in_text(text));
}

Result<> check(const ConversationInfo& info) {
    if (auto valid = check_id("thread_id", info.thread_id); !valid) return valid;
    if (auto valid = check_text("the title", info.title); !valid) return valid;
    return check_text("the owner", info.owner);
}

Result<> check(const Feedback& feedback) {
    if (auto valid = check_id("feedback id", feedback.id); !valid) return valid;
    if (auto valid = check_id("thread_id", feedback.thread_id); !valid) return valid;
    if (auto valid = check_text("the owner", feedback.owner); !valid) return valid;
    if (feedback.turn < 0) return fail(Code::invalid_argument, "the turn must not be negative", "turns count from 0");
    return check_text("the comment", feedback.comment);
}

Result<> check(const RunRecord& record) {
    if (auto valid = check_id("run_id", record.run_id); !valid) return valid;
    if (auto valid = check_id("thread_id", record.thread_id); !valid) return valid;
    for (const std::string* plain : {&record.graph, &record.status}) {
        if (const char* flaw = flaw_in_text(*plain)) return check_flaw("the run", flaw);
    }
    for (const TraceStep& step : record.trace) {
        for (const std::string* plain : {&step.node, &step.status, &step.error}) {
            if (!text::is_utf8(*plain)) return check_flaw("the trace", kNotUtf8);
        }
        if (!std::isfinite(step.latency_ms)) return check_flaw("the trace", "a latency that is not finite");
    }
    if (const char* flaw = flaw_in(record.input)) return check_flaw("the run's input", flaw);
    return check_flaw("the run's outcome", flaw_in(record.outcome));
}

bool matches(const json::object& metadata, const json::object& filter) {
    return std::ranges::all_of(filter, [&](const auto& wanted) {
        const json::value* value = metadata.if_contains(wanted.key());
        return value != nullptr && equal(*value, wanted.value());
    });
}

std::unexpected<Error> no_such_checkpoint(std::string_view thread_id, std::string_view id) {
    return fail(Code::not_found, fmt::format("there is no checkpoint {} in thread {}", id, thread_id));
}

std::unexpected<Error> no_such_thread(std::string_view thread_id) {
    return fail(Code::not_found, fmt::format("thread {} has no checkpoints", thread_id));
}

std::unexpected<Error> thread_exists(std::string_view thread_id) {
    return fail(Code::already_exists, fmt::format("thread {} has checkpoints already", thread_id),
                "choose another name for the copy, or delete that thread first");
}

}  // namespace quaestor::store
