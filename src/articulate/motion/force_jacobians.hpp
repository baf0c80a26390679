/** \file
 *  \brief How the forces of elements change with coordinates and rates.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <articulate/aba/articulated_bodies.hpp>
#include <articulate/motion/force_elements.hpp>

namespace articulate {

/** \brief \f$\partial Q/\partial q\f$ and \f$\partial Q/\partial\dot q\f$ of \f$Q = \tau + J^{\mathsf T}F\f$, in closed form.
 *
 *  With respect to q along joint displacements, as all Jacobians are: of a ball or free joint to \f$T e^{[\delta]}\f$ with
 *  its rate held. An element costs the square of the number of degrees between its ends.
 */
template <typename Scalar>
class ForceElementsJacobians {
public:
  MatrixX<Scalar> dQ_dq, dQ_dqd;  ///< nv x nv

  explicit ForceElementsJacobians(const Model<Scalar>& model)
      : dQ_dq(MatrixX<Scalar>::Zero(model.nv(), model.nv())), dQ_dqd(dQ_dq)
  {
  }

  /** \brief Fill both.
   *  \param elements  of the model   \param moved  a recursion that has placed and moved all bodies at the state
   *  \param qd        the nv rates of the state   \param t  time (s)
   *  \throws StateError for a user's law, whose derivatives nobody knows, and as ForceElements does
   */
  void operator()(const ForceElements<Scalar>& elements, const Recursion<Scalar>& moved, const VectorRef<Scalar>& qd,
                  const Scalar& t)
  {
    dQ_dq.setZero();
    dQ_dqd.setZero();
    for (const PlacedElement<Scalar>& element : elements.elements())
      std::visit([&](const auto& one) { add(one, moved, qd, t); }, element);
  }

private:
  /// What one degree does to the vector between the ends of an element, in the frame from which both are seen.
  struct Column {
    const Body<Scalar>* body;
    int v;              // the rate
    bool second;        // whether it moves the second end; else the first
    Vector3<Scalar> w;  // how fast it turns what it moves,
    Vector3<Scalar> d;  // and changes the vector
  };

  // [force-columns]
  /// The degrees between a carrier and a point.
  void add_columns(int carrier, const PlacedPoint<Scalar>& at, bool second, const Recursion<Scalar>& moved)
  {
    const Vector3<Scalar> r = seen_from(carrier, at.body, moved) * at.r;
    for (const Body<Scalar>& body : moved.model().way_to_base(at.body, carrier)) {
      const SE3<Scalar> X = seen_from(carrier, body.index, moved);
      for (int k = 0; k < body.nv; ++k) {
        const Twist<Scalar> J = moved.S[body.index].column_seen_from(X, k);
        const Vector3<Scalar> d = J.v + cross(J.w, r);
        columns_.push_back({&body, body.v + k, second, J.w, second ? d : -d});
      }
    }
  }

  /// Whether a displacement of k moves the column of j. Of two joints the one nearer to the base moves the other; within
  /// a joint an earlier coordinate moves a later one, and the displacements of a ball or free joint move each other.
  static bool moves(const Column& k, const Column& j)
  {
    if (k.body != j.body) return k.body->index < j.body->index;
    return k.body->nq != k.body->nv || k.v <= j.v;
  }

  /// \f$\partial d_j/\partial q_k\f$: what k moves it also turns; otherwise j turns what k has moved.
  static Vector3<Scalar> second_derivative(const Column& j, const Column& k)
  {
    if (j.second != k.second) return {};
    return moves(k, j) ? cross(k.w, j.d) : cross(j.w, k.d);
  }

  /// Add \f$\partial(d_j^{\mathsf T}f)/\partial q_k\f$ for a force f whose own changes are told.
  template <typename ByPlace>
  void add_by_q(const Vector3<Scalar>& f, const ByPlace& change)
  {
    for (const Column& k : columns_) {
      const Vector3<Scalar> delta_f = change(k);
      for (const Column& j : columns_) dQ_dq(j.v, k.v) += inner(j.d, delta_f) + inner(second_derivative(j, k), f);
    }
  }
  // [force-columns]

