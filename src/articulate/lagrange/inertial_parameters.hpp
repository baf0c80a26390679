/** \file
 *  \brief The ten numbers of every body: in which frame they are given, and the inertias of which they are the sum.
 *
 *  - Paper: Park 1995, section 4.1, after \eq{park,44} (ten numbers per link).
 *  - Chapter: \ref lagrange
 */
#pragma once
#include <articulate/model/model.hpp>

namespace articulate {

namespace detail {

/// \brief The frame in which a body's parameters are given: its own link's, the user's, seen from the body.
template <typename Scalar>
SE3<Scalar> parameter_frame(const Model<Scalar>& model, int i)
{
  for (const LinkFrame<Scalar>& link : model.links())
    if (link.body == i) return link.X;
  return {};
}

}  // namespace detail

/** \brief The ten numbers of every body, links fixed to it included, in the frame of the link that its joint carries.
 *
 *  \f$m,\ mc_x,\ mc_y,\ mc_z,\ I_{xx},\ I_{xy},\ I_{xz},\ I_{yy},\ I_{yz},\ I_{zz}\f$ about the frame's origin (kg, kg m,
 *  kg m^2), body after body.
 */
template <typename Scalar>
VectorX<Scalar> inertial_parameters(const Model<Scalar>& model)
{
  VectorX<Scalar> pi(10 * model.bodies());
  for (int i = 1; i <= model.bodies(); ++i) {
    const Inertia<Scalar> I = coAd(detail::parameter_frame(model, i), model.body(i).I);
    const Symmetric3<Scalar>& J = I.second_moment;
    const Scalar numbers[] = {
        I.mass, I.first_moment[0], I.first_moment[1], I.first_moment[2], J.xx, J.xy, J.xz, J.yy, J.yz, J.zz};
    for (int p = 0; p < 10; ++p) pi(10 * (i - 1) + p) = numbers[p];
  }
  return pi;
}

/// \brief 10 N inertias in the frames of their bodies, in each one number is one, in the order of `inertial_parameters`.
template <typename Scalar>
Indexed<Inertia<Scalar>> unit_inertias(const Model<Scalar>& model)
{
  Indexed<Inertia<Scalar>> unit;
  unit.reserve(10 * static_cast<std::size_t>(model.bodies()));
  for (int i = 1; i <= model.bodies(); ++i) {
    const SE3<Scalar> frame = detail::parameter_frame(model, i);
    for (int p = 0; p < 10; ++p) unit.push_back(coAdInv(frame, Inertia<Scalar>::basis(p)));
  }
  return unit;
}

}  // namespace articulate
