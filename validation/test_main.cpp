#define BOOST_TEST_MODULE articulate
#include <boost/test/unit_test.hpp>
