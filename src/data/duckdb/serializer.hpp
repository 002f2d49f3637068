// DuckDB's json_serialize_sql, bound once and then evaluated alone for each text: as a statement the same call costs
// three times as much, for a transaction, a pipeline and a result. Private to data/; the database outlives it. Threads:
// one at a time.
#pragma once

#include "base/error.hpp"
#include "data/duckdb/handle.hpp"

#include <string>
#include <string_view>

namespace quaestor::data {

class SqlSerializer {
public:
    /// Makes the functions that make() needs known to a database, once.
    [[nodiscard]] static Result<> prepare(const duck::Database& database);

    /// With a connection of its own to a prepared database.
    [[nodiscard]] static Result<SqlSerializer> make(const duck::Database& database);

    /// The parse tree of the text, which is UTF-8, as JSON, or as JSON what is wrong with it.
    [[nodiscard]] Result<std::string> serialize(std::string_view sql) const;

private:
    using Context = duck::Handle<duckdb_client_context, duckdb_destroy_client_context>;
    using Expression = duck::Handle<duckdb_expression, duckdb_destroy_expression>;

    SqlSerializer(duck::Connection connection, Expression call);

    duck::Connection connection_;
    Context context_;
    Expression call_;
};

}  // namespace quaestor::data
