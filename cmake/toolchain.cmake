# How everything is compiled: language, warnings, sanitizers, linker. The presets choose, this file obeys.

option(QUAESTOR_TESTS "Build the tests" OFF)
option(QUAESTOR_BENCH "Build the benchmarks" OFF)
option(QUAESTOR_FUZZ "Build the fuzz targets" OFF)
option(QUAESTOR_COVERAGE "Let fuzz targets see which way their input takes through the rooms" OFF)
option(QUAESTOR_UNITY "Compile several files of a target as one" OFF)
set(QUAESTOR_SANITIZE "" CACHE STRING "Sanitizers to compile with, as clang names them: address,undefined or thread")

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
    message(FATAL_ERROR "Quaestor is built with clang 19 (g++ 12 miscompiles coroutines). Use a preset: cmake --preset release")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# A field that an initializer leaves out has its default: that is what defaults are for, and no warning.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
                    -Woverloaded-virtual -Wno-missing-field-initializers -Werror -fno-omit-frame-pointer)
add_link_options(-fuse-ld=lld)

# SPDLOG_FMT_EXTERNAL: Debian's spdlog is built against Debian's fmt. BOOST_ASIO_*: no deprecated names, and as many
# freed coroutine frames kept for reuse as a node step has open at once.
add_compile_definitions(SPDLOG_FMT_EXTERNAL BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_DATE_TIME
                        BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=8)

# Sanitized code is mostly templates that every file would compile again: several files at once take a third of the time.
# release and debug stay file by file: there each file has to include what it uses, and a change recompiles only itself.
if(QUAESTOR_UNITY)
    set(CMAKE_UNITY_BUILD ON)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
endif()

if(QUAESTOR_SANITIZE)
    add_compile_options(-fsanitize=${QUAESTOR_SANITIZE} -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${QUAESTOR_SANITIZE})
endif()
# Three checks at every use of a pointer are a fifth of the compile time, and find little alone: a null pointer crashes, and
# objects that are too small or gone are the address sanitizer's. Alignment, a tenth, stays: nothing else would tell.
if(QUAESTOR_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize=null,vptr,object-size)
endif()
if(QUAESTOR_COVERAGE)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
