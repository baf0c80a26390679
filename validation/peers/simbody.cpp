// Compiled as C++17: Simbody's comparison operators are ambiguous in C++20.
#include <peers/simbody.hpp>
#include <Simbody.h>
#include <algorithm>
#include <cmath>
#include <map>

namespace articulate::validation {

namespace {

using namespace SimTK;

Vec3 to_vector(const std::array<double, 3>& x) { return {x[0], x[1], x[2]}; }
Rotation to_rotation(const std::array<double, 4>& q) { return Rotation(Quaternion(q[3], q[0], q[1], q[2])); }
Rotation rotation_to(const std::array<double, 3>& axis, const CoordinateAxis& of_engine)
{
  return Rotation(UnitVec3(to_vector(axis)), of_engine);
}
std::array<double, 3> to_array(const Vec3& x) { return {x[0], x[1], x[2]}; }

MassProperties to_mass_properties(const Link& link)
{
  const auto& I = link.inertia;
  const Inertia central = Inertia(I[0], I[3], I[5], I[1], I[2], I[4]).reexpress(~to_rotation(link.inertial_quaternion));
  const Vec3 c = to_vector(link.center_of_mass);
  return {link.mass, c, central.shiftFromMassCenter(c, link.mass)};
}

bool turns(const articulate::Joint& joint)
{
  return joint.type == JointType::revolute || joint.type == JointType::continuous;
}

bool is_free(const MobilizedBody& joint) { return MobilizedBody::Free::isInstanceOf(joint); }

void require_size(const char* argument, std::size_t given, std::size_t expected)
{
  if (given != expected) throw SizeError(argument, static_cast<int>(given), static_cast<int>(expected));
}

/// A drive as Simbody asks for it.
class DrivenMotion : public SimTK::Motion::Custom::Implementation {
public:
  explicit DrivenMotion(const Drive& drive) : drive_(drive) {}
  SimTK::Motion::Level getLevel(const State&) const override { return SimTK::Motion::Position; }
  void calcPrescribedPosition(const State& s, int, Real* q) const override { *q = drive_(s.getTime())[0]; }
  void calcPrescribedPositionDot(const State& s, int, Real* qd) const override { *qd = drive_(s.getTime())[1]; }
  void calcPrescribedPositionDotDot(const State& s, int, Real* qdd) const override { *qdd = drive_(s.getTime())[2]; }

private:
  const Drive& drive_;
};

}  // namespace

struct SimbodyMachine::Engine {
  /// Where a link is when all coordinates are zero, to judge whether a loop is plane.
  struct Place {
    MobilizedBody body;
    Transform at_zero;
    const articulate::Joint* carrier;
  };

  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  Force::DiscreteForces joint_forces{forces, matter};
  std::map<std::string, Place> places;
  std::vector<MobilizedBody> joints;
  std::vector<Drive> drives;
  std::vector<SimTK::Motion::Custom> motions;
  RungeKuttaMersonIntegrator integrator{system};
  State state;
  bool at_start = true;  // of an integration

  Engine(const Mechanism& tree, const std::vector<Loop>& loops, const std::vector<std::string>& order,
         const std::vector<std::string>& motors, Closing closing, const std::vector<Spring>& springs)
      : drives(motors.size())
  {
    Force::Gravity(forces, matter, to_vector(tree.gravity));
    add_links(tree);
    for (const Loop& loop : loops) closing == Closing::in_a_plane ? add_plane_loop(loop) : add_loop(loop);
    for (const Spring& spring : springs) add_spring(spring);

    const auto child_of = [&](const std::string& name) {
      const auto joint =
          std::find_if(tree.joints.begin(), tree.joints.end(), [&](const auto& j) { return j.name == name; });
      if (joint == tree.joints.end() || joint->type == JointType::fixed)
        throw ModelError(tree.source + ": there is no moving joint '" + name + "'.");
      return places.at(joint->child).body;
    };
    for (const std::string& name : order) joints.push_back(child_of(name));
    if (static_cast<int>(joints.size()) !=
        std::count_if(tree.joints.begin(), tree.joints.end(), [](const auto& j) { return j.type != JointType::fixed; }))
      throw ModelError(tree.source + ": the order of the coordinates must name every moving joint once.");
    for (std::size_t m = 0; m < motors.size(); ++m) {
      MobilizedBody body = child_of(motors[m]);
      motions.emplace_back(body, new DrivenMotion(drives[m]));
    }
    state = system.realizeTopology();
    system.realizeModel(state);
    integrator.setAccuracy(1e-10);
    integrator.setConstraintTolerance(SimbodyMachine::closure);
    integrator.setProjectEveryStep(true);
    integrator.setAllowInterpolation(false);
  }

