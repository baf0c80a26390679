/** \file
 *  \brief The model: bodies in order, each with its joint, its inertia and its place, checked once and never changed.
 *
 *  - Papers: Kim 2012, section 2, the symbols before Table 2; Park 1995, \eq{park,23}.
 *  - Chapter: \ref model
 *  - Bodies are numbered 1 to N from the base outward, body 0 is the world, as in the papers.
 */
#pragma once
#include <algorithm>
#include <Eigen/Jacobi>
#include <span>
#include <type_traits>
#include <articulate/model/moved_mass.hpp>  // which joints move mass
#include <articulate/model/tree.hpp>

namespace articulate {

/// \brief The bodies from one body to the base, each followed by its parent; the world is the end.
template <typename Scalar>
class WayToBase {
public:
  class Iterator {
  public:
    Iterator(const Body<Scalar>* world, int i) : world_(world), i_(i) {}
    const Body<Scalar>& operator*() const { return world_[i_]; }
    Iterator& operator++()
    {
      i_ = world_[i_].parent;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return i_ != other.i_; }

  private:
    const Body<Scalar>* world_;
    int i_;
  };

  WayToBase(const Body<Scalar>* world, int from, int to) : begin_(world, from), end_(world, to) {}
  Iterator begin() const { return begin_; }
  Iterator end() const { return end_; }

private:
  Iterator begin_, end_;
};

/// \brief The moving bodies from the tips to the base.
template <typename Scalar>
struct Inward {
  std::span<const Body<Scalar>> bodies;
  auto begin() const { return bodies.rbegin(); }
  auto end() const { return bodies.rend(); }
};

/** \brief A tree of bodies, immutable: copies share their contents, and every algorithm keeps a copy of its model.
 *
 *  A model with another scalar is made from the same description: the stored binary64 numbers are converted exactly, and
 *  axes and quaternions are normalised in the new scalar.
 */
template <typename Scalar>
class Model {
public:
  /** \brief Check a mechanism and make its model.
   *  \throws ModelError in one sentence: no tree, a zero axis, a negative mass, an inertia that no mass distribution has
   */
  explicit Model(const Mechanism& mechanism, const ModelOptions& options = {})
  {
    auto contents = std::make_shared<Contents>(std::make_shared<const Tree>(plan(mechanism, options)));
    contents->check_physical();
    contents->check_moved_mass();
    contents_ = std::move(contents);
  }

  /// \brief The same mechanism in another scalar.
  template <typename Other>
  explicit Model(const Model<Other>& other)
  {
    auto contents = std::make_shared<Contents>(other.contents_->tree);
    contents->warnings = other.warnings();
    contents->armature = other.contents_->armature;
    contents->moves_no_mass = other.contents_->moves_no_mass;
    contents_ = std::move(contents);
  }

  int bodies() const { return static_cast<int>(contents_->bodies.size()) - 1; }  ///< N, the number of moving bodies
  int nq() const { return contents_->nq; }                                       ///< length of the coordinates
  int nv() const { return contents_->nv; }  ///< length of rates, accelerations, forces

  const Body<Scalar>& body(int i) const { return contents_->bodies[i]; }
  /// \brief The moving bodies from the base to the tips: `for (const Body<double>& body : model.outward())`.
  std::span<const Body<Scalar>> outward() const { return std::span<const Body<Scalar>>(contents_->bodies).subspan(1); }
  /// \brief The same from the tips to the base: every body after all that it carries.
  Inward<Scalar> inward() const { return {outward()}; }
  /// \brief Body i, its parent, and so on: the bodies whose joints move it, or those of them that come before `end`.
  WayToBase<Scalar> way_to_base(int i, int end = 0) const { return {contents_->bodies.data(), i, end}; }

  const Indexed<LinkFrame<Scalar>>& links() const { return contents_->links; }
  const Indexed<JointSlot>& joints() const
  {
    return contents_->joints;
  }  ///< in model order; the base's free joint first
  /** \brief The joint nearest to the tips that can move without moving any mass, or none (nullptr).
   *
   *  Its acceleration under a force is undefined, so such a model has no forward dynamics; it has everything else.
   */
  const JointSlot* joint_that_moves_no_mass() const
  {
    return contents_->moves_no_mass < 0 ? nullptr : &joints()[contents_->moves_no_mass];
  }
  /// \brief What each degree of freedom must move when the joints behind it give way, except those held (nv flags).
  MovedMass moved_mass(const std::vector<bool>& held) const { return {contents_->bodies, contents_->armature, held}; }
  /// \brief The joint of the k-th rate.
  const JointSlot& joint_of_rate(int k) const
  {
    std::size_t j = joints().size() - 1;
    while (joints()[j].v > k) --j;
    return joints()[j];
  }
  const std::vector<std::string>& warnings() const { return contents_->warnings; }
  const Mechanism& mechanism() const { return contents_->tree->mechanism; }
  const ModelOptions& options() const { return contents_->tree->options; }
  bool floating_base() const { return options().floating_base; }
  /// \brief Whether all bodies are those of the description, and none was changed by `with`.
  bool as_described() const { return contents_->as_described; }
  /// \brief Gravitational acceleration in the world frame (m/s^2).
  Vector3<Scalar> gravity() const
  {
    const auto& g = mechanism().gravity;
    return {Scalar(g[0]), Scalar(g[1]), Scalar(g[2])};
  }

