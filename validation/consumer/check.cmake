# Install into an empty place, then configure, build and run a project that finds the library there.
# cmake -DBUILD=... -DSOURCE=... -DWORK=... -DCOMPILER=... -P check.cmake
file(REMOVE_RECURSE "${WORK}")
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed with ${result}: ${ARGV}")
  endif()
endfunction()
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed")
run("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/build" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_PREFIX_PATH=${WORK}/installed")
run("${CMAKE_COMMAND}" --build "${WORK}/build" --parallel 1)
run("${WORK}/build/headers_only")
run("${WORK}/build/with_urdf")
