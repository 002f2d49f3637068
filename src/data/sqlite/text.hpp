// What the text of a statement tells that SQLite does not: where names stand, which are common table expressions,
// whether rows are limited, and what to warn of. Private to the SQLite engine.
// Threads: immutable once made. The text outlives it.
#pragma once

#include "data/reading.hpp"
#include "data/sql_text.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data::sqlite {

/// Only the letters A to Z have two cases, as in SQLite.
[[nodiscard]] std::string lower(std::string_view text);

class StatementText {
public:
    explicit StatementText(std::string_view sql);

    [[nodiscard]] bool is_blank() const { return tokens_.empty(); }
    /// "select", "insert"; empty when the statement does not begin with a word.
    [[nodiscard]] const std::string& verb() const { return verb_; }

    /// Where `name` is first written, in any kind of quotes; nothing when it is not.
    [[nodiscard]] std::optional<std::size_t> find_name(std::string_view name) const;
    /// Where `name` is first written with an opening bracket behind it.
    [[nodiscard]] std::optional<std::size_t> find_call(std::string_view name) const;
    /// The quoted names and words of the statement, unquoted, each once.
    [[nodiscard]] std::vector<std::string> names() const;
    /// What stands behind FROM and JOIN, unquoted.
    [[nodiscard]] std::vector<std::string> sources() const;
    [[nodiscard]] bool is_cte(std::string_view name) const;
    /// True when a name in double quotes stands at `at`.
    [[nodiscard]] bool is_quoted_at(std::size_t at) const;

    /// Sets has_limit and takes_limit.
    void read_limit(Reading& reading) const;
    [[nodiscard]] std::vector<Problem> warnings(bool recurses) const;

private:
    [[nodiscard]] bool is_word(std::size_t place, std::string_view word) const;
    [[nodiscard]] bool is_symbol(std::size_t place, std::string_view symbol) const;
    [[nodiscard]] bool is_star(std::size_t place) const;
    [[nodiscard]] bool has_leading_wildcard(std::size_t place) const;
    [[nodiscard]] std::size_t before_brackets(std::size_t place) const;
    void find_ctes();

    std::vector<SqlToken> tokens_;
    std::vector<std::string> names_;  ///< per token: lower case and unquoted; empty for numbers and symbols
    std::vector<std::string> ctes_;   ///< lower case
    std::string verb_;
};

}  // namespace quaestor::data::sqlite
