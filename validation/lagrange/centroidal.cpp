/** \file
 *  \brief Proofs of chapter lagrange: the motion as a whole, \eq{ours,25} to \eq{ours,28}.
 *
 *  The other side is vector mechanics, link by link: where each centre of mass is, how it moves, how the link turns; and
 *  the derivatives along a motion.
 */
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <lagrange/moving_mass.hpp>
#include <ledger/calculus.hpp>
#include <ledger/long_robots.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

template <typename S>
CentroidalMomentum<S> whole_motion(const Specimen<S>& x)
{
  CentroidalMomentum<S> whole(x.model);
  whole(x.q, x.qd);
  return whole;
}

/// What the links of the witness make together in their last motion, about their centre of mass.
template <typename S>
struct SumOfLinks {
  using Column = Eigen::Matrix<S, 3, 1>;
  Column center, linear = Column::Zero(), angular = Column::Zero(), acceleration = Column::Zero();
  Eigen::Matrix<S, 3, 3> inertia = Eigen::Matrix<S, 3, 3>::Zero();
  S linear_terms{0}, angular_terms{0}, acceleration_terms{0};  // of which the sums are made: they may cancel

  explicit SumOfLinks(const witness::VectorNewtonEuler<S>& machine) : center(machine.center_of_mass())
  {
    for (const auto& link : machine.links) {
      if (!link.moves) continue;
      const Column r = link.center() - center, p = link.mass * link.center_velocity();
      const Column spin = link.inertia_times(link.angular_velocity), w = link.angular_velocity;
      const Column arm = link.arm();
      const Column a = link.acceleration + cross(link.angular_acceleration, arm) + cross(w, cross(w, arm));
      linear += p;
      angular += cross(r, p) + spin;
      acceleration += link.mass * a / machine.mass();
      const S distance = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
      for (int j = 0; j < 3; ++j) {
        const Column e = Column::Unit(j);
        inertia.col(j) += link.inertia_times(e) + link.mass * (distance * e - r[j] * r);
      }
      linear_terms += size(p);
      angular_terms += (size(link.center()) + size(center)) * size(p) + size(spin);
      acceleration_terms += link.mass * size(a) / machine.mass();
    }
  }

  static Column cross(const Column& a, const Column& b)
  {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static S size(const Column& a) { return magnitude(a[0]) + magnitude(a[1]) + magnitude(a[2]); }
};

/// The sums when one rate alone is a unit: a column of A.
template <typename S>
SumOfLinks<S> sum_of_unit_rate(const Specimen<S>& x, int k)
{
  witness::VectorNewtonEuler<S> machine(x.inputs.mechanism, x.inputs.options.floating_base);
  const VectorX<S> none = VectorX<S>::Zero(x.model.nv()), unit = VectorX<S>::Unit(x.model.nv(), k);
  machine.inverse_dynamics(x.q, unit, none, x.gravity.eigen());
  return SumOfLinks<S>(machine);
}

/// The wrench that the world puts on the mechanism in its motion, without weight, about its centre of mass.
template <typename S>
struct WrenchOfWorld {
  Wrench<S> sum, terms, about_world;

