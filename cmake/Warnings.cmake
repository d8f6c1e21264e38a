# The warnings every target of ours is built with.
add_library(edagen_warnings INTERFACE)
target_compile_options(edagen_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  # GCC 12 sees overlapping copies in std::string's own code (GCC bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>  # which GCC's -Wconversion leaves out
  $<$<BOOL:${EDAGEN_WERROR}>:-Werror>)
