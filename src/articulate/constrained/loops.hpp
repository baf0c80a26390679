/** \file
 *  \brief Loops: the constraints that joints, cut to leave a tree, impose on its motion.
 *
 *  - Paper: Kim 2012, section 3, \eq{kim,55}.
 *  - Chapter: \ref constrained
 */
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
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

  /// \brief What a row requires of the second frame, seen from the first.
  struct Row {
    enum Kind {
      angle,      ///< no rotation about the k-th axis, when all rotations are forbidden
      normal,     ///< the k-th axis of the first frame stays normal to the j-th of the second
      slide,      ///< no translation along the k-th axis of the first frame
      coordinate  ///< the coordinate of a joint follows that of another
    } kind;
    int cut, k, j;  ///< cut: which, see cuts_of()
  };

  MatrixX<Scalar> A;                 ///< m x nv: loop by loop the forbidden rotations, then the translations
  VectorX<Scalar> Adot_qd;           ///< m: \f$\dot A\dot q\f$
  VectorX<Scalar> violation;         ///< m: how far each constraint is from being met (m, rad)
  Indexed<Wrench<Scalar>> reaction;  ///< m: the wrench of each row on the second link, in the second frame

  /** \brief Find the frames.
   *
   *  Of coupled joints the first frame is that of the follower's parent, the second that of its body, z along the axis;
   *  the same of its leader.
   *  \throws ModelError for a joint that does not exist, a loop that closes on one body or constrains nothing, one with a
   *          number that is not finite, an axis or a quaternion of zeros, a coupling of joints other than one-DoF joints,
   *          or of a joint with itself; StateError for a link that does not exist
   */
  Loops(const Model<Scalar>& model, const std::vector<Loop>& loops);

  int rows() const { return static_cast<int>(violation.size()); }
  const Row& row(int m) const { return rows_[m]; }
  /// \brief Whether a row is a length (m, its multiplier a force in N), not an angle (rad, N m).
  bool is_length(int m) const
  {
    const Row& row = rows_[m];
    return row.kind == Row::slide || (row.kind == Row::coordinate && cuts_[row.cut].slides[2]);
  }
  const std::string& name_of_row(int row) const { return cuts_[rows_[row].cut].name; }

  /** \brief What rounding may leave of a violation: 100 n eps of the terms that cancel in it (m, rad).
   *
   *  A translation is a sum of lengths along both paths to the cut; an angle is made of products of unit vectors.
   */
  double rounding_of_row(int m) const;

  /// \brief Whether every row is met to the precision of the scalar.
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

  /** \brief The wrenches on the bodies, in body frames, that multipliers represent: \f$A^{\mathsf T}\lambda\f$ as forces.
   *  \throws StateError before the first run, as the two below
   */
  void add_reactions(const VectorRef<Scalar>& lambda, ExternalWrenches<Scalar>& F) const;

  /** \brief The wrench that multipliers put on the second link of each loop, in the second frame as the loop gives it.
   *
   *  The first link gets the opposite. Loops keep their order. Of coupled joints it is on the link that the follower
   *  carries, in the frame of that link.
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
    Scalar pitch{};
    int q = -1;                 // of a coupled joint: which coordinate,
    Scalar factor{1};           // what its row counts it with,
    Scalar coordinate{};        // its value,
    Scalar offset{};            // and of the follower the offset
    SE3<Scalar> T{};            // the second frame in the first
    Scalar reach{};             // the sum of the lengths on the path to it
    Twist<Scalar> V{}, Vdot{};  // relative, in the second frame, at no joint acceleration
  };

  static Vector3<Scalar> unit(int k) { return {Scalar(k == 0), Scalar(k == 1), Scalar(k == 2)}; }
  static Vector3<Scalar> vector(const std::array<double, 3>& x) { return {Scalar(x[0]), Scalar(x[1]), Scalar(x[2])}; }
  void require_sound(const Loop& loop) const;
  Cut cut_of(const Loop& loop) const;
  Cut cut_of(const Loop& loop, const std::string& joint, double factor) const;
  static void add_rows(const Loop& loop, int cut, Indexed<Row>& rows);
  /// The cut that a row is about; of coupled joints both, each of them as if it were cut.
  std::span<const Cut> cuts_of(const Row& row) const
  {
    return {&cuts_[row.cut], row.kind == Row::coordinate ? std::size_t(2) : 1};
  }
  /// r_k: an axis of the first frame, seen from the second.
  static Vector3<Scalar> axis_of(const Row& row, const Cut& cut) { return cut.T.R.matrix.row(row.k); }
  void relative_motion(Cut& cut) const;
  Scalar reach(int body, int common, const SE3<Scalar>& X) const;
  /// The twist of the second frame relative to the first, seen from the second, for two twists of bodies.
  static Twist<Scalar> relative(const Cut& cut, const Indexed<Twist<Scalar>>& X)
  {
    return AdInv(cut.X2, X[cut.second]) - AdInv(cut.T, AdInv(cut.X1, X[cut.first]));
  }
  Scalar violation_of(const Row& row) const;
  static Wrench<Scalar> fixed_part(const Row& row, const Cut& cut);
  static Wrench<Scalar> along(const Row& row, const Vector3<Scalar>& axis);
  static Wrench<Scalar> wrench(const Row& row, const Cut& cut)
  {
    return fixed_part(row, cut) + along(row, axis_of(row, cut));
  }
  int common(int i, int j) const;
  void remove_rounding(int row, const Scalar& size);
  Scalar add_columns(int row, int common, int body, Wrench<Scalar> W);

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
    const int cut = static_cast<int>(cuts_.size());
    if (loop.coupling) {
      const auto& [joint, follows] = *loop.coupling;
      cuts_.push_back(cut_of(loop, joint, 1));
      cuts_.push_back(cut_of(loop, follows.joint, -follows.multiplier));
      if (cuts_[cut].q == cuts_[cut + 1].q)
        throw ModelError("loop '" + loop.name + "' couples the joint '" + joint +
                         "' with itself; another joint must lead.");
      if (!std::isfinite(follows.multiplier) || !std::isfinite(follows.offset))
        throw ModelError("loop '" + loop.name + "' has a multiplier or an offset that is not a finite number.");
      rows_.push_back({Row::coordinate, cut, 0, 0});
      cuts_[cut].offset = Scalar(follows.offset);
      continue;
    }
    require_sound(loop);
    cuts_.push_back(cut_of(loop));
    const std::size_t before = rows_.size();
    add_rows(loop, cut, rows_);
    if (rows_.size() == before)
      throw ModelError("loop '" + loop.name + "' leaves all six directions free and constrains nothing.");
  }
  const int m = static_cast<int>(rows_.size());
  A = MatrixX<Scalar>::Zero(m, model.nv());
  Adot_qd = violation = VectorX<Scalar>::Zero(m);
  reaction.resize(m);
}

/// What is asked of a joint, too, by detail::check_joint().
template <typename Scalar>
void Loops<Scalar>::require_sound(const Loop& loop) const
{
  const Mechanism& mechanism = model_.mechanism();
  const std::string element = "loop '" + loop.name + "'";
  const auto& a = loop.axis;
  for (const Loop::End* end : {&loop.first, &loop.second}) {
    const auto& p = end->position;
    const auto& q = end->quaternion;
    detail::require_finite(mechanism, element, "position", {p[0], p[1], p[2]});
    detail::require_finite(mechanism, element, "rotation", {q[0], q[1], q[2], q[3]});
    if (detail::all_zero({q[0], q[1], q[2], q[3]}))
      detail::refuse(mechanism, element + " has the quaternion 0 0 0 0; a rotation has length one.");
  }
  detail::require_finite(mechanism, element, "pitch", {loop.pitch});
  detail::require_finite(mechanism, element, "axis", {a[0], a[1], a[2]});
  if (detail::all_zero({a[0], a[1], a[2]}))
    detail::refuse(mechanism, element + " has the axis 0 0 0; an axis needs a direction of non-zero length.");
}

template <typename Scalar>
typename Loops<Scalar>::Cut Loops<Scalar>::cut_of(const Loop& loop) const
{
  const SO3<Scalar> turn = rotation_from_z(vector(loop.axis));
  const auto body = [&](const Loop::End& end) { return end.link.empty() ? 0 : model_.link(end.link).body; };
  const auto frame = [&](const Loop::End& end) {
    const auto& e = end.quaternion;
    const SO3<Scalar> R(Quaternion<Scalar>{{Scalar(e[0]), Scalar(e[1]), Scalar(e[2])}, Scalar(e[3])});
    const SE3<Scalar> X{R * turn, vector(end.position)};
    return end.link.empty() ? X : model_.link(end.link).X * X;
  };
  const int first = body(loop.first), second = body(loop.second);
  if (first == second)
    throw ModelError("loop '" + loop.name + "' joins the links '" + loop.first.link + "' and '" + loop.second.link +
                     "' of one rigid body; a loop needs two links that move against each other.");
  return {loop.name,          first, second,      common(first, second), frame(loop.first),
          frame(loop.second), turn,  loop.slides, loop.turning,          Scalar(loop.pitch)};
}

/// A coupled joint, between the body that it carries and the parent of that body.
template <typename Scalar>
typename Loops<Scalar>::Cut Loops<Scalar>::cut_of(const Loop& loop, const std::string& joint, double factor) const
{
  const auto refuse = [&](const std::string& reason) {
    throw ModelError("loop '" + loop.name + "' couples the joint '" + joint + "', " + reason + ".");
  };
  const auto has_its_name = [&](const auto& one) { return one.name == joint; };
  const auto described = std::find_if(model_.mechanism().joints.begin(), model_.mechanism().joints.end(), has_its_name);
  if (described == model_.mechanism().joints.end()) refuse("and there is none of that name");
  const auto slot = std::find_if(model_.joints().begin(), model_.joints().end(), has_its_name);
  if (slot == model_.joints().end() || slot->nq != 1)
    refuse(slot == model_.joints().end()
               ? "which is fixed; only joints of one degree of freedom are coupled"
               : "which has " + std::to_string(slot->nv) + " degrees of freedom; only joints of one are coupled");
  const int body = slot->body, parent = model_.body(body).parent;
  const bool slides = slot->type == JointType::prismatic;
  Cut cut{loop.name,
          parent,
          body,
          parent,
          SE3<Scalar>{},
          SE3<Scalar>{},
          inverse(model_.link(described->child).X).R,
          {false, false, slides},
          slides ? Turning::none : Turning::about_z};
  cut.q = slot->q;
  cut.factor = Scalar(factor);
  return cut;
}

template <typename Scalar>
void Loops<Scalar>::operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd)
{
  detail::require_size("q", q, model_.nq());
  detail::require_size("qd", qd, model_.nv());
  place(q);
  for (const Body<Scalar>& body : model_.outward()) {
    carry_velocity(body, qd);
    carry_acceleration(body, no_qdd_);
  }
  for (Cut& cut : cuts_) {
    relative_motion(cut);
    if (cut.q >= 0) cut.coordinate = q(cut.q);
  }
  // [rows]
  // Each row is the power of one reaction on the relative twist.
  A.setZero();
  for (int m = 0; m < rows(); ++m) {
    const Row& row = rows_[m];
    violation(m) = violation_of(row);
    reaction[m] = wrench(row, cuts_[row.cut]);
    Adot_qd(m) = Scalar(0);
    Scalar size(0);
    for (const Cut& cut : cuts_of(row)) {
      const Wrench<Scalar> W = wrench(row, cut);
      Adot_qd(m) += pairing(W, cut.Vdot) + pairing(along(row, -cross(cut.V.w, axis_of(row, cut))), cut.V);
      size += add_columns(m, cut.common, cut.second, coAdInv(cut.X2, W));
      size += add_columns(m, cut.common, cut.first, -coAdInv(cut.X1 * cut.T, W));
    }
    remove_rounding(m, size);
  }
  // [rows]
}

// [relative-motion]
// The second frame seen from the first, T = T_1^{-1} T_2 with both as the last body sees them that carries both: where that
// stands costs no digit. And how it moves.
template <typename Scalar>
void Loops<Scalar>::relative_motion(Cut& cut) const
{
  const auto pose = [&](int body, SE3<Scalar> X) {
    for (const Body<Scalar>& a : model_.way_to_base(body, cut.common)) X = T[a.index] * X;
    return X;
  };
  cut.T = inverse(pose(cut.first, cut.X1)) * pose(cut.second, cut.X2);
  cut.reach = reach(cut.first, cut.common, cut.X1) + reach(cut.second, cut.common, cut.X2);
  cut.V = relative(cut, V);
  cut.Vdot = relative(cut, Vdot) + ad(cut.V, AdInv(cut.T, AdInv(cut.X1, V[cut.first])));
}
// [relative-motion]

/// The lengths on the path from a body that carries it to a frame in a body.
template <typename Scalar>
Scalar Loops<Scalar>::reach(int body, int common, const SE3<Scalar>& X) const
{
  const auto length = [](const Vector3<Scalar>& p) { return magnitude(p[0]) + magnitude(p[1]) + magnitude(p[2]); };
  Scalar sum = length(X.p);
  for (const Body<Scalar>& a : model_.way_to_base(body, common)) sum += length(T[a.index].p);
  return sum;
}

template <typename Scalar>
double Loops<Scalar>::rounding_of_row(int m) const
{
  const Cut& cut = cuts_[rows_[m].cut];
  Scalar terms(1);
  if (rows_[m].kind == Row::slide) terms = cut.reach + magnitude(cut.pitch);
  if (rows_[m].kind == Row::coordinate) {
    terms = magnitude(cut.offset);
    for (const Cut& one : cuts_of(rows_[m])) terms += magnitude(Scalar(one.factor * one.coordinate));
  }
  // What underflows is off by less than the least normal number.
  return rounding<Scalar>(model_.nv()) * static_cast<double>(comparable(terms)) + std::numeric_limits<double>::min();
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
// How far a condition is from being met.
template <typename Scalar>
Scalar Loops<Scalar>::violation_of(const Row& row) const
{
  const Cut& cut = cuts_[row.cut];
  if (row.kind == Row::coordinate) {
    const Cut& leader = cuts_of(row)[1];
    return cut.coordinate + leader.factor * leader.coordinate - cut.offset;
  }
  if (row.kind == Row::angle) return log(cut.T.R)[row.k];
  if (row.kind == Row::normal) return cut.T.R.matrix(row.k, row.j);
  if (row.k != 2 || comparable(cut.pitch) == 0) return cut.T.p[row.k];
  // Turned back by what its travel asks for: a pose does not know how often a screw has turned.
  const Scalar turn = cut.T.p[2] / cut.pitch;
  return -cut.pitch * log(cut.T.R * exp(-turn * unit(2)))[2];
}

// The wrench that enforces a condition, in the second frame: the part that does not depend on the frames' orientation,
template <typename Scalar>
Wrench<Scalar> Loops<Scalar>::fixed_part(const Row& row, const Cut& cut)
{
  if (row.kind == Row::angle) return {unit(row.k), {}};
  if (row.kind == Row::slide && row.k == 2) return {-cut.pitch * unit(2), {}};
  if (row.kind == Row::coordinate && cut.slides[2]) return {{}, cut.factor * unit(2)};
  if (row.kind == Row::coordinate) return {cut.factor * unit(2), {}};
  return {};
}

// and the part that is linear in the row's axis of the first frame.
template <typename Scalar>
Wrench<Scalar> Loops<Scalar>::along(const Row& row, const Vector3<Scalar>& axis)
{
  if (row.kind == Row::angle || row.kind == Row::coordinate) return {};
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

// [add-columns]
/// Add to a row what a wrench on a body gives at the joints that carry it. Joints that carry both ends move neither against the
/// other. Returns how large the wrench becomes on the path.
template <typename Scalar>
Scalar Loops<Scalar>::add_columns(int row, int common, int body, Wrench<Scalar> W)
{
  Scalar largest(0);
  for (const Body<Scalar>& a : model_.way_to_base(body, common)) {
    Scalar columns[6], size(0);
    JointSegment<Scalar>{columns} = transpose(S[a.index]) * W;
    for (int k = 0; k < a.nv; ++k) A(row, a.v + k) += columns[k];
    for (int k = 0; k < 3; ++k) size += magnitude(W.m[k]) + magnitude(W.f[k]);
    if (nearly(size) > nearly(largest)) largest = size;
    W = coAdInv(T[a.index], W);
  }
  return largest;
}
// [add-columns]

/// A row that is only rounding beside its wrench is set to zero: no joint moves the loop so. What encloses its
/// numbers keeps them as they are.
template <typename Scalar>
void Loops<Scalar>::remove_rounding(int row, const Scalar& size)
{
  if constexpr (Encloses<Scalar>) return;
  const auto limit = rounding<Scalar>(static_cast<int>(A.cols())) * comparable(size);
  for (int k = 0; k < A.cols(); ++k)
    if (!(comparable(magnitude(A(row, k))) <= limit)) return;  // nor is what is no number
  A.row(row).setZero();
}

// [reactions-act]
template <typename Scalar>
void Loops<Scalar>::add_reactions(const VectorRef<Scalar>& lambda, ExternalWrenches<Scalar>& F) const
{
  detail::require_size("lambda", lambda, rows());
  detail::require_size("F", F, model_.bodies() + 1);
  this->require_run("reaction");
  for (int m = 0; m < rows(); ++m)
    for (const Cut& cut : cuts_of(rows_[m])) {
      const Wrench<Scalar> W = lambda(m) * wrench(rows_[m], cut);
      F[cut.second] += coAdInv(cut.X2, W);
      F[cut.first] += -coAdInv(cut.X1 * cut.T, W);
    }
}
// [reactions-act]

template <typename Scalar>
std::vector<Wrench<Scalar>> Loops<Scalar>::reactions(const VectorRef<Scalar>& lambda) const
{
  detail::require_size("lambda", lambda, rows());
  this->require_run("reaction");
  Indexed<Wrench<Scalar>> F;
  for (int m = 0; m < rows(); ++m) {
    const int cut = rows_[m].cut;
    if (m == 0 || cut != rows_[m - 1].cut) F.push_back({});
    F.back() += lambda(m) * coAdInv(SE3<Scalar>{cuts_[cut].turn, {}}, reaction[m]);
  }
  return F;
}

// [rate-of-rows]
template <typename Scalar>
void Loops<Scalar>::add_reaction_derivatives(const VectorRef<Scalar>& lambda,
                                             const Indexed<Twist<Scalar>>& displacement,
                                             ExternalWrenches<Scalar>& dF) const
{
  detail::require_size("lambda", lambda, rows());
  detail::require_size("displacement", displacement, model_.bodies() + 1);
  detail::require_size("dF", dF, model_.bodies() + 1);
  this->require_run("reaction");
  for (int m = 0; m < rows(); ++m)
    for (const Cut& cut : cuts_of(rows_[m])) {
      const Row& row = rows_[m];
      const Twist<Scalar> zeta = relative(cut, displacement);
      const Wrench<Scalar> dW = along(row, -cross(zeta.w, axis_of(row, cut)));
      dF[cut.second] += coAdInv(cut.X2, lambda(m) * dW);
      dF[cut.first] += -coAdInv(cut.X1 * cut.T, lambda(m) * (dW - coad(zeta, wrench(row, cut))));
    }
}

template <typename Scalar>
VectorX<Scalar> Loops<Scalar>::acceleration_derivative(const Recursion<Scalar>& motion,
                                                       const Indexed<Twist<Scalar>>& dV,
                                                       const Indexed<Twist<Scalar>>& dVdot,
                                                       const Indexed<Twist<Scalar>>& displacement) const
{
  this->require_run("change of the constraints");
  VectorX<Scalar> change = VectorX<Scalar>::Zero(rows());
  for (int m = 0; m < rows(); ++m)
    for (const Cut& cut : cuts_of(rows_[m])) {
      const Row& row = rows_[m];
      const Twist<Scalar> zeta = relative(cut, displacement);
      const auto carried = [&](const Twist<Scalar>& X) { return AdInv(cut.T, AdInv(cut.X1, X)); };

      // The relative motion, and how it changes.
      const Twist<Scalar> V1 = carried(motion.V[cut.first]), dV1 = carried(dV[cut.first]) - ad(zeta, V1);
      const Twist<Scalar> Vdot1 = carried(motion.Vdot[cut.first]), dVdot1 = carried(dVdot[cut.first]) - ad(zeta, Vdot1);
      const Twist<Scalar> Vrel = relative(cut, motion.V), dVrel = AdInv(cut.X2, dV[cut.second]) - dV1;
      const Twist<Scalar> Vdotrel = relative(cut, motion.Vdot) + ad(Vrel, V1);
      const Twist<Scalar> dVdotrel = AdInv(cut.X2, dVdot[cut.second]) - dVdot1 + ad(dVrel, V1) + ad(Vrel, dV1);

      // The row, and how it changes.
      const Vector3<Scalar> axis = axis_of(row, cut), daxis = -cross(zeta.w, axis);
      const Wrench<Scalar> Wdot = along(row, -cross(Vrel.w, axis));
      const Wrench<Scalar> dWdot = along(row, -(cross(dVrel.w, axis) + cross(Vrel.w, daxis)));
      change(m) += pairing(along(row, daxis), Vdotrel) + pairing(wrench(row, cut), dVdotrel) + pairing(dWdot, Vrel) +
                   pairing(Wdot, dVrel);
    }
  return change;
}
// [rate-of-rows]

}  // namespace articulate
