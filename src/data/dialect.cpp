#include "data/dialect.hpp"

#include <utility>

namespace quaestor::data {

namespace {

std::string quote(std::string_view text, char mark) {
    std::string quoted(1, mark);
    for (const char c : text) {
        if (c == mark) quoted += mark;
        quoted += c;
    }
    return quoted += mark;
}

}  // namespace

std::string_view to_string(Dialect dialect) {
    switch (dialect) {
        case Dialect::duckdb:
            return "duckdb";
        case Dialect::postgres:
            return "postgres";
        case Dialect::sqlite:
            return "sqlite";
    }
    std::unreachable();
}

std::string_view title_of(Dialect dialect) {
    switch (dialect) {
        case Dialect::duckdb:
            return "DuckDB";
        case Dialect::postgres:
            return "PostgreSQL";
        case Dialect::sqlite:
            return "SQLite";
    }
    std::unreachable();
}

std::string quote_name(std::string_view name) {
    return quote(name, '"');
}

std::string quote_name(std::string_view schema, std::string_view name) {
    return schema.empty() ? quote_name(name) : quote_name(schema) + "." + quote_name(name);
}

std::string quote_text(std::string_view text) {
    return quote(text, '\'');
}

}  // namespace quaestor::data
