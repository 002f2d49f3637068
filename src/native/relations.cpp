#include "native/relations.hpp"

#include "native/characters.hpp"
#include "native/words.hpp"

#include <algorithm>
#include <map>

namespace quaestor::native {

namespace {

/// Shorter words do not stand for those that begin like them.
constexpr std::size_t kPrefixPointsMin = 4;

/// How well a word fits a name, in the order of the relations between both.
enum Level : std::uint8_t { no_match, prefix, partial, exact, weak_value, value };

/// Numbers of relations; those between words and names count on by Level, those between words by distance.
enum Relation : std::uint8_t {
    word_itself = 3,
    word_column = 6,
    column_word = 12,
    word_table = 18,
    table_word = 22,
    column_self = 26,
    column_same_table,
    column_to_key,
    column_from_key,
    column_other,
    column_in_table,
    column_key_of_table,
    column_not_in_table,
    table_has_column,
    table_has_key,
    table_without_column,
    table_self,
    table_to,
    table_from,
    table_both,
    table_other,
};

/// How the words of a question fit names. A word of a name is compared once, however many names have it.
class NameMatcher {
public:
    explicit NameMatcher(std::span<const std::string> word_stems) : words_(word_stems) {
        for (const auto& word : words_) {
            may_begin_.push_back(count_points(word) >= kPrefixPointsMin && !is_stop_word(word));
            tells_.push_back(!is_stop_word(word) || word == "name");
        }
    }

    [[nodiscard]] std::vector<Level> levels_of(std::string_view name) {
        std::vector<const std::vector<Level>*> parts;
        for (const auto& part : stems(name)) parts.push_back(&fit_of(part));

        std::vector<Level> levels(words_.size(), no_match);
        for (std::size_t at = 0; at < words_.size(); ++at) {
            for (const auto* part : parts) levels[at] = std::max(levels[at], (*part)[at]);
            if (levels[at] == partial && !tells_[at]) levels[at] = no_match;
        }
        for (std::size_t first = 0; !parts.empty() && first + parts.size() <= words_.size(); ++first)
            if (says_all(parts, first))
                std::fill_n(levels.begin() + static_cast<std::ptrdiff_t>(first), parts.size(), exact);
        return levels;
    }

private:
    /// `partial` where the word is the same, `prefix` where one of both begins with the other.
    const std::vector<Level>& fit_of(const std::string& part) {
        const auto [found, is_new] = fits_.try_emplace(part);
        if (!is_new) return found->second;
        const bool may_begin = count_points(part) >= kPrefixPointsMin;
        for (std::size_t at = 0; at < words_.size(); ++at) {
            const std::string& word = words_[at];
            const bool begins = may_begin && may_begin_[at] && (word.starts_with(part) || part.starts_with(word));
            found->second.push_back(word == part ? partial : begins ? prefix : no_match);
        }
        return found->second;
    }

    static bool says_all(const std::vector<const std::vector<Level>*>& parts, std::size_t first) {
        for (std::size_t at = 0; at < parts.size(); ++at)
            if ((*parts[at])[first + at] != partial) return false;
        return true;
    }

    std::span<const std::string> words_;
    std::vector<bool> may_begin_;  ///< by word
    std::vector<bool> tells_;
    std::map<std::string, std::vector<Level>, std::less<>> fits_;
};

class RelationGrid {
public:
    RelationGrid(const RelatedItems& items, const Schema& schema)
        : items_(items),
          schema_(schema),
          first_column_(items.word_stems.size()),
          first_table_(first_column_ + items.columns.size()),
          size_(first_table_ + items.tables.size()),
          cells_(size_ * size_),
          column_place_(schema.columns().size(), kNowhere),
          table_place_(schema.tables().size(), kNowhere) {
        for (std::size_t at = 0; at < items.columns.size(); ++at)
            column_place_[static_cast<std::size_t>(items.columns[at])] = first_column_ + at;
        for (std::size_t at = 0; at < items.tables.size(); ++at)
            table_place_[static_cast<std::size_t>(items.tables[at])] = first_table_ + at;
    }

    std::vector<std::uint8_t> filled() && {
        relate_words();
        relate_names();
        relate_hits();
        relate_columns();
        relate_tables();
        relate_keys();
        return std::move(cells_);
    }

private:
    static constexpr std::size_t kNowhere = SIZE_MAX;

    std::uint8_t& cell(std::size_t row, std::size_t column) { return cells_[row * size_ + column]; }

