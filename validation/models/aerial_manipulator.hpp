/** \file
 *  \brief What the aerial manipulator does in section 7 of Ali, Gabellieri and Franchi 2026: its flight and its rotors.
 *
 *  - Paper: \eq{ali,20}, \eq{ali,28}, Table 3. What Table 3 names survives; its numbers are lost, so all are ours.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <articulate/higher_order/leibniz.hpp>
#include <articulate/model/error.hpp>
#include <articulate/model/model.hpp>
#include <Eigen/LU>
#include <string>

namespace articulate::validation {

/// \brief Derivatives 0 to `order` of \f$a\cos(\omega t+\varphi)\f$.
template <typename Scalar>
std::vector<Scalar> wave_derivatives(Scalar a, const Scalar& omega, const Scalar& phi, const Scalar& t, int order)
{
  using std::cos, std::sin;
  const Scalar x = omega * t + phi, turned[] = {cos(x), -sin(x), -cos(x), sin(x)};
  std::vector<Scalar> wave;
  for (int k = 0; k <= order; ++k, a *= omega) wave.push_back(a * turned[k % 4]);
  return wave;
}

/** \brief The reference motion of Table 3: a level circle, a yaw that swings, joints that go half a cosine.
 *
 *  Ten seconds take it once round. At another pace c it is where it would be at the time c t.
 */
template <typename Scalar>
class Flight {
public:
  explicit Flight(double pace = 1) : pace_(pace) {}

  static constexpr double horizon = 10;    ///< s, at pace 1
  static constexpr double step = 0.01;     ///< s, from one sampled time to the next
  static constexpr int highest_order = 5;  ///< of the derivatives of forces that are asked for

  // [flight]
  /// \brief \f$C_1, \dot C_1, \ldots\f$: the pose of the base and its derivatives up to `order`.
  std::vector<Matrix4<Scalar>> pose_derivatives(const Scalar& t, int order) const
  {
    const Scalar quarter = pi<Scalar>() / 2, round = pace_ * 4 * quarter / Scalar(horizon);
    const auto x = wave_derivatives(Scalar(0.8), round, Scalar(0), t, order);  // m
    const auto y = wave_derivatives(Scalar(0.8), round, Scalar(-quarter), t, order);
    const auto yaw = wave_derivatives(Scalar(0.5), Scalar(pace_ * Scalar(0.6)), Scalar(-quarter), t, order);  // rad

    // Derivatives of c = cos(yaw) and s = sin(yaw), by the product rule on c' = -s yaw' and s' = c yaw'.
    using std::cos, std::sin;
    std::vector<Scalar> c{cos(yaw[0])}, s{sin(yaw[0])};
    const Binomials<Scalar> binomial(order);
    for (int k = 0; k < order; ++k) {
      Scalar c_next(0), s_next(0);
      for (int l = 0; l <= k; ++l) {
        c_next -= binomial(k, l) * s[k - l] * yaw[l + 1];
        s_next += binomial(k, l) * c[k - l] * yaw[l + 1];
      }
      c.push_back(c_next), s.push_back(s_next);
    }
    std::vector<Matrix4<Scalar>> C(order + 1, Matrix4<Scalar>::Zero());
    C[0](2, 2) = C[0](3, 3) = Scalar(1), C[0](2, 3) = Scalar(1.5);
    for (int k = 0; k <= order; ++k) {
      C[k](0, 0) = C[k](1, 1) = c[k];
      C[k](1, 0) = s[k], C[k](0, 1) = -s[k];
      C[k](0, 3) = x[k], C[k](1, 3) = y[k];
    }
    return C;
  }

  /// \brief \f$V, \dot V, \ldots, V^{(\mathrm{order})}\f$ of the base, as body twists, from its pose by \eq{ali,20}.
  std::vector<Twist<Scalar>> body_twists(const Scalar& t, int order) const
  {
    return to_body(pose(t), spatial_twists(pose_derivatives(t, order + 1)));
  }
  // [flight]

