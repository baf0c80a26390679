/** \file
 *  \brief Loops: joints that were cut to leave a tree, put back as constraints.
 *
 *  - Paper: Kim 2012, section 3, \eq{kim,55}.
 *  - Chapter: \ref constrained
 */
#pragma once
#include <string>
#include <vector>
#include <articulate/model/recursion.hpp>

namespace articulate {

/// \brief How the second frame of a cut joint may turn in the first.
enum class Turning {
  none,
  about_z,    ///< the z axes stay parallel
  universal,  ///< the x axis of the first stays normal to the y axis of the second
  free
};

/** \brief A joint that closes a loop, between frames of two links.
 *
 *  The origin of the second frame may slide along axes of the first; the second frame may turn. All of that is seen from
 *  frames whose z axes are turned to `axis`.
 */
struct Loop {
  struct End {
    std::string link;
    std::array<double, 3> position{};              ///< of the frame in the link's, m
    std::array<double, 4> quaternion{0, 0, 0, 1};  ///< x y z w of the frame in the link's
  };
  std::string name;
  End first, second;
  std::array<double, 3> axis{0, 0, 1};  ///< in either frame
  std::array<bool, 3> slides{};         ///< along x, y, z
  Turning turning = Turning::none;
  double pitch = 0;  ///< m/rad: with Turning::about_z and no slide along z, the slide that goes with the turn
};

/** \brief The loop that a joint of a known type closes.
 *  \throws ModelError for a floating joint, which constrains nothing
 */
inline Loop cut_joint(const std::string& name, JointType type, const Loop::End& first, const Loop::End& second,
                      const std::array<double, 3>& axis = {0, 0, 1}, double pitch = 0)
{
  Loop loop{name, first, second};
  if (has_axis(type)) loop.axis = axis;
  switch (type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
    case JointType::continuous:
      loop.turning = Turning::about_z;
      break;
    case JointType::prismatic:
      loop.slides = {false, false, true};
      break;
    case JointType::helical:
      loop.turning = Turning::about_z, loop.pitch = pitch;
      break;
    case JointType::universal:
      loop.turning = Turning::universal;
      break;
    case JointType::cylindrical:
      loop.turning = Turning::about_z, loop.slides = {false, false, true};
      break;
    case JointType::planar:
      loop.turning = Turning::about_z, loop.slides = {true, true, false};
      break;
    case JointType::euler_ball:
    case JointType::ball:
      loop.turning = Turning::free;
      break;
    case JointType::euler_free:
    case JointType::floating:
      throw ModelError("loop '" + name + "' is a free joint, which constrains nothing; leave it out.");
  }
  return loop;
}

/** \brief The constraints of some loops at a state: \f$A\dot q = 0\f$ and \f$A\ddot q + \dot A\dot q = 0\f$ \eq{kim,55}.
 *
 *  A row of A is a wrench that the cut joint can transmit, paired with the twist of its second frame relative to its
 *  first; so a multiplier is the size of that wrench, and everything follows from twists.
 */
template <typename Scalar>
class Loops : public Recursion<Scalar> {
public:
  MatrixX<Scalar> A;                     ///< m x nv
  VectorX<Scalar> Adot_qd;               ///< m: \f$\dot A\dot q\f$
  VectorX<Scalar> violation;             ///< m: how far each constraint is from being met (m, rad)
  std::vector<Wrench<Scalar>> reaction;  ///< m: the wrench of each row on the second link, in the second frame

  /** \brief Find the frames.
   *  \throws ModelError for a link that does not exist, or a loop that closes on one body or constrains nothing
   */
  Loops(const Model<Scalar>& model, const std::vector<Loop>& loops);
  Loops(Model<Scalar>&&, const std::vector<Loop>&) = delete;  // the model must outlive the recursion

  int rows() const { return static_cast<int>(violation.size()); }
  const std::string& name_of_row(int row) const { return cuts_[loop_of_row_[row]].name; }

