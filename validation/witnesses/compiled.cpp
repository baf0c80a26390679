#include <witnesses/compiled.hpp>
#include <ledger/scalars.hpp>
#include <witnesses/lagrange.hpp>
#include <witnesses/maximal_coordinates.hpp>
#include <witnesses/newton_euler.hpp>

namespace articulate::witness {

template <class S>
Column<S> lagrange_tau(const Mechanism& mechanism, bool floating_base, const Column<S>& q, const Column<S>& qd,
                       const Column<S>& qdd, const Eigen::Matrix<S, 3, 1>& gravity,
                       const std::vector<Eigen::Matrix<S, 6, 1>>& external)
{
  return Lagrange<S>(mechanism, floating_base).inverse_dynamics(q, qd, qdd, gravity, external);
}

template <class S>
Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> lagrange_mass_matrix(const Mechanism& mechanism, bool floating_base,
                                                                      const Column<S>& q)
{
  return Lagrange<S>(mechanism, floating_base).mass_matrix(q);
}

template <class S>
Column<S> maximal_qdd(const Mechanism& mechanism, bool floating_base, const Column<S>& q, const Column<S>& qd,
                      const Column<S>& tau, const Eigen::Matrix<S, 3, 1>& gravity,
                      const std::vector<Eigen::Matrix<S, 6, 1>>& external)
{
  return MaximalCoordinates<S>(mechanism, floating_base).forward_dynamics(q, qd, tau, gravity, external);
}

template <class S>
Column<S> complete_closed_motion(const Mechanism& mechanism, const std::vector<Loop>& loops, const Column<S>& q,
                                 const Column<S>& qd, Column<S>& qdd, Column<S>& tau,
                                 const std::vector<bool>& prescribed, const Eigen::Matrix<S, 3, 1>& gravity,
                                 const std::vector<Eigen::Matrix<S, 6, 1>>& external)
{
  return MaximalCoordinates<S>(mechanism, false, loops).complete(q, qd, qdd, tau, prescribed, gravity, external);
}

using validation::Fifty;
using Scalar = ARTICULATE_PROOF_SCALAR;
template class VectorNewtonEuler<Scalar>;
template Column<Scalar> lagrange_tau<Scalar>(const Mechanism&, bool, const Column<Scalar>&, const Column<Scalar>&,
                                             const Column<Scalar>&, const Eigen::Matrix<Scalar, 3, 1>&,
                                             const std::vector<Eigen::Matrix<Scalar, 6, 1>>&);
template Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> lagrange_mass_matrix<Scalar>(const Mechanism&, bool,
                                                                                            const Column<Scalar>&);
template Column<Scalar> maximal_qdd<Scalar>(const Mechanism&, bool, const Column<Scalar>&, const Column<Scalar>&,
                                            const Column<Scalar>&, const Eigen::Matrix<Scalar, 3, 1>&,
                                            const std::vector<Eigen::Matrix<Scalar, 6, 1>>&);
template Column<Scalar> complete_closed_motion<Scalar>(const Mechanism&, const std::vector<Loop>&,
                                                       const Column<Scalar>&, const Column<Scalar>&, Column<Scalar>&,
                                                       Column<Scalar>&, const std::vector<bool>&,
                                                       const Eigen::Matrix<Scalar, 3, 1>&,
                                                       const std::vector<Eigen::Matrix<Scalar, 6, 1>>&);

}  // namespace articulate::witness