  /// \brief The frame of a link.   \throws StateError when there is no link of that name
  const LinkFrame<Scalar>& link(const std::string& name) const
  {
    for (const LinkFrame<Scalar>& frame : links())
      if (frame.name == name) return frame;
    throw StateError(mechanism().source + ": there is no link '" + name + "'.");
  }

  /** \brief The same model with other places of the joints, or other inertias, of some bodies.
   *
   *  For derivatives in arithmetics that carry them: the description of these bodies is not changed, and a model in
   *  another scalar that is made from this one has them as they are described.
   */
  Model with(const std::vector<Body<Scalar>>& changed) const
  {
    auto contents = std::make_shared<Contents>(*contents_);
    for (const Body<Scalar>& body : changed) contents->bodies[body.index] = body;
    contents->as_described = as_described() && changed.empty();
    Model other(*this);
    other.contents_ = std::move(contents);
    return other;
  }

  /** \brief The same model in a machine whose rotors have these inertias (nv, kg m^2 or kg): a joint with a rotor has
   *  something to accelerate, whatever its links weigh.
   *
   *  It answers which joints move no mass; algorithms take the numbers themselves, by `set_armature`. Those of the
   *  description count from the first where `ModelOptions::dynamics` says that they are used.
   *  \throws SizeError for the wrong number of them
   */
  Model with_rotors(const VectorX<double>& armature) const requires std::is_same_v<Scalar, double>
  {
    detail::require_size("armature", armature, nv());
    auto contents = std::make_shared<Contents>(*contents_);
    contents->armature.assign(armature.begin(), armature.end());
    contents->check_moved_mass();
    Model other(*this);
    other.contents_ = std::move(contents);
    return other;
  }

  /// \brief The coordinates with every joint at zero; quaternions are 0 0 0 1.
  VectorX<Scalar> zero_coordinates() const
  {
    VectorX<Scalar> q = VectorX<Scalar>::Zero(nq());
    for (const Body<Scalar>& body : outward())
      if (body.nq > body.nv) q(body.q + body.nq - 1) = Scalar(1);
    return q;
  }

  /// \brief Whether the k-th rate is that of an angle (rad/s) or of a length (m/s).
  bool rate_is_angular(int k) const
  {
    const Body<Scalar>& body = body_of_rate(k);
    if (body.kind == JointKind::screw) return comparable(body.turn) != 0;
    return (body.kind == JointKind::chart ? body.directions[k - body.v] : k - body.v) < 3;
  }

  /// \brief The body whose joint has the k-th rate.
  const Body<Scalar>& body_of_rate(int k) const
  {
    int i = bodies();
    while (body(i).v > k) --i;
    return body(i);
  }

private:
  template <typename>
  friend class Model;

  /// What the copies of a model share, and how it is made, link by link.
  struct Contents {
    std::shared_ptr<const Tree> tree;
    std::vector<std::string> warnings;
    Indexed<Body<Scalar>> bodies;
    Indexed<LinkFrame<Scalar>> links;
    Indexed<JointSlot> joints;
    int nq = 0, nv = 0;
    Indexed<double> armature;  // by rate, of rotors
    int moves_no_mass = -1;    // the joint
    bool as_described = true;

    explicit Contents(std::shared_ptr<const Tree> plan) : tree(std::move(plan)), warnings(tree->mechanism.warnings)
    {
      const auto& [mechanism, options, visits] = *tree;
      for (const auto& ignored :
           {detail::ignored_mimics(mechanism, options.dynamics), detail::ignored_dynamics(mechanism, options.dynamics)})
        warnings.insert(warnings.end(), ignored.begin(), ignored.end());
      bodies.push_back({});  // the world
      for (const Tree::Visit& visit : tree->visits) attach(visit);
    }

