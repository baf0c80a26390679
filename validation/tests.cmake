# The tests: library by hand, proofs on all models, readers, command line.
find_package(Boost 1.74 REQUIRED COMPONENTS unit_test_framework)
find_package(console_bridge REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(tinyxml2 REQUIRED)
find_package(urdfdom REQUIRED)
add_custom_target(articulate-tests DEPENDS articulate-cli articulate-verify articulate-oracle-campaign)

set(robots "$ENV{ARTICULATE_ROBOTS}")
if(NOT robots)
  set(robots "${PROJECT_SOURCE_DIR}/../shared/robots")
endif()

option(ARTICULATE_LONG_TESTS "Prove all on every random tree, and test the library under the sanitizers, too" OFF)

# Tests run once.
add_compile_options(${quickly})

# What nearly every test reads and instantiates is read and compiled once.
add_library(articulate-test STATIC test_main.cpp peers/closed_state.cpp)
target_link_libraries(articulate-test PUBLIC articulate-proof articulate-models articulate::urdf
                                             Boost::unit_test_framework)
target_compile_definitions(articulate-test PUBLIC BOOST_TEST_DYN_LINK)
target_precompile_headers(articulate-test PRIVATE <boost/test/data/monomorphic.hpp> <boost/test/data/test_case.hpp>
                          <boost/test/unit_test.hpp> <instances/motion.hpp> <ledger/fifty_instances.hpp>
                          <ledger/proof.hpp> <models/models.hpp>)
set_source_files_properties(test_main.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

# articulate_program(NAME source... LIBRARIES lib... [ONLY tests]): a Boost.Test program that ctest runs, whole or in part.
function(articulate_program name)
  cmake_parse_arguments(test "" "ONLY" "LIBRARIES" ${ARGN})
  add_executable(${name} ${test_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${test_LIBRARIES})
  add_dependencies(articulate-tests ${name})
  if(test_ONLY)
    add_test(NAME ${name} COMMAND ${name} "--run_test=${test_ONLY}")
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "ARTICULATE_ROBOTS=${robots}")
endfunction()

# articulate_test(NAME source... [LIBRARIES lib...] [ONLY tests]): the same with what is compiled once.
function(articulate_test name)
  articulate_program(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE articulate-test)
  target_precompile_headers(${name} REUSE_FROM articulate-test)
endfunction()

articulate_test(library_test group/group_test.cpp model/model_test.cpp rnea/dynamics_test.cpp)
set(random_trees proofs/every_identity_holds_on_the_random_tree)
articulate_test(proof_test ledger/proof_test.cpp hybrid/hybrid_test.cpp hybrid/partitions_test.cpp
                constrained/constrained_test.cpp constrained/loops_test.cpp derivatives/derivatives_test.cpp
                derivatives/complex_step_test.cpp lagrange/lagrange_test.cpp lagrange/screws_test.cpp
                ONLY !${random_trees})
# Of 200 random trees every change meets those whose seeds end in these digits, two parts of equal weight.
set_tests_properties(proof_test PROPERTIES COST 1000 ENVIRONMENT
                     "ARTICULATE_ROBOTS=${robots};ARTICULATE_LONG_TESTS=${ARTICULATE_LONG_TESTS}")
if(ARTICULATE_LONG_TESTS)
  set(parts "*1,*2,*5,*6,*9" "*0,*3,*4,*7,*8")
else()
  set(parts "*1" "*6")
endif()
foreach(digits IN LISTS parts)
  string(REGEX REPLACE "[*,]" "" name "${digits}")
  add_test(NAME random_trees_test_${name} COMMAND proof_test "--run_test=${random_trees}/${digits}")
  set_tests_properties(random_trees_test_${name} PROPERTIES
                       COST 900 ENVIRONMENT "ARTICULATE_LONG_TESTS=${ARTICULATE_LONG_TESTS}")
endforeach()
articulate_test(scalars_test model/scalars_test.cpp model/scalars_real.cpp model/scalars_complex.cpp
                model/scalars_dual.cpp)
articulate_test(urdf_test model/urdf_test.cpp LIBRARIES console_bridge::console_bridge urdfdom::urdfdom_model)
# What needs no proof is built without one.
articulate_program(robot_files_test model/robot_files_test.cpp model/mjcf_test.cpp test_main.cpp
                   LIBRARIES articulate-cli-base articulate-inputs Boost::unit_test_framework)
target_compile_definitions(robot_files_test PRIVATE BOOST_TEST_DYN_LINK)
articulate_cli_part(robot_files_test ${quickly})
articulate_test(counts_test rnea/counts_test.cpp derivatives/counts_test.cpp)
articulate_test(batch_test batch/batch_test.cpp batch/lanes_of_headers.cpp LIBRARIES articulate-batch)
# The registers of four doubles, which other tests do without, since not every processor has them.
include(CheckCXXSourceRuns)
check_cxx_source_runs("int main() { return !(__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")); }"
                      ARTICULATE_HAS_AVX2)
