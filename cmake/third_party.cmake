# Libraries that CMake has no finder for: DuckDB and llama.cpp, which script/third_party fetched, and Debian's
# libpg_query, libedit and libstemmer.

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

# libggml loads one of the libggml-cpu-*.so beside it, whichever suits the processor best (llm/llama/loaded_model.cpp).
set(LLAMA_VERSION v0.5.0)
set(LLAMA_FOLDER ${QUAESTOR_THIRD_PARTY}/llama)
set(LLAMA_LIBRARY ${LLAMA_FOLDER}/libllama.${LLAMA_VERSION}.so)
if(NOT EXISTS ${LLAMA_LIBRARY} OR NOT EXISTS ${LLAMA_FOLDER}/include/llama.h)
    message(FATAL_ERROR "llama.cpp ${LLAMA_VERSION} is not in ${QUAESTOR_THIRD_PARTY}; run script/bootstrap")
endif()
add_library(Llama::GgmlBase SHARED IMPORTED)
set_target_properties(Llama::GgmlBase PROPERTIES IMPORTED_LOCATION ${LLAMA_FOLDER}/libggml-base.so
                                                 INTERFACE_INCLUDE_DIRECTORIES ${LLAMA_FOLDER}/include)
add_library(Llama::Ggml SHARED IMPORTED)
set_target_properties(Llama::Ggml PROPERTIES IMPORTED_LOCATION ${LLAMA_FOLDER}/libggml.${LLAMA_VERSION}.so
                                             INTERFACE_LINK_LIBRARIES Llama::GgmlBase)
add_library(Llama::Llama SHARED IMPORTED)
set_target_properties(Llama::Llama PROPERTIES IMPORTED_LOCATION ${LLAMA_LIBRARY} INTERFACE_LINK_LIBRARIES Llama::Ggml)

find_library(PG_QUERY_LIBRARY pg_query REQUIRED)
find_path(PG_QUERY_INCLUDE pg_query.h REQUIRED)
add_library(PgQuery::PgQuery STATIC IMPORTED)
set_target_properties(PgQuery::PgQuery PROPERTIES IMPORTED_LOCATION ${PG_QUERY_LIBRARY}
                                                  INTERFACE_INCLUDE_DIRECTORIES ${PG_QUERY_INCLUDE})

find_library(EDIT_LIBRARY edit REQUIRED)
find_path(EDIT_INCLUDE histedit.h REQUIRED)
add_library(Edit::Edit SHARED IMPORTED)
set_target_properties(Edit::Edit PROPERTIES IMPORTED_LOCATION ${EDIT_LIBRARY}
                                            INTERFACE_INCLUDE_DIRECTORIES ${EDIT_INCLUDE})

find_library(STEMMER_LIBRARY stemmer REQUIRED)
find_path(STEMMER_INCLUDE libstemmer.h REQUIRED)
add_library(Stemmer::Stemmer UNKNOWN IMPORTED)
set_target_properties(Stemmer::Stemmer PROPERTIES IMPORTED_LOCATION ${STEMMER_LIBRARY}
                                                  INTERFACE_INCLUDE_DIRECTORIES ${STEMMER_INCLUDE})
