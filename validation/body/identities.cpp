/** \file
 *  \brief Proofs of chapter body: Kim 2012, sections 1.3 and 1.5; Park 1995, the appendix.
 */
#include <articulate/body/solids.hpp>
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>
#include <witnesses/mass_points.hpp>

namespace articulate::validation {
namespace {

template <typename S>
using Cloud = std::vector<MassPoint<S>>;

/// The points of all links of a body, in the body frame.
template <typename S>
Cloud<S> cloud_of_body(const Specimen<S>& x, int body)
{
  Cloud<S> cloud;
  for (const auto& frame : x.model.links()) {
    if (frame.body != body) continue;
    for (const auto& point : witness::mass_points<S>(x.inputs.mechanism.links[x.mechanism_index(frame.name)]))
      cloud.push_back({point.mass, frame.X * Vector3<S>{point.position[0], point.position[1], point.position[2]}});
  }
  return cloud;
}

/// The size of the terms that a sum over a cloud adds: signed weights cancel, so the sum may be smaller.
template <typename S>
S weight_of(const Cloud<S>& cloud)
{
  S sum(0);
  for (const auto& point : cloud) sum += magnitude(point.mass) * (S(1) + inner(point.r, point.r));
  return sum;
}

template <typename S>
S largest(const Vector3<S>& x)
{
  return magnitude(x[0]) + magnitude(x[1]) + magnitude(x[2]);
}

template <typename S>
void energies(Registry<S>& r)
{
  r.identity({.name = "the_energy_of_a_body_is_the_sum_over_its_particles",
              .keys = {"kim:14", "kim:15", "kim:16", "kim:17", "kim:18", "kim:19"},
              .symbols = "kinetic_energy Inertia::operator*",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Cloud<S> cloud = cloud_of_body(x, i);
                  const SE3<Series<S>>& T = x.along_motion().pose[i];
                  const Matrix4<S> Tdot = derivative(T, 1);
                  const Eigen::Matrix<S, 3, 1> pdot = Tdot.template topRightCorner<3, 1>();
                  const Eigen::Matrix<S, 3, 3> Rdot = Tdot.template topLeftCorner<3, 3>();
                  const Eigen::Matrix<S, 3, 3> R = x.kinematics.pose[i].R.matrix.eigen();
                  const Eigen::Matrix<S, 3, 1> w = x.kinematics.V[i].w.eigen(), v = x.kinematics.V[i].v.eigen();
                  S e14(0), e16(0), mass(0), size(0);
                  Eigen::Matrix<S, 3, 3> first = Eigen::Matrix<S, 3, 3>::Zero(), second = first;
                  for (const auto& point : cloud) {
                    const Vector3<S> velocity = derivative(T * constant(point.r), 1);
                    const Eigen::Matrix<S, 3, 1> turned = Rdot * point.r.eigen();
                    const Eigen::Matrix<S, 3, 3> skewed = skew(point.r).eigen();
                    e14 += point.mass * inner(velocity, velocity) / S(2);
                    e16 += point.mass * (pdot.dot(pdot) + S(2) * pdot.dot(turned) + turned.dot(turned)) / S(2);
                    mass += point.mass;
                    first += point.mass * skewed;
                    second += point.mass * skewed.transpose() * skewed;
                    size += magnitude(point.mass) * (pdot.dot(pdot) + turned.dot(turned));
                  }
                  const S e17 = (mass * pdot.dot(pdot) - S(2) * pdot.dot(R * first * w) + w.dot(second * w)) / S(2);
                  const S e18 = (mass * v.dot(v) - S(2) * v.dot(first * w) + w.dot(second * w)) / S(2);
                  const S energy = kinetic_energy(x.model.body(i).I, x.kinematics.V[i]);
                  for (const S& e : {e14, e16, e17, e18}) sides.add(energy, e, size);
                }
              }});
  r.identity({.name = "the_inertia_of_a_body_is_the_integral_over_its_particles",
              .keys = {"kim:20", "kim:22", "park:21"},
              .symbols = "Inertia::about_center_of_mass Inertia::of_cloud Inertia::matrix Model::inertia",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Cloud<S> cloud = cloud_of_body(x, i);
                  Matrix6<S> integral = Matrix6<S>::Zero();
                  for (const auto& point : cloud) {
                    Eigen::Matrix<S, 3, 6> J;  // velocity of the point = J V
                    J << skew(-point.r).eigen(), Eigen::Matrix<S, 3, 3>::Identity();
                    integral += point.mass * J.transpose() * J;
                  }
                  const S size = weight_of(cloud);
                  sides.add(x.model.body(i).I.matrix(), integral, size);
                  sides.add(Inertia<S>::of_cloud(cloud).matrix(), integral, size);
                }
              }});
  r.identity({.name = "simple_solids_have_the_inertia_that_integration_gives",
              .keys = {"kim:20"},
              .symbols = "solid_box solid_ellipsoid solid_cylinder thin_rod",
              .method = "quadrature",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                using std::sqrt;
                const S mass = S(2) + x.number(0), a = S(2) + x.number(1), b = S(2) + x.number(2),
                        c = S(2) + x.number(3);
                // Gauss's rules of two and three points and four points on a circle integrate these polynomials exactly.
                const S g2 = S(1) / S(sqrt(S(3))), g3 = sqrt(S(3) / S(5));
                const S node2[] = {-g2, g2}, node3[] = {-g3, S(0), g3}, weight3[] = {S(5), S(8), S(5)};
                const int circle[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
                Cloud<S> box, ball, tube, rod;
                for (const S& u : node2) {
                  rod.push_back({mass / S(2), {S(0), S(0), c / S(2) * u}});
                  for (const S& v : node2) {
                    for (const S& w : node2) box.push_back({mass / S(8), {a / S(2) * u, b / S(2) * v, c / S(2) * w}});
                    const S rho = (S(1) + u) / S(2);  // radius of the tube, weight rho
                    for (const auto& e : circle)
                      tube.push_back({mass / S(8) * rho, {a * rho * S(e[0]), a * rho * S(e[1]), b / S(2) * v}});
                  }
                  for (int k = 0; k < 3; ++k) {
                    const S rho = (S(1) + node3[k]) / S(2), across = rho * sqrt(S(1) - u * u);
                    for (const auto& e : circle)  // 3 rho^2 d(rho), half d(cos), a quarter of the circle
                      ball.push_back({mass * S(3) * rho * rho * weight3[k] / S(18) / S(8),
                                      {a * across * S(e[0]), b * across * S(e[1]), c * rho * u}});
                  }
                }
                sides.add(solid_box(mass, a, b, c).matrix(), Inertia<S>::of_cloud(box).matrix());
                sides.add(solid_ellipsoid(mass, a, b, c).matrix(), Inertia<S>::of_cloud(ball).matrix());
                sides.add(solid_cylinder(mass, a, b).matrix(), Inertia<S>::of_cloud(tube).matrix());
                sides.add(thin_rod(mass, c).matrix(), Inertia<S>::of_cloud(rod).matrix());
              }});
}

