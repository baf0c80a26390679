#include <articulate/oracle/hypothesis.hpp>

namespace articulate::oracle {

// [known-libraries]
/// As their adapters answer without a conversion, see validation/peers/engines/.
std::span<const Library> known_libraries()
{
  const Convention wxyz{{"layout/quaternion_wxyz"}}, force_first{{"external_forces/force_first"}},
      forces_in_world{{"external_forces/world_axes"}},
      forces_at_center{{"external_forces/at_center_of_mass_of_link", "external_forces/at_center_of_mass"}},
      twists_in_world{{"twists/world_axes"}}, linear_first{{"twist_order/linear_first"}, {"jacobians"}},
      ground{{"whole/with_ground"}};
  static const std::vector<Library> libraries{
      {"Orocos KDL", {force_first, twists_in_world, {{"twist_order/linear_first"}}}},
      {"MuJoCo",
       {wxyz,
        {{"base_velocity/world_linear_body_angular"}},
        force_first,
        forces_in_world,
        forces_at_center,
        linear_first,
        {{"accelerations/with_gravity"}},
        ground}},
      {"DART", {forces_in_world, {{"jacobian/link_axes"}}, {{"potential_energy/at_origins"}}, ground}},
      {"Bullet",
       {{{"ball_velocity/principal_axes"}},
        {{"base_velocity/center_of_mass_angular_first"}},
        forces_in_world,
        forces_at_center,
        linear_first,
        {{"jacobian/center_of_mass"}},
        {{"links/inertial_frames"}}}},
      {"Simbody",
       {{{"ball_velocity/parent_axes"}},
        {{"base_velocity/world_angular_first"}},
        forces_in_world,
        twists_in_world,
        ground}}};
  return libraries;
}
// [known-libraries]

}  // namespace articulate::oracle
