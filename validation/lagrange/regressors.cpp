/** \file
 *  \brief Proofs of chapter lagrange: regressors of bodies, of energies and at rest, \eq{ours,46} to \eq{ours,49}.
 *
 *  The second sides are those of mass points that are carried by links in motion: a point has a mass and a place, and
 *  Newton's second law says what force it needs.
 */
#include <articulate/lagrange/regressor.hpp>
#include <articulate/model/space_motion.hpp>
#include <ledger/registry.hpp>
#include <witnesses/mass_points.hpp>

namespace articulate::validation {
namespace {

template <typename S>
using Three = Eigen::Matrix<S, 3, 1>;

template <typename S>
Three<S> product_of(const Three<S>& a, const Three<S>& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <typename S>
S scalar_product(const Three<S>& a, const Three<S>& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A mass in motion, in world axes.
template <typename S>
struct MovingPoint {
  S mass;
  Three<S> place, velocity, acceleration;
};

/// The mass points of all links that are fixed to a body, as vector mechanics moves them.
template <typename S>
std::vector<MovingPoint<S>> points_of_body(const Specimen<S>& x, int body)
{
  std::vector<MovingPoint<S>> points;
  for (const LinkFrame<S>& frame : x.model.links()) {
    if (frame.body != body) continue;
    const int l = x.mechanism_index(frame.name);
    const auto& link = x.newton_euler().links[l];
    for (const witness::PointMass<S>& point : witness::mass_points<S>(x.inputs.mechanism.links[l])) {
      const Three<S> arm = link.rotation * Three<S>(point.position[0], point.position[1], point.position[2]);
      const Three<S> turning = product_of<S>(link.angular_velocity, arm);
      points.push_back({point.mass, link.position + arm, link.velocity + turning,
                        link.acceleration + product_of<S>(link.angular_acceleration, arm) +
                            product_of<S>(link.angular_velocity, turning)});
    }
  }
  return points;
}

/// The ten numbers of points about the origin and along the axes of a frame: its pose is a homogeneous matrix.
template <typename S>
VectorX<S> ten_numbers(const std::vector<MovingPoint<S>>& points, const Matrix4<S>& pose)
{
  VectorX<S> pi = VectorX<S>::Zero(10);
  for (const MovingPoint<S>& point : points) {
    const Three<S> from = point.place - pose.template block<3, 1>(0, 3);
    const Three<S> r = pose.template topLeftCorner<3, 3>().transpose() * from;
    const S square = scalar_product(r, r);
    pi(0) += point.mass;
    int p = 4;
    for (int i = 0; i < 3; ++i) {
      pi(1 + i) += point.mass * r[i];
      for (int j = i; j < 3; ++j) pi(p++) += point.mass * (i == j ? S(square - r[i] * r[i]) : S(-r[i] * r[j]));
    }
  }
  return pi;
}

/// The wrench that points need for their motion, about the origin and along the axes of a frame.
template <typename S>
Vector6<S> wrench_on(const std::vector<MovingPoint<S>>& points, const Matrix4<S>& pose, const Three<S>& gravity)
{
  Three<S> moment = Three<S>::Zero(), force = Three<S>::Zero();
  for (const MovingPoint<S>& point : points) {
    const Three<S> from = point.place - pose.template block<3, 1>(0, 3);
    const Three<S> f = point.mass * (point.acceleration - gravity);
    force += f, moment += product_of(from, f);
  }
  const Eigen::Matrix<S, 3, 3> back = pose.template topLeftCorner<3, 3>().transpose();
  Vector6<S> F;
  F << Three<S>(back * moment), Three<S>(back * force);
  return F;
}

/// The first link of a body, in whose frame its parameters are given.
template <typename S>
const LinkFrame<S>& first_link(const Model<S>& model, int body)
{
  std::size_t l = 0;
  while (model.links()[l].body != body) ++l;
  return model.links()[l];
}

/// The inertia matrix of which one of the ten numbers is 1: mass, moment of mass, moments xx, xy, xz, yy, yz, zz.
template <typename S>
Matrix6<S> inertia_of_unit(int p)
{
  Matrix6<S> E = Matrix6<S>::Zero();
  if (p == 0) {
    for (const int k : {3, 4, 5}) E(k, k) = S(1);
  } else if (p < 4) {
    const int j = p % 3, k = (p + 1) % 3;  // [e_i], i = p - 1, has 1 at (k, j)
    E(k, 3 + j) = E(3 + j, k) = S(1);
    E(j, 3 + k) = E(3 + k, j) = S(-1);
  } else {
    constexpr int row[] = {0, 0, 0, 1, 1, 2}, column[] = {0, 1, 2, 1, 2, 2};
    E(row[p - 4], column[p - 4]) = E(column[p - 4], row[p - 4]) = S(1);
  }
  return E;
}

template <typename S>
void body_regressors(Registry<S>& r)
{
  r.identity({.name = "the_wrench_of_a_body_is_its_regressor_times_the_ten_numbers_of_its_points",
              .keys = {"ours:46/wrench", "ours:46/columns"},
              .symbols = "body_regressor link_regressor Inertia::basis",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Wrench<S>> found, needed, weightless, about_another_point, columns, by_matrix,
                    signed_bracket;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const LinkFrame<S> frame = frame_on(first_link(x.model, i), x.pose((9 * i) % 120));
                  const auto points = points_of_body(x, i);
                  const auto& link = x.newton_euler().links[x.mechanism_index(frame.name)];
                  Matrix4<S> pose = Matrix4<S>::Identity();
                  pose.template topLeftCorner<3, 3>() = link.rotation;
                  pose.template block<3, 1>(0, 3) = link.position;
                  const Matrix4<S> drawn = pose * matrix(x.pose((9 * i) % 120));
                  const VectorX<S> pi = ten_numbers(points, drawn), others = ten_numbers(points, pose);
                  const Eigen::Matrix<S, 6, 10> Y = link_regressor<S>(x.inverse, frame);
                  found.push_back(to_wrench(Vector6<S>(Y * pi)));
                  needed.push_back(to_wrench(wrench_on<S>(points, drawn, x.gravity.eigen())));
                  weightless.push_back(to_wrench(Vector6<S>(link_regressor<S>(x.motion, frame) * pi)));
                  about_another_point.push_back(to_wrench(Vector6<S>(Y * others)));
                  const Twist<S> V = AdInv(frame.X, x.inverse.V[i]), Vdot = AdInv(frame.X, x.inverse.Vdot[i]);
                  const Matrix6<S> ad = ad_matrix(V);
                  for (int p = 0; p < 10; ++p) {
                    const Matrix6<S> E = inertia_of_unit<S>(p);
                    const Vector6<S> changed = E * coordinates(Vdot), turned = ad.transpose() * (E * coordinates(V));
                    columns.push_back(to_wrench(Vector6<S>(Y.col(p))));
                    by_matrix.push_back(to_wrench(Vector6<S>(changed - turned)));
                    signed_bracket.push_back(to_wrench(Vector6<S>(changed + turned)));
                  }
                }
                sides.clause("ours:46/columns");
                sides.add(columns, by_matrix);
                sides.rival("the bracket has the other sign", [&](auto& wrong) { wrong.add(columns, signed_bracket); });
                sides.clause("ours:46/wrench");
                sides.add(found, needed);
                sides.rival("it weighs nothing", [&](auto& wrong) { wrong.add(weightless, needed); });
                sides.rival("the ten numbers are about another point",
                            [&](auto& wrong) { wrong.add(about_another_point, needed); });
              }});
  r.identity({.name = "a_joint_feels_of_each_body_the_wrench_of_its_regressor",
              .keys = {"ours:49"},
              .symbols = "Regressor link_regressor",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // The power of the wrench of each body on the motion that a unit of each rate makes of it.
                MatrixX<S> Y = MatrixX<S>::Zero(x.model.nv(), 10 * x.bodies()), own = Y, terms = Y;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const LinkFrame<S>& link = first_link(x.model, i);
                  const MatrixX<S> J = x.kinematics.link_jacobian(link), F = link_regressor<S>(x.inverse, link);
                  Y.middleCols(10 * i - 10, 10) = MatrixX<S>(J.transpose() * F);
                  // A joint may feel nothing of a number: then the products of six pairs cancel.
                  terms.middleCols(10 * i - 10, 10) = MatrixX<S>(J.cwiseAbs().transpose() * F.cwiseAbs());
                  const Body<S>& body = x.model.body(i);
                  own.block(body.v, 10 * i - 10, body.nv, 10) =
                      MatrixX<S>(J.middleCols(body.v, body.nv).transpose() * F);
                }
                const VectorX<S> pi = inertial_parameters(x.model);
                Regressor<S> regressor(x.model);
                const MatrixX<S> felt = regressor(x.q, x.qd, x.qdd);
                // The witness without external wrenches.
                witness::VectorNewtonEuler<S> witness(x.inputs.mechanism, x.inputs.options.floating_base);
                const VectorX<S> tau = witness.inverse_dynamics(x.q, x.qd, x.qdd, x.gravity.eigen());
                sides.add_by_unit(x.model, VectorX<S>(Y * pi), tau);
                for (int p = 0; p < 10; ++p) {
                  VectorX<S> some = VectorX<S>::Zero(pi.size());
                  for (int i = 0; i < x.bodies(); ++i) some(10 * i + p) = x.number((13 * i + p) % 128);
                  sides.add_by_unit(x.model, VectorX<S>(felt * some), VectorX<S>(Y * some),
                                    VectorX<S>(terms * some.cwiseAbs()));
                }
                sides.rival("each joint feels its own body alone",
                            [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(own * pi), tau); });
              }});
}

