/** \file
 *  \brief Proofs of chapter body: Kim 2012, sections 1.3 and 1.5; Park 1995, \eq{park,21}.
 */
#include <utility>
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

/// Centre of mass, and the inertia about it in the axes of the points.
template <typename S>
struct MassSums {
  Vector3<S> center;
  Matrix3<S> central;

  /// \param mass  of all points: their own weights, some of them negative, add up to it only up to rounding
  MassSums(const Cloud<S>& cloud, const S& mass)
  {
    if (comparable(mass) > 0)
      for (const auto& point : cloud) center += point.mass / mass * point.r;
    for (const auto& point : cloud) {
      const Matrix3<S> arm = skew(point.r - center);
      central = central + point.mass * (transpose(arm) * arm);
    }
  }
};

/// The matrix of four blocks.
template <typename S>
Matrix6<S> of_blocks(const Matrix3<S>& a, const Matrix3<S>& b, const Matrix3<S>& c, const Matrix3<S>& d)
{
  Matrix6<S> all;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      all(i, j) = a(i, j), all(i, j + 3) = b(i, j);
      all(i + 3, j) = c(i, j), all(i + 3, j + 3) = d(i, j);
    }
  return all;
}

/// The inertia of a body as the sum of those of its links, each given about its own centre of mass in axes of its own.
template <typename S>
Matrix6<S> of_links(const Specimen<S>& x, int body, bool turned_back = false)
{
  Matrix6<S> sum = Matrix6<S>::Zero();
  for (const auto& frame : x.model.links()) {
    if (frame.body != body) continue;
    const Link& link = x.inputs.mechanism.links[x.mechanism_index(frame.name)];
    const auto& h = link.inertial_quaternion;
    const auto& c = link.center_of_mass;
    const auto& J = link.inertia;
    const SO3<S> axes(Quaternion<S>{{S(h[0]), S(h[1]), S(h[2])}, S(h[3])});
    const SE3<S> X = frame.X * SE3<S>{axes, {S(c[0]), S(c[1]), S(c[2])}};
    const Matrix3<S> R = turned_back ? transpose(X.R.matrix) : X.R.matrix, P = skew(X.p);
    const Matrix3<S> central{{S(J[0]), S(J[1]), S(J[2]), S(J[1]), S(J[3]), S(J[4]), S(J[2]), S(J[4]), S(J[5])}};
    const S m(link.mass);
    sum += of_blocks(R * central * transpose(R) + m * (transpose(P) * P), m * P, m * transpose(P),
                     m * Matrix3<S>::identity());
  }
  return sum;
}

