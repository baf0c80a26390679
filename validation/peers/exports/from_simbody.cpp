/* What Simbody answers about states, as lines that `./articulate check` reads.

   from_simbody ROBOT.urdf TIP [--floating] [--as-is] < states.jsonl > theirs.jsonl

   Simbody reads no URDF: the tree is built here, of hinges and slides, in the order of the states. With --as-is rates are
   handed over and numbers written as they come; the pose of the base is always converted. Build it with libsimbody-dev and
   liburdfdom-dev, as C++17, for some of its comparisons are ambiguous in C++20, and without NDEBUG, with which it crashed:

   g++ -std=c++17 -O2 -I/usr/include/simbody from_simbody.cpp -o from_simbody -lSimTKsimbody -lSimTKmath -lSimTKcommon \
     -lurdfdom_model -lblas */
#include <Simbody.h>
#include <urdf_parser/urdf_parser.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

using Json = nlohmann::json;
using namespace SimTK;

Vec3 to(const urdf::Vector3& x) { return {x.x, x.y, x.z}; }
Rotation to(const urdf::Rotation& r) { return Rotation(SimTK::Quaternion(r.w, r.x, r.y, r.z)); }
Transform to(const urdf::Pose& T) { return {to(T.rotation), to(T.position)}; }

/// Simbody's tensor is about the body's origin and in its axes, URDF's about the centre of mass and in axes of its own.
Body::Rigid body(const urdf::Link& link)
{
  if (!link.inertial) return Body::Rigid(MassProperties(0, Vec3(0), Inertia(0)));
  const auto& I = *link.inertial;
  const Transform X = to(I.origin);
  const Inertia central = Inertia(I.ixx, I.iyy, I.izz, I.ixy, I.ixz, I.iyz).reexpress(~X.R());
  return Body::Rigid(MassProperties(I.mass, X.p(), central.shiftFromMassCenter(X.p(), I.mass)));
}

/// Depth first; urdfdom has the children of a link by the names of their joints.
void grow(MobilizedBody parent, const urdf::Link& link, std::map<std::string, MobilizedBody>& made)
{
  made[link.name] = parent;
  for (const auto& child : link.child_links) {
    const urdf::Joint& joint = *child->parent_joint;
    const Transform X = to(joint.parent_to_joint_origin_transform);
    const bool fixed = joint.type == urdf::Joint::FIXED, slides = joint.type == urdf::Joint::PRISMATIC;
    // A hinge turns about z of its frames and a slide goes along their x; the axis of the URDF is turned there.
    const Transform turn(fixed ? Rotation() : Rotation(UnitVec3(to(joint.axis)), CoordinateAxis(slides ? 0 : 2)));
    MobilizedBody next;
    if (fixed)
      next = MobilizedBody::Weld(parent, X, body(*child), Transform());
    else if (slides)
      next = MobilizedBody::Slider(parent, X * turn, body(*child), turn);
    else
      next = MobilizedBody::Pin(parent, X * turn, body(*child), turn);
    grow(next, *child, made);
  }
}

Vector to(const std::vector<double>& x) { return Vector(static_cast<int>(x.size()), x.data()); }
std::vector<double> list(const Vector& x)
{
  std::vector<double> all;
  for (int i = 0; i < x.size(); ++i) all.push_back(x[i]);  // a row of a matrix has gaps
  return all;
}
Json rows(const Matrix& M)
{
  Json all = Json::array();
  for (int i = 0; i < M.nrow(); ++i) all.push_back(list(~M[i]));
  return all;
}

int main(int count, char** words)
{
  const std::set<std::string> options(words + std::min(count, 3), words + count);
  const bool as_is = options.count("--as-is"), floating = options.count("--floating");
  const auto robot = count < 3 ? nullptr : urdf::parseURDFFile(words[1]);
  if (!robot) return std::cerr << "from_simbody: there is no such robot\n", 2;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity weight(forces, matter, Vec3(0, 0, -9.81));
  std::map<std::string, MobilizedBody> made;
  const urdf::Link& root = *robot->getRoot();
  if (floating)
    grow(MobilizedBody::Free(matter.Ground(), Transform(), body(root), Transform()), root, made);
  else
    grow(MobilizedBody::Weld(matter.Ground(), Transform(), body(root), Transform()), root, made);
  if (!made.count(words[2])) return std::cerr << "from_simbody: there is no such link\n", 2;
  State s = system.realizeTopology();
  const int n = s.getNU();
  for (std::string line; std::getline(std::cin, line);) {
    const Json state = Json::parse(line);
    std::vector<double> q = state["q"];
    const Vector qd = to(state["qd"].get<std::vector<double>>()), qdd = to(state["qdd"].get<std::vector<double>>());
    Matrix X(n, n);  // their rates are X times ours
    X = 1;
    Vector turning(n, 0.);  // and their accelerations this besides
    if (floating) {
      const auto base = state["base"].get<std::map<std::string, std::vector<double>>>();
      const std::vector<double> p = base.at("position"), x = base.at("quaternion_xyzw");
      // [conventions]
      // The quaternion comes before the position and has w first; velocities of the base are in world axes.
      q.insert(q.begin(), {x[3], x[0], x[1], x[2], p[0], p[1], p[2]});
      if (!as_is) {
        const Rotation R(SimTK::Quaternion(x[3], x[0], x[1], x[2]));
        for (const int k : {0, 3}) X(k, k, 3, 3) = Matrix(R.asMat33());
        const Vec3 w(qd[0], qd[1], qd[2]), v(qd[3], qd[4], qd[5]), a = R * (w % v);
        for (int k = 0; k < 3; ++k) turning[3 + k] = a[k];
      }
      // [conventions]
    }
    const auto g = state.value("gravity", std::vector<double>{0, 0, -9.81});
    weight.setGravityVector(s, Vec3(g[0], g[1], g[2]));
    s.updQ() = to(q);
    s.updU() = X * qd;
    system.realize(s, Stage::Dynamics);
    Vector residual;
    matter.calcResidualForceIgnoringConstraints(s, system.getMobilityForces(s, Stage::Dynamics),
                                                system.getRigidBodyForces(s, Stage::Dynamics), X * qdd + turning,
                                                residual);
    Matrix M, J;
    matter.calcM(s, M);
    matter.calcFrameJacobian(s, made.at(words[2]).getMobilizedBodyIndex(), Vec3(0), J);
    std::cout << Json{{"state", state},
                      {"answers",
                       {{"inverse_dynamics", list(~X * residual)},
                        {"mass_matrix", rows(~X * M * X)},
                        {std::string("jacobian:") + words[2], rows(J * X)}}}}
              << '\n';
  }
}