    void attach(const Tree::Visit& visit);
    void add_body(const Joint& joint, int parent, const SE3<Scalar>& place, LinkFrame<Scalar>& frame);
    void check_physical();
    void check_moved_mass();
  };

  static Vector3<Scalar> vector(const std::array<double, 3>& x) { return {Scalar(x[0]), Scalar(x[1]), Scalar(x[2])}; }
  static SO3<Scalar> rotation(const std::array<double, 4>& q)
  {
    return SO3<Scalar>(Quaternion<Scalar>{{Scalar(q[0]), Scalar(q[1]), Scalar(q[2])}, Scalar(q[3])});
  }

  /// The inertia of a link in the frame of its body, where X is the link's pose \eq{kim,22}.
  static Inertia<Scalar> inertia(const Link& link, const SE3<Scalar>& X)
  {
    const auto& I = link.inertia;
    return Inertia<Scalar>::about_center_of_mass(
        Scalar(link.mass), X * vector(link.center_of_mass),
        {Scalar(I[0]), Scalar(I[1]), Scalar(I[2]), Scalar(I[3]), Scalar(I[4]), Scalar(I[5])},
        X.R * rotation(link.inertial_quaternion));
  }

  std::shared_ptr<const Contents> contents_;
};

/// \brief By body: where the rates of all that it carries end. They follow its own.
template <typename Scalar>
Indexed<int> ends_of_subtrees(const Model<Scalar>& model)
{
  Indexed<int> end(model.bodies() + 1, 0);
  for (const Body<Scalar>& body : model.inward()) {
    end[body.index] = std::max(end[body.index], body.v + body.nv);
    end[body.parent] = std::max(end[body.parent], end[body.index]);
  }
  return end;
}

/// Give a link its body: its parent's if it is fixed there, a new one if it moves.
template <typename Scalar>
void Model<Scalar>::Contents::attach(const Tree::Visit& visit)
{
  const Link& link = tree->mechanism.links[visit.link];
  const Joint root_joint{"floating_base", JointType::floating, "", link.name, {}, {0, 0, 0, 1}, {0, 0, 1}, 0};
  const Joint fixed_root{"", JointType::fixed, "", link.name, {}, {0, 0, 0, 1}, {0, 0, 1}, 0};
  const Joint& joint =
      visit.joint >= 0 ? tree->mechanism.joints[visit.joint] : (tree->options.floating_base ? root_joint : fixed_root);
  const LinkFrame<Scalar> parent = visit.parent >= 0 ? links[visit.parent] : LinkFrame<Scalar>{"", 0, {}};
  const SE3<Scalar> place = parent.X * SE3<Scalar>{rotation(joint.quaternion), vector(joint.position)};

  LinkFrame<Scalar> frame{link.name, parent.body, place};
  if (joint.type != JointType::fixed) {
    frame = {link.name, static_cast<int>(bodies.size()), {}};
    add_body(joint, parent.body, place, frame);
  }
  links.push_back(frame);
  bodies[frame.body].I = bodies[frame.body].I + inertia(link, frame.X);
}

template <typename Scalar>
void Model<Scalar>::Contents::add_body(const Joint& joint, int parent, const SE3<Scalar>& place,
                                       LinkFrame<Scalar>& frame)
{
  Body<Scalar> body{frame.body, parent, JointKind::screw, nq, nv, 1, 1, Scalar(1), Scalar(0), {}, place, {}};
  const auto is_chart = [&](std::initializer_list<int> directions) {
    body.kind = JointKind::chart;
    body.nq = body.nv = static_cast<int>(directions.size());
    std::copy(directions.begin(), directions.end(), body.directions);
  };
  switch (joint.type) {
    case JointType::prismatic:
      body.turn = Scalar(0), body.slide = Scalar(1);
      break;
    case JointType::helical:
      body.slide = Scalar(joint.pitch);
      break;
    case JointType::universal:
      is_chart({0, 1});
      break;
    case JointType::cylindrical:
      is_chart({2, 5});
      break;
    case JointType::planar:
      is_chart({3, 4, 2});
      break;
    case JointType::euler_ball:
      is_chart({2, 1, 0});
      break;
    case JointType::euler_free:
      is_chart({3, 4, 5, 2, 1, 0});
      break;
    case JointType::ball:
      body.kind = JointKind::ball, body.nq = 4, body.nv = 3;
      break;
    case JointType::floating:
      body.kind = JointKind::free, body.nq = 7, body.nv = 6;
      break;
    default:
      break;
  }
  if (has_axis(joint.type)) {
    const SO3<Scalar> turn = rotation_from_z(vector(joint.axis));
    body.M.R = place.R * turn;
    frame.X.R = inverse(turn);
  }
  joints.push_back({joint.name, joint.type, body.index, nq, nv, body.nq, body.nv});
  nq += body.nq;
  nv += body.nv;
  armature.resize(nv, 0.0);
  if (tree->options.dynamics.armature && body.nv == 1) armature[body.v] = joint.armature;
  bodies.push_back(body);
}

namespace detail {

/// The eigenvalues of a symmetric matrix by Jacobi's rotations. Eigen's solver would be compiled with every user's program.
inline Eigen::Vector3d eigenvalues(Eigen::Matrix3d A)
{
  // What is left off the diagonal is about the square of what was: after four sweeps rounding.
  for (int sweep = 0; sweep < 6; ++sweep)
    for (const auto& [p, q] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)}) {
      Eigen::JacobiRotation<double> turn;
      turn.makeJacobi(A, p, q);
      A.applyOnTheLeft(p, q, turn.adjoint());
      A.applyOnTheRight(p, q, turn);
    }
  return A.diagonal();
}

}  // namespace detail

