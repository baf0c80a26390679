// Section 7 of Ali, Gabellieri and Franchi: the reference flight of Table 3 and the rotors of (28).
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <higher_order/runs.hpp>
#include <models/aerial_manipulator.hpp>

namespace articulate::validation {
namespace {

constexpr int highest = Flight<double>::highest_order + 1;  // of the rates: r = 5 needs six derivatives

template <typename S>
bool is_the_aerial_manipulator(const Model<S>& model)
{
  return model.mechanism().name == "aerial_manipulator" && model.nq() == 13 && model.nv() == 12;
}

/// The rates of the flight in closed form: with p = 0.8 exp(i phi) in the level plane, the base sees
/// exp(-i psi) p' = 0.8 i phi' exp(i (phi - psi)).
template <typename Time>
std::vector<Time> rates_in_closed_form(const Time& t)
{
  using std::cos, std::sin;
  const Time turn = pi<Time>() / Time(5), swing = Time(0.6), x = turn * t - Time(0.5) * sin(Time(swing * t)),
             speed = Time(0.8) * turn, zero = Time(0) * t;
  std::vector<Time> rates{zero, zero, Time(0.5) * swing * cos(Time(swing * t)), -speed * sin(x), speed * cos(x), zero};
  for (const int degrees : {30, 45, 60, -30, 40, 50}) {
    const Time rate = pi<Time>() / Time(10);
    rates.push_back(Time(degrees) * pi<Time>() / Time(360) * rate * sin(Time(rate * t)));
  }
  return rates;
}

/// Rotors of drawn sizes: l, alpha, beta, c_f, c_tau.
template <typename S>
Rotors<S> drawn_rotors(const Specimen<S>& x)
{
  return {x.number(0), x.number(1), x.number(2), x.number(3), x.number(4)};
}

/// (28) by an arm and a direction: a force along the tilted axis, its moment about the base, and the drag.
template <typename S>
Wrench<S> push(const Rotors<S>& rotors, int i)
{
  using std::cos, std::sin;
  const int sign = i % 2 ? 1 : -1;
  const S theta = S(i - 1) * pi<S>() / S(3), a = S(sign) * rotors.alpha, b = rotors.beta;
  const Vector3<S> along{cos(theta), sin(theta), S(0)}, across{-sin(theta), cos(theta), S(0)}, up{S(0), S(0), S(1)};
  const Vector3<S> axis = sin(b) * along - sin(a) * cos(b) * across + cos(a) * cos(b) * up;
  const Vector3<S> force = rotors.thrust * axis;
  return {cross(rotors.arm * along, force) + S(sign) * rotors.drag * axis, force};
}

/// Whether forward dynamics gives back the flight that inverse dynamics was given, order by order.
template <typename S, typename Form>
void add_round_trip(Sides<S>& sides, const Specimen<S>& x)
{
  constexpr int r = Flight<S>::highest_order;
  const Flight<S> flight;
  const S t = S(5) + S(5) * x.number(0);
  const VectorX<S> q = flight.coordinates(t);
  const MatrixX<S> rates = flight.rates(t, highest), unknown = MatrixX<S>::Zero(12, r + 1);
  auto inverse = HigherOrderDynamics<S, Form>::inverse(x.model, r);
  auto forward = HigherOrderDynamics<S, Form>::forward(x.model, r);
  inverse(q, rates.col(0), rates.rightCols(r + 1), unknown);
  forward(q, rates.col(0), unknown, x.as_input(inverse.tau()));
  for (int k = 0; k <= r; ++k)
    sides.add_by_unit(x.model, VectorX<S>(forward.qdd().col(k)), VectorX<S>(rates.col(k + 1)));
}

}  // namespace

template <typename S>
void higher_order_flight(Registry<S>& r)
{
  r.identity({.name = "the_flight_moves_as_its_closed_form_says_to_the_sixth_derivative",
              .keys = {"ali:T3/flight", "ali:T3/joints"},
              .symbols = "Flight spatial_twists to_body derivatives_along",
              .method = "truncated series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    using Time = boost::math::differentiation::autodiff_v1::detail::fvar<S, highest>;
                    const S t = S(5) + S(5) * x.number(0);
                    const Flight<S> flight;
                    const MatrixX<S> rates = flight.rates(t, highest);
                    const std::vector<Time> closed =
                        rates_in_closed_form(boost::math::differentiation::make_fvar<S, highest>(t));
                    for (int k = 0; k <= highest; ++k) {
                      VectorX<S> expected(12);
                      for (int d = 0; d < 12; ++d) expected(d) = closed[d].derivative(k);
                      sides.add_by_unit(x.model, VectorX<S>(rates.col(k)), expected);
                    }
                  },
              .applies = is_the_aerial_manipulator<double>});
  r.identity({.name = "the_flight_starts_at_its_first_joint_angles_and_goes_round_a_circle",
              .keys = {"ali:T3/flight", "ali:T3/joints", "ali:T3/times"},
              .symbols = "Flight",
              .method = "closed form",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const S t = S(5) + S(5) * x.number(0), degree = pi<S>() / S(180);
                    const Flight<S> flight;
                    const VectorX<S> q = flight.coordinates(t);
                    VectorX<S> first(6), last(6);
                    first << S(10), S(20), S(-30), S(-10), S(25), S(-35);
                    last << S(40), S(65), S(30), S(-40), S(65), S(15);
                    sides.clause("ali:T3/times");
                    sides.add(S(Flight<S>::horizon), S(10));
                    sides.add(S(Flight<S>::step), S(0.01));
                    sides.add(S(Flight<S>::highest_order), S(5));
                    sides.clause("ali:T3/joints");
                    sides.add(VectorX<S>(flight.coordinates(S(0)).tail(6)), VectorX<S>(degree * first));
                    sides.add(VectorX<S>(flight.coordinates(S(10)).tail(6)), VectorX<S>(degree * last));
                    sides.clause("ali:T3/flight");
                    sides.add(S(q(0) * q(0) + q(1) * q(1)), S(S(0.8) * S(0.8)));
                    sides.add(q(2), S(1.5));
                    using std::sin;
                    const Vector3<S> yaw{S(0), S(0), S(0.5) * sin(S(S(0.6) * t))};
                    const SO3<S> R(Quaternion<S>{{q(3), q(4), q(5)}, q(6)});
                    sides.add(R.matrix, exp(yaw).matrix);
                    sides.add(flight.pose(t).R.matrix, R.matrix);
                  },
              .applies = is_the_aerial_manipulator<double>});
  r.identity({.name = "the_manipulator_has_the_masses_and_the_rotors_the_sizes_that_are_listed",
              .keys = {"ali:T3/bodies", "ali:T3/rotors"},
              .symbols = "Model Rotors",
              .method = "by hand",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    sides.clause("ali:T3/bodies");
                    ForwardKinematics<S> at_home(x.model);
                    at_home(x.model.zero_coordinates(), VectorX<S>::Zero(x.model.nv()));
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const Inertia<S>& I = x.model.body(i).I;
                      const SE3<S>& C = at_home.pose[i];  // seen from its centre of mass, in the axes of the world
                      const SE3<S> C_com{C.R, -(C.R * (S(1) / I.mass * I.first_moment))};
                      const Inertia<S> about_com = coAd(inverse(C_com), I);
                      const S across(i == 1 ? 0.03 : 2e-3), along(i == 1 ? 0.05 : 3e-4);
                      const Vector3<S> moments{across, across, along};
                      sides.add(I.mass, S(i == 1 ? 2.5 : 0.3));
                      sides.add(about_com.second_moment.matrix().eigen(), MatrixX<S>(moments.eigen().asDiagonal()));
                    }
                    sides.clause("ali:T3/rotors");
                    const Rotors<S> rotors;
                    sides.add(rotors.arm, S(0.35));
                    sides.add(rotors.alpha, S(pi<S>() * S(25) / S(180)));
                    sides.add(rotors.beta, S(0));
                    sides.add(rotors.thrust, S(1.2e-5));
                    sides.add(rotors.drag, S(1.9e-7));
                  },
              .applies = is_the_aerial_manipulator<double>});
  r.identity({.name = "six_tilted_rotors_push_along_their_axes_at_the_ends_of_their_arms",
              .keys = {"ali:28/wrench", "ali:28/pose", "ali:28/sum", "ali:28/space"},
              .symbols = "Rotors coAdInv",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    using std::cos, std::sin;
                    const Rotors<S> rotors = drawn_rotors(x);
                    const SE3<S> C = x.pose(5);
                    std::vector<Wrench<S>> columns, pushes, alike;
                    Wrench<S> W_b, pushed, W_prop, uncarried;
                    for (int i = 1; i <= 6; ++i) {
                      const S sign(i % 2 ? 1 : -1), u = x.number(11 + i), u2 = u * u;
                      const Wrench<S> own{{S(0), S(0), sign * rotors.drag}, {S(0), S(0), rotors.thrust}};
                      const SE3<S> C_i = rotors.pose(i);
                      columns.push_back(to_wrench(Vector6<S>(rotors.allocation().col(i - 1))));
                      pushes.push_back(push(rotors, i));
                      alike.push_back(coAdInv(C_i, Wrench<S>{{S(0), S(0), rotors.drag}, own.f}));
                      W_b += u2 * rotors.wrench(i), pushed += u2 * pushes.back(), uncarried += u2 * own;

                      // The arm and the three axes of the tilted frame, by hand.
                      const S theta = S(i - 1) * pi<S>() / S(3), a = sign * rotors.alpha, b = rotors.beta;
                      const Vector3<S> out{cos(theta), sin(theta), S(0)}, side{-sin(theta), cos(theta), S(0)},
                          up{S(0), S(0), S(1)};
                      const Vector3<S> axes[] = {cos(b) * out + sin(a) * sin(b) * side - cos(a) * sin(b) * up,
                                                 cos(a) * side + sin(a) * up,
                                                 sin(b) * out - sin(a) * cos(b) * side + cos(a) * cos(b) * up};
                      sides.clause("ali:28/pose");
                      sides.add(C_i.p, rotors.arm * out);
                      for (int k = 0; k < 3; ++k)
                        sides.add(Vector3<S>(Eigen::Matrix<S, 3, 1>(C_i.R.matrix.eigen().col(k))), axes[k]);
                      sides.rival("the tilts in the other order", [&](auto& wrong) {
                        const Vector3<S> axis = cos(a) * sin(b) * out - sin(a) * side + cos(a) * cos(b) * up;
                        wrong.add(Vector3<S>(Eigen::Matrix<S, 3, 1>(C_i.R.matrix.eigen().col(2))), axis);
                      });
                    }
                    sides.clause("ali:28/wrench");
                    sides.add(columns, pushes);
                    sides.rival("all rotors turn the same way", [&](auto& wrong) { wrong.add(alike, pushes); });
                    sides.clause("ali:28/sum");
                    sides.add(W_b, pushed);
                    sides.rival("wrenches are added without being carried to the base",
                                [&](auto& wrong) { wrong.add(uncarried, pushed); });
                    W_prop = {C.R * W_b.m + cross(C.p, C.R * W_b.f), C.R * W_b.f};
                    sides.clause("ali:28/space");
                    sides.add(coAdInv(C, W_b), W_prop);
                    sides.rival("carried by the transpose, which is not inverted",
                                [&](auto& wrong) { wrong.add(coAd(C, W_b), W_prop); });
                  },
              .applies = is_the_aerial_manipulator<double>});
  r.identity({.name = "rotors_that_are_tilted_about_their_arms_make_six_independent_wrenches",
              .keys = {"ali:28/wrench", "ali:28/pose"},
              .symbols = "Rotors coAdInv",
              .method = "closed form",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    // Over six rotors 1, the alternating sign, sine and cosine, and both times the sign are orthogonal;
                    // each row of the allocation matrix is a multiple of one of them.
                    using std::cos, std::sin;
                    Rotors<S> rotors = drawn_rotors(x);
                    rotors.beta = S(0);
                    const Matrix6<S> A = rotors.allocation();
                    const S s = sin(rotors.alpha), c = cos(rotors.alpha), f = rotors.thrust, tau = rotors.drag;
                    const auto squares = [&](const S& level, const S& upright) {
                      Vector6<S> rows;
                      rows << S(3) * level * level, S(3) * level * level, S(6) * upright * upright,
                          S(3) * f * f * s * s, S(3) * f * f * s * s, S(6) * f * f * c * c;
                      return Matrix6<S>(rows.asDiagonal());
                    };
                    const S arm = rotors.arm * f;
                    sides.add(Matrix6<S>(A * A.transpose()), squares(arm * c + tau * s, tau * c - arm * s));
                    sides.rival("the drag turns against the tilt", [&](auto& wrong) {
                      wrong.add(Matrix6<S>(A * A.transpose()), squares(arm * c - tau * s, -tau * c - arm * s));
                    });
                  },
              .applies = is_the_aerial_manipulator<double>});
  r.identity({.name = "forward_dynamics_gives_back_the_motion_of_inverse_dynamics_up_to_the_fifth_derivative",
              .keys = {"ali:F3"},
              .symbols = "HigherOrderDynamics BodyForm::complete SpatialForm::hybrid SpatialForm::inverse",
              .method = "cross-check: forces by one form, the motion by the other",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    constexpr int r = Flight<S>::highest_order;
                    const Partition all(x.model.nv(), true), none(x.model.nv(), false);
                    const WrenchDerivatives<S> Fext = drawn_wrenches(x, r);
                    const MatrixX<S> rates = drawn_rates(x, r + 2);
                    SpatialForm<S> spatial(x.model, r, all);
                    spatial.rates = rates;
                    spatial.run(x.q, Fext);
                    const MatrixX<S> terms = force_terms(x, spatial);
                    const auto there_and_back = [&](auto inverse, auto forward) {
                      inverse.rates = rates;
                      inverse.run(x.q, Fext);
                      forward.rates.col(0) = x.qd;
                      forward.tau = x.as_input(inverse.tau, terms);
                      forward.run(x.q, Fext);
                      const auto add_order = [&](int k) {
                        sides.add_by_unit(x.model, VectorX<S>(forward.rates.col(k)), VectorX<S>(rates.col(k)));
                      };
                      for (int k = 1; k <= 2; ++k) add_order(k);
                      sides.rival("the derivatives of the wrenches on the bodies are forgotten", [&](auto& wrong) {
                        decltype(forward) other(x.model, 1, none);
                        other.rates.col(0) = x.qd;
                        other.tau = MatrixX<S>(inverse.tau.leftCols(2));
                        other.run(x.q, {Fext[0]});
                        wrong.add_by_unit(x.model, VectorX<S>(other.rates.col(2)), VectorX<S>(rates.col(2)));
                      });
                      for (int k = 3; k <= r + 1; ++k) add_order(k);
                    };
                    there_and_back(SpatialForm<S>(x.model, r, all), BodyForm<S>(x.model, r, none));
                    there_and_back(BodyForm<S>(x.model, r, all), SpatialForm<S>(x.model, r, none));
                    if (!is_the_aerial_manipulator(x.model)) return;
                    add_round_trip<S, BodyForm<S>>(sides, x);
                    add_round_trip<S, SpatialForm<S>>(sides, x);
                  },
              .applies = is_small});
}

template void higher_order_flight(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