template <typename S>
void transformations(Registry<S>& r)
{
  r.identity({.name = "the_inertia_in_another_frame_is_that_of_the_same_particles",
              .keys = {"kim:21"},
              .symbols = "coAd(SE3,Inertia) coAdInv(SE3,Inertia) turned skew_products",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> Tab = x.pose(0);
                for (int i = 1; i <= x.bodies(); ++i) {
                  Cloud<S> cloud = cloud_of_body(x, i);
                  for (auto& point : cloud) point.r = inverse(Tab) * point.r;
                  const Inertia<S>& Ia = x.model.body(i).I;
                  const Matrix6<S> congruence = Ad_matrix(Tab).transpose() * Ia.matrix() * Ad_matrix(Tab);
                  const S size = weight_of(cloud);
                  sides.add(coAd(Tab, Ia).matrix(), Inertia<S>::of_cloud(cloud).matrix(), size);
                  sides.add(coAd(Tab, Ia).matrix(), congruence, size);
                  sides.add(coAdInv(inverse(Tab), Ia).matrix(), congruence, size);
                }
              }});
  r.identity({.name = "momentum_is_the_sum_over_the_particles_in_every_frame",
              .keys = {"kim:23", "kim:24"},
              .symbols = "Inertia::operator* coAd",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> Tab = x.pose(0);
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Twist<S> V = x.kinematics.V[i];
                  Wrench<S> sum;
                  for (const auto& point : cloud_of_body(x, i))
                    sum += wrench_of_force(point.r, point.mass * (V.v + cross(V.w, point.r)));
                  const Inertia<S>& Ia = x.model.body(i).I;
                  const S size = weight_of(cloud_of_body(x, i)) * (largest(V.w) + largest(V.v));
                  const S lever = S(1) + largest(Tab.p);
                  sides.add((Ia * V).m, sum.m, size);
                  sides.add((Ia * V).f, sum.f, size);
                  const Wrench<S> Lb = coAd(Tab, Ia) * AdInv(Tab, V), moved = coAd(Tab, Ia * V);
                  sides.add(Lb.m, moved.m, lever * lever * size);
                  sides.add(Lb.f, moved.f, lever * lever * size);
                }
              }});
}

template <typename S>
void newton_and_euler(Registry<S>& r)
{
  r.identity({.name = "force_is_the_rate_of_momentum",
              .keys = {"kim:30", "kim:31"},
              .symbols = "newton_euler coad",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Inertia<S>& I = x.model.body(i).I;
                  const Wrench<Series<S>> L =
                      coAdInv(x.along_motion().pose[i], x.series_model().body(i).I * x.along_motion().V[i]);
                  // Seen from the world's origin the same rate is larger, and that is what is rounded.
                  const Wrench<S> at_rest = derivative(L, 1), rate = coAd(x.kinematics.pose[i], at_rest);
                  const Wrench<S> F = articulate::newton_euler(I, x.motion.V[i], x.motion.Vdot[i]);
                  sides.add(F.m, rate.m, largest(at_rest.m));
                  sides.add(F.f, rate.f, largest(at_rest.f));
                }
              }});
  r.identity({.name = "newton_euler_is_newtons_law_for_every_particle",
              .keys = {"kim:31"},
              .symbols = "newton_euler",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const SE3<Series<S>>& T = x.along_motion().pose[i];
                  const SO3<S> Rt = inverse(x.kinematics.pose[i].R);
                  Vector3<S> moment, force;
                  S size(0);
                  for (const auto& point : cloud_of_body(x, i)) {
                    const Vector3<S> acceleration = Rt * derivative(T * constant(point.r), 2);
                    force += point.mass * acceleration;
                    moment += cross(point.r, point.mass * acceleration);
                    size += magnitude(point.mass) * (S(1) + largest(point.r)) * largest(acceleration);
                  }
                  const Wrench<S> F = articulate::newton_euler(x.model.body(i).I, x.motion.V[i], x.motion.Vdot[i]);
                  sides.add(F.m, moment, size);
                  sides.add(F.f, force, size);
                }
              }});
}

}  // namespace

template <typename S>
void body_identities(Registry<S>& r)
{
  energies(r);
  transformations(r);
  newton_and_euler(r);
}

template void body_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
