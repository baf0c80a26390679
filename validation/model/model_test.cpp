/** \file
 *  \brief The model by hand: order, merged links, turned frames, and what a bad mechanism is told.
 */
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <articulate/articulate.hpp>
#include <says.hpp>

using namespace articulate;
using articulate::validation::says;

namespace {

Link link(const std::string& name, double mass)
{
  return {name, mass, {0.1, -0.2, 0.3}, {0.1, 0.2, 0.3, 0.9}, {0.3, 0.01, 0.02, 0.4, 0.03, 0.35}};
}
Joint joint(const std::string& name, JointType type, const std::string& parent, const std::string& child)
{
  return {name, type, parent, child, {0.3, -0.1, 0.2}, {0.3, -0.2, 0.1, 0.8}, {0.2, 0.5, -0.4}, 0.1};
}

/// base -[b]- left -[fixed]- tool, base -[a]- right: the joints' names, not the file's order, give the model's order.
Mechanism forked()
{
  Mechanism m;
  m.name = m.source = "fork";
  m.links = {link("base", 1), link("left", 2), link("tool", 3), link("right", 4)};
  m.joints = {joint("b", JointType::revolute, "base", "left"), joint("weld", JointType::fixed, "left", "tool"),
              joint("a", JointType::prismatic, "base", "right")};
  return m;
}

std::string refusal(const Mechanism& mechanism, const ModelOptions& options = {})
{
  try {
    const Model<double> model(mechanism, options);
    ForwardDynamics<double>{model};
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model)

BOOST_AUTO_TEST_CASE(joints_stand_depth_first_by_name)
{
  const Model<double> model(forked());
  BOOST_TEST(model.bodies() == 2);
  BOOST_TEST(model.nq() == 2);
  BOOST_TEST(model.joints()[0].name == "a");
  BOOST_TEST(model.joints()[1].name == "b");
  BOOST_TEST(model.link("tool").body == model.link("left").body);
  BOOST_TEST(model.link("base").body == 0);
}

BOOST_AUTO_TEST_CASE(a_floating_base_adds_six_rates_before_all_others)
{
  const Model<double> model(forked(), {.floating_base = true});
  BOOST_TEST(model.nv() == 8);
  BOOST_TEST(model.nq() == 9);
  BOOST_TEST(model.joints()[0].name == "floating_base");
  BOOST_TEST(model.zero_coordinates()(6) == 1);
}

BOOST_AUTO_TEST_CASE(a_welded_link_adds_its_mass_to_its_body)
{
  const Model<double> model(forked());
  BOOST_TEST(model.body(model.link("left").body).I.mass == 5);
  BOOST_TEST(model.body(model.link("right").body).I.mass == 4);
}

BOOST_AUTO_TEST_CASE(one_degree_joints_act_along_their_own_z_axis)
{
  const Model<double> model(forked());
  for (int i = 1; i <= model.bodies(); ++i) {
    BOOST_TEST((model.body(i).kind == JointKind::screw));
    BOOST_TEST(model.body(i).turn + model.body(i).slide == 1);
  }
  // The link's own frame keeps the axis that the description gave.
  const auto& frame = model.link("right");
  const Vector3<double> axis = inverse(frame.X.R) * Vector3<double>{0, 0, 1};
  const double length = std::sqrt(0.2 * 0.2 + 0.5 * 0.5 + 0.4 * 0.4);
  BOOST_TEST(std::abs(axis[0] - 0.2 / length) < 1e-15);
  BOOST_TEST(std::abs(axis[1] - 0.5 / length) < 1e-15);
  BOOST_TEST(std::abs(axis[2] + 0.4 / length) < 1e-15);
}

BOOST_AUTO_TEST_CASE(the_shortest_turn_takes_z_to_any_direction)
{
  for (const Vector3<double>& a : {Vector3<double>{0, 0, 1},
                                   {0, 0, -1},
                                   {1, 0, 0},
                                   {0, -2, 0},
                                   {1e-9, 0, -1},
                                   {3e-170, 4e-170, 0},
                                   {0, 3e200, 4e200}}) {
    const SO3<double> R = rotation_from_z(a);
    const double largest = std::max({std::abs(a[0]), std::abs(a[1]), std::abs(a[2])});
    const double length = largest * std::hypot(a[0] / largest, a[1] / largest, a[2] / largest);
    for (int k = 0; k < 3; ++k) BOOST_TEST(std::abs(R.matrix(k, 2) - a[k] / length) < 1e-15);
    const Matrix3<double> one = R.matrix * transpose(R.matrix);
    for (int k = 0; k < 9; ++k) BOOST_TEST(std::abs(one.e[k] - (k % 4 == 0)) < 1e-15);
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_link_is_named)
{
  const Model<double> model(forked());
  BOOST_CHECK_EXCEPTION(model.link("hand"), StateError, [](const auto& e) {
    return says(e.what(), {"fork", "'hand'"});
  });
}

BOOST_AUTO_TEST_CASE(a_bad_mechanism_is_refused_in_one_sentence)
{
  Mechanism m = forked();
  m.links.clear();
  BOOST_TEST(says(refusal(m), {"fork", "no link"}));

  m = forked();
  m.links.push_back(link("tool", 1));
  BOOST_TEST(says(refusal(m), {"two links are called 'tool'"}));

  m = forked();
  m.joints.push_back(joint("a", JointType::fixed, "base", "left"));
  BOOST_TEST(says(refusal(m), {"two joints are called 'a'"}));

  m = forked();
  m.joints.push_back(joint("c", JointType::fixed, "base", "hand"));
  BOOST_TEST(says(refusal(m), {"'c'", "'hand'", "does not exist"}));

  m = forked();
  m.joints.push_back(joint("c", JointType::revolute, "right", "tool"));
  BOOST_TEST(says(refusal(m), {"'tool'", "two parents", "'weld'", "'c'"}));

  m = forked();
  m.joints[2] = joint("a", JointType::prismatic, "right", "right");
  BOOST_TEST(says(refusal(m), {"'a'", "to itself"}));

  m = forked();
  m.joints.pop_back();
  BOOST_TEST(says(refusal(m), {"'base'", "'right'", "both roots"}));

  m = forked();
  m.joints.push_back(joint("c", JointType::revolute, "tool", "base"));
  BOOST_TEST(says(refusal(m), {"cycle", "no joint carries"}));

  m = forked();
  m.links.push_back(link("p", 1));
  m.links.push_back(link("q", 1));
  m.joints.push_back(joint("c", JointType::revolute, "p", "q"));
  m.joints.push_back(joint("d", JointType::revolute, "q", "p"));
  BOOST_TEST(says(refusal(m), {"'p'", "cycle"}));

  m = forked();
  m.joints[0].axis = {0, 0, 0};
  BOOST_TEST(says(refusal(m), {"'b'", "axis 0 0 0", "turning"}));

  m = forked();
  m.joints[0].position[1] = NAN;
  BOOST_TEST(says(refusal(m), {"'b'", "position", "not a finite number"}));

  m = forked();
  m.joints[0].quaternion = {0, 0, 0, 0};
  BOOST_TEST(says(refusal(m), {"'b'", "0 0 0 0"}));

  m = forked();
  m.links[1].mass = -1;
  BOOST_TEST(says(refusal(m), {"'left'", "negative mass"}));

  m = forked();
  m.links[3].inertia = {1, 0, 0, 1, 0, 2.05};
  BOOST_TEST(says(refusal(m), {"'right'", "no mass distribution", "--accept-unphysical"}));
  BOOST_TEST(refusal(m, {.accept_unphysical = true}) == "accepted");
  BOOST_TEST(says(Model<double>(m, {.accept_unphysical = true}).warnings().at(0), {"'right'", "no mass distribution"}));

  m = forked();
  m.links[3] = {"right", 0, {}, {0, 0, 0, 1}, {}};
  BOOST_TEST(says(refusal(m), {"'a'", "without moving any mass"}));
}

BOOST_AUTO_TEST_CASE(a_mass_that_has_lost_its_digits_is_refused_for_that)
{
  Mechanism m = forked();
  m.links[1].mass = 4e-320;
  BOOST_TEST(says(refusal(m), {"fork", "link 'left'", "mass below 2.2e-308 kg", "give zero"}));
  m.links[1].mass = 1e-300;
  m.links[1].inertia = {1e-300, 0, 0, 1e-300, 0, 1e-300};
  BOOST_TEST(refusal(m) == "accepted");
}

BOOST_AUTO_TEST_CASE(copies_of_a_model_share_its_contents_and_a_changed_one_does_not)
{
  const Model<double> model(forked()), copy = model;
  BOOST_TEST(&copy.body(1) == &model.body(1));
  Body<double> heavier = model.body(1);
  heavier.I.mass += 1;
  const Model<double> changed = model.with({heavier});
  BOOST_TEST(changed.body(1).I.mass == model.body(1).I.mass + 1);
  BOOST_TEST(&changed.body(2) != &model.body(2));
  BOOST_TEST((model.as_described() && !changed.as_described()));
  BOOST_TEST((model.with({}).as_described() && !changed.with({}).as_described()));
}

BOOST_AUTO_TEST_CASE(a_model_in_another_scalar_warns_of_the_same)
{
  Mechanism m = forked();
  m.links.push_back({"pointer"});
  m.joints.push_back(joint("knuckle", JointType::revolute, "tool", "pointer"));
  const Model<double> model(m);
  BOOST_TEST_REQUIRE(model.warnings().size() == 1);
  BOOST_TEST(model.warnings()[0].find("joint 'knuckle' can move without moving any mass") != std::string::npos);
  const Model<std::complex<double>> other(model);
  BOOST_TEST(other.warnings() == model.warnings(), boost::test_tools::per_element());
  // A rotor gives the joint something to move, in any scalar.
  const std::vector<bool> none_held(static_cast<std::size_t>(model.nv()), false);
  BOOST_TEST(Model<double>(other).moved_mass(none_held).none >= 0);
  const Model<std::complex<double>> turned(model.with_rotors(VectorX<double>::Constant(model.nv(), 0.01)));
  BOOST_TEST(Model<double>(turned).moved_mass(none_held).none == -1);
}

BOOST_AUTO_TEST_CASE(the_ranges_of_a_model_go_outward_inward_and_to_the_base)
{
  Mechanism m = forked();
  m.links.push_back(link("hand", 1));
  m.joints.push_back(joint("c", JointType::revolute, "tool", "hand"));
  const Model<double> model(m);
  std::vector<int> out, in, way, part;
  for (const Body<double>& body : model.outward()) out.push_back(body.index);
  for (const Body<double>& body : model.inward()) in.push_back(body.index);
  for (const Body<double>& body : model.way_to_base(3)) way.push_back(body.index);
  for (const Body<double>& body : model.way_to_base(3, 2)) part.push_back(body.index);
  BOOST_TEST(out == (std::vector{1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(in == (std::vector{3, 2, 1}), boost::test_tools::per_element());
  BOOST_TEST(way == (std::vector{3, 2}), boost::test_tools::per_element());
  BOOST_TEST(part == (std::vector{3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rods_and_points_are_physical)
{
  Mechanism m = forked();
  m.links[3].inertia = {1, 0, 0, 1, 0, 0};  // a rod, in axes turned by its quaternion
  BOOST_TEST(refusal(m) == "accepted");
  m.links[3].inertia = {};  // a point
  BOOST_TEST(refusal(m) == "accepted");
  m.links[3].inertia = {-1e-18, 0, 0, -1e-18, 0, 0};  // a point with the rounding of whoever subtracted m c c^T
  BOOST_TEST(refusal(m) == "accepted");
}

BOOST_AUTO_TEST_CASE(a_vector_of_the_wrong_length_is_refused)
{
  const Model<double> model(forked());
  ForwardKinematics<double> kinematics(model);
  const VectorX<double> three = VectorX<double>::Zero(3), two = VectorX<double>::Zero(2);
  BOOST_CHECK_EXCEPTION(kinematics(three, two), SizeError, [](const auto& e) {
    return says(e.what(), {"q has 3 entries", "needs 2"});
  });
  BOOST_CHECK_EXCEPTION(kinematics(two, three), SizeError, [](const auto& e) {
    return says(e.what(), {"qd has 3 entries", "needs 2"});
  });
}

BOOST_AUTO_TEST_SUITE_END()
