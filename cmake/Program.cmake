# What belongs to the program: its man page and what completes its options in bash and zsh, all three made by itself.
set(completion_directory ${PROJECT_BINARY_DIR}/completion)
add_custom_command(TARGET edagen POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E make_directory ${completion_directory}
  COMMAND $<TARGET_FILE:edagen> completion bash > ${completion_directory}/edagen
  COMMAND $<TARGET_FILE:edagen> completion zsh > ${completion_directory}/_edagen
  VERBATIM)

install(TARGETS edagen COMPONENT program)
install(FILES ${completion_directory}/edagen COMPONENT program DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version AND NOT EDAGEN_STATIC)
  set(zsh_directory vendor-completions)  # the only one below /usr that Debian's zsh reads
else()
  set(zsh_directory site-functions)
endif()
install(FILES ${completion_directory}/_edagen COMPONENT program DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_directory})

find_program(HELP2MAN help2man)
if(HELP2MAN)
  add_custom_target(man
    COMMAND ${HELP2MAN} --no-info --help-option=--help-all --name "EDA workload generator for shared file storage"
            --output ${PROJECT_BINARY_DIR}/edagen.1 $<TARGET_FILE:edagen>
    DEPENDS edagen BYPRODUCTS ${PROJECT_BINARY_DIR}/edagen.1)
  install(FILES ${PROJECT_BINARY_DIR}/edagen.1 COMPONENT program DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
endif()
