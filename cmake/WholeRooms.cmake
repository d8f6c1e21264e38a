# edagen_whole_rooms(TARGET): with EDAGEN_WHOLE_ROOMS, each directory of sources is compiled as one file. From nothing that
# takes 0.4 of the time, after a change it takes longer; and clang-tidy reads each header once for a room.
option(EDAGEN_WHOLE_ROOMS "compile each room of src/ as one file" OFF)

function(edagen_whole_rooms target)
  if(NOT EDAGEN_WHOLE_ROOMS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "/src/([a-z]+)/[^/]+\\.cpp$")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
    endif()
  endforeach()
endfunction()
