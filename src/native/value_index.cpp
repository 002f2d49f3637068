#include "native/value_index.hpp"

#include "native/characters.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace quaestor::native {

namespace {

/// Words of a question that are looked up as one value.
constexpr std::size_t kSpanWordsMax = 8;
/// Shorter words are not looked up alone in values of several words.
constexpr std::size_t kWordPointsMin = 4;

bool is_number_text(std::string_view key) {
    return key.find_first_not_of("0123456789. ") == std::string_view::npos;
}

/// Whether words that say just this mean the value: "no", "a" and "7" are said without meaning one.
bool is_telling(std::string_view key, std::size_t points_min) {
    return count_points(key) >= points_min && !is_stop_word(key) && !is_number_text(key);
}

template <typename Visit>
void for_each_word(std::string_view key, Visit visit) {
    for (std::size_t at = 0; at < key.size();) {
        const std::size_t end = std::min(key.find(' ', at), key.size());
        visit(key.substr(at, end - at));
        at = end + 1;
    }
}

/// The keys of all spans of a question: pieces of one text.
class SpanKeys {
public:
    SpanKeys(std::string_view question, const std::vector<WordSpan>& words) {
        bounds_.reserve(words.size());
        for (const auto& [begin, end] : words) {
            const std::string key = squash(question.substr(begin, end - begin));
            if (!key.empty() && !keys_.empty()) keys_ += ' ';
            bounds_.push_back({.begin = keys_.size(), .end = keys_.size() + key.size()});
            keys_ += key;
        }
    }

    /// Of the words from `first` to `last`.
    [[nodiscard]] std::string_view of(std::size_t first, std::size_t last) const {
        while (first < last && bounds_[first].begin == bounds_[first].end) ++first;
        while (first < last && bounds_[last].begin == bounds_[last].end) --last;
        return std::string_view(keys_).substr(bounds_[first].begin, bounds_[last].end - bounds_[first].begin);
    }

private:
    std::string keys_;
    std::vector<WordSpan> bounds_;
};

}  // namespace

void ValueIndex::add(ColumnId column, std::string_view value) {
    if (value.size() > kValueCharactersMax && count_points(value) > kValueCharactersMax) return;
    const std::string key = squash(value);
    auto& known = columns_[column];
    if (key.empty() || known.size() >= kValuesPerColumnMax) return;

    const auto at = static_cast<std::uint32_t>(known.size());
    const std::string_view kept = texts_.keep(key);
    const auto [chain, is_new] = by_key_.try_emplace(kept, Place{.column = column, .value = at});
    const std::string_view text = chain->first;
    std::string_view spelling = text;
    if (!is_new) {
        texts_.give_back(kept);
        const Place other = chain->second;
        if (place_in(chain->second, column, at).value != at) return;
        if (other.column != column) spelling = columns_.find(other.column)->second[other.value].spelling;
    }
    // Most spellings are the key itself, or stand in another column too.
    if (spelling != value) spelling = text == value ? text : texts_.keep(value);
    known.push_back({.key = text, .spelling = spelling});
    add_words(column, at, text);
}

void ValueIndex::add_alias(ColumnId column, std::string_view alias, std::string_view key) {
    const auto known = columns_.find(column);
    if (known == columns_.end()) return;
    const auto value = std::ranges::find(known->second, key, &KnownValue::key);
    if (value == known->second.end()) return;
    const auto at = static_cast<std::uint32_t>(value - known->second.begin());
    const std::string_view kept = texts_.keep(alias);
    const auto [chain, is_new] = by_key_.try_emplace(kept, Place{.column = column, .value = at});
    if (is_new) return;
    texts_.give_back(kept);
    std::ignore = place_in(chain->second, column, at);
}

/// A word leads to a value when no other value of the column has it.
void ValueIndex::add_words(ColumnId column, std::uint32_t value, std::string_view key) {
    if (!key.contains(' ')) return;
    for_each_word(key, [&](std::string_view word) {
        if (!is_telling(word, kWordPointsMin)) return;
        const std::string_view kept = words_.keep(word);
        const auto [chain, is_new] = by_word_.try_emplace(kept, Place{.column = column, .value = value});
        if (is_new) return;
        words_.give_back(kept);
        Place& place = place_in(chain->second, column, value);
        if (place.value != value) place.value = kSeveral;
    });
}

ValueIndex::Place& ValueIndex::place_in(Place& head, ColumnId column, std::uint32_t value) {
    if (head.column < column) {
        places_.push_back(head);
        head = {.column = column, .value = value, .next = static_cast<std::uint32_t>(places_.size() - 1)};
        return head;
    }
    Place* before = &head;
    while (before->next != kEnd && places_[before->next].column >= column) before = &places_[before->next];
    if (before->column == column) return *before;

    const Place made{.column = column, .value = value, .next = before->next};
    before->next = static_cast<std::uint32_t>(places_.size());
    return places_.emplace_back(made);
}

const ValueIndex::Place* ValueIndex::next_of(const Place& place) const {
    return place.next == kEnd ? nullptr : &places_[place.next];
}

const KnownValue* ValueIndex::find(const Chains& chains, std::string_view text, ColumnId column) const {
    const auto chain = chains.find(text);
    if (chain == chains.end()) return nullptr;
    const Place* place = &chain->second;
    while (place != nullptr && place->column > column) place = next_of(*place);
    if (place == nullptr || place->column != column || place->value == kSeveral) return nullptr;
    return &columns_.find(column)->second[place->value];
}

std::span<const KnownValue> ValueIndex::values_of(ColumnId column) const {
    const auto known = columns_.find(column);
    if (known == columns_.end()) return {};
    return known->second;
}

bool ValueIndex::add_hits(const Chains& chains, std::string_view text, ValueHit hit, std::vector<ValueHit>& out) const {
    const auto chain = chains.find(text);
    if (chain == chains.end()) return false;
    const std::size_t before = out.size();
    for (const Place* place = &chain->second; place != nullptr; place = next_of(*place)) {
        if (place->value == kSeveral) continue;
        hit.column = place->column;
        hit.value = columns_.find(place->column)->second[place->value].spelling;
        out.push_back(hit);
    }
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
    return true;
}

std::vector<ValueHit> ValueIndex::hits(std::string_view question, const std::vector<WordSpan>& words) const {
    std::vector<ValueHit> out;
    const SpanKeys keys(question, words);
    std::vector<bool> taken(words.size());
    const auto is_free = [&taken](std::size_t first, std::size_t size) {
        const auto begin = taken.begin() + static_cast<std::ptrdiff_t>(first);
        return std::find(begin, begin + static_cast<std::ptrdiff_t>(size), true) ==
               begin + static_cast<std::ptrdiff_t>(size);
    };
    const auto is_value = [&](std::string_view key, const ValueHit& hit) {
        return is_telling(key, 2) && add_hits(by_key_, key, hit, out);
    };

    for (std::size_t size = std::min(kSpanWordsMax, words.size()); size > 0; --size)
        for (std::size_t first = 0; first + size <= words.size(); ++first) {
            if (!is_free(first, size)) continue;
            const ValueHit hit{.first = first, .last = first + size - 1, .is_sure = true};
            const std::string_view key = keys.of(hit.first, hit.last);
            if (is_value(key, hit) || is_value(stem(key), hit))
                std::fill_n(taken.begin() + static_cast<std::ptrdiff_t>(first), size, true);
        }
    for (std::size_t at = 0; at < words.size(); ++at)
        if (!taken[at]) add_hits(by_word_, keys.of(at, at), {.first = at, .last = at}, out);
    return out;
}

}  // namespace quaestor::native
