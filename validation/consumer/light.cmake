# A program that asks for inverse dynamics makes its compiler read every header. Of Eigen's factorisations, and of its norms
# that cannot overflow, it compiles none: clang's trace names each function made of a template.
# cmake -DCOMPILER=clang++ -DSOURCE=... -DWORK=... "-DINCLUDE=FOLDER;FOLDER" -P light.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
list(TRANSFORM INCLUDE PREPEND "-isystem")
set(heavy "[A-Za-z]*(Householder|LU|LLT|LDLT|SVD|EigenSolver)[A-Za-z]*|internal::stable_norm[a-z_]*")

# factorisations_of(SOURCE RESULT): their names.
function(factorisations_of source result)
  execute_process(COMMAND "${COMPILER}" -std=c++20 -c -ftime-trace -ftime-trace-granularity=0 ${INCLUDE} "${source}"
                          -o "${WORK}/traced.o" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND grep -oE "\"InstantiateFunction\",\"args\":{\"detail\":\"Eigen::(${heavy})" "${WORK}/traced.json"
                  OUTPUT_VARIABLE found)
  string(REGEX MATCHALL "Eigen::[A-Za-z:_]+" found "${found}")
  list(REMOVE_DUPLICATES found)
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

factorisations_of("${SOURCE}/headers_only.cpp" found)
if(found)
  message(FATAL_ERROR "a program that asks for inverse dynamics alone compiles ${found}")
endif()
# The trace does name them for a program that needs one.
file(WRITE "${WORK}/needs_one.cpp" [[
#include <articulate/lagrange/regressor.hpp>
int main() { return articulate::BaseParameters<double>(articulate::MatrixX<double>::Ones(1, 1)).rank(); }
]])
factorisations_of("${WORK}/needs_one.cpp" found)
if(NOT "Eigen::ColPivHouseholderQR" IN_LIST found)
  message(FATAL_ERROR "a program that needs a factorisation by Householder's reflections is seen to compile '${found}'")
endif()
