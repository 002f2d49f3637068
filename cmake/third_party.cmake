# Libraries that CMake has no finder for: DuckDB, which script/third_party fetched, and Debian's libpg_query.

if(DEFINED ENV{XDG_CACHE_HOME})
    set(cache $ENV{XDG_CACHE_HOME})
else()
    set(cache $ENV{HOME}/.cache)
endif()
set(QUAESTOR_THIRD_PARTY ${cache}/quaestor/third_party CACHE PATH "Where script/third_party keeps what it fetched")

find_library(DUCKDB_LIBRARY duckdb PATHS ${QUAESTOR_THIRD_PARTY}/duckdb NO_DEFAULT_PATH)
find_path(DUCKDB_INCLUDE duckdb.h PATHS ${QUAESTOR_THIRD_PARTY}/duckdb NO_DEFAULT_PATH)
if(NOT DUCKDB_LIBRARY OR NOT DUCKDB_INCLUDE)
    message(FATAL_ERROR "DuckDB is not in ${QUAESTOR_THIRD_PARTY}; run script/bootstrap")
endif()
add_library(DuckDB::DuckDB SHARED IMPORTED)
set_target_properties(DuckDB::DuckDB PROPERTIES IMPORTED_LOCATION ${DUCKDB_LIBRARY}
                                                INTERFACE_INCLUDE_DIRECTORIES ${DUCKDB_INCLUDE})

find_library(PG_QUERY_LIBRARY pg_query REQUIRED)
find_path(PG_QUERY_INCLUDE pg_query.h REQUIRED)
add_library(PgQuery::PgQuery STATIC IMPORTED)
set_target_properties(PgQuery::PgQuery PROPERTIES IMPORTED_LOCATION ${PG_QUERY_LIBRARY}
                                                  INTERFACE_INCLUDE_DIRECTORIES ${PG_QUERY_INCLUDE})
