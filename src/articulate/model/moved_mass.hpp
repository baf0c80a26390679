/** \file
 *  \brief Which joints move mass: what each degree of freedom has to accelerate when all joints behind it give way.
 *
 *  - Paper: Kim 2012, section 2.2, \eq{kim,49}, as matrices.
 *  - Chapter: \ref aba
 */
#pragma once
#include <limits>
#include <articulate/model/joint.hpp>  // JointJacobian: S_i

namespace articulate {

/** \brief The articulated inertia felt by each degree of freedom, at a configuration without symmetry.
 *
 *  A joint that can move without moving any mass feels none: in forward dynamics its acceleration is undefined. What
 *  is left is rounding. A step leaves 100 n eps of the terms that it adds up or takes off, for n degrees of freedom; and
 *  what the steps before have left is handed on as the inertia itself is, so that a joint that gives way easily makes it
 *  larger.
 */
struct MovedMass {
  Indexed<double> rounding;  ///< by rate: an articulated inertia that is not above this counts as none
  int none = -1;             ///< the rate nearest to the tips that feels none; -1 if there is no such rate

  /** \param bodies  of a model, the world first   \param nv  the number of rates
   *  \param held    nv flags: degrees that do not give way; empty for none
   */
  MovedMass(const Indexed<Body<double>>& bodies, int nv, const Indexed<bool>& held = {}) : rounding(nv)
  {
    const double part = 100.0 * nv * std::numeric_limits<double>::epsilon();
    // [moved-mass]
    // I: the body with what hangs on it by joints that give way; N: how large rounding in it may be.
    Indexed<Matrix6<double>> I, N;
    const auto left_by = [&](const Matrix6<double>& terms) -> Matrix6<double> {
      return part * Matrix6<double>(terms.diagonal().asDiagonal());
    };
    for (const Body<double>& body : bodies) {
      I.push_back(body.I.matrix());
      N.push_back(left_by(I.back()));
    }
    for (int i = static_cast<int>(bodies.size()); i-- > 1;) {
      const Body<double>& body = bodies[i];
      JointJacobian<double> S(body);
      double q[7] = {};
      for (int k = 0; k < body.nq; ++k) q[k] = std::sin(1.0 + 2.3 * (body.q + k));
      if (body.nq > body.nv) q[body.nq - 1] += 1;
      const Matrix6<double> A = Ad_matrix(inverse(S.place(body, q)));
      // The degrees give way one after the other, each as if it were a joint of its own.
      for (int k = 0; k < body.nv; ++k) {
        const int rate = body.v + k;
        const Vector6<double> s = coordinates(S.column(k)), U = I[i] * s;
        const double pivot = s.dot(U);
        rounding[rate] = s.dot(N[i] * s);
        if (!held.empty() && held[rate]) continue;
        if (pivot > rounding[rate]) {
          // P^T I P, where P takes from a motion what the joint does of itself.
          const Matrix6<double> P = Matrix6<double>::Identity() - s * U.transpose() / pivot;
          N[i] = P.transpose() * N[i] * P + left_by(I[i]);
          I[i] -= U * U.transpose() / pivot;
        } else if (none < 0)
          none = rate;
      }
      const Matrix6<double> felt = A.transpose() * I[i] * A;
      I[body.parent] += felt;
      N[body.parent] += A.transpose() * N[i] * A + left_by(felt);
    }
    // [moved-mass]
  }
};

}  // namespace articulate
