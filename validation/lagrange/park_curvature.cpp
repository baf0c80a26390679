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
              .keys = {"park:65"},
              .symbols = "ScrewSystem",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewMatrices<S> m(p);
                    const MatrixX<S> J = m.L * m.A;
                    sides.add_by_unit(x.model, MatrixX<S>(J.transpose() * (m.D * J)), x.witness_mass_matrix());

                    // J is the Jacobian of f up to the constant factors of (34): that of each link, coordinate by
                    // coordinate, from the poses of its frame along lines.
                    for (const int i : weighty_bodies(x)) {
                      const int last = last_coordinate(x, i);
                      std::vector<Twist<S>> moved, by_factors;
                      for (int k = last; k >= 0; k = p.carrier[k]) {
                        SE3<Series<S>> f;
                        for (int c = last; c >= 0; c = p.carrier[c]) {
                          Series<S> at(S(p.x(c)));
                          if (c == k) at += time_series<S>();
                          f = exp(constant(p.A[c]), at) * f;
                        }
                        moved.push_back(vee(Matrix4<S>(inverted(derivative(f, 0)) * derivative(f, 1))));
                        by_factors.push_back(to_twist(J.col(k).template segment<6>(6 * last)));
                      }
                      sides.add(moved, by_factors);
                    }
                  },
              .applies = has_few_coordinates});
  r.identity(
      {.name = "jacobians_of_links_in_three_frames_and_their_rates_follow_the_motion",
       .keys = {"park:65"},
       .symbols = "ForwardKinematics::link_jacobian ForwardKinematics::link_jacobian_rate",
       .method = "series",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const auto& moving = x.along_motion();
             for (const JacobianFrame frame : {JacobianFrame::link, JacobianFrame::world, JacobianFrame::mixed}) {
               std::vector<Twist<S>> V, J_qd, Vdot, rates, columns, columns_moved;
               for (std::size_t l = 0; l < x.model.links().size(); ++l) {
                 const LinkFrame<S>& link = x.model.links()[l];
                 if (link.body == 0) continue;
                 const MatrixX<S> J = x.kinematics.link_jacobian(link, frame);
                 const MatrixX<S> Jdot = x.kinematics.link_jacobian_rate(link, x.qd, frame);
                 const auto [twist, rate] = twist_and_rate(x, link, frame);
                 V.push_back(twist), J_qd.push_back(to_twist(J * x.qd));
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
               sides.add(Vdot, rates);
               sides.add(columns, columns_moved);
             }
           },
       .applies = is_small});
}

template <typename S>
void curvature(Registry<S>& r)
{
  r.identity({.name = "curvature_is_what_the_space_of_points_makes_of_the_bending_of_motions",
              .keys = {"park:66"},
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
                    Indexed<S> numbers(x.model, M);
                    for (const Indices& t : tuples(x, p, 4, 3))
                      numbers.add(t, R(t[0], t[1], t[2], t[3]), points.R(t[0], t[1], t[2], t[3], M_inverse));
                    numbers.into(sides);
                    if (p.n < 2 || p.n > 4) return;  // a plane, in O(n^4)
                    VectorX<S> u(p.n), v(p.n);
                    for (int k = 0; k < p.n; ++k) u(k) = x.number(k), v(k) = x.number(10 + k);
                    const auto plane = points.plane(u, v, M_inverse);
                    sides.add(R.sectional(u, v), S(plane.bending / plane.area), S(plane.terms / plane.area));
                  },
              .applies = has_few_coordinates});
  r.identity({.name = "curvature_is_the_commutator_of_covariant_derivatives_with_its_symmetries",
              .keys = {"park:66"},
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
                    Indexed<S> raised(x.model, M), commutator(x.model, M), symmetries(x.model, M);
                    std::vector<Indices> all = tuples(x, p, 4, 2);
                    if (n > 2) all.resize(8);
                    for (const Indices& t : all) {
                      const int i = t[0], j = t[1], k = t[2], l = t[3];
                      raised.add({j, k, i}, (M.row(i) * R.christoffel(j, k)).value(), metric.christoffel(j, k, i));

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
                      symmetries.add(t, own, -R(j, i, k, l));
                      symmetries.add(t, own, -R(i, j, l, k));
                      symmetries.add(t, own, R(k, l, i, j));
                      symmetries.add(t, own, -R(i, k, l, j) - R(i, l, j, k));  // Bianchi
                    }
                    for (const Indexed<S>& numbers : {raised, commutator, symmetries}) numbers.into(sides);
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
