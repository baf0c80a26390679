/** \file
 *  \brief Machines by joint frames, tables of Denavit and Hartenberg, and screws: one machine said in four ways.
 */
#include <boost/test/unit_test.hpp>
#include <random>
#include <articulate/mechanisms/denavit_hartenberg.hpp>
#include <articulate/model/kinematics.hpp>
#include <ledger/scalars.hpp>
#include <models/models.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

using Vector = VectorX<double>;

/// Numbers in (-1, 1), the same on every machine.
class Draw {
public:
  explicit Draw(unsigned seed) : bits_(seed) {}
  double operator()() { return std::ldexp(static_cast<double>(bits_()), -31) - 1; }
  template <typename S>
  VectorX<S> coordinates(int n)
  {
    VectorX<S> q(n);
    for (int k = 0; k < n; ++k) q(k) = S(3 * (*this)());
    return q;
  }

private:
  std::mt19937 bits_;
};

template <typename S>
double distance(const SE3<S>& A, const SE3<S>& B)
{
  S largest(0);
  for (int k = 0; k < 9; ++k) largest = std::max(largest, magnitude(S(A.R.matrix.e[k] - B.R.matrix.e[k])));
  for (int k = 0; k < 3; ++k) largest = std::max(largest, magnitude(S(A.p[k] - B.p[k])));
  return static_cast<double>(largest);
}

/** How far poses of n joints may differ: 100 n units of the last place of the longest way, for kappa is 1.
 *
 *  A pose is a product of rotations and a sum of turned offsets. Moving an angle by an ulp moves it by at most pi ulps of
 *  the reach, an offset by one.
 */
template <typename S>
double bound(int n, double reach)
{
  return static_cast<double>(100 * n * unit_roundoff<S>()) * std::max(1.0, reach);
}

/// The reach of a chain: the sum of all lengths in it.
template <typename S>
double reach(const JointFrameChain<S>& chain, const VectorX<S>& q)
{
  const auto length = [](const S& x, const S& y, const S& z) {
    return static_cast<double>(magnitude(x) + magnitude(y) + magnitude(z));
  };
  double sum = length(chain.base.p[0], chain.base.p[1], chain.base.p[2]) +
               length(chain.tip.p[0], chain.tip.p[1], chain.tip.p[2]);
  for (std::size_t k = 0; k < chain.joints.size(); ++k) {
    const JointFrame<S>& joint = chain.joints[k];
    sum += length(joint.a, joint.b, joint.d) + static_cast<double>(magnitude(S(q(k))));
  }
  return sum;
}

/// Whether every frame of one chain is fixed to its counterpart in another: the largest change of what is between them.
template <typename S, typename One, typename Other>
double slip(const One& one, const Other& other, int n)
{
  Draw draw(7);
  const auto between = [&](const VectorX<S>& q) {
    std::vector<SE3<S>> X;
    const std::vector<SE3<S>> A = one(q), B = other(q);
    BOOST_TEST_REQUIRE(A.size() == B.size());
    for (std::size_t k = 0; k < A.size(); ++k) X.push_back(inverse(A[k]) * B[k]);
    return X;
  };
  const std::vector<SE3<S>> at_zero = between(VectorX<S>::Zero(n));
  double largest = 0;
  for (int times = 0; times < 5; ++times) {
    const std::vector<SE3<S>> X = between(draw.coordinates<S>(n));
    for (std::size_t k = 0; k < X.size(); ++k) largest = std::max(largest, distance(X[k], at_zero[k]));
  }
  return largest;
}

/// The links of a model that bodies carry, one for each joint, along the way to its last link.
template <typename S>
auto link_poses(const Model<S>& model)
{
  return [&model](const VectorX<S>& q) {
    ForwardKinematics<S> kinematics(model);
    kinematics(q, VectorX<S>::Zero(model.nv()));
    std::vector<SE3<S>> all;
    for (const LinkFrame<S>& link : model.links())
      if (link.body > 0) all.push_back(kinematics.link_pose(link));
    return all;
  };
}
template <typename Chain>
auto frames_of(const Chain& chain)
{
  return [&chain](const auto& q) { return poses(chain, q); };
}

constexpr double quarter = 1;

