/** \file
 *  \brief What a model is made of: bodies, each with its joint, its inertia and its place; frames of links; names of joints.
 *
 *  - Papers: Kim 2012, section 2, the symbols before Table 2; Park 1995, \eq{park,23}.
 *  - Chapter: \ref model
 */
#pragma once
#include <array>
#include <string>
#include <type_traits>
#include <articulate/body/inertia.hpp>
#include <articulate/model/indexed.hpp>
#include <articulate/model/mechanism.hpp>  // JointType

namespace articulate {

template <typename Scalar>
using VectorX = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
template <typename Scalar>
using MatrixX = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
/// \brief A read-only vector argument; taking one copies nothing.
template <typename Scalar>
using VectorRef = Eigen::Ref<const VectorX<Scalar>>;
/// \brief The same where another argument determines the scalar: any expression of Eigen will do.
template <typename Scalar>
using VectorArgument = const std::type_identity_t<VectorRef<Scalar>>&;
template <typename Scalar>
using MatrixArgument = const std::type_identity_t<Eigen::Ref<const MatrixX<Scalar>>>&;
/// \brief One wrench per body (index 0, the world, is not used), in the body's frame; empty means none.
template <typename Scalar>
using ExternalWrenches = Indexed<Wrench<Scalar>>;
/// \brief The same as an argument where another one determines the scalar.
template <typename Scalar>
using WrenchesArgument = const std::type_identity_t<ExternalWrenches<Scalar>>&;

/// \brief The kinds of joint that the sweeps tell apart.
enum class JointKind {
  screw,  ///< one coordinate: \f$S = (0,0,a;\,0,0,b)\f$, turn and slide along the body's own z axis
  chart,  ///< several: one turn about or slide along x, y or z after the other, S depends on q
  ball,   ///< the orientation itself is the coordinate (a quaternion), S = (1; 0)
  free    ///< the pose itself is the coordinate (position, quaternion), S = 1
};

/** \brief A moving body and the joint that carries it.
 *
 *  \f$T_{\lambda(i),i}(q) = M\, e^{S q}\f$ \eq{park,23}. When the model is made, the frame of every body whose
 *  joint has an axis is turned so that z is that axis: S of a one-DoF joint is two numbers, and the turn is absorbed
 *  in M and in the inertia.
 */
template <typename Scalar>
struct Body {
  int index, parent;  ///< 1 to N; the parent's index is smaller, 0 is the world
  JointKind kind;
  int q, v;            ///< first entry in the coordinates and in the rates
  int nq, nv;          ///< how many there are; they differ for a ball (4, 3) and a free joint (7, 6)
  Scalar turn, slide;  ///< a and b of S, for a screw
  int directions[6];   ///< of a chart, in order: 0 to 2 turn about x, y, z; 3 to 5 slide along them
  SE3<Scalar> M;       ///< the joint's place in the parent's frame
  Inertia<Scalar> I;   ///< in the body frame, fixed links included
};

/// \brief Where a link of the description is: its frame, the user's, seen from the frame of its body.
template <typename Scalar>
struct LinkFrame {
  std::string name;
  int body;  ///< 0 for a link that is fixed to the world
  SE3<Scalar> X;
};

/** \brief A frame that a link carries; it may be given wherever the frame of a link is asked for.
 *  \param T  its pose in the frame of the link; (1, p) for a point p (m) with the axes of the link
 */
template <typename Scalar>
LinkFrame<Scalar> frame_on(const LinkFrame<Scalar>& link, const SE3<Scalar>& T)
{
  return {link.name, link.body, link.X * T};
}

/// \brief The name of a joint, and where its numbers stand.
struct JointSlot {
  std::string name;
  JointType type;
  int body, q, v, nq, nv;
};

/** \brief The shortest rotation that takes the z axis to the direction a (any length except zero).
 *
 *  If a points down, a half turn about x comes first, and then the shortest rotation from there.
 */
template <typename Scalar>
SO3<Scalar> rotation_from_z(const Vector3<Scalar>& direction)
{
  using std::sqrt;
  Scalar largest(0);  // dividing by it first keeps the squares in range
  for (int k = 0; k < 3; ++k)
    if (comparable(magnitude(direction[k])) > comparable(largest)) largest = magnitude(direction[k]);
  const Vector3<Scalar> scaled{direction[0] / largest, direction[1] / largest, direction[2] / largest};
  const Vector3<Scalar> a = Scalar(1) / Scalar(sqrt(inner(scaled, scaled))) * scaled;
  if (comparable(a[2]) < 0) {  // a half turn about x first, so that no divisor is small
    SO3<Scalar> half;
    half.matrix(1, 1) = half.matrix(2, 2) = Scalar(-1);
    return rotation_from_z(-a) * half;
  }
  const Matrix3<Scalar> W = skew(Vector3<Scalar>{-a[1], a[0], Scalar(0)});
  return SO3<Scalar>(Matrix3<Scalar>::identity() + W + Scalar(1) / (Scalar(1) + a[2]) * (W * W));
}

}  // namespace articulate