  /** \brief Everything at a state.
   *  \param q   nq coordinates   \param qd  nv joint rates
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd);

  /// \brief The wrenches on the bodies, in body frames, that multipliers stand for: \f$A^{\mathsf T}\lambda\f$ as forces.
  void add_reactions(const VectorRef<Scalar>& lambda, ExternalWrenches<Scalar>& F) const;

private:
  struct Cut {
    std::string name;
    int first, second;   // bodies
    SE3<Scalar> X1, X2;  // the frames in them
    std::array<bool, 3> slides;
    Turning turning;
    Scalar pitch;
    SE3<Scalar> T{};            // the second frame in the first
    Twist<Scalar> V{}, Vdot{};  // relative, in the second frame, at no joint acceleration
  };

  void relative_motion(Cut& cut) const;
  int put_rows(const Cut& cut, int row);
  void put_row(const Cut& cut, int row, const Wrench<Scalar>& W, const Wrench<Scalar>& Wdot,
               const Scalar& violation_of);
  void add_columns(int row, int body, SE3<Scalar> X, const Scalar& sign);

  std::vector<Cut> cuts_;
  std::vector<int> loop_of_row_;
  VectorX<Scalar> no_qdd_;
};

template <typename Scalar>
Loops<Scalar>::Loops(const Model<Scalar>& model, const std::vector<Loop>& loops)
    : Recursion<Scalar>(model), no_qdd_(VectorX<Scalar>::Zero(model.nv()))
{
  this->set_gravity({});
  for (const Loop& loop : loops) {
    const auto vector = [](const std::array<double, 3>& x) {
      return Vector3<Scalar>{Scalar(x[0]), Scalar(x[1]), Scalar(x[2])};
    };
    const SO3<Scalar> turn = rotation_from_z(vector(loop.axis));
    const auto frame = [&](const Loop::End& end) {
      const auto& e = end.quaternion;
      const SO3<Scalar> R(Quaternion<Scalar>{{Scalar(e[0]), Scalar(e[1]), Scalar(e[2])}, Scalar(e[3])});
      return model.link(end.link).X * SE3<Scalar>{R * turn, vector(end.position)};
    };
    const Cut cut{loop.name,
                  model.link(loop.first.link).body,
                  model.link(loop.second.link).body,
                  frame(loop.first),
                  frame(loop.second),
                  loop.slides,
                  loop.turning,
                  Scalar(loop.pitch)};
    if (cut.first == cut.second)
      throw ModelError("loop '" + loop.name + "' joins the links '" + loop.first.link + "' and '" + loop.second.link +
                       "' of one rigid body; a loop needs two links that move against each other.");
    const int turns[] = {3, 2, 1, 0};
    int rows = turns[static_cast<int>(loop.turning)];
    for (const bool slides : loop.slides) rows += !slides;
    if (rows == 0) throw ModelError("loop '" + loop.name + "' leaves all six directions free and constrains nothing.");
    loop_of_row_.insert(loop_of_row_.end(), rows, static_cast<int>(cuts_.size()));
    cuts_.push_back(cut);
  }
  const int m = static_cast<int>(loop_of_row_.size());
  A = MatrixX<Scalar>::Zero(m, model.nv());
  Adot_qd = violation = VectorX<Scalar>::Zero(m);
  reaction.resize(m);
}

template <typename Scalar>
void Loops<Scalar>::operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd)
{
  const Model<Scalar>& model = this->model();
  detail::require_size("q", q, model.nq());
  detail::require_size("qd", qd, model.nv());
  for (int i = 1; i <= model.bodies(); ++i) {
    const Body<Scalar>& body = model.body(i);
    this->place(body, q.data());
    this->carry_velocity(body, qd.data());
    this->carry_acceleration(body, no_qdd_.data());
  }
  A.setZero();
  int row = 0;
  for (Cut& cut : cuts_) {
    relative_motion(cut);
    row = put_rows(cut, row);
  }
}

// [relative-motion]
/// The second frame seen from the first: T = T_1^{-1} T_2, and how that moves.
template <typename Scalar>
void Loops<Scalar>::relative_motion(Cut& cut) const
{
  const auto pose = [this](int body, SE3<Scalar> X) {
    for (int i = body; i > 0; i = this->model().body(i).parent) X = this->T[i] * X;
    return X;
  };
  cut.T = inverse(pose(cut.first, cut.X1)) * pose(cut.second, cut.X2);
  const Twist<Scalar> V1 = AdInv(cut.T, AdInv(cut.X1, this->V[cut.first]));
  const Twist<Scalar> Vdot1 = AdInv(cut.T, AdInv(cut.X1, this->Vdot[cut.first]));
  cut.V = AdInv(cut.X2, this->V[cut.second]) - V1;
  cut.Vdot = AdInv(cut.X2, this->Vdot[cut.second]) - Vdot1 + ad(cut.V, V1);
}
// [relative-motion]

// [reactions]
/// A row for every wrench that the cut joint can transmit.
template <typename Scalar>
int Loops<Scalar>::put_rows(const Cut& cut, int row)
{
  const Vector3<Scalar> e[] = {
      {Scalar(1), Scalar(0), Scalar(0)}, {Scalar(0), Scalar(1), Scalar(0)}, {Scalar(0), Scalar(0), Scalar(1)}};
  const Matrix3<Scalar>& R = cut.T.R.R;
  const Vector3<Scalar>& w = cut.V.w;
  // The k-th axis of the first frame stays normal to the j-th of the second: R(k, j) = 0.
  const auto put_normal = [&](int k, int j) {
    const Vector3<Scalar> axis = R.row(k);
    put_row(cut, row++, {cross(e[j], axis), {}}, {cross(e[j], -cross(w, axis)), {}}, axis[j]);
  };
  if (cut.turning == Turning::none) {
    const Vector3<Scalar> angle = log(cut.T.R);
    for (int k = 0; k < 3; ++k) put_row(cut, row++, {e[k], {}}, {}, angle[k]);
  } else if (cut.turning == Turning::about_z) {
    put_normal(2, 0);
    put_normal(2, 1);
  } else if (cut.turning == Turning::universal) {
    put_normal(0, 1);
  }
  for (int k = 0; k < 3; ++k) {
    if (cut.slides[k]) continue;
    const Vector3<Scalar> axis = R.row(k);  // the k-th axis of the first frame
    Wrench<Scalar> W{{}, axis};
    Scalar distance = cut.T.p[k];
    if (k == 2 && cut.turning == Turning::about_z) {
      W.m = -cut.pitch * e[2];
      distance -= cut.pitch * log(cut.T.R)[2];
    }
    put_row(cut, row++, W, {{}, -cross(w, axis)}, distance);
  }
  return row;
}

/// One row of A: the power of the wrench W on the relative twist.
template <typename Scalar>
void Loops<Scalar>::put_row(const Cut& cut, int row, const Wrench<Scalar>& W, const Wrench<Scalar>& Wdot,
                            const Scalar& violation_of)
{
  reaction[row] = W;
  violation(row) = violation_of;
  Adot_qd(row) = power(W, cut.Vdot) + power(Wdot, cut.V);
  add_columns(row, cut.second, cut.X2, Scalar(1));
  add_columns(row, cut.first, cut.X1 * cut.T, Scalar(-1));
}

/// What the joints that carry a body add to a row; X is the second frame of the loop, seen as fixed to that body.
template <typename Scalar>
void Loops<Scalar>::add_columns(int row, int body, SE3<Scalar> X, const Scalar& sign)
{
  Wrench<Scalar> W = sign * coAdInv(X, reaction[row]);
  for (int i = body; i > 0; i = this->model().body(i).parent) {
    Scalar columns[6];
    this->S[i].project(W, columns);
    for (int k = 0; k < this->model().body(i).nv; ++k) A(row, this->model().body(i).v + k) += columns[k];
    W = coAdInv(this->T[i], W);
  }
}
// [reactions]

template <typename Scalar>
void Loops<Scalar>::add_reactions(const VectorRef<Scalar>& lambda, ExternalWrenches<Scalar>& F) const
{
  detail::require_size("lambda", lambda, rows());
  for (int row = 0; row < rows(); ++row) {
    const Cut& cut = cuts_[loop_of_row_[row]];
    const Wrench<Scalar> W = lambda(row) * reaction[row];
    F[cut.second] += coAdInv(cut.X2, W);
    F[cut.first] += -coAdInv(cut.X1 * cut.T, W);
  }
}

}  // namespace articulate