  /// Parents first, in as many passes over the joints as the tree is deep.
  void add_links(const Mechanism& tree)
  {
    std::vector<const articulate::Joint*> waiting;
    for (const articulate::Joint& joint : tree.joints) waiting.push_back(&joint);
    for (const Link& link : tree.links)
      if (std::none_of(tree.joints.begin(), tree.joints.end(), [&](const auto& j) { return j.child == link.name; }))
        places[link.name] = {MobilizedBody::Weld(matter.Ground(), Body::Rigid(to_mass_properties(link))), {}, nullptr};
    while (!waiting.empty()) {
      const auto rest = std::remove_if(waiting.begin(), waiting.end(), [&](const articulate::Joint* joint) {
        if (!places.count(joint->parent)) return false;
        add_link(tree, *joint);
        return true;
      });
      if (rest == waiting.end()) throw ModelError(tree.source + ": the joints do not make a tree.");
      waiting.erase(rest, waiting.end());
    }
  }

  void add_link(const Mechanism& tree, const articulate::Joint& joint)
  {
    const Link& link =
        *std::find_if(tree.links.begin(), tree.links.end(), [&](const Link& l) { return l.name == joint.child; });
    const Body::Rigid body(to_mass_properties(link));
    Place& parent = places.at(joint.parent);
    const Transform X(to_rotation(joint.quaternion), to_vector(joint.position));
    MobilizedBody made;
    if (turns(joint)) {  // about z of the engine's frames
      const Transform turn(rotation_to(joint.axis, ZAxis));
      made = MobilizedBody::Pin(parent.body, X * turn, body, turn);
    } else if (joint.type == JointType::prismatic) {  // along their x
      const Transform turn(rotation_to(joint.axis, XAxis));
      made = MobilizedBody::Slider(parent.body, X * turn, body, turn);
    } else if (joint.type == JointType::floating) {
      made = MobilizedBody::Free(parent.body, X, body, Transform());
    } else if (joint.type == JointType::fixed) {
      made = MobilizedBody::Weld(parent.body, X, body, Transform());
    } else {
      throw ModelError(
          tree.source + ": joint '" + joint.name +
          "' is no hinge, no slide and not fixed; the virtual prototype knows only these and free joints.");
    }
    places[joint.child] = {made, parent.at_zero * X, &joint};
  }

  /// Where the frame of an end is in its link, its z axis turned to that of the loop.
  static Transform frame(const Loop& loop, const Loop::End& end)
  {
    const bool is_z = loop.axis == Loop{}.axis;
    const Rotation turn = is_z ? Rotation() : rotation_to(loop.axis, ZAxis);
    return {to_rotation(end.quaternion) * turn, to_vector(end.position)};
  }

  void add_loop(const Loop& loop)
  {
    Place &first = at(loop.first.link), &second = at(loop.second.link);
    const Transform X1 = frame(loop, loop.first), X2 = frame(loop, loop.second);
    const auto keep_normal = [&](const CoordinateAxis& one, const CoordinateAxis& other) {
      Constraint::ConstantAngle(first.body, X1.R()(one), second.body, X2.R()(other), Pi / 2);
    };
    if (loop.slides != std::array<bool, 3>{} || loop.pitch != 0 || loop.turning == Turning::none)
      throw ModelError("loop '" + loop.name +
                       "' slides or is rigid; the virtual prototype closes balls, universal "
                       "joints and hinges.");
    Constraint::Ball(first.body, X1.p(), second.body, X2.p());
    if (loop.turning == Turning::universal) keep_normal(XAxis, YAxis);
    if (loop.turning == Turning::about_z) keep_normal(XAxis, ZAxis), keep_normal(YAxis, ZAxis);
  }

