/** \file
 *  \brief Everything: one include for users.
 */
#pragma once
#include <articulate/group/matrices.hpp>
#include <articulate/body/inertia.hpp>
#include <articulate/body/solids.hpp>
#include <articulate/model/displacement.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <articulate/aba/forward_dynamics.hpp>