if(ARTICULATE_HAS_AVX2)
  articulate_program(side_by_side_test derivatives/side_by_side_test.cpp test_main.cpp
                     LIBRARIES articulate-models Boost::unit_test_framework)
  target_compile_options(side_by_side_test PRIVATE -mavx2 -mfma)
  # Eigen must allocate as it does in the libraries.
  target_compile_definitions(side_by_side_test PRIVATE BOOST_TEST_DYN_LINK EIGEN_MAX_ALIGN_BYTES=16)
else()
  add_test(NAME side_by_side_test COMMAND "${CMAKE_COMMAND}" -E echo "SKIPPED: this processor has no AVX2")
endif()
articulate_test(oracle_test oracle/oracle_test.cpp LIBRARIES articulate-specimens)
articulate_test(newton_euler_test witnesses/newton_euler_test.cpp)
articulate_test(integrators_test motion/integrators_test.cpp motion/integrators_fifty_test.cpp motion/radau_test.cpp)
articulate_test(force_elements_test motion/force_elements_test.cpp motion/motion_under_forces_test.cpp)
articulate_test(closed_motion_test motion/closed_motion_test.cpp motion/impacts_test.cpp)
articulate_test(control_test skew_symmetry/adaptive_control_test.cpp skew_symmetry/mass_matrix_rate_test.cpp
                lagrange/regressor_test.cpp higher_order/flight_test.cpp)
articulate_test(mechanisms_test mechanisms/process_test.cpp mechanisms/process_rates_test.cpp
                mechanisms/joint_frames_test.cpp)
articulate_test(witnesses_test witnesses/witnesses_test.cpp)
if(ARTICULATE_REFERENCE)
  articulate_program(reference_test reference/interval_test.cpp reference/certified_test.cpp test_main.cpp
                     LIBRARIES articulate-cases Boost::unit_test_framework)
  target_compile_definitions(reference_test PRIVATE BOOST_TEST_DYN_LINK)
  add_dependencies(articulate-tests articulate-reference articulate-print-case)
  add_test(NAME reference_files_test
           COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/reference/files_test.py"
                   "$<TARGET_FILE:articulate-reference>")
  add_test(NAME reference_readers_test
           COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/reference/readers/readers_test.py"
                   "$<TARGET_FILE:articulate-reference>" "$<TARGET_FILE:articulate-print-case>")
  set_tests_properties(reference_readers_test PROPERTIES SKIP_RETURN_CODE 77)
  set_tests_properties(reference_test reference_files_test
                       PROPERTIES ENVIRONMENT "ARTICULATE_LONG_TESTS=${ARTICULATE_LONG_TESTS}")
endif()
articulate_test(closed_machines_test constrained/closed_machines_test.cpp)
articulate_test(higher_order_test higher_order/truth_test.cpp higher_order/by_hand_test.cpp)

# Files that make the same instantiations compile together in less time, up to what a compiler can hold.
set(of_the_model library_test group/group_test.cpp model/model_test.cpp)
set(of_loops proof_test hybrid/hybrid_test.cpp hybrid/partitions_test.cpp constrained/constrained_test.cpp)
set(of_equations proof_test derivatives/derivatives_test.cpp lagrange/lagrange_test.cpp lagrange/screws_test.cpp)
set(of_parameters proof_test constrained/loops_test.cpp derivatives/complex_step_test.cpp)
set(of_steps integrators_test motion/integrators_test.cpp motion/radau_test.cpp)
set(of_force_elements force_elements_test motion/force_elements_test.cpp motion/motion_under_forces_test.cpp)
set(of_closed_motion closed_motion_test motion/closed_motion_test.cpp motion/impacts_test.cpp)
set(of_control control_test skew_symmetry/adaptive_control_test.cpp skew_symmetry/mass_matrix_rate_test.cpp
               lagrange/regressor_test.cpp higher_order/flight_test.cpp)