/// A table by quarter turns, so that it can be made in every arithmetic.
template <typename S>
DenavitHartenbergChain<S> table(DenavitHartenberg convention, const std::vector<std::array<double, 3>>& rows)
{
  DenavitHartenbergChain<S> chain{convention, {}, {}, {}};
  for (const auto& [d, a, quarters] : rows)
    chain.rows.push_back({S(a), S(quarters) * pi<S>() / S(2), S(d), S(0), JointType::revolute});
  return chain;
}

/// The PUMA 560 by the standard convention: the numbers of validation/models/puma560.cpp, d, a and quarter turns alpha.
const std::vector<std::array<double, 3>> puma_rows{{0, 0, quarter},      {0, 0.4318, 0},   {0.15005, 0.0203, -quarter},
                                                   {0.4318, 0, quarter}, {0, 0, -quarter}, {0, 0, 0}};

/// The UR5 by the standard convention, as its maker publishes it; without the flange, 0.0823 m along the last axis.
const std::vector<std::array<double, 3>> ur5_rows{{0.089159, 0, quarter}, {0, -0.425, 0},         {0, -0.39225, 0},
                                                  {0.10915, 0, quarter},  {0.09465, 0, -quarter}, {0, 0, 0}};

/// The main chain of the hydraulic manipulator, \eq{ma,41} to \eq{ma,46}: a, b, d, alpha.
JointFrameChain<double> main_chain()
{
  JointFrameChain<double> chain;
  chain.joints = {{0, 0, 0}, {0, 0, 0.4, pi<double>() / 2}, {1.345}, {2.373}, {1.4}, {0.3}};
  chain.joints[4].type = JointType::prismatic;
  chain.joints[4].slide = {1, 0, 0};
  return chain;
}

/// A chain in general position, with a slide, two parallel axes and two that coincide.
template <typename S>
OffsetBehind<S> drawn_screws(unsigned seed)
{
  Draw draw(seed);
  OffsetBehind<S> form;
  const auto vector = [&] { return Vector3<S>{S(draw()), S(draw()), S(draw())}; };
  const auto unit = [](const Vector3<S>& x) {
    using std::sqrt;
    return S(1) / S(sqrt(inner(x, x))) * x;
  };
  const auto turn = [](const Vector3<S>& w, const Vector3<S>& p) { return Twist<S>{w, cross(p, w)}; };
  const Vector3<S> w = unit(vector()), p = vector();
  form.A = {
      turn(unit(vector()), vector()), turn(w, p),           turn(w, vector()), turn(-w, vector()), {{}, unit(vector())},
      turn(unit(vector()), vector()), {{}, unit(vector())}, turn(w, p),        turn(w, p)};
  form.M = exp(Twist<S>{vector(), vector()});
  return form;
}

template <typename Function>
void refused(const Function& f, std::initializer_list<const char*> pieces)
{
  BOOST_CHECK_EXCEPTION(f(), ModelError, [&](const ModelError& e) {
    const std::string sentence = e.what();
    for (const char* piece : pieces)
      if (sentence.find(piece) == std::string::npos) {
        BOOST_TEST_MESSAGE(sentence << " lacks: " << piece);
        return false;
      }
    return true;
  });
}

/// Both readings of everything below: in double and in fifty digits.
template <typename S>
void check_screws(const OffsetBehind<S>& form)
{
  const int n = static_cast<int>(form.A.size());
  const JointFrameChain<S> chain = joint_frames(form);
  Draw draw(11);
  for (int times = 0; times < 5; ++times) {
    const VectorX<S> q = draw.coordinates<S>(n);
    const double most = bound<S>(n, reach(chain, q));
    BOOST_TEST(distance(poses(chain, q).back() * chain.tip, pose(form, q)) <= most);
    const OffsetsBetween<S> between = offsets_between(chain);
    BOOST_TEST(distance(pose(between, q), pose(form, q)) <= most);
    BOOST_TEST(distance(pose(offset_before(offset_behind(between)), q), pose(form, q)) <= most);
    // What stands on common normals is a table by either convention.
    for (const DenavitHartenberg convention : {DenavitHartenberg::modified, DenavitHartenberg::standard}) {
      const DenavitHartenbergChain<S> rows = denavit_hartenberg(chain, convention);
      BOOST_TEST(distance(poses(rows, q).back() * rows.tip, pose(form, q)) <= most);
    }
  }
}