  void add_spring(const Spring& spring)
  {
    const auto station = [](const Loop::End& end) { return to_vector(end.position); };
    const MobilizedBody &first = body_of(spring.first), &second = body_of(spring.second);
    Force::TwoPointLinearSpring(forces, first, station(spring.first), second, station(spring.second), spring.stiffness,
                                spring.rest_length);
    Force::TwoPointLinearDamper(forces, first, station(spring.first), second, station(spring.second), spring.damping);
  }
  const MobilizedBody& body_of(const Loop::End& end)
  {
    return end.link.empty() ? static_cast<const MobilizedBody&>(matter.Ground()) : at(end.link).body;
  }

  void add_plane_loop(const Loop& loop)
  {
    Place &first = at(loop.first.link), &second = at(loop.second.link);
    const Transform X1 = frame(loop, loop.first), X2 = frame(loop, loop.second);
    require_plane(loop, X1, X2);
    for (const CoordinateAxis& k : {CoordinateAxis(XAxis), CoordinateAxis(YAxis)})
      Constraint::PointInPlane(first.body, X1.R()(k), dot(X1.p(), X1.R()(k)), second.body, X2.p());
  }

  /// The hinges of the loop must be parallel to its own and the slides normal to it, and the ends in one plane.
  void require_plane(const Loop& loop, const Transform& X1, const Transform& X2) const
  {
    const bool hinge = loop.turning == Turning::about_z && loop.pitch == 0 &&
                       std::none_of(loop.slides.begin(), loop.slides.end(), [](bool slides) { return slides; });
    const auto path = [this](std::string link) {
      std::vector<const articulate::Joint*> joints;
      while (const articulate::Joint* joint = places.at(link).carrier) joints.push_back(joint), link = joint->parent;
      return joints;
    };
    auto one = path(loop.first.link), other = path(loop.second.link);
    while (!one.empty() && !other.empty() && one.back() == other.back()) one.pop_back(), other.pop_back();
    one.insert(one.end(), other.begin(), other.end());

    const Transform end = places.at(loop.first.link).at_zero * X1, meets = places.at(loop.second.link).at_zero * X2;
    const UnitVec3 normal = end.R().z();
    double off = std::max((normal % meets.R().z()).norm(), std::abs(dot(normal, meets.p() - end.p())));
    for (const articulate::Joint* joint : one) {
      if (joint->type == JointType::fixed) continue;
      const Vec3 axis = places.at(joint->child).at_zero.R() * UnitVec3(to_vector(joint->axis));
      off = std::max(off, turns(*joint) ? (normal % axis).norm() : std::abs(dot(normal, axis)));
    }
    if (!hinge || off > 1e-12)
      throw ModelError("loop '" + loop.name +
                       "' is not a hinge in a plane loop; the virtual prototype closes only such loops.");
  }

  Place& at(const std::string& link)
  {
    const auto place = places.find(link);
    if (place == places.end()) throw ModelError("the virtual prototype has no link '" + link + "'.");
    return place->second;
  }

