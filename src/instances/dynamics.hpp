/** \file
 *  \brief The algorithms of dynamics in double, compiled once, in dynamics.cpp.
 *
 *  The library is its headers, and every program that asks for an algorithm would compile it again. Anyone who includes
 *  this one takes it from the library articulate-instances, where it is compiled as far as the compiler can. All else may
 *  then be compiled without optimising, and is nearly as fast.
 */
#pragma once
#include <articulate/articulate.hpp>

#ifndef ARTICULATE_INSTANCE  // what stands before `template`
#define ARTICULATE_INSTANCE extern
#endif
#define ARTICULATE_SCALAR double
#include <instances/algorithms.inc>

namespace articulate {
ARTICULATE_INSTANCE template class Model<double>;
}
#undef ARTICULATE_SCALAR
#undef ARTICULATE_INSTANCE
