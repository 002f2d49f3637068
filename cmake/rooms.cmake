# A room is one folder under src/ and one static library. Its headers are reached as "room/header.hpp", and only by rooms
# that name it in USES: each room has an include root of its own in the build tree, so an upward include does not compile.

# quaestor_room(NAME SOURCES file... [USES room...] [LIBRARIES target...])
function(quaestor_room name)
    cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LIBRARIES" ${ARGN})
    set(include_root ${CMAKE_BINARY_DIR}/rooms/${name})
    file(MAKE_DIRECTORY ${include_root})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${name} ${include_root}/${name} SYMBOLIC)

    list(TRANSFORM ROOM_SOURCES PREPEND ${name}/)
    add_library(${name} STATIC ${ROOM_SOURCES})
    target_include_directories(${name} PUBLIC ${include_root})
    target_link_libraries(${name} PUBLIC ${ROOM_USES} ${ROOM_LIBRARIES})
    quaestor_use_common_headers(${name})
endfunction()

# Third-party headers that nearly every file reads, compiled once.
function(quaestor_use_common_headers target)
    if(TARGET common_headers)
        target_link_libraries(${target} PUBLIC common_headers_libraries)
        target_precompile_headers(${target} REUSE_FROM common_headers)
    endif()
endfunction()