set(of_machines mechanisms_test mechanisms/process_test.cpp mechanisms/process_rates_test.cpp
                mechanisms/joint_frames_test.cpp)
set(of_any_order higher_order_test higher_order/truth_test.cpp higher_order/by_hand_test.cpp)
foreach(group of_the_model of_loops of_equations of_parameters of_steps of_force_elements of_closed_motion of_control
              of_machines of_any_order)
  list(POP_FRONT ${group} name)
  set_source_files_properties(${${group}} PROPERTIES UNITY_GROUP ${group})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endforeach()

foreach(name library_test integrators_test)  # they count what is allocated
  target_link_options(${name} PRIVATE -Wl,--wrap=malloc)
endforeach()

# The long run tests every bad file and the library by hand under the address and undefined behaviour sanitizers.
if(ARTICULATE_LONG_TESTS)
  foreach(name urdf_test library_test)
    get_target_property(sources ${name} SOURCES)
    articulate_program(${name}_sanitized ${sources} test_main.cpp "${PROJECT_SOURCE_DIR}/src/articulate/model/urdf.cpp"
                       "${PROJECT_SOURCE_DIR}/src/articulate/model/xml_reader.cpp"
                       LIBRARIES articulate-proof-base Boost::unit_test_framework console_bridge::console_bridge
                                 urdfdom::urdfdom_model tinyxml2::tinyxml2)
    target_compile_definitions(${name}_sanitized PRIVATE BOOST_TEST_DYN_LINK)
    target_compile_options(${name}_sanitized PRIVATE -O0 -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_link_options(${name}_sanitized PRIVATE -fsanitize=address,undefined)
    get_target_property(options ${name} LINK_OPTIONS)
    if(options)
      target_link_options(${name}_sanitized PRIVATE ${options})
    endif()
  endforeach()
endif()

# A project elsewhere that finds what was installed, by the compiler that most will have.
find_program(ARTICULATE_GCC g++ REQUIRED)
add_test(NAME consumer_test
         COMMAND "${CMAKE_COMMAND}" "-DBUILD=${PROJECT_BINARY_DIR}" "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/consumer"
                 "-DWORK=${PROJECT_BINARY_DIR}/consumer" "-DCOMPILER=${ARTICULATE_GCC}"
                 -P "${CMAKE_CURRENT_SOURCE_DIR}/consumer/check.cmake")

# The same project with the library within, by clang: its -Wconversion also counts signs. Where there is no clang, ctest
# shows the test as skipped.
find_program(ARTICULATE_CLANG clang++ DOC "A clang whose warnings the headers have to bear")
if(ARTICULATE_CLANG)
  add_test(NAME consumer_clang_test
           COMMAND "${CMAKE_CTEST_COMMAND}" --build-and-test "${CMAKE_CURRENT_SOURCE_DIR}/consumer"
                   "${PROJECT_BINARY_DIR}/consumer_clang" --build-generator Ninja --build-options
                   "-DCMAKE_CXX_COMPILER=${ARTICULATE_CLANG}" "-DARTICULATE_SOURCE=${PROJECT_SOURCE_DIR}"
                   --build-target everything --build-target with_urdf --test-command with_urdf)
  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  add_test(NAME consumer_light_test
           COMMAND "${CMAKE_COMMAND}" "-DCOMPILER=${ARTICULATE_CLANG}" "-DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/consumer"
                   "-DWORK=${PROJECT_BINARY_DIR}/consumer_light" "-DINCLUDE=${PROJECT_SOURCE_DIR}/src;${eigen}"
                   -P "${CMAKE_CURRENT_SOURCE_DIR}/consumer/light.cmake")
else()
  message(STATUS "clang++ is not installed: consumer_clang_test and consumer_light_test will be skipped")
  foreach(name consumer_clang_test consumer_light_test)
    add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "SKIPPED: clang is not installed")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
  endforeach()
