# Install into an empty place; what stands there runs and knows no folder of the checkout. Then configure, build and run a
# project that finds the library there, and one that has it within.
# cmake -DBUILD=... -DSOURCE=... -DWORK=... -DCOMPILER=... -P check.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
cmake_path(SET root NORMALIZE "${SOURCE}/../..")
function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY / RESULT_VARIABLE result OUTPUT_QUIET)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed with ${result}: ${ARGV}")
  endif()
endfunction()
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed")

# The programs, without the checkout.
set(bin "${WORK}/installed/bin")
file(WRITE "${WORK}/state.json" [[{"q": [0, 1], "qd": [1, 0], "qdd": [0, 0]}]])
run("${bin}/articulate-cli" compute --model park_2r --state "${WORK}/state.json")
if(EXISTS "${bin}/articulate-verify")
  run("${bin}/articulate-cli" verify --model park_2r --states 1 --json "${WORK}/ledger.json")
endif()
file(GLOB_RECURSE installed "${bin}/*" "${WORK}/installed/share/*" "${WORK}/installed/lib/*.a")
foreach(file IN LISTS installed)
  foreach(folder "${root}/src" "${root}/validation" "${root}/notebooks")
    execute_process(COMMAND grep -qaF "${folder}" "${file}" RESULT_VARIABLE result)
    if(result EQUAL 0)
      message(FATAL_ERROR "${file} holds a path of the checkout, ${folder}")
    endif()
  endforeach()
endforeach()

# try(FOLDER PROGRAMS OPTION...): configure, build and run.
function(try folder programs)
  run("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/${folder}" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}" ${ARGN})
  run("${CMAKE_COMMAND}" --build "${WORK}/${folder}" --parallel 1 --target ${programs})
  foreach(program IN LISTS programs)
    run("${WORK}/${folder}/${program}")
  endforeach()
endfunction()
try(found "headers_only;with_urdf" "-DCMAKE_PREFIX_PATH=${WORK}/installed")
# The one within tells Eigen to align nothing.
try(within with_urdf "-DARTICULATE_SOURCE=${root}" -DCMAKE_CXX_FLAGS=-DEIGEN_DONT_VECTORIZE)

# Of the library within nothing was compiled but what was asked for.
file(GLOB_RECURSE objects RELATIVE "${WORK}/within" "${WORK}/within/articulate/*.o")
list(FILTER objects EXCLUDE REGEX "^articulate/src/articulate/model/CMakeFiles/articulate-urdf\\.dir/[a-z_]+\\.cpp\\.o$")
if(objects)
  message(FATAL_ERROR "a project that has the library within compiles more of it than the URDF reader: ${objects}")
endif()

# What does not exist is refused by its name.
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/unknown" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}"
                        "-DCMAKE_PREFIX_PATH=${WORK}/installed" -DCOMPONENTS=mjcf
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE text)
if(result EQUAL 0 OR NOT text MATCHES "no component 'mjcf'")
  message(FATAL_ERROR "the unknown component mjcf was not refused by its name: ${text}")
endif()
