// Behind json.hpp, and for others who tell what does not fit in the same words: what one check remembers of a problem.
// The path is put together on the way out, so that reading what fits costs nothing.
// Threads: a Problem belongs to one call.
#pragma once

#include "base/error.hpp"

#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace quaestor::json_codec {

using Names = std::span<const std::string_view>;

// What values look like, in the words of an error message.
inline constexpr std::string_view kBoolShape = "true or false";
inline constexpr std::string_view kWholeNumberShape = "a whole number";
inline constexpr std::string_view kNumberShape = "a number";
inline constexpr std::string_view kStringShape = "a string";
inline constexpr std::string_view kListShape = "a list";
inline constexpr std::string_view kObjectShape = "an object";

/// Every member that returns bool returns false, so that a reader can `return problem.expected(…)`.
class Problem {
public:
    bool expected(std::string_view what, const boost::json::value& got);
    bool expected_whole_number(std::int64_t least, std::uint64_t most, const boost::json::value& got);
    bool expected_items(std::size_t count, std::size_t got);
    bool expected_one_of(Names shapes, const boost::json::value& got);
    bool expected_name(Names names, std::string_view got);
    bool unknown_field(Names fields, std::string_view got);
    bool missing_field(std::string_view field, std::string hint = "it must be given");
    bool because(Error error);

    /// The problem lies inside this field, map key or list item of the value around it.
    bool inside(std::string_view field);
    bool inside_key(std::string_view key);
    bool inside_item(std::size_t index);

    /// While muted it keeps no words: an alternative that does not fit is no mistake.
    void mute(bool muted) { muted_ = muted; }
    [[nodiscard]] bool muted() const { return muted_; }

    /// The problem as decode() reports it.
    [[nodiscard]] Error error() &&;

private:
    bool failed(std::string message, std::string hint = {});
    bool prefix(std::string step);

    bool muted_ = false;
    std::string path_;
    Error error_;
};

}  // namespace quaestor::json_codec
