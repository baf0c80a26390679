/** \file
 *  \brief A user's program that reads a URDF text: the joint's force and the acceleration undo each other.
 */
#include <articulate/articulate.hpp>
#include <articulate/model/urdf.hpp>
#include <cmath>

int main()
{
  using namespace articulate;
  const Model<double> model(parse_urdf(R"(
    <robot name="slider">
      <link name="rail"/>
      <link name="cart"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="slide" type="prismatic">
        <parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
      </joint>
    </robot>)",
                                       "slider"));
  ForwardDynamics<double> aba(model);
  const VectorX<double> zero = VectorX<double>::Zero(1), six = VectorX<double>::Constant(1, 6);
  return std::abs(aba(zero, zero, six)(0) - 2) < 1e-12 ? 0 : 1;
}
