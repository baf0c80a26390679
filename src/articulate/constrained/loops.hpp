/** \file
 *  \brief Loops: what joints that were cut to leave a tree demand of its motion.
 *
 *  - Paper: Kim 2012, section 3, \eq{kim,55}.
 *  - Chapter: \ref constrained
 */
#pragma once
#include <articulate/constrained/loop.hpp>
#include <articulate/constrained/semidefinite.hpp>  // rounding
#include <articulate/model/recursion.hpp>

namespace articulate {

/** \brief The constraints of some loops at a state: \f$A\dot q = 0\f$ and \f$A\ddot q + \dot A\dot q = 0\f$ \eq{kim,55}.
 *
 *  A row of A is a wrench that the cut joint can transmit, paired with the twist of its second frame relative to its
 *  first; so a multiplier is the size of that wrench, and everything follows from twists.
 */
template <typename Scalar>
class Loops : public Recursion<Scalar> {
  using Base = Recursion<Scalar>;
  using Base::model_;

public:
  using Base::T, Base::S, Base::V, Base::Vdot, Base::place, Base::carry_velocity, Base::carry_acceleration,
      Base::set_gravity;

  /// \brief What a row demands of the second frame, seen from the first.
  struct Row {
    enum Kind {
      angle,   ///< no turn about the k-th axis, all turns being forbidden
      normal,  ///< the k-th axis of the first frame stays normal to the j-th of the second
      slide    ///< no way along the k-th axis of the first frame
    } kind;
    int cut, k, j;  ///< cut: which loop
  };

  MatrixX<Scalar> A;                 ///< m x nv: loop by loop the turns that are forbidden, then the slides
  VectorX<Scalar> Adot_qd;           ///< m: \f$\dot A\dot q\f$
  VectorX<Scalar> violation;         ///< m: how far each constraint is from being met (m, rad)
  Indexed<Wrench<Scalar>> reaction;  ///< m: the wrench of each row on the second link, in the second frame

  /** \brief Find the frames.
   *  \throws ModelError for a link that does not exist, or a loop that closes on one body or constrains nothing
   */
  Loops(const Model<Scalar>& model, const std::vector<Loop>& loops);

  int rows() const { return static_cast<int>(violation.size()); }
  const Row& row(int m) const { return rows_[m]; }
  const std::string& name_of_row(int row) const { return cuts_[rows_[row].cut].name; }

  /** \brief What rounding may leave of a violation: 100 n eps of the terms that cancel in it (m, rad).
   *
   *  A slide is a sum of the lengths on the way to the cut along both arms; an angle is made of products of unit vectors.
   */
  double rounding_of_row(int m) const;

  /// \brief Whether every row is met as far as the scalar can tell.
  bool closed() const
  {
    for (int m = 0; m < rows(); ++m)
      if (!(comparable(magnitude(violation(m))) <= rounding_of_row(m))) return false;
    return true;
  }

  /** \brief Everything at a state.
   *  \param q   nq coordinates   \param qd  nv joint rates
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd);

  /** \brief The wrenches on the bodies, in body frames, that multipliers stand for: \f$A^{\mathsf T}\lambda\f$ as forces.
   *  \throws StateError before the first run, as the two below
   */
  void add_reactions(const VectorRef<Scalar>& lambda, ExternalWrenches<Scalar>& F) const;

  /** \brief The wrench that multipliers put on the second link of each loop, in the second frame as the loop gives it.
   *
   *  The first link gets the opposite. Loops keep their order.
   */
  std::vector<Wrench<Scalar>> reactions(const VectorRef<Scalar>& lambda) const;

  /** \brief How add_reactions() changes, at held multipliers, when the bodies are displaced.
   *  \param displacement  one twist for each body, in its own frame
   */
  void add_reaction_derivatives(const VectorRef<Scalar>& lambda, const Indexed<Twist<Scalar>>& displacement,
                                ExternalWrenches<Scalar>& dF) const;

  /** \brief The derivative of \f$A\ddot q + \dot A\dot q\f$ along a change of the motion of the bodies.
   *  \param motion        a recursion at the state, accelerations included
   *  \param dV, dVdot     how its V and Vdot change   \param displacement  how the bodies are displaced
   *  \return              m numbers
   */
  VectorX<Scalar> acceleration_derivative(const Recursion<Scalar>& motion, const Indexed<Twist<Scalar>>& dV,
                                          const Indexed<Twist<Scalar>>& dVdot,
                                          const Indexed<Twist<Scalar>>& displacement) const;

private:
  struct Cut {
    std::string name;
    int first, second;   // bodies
    int common;          // the last body that carries both
    SE3<Scalar> X1, X2;  // the frames in them, turned so that z is the axis
    SO3<Scalar> turn;    // how they were turned
    std::array<bool, 3> slides;
    Turning turning;
    Scalar pitch;
    SE3<Scalar> T{};            // the second frame in the first
    Scalar reach{};             // the sum of the lengths on the way to it
    Twist<Scalar> V{}, Vdot{};  // relative, in the second frame, at no joint acceleration
  };