  explicit WrenchOfWorld(const Specimen<S>& x)
  {
    witness::VectorNewtonEuler<S> machine(x.inputs.mechanism, x.inputs.options.floating_base);
    machine.inverse_dynamics(x.q, x.qd, x.qdd, Vector3<S>{}.eigen());
    const auto center = machine.center_of_mass();
    for (const auto& link : machine.links) {
      if (link.parent != witness::world) continue;
      const auto force = link.force, arm = typename SumOfLinks<S>::Column(link.position - center);
      sum.f += Vector3<S>(force);
      sum.m += Vector3<S>(link.moment) + Vector3<S>(SumOfLinks<S>::cross(arm, force));
      about_world.f += Vector3<S>(force);
      about_world.m += Vector3<S>(link.moment) + Vector3<S>(SumOfLinks<S>::cross(link.position, force));
      terms.f[0] += SumOfLinks<S>::size(force);
      terms.m[0] += SumOfLinks<S>::size(link.moment) + SumOfLinks<S>::size(arm) * SumOfLinks<S>::size(force);
    }
  }
};

/// The momentum about the centre of mass of the one body whose joint has the k-th rate.
template <typename S>
Vector6<S> momentum_of_own_body(const Specimen<S>& x, const CentroidalMomentum<S>& whole, int k)
{
  const Body<S>& body = x.model.body_of_rate(k);
  const SE3<S> pose{x.kinematics.pose[body.index].R, x.kinematics.pose[body.index].p - whole.center};
  return coordinates(coAdInv(pose, body.I * x.kinematics.S[body.index].column(k - body.v)));
}

template <typename S>
void center(Registry<S>& r)
{
  r.identity({.name = "the_centre_of_mass_is_where_and_moves_as_that_of_the_links",
              .keys = {"ours:25/place", "ours:25/velocity", "ours:25/acceleration"},
              .symbols = "CentroidalMomentum::see_from_center CentroidalMomentum::operator() "
                         "CentroidalMomentum::acceleration CentroidalMomentum::of_center",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const CentroidalMomentum<S> whole = whole_motion(x);
                    const SumOfLinks<S> links(x.newton_euler());
                    const S mass = x.newton_euler().mass();
                    sides.clause("ours:25/place");
                    sides.add(whole.mass, mass);
                    sides.add(whole.center.eigen(), links.center);
                    sides.rival("all links weigh the same", [&](auto& wrong) {
                      typename SumOfLinks<S>::Column sum = SumOfLinks<S>::Column::Zero();
                      S count(0);
                      for (const auto& link : x.newton_euler().links)
                        if (link.moves) sum += link.center(), count += S(1);
                      wrong.add(whole.center.eigen(), typename SumOfLinks<S>::Column(sum / count));
                    });
                    sides.clause("ours:25/velocity");
                    const Vector3<S> velocity(links.linear / mass), J_qd(whole.J() * x.qd);
                    const S terms = links.linear_terms / mass;
                    sides.add(whole.velocity, velocity, terms);
                    sides.add(J_qd, velocity, terms);
                    sides.rival("the momentum is not divided by the mass",
                                [&](auto& wrong) { wrong.add(whole.momentum.f, velocity, terms); });
                    sides.clause("ours:25/acceleration");
                    const Vector3<S> acceleration(links.acceleration), J_qdd(whole.J() * x.qdd);
                    const Vector3<S> Jdot_qd(whole.Jdot() * x.qd);
                    sides.add(whole.acceleration(x.qdd), acceleration, links.acceleration_terms);
                    sides.add(J_qdd + Jdot_qd, acceleration, links.acceleration_terms);
                    sides.rival("the Jacobian is taken to stay as it is, without $\\dot J\\dot q$",
                                [&](auto& wrong) { wrong.add(J_qdd, acceleration, links.acceleration_terms); });
                  },
              .applies = moves_mass});
  r.identity({.name = "the_inertia_of_the_whole_is_that_of_the_links_about_their_centre_of_mass",
              .keys = {"ours:28/sum", "ours:28/blocks"},
              .symbols = "CentroidalMomentum::see_from_center RootFrame::gather",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const CentroidalMomentum<S> whole = whole_motion(x);
                    const SumOfLinks<S> links(x.newton_euler());
                    Inertia<S> sum;
                    S terms(0);  // first moments about the centre of mass cancel
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const SE3<S> pose{x.kinematics.pose[i].R, x.kinematics.pose[i].p - whole.center};
                      const Inertia<S>& I = x.model.body(i).I;
                      sum = sum + coAd(inverse(pose), I);
                      terms += SumOfLinks<S>::size(I.first_moment.eigen());
                      for (const Vector3<S>& place : {x.kinematics.pose[i].p, whole.center})
                        terms += I.mass * SumOfLinks<S>::size(place.eigen());
                    }
                    sides.clause("ours:28/sum");
                    sides.add(whole.I.mass, sum.mass);
                    sides.add(whole.I.first_moment, sum.first_moment, terms);
                    sides.add(whole.I.second_moment.matrix().eigen(), sum.second_moment.matrix().eigen());
                    sides.rival("about the world's origin", [&](auto& wrong) {
                      Inertia<S> other;
                      for (int i = 1; i <= x.bodies(); ++i)
                        other = other + coAd(inverse(x.kinematics.pose[i]), x.model.body(i).I);
                      wrong.add(whole.I.first_moment, other.first_moment, terms);
                    });
                    sides.clause("ours:28/blocks");
                    sides.add(sum.mass, x.newton_euler().mass());
                    sides.add(sum.first_moment, Vector3<S>{}, terms);
                    sides.add(sum.second_moment.matrix().eigen(), links.inertia);
                    sides.rival("Steiner's terms are forgotten", [&](auto& wrong) {
                      Eigen::Matrix<S, 3, 3> apart = Eigen::Matrix<S, 3, 3>::Zero();
                      for (const auto& link : x.newton_euler().links)
                        if (link.moves)
                          for (int j = 0; j < 3; ++j)
                            apart.col(j) += link.inertia_times(SumOfLinks<S>::Column::Unit(j));
                      wrong.add(sum.second_moment.matrix().eigen(), apart);
                    });
                  },
              .applies = moves_mass});
}