template <typename S>
void check_tables(DenavitHartenbergChain<S> chain)
{
  const int n = static_cast<int>(chain.rows.size());
  chain.base = exp(Twist<S>{{S(0.3), S(-0.4), S(0.7)}, {S(0.1), S(0.2), S(-0.3)}});
  chain.tip = exp(Twist<S>{{S(-0.2), S(0.5), S(0.1)}, {S(0.3), S(-0.1), S(0.2)}});
  const JointFrameChain<S> frames = joint_frames(chain);
  const double most = bound<S>(n, reach(frames, VectorX<S>(VectorX<S>::Constant(n, S(3)))));
  BOOST_TEST(slip<S>(frames_of(chain), frames_of(frames), n) <= most);
  Draw draw(13);
  const VectorX<S> q = draw.coordinates<S>(n);
  BOOST_TEST(distance(poses(chain, q).back() * chain.tip, poses(frames, q).back() * frames.tip) <= most);

  for (const DenavitHartenberg other : {DenavitHartenberg::standard, DenavitHartenberg::modified}) {
    const DenavitHartenbergChain<S> same = by_convention(chain, other);
    BOOST_TEST(distance(poses(same, q).back() * same.tip, poses(chain, q).back() * chain.tip) <= most);
  }

  // Back: all numbers are the same, but what the first or the last row of a convention cannot hold is outside.
  const DenavitHartenbergChain<S> back = denavit_hartenberg(frames, chain.convention);
  BOOST_TEST(distance(poses(back, q).back() * back.tip, poses(chain, q).back() * chain.tip) <= most);
  for (int k = 0; k < n; ++k) {
    const auto same = [&](const S& x, const S& y) { BOOST_TEST(static_cast<double>(magnitude(S(x - y))) <= most); };
    same(back.rows[k].d, chain.rows[k].d), same(back.rows[k].theta, chain.rows[k].theta);
    if (chain.convention == DenavitHartenberg::standard && k == n - 1) continue;
    same(back.rows[k].a, chain.rows[k].a), same(back.rows[k].alpha, chain.rows[k].alpha);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(joint_frames_by_five_numbers)

BOOST_AUTO_TEST_CASE(a_frame_is_the_product_of_five_motions)
{
  Draw draw(1);
  for (int times = 0; times < 20; ++times) {
    const JointFrame<double> joint{draw(), draw(), draw(), 3 * draw(), 3 * draw()};
    const double q = draw();
    const auto along = [](const Eigen::Vector3d& way) { return Eigen::Affine3d(Eigen::Translation3d(way)); };
    const auto about = [](const Eigen::Vector3d& axis, double angle) {
      return Eigen::Affine3d(Eigen::AngleAxisd(angle, axis));
    };
    const auto x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY(), z = Eigen::Vector3d::UnitZ();
    const Eigen::Affine3d T = along(joint.a * x) * along(joint.b * y) * along(joint.d * z) * about(x, joint.alpha) *
                              about(z, joint.theta) * about(z, q);
    const auto column = [&](int k) { return Vector3<double>(Eigen::Vector3d(T.matrix().block<3, 1>(0, k))); };
    const SE3<double> seen{SO3<double>(Matrix3<double>::of_columns(column(0), column(1), column(2))), column(3)};
    BOOST_TEST(distance(pose(joint, q), seen) <= bound<double>(1, 4));
  }
}

BOOST_AUTO_TEST_CASE(a_puma_from_its_table_has_the_links_of_the_built_in_one)
{
  const auto check = []<typename S>(S) {
    const Model<S> model{Model<double>(puma560())};
    const DenavitHartenbergChain<S> chain = table<S>(DenavitHartenberg::standard, puma_rows);
    BOOST_TEST(slip<S>(link_poses(model), frames_of(chain), 6) <= bound<S>(6, 2));
    BOOST_TEST(slip<S>(link_poses(model), frames_of(joint_frames(chain)), 6) <= bound<S>(6, 2));
    // The built-in frames stand where the modified convention has them, up to the d and a before the joint.
    Draw draw(3);
    const VectorX<S> q = draw.coordinates<S>(6);
    const SE3<S> last = link_poses(model)(q).back();
    BOOST_TEST(distance(poses(chain, q).back(), last) <= bound<S>(6, 2));
  };
  check(double());
  check(Fifty());
}

BOOST_AUTO_TEST_CASE(a_machine_made_of_joint_frames_has_their_poses)
{
  const DenavitHartenbergChain<double> rows = table<double>(DenavitHartenberg::standard, puma_rows);
  JointFrameChain<double> chain = joint_frames(rows);
  chain.joints[1].theta = 0.3;
  chain.joints[3].type = JointType::prismatic;
  chain.joints[3].slide = {2 / 3.0, -1 / 3.0, 2 / 3.0};
  std::vector<FramedLink> links;
  for (const JointFrame<double>& joint : chain.joints) {
    const std::string number = std::to_string(links.size() + 1);
    links.push_back({"joint_" + number,
                     joint,
                     links.empty() ? "base" : links.back().link.name,
                     {"link_" + number, 1, {0.1, 0, 0}, {0, 0, 0, 1}, {0.1, 0, 0, 0.1, 0, 0.1}}});
  }
  const Model<double> model(mechanism_of("puma", Link{"base"}, links));
  Draw draw(5);
  for (int times = 0; times < 5; ++times) {
    const Vector q = draw.coordinates<double>(6);
    const auto own = link_poses(model)(q), said = poses(chain, q);
    for (int k = 0; k < 6; ++k) BOOST_TEST(distance(own[k], said[k]) <= bound<double>(6, reach(chain, q)));
  }
}

BOOST_AUTO_TEST_CASE(a_joint_without_numbers_stays_where_it_is_and_slides_along_z)
{
  BOOST_TEST(distance(pose(JointFrame<double>{}, 0.0), SE3<double>{}) == 0);
  BOOST_TEST(distance(pose(JointFrame<double>{.type = JointType::prismatic}, 0.7), {{}, {0, 0, 0.7}}) == 0);
  for (const DenavitHartenberg convention : {DenavitHartenberg::standard, DenavitHartenberg::modified})
    BOOST_TEST(distance(pose(DenavitHartenbergRow<double>{}, convention, 0.0), SE3<double>{}) == 0);
}

BOOST_AUTO_TEST_CASE(the_main_chain_of_the_manipulator_is_a_table_of_five_numbers)
{
  const Model<double> model(built_in_model("hydraulic_manipulator"));
  const JointFrameChain<double> chain = main_chain();
  ForwardKinematics<double> kinematics(model);
  Draw draw(17);
  for (int times = 0; times < 5; ++times) {
    const Vector q = draw.coordinates<double>(6);
    Vector all = model.zero_coordinates();
    int k = 0;
    for (const char* name : {"theta_1", "theta_2", "theta_3", "theta_4", "d_5", "theta_6"}) {
      for (const JointSlot& joint : model.joints())
        if (joint.name == name) all(joint.q) = q(k);
      ++k;
    }
    kinematics(all, Vector::Zero(model.nv()));
    const std::vector<SE3<double>> said = poses(chain, q);
    k = 0;
    for (const char* name : {"slewing", "arm_1", "arm_2", "arm_3", "telescope", "arm_4"})
      BOOST_TEST(distance(kinematics.link_pose(model.link(name)), said[k++]) <= bound<double>(6, reach(chain, q)));
  }
}

BOOST_AUTO_TEST_CASE(lengths_that_do_not_fit_and_joints_that_cannot_be_meant_are_refused)
{
  JointFrameChain<double> chain = main_chain();
  BOOST_CHECK_THROW(poses(chain, Vector(5)), SizeError);
  BOOST_CHECK_THROW(
      poses(denavit_hartenberg(joint_frames(drawn_screws<double>(1)), DenavitHartenberg::standard), Vector(5)),
      SizeError);
  refused([&] { offsets_between(JointFrameChain<double>{}); }, {"no joint", "at least one"});
  for (const DenavitHartenberg convention : {DenavitHartenberg::standard, DenavitHartenberg::modified}) {
    JointFrameChain<double> endless = joint_frames(offset_behind(offsets_between(chain)));
    endless.joints[3].theta = std::nan("");
    refused([&] { denavit_hartenberg(endless, convention); }, {"joint 4", "not a finite number"});
  }
  chain.joints[4].slide = {1, 1, 0};
  refused([&] { offsets_between(chain); }, {"joint 5", "a direction of length 1.41", "has length 1"});
  chain.joints[4].type = JointType::ball;
  refused([&] { offsets_between(chain); },
          {"joint 5", "neither turns nor slides", "revolute, continuous or prismatic"});
  const Link link{"ball", 1, {}, {0, 0, 0, 1}, {1, 0, 0, 1, 0, 1}};
  refused(
      [&] {
        mechanism_of("machine", Link{"base"}, {{"socket", chain.joints[4], "base", link}});
      },
      {"machine", "'socket'", "neither turns nor slides"});
  refused([&] { joint_frames(OffsetBehind<double>{}); }, {"no screw"});
  OffsetBehind<double> form = drawn_screws<double>(2);
  form.A[3].v += form.A[3].w;
  refused([&] { joint_frames(form); }, {"screw 4", "w.v = 0"});
  form = drawn_screws<double>(2);
  form.A[0].w = 2.0 * form.A[0].w;
  refused([&] { joint_frames(form); }, {"screw 1", "|w| = 1"});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(denavit_and_hartenberg)

BOOST_AUTO_TEST_CASE(tables_become_frames_and_tables_again)
{
  const auto check = []<typename S>(S) {
    for (const auto& rows : {puma_rows, ur5_rows})
      for (const DenavitHartenberg convention : {DenavitHartenberg::standard, DenavitHartenberg::modified})
        check_tables(table<S>(convention, rows));
    Draw draw(19);  // of no special angles, and with slides
    DenavitHartenbergChain<S> chain{DenavitHartenberg::standard, {}, {}, {}};
    for (int k = 0; k < 6; ++k)
      chain.rows.push_back({S(draw()), S(3 * draw()), S(draw()), S(3 * draw()),
                            k % 3 == 1 ? JointType::prismatic : JointType::revolute});
    check_tables(chain);
    chain.convention = DenavitHartenberg::modified;
    check_tables(chain);
  };
  check(double());
  check(Fifty());
}

BOOST_AUTO_TEST_CASE(the_published_table_of_the_ur5_is_the_built_in_robot)
{
  const Model<double> model(built_in_model("ur5"));
  DenavitHartenbergChain<double> chain = table<double>(DenavitHartenberg::standard, ur5_rows);
  chain.base.R = exp(Vector3<double>{0, 0, pi<double>()});  // the maker's base looks the other way
  for (const int k : {1, 3})
    chain.rows[k].theta = 1.57079632679 - pi<double>() / 2;  // as the file rounds a right angle
  BOOST_TEST(slip<double>(link_poses(model), frames_of(chain), 6) <= bound<double>(6, 2));

  // And the other way: its screws give the maker's lengths, but for the signs of x and for d_1, which is in the base.
  const LinkFrame<double>& last = model.links().back();
  const auto back =
      denavit_hartenberg(joint_frames(offset_behind(ScrewSystem<double>(model), last)), DenavitHartenberg::standard);
  for (int k = 0; k < 5; ++k) {
    BOOST_TEST(std::abs(std::abs(back.rows[k].a) - std::abs(ur5_rows[k][1])) <= bound<double>(6, 2));
    BOOST_TEST(std::abs(std::abs(back.rows[k].d) - (k ? ur5_rows[k][0] : 0)) <= bound<double>(6, 2));
    BOOST_TEST(std::abs(std::abs(back.rows[k].alpha) - std::abs(ur5_rows[k][2]) * pi<double>() / 2) <=
               bound<double>(6, 2));
  }
}

BOOST_AUTO_TEST_CASE(one_table_read_by_both_conventions_is_two_machines)
{
  // A base and a tip may be chosen, the angle between two neighbouring axes may not.
  const auto cosines = [](DenavitHartenberg convention) {
    const OffsetBehind<double> form =
        offset_behind(offsets_between(joint_frames(table<double>(convention, puma_rows))));
    std::vector<double> all;
    for (int k = 0; k < 5; ++k) all.push_back(inner(form.A[k].w, form.A[k + 1].w));
    return all;
  };
  const std::vector<double> standard = cosines(DenavitHartenberg::standard),
                            modified = cosines(DenavitHartenberg::modified);
  const std::vector<double> right{0, 1, 0, 0, 0}, wrong{1, 0, 0, 0, 1};
  for (int k = 0; k < 5; ++k) {
    BOOST_TEST(std::abs(standard[k] - right[k]) <= bound<double>(6, 1));
    BOOST_TEST(std::abs(modified[k] - wrong[k]) <= bound<double>(6, 1));
  }
  // Where the hand is, with all joints at zero.
  const auto hand = [](DenavitHartenberg convention) {
    return poses(table<double>(convention, puma_rows), Vector(Vector::Zero(6))).back().p;
  };
  const Vector3<double> apart = hand(DenavitHartenberg::standard) - hand(DenavitHartenberg::modified);
  BOOST_TEST(std::sqrt(inner(apart, apart)) > 0.1);
}

BOOST_AUTO_TEST_CASE(a_table_without_rows_has_a_convention)
{
  const DenavitHartenbergChain<double> none{DenavitHartenberg::standard, {}, {}, {}};
  BOOST_TEST((by_convention(none, DenavitHartenberg::modified).convention == DenavitHartenberg::modified));
}

/// Just inside and just outside, all of the joint's lengths being counted: 1 + 3 + 5 m.
BOOST_AUTO_TEST_CASE(an_axis_meets_the_x_axis_before_to_64_units_in_the_last_place)
{
  const double unit = 9 * std::numeric_limits<double>::epsilon();
  const auto ask = [](const JointFrame<double>& joint) {
    denavit_hartenberg(JointFrameChain<double>{{}, {joint}, {}}, DenavitHartenberg::modified);
  };
  BOOST_CHECK_NO_THROW(ask({3, 63.5 * unit, 5}));
  refused([&] { ask({3, 64.5 * unit, 5}); }, {"passes the x axis of the frame before"});
  const double quarter_turn = pi<double>() / 2, rest = 5 * std::cos(quarter_turn);
  BOOST_CHECK_NO_THROW(ask({3, 5, 63.5 * unit - rest, quarter_turn}));
  refused([&] { ask({3, 5, 64.5 * unit - rest, quarter_turn}); }, {"passes the x axis of the frame before"});
}

BOOST_AUTO_TEST_CASE(what_no_table_can_say_is_refused_and_frames_that_move_along_their_axes_can)
{
  const JointFrameChain<double> chain = main_chain();
  for (const DenavitHartenberg convention : {DenavitHartenberg::modified, DenavitHartenberg::standard})
    refused([&] { denavit_hartenberg(chain, convention); },
            {"joint 2", "passes the x axis of the frame before at a distance of 0.400000 m", "first"});
  JointFrameChain<double> slides = chain;
  slides.joints.erase(slides.joints.begin(), slides.joints.begin() + 2);
  refused([&] { denavit_hartenberg(slides, DenavitHartenberg::modified); },
          {"joint 3", "slides along (1.000000, 0.000000, 0.000000)", "not along its own z"});
  slides.joints[2].slide = {0.48, 0.6, 0.64};
  refused([&] { denavit_hartenberg(slides, DenavitHartenberg::modified); },
          {"slides along (0.480000, 0.600000, 0.640000)"});
  check_screws(offset_behind(offsets_between(chain)));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(joint_frames_and_screws)

BOOST_AUTO_TEST_CASE(screws_become_frames_and_screws_again)
{
  for (const unsigned seed : {1, 2, 3, 4}) {
    check_screws(drawn_screws<double>(seed));
    check_screws(drawn_screws<Fifty>(seed));
  }
}

/// A turn about the line through p with direction w.
Twist<double> turn_about(const Vector3<double>& w, const Vector3<double>& p) { return {w, cross(p, w)}; }

BOOST_AUTO_TEST_CASE(what_screws_leave_open_is_chosen_as_it_is_said)
{
  for (const unsigned seed : {1u, 2u, 3u, 4u}) {
    const OffsetBehind<double> form = drawn_screws<double>(seed);
    const JointFrameChain<double> chain = joint_frames(form);
    const std::vector<SE3<double>> at = poses(chain, Vector(Vector::Zero(9)));
    const double most = bound<double>(9, reach(chain, Vector(Vector::Zero(9))));
    // The normal between parallel axes goes from the one to the next, through the origin that the axis before gives; so
    // does the origin of the last frame, behind which there is no normal, and that of one whose next axis is its own.
    for (const std::size_t k : {1u, 2u, 7u, 8u})
      BOOST_TEST(std::abs(inner(at[k].R.matrix.column(2), at[k].p - at[k - 1].p)) <= most);
    for (const std::size_t k : {1u, 2u}) {
      const Vector3<double> across = at[k + 1].p - at[k].p;
      const double distance_of_axes = std::sqrt(inner(across, across));
      BOOST_TEST(distance_of_axes > 0.01);
      BOOST_TEST(std::abs(inner(at[k].R.matrix.column(0), across) - distance_of_axes) <= most);
    }
  }

  // Where there is no normal, x is that of the shortest turn from z to the first axis; the last keeps the x before.
  const Vector3<double> w{0.48, 0.6, 0.64}, p{0.3, -0.2, 0.1};
  const Vector3<double> x = rotation_from_z(w).matrix.column(0);
  for (const std::vector<Twist<double>>& axes :
       {std::vector{turn_about(w, p)}, std::vector{turn_about(w, p), turn_about(-w, p)}}) {
    const JointFrameChain<double> chain = joint_frames(OffsetBehind<double>{axes, {}});
    const int n = static_cast<int>(axes.size());
    for (const SE3<double>& frame : poses(chain, Vector(Vector::Zero(n)))) {
      const Vector3<double> off = frame.R.matrix.column(0) - x;
      BOOST_TEST(std::sqrt(inner(off, off)) <= bound<double>(n, 1));
    }
  }

  // A slide goes through the origin before it.
  const OffsetBehind<double> slide{{turn_about(w, p), {{}, {0.6, 0, 0.8}}}, {}};
  const std::vector<SE3<double>> at = poses(joint_frames(slide), Vector(Vector::Zero(2)));
  const Vector3<double> apart = at[1].p - at[0].p;
  BOOST_TEST(std::sqrt(inner(apart, apart)) <= bound<double>(2, 1));

  // An axis that turns round makes a half turn forward.
  const OffsetBehind<double> round{{turn_about({0, 0, 1}, {}), turn_about({0, 0, -1}, {1, 0, 0})}, {}};
  BOOST_TEST(joint_frames(round).joints[1].alpha == pi<double>());
}

/// Just inside and just outside of 64 units of what counts; what is compared is exact in these numbers.
BOOST_AUTO_TEST_CASE(axes_are_parallel_and_the_same_to_64_units_in_the_last_place)
{
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto first_x = [](const OffsetBehind<double>& form) { return joint_frames(form).base.R.matrix.column(0); };
  const auto tilted = [&](double units) {
    return first_x({{turn_about({0, 0, 1}, {}), turn_about({units * epsilon, 0, 1}, {1, 0, 0})}, {}});
  };
  const double most = bound<double>(3, 3);
  BOOST_TEST(std::abs(tilted(63.5)[0] - 1) <= most);  // from axis to axis
  BOOST_TEST(std::abs(tilted(64.5)[1] - 1) <= most);  // across both

  // Axis 0 along x crosses axis 1 along z at height 3; axis 2 stands beside axis 1.
  const auto beside = [&](double units) {
    const Twist<double> third{{0, 0, 1}, {0, -units * 4 * epsilon, 0}};
    const OffsetBehind<double> form{{turn_about({1, 0, 0}, {0, 0, 3}), turn_about({0, 0, 1}, {}), third}, {}};
    return Vector3<double>(poses(joint_frames(form), Vector(Vector::Zero(3)))[1].R.matrix.column(0));
  };
  BOOST_TEST(std::abs(beside(63.5)[1] + 1) <= most);  // the x before, for axes 1 and 2 are one
  BOOST_TEST(std::abs(beside(64.5)[0] - 1) <= most);  // from axis to axis

  const auto pitched = [&](double units) {
    const Twist<double> A{{0, 0, 1}, {3, 0, units * 4 * epsilon}};
    return joint_frames(OffsetBehind<double>{{A}, {}});
  };
  BOOST_CHECK_NO_THROW(pitched(63.5));
  refused([&] { pitched(64.5); }, {"screw 1", "w.v = 0"});
}

BOOST_AUTO_TEST_CASE(robots_become_frames_by_their_screws)
{
  const auto check = []<typename S>(S) {
    for (const char* name : {"puma560", "ur5", "screw_arm"}) {
      Mechanism mechanism = built_in_model(name);
      for (Joint& joint : mechanism.joints)
        if (joint.type == JointType::helical) joint.type = JointType::revolute;
      const Model<S> model{Model<double>(mechanism)};
      const LinkFrame<S>& last = model.links().back();
      const OffsetBehind<S> form = offset_behind(ScrewSystem<S>(model), last);
      BOOST_TEST(static_cast<int>(form.A.size()) == model.nv());
      check_screws(form);
      const JointFrameChain<S> chain = joint_frames(form);
      const double size = reach(chain, VectorX<S>(VectorX<S>::Constant(model.nv(), S(3))));
      BOOST_TEST(slip<S>(link_poses(model), frames_of(chain), model.nv()) <= bound<S>(model.nv(), size));
    }
  };
  check(double());
  check(Fifty());
}

BOOST_AUTO_TEST_SUITE_END()