  static Vector3<Scalar> unit(int k) { return {Scalar(k == 0), Scalar(k == 1), Scalar(k == 2)}; }
  static void add_rows(const Loop& loop, int cut, Indexed<Row>& rows);
  void relative_motion(Cut& cut) const;
  Scalar reach(int body, const SE3<Scalar>& X) const;
  /// What two twists of bodies make of the second frame relative to the first, seen from the second.
  static Twist<Scalar> relative(const Cut& cut, const Indexed<Twist<Scalar>>& X)
  {
    return AdInv(cut.X2, X[cut.second]) - AdInv(cut.T, AdInv(cut.X1, X[cut.first]));
  }
  Scalar violation_of(const Row& row) const;
  Wrench<Scalar> fixed_part(const Row& row) const;
  Wrench<Scalar> along(const Row& row, const Vector3<Scalar>& axis) const;
  int common(int i, int j) const;
  void remove_rounding(int row, const Scalar& size);
  Scalar add_columns(int row, int body, const SE3<Scalar>& X, const Scalar& sign);

  Indexed<Cut> cuts_;
  Indexed<Row> rows_;
  VectorX<Scalar> no_qdd_;
};

template <typename Scalar>
Loops<Scalar>::Loops(const Model<Scalar>& model, const std::vector<Loop>& loops)
    : Base(model), no_qdd_(VectorX<Scalar>::Zero(model.nv()))
{
  set_gravity({});
  for (const Loop& loop : loops) {
    const auto vector = [](const std::array<double, 3>& x) {
      return Vector3<Scalar>{Scalar(x[0]), Scalar(x[1]), Scalar(x[2])};
    };
    const SO3<Scalar> turn = rotation_from_z(vector(loop.axis));
    const auto body = [&](const Loop::End& end) { return end.link.empty() ? 0 : model.link(end.link).body; };
    const auto frame = [&](const Loop::End& end) {
      const auto& e = end.quaternion;
      const SO3<Scalar> R(Quaternion<Scalar>{{Scalar(e[0]), Scalar(e[1]), Scalar(e[2])}, Scalar(e[3])});
      const SE3<Scalar> X{R * turn, vector(end.position)};
      return end.link.empty() ? X : model.link(end.link).X * X;
    };
    const Cut cut{loop.name,
                  body(loop.first),
                  body(loop.second),
                  common(body(loop.first), body(loop.second)),
                  frame(loop.first),
                  frame(loop.second),
                  turn,
                  loop.slides,
                  loop.turning,
                  Scalar(loop.pitch)};
    if (cut.first == cut.second)
      throw ModelError("loop '" + loop.name + "' joins the links '" + loop.first.link + "' and '" + loop.second.link +
                       "' of one rigid body; a loop needs two links that move against each other.");
    const std::size_t before = rows_.size();
    add_rows(loop, static_cast<int>(cuts_.size()), rows_);
    if (rows_.size() == before)
      throw ModelError("loop '" + loop.name + "' leaves all six directions free and constrains nothing.");
    cuts_.push_back(cut);
  }
  const int m = static_cast<int>(rows_.size());
  A = MatrixX<Scalar>::Zero(m, model.nv());
  Adot_qd = violation = VectorX<Scalar>::Zero(m);
  reaction.resize(m);
}

template <typename Scalar>
void Loops<Scalar>::operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd)
{
  detail::require_size("q", q, model_.nq());
  detail::require_size("qd", qd, model_.nv());
  for (const Body<Scalar>& body : model_.outward()) {
    place(body, q);
    carry_velocity(body, qd);
    carry_acceleration(body, no_qdd_);
  }
  for (Cut& cut : cuts_) relative_motion(cut);
  // [rows]
  // Each row is the power of one reaction on the relative twist.
  A.setZero();
  for (int m = 0; m < rows(); ++m) {
    const Row& row = rows_[m];
    const Cut& cut = cuts_[row.cut];
    const Vector3<Scalar> axis = cut.T.R.matrix.row(row.k);  // of the first frame, seen from the second
    reaction[m] = fixed_part(row) + along(row, axis);
    violation(m) = violation_of(row);
    Adot_qd(m) = pairing(reaction[m], cut.Vdot) + pairing(along(row, -cross(cut.V.w, axis)), cut.V);
    const Scalar second = add_columns(m, cut.second, cut.X2, Scalar(1));
    const Scalar first = add_columns(m, cut.first, cut.X1 * cut.T, Scalar(-1));
    remove_rounding(m, first + second);
  }
  // [rows]
}