/** \brief Refuse an inertia that no distribution of mass can have.
 *
 *  What remains about the centre of mass, \f$\tfrac12\operatorname{tr}(I_c)1 - I_c = \int r r^{\mathsf T}dm\f$,
 *  has no negative eigenvalue. It is summed link by link about the common centre, so that nothing cancels. For a point it
 *  may differ from zero by the rounding of the file: up to that of a radius of 10 nm.
 */
template <typename Scalar>
void Model<Scalar>::Contents::check_physical()
{
  if constexpr (!std::is_same_v<Scalar, double>) {
    const Model<double> checked(tree->mechanism, tree->options);
    warnings = checked.warnings();
    moves_no_mass = checked.contents_->moves_no_mass;
  } else {
    // Link by link about the centre of mass of the body that carries it.
    Indexed<Inertia<double>> central(bodies.size());
    Indexed<std::string> names(bodies.size());
    for (std::size_t k = 0; k < links.size(); ++k) {
      const int i = links[k].body;
      SE3<double> X = links[k].X;
      if (bodies[i].I.mass > 0) X.p = X.p - 1 / bodies[i].I.mass * bodies[i].I.first_moment;
      central[i] = central[i] + inertia(tree->mechanism.links[tree->visits[k].link], X);
      names[i] += (names[i].empty() ? "'" : "', '") + links[k].name;
    }
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      const Eigen::Matrix3d I = central[i].second_moment.matrix().eigen();
      const Eigen::Matrix3d about_center = 0.5 * I.trace() * Eigen::Matrix3d::Identity() - I;
      const Eigen::Vector3d moments = detail::eigenvalues(about_center);
      const double least = moments.minCoeff(), largest = moments.cwiseAbs().maxCoeff();
      if (!about_center.allFinite() || !std::isfinite(largest))
        detail::refuse(tree->mechanism, "the body of " + names[i] +
                                            "' has an inertia beyond the largest double; give masses in "
                                            "kg and lengths in m.");
      if (least >= -std::max(1e-12 * largest, 1e-16 * bodies[i].I.mass)) continue;
      const std::string sentence = "the body of " + names[i] +
                                   "' has an inertia that no mass distribution has: the smallest eigenvalue of "
                                   "tr(I)/2 - I, the integral of r r^T dm about its centre of mass, is " +
                                   std::to_string(100 * least / largest) + " % of the largest and must not be negative";
      if (!tree->options.accept_unphysical)
        detail::refuse(tree->mechanism, sentence + " (--accept-unphysical makes this a warning).");
      warnings.push_back(tree->mechanism.source + ": " + sentence + ".");
    }
  }
}

/// Warn of a joint that forbids forward dynamics, in the last warning.
template <typename Scalar>
void Model<Scalar>::Contents::check_moved_mass()
{
  if constexpr (std::is_same_v<Scalar, double>) {
    if (moves_no_mass >= 0) warnings.pop_back();
    moves_no_mass = -1;
    const int rate = MovedMass(bodies, armature).none;
    if (rate < 0) return;
    moves_no_mass = static_cast<int>(joints.size()) - 1;
    while (joints[moves_no_mass].v > rate) --moves_no_mass;
    warnings.push_back(tree->mechanism.source + ": joint '" + joints[moves_no_mass].name +
                       "' can move without moving any mass, so there is no forward dynamics; all else is computed.");
  }
}

}  // namespace articulate
