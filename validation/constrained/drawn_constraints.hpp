/** \file
 *  \brief Constraints for any robot: rows drawn with the case, and a loop between two of its links.
 */
#pragma once
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/constrained/loops.hpp>
#include <hybrid/partition.hpp>

namespace articulate::validation {

/// \brief \f$A\dot q = 0\f$ and \f$\dot A\dot q\f$ as numbers: the equations of section 3 ask for no more.
template <typename S>
struct DrawnConstraints {
  MatrixX<S> A;
  VectorX<S> Adot_qd;

  /// \brief Rows in no special direction.
  DrawnConstraints(const Specimen<S>& x, int rows) : A(rows, x.model.nv()), Adot_qd(rows)
  {
    for (int i = 0; i < rows; ++i) {
      Adot_qd(i) = x.number((17 * i + 5) % 128);
      for (int k = 0; k < x.model.nv(); ++k) A(i, k) = x.number((29 * i + 3 * k + 50) % 128);
    }
  }
};

/// \brief The largest entry.
template <typename S, typename Derived>
S largest_entry(const Eigen::MatrixBase<Derived>& x)
{
  S largest(0);
  for (const S& one : x.reshaped())
    if (magnitude(one) > largest) largest = magnitude(one);
  return largest;
}

/// \brief The columns of some rates, in order.
template <typename S>
MatrixX<S> columns(const MatrixX<S>& A, const std::vector<int>& rates)
{
  return A(Eigen::all, rates);
}

/// \brief Constrained dynamics run on a case.
template <typename S>
ConstrainedDynamics<S> constrained_run(const Specimen<S>& x, const Partition& prescribed, const DrawnConstraints<S>& c)
{
  ConstrainedDynamics<S> run(x.model, prescribed, static_cast<int>(c.A.rows()));
  run(x.q, x.qd, x.qdd, x.tau, c.A, c.Adot_qd, x.Fext);
  return run;
}

/// \brief A cut joint between the last link and one half way to it, at frames in no special place: it is not closed.
inline std::vector<Loop> drawn_loop(const Inputs& in, const Model<double>& model, JointType type)
{
  const auto& links = model.links();
  const auto end = [&](const std::string& link, int at) {
    const double* x = &in.free_numbers[at];
    return Loop::End{link, {x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}};
  };
  std::string first;  // any link of another body than the last one's
  for (const auto& link : links)
    if (link.body != links.back().body) first = link.name;
  const double* axis = &in.free_numbers[80];
  return {cut_joint("drawn", type, end(first, 60), end(links.back().name, 70), {axis[0], axis[1], axis[2]}, axis[3])};
}

/// \brief The first joint of one degree follows the last one; nothing where there are no two.
inline std::vector<Loop> drawn_coupling(const Inputs& in, const Model<double>& model)
{
  std::vector<std::string> joints;
  for (const JointSlot& joint : model.joints())
    if (joint.nv == 1) joints.push_back(joint.name);
  if (joints.size() < 2) return {};
  return {coupled_joints("coupled", joints.front(), {joints.back(), in.free_numbers[84], in.free_numbers[85]})};
}

}  // namespace articulate::validation
