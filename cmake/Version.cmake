# Run at each build (cmake -D version=... -D source=... -D output=... -P): writes `output` from version.cpp.in when the
# version, the commit or its being dirty has changed.
get_filename_component(above ${source} DIRECTORY)
set(ENV{GIT_CEILING_DIRECTORIES} ${above})  # a checkout that merely holds this directory does not count
execute_process(COMMAND git -C ${source} describe --always --dirty --abbrev=10 --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(version_and_commit "${version}")
if(commit)
  string(APPEND version_and_commit " (${commit})")
endif()
configure_file(${source}/src/base/version.cpp.in ${output} @ONLY)
