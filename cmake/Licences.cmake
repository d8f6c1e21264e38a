# Every package says under which licences it is: ours, and those of what is compiled into the program, with the notices
# that Debian's packages have (none where there is no Debian). Named `copyright` as in all packages of Debian, whose small
# images leave out all other documents.
set(copyright ${PROJECT_BINARY_DIR}/copyright)
set(notices libjs-chart.js libcli11-dev nlohmann-json3-dev libfmt-dev libspdlog-dev)
if(EDAGEN_STATIC)
  list(APPEND notices liburing-dev libmount-dev zlib1g-dev libc6-dev)
endif()
list(TRANSFORM notices REPLACE "(.+)" "/usr/share/doc/\\1/copyright")
if(EDAGEN_STATIC)
  list(APPEND notices /usr/share/common-licenses/LGPL-2.1)
endif()
file(READ ${PROJECT_SOURCE_DIR}/docs/third-party.md text)
foreach(notice IN LISTS notices)
  if(EXISTS ${notice})
    file(READ ${notice} more)
    string(APPEND text "\n\n---- ${notice}\n\n${more}")
  endif()
endforeach()
file(WRITE ${copyright} "${text}")

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${copyright} COMPONENT program DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE COMPONENT mpi RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/edagen-mpi)
