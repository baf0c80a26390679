/** \file
 *  \brief Everything: one include for users. Chapter by chapter; a program that needs a part includes that part.
 */
#pragma once
// Rigid motion
#include <articulate/group/matrices.hpp>
#include <articulate/group/pack.hpp>
#include <articulate/group/row_matrix.hpp>
#include <articulate/group/scalar.hpp>
#include <articulate/group/se3.hpp>
#include <articulate/group/so3.hpp>
#include <articulate/group/vector3.hpp>
// One body
#include <articulate/body/inertia.hpp>
#include <articulate/body/solids.hpp>
// Mechanisms
#include <articulate/model/bodies.hpp>
#include <articulate/model/displacement.hpp>
#include <articulate/model/error.hpp>
#include <articulate/model/indexed.hpp>
#include <articulate/model/joint.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/model/mechanism.hpp>
#include <articulate/model/model.hpp>
#include <articulate/model/moved_mass.hpp>
#include <articulate/model/recursion.hpp>
#include <articulate/model/root_frame.hpp>
#include <articulate/model/screw_poses.hpp>
#include <articulate/model/side_by_side.hpp>
#include <articulate/model/space_motion.hpp>
#include <articulate/model/tree.hpp>
// Inverse, forward and hybrid dynamics
#include <articulate/rnea/inverse_dynamics.hpp>
#include <articulate/aba/articulated_bodies.hpp>
#include <articulate/aba/articulated_inertia.hpp>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/aba/inverse_mass_matrix.hpp>
#include <articulate/aba/mobility.hpp>
#include <articulate/aba/pivot.hpp>
#include <articulate/aba/singularity.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>
// Closed loops
#include <articulate/constrained/assembly.hpp>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/constrained/constrained_inverse.hpp>
#include <articulate/constrained/loop.hpp>
#include <articulate/constrained/loop_impulse.hpp>
#include <articulate/constrained/loops.hpp>
#include <articulate/constrained/operational_inertia.hpp>
#include <articulate/constrained/restitution.hpp>
#include <articulate/constrained/semidefinite.hpp>
// Derivatives
#include <articulate/derivatives/centroidal_derivatives.hpp>
#include <articulate/derivatives/constrained_derivative.hpp>
#include <articulate/derivatives/hybrid_derivative.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <articulate/derivatives/inverse_derivative.hpp>
#include <articulate/derivatives/jacobians.hpp>
#include <articulate/derivatives/kinematic_hessian.hpp>
#include <articulate/derivatives/link_derivatives.hpp>
#include <articulate/derivatives/loop_impulse_derivative.hpp>
#include <articulate/derivatives/second_derivatives.hpp>
#include <articulate/derivatives/seeds.hpp>
#include <articulate/derivatives/subtree_changes.hpp>
// Forces that depend on the state
#include <articulate/motion/force_element.hpp>
#include <articulate/motion/force_elements.hpp>
#include <articulate/motion/force_jacobians.hpp>
#include <articulate/motion/force_laws.hpp>
#include <articulate/motion/joint_dynamics.hpp>
#include <articulate/motion/placed_elements.hpp>
#include <articulate/motion/stop.hpp>
// Lagrange's view
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/energy_regressor.hpp>
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/lagrange/inertial_parameters.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <articulate/lagrange/lagrange_equations.hpp>
#include <articulate/lagrange/product_of_exponentials.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/lagrange/screw_system.hpp>
// The Coriolis matrix
#include <articulate/skew_symmetry/coriolis.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <articulate/skew_symmetry/reference_dynamics.hpp>
// Motion in time
#include <articulate/motion/closed_motion.hpp>
#include <articulate/motion/dexp_inverse.hpp>
#include <articulate/motion/dormand_prince.hpp>
#include <articulate/motion/energy_balance.hpp>
#include <articulate/motion/event.hpp>
#include <articulate/motion/impulse.hpp>
#include <articulate/motion/pull_back.hpp>
#include <articulate/motion/radau.hpp>
#include <articulate/motion/runge_kutta.hpp>
#include <articulate/motion/stopped_motion.hpp>
#include <articulate/motion/stops.hpp>
#include <articulate/motion/variational.hpp>
// Derivatives in time
#include <articulate/higher_order/body_form.hpp>
#include <articulate/higher_order/closed_form.hpp>
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <articulate/higher_order/joint_steps.hpp>
#include <articulate/higher_order/leibniz.hpp>
#include <articulate/higher_order/pair.hpp>
#include <articulate/higher_order/spatial_form.hpp>
#include <articulate/higher_order/taylor_recursion.hpp>
// Machines
#include <articulate/mechanisms/denavit_hartenberg.hpp>
#include <articulate/mechanisms/hydraulic_manipulator.hpp>
#include <articulate/mechanisms/joint_frames.hpp>
#include <articulate/mechanisms/linkage.hpp>
#include <articulate/mechanisms/loop_motion.hpp>
#include <articulate/mechanisms/working_process.hpp>
