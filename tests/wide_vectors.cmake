# SPDX-License-Identifier: MIT
# The tests of 5D chess once more, with the vectors of the design note: 8, 8, 8 and 8 bits, and with assertions. Only the
# game is compiled again; its objects are linked in front of the library, so that nothing is taken from the game in there.
function(write_wide_header)
  set(PLYVERSE_VEC4_BITS 8,8,8,8)
  set(VEC4_HEADER ${CMAKE_BINARY_DIR}/wide/plyverse/fived_widths.h)
  include(${CMAKE_SOURCE_DIR}/tools/vec4_widths.cmake)
endfunction()
write_wide_header()

# Compiles a target with the wide vectors.
function(make_wide target)
  target_include_directories(${target} BEFORE PRIVATE ${CMAKE_BINARY_DIR}/wide)
  target_compile_options(${target} PRIVATE -O1 -UNDEBUG)
endfunction()

# The steps are vectors as well.
add_executable(fived_gen_steps_wide ${CMAKE_SOURCE_DIR}/src/games/fived/rules/gen_steps.c)
target_link_libraries(fived_gen_steps_wide PRIVATE ply_flags)
make_wide(fived_gen_steps_wide)
set(steps ${CMAKE_BINARY_DIR}/wide/fived/steps.inc)
add_custom_command(OUTPUT ${steps}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/wide/fived
  COMMAND fived_gen_steps_wide > ${steps} DEPENDS fived_gen_steps_wide COMMENT "Tables: fived/steps.inc, wide")
add_custom_target(ply_wide_steps DEPENDS ${steps})

file(GLOB_RECURSE fived_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/games/fived/*.c)
list(FILTER fived_sources EXCLUDE REGEX "/gen_[^/]*\\.c$")
add_library(ply_fived_wide OBJECT ${fived_sources})
target_link_libraries(ply_fived_wide PRIVATE ply_flags)
add_dependencies(ply_fived_wide ply_generated ply_wide_steps)
make_wide(ply_fived_wide)

foreach(source ${programs})
  if(source MATCHES "^games/fived/test_(.*)\\.c$")
    set(name fived_wide_${CMAKE_MATCH_1})
    add_executable(test_${name} ${source} $<TARGET_OBJECTS:ply_fived_wide>)
    target_link_libraries(test_${name} PRIVATE ply_test_support)
    get_target_property(wrapped test_fived_${CMAKE_MATCH_1} LINK_OPTIONS)
    if(wrapped)
      target_link_options(test_${name} PRIVATE ${wrapped})
    endif()
    make_wide(test_${name})
    add_dependencies(test_${name} ply_wide_steps)
    add_test(NAME ${name} COMMAND test_${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 5400)
  endif()
endforeach()

add_executable(example_note_fived_wide ${CMAKE_SOURCE_DIR}/examples/note_fived.c $<TARGET_OBJECTS:ply_fived_wide>)
target_link_libraries(example_note_fived_wide PRIVATE ply_flags ply_examples)
make_wide(example_note_fived_wide)
add_dependencies(example_note_fived_wide ply_wide_steps)
add_test(NAME example_note_fived_wide COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:example_note_fived_wide>
  -DEXPECTED=${CMAKE_SOURCE_DIR}/examples/note_fived.out -P ${CMAKE_CURRENT_SOURCE_DIR}/support/compare_output.cmake)
