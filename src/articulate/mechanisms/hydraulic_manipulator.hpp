/** \file
 *  \brief The hydraulic manipulator of Ma et al.: all coordinates from six, in closed form, and the forces of its cylinders.
 *
 *  - Paper: Ma, Zhong, Wang, Li 2021, sections 5 and 6.
 *  - Chapter: \ref mechanisms
 */
#pragma once
#include <array>
#include <limits>
#include <string>
#include <articulate/mechanisms/linkage.hpp>
#include <articulate/model/kinematics.hpp>

namespace articulate {

/** \brief Closed forms of the seven loops for any machine with the joints and pins of the paper's.
 *
 *  Joints are named by the paper's symbols: `theta_1` to `theta_4`, `d_5`, `theta_6` of the main chain; `theta_7` to
 *  `theta_16` of the branches; `L_1`, `L_2`, `L_3`, `L_5` the lengths of the cylinders. A link `arm_1_J` is pin J on arm
 *  1. At zero all is stretched along x in one plane, which is where the pins' places are read.
 */
template <typename S>
class HydraulicManipulator {
public:
  /// \brief The joints of the main chain, that lead.
  static constexpr std::array<const char*, 6> leaders{"theta_1", "theta_2", "theta_3", "theta_4", "d_5", "theta_6"};
  /// \brief The joints that the four cylinders of the branches push, and those along the cylinders.
  static constexpr std::array<const char*, 4> driven{"theta_2", "theta_3", "theta_4", "theta_6"};
  static constexpr std::array<const char*, 4> cylinders{"L_1", "L_2", "L_3", "L_5"};

  /** \brief A cylinder from K that pushes the pin L of two bars: a rocker from N, and a coupler to M on the next component.
   *
   *  All points in the frame of the component that carries K and N, but M in that of the next one, whose joint is `joint`.
   */
  struct Branch {
    planar::Point<S> K, N, joint, M;
    S rocker, coupler;
    int side;  ///< of the pin L, see pin_of_two_bars()
  };
  /// \brief Where the parts of a branch are, in the frame of the component that carries it.
  struct Placed {
    planar::Point<S> L, M;        ///< pins
    S length;                     ///< of the cylinder (m)
    S cylinder, rocker, coupler;  ///< directions (rad)
  };

  /** \brief Read the places of the pins.
   *  \param sides  of the pins L, P and T, see pin_of_two_bars(); as in the built-in machine if not given
   *  \throws StateError when a link or a joint has not the name that it needs
   */
  explicit HydraulicManipulator(const Model<S>& model, const std::array<int, 3>& sides = {-1, -1, 1}) : model_(model)
  {
    ForwardKinematics<S> stretched(model);
    stretched(model.zero_coordinates(), VectorX<S>::Zero(model.nv()));
    const auto place = [&](const char* link) { return stretched.link_pose(model.link(link)); };
    const SE3<S> plane = inverse(place("arm_1"));
    const auto seen = [&](const char* link) -> planar::Point<S> {
      const SE3<S> X = plane * place(link);
      return {X.p[0], X.p[1]};
    };
    I = seen("cylinder_1"), J = seen("arm_1_J");
    const auto branch = [&](const char* carrier, const char* K, const char* N, const char* L, const char* coupler,
                            const char* M, const char* next, const char* pin, int side) -> Branch {
      const planar::Point<S> origin = seen(carrier), joint = seen(next);
      return {seen(K) - origin,
              seen(N) - origin,
              joint - origin,
              seen(pin) - joint,
              length(seen(L) - seen(N)),
              length(seen(M) - seen(coupler)),
              side};
    };
    two = branch("arm_1", "cylinder_2", "rod_NL", "rod_NL_L", "rod_LM", "rod_LM_M", "arm_2", "arm_2_M", sides[0]);
    three = branch("arm_2", "cylinder_3", "rod_QP", "rod_QP_P", "rod_PR", "rod_PR_R", "arm_3", "arm_3_R", sides[1]);
    five = branch("telescope", "cylinder_5", "rod_ST", "rod_ST_T", "rod_TW", "rod_TW_W", "arm_4", "arm_4_W", sides[2]);
    for (std::size_t k = 0; k < leaders.size(); ++k) leader_[k] = slot(leaders[k]);
  }

  planar::Point<S> I, J;    ///< ends of cylinder 1 in the frame of arm 1's joint, J at theta_2 = 0
  Branch two, three, five;  ///< of cylinders 2, 3 and 5

