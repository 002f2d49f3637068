#include "native/characters.hpp"
#include "native/value_index.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

/// Values that are offered when none is surely meant, and how many edits they may be away.
constexpr std::size_t kNearestMax = 5;
constexpr std::size_t kOfferedEditsMax = 4;
constexpr std::size_t kOfferedPointsPerEdit = 3;
/// A stem is the word but for this much at its end.
constexpr std::size_t kStemmedBytesMax = 3;

void read_points(std::string_view text, std::u32string& out) {
    out.clear();
    for (std::size_t at = 0; at < text.size();) out += next_point(text, at);
}

bool has_digit(std::string_view text) {
    return std::ranges::any_of(text, is_digit);
}

/// Edits by which a text may differ from a value that it means.
std::size_t edits_allowed(std::size_t points) {
    if (points < 5) return 0;
    return points < 9 ? 1 : 2;
}

/// The edits between one text and others, as long as they are few.
class EditDistance {
public:
    explicit EditDistance(std::string_view text) { read_points(text, left_); }

    [[nodiscard]] std::size_t points() const { return left_.size(); }

    /// More than `limit`: no matter how many. Looks only at a band around the diagonal, and no further than where all
    /// of it is beyond the limit.
    [[nodiscard]] std::size_t to(std::string_view text, std::size_t limit) {
        const std::size_t beyond = limit + 1;
        if (text.size() + limit < left_.size()) return beyond;
        read_points(text, right_);
        if (right_.size() > left_.size() + limit || left_.size() > right_.size() + limit) return beyond;

        row_.assign(right_.size() + 1, beyond);
        for (std::size_t at = 0; at <= std::min(limit, right_.size()); ++at) row_[at] = at;
        for (std::size_t line = 1; line <= left_.size(); ++line)
            if (next_row(line, limit) > limit) return beyond;
        return row_.back();
    }

private:
    /// Its least entry.
    std::size_t next_row(std::size_t line, std::size_t limit) {
        const std::size_t begin = line > limit ? line - limit : 1;
        const std::size_t end = std::min(right_.size(), line + limit);
        std::size_t diagonal = row_[begin - 1];
        row_[begin - 1] = begin == 1 ? std::min(line, limit + 1) : limit + 1;
        std::size_t least = row_[begin - 1];
        for (std::size_t at = begin; at <= end; ++at) {
            const std::size_t above = row_[at];
            const std::size_t replaced = diagonal + (left_[line - 1] == right_[at - 1] ? 0 : 1);
            row_[at] = std::min({above + 1, row_[at - 1] + 1, replaced, limit + 1});
            diagonal = above;
            least = std::min(least, row_[at]);
        }
        return least;
    }

    std::u32string left_;
    std::u32string right_;
    std::vector<std::size_t> row_;
};

/// False for most keys whose stems differ, at little cost: only the end of the first word may.
bool may_share_stems(std::string_view left, std::string_view right) {
    const auto [at, other] = std::ranges::mismatch(left, right);
    if (at == left.end() || other == right.end()) return true;
    const auto same = static_cast<std::size_t>(at - left.begin());
    const auto first_word = std::min({left.find(' '), right.find(' '), left.size(), right.size()});
    const auto is_ascii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
    return same + kStemmedBytesMax >= first_word || !is_ascii(*at) || !is_ascii(*other);
}

/// The only value that `matches`, or nullptr.
template <typename Matches>
const KnownValue* only_one(std::span<const KnownValue> values, Matches matches) {
    const auto found = std::ranges::find_if(values, matches);
    if (found == values.end() || std::any_of(found + 1, values.end(), matches)) return nullptr;
    return &*found;
}

const KnownValue* same_stems(std::span<const KnownValue> values, std::string_view key) {
    const auto wanted = stems(key);
    return only_one(
        values, [&](const KnownValue& value) { return may_share_stems(value.key, key) && stems(value.key) == wanted; });
}

const KnownValue* near(std::span<const KnownValue> values, std::string_view key) {
    EditDistance distance(key);
    const std::size_t limit = edits_allowed(distance.points());
    if (limit == 0 || has_digit(key)) return nullptr;
    return only_one(values, [&](const KnownValue& value) {
        return distance.to(value.key, limit) <= limit && !has_digit(value.key);
    });
}

bool has_word(std::string_view key, std::string_view word) {
    for (std::size_t at = key.find(word); at != std::string_view::npos; at = key.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || key[at - 1] == ' ') && (end == key.size() || key[end] == ' ')) return true;
    }
    return false;
}

}  // namespace

Spelling ValueIndex::spelling(ColumnId column, std::string_view text) const {
    using enum Spelling::Certainty;
    const auto values = values_of(column);
    const std::string key = squash(text);
    if (const auto* const value = find(by_key_, key, column))
        return {.text = std::string(value->spelling), .certainty = value->key == key ? exact : likely};

    const KnownValue* value = find(by_key_, stem(key), column);
    if (!value) value = same_stems(values, key);
    if (!value) value = find(by_word_, key, column);
    if (!value) value = near(values, key);
    if (value) return {.text = std::string(value->spelling), .certainty = likely};
    return {.text = std::string(text), .certainty = unknown, .nearest = nearest_to(column, key)};
}

/// Values that have the text among their words, then those a few edits away.
std::vector<std::string> ValueIndex::nearest_to(ColumnId column, std::string_view key) const {
    if (key.empty()) return {};
    EditDistance distance(key);
    const std::size_t limit = std::min(distance.points() / kOfferedPointsPerEdit, kOfferedEditsMax);
    std::array<std::vector<std::string_view>, kOfferedEditsMax + 1> by_edits;
    for (const auto& value : values_of(column)) {
        const std::size_t edits = has_word(value.key, key) ? 0 : distance.to(value.key, limit);
        if (edits <= limit && by_edits[edits].size() < kNearestMax) by_edits[edits].push_back(value.spelling);
    }
    std::vector<std::string> out;
    for (const auto& spellings : by_edits)
        for (const auto spelling : spellings)
            if (out.size() < kNearestMax) out.emplace_back(spelling);
    return out;
}

}  // namespace quaestor::native
