/** \file
 *  \brief Proofs of chapter lagrange: Park 1995, section 5, Jacobians pulled back and curvature, \eq{park,65}, \eq{park,66}.
 */
#include <articulate/lagrange/inertia_metric.hpp>
#include <lagrange/park_tuples.hpp>
#include <ledger/calculus.hpp>
#include <skew_symmetry/compared_with.hpp>
#include <witnesses/compiled.hpp>

namespace articulate::validation {
namespace {

/// The link's twist along the motion, from its pose alone, seen from the frame asked for.
template <typename S>
std::pair<Twist<S>, Twist<S>> twist_and_rate(const Specimen<S>& x, const LinkFrame<S>& link, JacobianFrame frame)
{
  Matrix4<S> f[3];
  for (int order = 0; order < 3; ++order)
    f[order] = derivative(x.along_motion().pose[link.body], order) * matrix(link.X);
  const Matrix4<S> back = inverted(f[0]), back_rate = -back * f[1] * back;
  if (frame == JacobianFrame::link)
    return {vee(Matrix4<S>(back * f[1])), vee(Matrix4<S>(back_rate * f[1] + back * f[2]))};
  Matrix4<S> V = f[1] * back, V_rate = f[2] * back + f[1] * back_rate;
  Twist<S> twist = vee(V), rate = vee(V_rate);
  if (frame == JacobianFrame::mixed)
    for (int k = 0; k < 3; ++k) twist.v[k] = f[1](k, 3), rate.v[k] = f[2](k, 3);
  return {twist, rate};
}

template <typename S>
void pull_back(Registry<S>& r)
{
  r.identity({.name = "the_mass_matrix_is_the_direct_sum_of_the_links_metrics_pulled_back_by_the_jacobian",
              .keys = {"park:65/pull-back", "park:65/jacobian"},
              .symbols = "exp",
              .method = "series and independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewMatrices<S> m(p);
                    const MatrixX<S> J = m.L * m.A;
                    const auto pulled_back = [&](const MatrixX<S>& G) { return MatrixX<S>(J.transpose() * (G * J)); };
                    sides.clause("park:65/pull-back");
                    sides.add_by_unit(x.model, x.witness_mass_matrix(), pulled_back(m.D));
                    sides.rival("inertias of the links' own frames under screws of the base", [&](auto& wrong) {
                      MatrixX<S> G = MatrixX<S>::Zero(m.D.rows(), m.D.cols());
                      for (int i = 1; i <= x.bodies(); ++i) {
                        const int row = 6 * last_coordinate(x, i);
                        G.template block<6, 6>(row, row) = x.model.body(i).I.matrix();
                      }
                      wrong.add_by_unit(x.model, x.witness_mass_matrix(), pulled_back(G));
                    });

                    // J is the Jacobian of f up to the constant factors of (34): that of each link, coordinate by
                    // coordinate, from the poses of its frame along lines.
                    sides.clause("park:65/jacobian");
                    for (const int i : weighty_bodies(x)) {
                      const int last = last_coordinate(x, i);
                      std::vector<Twist<S>> moved, by_factors, seen_from_base;
                      for (int k = last; k >= 0; k = p.carrier[k]) {
                        SE3<Series<S>> f;
                        for (int c = last; c >= 0; c = p.carrier[c]) {
                          Series<S> at(S(p.x(c)));
                          if (c == k) at += time_series<S>();
                          f = exp(constant(p.A[c]), at) * f;
                        }
                        const Matrix4<S> back = inverted(derivative(f, 0)), rate = derivative(f, 1);
                        moved.push_back(vee(Matrix4<S>(back * rate)));
                        seen_from_base.push_back(vee(Matrix4<S>(rate * back)));
                        by_factors.push_back(to_twist(J.col(k).template segment<6>(6 * last)));
                      }
                      sides.add(moved, by_factors);
                      sides.rival("the motion seen from the base",
                                  [&](auto& wrong) { wrong.add(seen_from_base, by_factors); });
                    }
                  },
              .applies = has_few_coordinates});
  r.identity(
      {.name = "jacobians_of_links_in_three_frames_and_their_rates_follow_the_motion",
       .keys = {"park:65/jacobian"},
       .symbols = "ForwardKinematics::link_jacobian ForwardKinematics::link_jacobian_rate",
       .method = "series",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const auto& moving = x.along_motion();
             for (const JacobianFrame frame : {JacobianFrame::link, JacobianFrame::world, JacobianFrame::mixed}) {
               std::vector<Twist<S>> V, J_qd, Vdot, rates, columns, columns_moved, of_next_frame, without_rate;
               const JacobianFrame next = frame == JacobianFrame::link    ? JacobianFrame::world
                                          : frame == JacobianFrame::world ? JacobianFrame::mixed
                                                                          : JacobianFrame::link;
               for (std::size_t l = 0; l < x.model.links().size(); ++l) {
                 const LinkFrame<S>& link = x.model.links()[l];
                 if (link.body == 0) continue;
                 const MatrixX<S> J = x.kinematics.link_jacobian(link, frame);
                 const MatrixX<S> Jdot = x.kinematics.link_jacobian_rate(link, x.qd, frame);
                 const auto [twist, rate] = twist_and_rate(x, link, frame);
                 V.push_back(twist), J_qd.push_back(to_twist(J * x.qd));
                 of_next_frame.push_back(to_twist(x.kinematics.link_jacobian(link, next) * x.qd));
                 without_rate.push_back(to_twist(J * x.qdd));
                 Vdot.push_back(rate), rates.push_back(to_twist(J * x.qdd + Jdot * x.qd));
                 const auto J_moving = moving.link_jacobian(x.series_model().links()[l], frame);
                 for (int k = 0; k < x.model.nv(); ++k) {
                   const auto column = to_twist(J_moving.col(k));
                   columns.push_back(to_twist(J.col(k))), columns_moved.push_back(derivative(column, 0));
                   columns.push_back(to_twist(Jdot.col(k))), columns_moved.push_back(derivative(column, 1));
                 }
               }
               if (V.empty()) continue;
               sides.add(V, J_qd);
               sides.rival("in another of the three frames", [&](auto& wrong) { wrong.add(V, of_next_frame); });
               sides.add(Vdot, rates);
               sides.rival("without the rate of the Jacobian", [&](auto& wrong) { wrong.add(Vdot, without_rate); });
               sides.add(columns, columns_moved);
             }
           },
       .applies = is_small});
}