  // [place]
  /// \brief The four-bar \eq{ma,69}, \eq{ma,70} and its like at an angle of the joint that it drives.
  static Placed place(const Branch& b, const S& theta)
  {
    const planar::Point<S> M = b.joint + turned(b.M, theta);
    const planar::Point<S> L = pin_of_two_bars(b.N, b.rocker, M, b.coupler, b.side);
    return {L, M, length(L - b.K), direction(L - b.K), direction(L - b.N), direction(M - L)};
  }
  // [place]

  // [close]
  /** \brief All coordinates of the machine from those of its main chain, all loops closed.
   *  \param main  theta_1, theta_2, theta_3, theta_4 (rad), d_5 (m), theta_6 (rad)
   *  \return      nq coordinates
   */
  VectorX<S> close(const std::array<S, 6>& main) const
  {
    VectorX<S> q = VectorX<S>::Zero(model_.nq());
    for (std::size_t k = 0; k < main.size(); ++k) q(leader_[k]) = main[k];
    const planar::Point<S> IJ = turned(J, main[1]) - I;  // the triangle (65)
    set(q, "theta_7", direction(IJ)), set(q, "L_1", length(IJ));
    const Placed a = place(two, main[2]), b = place(three, main[3]), c = place(five, main[5]);
    set(q, "theta_8", a.cylinder), set(q, "L_2", a.length);
    set(q, "theta_9", a.coupler - a.cylinder), set(q, "theta_10", a.rocker);
    set(q, "theta_11", b.cylinder), set(q, "L_3", b.length);
    set(q, "theta_12", b.coupler - b.cylinder), set(q, "theta_13", b.rocker);
    set(q, "theta_14", c.rocker), set(q, "theta_15", c.coupler - c.rocker);
    set(q, "theta_16", c.cylinder), set(q, "L_5", c.length);
    return q;
  }
  // [close]

  // [pin-forces]
  /** \brief The pushes of cylinders 1, 2, 3 and 5 that make given moments of the joints that they drive (N).
   *
   *  By the balance of pins, the rods seen as carrying force along themselves only: \eq{ma,92} to \eq{ma,94}, \eq{ma,E.1}
   *  to \eq{ma,E.4}.
   *  \param main    as in close()   \param moments  of theta_2, theta_3, theta_4, theta_6 (N m)
   *  \throws StateError at a dead point, where a push makes no moment
   */
  std::array<S, 4> pushes(const std::array<S, 6>& main, const std::array<S, 4>& moments) const
  {
    const planar::Point<S> BJ = turned(J, main[1]), IJ = BJ - I;
    const auto through_rods = [](const char* cylinder, const Branch& b, const S& theta, const S& moment) {
      const Placed at = place(b, theta);
      const auto unit = [](const planar::Point<S>& way) { return S(S(1) / length(way)) * way; };
      const planar::Point<S> e = unit(at.L - b.K), along_rocker = unit(at.L - b.N), along_coupler = unit(at.M - at.L);
      const S coupler = moment / lever(cylinder, at.M - b.joint, along_coupler);  // its moment about the joint (94)
      return S(coupler * cross(along_coupler, along_rocker) / lever(cylinder, e, along_rocker));  // both rods (93)
    };
    return {moments[0] * length(IJ) / lever("1", BJ, IJ), through_rods("2", two, main[2], moments[1]),
            through_rods("3", three, main[3], moments[2]), through_rods("5", five, main[5], moments[3])};
  }
  // [pin-forces]

  /// \brief The column of a joint in coordinates and rates.   \throws StateError when there is none of that name
  int slot(const std::string& joint) const
  {
    for (const JointSlot& one : model_.joints())
      if (one.name == joint) return one.v;
    throw StateError("joint '" + joint + "' is missing in '" + model_.mechanism().name +
                     "'; a hydraulic manipulator has the joints of the built-in model hydraulic_manipulator.");
  }

  const Model<S>& model() const { return model_; }

private:
  /// What a push makes of itself: the moment of a force along `along` (m), or the sine between two unit vectors.
  /// \throws StateError where it is zero but for rounding
  static S lever(const char* cylinder, const planar::Point<S>& arm, const planar::Point<S>& along)
  {
    const S moment = cross(arm, along);
    if (!(comparable(magnitude(moment)) > comparable(S(4 * std::numeric_limits<double>::epsilon() * length(arm)))))
      throw StateError(std::string("cylinder ") + cylinder +
                       " is at a dead point, where it makes no moment however hard it pushes; choose another pose.");
    return moment;
  }
  void set(VectorX<S>& q, const char* joint, const S& value) const { q(slot(joint)) = value; }

  Model<S> model_;
  std::array<int, 6> leader_{};
};

}  // namespace articulate
