/** \file
 *  \brief Proofs of chapter lagrange: Park 1995, section 4.1, the mass matrix and its factors, \eq{park,40} to \eq{park,50}.
 */
#include <body/park_bodies.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <lagrange/park_tuples.hpp>
#include <ledger/calculus.hpp>
#include <ledger/long_robots.hpp>
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

template <typename S>
Matrix3<S> block3(const MatrixX<S>& matrix, int row, int column)
{
  Matrix3<S> block;
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) block(j, k) = matrix(row + j, column + k);
  return block;
}

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
  S reach(0);  // of such sizes are the moments of lines: all may pass through the origin
  for (int i = 0; i < N; ++i) {
    const Matrix3<S> pR = block3(by_body.Q, 6 * i + 3, 6 * i), R = block3(by_body.Q, 6 * i, 6 * i);
    reach = std::max(reach, largest<S>((pR * transpose(R)).eigen()));
  }
  const auto add_lines = [&](const MatrixX<S>& left, const MatrixX<S>& right) {
    sides.add(left.topRows(3), right.topRows(3));
    sides.add(left.bottomRows(3), right.bottomRows(3), reach);
  };
  if (line == Line::all || line == Line::A) add_lines(A, QS), sides.add(LA, QGS);
  if (line == Line::all || line == Line::L) sides.add(L, QGQ);
  if (line == Line::all || line == Line::D) sides.add(D, QJQ);
}

/// An inertia matrix with its first moments in each other's places.
template <typename S>
Matrix6<S> exchanged(const Matrix6<S>& J)
{
  Matrix6<S> other = J;
  other.template topRightCorner<3, 3>() = J.template bottomLeftCorner<3, 3>();
  other.template bottomLeftCorner<3, 3>() = J.template topRightCorner<3, 3>();
  return other;
}

/// \eq{park,40} read without (37)'s second case: the sum from the row's own joint on, for all entries or below the diagonal.
template <typename S>
MatrixX<S> summed_from_the_row(const ParkScrews<S>& p, bool below_alone)
{
  MatrixX<S> M = p.M();
  for (int i = 0; i < p.n; ++i)
    for (int j = 0; j < p.n; ++j) {
      if (!p.on_one_way({i, j}) || (below_alone && i > j)) continue;
      M(j, i) = S(0);
      for (const int k : p.behind[std::min(i, j)])
        M(j, i) += p.inner(k, p.Ad(k, p.after(i), p.A[i]), p.Ad(k, p.after(j), p.A[j]));
    }
  return M;
}