template <typename S>
void momentum(Registry<S>& r)
{
  r.identity({.name = "the_momentum_about_the_centre_of_mass_is_that_of_the_links",
              .keys = {"ours:26/momentum"},
              .symbols = "CentroidalMomentum::operator() RootFrame::place",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const CentroidalMomentum<S> whole = whole_motion(x);
                    const SumOfLinks<S> links(x.newton_euler());
                    const Wrench<S> h = to_wrench(whole.A * x.qd);
                    const Vector3<S> angular(links.angular), linear(links.linear);
                    sides.add(whole.momentum.m, angular, links.angular_terms);
                    sides.add(whole.momentum.f, linear, links.linear_terms);
                    sides.add(h.m, angular, links.angular_terms);
                    sides.add(h.f, linear, links.linear_terms);
                    sides.rival("moments are about the world's origin", [&](auto& wrong) {
                      wrong.add(x.kinematics.momentum().m, angular, links.angular_terms);
                    });
                  },
              .applies = moves_mass});
  r.identity({.name = "a_unit_rate_moves_what_is_behind_its_joint_as_one_body",
              .keys = {"ours:26/columns"},
              .symbols = "CentroidalMomentum::operator() RootFrame::gather RootFrame::place",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const CentroidalMomentum<S> whole = whole_motion(x);
                    // Columns of angles and of lengths have different units.
                    for (const bool angle : {true, false}) {
                      std::vector<int> rates;
                      for (int k = 0; k < x.model.nv(); ++k)
                        if (x.model.rate_is_angular(k) == angle) rates.push_back(k);
                      MatrixX<S> ours(6, rates.size()), links(ours), alone(ours);
                      S linear(0), angular(0);
                      for (std::size_t c = 0; c < rates.size(); ++c) {
                        const SumOfLinks<S> sum = sum_of_unit_rate(x, rates[c]);
                        ours.col(c) = whole.A.col(rates[c]);
                        links.col(c) << sum.angular, sum.linear;
                        linear = std::max(linear, sum.linear_terms), angular = std::max(angular, sum.angular_terms);
                        alone.col(c) = momentum_of_own_body(x, whole, rates[c]);
                      }
                      sides.add(ours.topRows(3), links.topRows(3), angular);
                      sides.add(ours.bottomRows(3), links.bottomRows(3), linear);
                      sides.rival("the joint moves its own body alone", [&](auto& wrong) {
                        wrong.add(alone.topRows(3), links.topRows(3), angular);
                        wrong.add(alone.bottomRows(3), links.bottomRows(3), linear);
                      });
                    }
                  },
              .applies = [](const Model<double>& m) { return moves_mass(m) && is_compared_in_full(m); }});
}

