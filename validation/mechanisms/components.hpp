/** \file
 *  \brief The components of the manipulator as its model file has them: five numbers for each joint, the mass of each part.
 *
 *  - Paper: Ma et al. 2021, sections 3.1, 5 and 6. Chapter: \ref mechanisms
 */
#pragma once
#include <articulate/motion/force_laws.hpp>  // norm
#include <mechanisms/machine_case.hpp>

namespace articulate::validation {

/// \brief A component, the one that carries it, and the joint about whose z axis it turns, or along which it slides.
struct Component {
  const char *link, *carrier, *joint;
};

/// \brief Components 1 to 6, of which the fifth slides.
inline constexpr std::array<Component, 6> main_chain{{{"slewing", "base", "theta_1"},
                                                      {"arm_1", "slewing", "theta_2"},
                                                      {"arm_2", "arm_1", "theta_3"},
                                                      {"arm_3", "arm_2", "theta_4"},
                                                      {"telescope", "arm_3", "d_5"},
                                                      {"arm_4", "telescope", "theta_6"}}};

/// \brief Components 7 to 16.
inline constexpr std::array<Component, 10> branch_chains{{{"cylinder_1", "slewing", "theta_7"},
                                                          {"cylinder_2", "arm_1", "theta_8"},
                                                          {"rod_LM", "cylinder_2", "theta_9"},
                                                          {"rod_NL", "arm_1", "theta_10"},
                                                          {"cylinder_3", "arm_2", "theta_11"},
                                                          {"rod_PR", "cylinder_3", "theta_12"},
                                                          {"rod_QP", "arm_2", "theta_13"},
                                                          {"rod_ST", "telescope", "theta_14"},
                                                          {"rod_TW", "rod_ST", "theta_15"},
                                                          {"cylinder_5", "telescope", "theta_16"}}};

/// \brief A cylinder that is a branch: its tube, its rod, the rod's length as a joint.
struct Cylinder {
  const char *tube, *rod, *length;
};
inline constexpr std::array<Cylinder, 4> branch_cylinders{{{"cylinder_1", "piston_1", "L_1"},
                                                           {"cylinder_2", "piston_2", "L_2"},
                                                           {"cylinder_3", "piston_3", "L_3"},
                                                           {"cylinder_5", "piston_5", "L_5"}}};

/// \brief The z axis about which all but the slides turn, and the direction of all slides, each in its own frame.
template <typename S>
Vector3<S> z_axis()
{
  return {S(0), S(0), S(1)};
}
template <typename S>
Vector3<S> along_slide()
{
  return {S(1), S(0), S(0)};
}

/// \brief The twist of a component relative to its carrier at unit rate, \eq{ma,53}, \eq{ma,54}, \eq{ma,82}.
template <typename S>
Twist<S> screw(const Component& component)
{
  if (std::string(component.joint) == "d_5") return {{}, along_slide<S>()};
  return {z_axis<S>(), {}};
}

/// \brief What the paper's matrix of a joint says besides its turn about z.
enum class Joined {
  anywhere,    ///< an offset that the paper does not tell, and parallel axes
  along_x,     ///< an offset along x of the carrier, and parallel axes
  upright,     ///< a right angle about x before the turn
  by_slide,    ///< no turn; it slides along x
  at_rod_end,  ///< on the end of a cylinder: its length along x, and parallel axes
};
/// \brief A row of the ledger that places a component in the one that carries it.
struct PlacedBy {
  const char* key;
  Component component;
  Joined joined;
};

/// \brief The homogeneous matrices of which \eq{ma,21} is made.
template <typename S>
Matrix4<S> offset(const Vector3<S>& p)
{
  Matrix4<S> T = Matrix4<S>::Identity();
  for (int k = 0; k < 3; ++k) T(k, 3) = p[k];
  return T;
}
template <typename S>
Matrix4<S> turn_about_x(const S& alpha)
{
  using std::cos, std::sin;
  Matrix4<S> T = Matrix4<S>::Identity();
  T(1, 1) = T(2, 2) = cos(alpha), T(2, 1) = sin(alpha), T(1, 2) = -T(2, 1);
  return T;
}
template <typename S>
Matrix4<S> turn_about_z(const S& theta)
{
  using std::cos, std::sin;
  Matrix4<S> T = Matrix4<S>::Identity();
  T(0, 0) = T(1, 1) = cos(theta), T(1, 0) = sin(theta), T(0, 1) = -T(1, 0);
  return T;
}

/** \brief The machine of a case by its model file and the paper's formulas alone.
 *
 *  Poses are products of homogeneous matrices, one for each of the five numbers of a joint.
 */
template <typename S>
class Described {
public:
  explicit Described(const Specimen<S>& x) : x_(&x), now_(&x.template once<MachineCase<S>>()) {}

  /// \brief The pose of a link in one that carries it, \eq{ma,21}, \eq{ma,22}.
  Matrix4<S> pose(const std::string& carrier, std::string link) const
  {
    Matrix4<S> product = Matrix4<S>::Identity();
    while (link != carrier) {
      const Joint& one = *std::find_if(x_->inputs.mechanism.joints.begin(), x_->inputs.mechanism.joints.end(),
                                       [&](const Joint& joint) { return joint.child == link; });
      product = (five_numbers(one) * product).eval();
      link = one.parent;
    }
    return product;
  }