template <typename S>
void mass_matrix(Registry<S>& r)
{
  r.identity({.name = "the_mass_matrix_is_one_by_screws_columns_composite_bodies_and_the_hessian_of_energy",
              .keys = {"park:40/sum", "park:40/symmetric", "park:46"},
              .symbols = "InertiaMetric::m InertiaMetric::M CompositeBodies EquationsOfMotion",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewMatrices<S> m(p);
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    CompositeBodies<S> composite(x.model);
                    InverseDynamics<S> rnea(x.model);
                    const EquationsOfMotion<S> columns(rnea, x.q, x.qd);
                    const MatrixX<S> seen = x.witness_mass_matrix();
                    sides.clause("park:40/sum");
                    for (const MatrixX<S>& M : {p.M(), metric.M(), columns.M, MatrixX<S>(composite(x.q))})
                      sides.add_by_unit(x.model, seen, M);
                    sides.rival("the sum from the earlier of the two joints on",
                                [&](auto& wrong) { wrong.add_by_unit(x.model, seen, summed_from_the_row(p, false)); });
                    sides.clause("park:40/symmetric");
                    for (const MatrixX<S>& M : {p.M(), metric.M()})
                      sides.add_by_unit(x.model, seen, MatrixX<S>(M.transpose()));
                    sides.rival("the sum as it stands for the entries below the diagonal, too",
                                [&](auto& wrong) { wrong.add_by_unit(x.model, seen, summed_from_the_row(p, true)); });
                    sides.clause("park:46");
                    const MatrixX<S> LA = m.L * m.A, M46 = LA.transpose() * (m.D * LA);
                    sides.add_by_unit(x.model, seen, M46);
                    sides.add_by_unit(x.model, FlatPicture<S>(x.inputs.mechanism, x.q).M(), M46);
                    if (p.n <= 6)  // automatic differentiation takes long
                      sides.add_by_unit(x.model, witness::lagrange_mass_matrix<S>(x.inputs.mechanism, false, x.q), M46);
                    sides.rival("L and its transpose exchanged", [&](auto& wrong) {
                      const MatrixX<S> turned = m.L.transpose() * m.A;
                      wrong.add_by_unit(x.model, seen, MatrixX<S>(turned.transpose() * (m.D * turned)));
                    });
                  },
              .applies = has_few_coordinates});
  r.identity({.name = "with_joints_of_every_kind_the_mass_matrix_is_that_of_the_recursion_written_as_matrices",
              .keys = {"park:47", "park:48", "park:49", "park:51"},
              .symbols = "GlobalMatrices GlobalMatrices::M CompositeBodies EquationsOfMotion",
              .method = "series and independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const BodyMatrices<S> b(x.kinematics, std::vector<SE3<S>>(x.bodies() + 1));
                    const GlobalMatrices<S> library(x.kinematics, x.qd);
                    const int N = x.bodies();

                    // S takes rates to what the joints make of them: f^{-1} f', of each joint alone.
                    sides.clause("park:47");
                    const VectorX<S> S_qd = library.S * x.qd;
                    std::vector<Twist<S>> by_matrix, seen_behind, seen_before;
                    MatrixX<S> blocks = MatrixX<S>::Zero(6 * N, x.model.nv()),
                               inertias = MatrixX<S>::Zero(6 * N, 6 * N);
                    for (int i = 1; i <= N; ++i) {
                      const SE3<Series<S>>& f = x.along_motion().T[i];
                      const Matrix4<S> back = inverted(derivative(f, 0)), rate = derivative(f, 1);
                      by_matrix.push_back(to_twist(S_qd.template segment<6>(6 * i - 6)));
                      seen_behind.push_back(vee(Matrix4<S>(back * rate)));
                      seen_before.push_back(vee(Matrix4<S>(rate * back)));
                      const Body<S>& body = x.model.body(i);
                      blocks.block(6 * i - 6, body.v, 6, body.nv) = library.S.block(6 * i - 6, body.v, 6, body.nv);
                      inertias.template block<6, 6>(6 * i - 6, 6 * i - 6) =
                          library.J.template block<6, 6>(6 * i - 6, 6 * i - 6);
                    }
                    sides.add(by_matrix, seen_behind);
                    sides.add(library.S, blocks);  // all else is zero
                    sides.rival("as the link before the joint sees it",
                                [&](auto& wrong) { wrong.add(by_matrix, seen_before); });

                    sides.clause("park:48");
                    for (int i = 1; i <= N; ++i) {
                      const MomentsOfParticles<S> moments(x, i);
                      const Matrix6<S> J = library.J.template block<6, 6>(6 * i - 6, 6 * i - 6);
                      moments.compare(sides, J);
                      sides.rival("the blocks beside the diagonal exchanged",
                                  [&](auto& wrong) { moments.compare(wrong, exchanged(J)); });
                    }
                    sides.add(library.J, inertias);

                    sides.clause("park:49");
                    sides.add(library.G, b.G);
                    sides.rival("Ad in place of its inverse", [&](auto& wrong) {
                      MatrixX<S> G = MatrixX<S>::Zero(6 * N, 6 * N);
                      for (int i = 1; i <= N; ++i) {
                        SE3<S> f;
                        for (int j = i; j > 0; j = x.model.body(j).parent) {
                          G.template block<6, 6>(6 * i - 6, 6 * j - 6) = Ad_matrix(f);
                          f = x.kinematics.T[j] * f;
                        }
                      }
                      wrong.add(library.G, G);
                    });

                    sides.clause("park:51");
                    const auto M51 = [&](const MatrixX<S>& G) {
                      const MatrixX<S> GS = G * b.S_;
                      return MatrixX<S>(GS.transpose() * (b.J * GS));
                    };
                    CompositeBodies<S> composite(x.model);
                    InverseDynamics<S> rnea(x.model);
                    const EquationsOfMotion<S> columns(rnea, x.q, x.qd);
                    for (const MatrixX<S>& M : {M51(b.G), library.M(), MatrixX<S>(composite(x.q)), columns.M})
                      sides.add_by_unit(x.model, x.witness_mass_matrix(), M);
                    sides.rival("G and its transpose exchanged", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, x.witness_mass_matrix(), M51(MatrixX<S>(b.G.transpose())));
                    });
                  },
              .applies = is_small});
  r.identity({.name = "a_body_behind_a_composite_moves_rigidly_with_all_that_it_carries",
              .keys = {"park:40/sum"},
              .symbols = "CompositeBodies::I",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    CompositeBodies<S> composite(x.model);
                    const MatrixX<S> M = composite(x.q);
                    VectorX<S> diagonal(x.model.nv());
                    for (int k = 0; k < x.model.nv(); ++k) diagonal(k) = M(k, k);
                    const auto moved_alone = [&](const auto& inertia) {
                      VectorX<S> own(x.model.nv());
                      for (int i = 1; i <= x.bodies(); ++i)
                        for (int k = 0; k < x.model.body(i).nv; ++k) {
                          const Twist<S> column = x.kinematics.S[i].column(k);
                          own(x.model.body(i).v + k) = pairing(inertia(i) * column, column);
                        }
                      return own;
                    };
                    sides.add_by_unit(x.model, moved_alone([&](int i) { return composite.I[i]; }), diagonal);
                    sides.rival("the body without those that it carries", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, moved_alone([&](int i) { return x.model.body(i).I; }), diagonal);
                    });
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
                  },
              .applies = is_compared_in_full});
  r.identity({.name = "the_matrices_of_screws_are_those_of_bodies_seen_from_the_base_at_rest",
              .keys = {"park:41", "park:43", "park:45", "park:50/screws", "park:50/maps", "park:50/inertias"},
              .symbols = "ScrewSystem ScrewSystem::M ScrewSystem::D ScrewSystem::carried",
              .method =
                  "independent formulation: axes and inertias of vector mechanics at x = 0; (50): A = QS for bodies "
                  "with one coordinate, L and D by body, QGS = LA for all",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewMatrices<S> m(p);
                    const ScrewSystem<S> screws(x.model);
                    const S reach = farthest(screws.M);

                    // A times rates: the twist of each joint alone, about the base's origin.
                    sides.clause("park:41");
                    add_lines(sides, screws.A, p.A, reach);
                    sides.rival("the velocity of the joint's own point", [&](auto& wrong) {
                      std::vector<Twist<S>> at_joint = screws.A;
                      for (int i = 1; i <= x.bodies(); ++i)
                        for (int k = 0; k < x.model.body(i).nv; ++k) {
                          Twist<S>& A = at_joint[x.model.body(i).v + k];
                          A.v = A.v - cross(screws.M[i].p, A.w);
                        }
                      add_lines(wrong, at_joint, p.A, reach);
                    });

                    // L times any twists, one behind each coordinate: the sum of what is carried, and nothing else.
                    sides.clause("park:43");
                    VectorX<S> H(6 * p.n);
                    for (int j = 0; j < p.n; ++j) H.template segment<6>(6 * j) = coordinates(x.twist(6 * j % 100));
                    const VectorX<S> LH = m.L * H;
                    std::vector<Twist<S>> by_matrix, by_screws, one_too_low;
                    for (int i = 0; i < p.n; ++i) {
                      by_matrix.push_back(to_twist(LH.template segment<6>(6 * i)));
                      by_screws.emplace_back(), one_too_low.emplace_back();
                      for (int j = i; j >= 0; j = p.carrier[j]) {
                        const Twist<S> of_j = to_twist(H.template segment<6>(6 * j));
                        by_screws.back() += screws.carried(of_j, j, i, x.q);
                        one_too_low.back() += screws.carried(of_j, p.carrier[j], i, x.q);
                      }
                    }
                    sides.add(by_matrix, by_screws);
                    sides.rival("upper indices one too low", [&](auto& wrong) { wrong.add(by_matrix, one_too_low); });

                    sides.clause("park:45");
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const int last = last_coordinate(x, i);
                      const Matrix6<S> D = m.D.template block<6, 6>(6 * last, 6 * last);
                      add_inertia_blocks(sides, D, screws.D[i].matrix());
                      sides.rival("the inertias of section 3",
                                  [&](auto& wrong) { add_inertia_blocks(wrong, D, x.model.body(i).I.matrix()); });
                    }

                    std::vector<SE3<S>> single(1), products(1);
                    for (int i = 1; i <= x.bodies(); ++i) {
                      single.push_back(x.model.body(i).M);
                      products.push_back(products[x.model.body(i).parent] * single.back());
                    }
                    const BodyMatrices<S> by_body(x.kinematics, products);
                    const BodyMatrices<S> by_single_factors(x.kinematics, single);
                    for (const auto& [clause, line] :
                         {std::pair{"park:50/screws", Line::A}, std::pair{"park:50/maps", Line::L},
                          std::pair{"park:50/inertias", Line::D}}) {
                      sides.clause(clause);
                      add_50(sides, x.model, m, by_body, line);
                      const Line same = line;
                      sides.rival("Q of single factors, as printed",
                                  [&](auto& wrong) { add_50(wrong, x.model, m, by_single_factors, same); });
                    }
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