template <typename S>
S half_square(const Matrix6<S>& I, const Vector6<S>& V)
{
  return inner_product(VectorX<S>(V), VectorX<S>(I * V)) / S(2);
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
                  S e14(0), squares(0), mixed(0), mass(0), size(0);
                  Eigen::Matrix<S, 3, 3> first = Eigen::Matrix<S, 3, 3>::Zero(), second = first;
                  for (const auto& point : cloud) {
                    const Vector3<S> velocity = derivative(T * constant(point.r), 1);
                    const Eigen::Matrix<S, 3, 1> turned = Rdot * point.r.eigen();
                    const Eigen::Matrix<S, 3, 3> skewed = skew(point.r).eigen();
                    e14 += point.mass * inner(velocity, velocity) / S(2);
                    squares += point.mass * (pdot.dot(pdot) + turned.dot(turned)) / S(2);
                    mixed += point.mass * pdot.dot(turned);
                    mass += point.mass;
                    first += point.mass * skewed;
                    second += point.mass * skewed.transpose() * skewed;
                    size += magnitude(point.mass) * (pdot.dot(pdot) + turned.dot(turned));
                  }
                  const Inertia<S>& I = x.model.body(i).I;
                  const Vector6<S> V = coordinates(x.kinematics.V[i]);
                  const S energy = kinetic_energy(I, x.kinematics.V[i]), square = half_square(I.matrix(), V);
                  sides.clause("kim:14");
                  sides.add(energy, e14, size);
                  const MassSums<S> sums(cloud, I.mass);
                  sides.rival("all particles move as the centre of mass does", [&](auto& wrong) {
                    const Vector3<S> velocity = derivative(T * constant(sums.center), 1);
                    wrong.add(mass * inner(velocity, velocity) / S(2), e14, size);
                  });
                  sides.clause("kim:15");
                  sides.add(square, e14, size);
                  sides.rival("the linear velocity is left in the axes of the world", [&](auto& wrong) {
                    Vector6<S> V_mixed;
                    V_mixed << w, pdot;
                    wrong.add(half_square(I.matrix(), V_mixed), e14, size);
                  });
                  sides.clause("kim:16");
                  sides.add(energy, S(squares + mixed), size);
                  sides.rival("the mixed product is counted once",
                              [&](auto& wrong) { wrong.add(energy, squares + mixed / S(2), size); });
                  const S e17 = (mass * pdot.dot(pdot) - S(2) * pdot.dot(R * first * w) + w.dot(second * w)) / S(2);
                  sides.clause("kim:17");
                  sides.add(energy, e17, size);
                  sides.rival("R is left out of the mixed term", [&](auto& wrong) {
                    wrong.add(energy, (mass * pdot.dot(pdot) - 2 * pdot.dot(first * w) + w.dot(second * w)) / 2, size);
                  });
                  const S e18 = (mass * v.dot(v) - S(2) * v.dot(first * w) + w.dot(second * w)) / S(2);
                  sides.clause("kim:18");
                  sides.add(energy, e18, size);
                  sides.rival("the mixed term is added", [&](auto& wrong) {
                    wrong.add(energy, (mass * v.dot(v) + 2 * v.dot(first * w) + w.dot(second * w)) / 2, size);
                  });
                  sides.clause("kim:19");
                  sides.add(e18, square, size);
                  sides.rival("[r] and its transpose change places in the matrix", [&](auto& wrong) {
                    Matrix6<S> swapped = I.matrix();
                    for (int k = 0; k < 3; ++k)
                      for (int l = 0; l < 3; ++l) std::swap(swapped(k, l + 3), swapped(k + 3, l));
                    wrong.add(e18, half_square(swapped, V), size);
                  });
                }
              }});
  r.identity({.name = "the_inertia_of_a_body_is_the_integral_over_its_particles",
              .keys = {"kim:20", "kim:22", "park:21"},
              .symbols = "Inertia::about_center_of_mass Inertia::of_cloud Inertia::matrix Model::inertia",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Cloud<S> cloud = cloud_of_body(x, i);
                  const Matrix6<S> I = x.model.body(i).I.matrix();
                  const S size = weight_of(cloud);
                  Matrix6<S> integral = Matrix6<S>::Zero();  // twice the energy, as a form in V
                  Matrix3<S> square, first;
                  for (const auto& point : cloud) {
                    Eigen::Matrix<S, 3, 6> J;  // velocity of the point = J V
                    J << skew(-point.r).eigen(), Eigen::Matrix<S, 3, 3>::Identity();
                    integral += point.mass * J.transpose() * J;
                    square = square + point.mass * (transpose(skew(point.r)) * skew(point.r));
                    first = first + point.mass * skew(point.r);
                  }
                  const S mass = x.model.body(i).I.mass;
                  const MassSums<S> sums(cloud, mass);
                  const Matrix3<S> one = mass * Matrix3<S>::identity();
                  sides.clause("kim:20");
                  sides.add(I, integral, size);
                  sides.add(Inertia<S>::of_cloud(cloud).matrix(), integral, size);
                  sides.add(of_blocks(square, first, transpose(first), one), integral, size);
                  sides.rival("[r] and its transpose change places", [&](auto& wrong) {
                    wrong.add(of_blocks(square, transpose(first), first, one), integral, size);
                  });

                  sides.clause("kim:22");
                  sides.add(I, of_links(x, i), size);
                  sides.rival("the central inertia is turned the other way",
                              [&](auto& wrong) { wrong.add(of_links(x, i, true), integral, size); });

                  const Matrix3<S> P = skew(sums.center);
                  const Matrix3<S> steiner = mass * (P * P), moment = mass * P;
                  sides.clause("park:21");
                  sides.add(of_blocks(sums.central - steiner, moment, -moment, one), integral, size);
                  sides.rival("the square of [r] is added", [&](auto& wrong) {
                    wrong.add(of_blocks(sums.central + steiner, moment, -moment, one), integral, size);
                  });
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
                sides.rival("half the sides are taken for the sides", [&](auto& wrong) {
                  wrong.add(solid_box(mass, a / 2, b / 2, c / 2).matrix(), Inertia<S>::of_cloud(box).matrix());
                });
              }});
}