endif()

# Virtual prototypes: machines with loops in other engines. Where an engine is not installed, ctest shows its test as
# skipped. Simbody's headers do not compile as C++20; what it exchanges with us is plain data.
find_package(Simbody 3.7 CONFIG QUIET)
find_package(mujoco 2.2 CONFIG QUIET)
find_package(SUNDIALS 6 CONFIG QUIET COMPONENTS cvode)
if(TARGET mujoco::mujoco)  # Debian's names a folder of a package that it does not need; the headers are where all are
  set_target_properties(mujoco::mujoco PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "")
endif()
function(articulate_peer_test name package engine target)
  if(NOT TARGET ${target})
    add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "SKIPPED: ${package} is not installed")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
    return()
  endif()
  add_library(articulate-${engine} STATIC peers/${engine}.cpp)
  target_include_directories(articulate-${engine} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(articulate-${engine} PRIVATE ${target} Eigen3::Eigen)
  articulate_test(${name} peers/${name}.cpp LIBRARIES articulate-${engine})
endfunction()
articulate_peer_test(virtual_prototype_test libsimbody-dev simbody SimTKsimbody)
articulate_peer_test(soft_loops_test libmujoco-dev mujoco mujoco::mujoco)
if(TARGET mujoco::mujoco)
  articulate_test(mjcf_peer_test peers/mjcf_peer_test.cpp LIBRARIES mujoco::mujoco)
else()
  add_test(NAME mjcf_peer_test COMMAND "${CMAKE_COMMAND}" -E echo "SKIPPED: libmujoco-dev is not installed")
  set_tests_properties(mjcf_peer_test PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED")
endif()
articulate_peer_test(flat_solvers_test libsundials-dev sundials SUNDIALS::cvode)
if(TARGET articulate-sundials)
  target_sources(articulate-sundials PRIVATE peers/odeint.cpp)
  target_link_libraries(articulate-sundials PRIVATE Boost::headers)
  target_compile_definitions(flat_solvers_test
                             PRIVATE ARTICULATE_MACHINES="${CMAKE_CURRENT_SOURCE_DIR}/motion/machines")
endif()
if(TARGET articulate-simbody)
  set_target_properties(articulate-simbody PROPERTIES CXX_STANDARD 17)
endif()
# What all of them need for how many digits, see peers/work_precision.py. It is built when asked for.
if(TARGET articulate-simbody AND TARGET articulate-mujoco AND TARGET articulate-sundials)
  add_executable(articulate-work-precision EXCLUDE_FROM_ALL peers/work_precision.cpp)
  # SUNDIALS first: Simbody's library exports names of an older one.
  target_link_libraries(articulate-work-precision PRIVATE articulate-sundials articulate-simbody articulate-mujoco
                                                          articulate-cli-base)
endif()

# The exports that users of other libraries run to make numbers for `check`, for the libraries that are here. Without a
# library its part of the test is skipped, and says so.
add_custom_target(articulate-exports)
add_dependencies(articulate-tests articulate-exports)
set(exports "${PROJECT_BINARY_DIR}/exports")
find_package(nlohmann_json REQUIRED)
include(peers/libraries.cmake)
# With flags for AVX Eigen is another than that in the packages of these libraries, and programs that call them crash, also
# if only its alignment is set back to 16 bytes; they are compiled without AVX then.
include(CheckCXXSourceCompiles)
get_target_property(CMAKE_REQUIRED_INCLUDES Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
check_cxx_source_compiles("#include <Eigen/Core>\nstatic_assert(EIGEN_MAX_ALIGN_BYTES == 16);\nint main() {}"
                          ARTICULATE_ALIGNS_LIKE_PACKAGES)
unset(CMAKE_REQUIRED_INCLUDES)
set(like_packages "")
if(NOT ARTICULATE_ALIGNS_LIKE_PACKAGES)
  set(like_packages -mno-avx)
endif()

function(articulate_export library)
  if(NOT ${library}_found)
    return()
  endif()
  add_executable(from_${library} EXCLUDE_FROM_ALL peers/exports/from_${library}.cpp)
  target_include_directories(from_${library} SYSTEM PRIVATE "${${library}_found}")
  target_link_libraries(from_${library} PRIVATE ${${library}_libraries} Eigen3::Eigen nlohmann_json::nlohmann_json)
  target_compile_options(from_${library} PRIVATE ${like_packages})
  set_target_properties(from_${library} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${exports}")
  add_dependencies(articulate-exports from_${library})
endfunction()
foreach(library kdl mujoco dart simbody)
  articulate_export(${library})
endforeach()
if(TARGET from_simbody)  # its comparisons are ambiguous in C++20, and with NDEBUG it crashes in an inline function of its own
  set_target_properties(from_simbody PROPERTIES CXX_STANDARD 17)
  target_compile_options(from_simbody PRIVATE -UNDEBUG)
endif()
add_test(NAME exports_test COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/peers/exports_test.py"
                                   "$<TARGET_FILE:articulate-cli>" "${exports}")
set_tests_properties(exports_test PROPERTIES SKIP_REGULAR_EXPRESSION "OK .skipped=")

# The same libraries, and Bullet, as programs that `check --engine` asks; peers/engines_test.py asks them, and skips visibly
# those that are not here.
add_custom_target(articulate-engines)
add_dependencies(articulate-tests articulate-engines)
set(engines "${PROJECT_BINARY_DIR}/engines")
function(articulate_engine_library name)  # what all engines share; flags come after the name
  add_library(${name} STATIC EXCLUDE_FROM_ALL peers/engines/engine.cpp peers/engines/robot.cpp)
  target_include_directories(${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${name} PUBLIC Eigen3::Eigen tinyxml2::tinyxml2 PRIVATE nlohmann_json::nlohmann_json)
  target_compile_options(${name} PUBLIC ${ARGN})
endfunction()
articulate_engine_library(articulate-engine)
set(engine_library articulate-engine)
if(like_packages)
  set(engine_library articulate-engine-like-packages)
  articulate_engine_library(${engine_library} ${like_packages})
endif()
function(articulate_engine library)
  if(NOT ${library}_found)
    return()
  endif()
  add_executable(engine_${library} EXCLUDE_FROM_ALL peers/engines/${library}.cpp)
  target_include_directories(engine_${library} SYSTEM PRIVATE "${${library}_found}")
  target_link_libraries(engine_${library} PRIVATE ${engine_library} ${${library}_libraries})
  set_target_properties(engine_${library} PROPERTIES OUTPUT_NAME ${library} RUNTIME_OUTPUT_DIRECTORY "${engines}")
  add_dependencies(articulate-engines engine_${library})
endfunction()
foreach(library kdl mujoco dart bullet simbody)
  articulate_engine(${library})
endforeach()
if(TARGET engine_simbody)
  set_target_properties(engine_simbody PROPERTIES CXX_STANDARD 17)
  target_compile_options(engine_simbody PRIVATE -UNDEBUG)
endif()
if(TARGET engine_bullet)
  target_compile_definitions(engine_bullet PRIVATE BT_USE_DOUBLE_PRECISION)
endif()
foreach(test engines_test engine_losses_test)
  add_test(NAME ${test} COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/peers/${test}.py"
                                "$<TARGET_FILE:articulate-cli>" "${engines}")
  set_tests_properties(${test} PROPERTIES SKIP_REGULAR_EXPRESSION "OK .skipped=")
endforeach()

# Our own library as such a program, whose answers must keep every law of `check --laws`, and with a fault must not.
add_executable(engine_articulate EXCLUDE_FROM_ALL peers/engines/articulate.cpp)
target_link_libraries(engine_articulate PRIVATE articulate-engine articulate-oracle articulate::urdf)
set_target_properties(engine_articulate PROPERTIES OUTPUT_NAME articulate RUNTIME_OUTPUT_DIRECTORY "${engines}")
add_dependencies(articulate-engines engine_articulate)
add_test(NAME laws_test COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/cli/laws_test.py"
                                "$<TARGET_FILE:articulate-cli>" "$<TARGET_FILE:engine_articulate>")

add_test(NAME symptoms_test COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/peers/symptoms_test.py"
                                    "$<TARGET_FILE:articulate-cli>")

add_dependencies(articulate-tests articulate-check)
foreach(script compute forces verify start)
  add_test(NAME ${script}_test COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/cli/${script}_test.py"
                                       "$<TARGET_FILE:articulate-cli>")
  set_tests_properties(${script}_test PROPERTIES ENVIRONMENT "ARTICULATE_ROBOTS=${robots}")
endforeach()

# What fuzzers begin with and have found, given to the command line; the fuzzers themselves need clang, see fuzz/.
add_test(NAME fuzz_corpus_test COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus_test.py"
                                       "$<TARGET_FILE:articulate-cli>")

add_test(NAME schemata_test COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/mutation/schemata_test.py")
add_test(NAME bench_report_test COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/bench/report_test.py")

get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
add_test(NAME tutorials_test COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/book/tutorials_test.py"
                                     "$<TARGET_FILE:articulate-cli>" "${CMAKE_CXX_COMPILER}" "${eigen}")

# These use numpy, or other packages of that Python.
if(ARTICULATE_PYTHON)
  foreach(script loops simulate check recipes)
    add_test(NAME ${script}_test COMMAND "${Python_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/cli/${script}_test.py"
                                         "$<TARGET_FILE:articulate-cli>")
    set_tests_properties(${script}_test PROPERTIES ENVIRONMENT "PYTHONPATH=${CMAKE_CURRENT_SOURCE_DIR}/python")
  endforeach()
  set_tests_properties(check_test recipes_test PROPERTIES SKIP_REGULAR_EXPRESSION "OK .skipped="
                       ENVIRONMENT "ARTICULATE_LONG_TESTS=${ARTICULATE_LONG_TESTS}")
  add_test(NAME oracle_campaign_test COMMAND "${Python_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/oracle/campaign.py"
                                             "${PROJECT_BINARY_DIR}" --scale 0.02)
  # All of the blind set takes half an hour; without a mistake there has to be agreement.
  add_test(NAME oracle_blind_test COMMAND "${Python_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/oracle/blind.py"
                                          "$<TARGET_FILE_DIR:articulate-cli>" --part clean)
  set_tests_properties(oracle_campaign_test oracle_blind_test PROPERTIES ENVIRONMENT "ARTICULATE_ROBOTS=none")
endif()

# The Python module, with the Python for which it is made; the sources of its tests are found by their names.
if(ARTICULATE_PYTHON)
  file(GLOB scripts "${CMAKE_CURRENT_SOURCE_DIR}/python/*_test.py")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/python")
  foreach(script IN LISTS scripts)
    get_filename_component(name "${script}" NAME_WE)
    add_test(NAME python_${name} COMMAND "${Python_EXECUTABLE}" "${script}")
    set_tests_properties(python_${name} PROPERTIES ENVIRONMENT
      "PYTHONPATH=${PROJECT_BINARY_DIR}/python;ARTICULATE_ROBOTS=${robots};ARTICULATE_BUILD=${PROJECT_BINARY_DIR}")
  endforeach()
  # Without bubblewrap, namespaces or control groups no program of a student is run, and the test is said to be skipped.
  set_tests_properties(python_programs_test PROPERTIES SKIP_REGULAR_EXPRESSION "OK .skipped=")
endif()

# Some tests ask for equal bits, which copies of a formula need not have where products and sums are fused.
check_cxx_source_compiles("#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)\n#error\n#endif\nint main() {}"
                          ARTICULATE_FUSES)
if(ARTICULATE_FUSES)
  get_property(tests DIRECTORY PROPERTY TESTS)
  set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT "ARTICULATE_FUSES=1")
endif()

# The longest begin first, so that none is left alone at the end; ctest counts a test that skips a part as one of no length.
set(cost 100)
foreach(name python_programs oracle consumer oracle_campaign verify python_ledger engines consumer_clang python_course
             integrators check forces tutorials compute laws simulate engine_losses)
  if(TEST ${name}_test)
    set_tests_properties(${name}_test PROPERTIES COST ${cost})
    math(EXPR cost "${cost} - 1")
  endif()
endforeach()
