// The distinct values of a database's text columns, and which of them a question names. Values are never silently
// replaced: a text is mapped to the database's spelling only when one value is surely meant. Built once for a source;
// then immutable. Threads: share freely.
#pragma once

#include "native/schema.hpp"
#include "native/text_arena.hpp"
#include "native/words.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// Values of a column that are kept, and the longest of them.
inline constexpr std::size_t kValuesPerColumnMax = 5'000;
inline constexpr std::size_t kValueCharactersMax = 80;

/// Words of a question that name a value.
struct ValueHit {
    std::size_t first = 0;  ///< word
    std::size_t last = 0;   ///< word, included
    ColumnId column = 0;
    std::string value;     ///< in the database's spelling
    bool is_sure = false;  ///< false: only a word of the value is said, and no other value of the column has it
};

/// How a text stands to the values of a column.
struct Spelling {
    std::string text;  ///< the value in the database's spelling, or the text itself
    enum class Certainty { exact, likely, unknown } certainty = Certainty::unknown;
    std::vector<std::string> nearest{};  ///< for unknown: values that may have been meant, the nearest first
};

/// A value under the key of its words (words.hpp, squash).
struct KnownValue {
    std::string_view key;
    std::string_view spelling;
};

class ValueIndex {
public:
    /// Adds a value; those beyond the bounds are left out.
    void add(ColumnId column, std::string_view value);
    /// Another key for a value that the column has by its own: "women" for F. Nothing where the alias leads elsewhere.
    void add_alias(ColumnId column, std::string_view alias, std::string_view key);
    /// Whether some column has a value of this key, or an alias.
    [[nodiscard]] bool has(std::string_view key) const { return by_key_.contains(key); }

    /// Longest spans first, no word twice; then single words.
    [[nodiscard]] std::vector<ValueHit> hits(std::string_view question, const std::vector<WordSpan>& words) const;
    /// What a text means in a column: the same key, a plural, one of its words, or one near spelling.
    [[nodiscard]] Spelling spelling(ColumnId column, std::string_view text) const;
    /// The values of a column in the order of adding; none for one without text values.
    [[nodiscard]] std::span<const KnownValue> values_of(ColumnId column) const;

private:
    /// Where a key or a word is found: a chain of columns, the greatest first, so that columns added in their order are
    /// found at its head. Most chains are no longer than that.
    struct Place {
        ColumnId column = 0;
        std::uint32_t value = 0;  ///< of the column, or kSeveral
        std::uint32_t next = kEnd;
    };
    using Chains = boost::unordered_flat_map<std::string_view, Place, std::hash<std::string_view>>;
    static constexpr std::uint32_t kSeveral = UINT32_MAX;  ///< more than one value of the column has the word
    static constexpr std::uint32_t kEnd = UINT32_MAX;

    void add_words(ColumnId column, std::uint32_t value, std::string_view key);
    /// The place of a column in the chain that begins at `head`; made to lead to `value` when there is none.
    Place& place_in(Place& head, ColumnId column, std::uint32_t value);
    [[nodiscard]] const Place* next_of(const Place& place) const;
    [[nodiscard]] const KnownValue* find(const Chains& chains, std::string_view text, ColumnId column) const;
    /// Adds `hit` with each column and value that the chain of `text` leads to; false when there is no chain.
    bool add_hits(const Chains& chains, std::string_view text, ValueHit hit, std::vector<ValueHit>& out) const;
    [[nodiscard]] std::vector<std::string> nearest_to(ColumnId column, std::string_view key) const;

    TextArena texts_;
    TextArena words_;  ///< apart, for they are compared often and are few
    boost::unordered_flat_map<ColumnId, std::vector<KnownValue>> columns_;
    std::vector<Place> places_;  ///< of chains, behind their heads
    Chains by_key_;
    Chains by_word_;  ///< words of values that have several
};

}  // namespace quaestor::native
