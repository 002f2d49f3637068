# Compiles FILE twice: as it is it must compile; with MISUSE defined it must not, and the compiler must say EXPECTED.
# INCLUDES and DEFINITIONS are those of the room that FILE pretends to belong to, separated by |.

string(REPLACE "|" ";" includes "${INCLUDES}")
string(REPLACE "|" ";" definitions "${DEFINITIONS}")
list(TRANSFORM includes PREPEND -I)
list(TRANSFORM definitions PREPEND -D)
set(command ${COMPILER} -std=c++23 -fsyntax-only -Wall -Wextra -Wconversion -Wno-missing-field-initializers -Werror ${includes} ${definitions} ${FILE})

execute_process(COMMAND ${command} RESULT_VARIABLE failed ERROR_VARIABLE said)
if(failed)
    message(FATAL_ERROR "the correct twin does not compile:\n${said}")
endif()

execute_process(COMMAND ${command} -DMISUSE RESULT_VARIABLE failed ERROR_VARIABLE said)
if(NOT failed)
    message(FATAL_ERROR "the misuse compiles")
endif()
string(FIND "${said}" "${EXPECTED}" place)
if(place EQUAL -1)
    message(FATAL_ERROR "the compiler does not say \"${EXPECTED}\", but:\n${said}")
endif()