template <typename S>
void transformations(Registry<S>& r)
{
  r.identity({.name = "the_inertia_in_another_frame_is_that_of_the_same_particles",
              .keys = {"kim:21"},
              .symbols = "coAd coAdInv turned skew_products",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> Tab = x.pose(0);
                for (int i = 1; i <= x.bodies(); ++i) {
                  Cloud<S> cloud = cloud_of_body(x, i);
                  for (auto& point : cloud) point.r = inverse(Tab) * point.r;
                  const Inertia<S>& Ia = x.model.body(i).I;
                  const Matrix6<S> congruence = Ad_matrix(Tab).transpose() * Ia.matrix() * Ad_matrix(Tab);
                  const S size = weight_of(cloud);
                  const Matrix6<S> Ib = Inertia<S>::of_cloud(cloud).matrix();
                  sides.add(congruence, Ib, size);
                  sides.add(coAd(Tab, Ia).matrix(), Ib, size);
                  sides.add(coAd(Tab, Ia).matrix(), congruence, size);
                  sides.add(coAdInv(inverse(Tab), Ia).matrix(), congruence, size);
                  sides.rival("the pose of the frames is taken the other way", [&](auto& wrong) {
                    const Matrix6<S> A = Ad_matrix(inverse(Tab));
                    wrong.add(A.transpose() * Ia.matrix() * A, Ib, size);
                  });
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
                  Wrench<S> sum, moved;  // the momenta of the particles, in the frames {A} and {B}
                  const Cloud<S> cloud = cloud_of_body(x, i);
                  for (const auto& point : cloud) {
                    const Vector3<S> momentum = point.mass * (V.v + cross(V.w, point.r));
                    sum += wrench_of_force(point.r, momentum);
                    moved += wrench_of_force(inverse(Tab) * point.r, inverse(Tab.R) * momentum);
                  }
                  const Inertia<S>& Ia = x.model.body(i).I;
                  const S size = weight_of(cloud) * (largest(V.w) + largest(V.v));
                  sides.clause("kim:23");
                  sides.add((Ia * V).m, sum.m, size);
                  sides.add((Ia * V).f, sum.f, size);
                  sides.rival("the moment is taken about the centre of mass", [&](auto& wrong) {
                    const Vector3<S> center = MassSums<S>(cloud, Ia.mass).center;
                    wrong.add(sum.m - cross(center, sum.f), (Ia * V).m, size);
                  });
                  const S lever = S(1) + largest(Tab.p), size_b = lever * lever * size;
                  const Wrench<S> Lb = coAd(Tab, Ia) * AdInv(Tab, V), carried = coAd(Tab, Ia * V);
                  sides.clause("kim:24");
                  for (const Wrench<S>& L : {Lb, carried}) {
                    sides.add(L.m, moved.m, size_b);
                    sides.add(L.f, moved.f, size_b);
                  }
                  sides.rival("the momentum is carried the way that a twist goes",
                              [&](auto& wrong) { wrong.add(coAdInv(Tab, Ia * V).m, moved.m, size_b); });
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
                  const Twist<S> V = x.motion.V[i], Vdot = x.motion.Vdot[i];
                  const Wrench<S> F = articulate::newton_euler(I, V, Vdot);
                  sides.clause("kim:30");
                  sides.add(F.m, rate.m, largest(at_rest.m));
                  sides.add(F.f, rate.f, largest(at_rest.f));
                  sides.rival("the components in the moving frame are differentiated alone",
                              [&](auto& wrong) { wrong.add((I * Vdot).f, rate.f, largest(at_rest.f)); });
                  const Vector6<S> inertial = I.matrix() * coordinates(Vdot);
                  const Vector6<S> gyroscopic = ad_matrix(V).transpose() * I.matrix() * coordinates(V);
                  const Wrench<S> written = to_wrench(inertial - gyroscopic);
                  sides.clause("kim:31");
                  sides.add(written.m, rate.m, largest(at_rest.m));
                  sides.add(written.f, rate.f, largest(at_rest.f));
                  // In another frame on the body the same law holds, of terms that may cancel.
                  const SE3<S> Tab = x.pose(0);
                  const Twist<S> V_there = AdInv(Tab, V);
                  const Matrix6<S> I_there = coAd(Tab, I).matrix(), ad_there = ad_matrix(V_there).transpose();
                  const Vector6<S> v = coordinates(V_there), vdot = coordinates(AdInv(Tab, Vdot));
                  const Wrench<S> law = to_wrench(Vector6<S>(I_there * vdot - ad_there * I_there * v));
                  const Matrix6<S> I_size = I_there.cwiseAbs();
                  const Wrench<S> terms =
                      to_wrench(Vector6<S>(I_size * vdot.cwiseAbs() + ad_there.cwiseAbs() * I_size * v.cwiseAbs()));
                  const Wrench<S> there = coAd(Tab, rate);
                  sides.add(law.m, there.m, largest(at_rest.m) + largest(at_rest.f) + largest(terms.m));
                  sides.add(law.f, there.f, largest(at_rest.f) + largest(terms.f));
                  sides.rival("the dual bracket is added", [&](auto& wrong) {
                    wrong.add(to_wrench(inertial + gyroscopic).f, rate.f, largest(at_rest.f));
                  });
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
                  const Twist<S> V = x.motion.V[i], Vdot = x.motion.Vdot[i];
                  const Inertia<S>& I = x.model.body(i).I;
                  const Wrench<S> F = articulate::newton_euler(I, V, Vdot);
                  sides.add(F.m, moment, size);
                  sides.add(F.f, force, size);
                  sides.rival("the dual bracket is added",
                              [&](auto& wrong) { wrong.add((I * Vdot + coad(V, I * V)).f, force, size); });
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
