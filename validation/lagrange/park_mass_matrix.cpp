/** \file
 *  \brief Proofs of chapter lagrange: Park 1995, section 4.1, the mass matrix and its factors, \eq{park,40} to \eq{park,50}.
 */
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <lagrange/park_tuples.hpp>
#include <ledger/calculus.hpp>
#include <rnea/park_recursion.hpp>
#include <skew_symmetry/compared_with.hpp>
#include <witnesses/compiled.hpp>

namespace articulate::validation {
namespace {

/// The block matrices of \eq{park,47} to \eq{park,50}, by body; Q has the poses at x = 0.
template <typename S>
struct BodyMatrices {
  MatrixX<S> S_, J, G, Q;

  BodyMatrices(const ForwardKinematics<S>& at, const std::vector<SE3<S>>& M)
      : S_(MatrixX<S>::Zero(6 * at.model().bodies(), at.model().nv())),
        J(MatrixX<S>::Zero(S_.rows(), S_.rows())),
        G(J),
        Q(J)
  {
    const Model<S>& model = at.model();
    for (int i = 1; i <= model.bodies(); ++i) {
      const int row = 6 * (i - 1);
      for (int k = 0; k < model.body(i).nv; ++k)
        S_.col(model.body(i).v + k).template segment<6>(row) = coordinates(at.S[i].column(k));
      J.template block<6, 6>(row, row) = model.body(i).I.matrix();
      Q.template block<6, 6>(row, row) = Ad_matrix(M[i]);
      SE3<S> f;  // f_{j,i}
      for (int j = i; j > 0; j = model.body(j).parent) {
        G.template block<6, 6>(row, 6 * (j - 1)) = inverted(Ad_matrix(f));
        f = at.T[j] * f;
      }
    }
  }
};

/// Which line of \eq{park,50} is looked at.
enum class Line { all, A, L, D };

/// \eq{park,50}, block by block: the matrices of section 4.1 from those of section 3, where Q is given.
template <typename S>
void add_50(Sides<S>& sides, const Model<S>& model, const ScrewMatrices<S>& by_coordinate,
            const BodyMatrices<S>& by_body, Line line)
{
  const int N = model.bodies(), n = model.nv();
  MatrixX<S> A = MatrixX<S>::Zero(6, n), QS(A), LA(6 * N, n), QGS(LA), L(6 * N, 6 * N), QGQ(L), D(6, 6 * N), QJQ(D);
  const MatrixX<S> all_LA = by_coordinate.L * by_coordinate.A, GS = by_body.G * by_body.S_;
  for (int i = 1; i <= N; ++i) {
    const Body<S>& body = model.body(i);
    const int row = 6 * (i - 1), last = 6 * (body.v + body.nv - 1);
    const Matrix6<S> Q = by_body.Q.template block<6, 6>(row, row), Q_inverse = inverted(Q);
    if (body.nv == 1) {
      A.col(body.v) = by_coordinate.A.template block<6, 1>(last, body.v);
      QS.col(body.v) = Q * by_body.S_.template block<6, 1>(row, body.v);
    }
    LA.template middleRows<6>(row) = all_LA.template middleRows<6>(last);
    QGS.template middleRows<6>(row) = Q * GS.template middleRows<6>(row);
    D.template middleCols<6>(row) = by_coordinate.D.template block<6, 6>(last, last);
    QJQ.template middleCols<6>(row) = Q_inverse.transpose() * by_body.J.template block<6, 6>(row, row) * Q_inverse;
    for (int j = 1; j <= N; ++j) {
      const int column = 6 * (j - 1), last_j = 6 * (model.body(j).v + model.body(j).nv - 1);
      L.template block<6, 6>(column, row) = by_coordinate.L.template block<6, 6>(last_j, last);
      QGQ.template block<6, 6>(column, row) =
          by_body.Q.template block<6, 6>(column, column) * by_body.G.template block<6, 6>(column, row) * Q_inverse;
    }
  }
  if (line == Line::all || line == Line::A) sides.add(A, QS, S(1)), sides.add(LA, QGS);
  if (line == Line::all || line == Line::L) sides.add(L, QGQ);
  if (line == Line::all || line == Line::D) sides.add(D, QJQ);
}

template <typename S>
void mass_matrix(Registry<S>& r)
{
  r.identity({.name = "the_mass_matrix_is_one_by_screws_columns_composite_bodies_and_the_hessian_of_energy",
              .keys = {"park:40", "park:46"},
              .symbols = "InertiaMetric::M CompositeBodies EquationsOfMotion ScrewSystem",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewMatrices<S> m(p);
                    const MatrixX<S> LA = m.L * m.A, M46 = LA.transpose() * (m.D * LA);
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    CompositeBodies<S> composite(x.model);
                    InverseDynamics<S> rnea(x.model);
                    const EquationsOfMotion<S> columns(rnea, x.q, x.qd);
                    const MatrixX<S> seen = x.witness_mass_matrix();
                    for (const MatrixX<S>& M : {p.M(), M46, metric.M(), columns.M, MatrixX<S>(composite(x.q))})
                      sides.add_by_unit(x.model, seen, M);
                    sides.add_by_unit(x.model, FlatPicture<S>(x.inputs.mechanism, x.q).M(), M46);
                    if (p.n <= 6)  // automatic differentiation takes long
                      sides.add_by_unit(x.model, witness::lagrange_mass_matrix<S>(x.inputs.mechanism, false, x.q), M46);
                  },
              .applies = has_few_coordinates});
  r.identity({.name = "with_joints_of_every_kind_the_mass_matrix_is_that_of_the_recursion_written_as_matrices",
              .keys = {"park:47", "park:48", "park:49", "park:51"},
              .symbols = "GlobalMatrices GlobalMatrices::M CompositeBodies EquationsOfMotion",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const BodyMatrices<S> b(x.kinematics, std::vector<SE3<S>>(x.bodies() + 1));
                    const GlobalMatrices<S> library(x.kinematics, x.qd);
                    sides.add(library.S, b.S_);
                    sides.add(library.J, b.J);
                    sides.add(library.G, b.G);
                    const MatrixX<S> GS = b.G * b.S_, M51 = GS.transpose() * (b.J * GS);
                    CompositeBodies<S> composite(x.model);
                    InverseDynamics<S> rnea(x.model);
                    const EquationsOfMotion<S> columns(rnea, x.q, x.qd);
                    for (const MatrixX<S>& M : {M51, library.M(), MatrixX<S>(composite(x.q)), columns.M})
                      sides.add_by_unit(x.model, x.witness_mass_matrix(), M);
                  },
              .applies = is_small});
  r.identity({.name = "a_body_behind_a_composite_moves_rigidly_with_all_that_it_carries",
              .keys = {"park:40"},
              .symbols = "CompositeBodies::I",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                CompositeBodies<S> composite(x.model);
                const MatrixX<S> M = composite(x.q);
                VectorX<S> own(x.model.nv()), diagonal(x.model.nv());
                for (int i = 1; i <= x.bodies(); ++i)
                  for (int k = 0; k < x.model.body(i).nv; ++k) {
                    const Twist<S> column = x.kinematics.S[i].column(k);
                    own(x.model.body(i).v + k) = pairing(composite.I[i] * column, column);
                  }
                for (int k = 0; k < x.model.nv(); ++k) diagonal(k) = M(k, k);
                sides.add_by_unit(x.model, own, diagonal);
                // All carried by one root move with it as one body: so do their momenta.
                for (int i = 1; i <= x.bodies(); ++i) {
                  Inertia<S> sum = x.model.body(i).I;
                  for (int c = i + 1; c <= x.bodies(); ++c) {
                    SE3<S> pose;
                    int a = c;
                    for (; a > i; a = x.model.body(a).parent) pose = x.kinematics.T[a] * pose;
                    if (a == i) sum = sum + coAd(inverse(pose), x.model.body(c).I);
                  }
                  sides.add(composite.I[i].second_moment.matrix(), sum.second_moment.matrix());
                  sides.add(composite.I[i].mass, sum.mass);
                }
              }});
  r.identity({.name = "the_matrices_of_screws_are_those_of_bodies_seen_from_the_base_at_rest",
              .keys = {"park:41", "park:43", "park:45", "park:50"},
              .symbols = "ScrewSystem ScrewSystem::M ScrewSystem::D ScrewSystem::carried",
              .method = "cross-check; A = QS for bodies with one coordinate, L and D by body, QGS = LA for all",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewMatrices<S> m(p);
                    const ScrewSystem<S> screws(x.model);
                    add_50(sides, x.model, m, BodyMatrices<S>(x.kinematics, screws.M), Line::all);
                    const MatrixX<S> LA = m.L * m.A;
                    std::vector<Twist<S>> by_matrices, by_screws;
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const int last = last_coordinate(x, i);
                      add_blocks(sides, Matrix6<S>(m.D.template block<6, 6>(6 * last, 6 * last)), screws.D[i].matrix());
                      for (int j = last; j >= 0; j = p.carrier[j]) {
                        by_matrices.push_back(to_twist(LA.col(j).template segment<6>(6 * last)));
                        by_screws.push_back(screws.carried(screws.A[j], j, last, x.q));
                      }
                    }
                    sides.add(by_matrices, by_screws);
                  },
              .applies = has_few_coordinates});

  // Q from single factors: the offsets of section 3, or the frames at the centres of mass of section 4.
  const auto reading = [](const Specimen<S>& x, int offsets, Line line) {
    Sides<S> sides;
    const Chain<S> chain = drawn_chain(x);
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    ForwardKinematics<S> at(chain.model);
    at(chain.x, chain.xd);
    std::vector<SE3<S>> M(1);
    for (int i = 1; i <= p.n; ++i) {
      const SE3<S>& own = chain.model.body(i).M;
      M.push_back(offsets == 3 ? own : offsets == 4 ? p.link[i - 1].M : SE3<S>(M.back() * own));
    }
    const BodyMatrices<S> by_body(at, M);
    add_50(sides, chain.model, ScrewMatrices<S>(p), by_body, line);
    return sides;
  };
  const auto with = [=](int offsets, Line line) {
    return [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(reading(x, offsets, line)); };
  };
  r.erratum({.id = "E-park-4",
             .keys = {"park:50"},
             .margin = 1e-2,
             .printed = {with(3, Line::A), with(3, Line::L), with(3, Line::D), with(4, Line::A), with(4, Line::L),
                         with(4, Line::D)},
             .corrected = with(0, Line::all)});
}

}  // namespace

template <typename S>
void lagrange_park_mass_matrix(Registry<S>& r)
{
  mass_matrix(r);
}

template void lagrange_park_mass_matrix(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
