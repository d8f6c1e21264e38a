# edagen_embed(TARGET FOLDERS root=glob...): an object library that holds files by their path below their root, read
# through base/embedded.hpp. The binary then needs nothing beside it.
function(edagen_embed target)
  cmake_parse_arguments(arg "" "" "FOLDERS" ${ARGN})
  set(names "")
  set(files "")
  foreach(folder IN LISTS arg_FOLDERS)
    string(REGEX MATCH "^(.*)=(.*)$" matched "${folder}")
    set(root ${CMAKE_MATCH_1})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${root} ${root}/${CMAKE_MATCH_2})
    foreach(name IN LISTS found)
      list(APPEND names ${name})
      list(APPEND files ${root}/${name})
    endforeach()
  endforeach()

  set(blobs "")
  set(declarations "")
  set(rows "")
  set(index 0)
  foreach(name file IN ZIP_LISTS names files)
    string(APPEND blobs
      "asm(\".section .rodata\\n.balign 16\\n.global edagen_file_${index}\\nedagen_file_${index}:\\n\"\n"
      "    \".incbin \\\"${file}\\\"\\n.global edagen_file_${index}_end\\nedagen_file_${index}_end:\\n.byte 0\\n.previous\\n\");\n")
    string(APPEND declarations "extern const char edagen_file_${index}[], edagen_file_${index}_end[];\n")
    string(APPEND rows "    {\"${name}\", {edagen_file_${index}, edagen_file_${index}_end}},\n")
    math(EXPR index "${index} + 1")
  endforeach()

  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"#include \"base/embedded.hpp\"
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
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endfunction()
