# A module for each MPI library that is found (src/mpi_module.cpp): the program loads the one that it was started by, so that
# without MPI it is built, starts and runs the same.
set(edagen_mpi_modules "")
set(module_directory ${PROJECT_BINARY_DIR}/edagen-modules)

function(edagen_mpi_module library compiler)
  set(module ${module_directory}/edagen-mpi-${library}.so)
  add_custom_command(OUTPUT ${module}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${module_directory}
    COMMAND ${compiler} -std=c++20 -O2 -Wall -Wextra -fPIC -shared -I ${PROJECT_SOURCE_DIR}/src
            ${PROJECT_SOURCE_DIR}/src/mpi_module.cpp -o ${module}
    DEPENDS ${PROJECT_SOURCE_DIR}/src/mpi_module.cpp ${PROJECT_SOURCE_DIR}/src/hosts/mpi_module.h VERBATIM)
  list(APPEND edagen_mpi_modules ${module})
  set(edagen_mpi_modules ${edagen_mpi_modules} PARENT_SCOPE)
  install(FILES ${module} COMPONENT mpi DESTINATION ${CMAKE_INSTALL_LIBDIR}/edagen)
endfunction()

find_program(OPENMPI_COMPILER mpicxx.openmpi)
find_program(MPICH_COMPILER mpicxx.mpich)
if(NOT OPENMPI_COMPILER AND NOT MPICH_COMPILER)  # no Debian: one of them has the plain name
  find_program(MPI_COMPILER mpicxx)
  if(MPI_COMPILER)
    execute_process(COMMAND ${MPI_COMPILER} -showme:version RESULT_VARIABLE is_other OUTPUT_QUIET ERROR_QUIET)
    if(is_other)
      set(MPICH_COMPILER ${MPI_COMPILER})
    else()
      set(OPENMPI_COMPILER ${MPI_COMPILER})
    endif()
  endif()
endif()
if(OPENMPI_COMPILER)
  edagen_mpi_module(openmpi ${OPENMPI_COMPILER})
endif()
if(MPICH_COMPILER)
  edagen_mpi_module(mpich ${MPICH_COMPILER})
endif()
add_custom_target(edagen_mpi_modules ALL DEPENDS ${edagen_mpi_modules})