  void add(const PlacedSpring<Scalar>& s, const Recursion<Scalar>& moved, const VectorRef<Scalar>& qd, const Scalar&)
  {
    columns_.clear();
    add_columns(s.common, s.second, true, moved);
    add_columns(s.common, s.first, false, moved);
    // [spring-jacobian]
    const Vector3<Scalar> d =
        seen_from(s.common, s.second.body, moved) * s.second.r - seen_from(s.common, s.first.body, moved) * s.first.r;
    s.require_direction(d);
    Vector3<Scalar> ddot;
    for (const Column& j : columns_) ddot += qd(j.v) * j.d;
    add_by_q(s.law.force(d, ddot), [&](const Column& k) {
      Vector3<Scalar> delta_ddot;
      for (const Column& j : columns_) delta_ddot += qd(j.v) * second_derivative(j, k);
      return s.law.derivative(d, ddot, k.d, delta_ddot);
    });
    for (const Column& k : columns_) {
      const Vector3<Scalar> delta_f = s.law.derivative(d, ddot, {}, k.d);
      for (const Column& j : columns_) dQ_dqd(j.v, k.v) += inner(j.d, delta_f);
    }
    // [spring-jacobian]
  }

  void add(const PlacedForce<Scalar>& p, const Recursion<Scalar>& moved, const VectorRef<Scalar>&, const Scalar& t)
  {
    columns_.clear();
    add_columns(0, p.at, true, moved);
    const SO3<Scalar> R = seen_from(0, p.at.body, moved).R;
    const Vector3<Scalar> f = R * p.in_body(R, t);
    add_by_q(f, [&](const Column& k) { return p.in_link ? cross(k.w, f) : Vector3<Scalar>{}; });
  }

  void add(const PlacedField<Scalar>& field, const Recursion<Scalar>& moved, const VectorRef<Scalar>&, const Scalar&)
  {
    for (const PlacedPoint<Scalar>& center_of_mass : field.centers) {
      columns_.clear();
      add_columns(0, center_of_mass, true, moved);
      const Scalar& m = moved.model().body(center_of_mass.body).I.mass;
      const Vector3<Scalar> r = seen_from(0, center_of_mass.body, moved) * center_of_mass.r - field.center;
      field.require_distance(r);
      add_by_q(field.law.force(m, r), [&](const Column& k) { return field.law.derivative(m, r, k.d); });
    }
  }

  void add(const PlacedJointLaw<Scalar>& j, const Recursion<Scalar>&, const VectorRef<Scalar>& qd, const Scalar&)
  {
    if (j.law.is_spring) dQ_dq(j.v, j.v) -= j.law.k;
    dQ_dqd(j.v, j.v) += j.law.loss_by_rate(qd(j.v));
  }

  void add(const PlacedJointForce<Scalar>&, const Recursion<Scalar>&, const VectorRef<Scalar>&, const Scalar&) {}
  void add(const PlacedRotor<Scalar>&, const Recursion<Scalar>&, const VectorRef<Scalar>&, const Scalar&) {}

  void add(const PlacedUserLaw& user, const Recursion<Scalar>&, const VectorRef<Scalar>&, const Scalar&)
  {
    throw StateError(
        "the force element '" + user.name +
        "' is a user's law, whose derivatives are unknown; leave it out, or describe it by other elements.");
  }

  std::vector<Column> columns_;
};

/** \brief Add what force elements do to a Jacobian of forward or hybrid dynamics that was found without them.
 *
 *  They are forces that are given everywhere: in v they change the accelerations like any, in u they leave less to find.
 *  \param dynamics  which accelerations are prescribed   \param dQ  nv x nv, with respect to q or qd
 *  \param by_given  of the Jacobians of the dynamics     \param by  the one with respect to q or qd, changed
 */
template <typename Scalar>
void add_force_derivatives(const ArticulatedBodies<Scalar>& dynamics, MatrixX<Scalar> dQ,
                           const MatrixX<Scalar>& by_given, MatrixX<Scalar>& by)
{
  // [add-force-derivatives]
  for (int j = 0; j < dQ.rows(); ++j)
    if (dynamics.is_prescribed(j)) {
      by.row(j) -= dQ.row(j);
      dQ.row(j).setZero();
    }
  by.noalias() += by_given * dQ;
  // [add-force-derivatives]
}

}  // namespace articulate
