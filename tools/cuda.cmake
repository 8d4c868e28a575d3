# SPDX-License-Identifier: MIT
# Compiles src/cuda/NAME.cu with nvcc, one module for each file, and writes the list of modules that
# src/cuda/modules.c embeds. Sets PLY_CUDA_VERSION, 0 if nothing is compiled, and ply_cuda_modules.
set(PLYVERSE_CUDA AUTO CACHE STRING "CUDA kernels: AUTO (if there is nvcc), ON, OFF")
set(PLYVERSE_CUDA_ARCH 90 CACHE STRING "Compute capabilities of the devices to build for, such as 80;90")
set(PLY_CUDA_VERSION 0)
set(ply_cuda_modules)
file(GLOB cuda_sources CONFIGURE_DEPENDS src/cuda/*.cu)
list(SORT cuda_sources)

set(cuda_flags -fatbin -O3 -std=c++20 -diag-suppress 20091,20014,177,1675)
foreach(arch ${PLYVERSE_CUDA_ARCH})
  list(APPEND cuda_flags -gencode arch=compute_${arch},code=sm_${arch})
endforeach()
list(GET PLYVERSE_CUDA_ARCH -1 newest) # as PTX, which the driver compiles for newer devices
list(APPEND cuda_flags -gencode arch=compute_${newest},code=compute_${newest})

if(NOT PLYVERSE_CUDA STREQUAL "OFF")
  find_program(NVCC nvcc HINTS /usr/local/cuda/bin /opt/cuda/bin)
  if(NVCC AND NOT "${NVCC} ${PLYVERSE_CUDA_ARCH}" STREQUAL "${PLY_NVCC_TRIED}")
    # Whether it works: nvcc needs a C++ compiler that it knows, and knows some devices only.
    file(WRITE ${CMAKE_BINARY_DIR}/cuda/probe.cu "__global__ void probe() {}\n")
    execute_process(COMMAND ${NVCC} ${cuda_flags} -o ${CMAKE_BINARY_DIR}/cuda/probe.fatbin
      ${CMAKE_BINARY_DIR}/cuda/probe.cu RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    execute_process(COMMAND ${NVCC} --version OUTPUT_VARIABLE version)
    if(result EQUAL 0 AND version MATCHES "release ([0-9]+)\\.([0-9]+)")
      math(EXPR version "1000 * ${CMAKE_MATCH_1} + 10 * ${CMAKE_MATCH_2}")
      set(PLY_NVCC_VERSION ${version} CACHE INTERNAL "")
    else()
      message(STATUS "nvcc does not work: ${output}")
      set(PLY_NVCC_VERSION 0 CACHE INTERNAL "")
    endif()
    set(PLY_NVCC_TRIED "${NVCC} ${PLYVERSE_CUDA_ARCH}" CACHE INTERNAL "")
  endif()
  if(NVCC AND PLY_NVCC_VERSION)
    set(PLY_CUDA_VERSION ${PLY_NVCC_VERSION})
  elseif(PLYVERSE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "PLYVERSE_CUDA is ON, and there is no nvcc that works")
  else()
    message(STATUS "no nvcc: device cuda is not built")
  endif()
endif()

set(cuda_list "")
if(PLY_CUDA_VERSION)
  set(number 0)
  foreach(source ${cuda_sources})
    get_filename_component(name ${source} NAME_WE)
    set(module ${CMAKE_BINARY_DIR}/cuda/${name}.fatbin)
    add_custom_command(OUTPUT ${module}
      COMMAND ${NVCC} ${cuda_flags} -I ${CMAKE_BINARY_DIR}/generated -I ${CMAKE_SOURCE_DIR}/include
        -I ${CMAKE_SOURCE_DIR}/src -MD -MF ${module}.d -MT cuda/${name}.fatbin -o ${module} ${source}
      DEPENDS ${source} ply_generated DEPFILE ${module}.d COMMENT "CUDA: ${name}.cu" VERBATIM)
    math(EXPR number "${number} + 1")
    string(APPEND cuda_list "MODULE(\"${name}\", \"${module}\", ${number})\n")
    list(APPEND ply_cuda_modules ${module})
  endforeach()
endif()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/cuda/modules.inc CONTENT "${cuda_list}" @ONLY)
set_source_files_properties(src/cuda/modules.c PROPERTIES OBJECT_DEPENDS "${ply_cuda_modules}"
  COMPILE_DEFINITIONS PLY_CUDA_VERSION=${PLY_CUDA_VERSION})
