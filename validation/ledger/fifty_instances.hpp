/** \file
 *  \brief The algorithms in fifty digits, compiled once, as instances/dynamics.hpp has them in double.
 */
#pragma once
#include <articulate/articulate.hpp>
#include <ledger/scalars.hpp>

#ifndef ARTICULATE_INSTANCE
#define ARTICULATE_INSTANCE extern
#endif
#define ARTICULATE_SCALAR validation::Fifty
#include <instances/algorithms.inc>
#undef ARTICULATE_SCALAR
#undef ARTICULATE_INSTANCE
