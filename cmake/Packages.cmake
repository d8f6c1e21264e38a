# Packages of the program (scripts/package): cpack -G DEB | RPM in a build with the prefix /usr.
set(CPACK_PACKAGE_VENDOR edagen)
set(CPACK_PACKAGE_CONTACT "The edagen authors <edagen@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_FILE ${PROJECT_SOURCE_DIR}/cmake/description.txt)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program)  # without the library
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_PACKAGE_FILE_NAME ${PROJECT_NAME}-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS nfs-common)
if(edagen_mpi_modules)  # a package of its own, loaded by the program under mpirun alone: docs/multi-host.md
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_COMPONENTS_GROUPING IGNORE)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME edagen)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME edagen-mpi)
  set(CPACK_DEBIAN_MPI_DESCRIPTION "What edagen loads to run on many hosts, as a job of Open MPI or MPICH.")
  set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS OFF)  # one of the two libraries is enough
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "edagen (= ${PROJECT_VERSION}), libopenmpi3 | libmpich12")
  set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "openmpi-bin | mpich")  # mpirun
endif()

# The program in it is linked statically: it needs nothing on RHEL 8 and 9 but, to mount, nfs-utils.
set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "Apache-2.0 AND MIT AND BSD-3-Clause AND BSL-1.0 AND LGPL-2.1-or-later AND Zlib")  # docs/third-party.md
set(CPACK_RPM_COMPRESSION_TYPE xz)  # read by every rpm
set(CPACK_RPM_PACKAGE_AUTOREQPROV OFF)
# CPACK_RPM_PACKAGE_SUGGESTS is dropped by CPack 3.25 with the rpm of Debian 12.
set(CPACK_RPM_SPEC_MORE_DEFINE "Suggests: nfs-utils\n%define _build_id_links none")
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/lib/systemd /usr/lib/systemd/system /usr/share/bash-completion
    /usr/share/bash-completion/completions /usr/share/man /usr/share/man/man1 /usr/share/zsh /usr/share/zsh/site-functions)
include(CPack)