  template <typename Number>
  std::vector<double> values(const Number& of) const
  {
    std::vector<double> x;
    for (const MobilizedBody& joint : joints) {
      if (is_free(joint)) continue;
      x.push_back(of(joint));
      if (!std::isfinite(x.back())) throw StateError("Simbody finds a motion that is not finite.");
    }
    return x;
  }
};

SimbodyMachine::SimbodyMachine(const Mechanism& tree, const std::vector<Loop>& loops,
                               const std::vector<std::string>& joints, const std::vector<std::string>& motors,
                               Closing closing, const std::vector<Spring>& springs)
    : engine_(std::make_unique<Engine>(tree, loops, joints, motors, closing, springs))
{
}
SimbodyMachine::~SimbodyMachine() = default;

void SimbodyMachine::apply_forces(const std::vector<double>& q, const std::vector<double>& qd,
                                  const std::vector<double>& tau)
{
  Engine& e = *engine_;
  const auto free = static_cast<std::size_t>(
      std::count_if(e.joints.begin(), e.joints.end(), [](const auto& joint) { return is_free(joint); }));
  require_size("q", q.size(), e.joints.size() + 6 * free);
  require_size("qd", qd.size(), e.joints.size() + 5 * free);
  require_size("tau", tau.size(), e.joints.size() + 5 * free);
  for (const auto& motion : e.motions) motion.disable(e.state);
  e.state.setTime(0);
  const double *at = q.data(), *rate = qd.data(), *force = tau.data();
  for (const MobilizedBody& joint : e.joints) {
    if (is_free(joint)) {
      const Rotation R(Quaternion(at[6], at[3], at[4], at[5]));
      joint.setQToFitTransform(e.state, Transform(R, Vec3(at[0], at[1], at[2])));
      joint.setUToFitVelocity(e.state, {R * Vec3(rate[0], rate[1], rate[2]), R * Vec3(rate[3], rate[4], rate[5])});
      at += 7, rate += 6, force += 6;
      continue;
    }
    joint.setOneQ(e.state, 0, *at++);
    joint.setOneU(e.state, 0, *rate++);
    e.joint_forces.setOneMobilityForce(e.state, joint, MobilizerUIndex(0), *force++);
  }
  e.system.realize(e.state, Stage::Acceleration);
  e.at_start = true;
}

void SimbodyMachine::set_accuracy(double accuracy)
{
  engine_->integrator.setAccuracy(accuracy);
  engine_->integrator.setConstraintTolerance(accuracy / 10);
}

long SimbodyMachine::evaluations() const { return engine_->integrator.getNumRealizations(); }

void SimbodyMachine::drive(const std::vector<Drive>& drives, double t, const std::vector<double>& guess)
{
  Engine& e = *engine_;
  require_size("drives", drives.size(), e.drives.size());
  require_size("guess", guess.size(), e.joints.size());
  std::copy(drives.begin(), drives.end(), e.drives.begin());
  for (const auto& motion : e.motions) motion.enable(e.state);
  e.joint_forces.clearAllForces(e.state);
  e.state.setTime(t);
  for (std::size_t k = 0; k < e.joints.size(); ++k) {
    e.joints[k].setOneQ(e.state, 0, guess[k]);
    e.joints[k].setOneU(e.state, 0, 0);
  }
  e.system.project(e.state, closure);
  e.system.realize(e.state, Stage::Acceleration);
  e.at_start = true;
}

void SimbodyMachine::advance(double t)
{
  Engine& e = *engine_;
  if (e.at_start) e.integrator.initialize(e.state);
  e.at_start = false;
  while (e.integrator.getTime() < t) e.integrator.stepTo(t, t);
  e.state = e.integrator.getState();
  e.system.realize(e.state, Stage::Acceleration);
}

std::vector<double> SimbodyMachine::q() const
{
  return engine_->values([this](const MobilizedBody& joint) { return joint.getOneQ(engine_->state, 0); });
}
std::vector<double> SimbodyMachine::qd() const
{
  return engine_->values([this](const MobilizedBody& joint) { return joint.getOneU(engine_->state, 0); });
}
std::vector<double> SimbodyMachine::qdd() const
{
  return engine_->values([this](const MobilizedBody& joint) { return joint.getOneUDot(engine_->state, 0); });
}
std::vector<double> SimbodyMachine::motor_forces() const
{
  // Simbody counts them among the inertial forces: M udot + tau + ~G lambda + f_inertial = f_applied.
  Vector tau;
  engine_->matter.findMotionForces(engine_->state, tau);
  return engine_->values([&](const MobilizedBody& joint) { return -tau[joint.getFirstUIndex(engine_->state)]; });
}

PointMotion SimbodyMachine::point(const std::string& link, const std::array<double, 3>& place) const
{
  Vec3 p, v, a;
  engine_->at(link).body.findStationLocationVelocityAndAccelerationInGround(engine_->state, to_vector(place), p, v, a);
  return {to_array(p), to_array(v), to_array(a)};
}

Drive cubic_spline(const std::vector<double>& x, const std::vector<double>& y)
{
  const int n = static_cast<int>(x.size());
  const Spline spline =
      SplineFitter<Real>::fitForSmoothingParameter(3, Vector(n, x.data()), Vector(n, y.data()), 0).getSpline();
  return [spline](double t) -> std::array<double, 3> {
    return {spline.calcValue(t), spline.calcDerivative(1, t), spline.calcDerivative(2, t)};
  };
}

}  // namespace articulate::validation
