# SPDX-License-Identifier: MIT
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/plyverseTargets.cmake")
# plyverse::plyverse is the shared library; plyverse::plyverse_static the other one.
if(NOT TARGET plyverse::plyverse)
  add_library(plyverse::plyverse INTERFACE IMPORTED)
  set_target_properties(plyverse::plyverse PROPERTIES INTERFACE_LINK_LIBRARIES plyverse::plyverse_shared)
endif()
