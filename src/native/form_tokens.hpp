// A logical form as a line of tokens, which is how the trained parser writes it, and the automaton that says what may
// come next: no candidate is ever malformed. Those of training/grammar.py and training/logical_form.py to the letter.
// Threads: pure functions; a GrammarState is a value.
#pragma once

#include "base/error.hpp"
#include "native/logical_form.hpp"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace quaestor::native {

/// A keyword of the closed vocabulary, or a pointer.
struct FormToken {
    enum class Kind : std::uint8_t { keyword, column, table, word } kind = Kind::keyword;
    int value = 0;  ///< index into form_keywords(), or what is pointed to
    friend bool operator==(const FormToken&, const FormToken&) = default;
};

inline constexpr std::size_t kFormKeywords = 80;
[[nodiscard]] std::span<const std::string_view> form_keywords();
/// -1 when it is none.
[[nodiscard]] int keyword_id(std::string_view keyword);

/// The longest value, in words.
inline constexpr int kSpanMax = 10;
/// Tokens of a form that is read.
inline constexpr std::size_t kFormTokensMax = 500;

/// A constant that is not in the vocabulary becomes V:UNK. Code::unsupported for a window, which has no tokens.
[[nodiscard]] Result<std::vector<FormToken>> tokens_of(const Query& query, const Schema& schema);
/// Code::invalid_argument for what is no form.
[[nodiscard]] Result<Query> form_of(std::span<const FormToken> tokens);

/// Where the automaton stands.
class GrammarState {
public:
    GrammarState();

    /// What may come next: keywords by id, and kinds of pointers.
    struct Allowed {
        std::bitset<kFormKeywords> keywords;
        bool columns = false;
        bool keys = false;  ///< columns that are foreign keys
        bool tables = false;
        bool words = false;      ///< the first word of a value
        bool word_ends = false;  ///< its last: the same or up to kSpanMax - 1 later
    };
    [[nodiscard]] Allowed allowed() const;
    /// False when the token may not come here; the state is unchanged then.
    [[nodiscard]] bool step(const FormToken& token);
    [[nodiscard]] bool is_complete() const { return stack_.empty(); }

private:
    std::vector<std::uint8_t> stack_;  ///< of grammar symbols, the top last
};

}  // namespace quaestor::native