  const Link& part(const std::string& link) const { return x_->inputs.mechanism.links[x_->mechanism_index(link)]; }
  S mass(const std::string& link) const { return S(part(link).mass); }
  Vector3<S> center(const std::string& link) const { return vector(part(link).center_of_mass); }
  /// \brief About the centre of mass, in axes of the link.
  Symmetric3<S> inertia(const std::string& link) const
  {
    const auto& I = part(link).inertia;
    const auto& e = part(link).inertial_quaternion;
    return turned(SO3<S>(Quaternion<S>{{S(e[0]), S(e[1]), S(e[2])}, S(e[3])}),
                  Symmetric3<S>{S(I[0]), S(I[1]), S(I[2]), S(I[3]), S(I[4]), S(I[5])});
  }
  /// \brief Where a joint stands in its parent, \f$a, b, d\f$, and by which angle it is turned about x.
  Vector3<S> place(const std::string& joint) const { return vector(described(joint).position); }
  S alpha(const std::string& joint) const { return alpha(described(joint)); }
  /// \brief As a careless reader has it, who takes the angle of a quaternion for that of the turn.
  S half_of_alpha(const std::string& joint) const { return alpha(described(joint)) / S(2); }

private:
  static Vector3<S> vector(const std::array<double, 3>& e) { return {S(e[0]), S(e[1]), S(e[2])}; }
  static S alpha(const Joint& joint)
  {
    using std::atan;
    return S(2) * S(atan(S(S(joint.quaternion[0]) / S(joint.quaternion[3]))));
  }
  const Joint& described(const std::string& joint) const
  {
    for (const Joint& one : x_->inputs.mechanism.joints)
      if (one.name == joint) return one;
    throw Error("the manipulator has no joint '" + joint + "'");
  }

  /// Three translations, a turn about x, the joint: a turn about z or a slide.
  Matrix4<S> five_numbers(const Joint& joint) const
  {
    const Matrix4<S> at = offset(vector(joint.position)) * turn_about_x(alpha(joint));
    if (joint.type == JointType::prismatic) return at * offset(now_->coordinate(joint.name) * along_slide<S>());
    if (joint.type == JointType::continuous) return at * turn_about_z(now_->coordinate(joint.name));
    return at;
  }

  const Specimen<S>* x_;
  const MachineCase<S>* now_;
};

/// \brief A point given in a frame, seen from outside.
template <typename S>
Vector3<S> moved(const Matrix4<S>& T, const Vector3<S>& r)
{
  return Vector3<S>(T.template topLeftCorner<3, 3>() * r.eigen() + T.template topRightCorner<3, 1>());
}

/// \brief A pose of the library beside a product of homogeneous matrices.
template <typename S>
void add_pose(Sides<S>& sides, const SE3<S>& left, const Matrix4<S>& right)
{
  sides.add(left.R.matrix.eigen(), right.template topLeftCorner<3, 3>());
  sides.add(left.p.eigen(), right.template topRightCorner<3, 1>());
}

/** \brief Where joints put their components, each in the one before, beside the matrix that the paper writes for it.
 *
 *  The library has the offset and all turns from the model file; the matrix has only what its row allows.
 */
template <typename S, typename Rows>
void add_places(Sides<S>& sides, const Specimen<S>& x, const Rows& rows)
{
  const MachineCase<S>& now = x.template once<MachineCase<S>>();
  const Described<S> file(x);
  const S alpha_2 = file.alpha("alpha_2");
  for (const PlacedBy& row : rows) {
    const auto& [link, carrier, joint] = row.component;
    const SE3<S> ours = inverse(now.pose(carrier)) * now.pose(link);
    const Vector3<S> place = file.place(joint);
    const S coordinate = now.coordinate(joint);
    sides.clause(row.key);
    if (row.joined == Joined::by_slide) {
      add_pose(sides, ours, offset(place + coordinate * along_slide<S>()));
      sides.rival("it slides along z, as Denavit and Hartenberg have it",
                  [&](auto& wrong) { add_pose(wrong, ours, offset(place + coordinate * z_axis<S>())); });
      continue;
    }
    Vector3<S> p = place;
    if (row.joined == Joined::along_x) p = {place[0], S(0), S(0)};
    for (const Cylinder& cylinder : branch_cylinders)
      if (row.joined == Joined::at_rod_end && std::string(carrier) == cylinder.tube)
        p = now.coordinate(cylinder.length) * along_slide<S>();
    if (row.joined == Joined::upright)
      p = moved(Matrix4<S>(offset(file.place("alpha_2")) * turn_about_x(alpha_2)), place);
    const S alpha = row.joined == Joined::upright ? alpha_2 : S(0);
    add_pose(sides, ours, Matrix4<S>(offset(p) * turn_about_x(alpha) * turn_about_z(coordinate)));
    if (row.joined == Joined::upright)
      sides.rival("the turn about z comes before the one about x", [&](auto& wrong) {
        add_pose(wrong, ours, Matrix4<S>(offset(p) * turn_about_z(coordinate) * turn_about_x(alpha)));
      });
    else
      sides.rival("it turns the other way",
                  [&](auto& wrong) { add_pose(wrong, ours, Matrix4<S>(offset(p) * turn_about_z(S(-coordinate)))); });
  }
}

/// \brief Vectors of one kind as one group, for some of them may be zero.
template <typename S>
void add_vectors(Sides<S>& sides, const std::vector<Vector3<S>>& left, const std::vector<Vector3<S>>& right)
{
  MatrixX<S> a(3, left.size()), b(3, right.size());
  for (std::size_t k = 0; k < left.size(); ++k) a.col(k) = left[k].eigen(), b.col(k) = right[k].eigen();
  sides.add(a, b);
}

}  // namespace articulate::validation
