# edagen_whole_rooms(VARIABLE FOLDER): the sources of the list VARIABLE that stand in FOLDER/ROOM/; with EDAGEN_WHOLE_ROOMS
# one file for each room takes their place, the largest first. A build from nothing then takes less than half of the time, a
# build after a change takes longer. The files name their parts relative to FOLDER, so that a compiler cache serves every
# clone. FOLDER has to be an include directory of the target.
option(EDAGEN_WHOLE_ROOMS "compile each room of src/ and tests/ as one file" OFF)

function(edagen_whole_rooms variable folder)
  if(NOT EDAGEN_WHOLE_ROOMS)
    return()
  endif()
  set(rest "")
  set(rooms "")
  foreach(source IN LISTS ${variable})
    file(RELATIVE_PATH name ${folder} ${source})
    if(name MATCHES "^([a-z0-9_]+)/[^/]+\\.cpp$")
      set(room ${CMAKE_MATCH_1})
      list(APPEND rooms ${room})
      file(SIZE ${source} bytes)
      math(EXPR bytes_${room} "0${bytes_${room}} + ${bytes}")
      string(APPEND text_${room} "#include \"${name}\"\n")
    else()
      list(APPEND rest ${source})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  set(files "")
  foreach(room IN LISTS rooms)
    set(file ${PROJECT_BINARY_DIR}/rooms/${variable}/${room}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text_${room}}" @ONLY)
    list(APPEND files "${bytes_${room}}:${file}")
  endforeach()
  list(SORT files COMPARE NATURAL ORDER DESCENDING)
  list(TRANSFORM files REPLACE "^[0-9]+:" "")
  set(${variable} ${files} ${rest} PARENT_SCOPE)
endfunction()

# edagen_precompile(TARGET HEADER...): the headers that most rooms include, in builds of whole rooms. Builds of single files do
# without, so that they find an include that is missing.
function(edagen_precompile target)
  if(EDAGEN_WHOLE_ROOMS)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <chrono> <filesystem> <functional> <map> <memory> <optional> <ranges> <string> <thread> <variant> <vector>
      <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp> ${ARGN})
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # else no compiler cache finds it again
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
  endif()
endfunction()