template <typename S>
void curvature(Registry<S>& r)
{
  r.identity(
      {.name = "curvature_is_what_the_space_of_points_makes_of_the_bending_of_motions",
       .keys = {"park:66/tensor"},
       .symbols = "Curvature Curvature::sectional InertiaMetric::dchristoffel InertiaMetric::christoffel",
       .method = "independent formulation (Gauss); 50 index tuples drawn above n = 3",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const ParkScrews<S> p = park_screws(x);
             InertiaMetric<S> metric(x.model);
             metric(x.q);
             const Curvature<S> R(metric);
             FlatPicture<S> points(x.inputs.mechanism, x.q);
             const MatrixX<S> M = x.as_input(points.M());
             const MatrixX<S> M_inverse = definite_solution(M, MatrixX<S>(MatrixX<S>::Identity(p.n, p.n)));
             Indexed<S> numbers(x.model, M), other_sign(numbers), derivatives_alone(numbers);
             for (const Indices& t : tuples(x, p, 4, 3)) {
               const int i = t[0], j = t[1], k = t[2], l = t[3];
               const S own = R(i, j, k, l), seen = points.R(i, j, k, l, M_inverse);
               const S derivatives = metric.dchristoffel(j, l, i, k) - metric.dchristoffel(j, k, i, l);
               numbers.add(t, own, seen);
               other_sign.add(t, S(2) * derivatives - own, seen);
               derivatives_alone.add(t, derivatives, seen);
             }
             numbers.into(sides);
             sides.rival("the products of symbols with the other sign", [&](auto& wrong) { other_sign.into(wrong); });
             sides.rival("the derivatives of the symbols alone", [&](auto& wrong) { derivatives_alone.into(wrong); });
             if (p.n < 2 || p.n > 4) return;  // a plane, in O(n^4)
             VectorX<S> u(p.n), v(p.n);
             for (int k = 0; k < p.n; ++k) u(k) = x.number(k), v(k) = x.number(10 + k);
             const auto plane = points.plane(u, v, M_inverse);
             sides.add(R.sectional(u, v), S(plane.bending / plane.area), S(plane.terms / plane.area));
           },
       .applies = has_few_coordinates});
  r.identity({.name = "curvature_is_the_commutator_of_covariant_derivatives_with_its_symmetries",
              .keys = {"park:66/tensor", "park:66/raised"},
              .symbols = "Curvature Curvature::christoffel InertiaMetric::dchristoffel InertiaMetric::dm",
              .method = "cross-check; 8 index tuples drawn above n = 2",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const int n = p.n;
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    const Curvature<S> R(metric);
                    const MatrixX<S> M = metric.M();
                    Indexed<S> raised(x.model, M), commutator(raised), symmetries(raised);
                    Indexed<S> not_raised(raised), other_order(raised), exchanged_indices(raised);
                    std::vector<Indices> all = tuples(x, p, 4, 2);
                    if (n > 2) all.resize(8);
                    for (const Indices& t : all) {
                      const int i = t[0], j = t[1], k = t[2], l = t[3];
                      const S lowered = metric.christoffel(j, k, i);
                      raised.add({j, k, i}, (M.row(i) * R.christoffel(j, k)).value(), lowered);
                      not_raised.add({j, k, i}, R.christoffel(j, k)(i), lowered);

                      // m_ih R^h_jkl with R^h_jkl = d_k G^h_lj - d_l G^h_kj + G^h_kr G^r_lj - G^h_lr G^r_kj, where
                      // m_ih d_k G^h_lj = d_k G_lji - (d_k m_ih) G^h_lj.
                      const auto moved = [&](int k, int l) {
                        S sum = metric.dchristoffel(l, j, i, k);
                        for (int h = 0; h < n; ++h) sum -= metric.dm(i, h, k) * R.christoffel(l, j)(h);
                        for (int r = 0; r < n; ++r) sum += metric.christoffel(k, r, i) * R.christoffel(l, j)(r);
                        return sum;
                      };
                      const S own = R(i, j, k, l);
                      commutator.add(t, own, moved(k, l) - moved(l, k));
                      other_order.add(t, own, moved(l, k) - moved(k, l));
                      symmetries.add(t, own, -R(j, i, k, l));
                      symmetries.add(t, own, -R(i, j, l, k));
                      symmetries.add(t, own, R(k, l, i, j));
                      symmetries.add(t, own, -R(i, k, l, j) - R(i, l, j, k));  // Bianchi
                      exchanged_indices.add(t, own, R(i, l, k, j));
                    }
                    sides.clause("park:66/raised");
                    raised.into(sides);
                    sides.rival("the last index not raised", [&](auto& wrong) { not_raised.into(wrong); });
                    sides.clause("park:66/tensor");
                    commutator.into(sides), symmetries.into(sides);
                    sides.rival("the derivatives in the other order", [&](auto& wrong) { other_order.into(wrong); });
                    sides.rival("the second and the last index exchanged",
                                [&](auto& wrong) { exchanged_indices.into(wrong); });
                  },
              .applies = has_few_coordinates});
}

}  // namespace

template <typename S>
void lagrange_park_curvature(Registry<S>& r)
{
  pull_back(r);
  curvature(r);
}

template void lagrange_park_curvature(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
