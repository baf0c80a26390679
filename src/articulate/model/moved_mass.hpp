/** \file
 *  \brief Which joints move mass: what each degree of freedom has to accelerate when all joints behind it give way.
 *
 *  - Paper: Kim 2012, section 2.2, \eq{kim,49}, as matrices.
 *  - Chapter: \ref aba
 */
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <articulate/model/joint.hpp>  // JointJacobian: S_i

namespace articulate {

/** \brief The articulated inertia felt by each degree of freedom, at a configuration without symmetry.
 *
 *  A joint that can move without moving any mass feels none: in forward dynamics its acceleration is undefined. What
 *  is left is rounding. A step leaves 100 n eps of the terms that it adds up or takes off, for n degrees of freedom; and
 *  what the steps before have left is handed on as the inertia itself is, so that a joint that gives way easily makes it
 *  larger. It grows with the square of lengths, so slides are displaced by about as much as the machine measures: by its
 *  largest offset between joints or distance of a mass, in root mean square, from the origin of its body.
 */
struct MovedMass {
  Indexed<double> rounding;  ///< by rate: an articulated inertia that is not above this counts as none
  int none = -1;             ///< the rate nearest to the tips that feels none; -1 if there is no such rate

  /** \param bodies    of a model, the world first
   *  \param armature  by rate: what rotors add to the inertia of each degree
   *  \param held      by rate: degrees that do not give way; empty for none
   */
  MovedMass(const Indexed<Body<double>>& bodies, const Indexed<double>& armature, const Indexed<bool>& held = {})
      : rounding(armature.size())
  {
    const double part = 100.0 * static_cast<double>(armature.size()) * std::numeric_limits<double>::epsilon();
    const double size = size_of(bodies);
    // [moved-mass]
    // I: the body with what hangs on it by joints that give way; N: how large rounding in it may be.
    Indexed<Matrix6<double>> I, N;
    const auto seen_by = [](const Matrix6<double>& A, const Matrix6<double>& X) -> Matrix6<double> {
      return A.transpose() * X * A;
    };
    const auto left_by = [&](const Matrix6<double>& terms) {
      Matrix6<double> left = Matrix6<double>::Zero();
      for (int k = 0; k < 6; ++k) left(k, k) = part * terms(k, k);
      return left;
    };
    for (const Body<double>& body : bodies) {
      I.push_back(body.I.matrix());
      N.push_back(left_by(I.back()));
    }
    for (int i = static_cast<int>(bodies.size()); i-- > 1;) {
      const Body<double>& body = bodies[i];
      JointJacobian<double> S(body);
      double q[7] = {};
      for (int k = 0; k < body.nq; ++k) q[k] = (slides(body, k) ? size : 1) * std::sin(1.0 + 2.3 * (body.q + k));
      if (body.nq > body.nv) q[body.nq - 1] += 1;
      const Matrix6<double> A = Ad_matrix(inverse(S.place(body, q)));
      // The degrees give way one after the other, each as if it were a joint of its own.
      for (int k = 0; k < body.nv; ++k) {
        const int rate = body.v + k;
        const Vector6<double> s = coordinates(S.column(k)), U = I[i] * s;
        const double pivot = s.dot(U) + armature[rate];
        rounding[rate] = s.dot(N[i] * s);
        if (!held.empty() && held[rate]) continue;
        if (pivot > rounding[rate]) {
          // P^T I P and the rotor, where P takes from a motion what the joint does of itself.
          const Matrix6<double> P = Matrix6<double>::Identity() - s * U.transpose() / pivot;
          N[i] = seen_by(P, N[i]) + left_by(I[i]);
          I[i] -= U * U.transpose() / pivot;
        } else if (none < 0)
          none = rate;
      }
      const Matrix6<double> felt = seen_by(A, I[i]);
      I[body.parent] += felt;
      N[body.parent] += seen_by(A, N[i]) + left_by(felt);
    }
    // [moved-mass]
  }

private:
  /// Whether the k-th coordinate is a length.
  static bool slides(const Body<double>& body, int k)
  {
    if (body.kind == JointKind::screw) return body.turn == 0;
    return body.kind == JointKind::chart ? body.directions[k] >= 3 : body.kind == JointKind::free && k < 3;
  }

  /// What the machine measures, wherever it stands (m); one without any length is as good at one size as at another.
  static double size_of(const Indexed<Body<double>>& bodies)
  {
    double size = 0;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      const Inertia<double>& I = bodies[i].I;
      const Vector3<double>& p = bodies[i].M.p;
      if (bodies[i].parent > 0) size = std::max(size, std::hypot(p[0], p[1], p[2]));
      if (I.mass > 0) size = std::max(size, std::sqrt(I.second_moment.matrix().eigen().trace() / 2 / I.mass));
    }
    return size > 0 ? size : 1;
  }
};

}  // namespace articulate