template <typename S>
void momentum_rate(Registry<S>& r)
{
  r.identity({.name = "the_world_pushes_as_the_momentum_about_the_centre_of_mass_changes",
              .keys = {"ours:27/world"},
              .symbols = "CentroidalMomentum::momentum_rate CentroidalMomentum::operator() RootFrame::column_rate",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const CentroidalMomentum<S> whole = whole_motion(x);
                    const WrenchOfWorld<S> world(x);
                    const Wrench<S> rate = whole.momentum_rate(x.qdd);
                    const Wrench<S> by_matrix = to_wrench(MatrixX<S>(whole.A * x.qdd + whole.Adot * x.qd));
                    for (const Wrench<S>& h_dot : {rate, by_matrix}) {
                      sides.add(h_dot.m, world.sum.m, world.terms.m[0]);
                      sides.add(h_dot.f, world.sum.f, world.terms.f[0]);
                    }
                    sides.rival("moments are about the world's origin",
                                [&](auto& wrong) { wrong.add(rate.m, world.about_world.m, world.terms.m[0]); });
                    sides.rival("$\\dot A\\dot q$ is forgotten", [&](auto& wrong) {
                      wrong.add(to_wrench(whole.A * x.qdd).f, world.sum.f, world.terms.f[0]);
                    });
                  },
              .applies = moves_mass});
  r.identity({.name = "the_rate_of_the_centroidal_momentum_matrix_is_its_derivative_along_the_motion",
              .keys = {"ours:27/matrix"},
              .symbols = "CentroidalMomentum::operator() RootFrame::column_rate",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const CentroidalMomentum<S> whole = whole_motion(x);
                    const Series<S> t = time_series<S>();
                    const Model<Series<S>>& model = x.series_model();
                    const int n = x.model.nv();
                    VectorX<Series<S>> delta(n), qd(n);
                    for (int k = 0; k < n; ++k) delta(k) = t * x.qd(k), qd(k) = x.qd(k) + t * x.qdd(k);
                    CentroidalMomentum<Series<S>> moving(model);
                    moving(displaced<Series<S>>(model, x.q.template cast<Series<S>>(), delta), qd);
                    S turning(0), sliding(0);
                    for (int i = 1; i <= x.bodies(); ++i)
                      for (int j = 0; j < 3; ++j) {
                        turning = std::max(turning, magnitude(x.kinematics.V[i].w[j]));
                        sliding = std::max(sliding, magnitude(x.kinematics.V[i].v[j]));
                      }
                    for (const bool angle : {true, false}) {
                      MatrixX<S> ours = MatrixX<S>::Zero(6, n), rate(ours), fixed_point(ours);
                      S moments(0), forces(0);
                      for (int k = 0; k < n; ++k) {
                        if (x.model.rate_is_angular(k) != angle) continue;
                        ours.col(k) = whole.Adot.col(k);
                        for (int j = 0; j < 6; ++j) {
                          rate(j, k) = derivative(moving.A(j, k), 1);
                          S& largest = j < 3 ? moments : forces;
                          largest = std::max(largest, magnitude(whole.A(j, k)));
                        }
                        fixed_point.col(k) = ours.col(k);
                        fixed_point.col(k).template head<3>() +=
                            cross(whole.velocity, Vector3<S>(whole.A.col(k).template tail<3>())).eigen();
                      }
                      const S beside = moments * turning + forces * sliding;
                      sides.add(ours.topRows(3), rate.topRows(3), beside);
                      sides.add(ours.bottomRows(3), rate.bottomRows(3), forces * turning);
                      sides.rival("the point about which moments are taken stands still",
                                  [&](auto& wrong) { wrong.add(fixed_point.topRows(3), rate.topRows(3), beside); });
                    }
                  },
              .applies = moves_mass});
}

}  // namespace

template <typename S>
void lagrange_centroidal(Registry<S>& r)
{
  center(r);
  momentum(r);
  momentum_rate(r);
}

template void lagrange_centroidal(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
