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
 *  is left is rounding: the terms that cancel are what the joint would move if the joints next to it behind were
 *  locked, and a number below 100 n eps of that counts as none, for n degrees of freedom.
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
    // I: the body with what hangs on it by joints that give way; L: with its children as if their joints were locked.
    Indexed<Matrix6<double>> I, L;
    for (const Body<double>& body : bodies) I.push_back(body.I.matrix());
    L = I;
    for (int i = static_cast<int>(bodies.size()); i-- > 1;) {
      const Body<double>& body = bodies[i];
      JointJacobian<double> S(body);
      double q[7] = {};
      for (int k = 0; k < body.nq; ++k) q[k] = std::sin(1.0 + 2.3 * (body.q + k));
      if (body.nq > body.nv) q[body.nq - 1] += 1;
      const Matrix6<double> A = Ad_matrix(inverse(S.place(body, q)));
      const Matrix6<double> locked = A.transpose() * I[i] * A;
      // The degrees give way one after the other, each as if it were a joint of its own.
      for (int k = 0; k < body.nv; ++k) {
        const int rate = body.v + k;
        const Vector6<double> column = coordinates(S.column(k)), U = I[i] * column;
        const double pivot = column.dot(U);
        rounding[rate] = part * column.dot(L[i] * column);
        if (!held.empty() && held[rate]) continue;
        if (pivot > rounding[rate])
          I[i] -= U * U.transpose() / pivot;
        else if (none < 0)
          none = rate;
      }
      I[body.parent] += A.transpose() * I[i] * A;
      L[body.parent] += locked;
    }
    // [moved-mass]
  }
};

}  // namespace articulate