template <typename S>
void regressors_of_energy(Registry<S>& r)
{
  r.identity({.name = "energies_and_the_moment_of_mass_of_points_are_linear_in_ten_numbers",
              .keys = {"ours:47/kinetic", "ours:47/potential", "ours:47/moment"},
              .symbols = "EnergyRegressor unit_inertias mass_moment",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                EnergyRegressor<S> Y(x.model);
                Y(x.q, x.qd);
                const VectorX<S> pi = inertial_parameters(x.model);
                S kinetic(0), potential(0), turning(0), height(0);
                Three<S> moment = Three<S>::Zero();
                const Three<S> g = x.gravity.eigen();
                for (int i = 1; i <= x.bodies(); ++i)
                  for (const MovingPoint<S>& point : points_of_body(x, i)) {
                    kinetic += point.mass * scalar_product<S>(point.velocity, point.velocity) / S(2);
                    potential -= point.mass * scalar_product<S>(g, point.place);
                    moment += point.mass * point.place;
                    turning += magnitude(S(point.mass * scalar_product<S>(point.velocity, point.velocity)));
                    for (int k = 0; k < 3; ++k) height += magnitude(S(point.mass * point.place[k]));
                  }
                const S weight = height * (magnitude(S(g[0])) + magnitude(S(g[1])) + magnitude(S(g[2])));
                sides.clause("ours:47/kinetic");
                sides.add(inner_product<S>(Y.kinetic(), pi), kinetic, turning);
                sides.rival("it is not halved", [&](auto& wrong) {
                  wrong.add(inner_product<S>(Y.kinetic(), pi), S(2) * kinetic, turning);
                });
                sides.clause("ours:47/potential");
                sides.add(inner_product<S>(Y.potential(x.gravity), pi), potential, weight);
                sides.rival("it grows downwards", [&](auto& wrong) {
                  wrong.add(inner_product<S>(Y.potential(-x.gravity), pi), potential, weight);
                });
                sides.clause("ours:47/moment");
                const VectorX<S> mc = Y.mass_moment_rows() * pi;
                sides.add(mc, moment, height);
                sides.rival("it is divided by the mass",
                            [&](auto& wrong) { wrong.add(VectorX<S>(mc / x.kinematics.mass()), moment, height); });
              }});
  r.identity({.name = "at_rest_joints_feel_masses_and_first_moments_alone",
              .keys = {"ours:48/forces", "ours:48/zeros"},
              .symbols = "Regressor::at_rest",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                Regressor<S> regressor(x.model);
                const MatrixX<S> moving = regressor(x.q, x.qd, x.qdd), Y = regressor.at_rest(x.q);
                const VectorX<S> pi = inertial_parameters(x.model), none = VectorX<S>::Zero(x.model.nv());
                witness::VectorNewtonEuler<S> witness(x.inputs.mechanism, x.inputs.options.floating_base);
                const VectorX<S> held = witness.inverse_dynamics(x.q, none, none, x.gravity.eigen());
                const VectorX<S> terms = Y.cwiseAbs() * pi.cwiseAbs();
                sides.clause("ours:48/forces");
                sides.add_by_unit(x.model, VectorX<S>(Y * pi), held, terms);
                sides.rival("the mechanism moves",
                            [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(moving * pi), held, terms); });
                sides.clause("ours:48/zeros");
                const auto add_zeros = [&](auto& some, const MatrixX<S>& of) {
                  for (int i = 0; i < x.bodies(); ++i) {
                    const MatrixX<S> of_turning = of.middleCols(10 * i + 4, 6);
                    some.add(of_turning, MatrixX<S>(MatrixX<S>::Zero(x.model.nv(), 6)));
                  }
                };
                add_zeros(sides, Y);
                sides.rival("the mechanism moves", [&](auto& wrong) { add_zeros(wrong, moving); });
              }});
}

}  // namespace

template <typename S>
void lagrange_regressors(Registry<S>& r)
{
  body_regressors(r);
  regressors_of_energy(r);
}

template void lagrange_regressors(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