// [relative-motion]
// The second frame seen from the first: T = T_1^{-1} T_2, and how that moves.
template <typename Scalar>
void Loops<Scalar>::relative_motion(Cut& cut) const
{
  const auto pose = [this](int body, SE3<Scalar> X) {
    for (const Body<Scalar>& a : model_.way_to_base(body)) X = T[a.index] * X;
    return X;
  };
  cut.T = inverse(pose(cut.first, cut.X1)) * pose(cut.second, cut.X2);
  cut.reach = this->reach(cut.first, cut.X1) + this->reach(cut.second, cut.X2);
  cut.V = relative(cut, V);
  cut.Vdot = relative(cut, Vdot) + ad(cut.V, AdInv(cut.T, AdInv(cut.X1, V[cut.first])));
}
// [relative-motion]

/// The lengths on the way from the base to a frame in a body.
template <typename Scalar>
Scalar Loops<Scalar>::reach(int body, const SE3<Scalar>& X) const
{
  const auto length = [](const Vector3<Scalar>& p) { return magnitude(p[0]) + magnitude(p[1]) + magnitude(p[2]); };
  Scalar sum = length(X.p);
  for (const Body<Scalar>& a : model_.way_to_base(body)) sum += length(T[a.index].p);
  return sum;
}

template <typename Scalar>
double Loops<Scalar>::rounding_of_row(int m) const
{
  const Cut& cut = cuts_[rows_[m].cut];
  const Scalar terms = rows_[m].kind == Row::slide ? cut.reach + magnitude(cut.pitch) : Scalar(1);
  return rounding<Scalar>(model_.nv()) * static_cast<double>(comparable(terms));
}

template <typename Scalar>
void Loops<Scalar>::add_rows(const Loop& loop, int cut, Indexed<Row>& rows)
{
  if (loop.turning == Turning::none)
    for (int k = 0; k < 3; ++k) rows.push_back({Row::angle, cut, k, 0});
  if (loop.turning == Turning::about_z)
    for (int j = 0; j < 2; ++j) rows.push_back({Row::normal, cut, 2, j});
  if (loop.turning == Turning::universal) rows.push_back({Row::normal, cut, 0, 1});
  for (int k = 0; const bool slides : loop.slides) {
    if (!slides) rows.push_back({Row::slide, cut, k, 0});
    ++k;
  }
}

// [reactions]
// How far a demand is from being met.
template <typename Scalar>
Scalar Loops<Scalar>::violation_of(const Row& row) const
{
  const Cut& cut = cuts_[row.cut];
  if (row.kind == Row::angle) return log(cut.T.R)[row.k];
  if (row.kind == Row::normal) return cut.T.R.matrix(row.k, row.j);
  return row.k == 2 && comparable(cut.pitch) != 0 ? Scalar(cut.T.p[2] - cut.pitch * log(cut.T.R)[2]) : cut.T.p[row.k];
}

// The wrench that enforces a demand, in the second frame: what of it does not depend on how the frames are turned,
template <typename Scalar>
Wrench<Scalar> Loops<Scalar>::fixed_part(const Row& row) const
{
  if (row.kind == Row::angle) return {unit(row.k), {}};
  if (row.kind == Row::slide && row.k == 2) return {-cuts_[row.cut].pitch * unit(2), {}};
  return {};
}

// and the rest, linear in the row's axis of the first frame.
template <typename Scalar>
Wrench<Scalar> Loops<Scalar>::along(const Row& row, const Vector3<Scalar>& axis) const
{
  if (row.kind == Row::angle) return {};
  if (row.kind == Row::normal) return {cross(unit(row.j), axis), {}};
  return {{}, axis};
}
// [reactions]

/// The last body that carries both; a parent has the smaller index.
template <typename Scalar>
int Loops<Scalar>::common(int i, int j) const
{
  while (i != j) (i > j ? i : j) = model_.body(i > j ? i : j).parent;
  return i;
}

/// What the joints that carry a body add to a row; X is the second frame of the loop, taken as fixed to that body.
/// Joints that carry both ends move neither against the other. Returns how large the wrench is on the way.
template <typename Scalar>
Scalar Loops<Scalar>::add_columns(int row, int body, const SE3<Scalar>& X, const Scalar& sign)
{
  Scalar largest(0);
  Wrench<Scalar> W = sign * coAdInv(X, reaction[row]);
  for (const Body<Scalar>& a : model_.way_to_base(body, cuts_[rows_[row].cut].common)) {
    Scalar columns[6], size(0);
    JointSegment<Scalar>{columns} = transpose(S[a.index]) * W;
    for (int k = 0; k < a.nv; ++k) A(row, a.v + k) += columns[k];
    for (int k = 0; k < 3; ++k) size += magnitude(W.m[k]) + magnitude(W.f[k]);
    if (nearly(size) > nearly(largest)) largest = size;
    W = coAdInv(T[a.index], W);
  }
  return largest;
}

