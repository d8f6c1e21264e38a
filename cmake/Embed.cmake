# edagen_embed(TARGET ROOT dir PATTERNS glob...): an object library that holds files by their path below ROOT,
# read through edagen/core/embedded.hpp. The binary then needs nothing beside it.
function(edagen_embed target)
  cmake_parse_arguments(arg "" "ROOT" "PATTERNS" ${ARGN})
  set(globs ${arg_PATTERNS})
  list(TRANSFORM globs PREPEND "${arg_ROOT}/")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${globs})

  set(blobs "")
  set(declarations "")
  set(rows "")
  set(index 0)
  foreach(file IN LISTS files)
    file(RELATIVE_PATH name ${arg_ROOT} ${file})
    string(APPEND blobs
      "asm(\".section .rodata\\n.balign 16\\n.global edagen_file_${index}\\nedagen_file_${index}:\\n\"\n"
      "    \".incbin \\\"${file}\\\"\\n.global edagen_file_${index}_end\\nedagen_file_${index}_end:\\n.byte 0\\n.previous\\n\");\n")
    string(APPEND declarations "extern const char edagen_file_${index}[], edagen_file_${index}_end[];\n")
    string(APPEND rows "    {\"${name}\", {edagen_file_${index}, edagen_file_${index}_end}},\n")
    math(EXPR index "${index} + 1")
  endforeach()

  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"#include \"edagen/core/embedded.hpp\"
@blobs@
extern \"C\" {
@declarations@}
namespace edagen {
const std::vector<EmbeddedFile>& embedded_files() {
  static const std::vector<EmbeddedFile> files = {
@rows@  };
  return files;
}
}  // namespace edagen
")
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
  add_library(${target} OBJECT ${source})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
endfunction()