  SE3<Scalar> pose(const Scalar& t) const
  {
    const Matrix4<Scalar> C = pose_derivatives(t, 0)[0];
    SE3<Scalar> T;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) T.R.matrix(i, j) = C(i, j);
      T.p[i] = C(i, 3);
    }
    return T;
  }

  /// \brief 6 x (order + 1): the angles of the joints in the order of the model, rad, and their derivatives.
  MatrixX<Scalar> joint_derivatives(const Scalar& t, int order) const
  {
    static constexpr double first[] = {10, 20, -30, -10, 25, -35}, swing[] = {30, 45, 60, -30, 40, 50};  // degrees
    const Scalar degree = pi<Scalar>() / 180;
    MatrixX<Scalar> q(6, order + 1);
    for (int j = 0; j < 6; ++j) {
      const Scalar half = degree * Scalar(swing[j]) / 2;
      const auto wave =
          wave_derivatives(Scalar(-half), Scalar(pace_ * pi<Scalar>() / Scalar(horizon)), Scalar(0), t, order);
      for (int k = 0; k <= order; ++k) q(j, k) = wave[k];
      q(j, 0) += degree * Scalar(first[j]) + half;
    }
    return q;
  }

  /// \brief The 13 coordinates of the model with a free base.
  VectorX<Scalar> coordinates(const Scalar& t) const
  {
    using std::cos, std::sin;
    const SE3<Scalar> C = pose(t);
    const Scalar half_yaw =
        wave_derivatives(Scalar(0.25), Scalar(pace_ * Scalar(0.6)), Scalar(-pi<Scalar>() / 2), t, 0)[0];
    VectorX<Scalar> q(13);
    q << C.p[0], C.p[1], C.p[2], Scalar(0), Scalar(0), sin(half_yaw), cos(half_yaw), joint_derivatives(t, 0);
    return q;
  }

  /// \brief 12 x (order + 1): the rates of the model with a free base, body twist first, and their derivatives.
  MatrixX<Scalar> rates(const Scalar& t, int order) const
  {
    const std::vector<Twist<Scalar>> V = body_twists(t, order);
    MatrixX<Scalar> rates(12, order + 1);
    for (int k = 0; k <= order; ++k) rates.col(k).head(6) = articulate::coordinates(V[k]);
    rates.bottomRows(6) = joint_derivatives(t, order + 1).rightCols(order + 1);
    return rates;
  }

private:
  Scalar pace_;
};

/// \brief Six propellers on a circle about the base, each tilted about its own arm and turned against its neighbours.
template <typename Scalar>
struct Rotors {
  Scalar arm = Scalar(0.35);                       ///< l, m
  Scalar alpha = pi<Scalar>() * Scalar(25) / 180;  ///< tilt about the arm, of alternating sign, rad
  Scalar beta = Scalar(0);                         ///< tilt along the arm, rad
  Scalar thrust = Scalar(1.2e-5);                  ///< c_f, N s^2
  Scalar drag = Scalar(1.9e-7);                    ///< c_tau, N m s^2

  // [rotors]
  /// \brief \f$C_i\f$: where rotor i = 1..6 sits, seen from the base.
  SE3<Scalar> pose(int i) const
  {
    const Vector3<Scalar> x{Scalar(1), Scalar(0), Scalar(0)}, y{Scalar(0), Scalar(1), Scalar(0)},
        z{Scalar(0), Scalar(0), Scalar(1)}, none;
    const Scalar sign(i % 2 ? 1 : -1);
    return exp(Twist<Scalar>{z, none}, Scalar(Scalar(i - 1) * pi<Scalar>() / 3)) * exp(Twist<Scalar>{none, x}, arm) *
           exp(Twist<Scalar>{x, none}, Scalar(sign * alpha)) * exp(Twist<Scalar>{y, none}, beta);
  }

  /// \brief The wrench on the base that rotor i makes per square of its speed \eq{ali,28}.
  Wrench<Scalar> wrench(int i) const
  {
    const Scalar sign(i % 2 ? 1 : -1);
    return coAdInv(pose(i), Wrench<Scalar>{{Scalar(0), Scalar(0), sign * drag}, {Scalar(0), Scalar(0), thrust}});
  }

  /// \brief The 6x6 matrix from squares of speeds to the wrench on the base.
  Matrix6<Scalar> allocation() const
  {
    Matrix6<Scalar> A;
    for (int i = 1; i <= 6; ++i) A.col(i - 1) = coordinates(wrench(i));
    return A;
  }
  // [rotors]

  /** \brief The speeds that make a wrench on the base, rad/s.
   *  \param W  in the frame of the base, (N m, N)
   *  \throws StateError when the rotors cannot make every wrench, or when one of them would have to push backwards
   */
  Vector6<Scalar> speeds(const Wrench<Scalar>& W) const
  {
    const Eigen::FullPivLU<Matrix6<Scalar>> lu(allocation());
    if (!lu.isInvertible())
      throw StateError("The six rotors make wrenches of only " + std::to_string(lu.rank()) +
                       " dimensions where 6 are needed; tilt them differently.");
    const Vector6<Scalar> squares = lu.solve(coordinates(W));
    Vector6<Scalar> u;
    for (int i = 0; i < 6; ++i) {
      using std::sqrt;
      if (!(squares(i) >= 0))
        throw StateError("Rotor " + std::to_string(i + 1) + " would need a squared speed of " +
                         std::to_string(static_cast<double>(squares(i))) +
                         " rad^2/s^2 where it can only push forward; ask for less sideways force or moment.");
      u(i) = sqrt(squares(i));
    }
    return u;
  }
};

}  // namespace articulate::validation
