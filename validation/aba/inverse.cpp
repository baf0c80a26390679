/** \file
 *  \brief Proofs of chapter aba: the inverse of the mass matrix and what it makes of rows, \eq{ours,20} and \eq{ours,21}.
 *
 *  On the other side the mass matrix is that of vector mechanics, and all solutions are dense.
 */
#include <algorithm>
#include <articulate/aba/inverse_mass_matrix.hpp>
#include <articulate/aba/mobility.hpp>
#include <ledger/long_robots.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// M as an input: its inverse by a dense solution moves with every entry.
template <typename S>
struct DenseInverse {
  MatrixX<S> M, inverse;
  explicit DenseInverse(const Specimen<S>& x)
      : M(x.as_input(x.witness_mass_matrix())),
        inverse(definite_solution(M, MatrixX<S>(MatrixX<S>::Identity(x.model.nv(), x.model.nv()))))
  {
  }
};

/// E and D, read off forward dynamics at rest: what is left of a unit force at each degree, and the pivots.
template <typename S>
struct Factors {
  MatrixX<S> E;
  VectorX<S> D;

  explicit Factors(const Specimen<S>& x) : E(x.model.nv(), x.model.nv()), D(x.model.nv())
  {
    const int n = x.model.nv();
    const VectorX<S> rest = VectorX<S>::Zero(n);
    ForwardDynamics<S> aba(x.model);
    aba.set_gravity({});
    for (int k = 0; k < n; ++k) {
      aba(x.q, rest, VectorX<S>::Unit(n, k));
      for (int j = 0; j < n; ++j) E(j, k) = aba.u[j];
    }
    for (const Body<S>& body : x.model.outward())
      for (int k = 0; k < body.nv; ++k) D(body.v + k) = aba.pivot[body.index].d[k];
  }

  /// \f$E^{\mathsf T}D^{-1}E\f$.
  MatrixX<S> product() const
  {
    MatrixX<S> answer = E;
    for (int k = 0; k < D.size(); ++k) answer.row(k) /= D(k);
    return E.transpose() * answer;
  }
};

template <typename S>
MatrixX<S> only_diagonal(const MatrixX<S>& A)
{
  MatrixX<S> D = MatrixX<S>::Zero(A.rows(), A.cols());
  for (int k = 0; k < A.rows(); ++k) D(k, k) = A(k, k);
  return D;
}

template <typename S>
void inverse_of_the_mass_matrix(Registry<S>& r)
{
  r.identity({.name = "the_inverse_of_the_mass_matrix_is_that_of_the_witness",
              .keys = {"ours:20/inverse"},
              .symbols = "InverseMassMatrix::respond_to ArticulatedBodies::yield ArticulatedBodies::articulate_at",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const auto& dense = x.template once<DenseInverse<S>>();
                const MatrixX<S> ours = inverse_mass_matrix(x.model, x.q);
                sides.add_by_unit(x.model, ours, dense.inverse);
                sides.rival("each joint answers as if the others were locked", [&](auto& wrong) {
                  MatrixX<S> locked = MatrixX<S>::Zero(ours.rows(), ours.cols());
                  for (int k = 0; k < ours.rows(); ++k) locked(k, k) = S(1) / dense.M(k, k);
                  wrong.add_by_unit(x.model, locked, dense.inverse);
                });
                sides.rival("a force moves its own joint alone",
                            [&](auto& wrong) { wrong.add_by_unit(x.model, only_diagonal(ours), dense.inverse); });
              }});
  r.identity({.name = "the_inverse_of_the_mass_matrix_turns_what_is_left_of_forces_into_accelerations",
              .keys = {"ours:20/motion"},
              .symbols = "InverseMassMatrix::respond_to ArticulatedBodies::release",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const MatrixX<S> ours = inverse_mass_matrix(x.model, x.q);
                const VectorX<S> left = x.as_input(VectorX<S>(x.tau - x.witness_bias()));
                const VectorX<S> beside = ours.cwiseAbs() * left.cwiseAbs();
                sides.add_by_unit(x.model, VectorX<S>(ours * left), x.forward_qdd, beside);
                sides.rival("weight and velocities are forgotten", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, VectorX<S>(ours * x.tau), x.forward_qdd, beside);
                });
              }});
}