/// A row of which only rounding is left beside its wrench is zero: no joint moves the loop that way. What encloses its
/// numbers keeps them as they are.
template <typename Scalar>
void Loops<Scalar>::remove_rounding(int row, const Scalar& size)
{
  if constexpr (Encloses<Scalar>) return;
  const auto limit = rounding<Scalar>(static_cast<int>(A.cols())) * comparable(size);
  for (int k = 0; k < A.cols(); ++k)
    if (comparable(magnitude(A(row, k))) > limit) return;
  A.row(row).setZero();
}

template <typename Scalar>
void Loops<Scalar>::add_reactions(const VectorRef<Scalar>& lambda, ExternalWrenches<Scalar>& F) const
{
  detail::require_size("lambda", lambda, rows());
  this->require_run("reaction");
  for (int row = 0; row < rows(); ++row) {
    const Cut& cut = cuts_[rows_[row].cut];
    const Wrench<Scalar> W = lambda(row) * reaction[row];
    F[cut.second] += coAdInv(cut.X2, W);
    F[cut.first] += -coAdInv(cut.X1 * cut.T, W);
  }
}

template <typename Scalar>
std::vector<Wrench<Scalar>> Loops<Scalar>::reactions(const VectorRef<Scalar>& lambda) const
{
  detail::require_size("lambda", lambda, rows());
  this->require_run("reaction");
  Indexed<Wrench<Scalar>> F(cuts_.size());
  for (int row = 0; row < rows(); ++row) F[rows_[row].cut] += lambda(row) * reaction[row];
  for (std::size_t k = 0; k < F.size(); ++k) F[k] = coAdInv(SE3<Scalar>{cuts_[k].turn, {}}, F[k]);
  return F;
}

template <typename Scalar>
void Loops<Scalar>::add_reaction_derivatives(const VectorRef<Scalar>& lambda,
                                             const Indexed<Twist<Scalar>>& displacement,
                                             ExternalWrenches<Scalar>& dF) const
{
  detail::require_size("lambda", lambda, rows());
  this->require_run("reaction");
  for (int m = 0; m < rows(); ++m) {
    const Cut& cut = cuts_[rows_[m].cut];
    const Twist<Scalar> zeta = relative(cut, displacement);
    const Wrench<Scalar> dW = along(rows_[m], -cross(zeta.w, cut.T.R.matrix.row(rows_[m].k)));
    dF[cut.second] += coAdInv(cut.X2, lambda(m) * dW);
    dF[cut.first] += -coAdInv(cut.X1 * cut.T, lambda(m) * (dW - coad(zeta, reaction[m])));
  }
}

template <typename Scalar>
VectorX<Scalar> Loops<Scalar>::acceleration_derivative(const Recursion<Scalar>& motion,
                                                       const Indexed<Twist<Scalar>>& dV,
                                                       const Indexed<Twist<Scalar>>& dVdot,
                                                       const Indexed<Twist<Scalar>>& displacement) const
{
  this->require_run("change of the constraints");
  VectorX<Scalar> change(rows());
  for (int m = 0; m < rows(); ++m) {
    const Row& row = rows_[m];
    const Cut& cut = cuts_[row.cut];
    const Twist<Scalar> zeta = relative(cut, displacement);
    const auto carried = [&](const Twist<Scalar>& X) { return AdInv(cut.T, AdInv(cut.X1, X)); };

    // The relative motion, and how it changes.
    const Twist<Scalar> V1 = carried(motion.V[cut.first]), dV1 = carried(dV[cut.first]) - ad(zeta, V1);
    const Twist<Scalar> Vdot1 = carried(motion.Vdot[cut.first]), dVdot1 = carried(dVdot[cut.first]) - ad(zeta, Vdot1);
    const Twist<Scalar> Vrel = relative(cut, motion.V), dVrel = AdInv(cut.X2, dV[cut.second]) - dV1;
    const Twist<Scalar> Vdotrel = relative(cut, motion.Vdot) + ad(Vrel, V1);
    const Twist<Scalar> dVdotrel = AdInv(cut.X2, dVdot[cut.second]) - dVdot1 + ad(dVrel, V1) + ad(Vrel, dV1);

    // The row, and how it changes.
    const Vector3<Scalar> axis = cut.T.R.matrix.row(row.k), daxis = -cross(zeta.w, axis);
    const Wrench<Scalar> Wdot = along(row, -cross(Vrel.w, axis));
    const Wrench<Scalar> dWdot = along(row, -(cross(dVrel.w, axis) + cross(Vrel.w, daxis)));
    change(m) = pairing(along(row, daxis), Vdotrel) + pairing(reaction[m], dVdotrel) + pairing(dWdot, Vrel) +
                pairing(Wdot, dVrel);
  }
  return change;
}

}  // namespace articulate
