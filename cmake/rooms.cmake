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
    quaestor_group_by_folder(${name} ${ROOM_SOURCES})
endfunction()

# A part of a room that stands on more than the rest of it: what needs only the rest does not build all that.
function(quaestor_part name)
    cmake_parse_arguments(PART "" "ROOM" "SOURCES;USES" ${ARGN})
    list(TRANSFORM PART_SOURCES PREPEND ${PART_ROOM}/)
    add_library(${name} STATIC ${PART_SOURCES})
    target_link_libraries(${name} PUBLIC ${PART_ROOM} ${PART_USES})
    quaestor_use_common_headers(${name})
    quaestor_group_by_folder(${name} ${PART_SOURCES})
endfunction()

# In a unity build only files of one folder are compiled as one, in batches: names that a file keeps to itself have to be
# different from those in the same folder, and from no others.
function(quaestor_group_by_folder target)
    if(NOT CMAKE_UNITY_BUILD)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    foreach(source ${ARGN})
        cmake_path(GET source PARENT_PATH folder)
        string(MAKE_C_IDENTIFIER ${folder} group)
        if(NOT DEFINED count_${group})
            set(count_${group} 0)
        endif()
        math(EXPR batch "${count_${group}} / ${CMAKE_UNITY_BUILD_BATCH_SIZE}")
        math(EXPR count_${group} "${count_${group}} + 1")
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${batch})
    endforeach()
endfunction()

# Third-party headers that nearly every file reads, compiled once.
function(quaestor_use_common_headers target)
    if(TARGET common_headers)
        target_link_libraries(${target} PUBLIC common_headers_libraries)
        target_precompile_headers(${target} REUSE_FROM common_headers)
    endif()
endfunction()