/// The mobility of a link: turns, slides, and what one does to the other.
template <typename S>
void add_mobility(Sides<S>& sides, const MatrixX<S>& left, const MatrixX<S>& right)
{
  S turns(0), slides(0);
  for (int k = 0; k < 3; ++k) {
    turns = std::max(turns, magnitude(right(k, k)));
    slides = std::max(slides, magnitude(right(k + 3, k + 3)));
  }
  using std::sqrt;
  sides.add(left.topLeftCorner(3, 3), right.topLeftCorner(3, 3));
  sides.add(left.topRightCorner(3, 3), right.topRightCorner(3, 3), S(sqrt(S(turns * slides))));
  sides.add(left.bottomLeftCorner(3, 3), right.bottomLeftCorner(3, 3), S(sqrt(S(turns * slides))));
  sides.add(left.bottomRightCorner(3, 3), right.bottomRightCorner(3, 3));
}

template <typename S>
void factors(Registry<S>& r)
{
  r.identity({.name = "the_inverse_of_the_mass_matrix_is_a_sum_of_squares_over_the_pivots",
              .keys = {"ours:21/factors", "ours:21/pivots", "ploen:1/positive"},
              .symbols = "ArticulatedBodies::yield ArticulatedBodies::gather Pivot::pass_on Pivot::eliminate",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const auto& dense = x.template once<DenseInverse<S>>();
                    const Factors<S> f(x);
                    const int n = x.model.nv();
                    sides.clause("ours:21/factors");
                    sides.add_by_unit(x.model, f.product(), dense.inverse);
                    sides.rival("the joints behind do not yield", [&](auto& wrong) {
                      Factors<S> locked = f;
                      locked.E.setIdentity();
                      wrong.add_by_unit(x.model, locked.product(), dense.inverse);
                    });
                    // E M E^T = D, each row and column over the root of its pivot: they have roots, so M is definite.
                    const auto scaled = [&](MatrixX<S> A, const VectorX<S>& D) {
                      using std::sqrt;
                      for (int k = 0; k < n; ++k) {
                        const S root = sqrt(D(k));
                        A.row(k) /= root, A.col(k) /= root;
                      }
                      return A;
                    };
                    const MatrixX<S> one = MatrixX<S>::Identity(n, n), size = f.E.cwiseAbs();
                    const MatrixX<S> terms = scaled(size * dense.M.cwiseAbs() * size.transpose(), f.D);
                    const MatrixX<S> EME = f.E * dense.M * f.E.transpose();
                    const S beside = terms.maxCoeff();
                    sides.clause({"ours:21/pivots", "ploen:1/positive"});
                    sides.add(scaled(EME, f.D), one, beside);
                    sides.clause("ours:21/pivots");
                    sides.rival("a pivot is what its joint moves when the others are locked",
                                [&](auto& wrong) { wrong.add(scaled(EME, dense.M.diagonal()), one, beside); });
                  },
              .applies = is_compared_in_full});
  r.identity({.name = "a_link_gives_way_as_the_mass_matrix_lets_it",
              .keys = {"ours:21/rows"},
              .symbols = "Mobility::of ArticulatedBodies::reduce ArticulatedBodies::articulate_at",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const auto& dense = x.template once<DenseInverse<S>>();
                Mobility<S> machine(x.model);
                machine(x.q);
                const auto carried = [&](const LinkFrame<S>& link) { return link.body == x.bodies(); };
                const auto& links = x.model.links();
                const LinkFrame<S>& link = *std::find_if(links.begin(), links.end(), carried);
                const auto by_mass_matrix = [&](const MatrixX<S>& J) {
                  return MatrixX<S>(J * definite_solution(dense.M, MatrixX<S>(J.transpose())));
                };
                for (const JacobianFrame frame : {JacobianFrame::link, JacobianFrame::world, JacobianFrame::mixed}) {
                  const MatrixX<S> J = x.as_input(x.kinematics.link_jacobian(link, frame));
                  const MatrixX<S> K = by_mass_matrix(J);
                  add_mobility(sides, machine.of(J), K);
                  sides.rival("each joint answers as if the others were locked", [&](auto& wrong) {
                    MatrixX<S> locked = J;
                    for (int k = 0; k < x.model.nv(); ++k) locked.col(k) /= dense.M(k, k);
                    add_mobility(wrong, MatrixX<S>(locked * J.transpose()), K);
                  });
                }
                // And rows in no special direction.
                MatrixX<S> J(3, x.model.nv());
                for (int i = 0; i < 3; ++i)
                  for (int k = 0; k < x.model.nv(); ++k) J(i, k) = x.number((41 * i + 7 * k + 2) % 128);
                sides.add(machine.of(J), by_mass_matrix(J));
              }});
}

}  // namespace

template <typename S>
void aba_inverse(Registry<S>& r)
{
  inverse_of_the_mass_matrix(r);
  factors(r);
}

template void aba_inverse(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