    void relate_words() {
        constexpr std::ptrdiff_t kFar = 2;
        for (std::size_t row = 0; row < first_column_; ++row)
            for (std::size_t at = 0; at < first_column_; ++at) {
                const auto distance = static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(row);
                cell(row, at) = static_cast<std::uint8_t>(word_itself + std::clamp(distance, -kFar, kFar));
            }
    }

    void relate_word(std::size_t word, std::size_t item, Level level) {
        const bool is_column = item < first_table_;
        const auto at_level = [level](std::uint8_t first) { return static_cast<std::uint8_t>(first + level); };
        cell(word, item) = at_level(is_column ? word_column : word_table);
        cell(item, word) = at_level(is_column ? column_word : table_word);
    }

    void relate_names() {
        NameMatcher matcher(items_.word_stems);
        for (std::size_t item = first_column_; item < size_; ++item) {
            const auto levels =
                item == first_column_ ? std::vector<Level>(first_column_, no_match) : matcher.levels_of(name_of(item));
            for (std::size_t word = 0; word < first_column_; ++word) relate_word(word, item, levels[word]);
        }
    }

    [[nodiscard]] const std::string& name_of(std::size_t item) const {
        if (item < first_table_)
            return schema_.columns()[static_cast<std::size_t>(items_.columns[item - first_column_])].words;
        return schema_.tables()[static_cast<std::size_t>(items_.tables[item - first_table_])].words;
    }

    /// A sure hit counts more than a weak one.
    void relate_hits() {
        for (const bool is_sure : {false, true})
            for (const auto& hit : items_.hits) {
                const std::size_t place = column_place_[static_cast<std::size_t>(hit.column)];
                if (hit.is_sure != is_sure || place == kNowhere) continue;
                for (std::size_t word = hit.first; word <= hit.last; ++word)
                    relate_word(word, place, is_sure ? value : weak_value);
            }
    }

    [[nodiscard]] const SchemaColumn& column_at(std::size_t item) const {
        return schema_.columns()[static_cast<std::size_t>(items_.columns[item - first_column_])];
    }

    void relate_columns() {
        for (std::size_t row = first_column_; row < first_table_; ++row) {
            const SchemaColumn& column = column_at(row);
            for (std::size_t at = first_column_; at < first_table_; ++at)
                cell(row, at) = column_at(at).table == column.table ? column_same_table : column_other;
            cell(row, row) = column_self;
            for (std::size_t at = first_table_; at < size_; ++at) {
                const bool is_own = column.table == items_.tables[at - first_table_];
                cell(row, at) = !is_own             ? column_not_in_table
                                : column.is_primary ? column_key_of_table
                                                    : column_in_table;
                cell(at, row) = !is_own ? table_without_column : column.is_primary ? table_has_key : table_has_column;
            }
        }
    }

    void relate_tables() {
        for (std::size_t row = first_table_; row < size_; ++row)
            for (std::size_t at = first_table_; at < size_; ++at) cell(row, at) = row == at ? table_self : table_other;
    }

    void relate_keys() {
        for (const auto& [from, to] : schema_.keys()) {
            const std::size_t own = column_place_[static_cast<std::size_t>(from)];
            const std::size_t other = column_place_[static_cast<std::size_t>(to)];
            if (own != kNowhere && other != kNowhere) {
                cell(own, other) = column_to_key;
                cell(other, own) = column_from_key;
            }
            const std::size_t table = table_place_[static_cast<std::size_t>(schema_.table_of(from))];
            const std::size_t target = table_place_[static_cast<std::size_t>(schema_.table_of(to))];
            if (table == kNowhere || target == kNowhere || table == target) continue;
            add_key(cell(table, target), table_to, table_from);
            add_key(cell(target, table), table_from, table_to);
        }
    }

    static void add_key(std::uint8_t& relation, Relation way, Relation way_back) {
        relation = relation == way_back || relation == table_both ? table_both : way;
    }

    const RelatedItems& items_;
    const Schema& schema_;
    std::size_t first_column_;
    std::size_t first_table_;
    std::size_t size_;
    std::vector<std::uint8_t> cells_;
    std::vector<std::size_t> column_place_;  ///< items of the schema's columns and tables, or kNowhere
    std::vector<std::size_t> table_place_;
};

}  // namespace

std::vector<std::uint8_t> relations_of(const RelatedItems& items, const Schema& schema) {
    return RelationGrid(items, schema).filled();
}

}  // namespace quaestor::native
