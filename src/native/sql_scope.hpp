// The tables of one SELECT that is read, under their aliases, and which of them are reached through a foreign key that
// must be named.
// Private to native/. Threads: one for each SELECT.
#pragma once

#include "native/joins.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

class SqlScope {
public:
    /// A column of one of the tables; column 0 stands for all of them.
    struct Place {
        std::size_t table = 0;  ///< in the order of FROM
        ColumnId column = 0;
    };

    /// Which keys a form names: those between two tables that several join, or also those that lead to a table which
    /// another table of the SELECT leads to as well.
    enum class Naming { rival_keys, rival_ways };
    SqlScope(const Schema& schema, Naming naming) : schema_(schema), naming_(naming) {}

    /// A table is also found under its own name, unless an alias of that name is there.
    void add_table(TableId table, std::string_view name, std::string_view alias);
    void add_equality(const Place& left, const Place& right) { equalities_.emplace_back(left, right); }
    /// Two keys of a row of which either may lead to the table. Throws Unsupported when they are no such keys.
    void add_either(const std::pair<Place, Place>& first, const std::pair<Place, Place>& second);
    /// Once all tables and equalities are known. Throws Unsupported for the same table twice without a key between.
    void find_branches();

    /// Column 0 when there is none.
    [[nodiscard]] Place find(std::string_view alias, std::string_view column) const;
    [[nodiscard]] Place find(std::string_view column) const;
    [[nodiscard]] bool has_alias(std::string_view alias) const;
    [[nodiscard]] std::size_t table_count() const { return tables_.size(); }
    [[nodiscard]] ColumnRef ref(const Place& place) const {
        return {place.column, via_[place.table], or_via_[place.table]};
    }
    /// Those that are not reached through a named key.
    [[nodiscard]] std::vector<TableId> trunk() const;
    /// Throws Unsupported when `query` would be joined otherwise than it was written.
    void check_joins(const Query& query) const;

private:
    /// An equality with the foreign key on the left, where it is one.
    struct Link {
        Place from;
        Place to;
        bool is_key = false;
    };
    [[nodiscard]] Link link_of(const Place& left, const Place& right) const;
    [[nodiscard]] bool has_rivals(const Link& link) const;
    void spread(std::size_t table, ColumnId via, std::size_t back, const std::vector<Link>& links);

    const Schema& schema_;
    const Naming naming_;
    std::vector<TableId> tables_;
    std::vector<ColumnId> via_;
    std::vector<ColumnId> or_via_;
    std::map<std::string, std::size_t, std::less<>> aliases_;
    std::vector<std::pair<Place, Place>> equalities_;
};

}  // namespace quaestor::native
