# What starts edagen nightly: a systemd service and its timer, a cron line, a CI job and a configuration to begin with.
set(nightly_directory ${PROJECT_SOURCE_DIR}/examples/nightly)
configure_file(${nightly_directory}/edagen-nightly.service.in ${PROJECT_BINARY_DIR}/edagen-nightly.service @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/edagen-nightly.service ${nightly_directory}/edagen-nightly.timer
  COMPONENT program DESTINATION lib/systemd/system)
install(FILES ${nightly_directory}/nightly.json ${nightly_directory}/crontab ${nightly_directory}/gitlab-ci.yml
  COMPONENT program DESTINATION ${CMAKE_INSTALL_DOCDIR}/nightly)
