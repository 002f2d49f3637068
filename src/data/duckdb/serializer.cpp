#include "data/duckdb/serializer.hpp"

#include <fmt/format.h>

#include <utility>

namespace quaestor::data {

namespace {

/// DuckDB gives a bound expression only to a function that has it as its argument, while that function is bound. So
/// there is one that keeps its argument and is never called, and one that stands for the text of each evaluation.
constexpr const char* kStatement =
    "SELECT keep_argument(json_serialize_sql(text_to_read(), skip_empty := true, skip_null := true))";

// DuckDB calls both functions on the thread that called it.
thread_local std::string_view text_to_read;
thread_local duckdb_expression kept_argument = nullptr;

void give_text(duckdb_function_info /*info*/, duckdb_data_chunk /*input*/, duckdb_vector output) {
    duckdb_vector_assign_string_element_len(output, 0, text_to_read.data(), text_to_read.size());
}

void keep_argument(duckdb_bind_info info) {
    duckdb_destroy_expression(&kept_argument);
    kept_argument = duckdb_scalar_function_bind_get_argument(info, 0);
}

using Function = duck::Handle<duckdb_scalar_function, duckdb_destroy_scalar_function>;

Function text_function(const char* name) {
    Function function(duckdb_create_scalar_function());
    const duck::LogicalType text(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
    duckdb_scalar_function_set_name(function.get(), name);
    duckdb_scalar_function_set_return_type(function.get(), text.get());
    duckdb_scalar_function_set_function(function.get(), give_text);
    return function;
}

}  // namespace

Result<> SqlSerializer::prepare(const duck::Database& database) {
    const auto connection = database.connect();
    if (!connection) return fail(connection.error());
    const Function reading = text_function("text_to_read");
    const Function keeping = text_function("keep_argument");
    const duck::LogicalType text(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
    duckdb_scalar_function_add_parameter(keeping.get(), text.get());
    duckdb_scalar_function_set_bind(keeping.get(), keep_argument);
    for (const auto* function : {&reading, &keeping}) {
        if (duckdb_register_scalar_function(connection->raw(), function->get()) != DuckDBSuccess) {
            return fail(quaestor::Code::internal, "DuckDB does not take a function that its parser needs");
        }
    }
    return {};
}

Result<SqlSerializer> SqlSerializer::make(const duck::Database& database) {
    auto connection = database.connect();
    if (!connection) return fail(connection.error());
    const auto statement = connection->prepare(kStatement);
    Expression call(std::exchange(kept_argument, nullptr));
    if (!statement) return fail(statement.error());
    if (!call || !duckdb_expression_is_foldable(call.get())) {
        return fail(quaestor::Code::internal, "DuckDB does not evaluate json_serialize_sql alone");
    }
    return SqlSerializer(std::move(*connection), std::move(call));
}

SqlSerializer::SqlSerializer(duck::Connection connection, Expression call)
    : connection_(std::move(connection)), call_(std::move(call)) {
    duckdb_client_context context = nullptr;
    duckdb_connection_get_client_context(connection_.raw(), &context);
    context_.reset(context);
}

Result<std::string> SqlSerializer::serialize(std::string_view sql) const {
    text_to_read = sql;
    duckdb_value evaluated = nullptr;
    const duck::Handle<duckdb_error_data, duckdb_destroy_error_data> failure(
        duckdb_expression_fold(context_.get(), call_.get(), &evaluated));
    text_to_read = {};
    const duck::Handle<duckdb_value, duckdb_destroy_value> value(evaluated);
    if (failure && duckdb_error_data_has_error(failure.get())) {
        return fail(
            duck::error_of(duckdb_error_data_error_type(failure.get()), duckdb_error_data_message(failure.get())));
    }
    if (!value || duckdb_is_null_value(value.get()))
        return fail(quaestor::Code::internal, "DuckDB's parser gave no answer");
    char* const text = duckdb_get_varchar(value.get());
    std::string answer(text);
    duckdb_free(text);
    return answer;
}

}  // namespace quaestor::data
