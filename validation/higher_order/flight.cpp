// Section 7 of Ali, Gabellieri and Franchi: the reference flight of Table 3 and the rotors of (28).
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <ledger/registry.hpp>
#include <models/aerial_manipulator.hpp>

namespace articulate::validation {
namespace {

constexpr int highest = 6;  // of the rates: r = 5 needs six derivatives

bool is_the_aerial_manipulator(const Model<double>& model)
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

/// Whether forward dynamics of order 5 gives back the flight that inverse dynamics was given, order by order.
template <typename S, typename Form>
void add_round_trip(Sides<S>& sides, const Specimen<S>& x)
{
  const int r = highest - 1;
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
              .keys = {"ali:T3", "ali:20"},
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
              .applies = is_the_aerial_manipulator});
  r.identity({.name = "the_flight_starts_at_its_first_joint_angles_and_goes_round_a_circle",
              .keys = {"ali:T3"},
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
                    sides.add(VectorX<S>(flight.coordinates(S(0)).tail(6)), VectorX<S>(degree * first));
                    sides.add(VectorX<S>(flight.coordinates(S(10)).tail(6)), VectorX<S>(degree * last));
                    sides.add(S(q(0) * q(0) + q(1) * q(1)), S(S(0.8) * S(0.8)));
                    sides.add(q(2), S(1.5));
                    using std::sin;
                    const Vector3<S> yaw{S(0), S(0), S(0.5) * sin(S(S(0.6) * t))};
                    const SO3<S> R(Quaternion<S>{{q(3), q(4), q(5)}, q(6)});
                    sides.add(R.matrix, exp(yaw).matrix);
                    sides.add(flight.pose(t).R.matrix, R.matrix);
                  },
              .applies = is_the_aerial_manipulator});
  r.identity({.name = "six_tilted_rotors_push_along_their_axes_at_the_ends_of_their_arms",
              .keys = {"ali:28"},
              .symbols = "Rotors coAdInv",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const Rotors<S> rotors = drawn_rotors(x);
                    const SE3<S> C = x.pose(5);
                    std::vector<Wrench<S>> columns, pushes;
                    Wrench<S> W_b, moved;
                    for (int i = 1; i <= 6; ++i) {
                      columns.push_back(to_wrench(Vector6<S>(rotors.allocation().col(i - 1))));
                      pushes.push_back(push(rotors, i));
                      const S u = x.number(11 + i);
                      const Wrench<S> W = u * u * pushes.back();
                      W_b += u * u * rotors.wrench(i);
                      moved += Wrench<S>{C.R * W.m + cross(C.p, C.R * W.f), C.R * W.f};  // of the sum, W_prop
                    }
                    sides.add(columns, pushes);
                    sides.add(coAdInv(C, W_b), moved);
                  },
              .applies = is_the_aerial_manipulator});
  r.identity({.name = "rotors_that_are_tilted_about_their_arms_make_six_independent_wrenches",
              .keys = {"ali:28"},
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
                    const S level = rotors.arm * f * c + tau * s, upright = tau * c - rotors.arm * f * s;
                    Vector6<S> rows;
                    rows << S(3) * level * level, S(3) * level * level, S(6) * upright * upright, S(3) * f * f * s * s,
                        S(3) * f * f * s * s, S(6) * f * f * c * c;
                    sides.add(Matrix6<S>(A * A.transpose()), Matrix6<S>(rows.asDiagonal()));
                  },
              .applies = is_the_aerial_manipulator});
  r.identity({.name = "forward_dynamics_of_order_five_gives_back_the_flight_that_inverse_dynamics_was_given",
              .keys = {"ali:F3"},
              .symbols = "HigherOrderDynamics BodyForm SpatialForm",
              .method = "cross-check",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    add_round_trip<S, BodyForm<S>>(sides, x);
                    add_round_trip<S, SpatialForm<S>>(sides, x);
                  },
              .applies = is_the_aerial_manipulator});
}

template void higher_order_flight(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
