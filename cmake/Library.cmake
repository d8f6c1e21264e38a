# The library for others: headers, archive, find_package(edagen) and pkg-config edagen.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/edagen)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/edagen DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS edagen_lib EXPORT edagenTargets)
install(EXPORT edagenTargets NAMESPACE edagen:: DESTINATION ${package_directory})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/edagenConfig.cmake.in ${PROJECT_BINARY_DIR}/edagenConfig.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/edagenConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/edagenConfig.cmake ${PROJECT_BINARY_DIR}/edagenConfigVersion.cmake
  DESTINATION ${package_directory})

file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)  # wherever it is installed
configure_file(${CMAKE_CURRENT_LIST_DIR}/edagen.pc.in ${PROJECT_BINARY_DIR}/edagen.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/edagen.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
