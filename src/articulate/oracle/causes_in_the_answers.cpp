#include <Eigen/Eigenvalues>
#include <articulate/constrained/loops.hpp>
#include <articulate/constrained/semidefinite.hpp>
#include <articulate/group/matrices.hpp>
#include <articulate/lagrange/inertial_parameters.hpp>
#include <articulate/oracle/coriolis_families.hpp>
#include <articulate/oracle/hypothesis.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <algorithm>
#include <array>
#include <cmath>

namespace articulate::oracle {
namespace {

using Matrix3d = Eigen::Matrix3d;
using Row6 = Eigen::Matrix<double, 6, 1>;

/// A link in a state: its pose, and its twist in its own frame.
struct LinkState {
  Matrix3d R;
  Eigen::Vector3d p, w, v, c;  ///< c: its own centre of mass, in its frame

  LinkState(const Situation& at, Eigen::Index l)
  {
    static const std::string names[] = {"link_rotations", "link_positions", "link_twists"};
    const Answers links = answers(at.model, at.question, names);
    for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = links.at(names[0])(l, k);
    p = links.at(names[1]).row(l).transpose();
    w = links.at(names[2]).row(l).head<3>().transpose();
    v = links.at(names[2]).row(l).tail<3>().transpose();
    const auto& center = at.model.mechanism().links[l].center_of_mass;
    c = {center[0], center[1], center[2]};
  }
};

Row6 both(const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return (Row6() << a, b).finished(); }

/// Loops are forgotten one by one up to so many.
constexpr std::size_t most_loops = 20;

bool is_jacobian(const std::string& name) { return name == "tip_jacobian" || name.starts_with("jacobian:"); }

// [frames]
/// Six numbers of a link in another frame: what is there becomes what somebody writes.
struct Frame {
  const char *key, *quantity, *words;
  Row6 (*of)(const LinkState& link, const Row6& x, const Vector3<double>& gravity);
};
Eigen::Vector3d top(const Row6& x) { return x.head<3>(); }
Eigen::Vector3d low(const Row6& x) { return x.tail<3>(); }

const Frame frames[] = {
    {"jacobian/link_axes", "jacobian", "in the link's own axes",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) {
       return both(l.R.transpose() * top(x), l.R.transpose() * low(x));
     }},
    {"jacobian/world_point", "jacobian", "of spatial twists, with the velocity of the point at the world's origin",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) {
       return both(top(x), low(x) + l.p.cross(top(x)));
     }},
    {"jacobian/center_of_mass", "jacobian", "of the velocity of the link's centre of mass",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) {
       return both(top(x), low(x) + top(x).cross(l.R * l.c));
     }},
    {"twists/center_of_mass", "link_twists", "with the velocity of the link's centre of mass",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) {
       return both(top(x), low(x) + top(x).cross(l.c));
     }},
    {"accelerations/center_of_mass", "link_accelerations", "those of the links' centres of mass",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) {
       const Eigen::Vector3d r = l.R * l.c, w = l.R * l.w;
       return both(top(x), low(x) + top(x).cross(r) + w.cross(w.cross(r)));
     }},
    {"twists/world_axes", "link_twists", "in world axes",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) { return both(l.R * top(x), l.R * low(x)); }},
    {"twists/world_point", "link_twists", "spatial, with the velocity of the point at the world's origin",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) {
       return both(l.R * top(x), l.R * low(x) + l.p.cross(l.R * top(x)));
     }},
    {"accelerations/spatial", "link_accelerations", "spatial: less than the classical ones by w x v",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) {
       return both(top(x), low(x) - l.R * l.w.cross(l.v));
     }},
    {"accelerations/link_axes", "link_accelerations", "in the link's own axes",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) {
       return both(l.R.transpose() * top(x), l.R.transpose() * low(x));
     }},
    {"accelerations/with_gravity", "link_accelerations", "with gravity subtracted, as a sensor feels them",
     [](const LinkState&, const Row6& x, const Vector3<double>& g) { return both(top(x), low(x) - g.eigen()); }},
    {"twist_rates/classical", "link_twist_rates", "classical: more than the spatial ones by w x v",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) { return both(top(x), low(x) + l.w.cross(l.v)); }},
    {"twist_rates/world_axes", "link_twist_rates", "in world axes",
     [](const LinkState& l, const Row6& x, const Vector3<double>&) { return both(l.R * top(x), l.R * low(x)); }},
    {"twist_rates/with_gravity", "link_twist_rates", "with gravity subtracted, as a recursion carries them",
     [](const LinkState& l, const Row6& x, const Vector3<double>& g) {
       return both(top(x), low(x) - l.R.transpose() * g.eigen());
     }}};
// [frames]

/// What is in world axes or in the world, in those of a free base.
void add_base_frames(Hypotheses& all, const Model<double>& model)
{
  if (!model.floating_base()) return;
  const auto base = [](const Question& x) {
    return std::pair{Matrix3d(SO3<double>(Quaternion<double>{{x.q(3), x.q(4), x.q(5)}, x.q(6)}).matrix.eigen()),
                     Eigen::Vector3d(x.q.head<3>())};
  };
  for (const bool is_moved : {false, true})
    all.push_back({is_moved ? "whole/base_frame" : "whole/base_axes",
                   std::string("Your centre of mass, its velocity and Jacobian, and your momenta are in the base's ") +
                       (is_moved ? "frame" : "axes") + ", and ours in world axes.",
                   "turn them by the rotation of the base",
                   {},
                   {},
                   [base, is_moved](Answers& a, const Situation& at) {
                     const auto [R, p] = base(at.question);
                     for (auto& [name, table] : a) {
                       const Axis axis = find_quantity(name)->rows;
                       const bool is_position = name == "center_of_mass";
                       if ((axis != Axis::space && axis != Axis::wrench) || (is_moved && !is_position)) continue;
                       if (is_moved) table -= p;
                       for (Eigen::Index row = 0; row < table.rows(); row += 3)
                         table.middleRows(row, 3) = (R.transpose() * table.middleRows(row, 3)).eval();
                     }
                   }});
  all.push_back({"links/base_frame",
                 "Your poses of the links are seen from the base, and ours from the world.",
                 "multiply them by the pose of the base",
                 {},
                 {},
                 [base](Answers& a, const Situation& at) {
                   const auto [R, p] = base(at.question);
                   if (const auto found = a.find("link_positions"); found != a.end())
                     found->second = ((found->second.rowwise() - p.transpose()) * R).eval();
                   if (const auto found = a.find("link_rotations"); found != a.end())
                     for (Eigen::Index l = 0; l < found->second.rows(); ++l)
                       for (int k = 0; k < 3; ++k) {
                         Eigen::Vector3d column(found->second(l, k), found->second(l, 3 + k), found->second(l, 6 + k));
                         column = (R.transpose() * column).eval();
                         for (int i = 0; i < 3; ++i) found->second(l, 3 * i + k) = column(i);
                       }
                 }});
}

/// Links that stand, where only those that move should count.
void add_ground(Hypotheses& all, const Model<double>& model)
{
  Inertia<double> ground;
  for (const LinkFrame<double>& frame : model.links())
    for (const Link& link : model.mechanism().links)
      if (frame.body == 0 && link.name == frame.name && link.mass > 0) {
        const auto& c = link.center_of_mass;
        const Vector3<double> p = frame.X.p + frame.X.R * Vector3<double>{c[0], c[1], c[2]};
        ground.mass += link.mass, ground.first_moment += link.mass * p;
      }
  double moving = 0;
  for (const Body<double>& body : model.outward()) moving += body.I.mass;
  if (!(ground.mass > 0 && moving > 0)) return;
  const Eigen::Vector3d standing = ground.first_moment.eigen();
  // [with-ground]
  all.push_back({"whole/with_ground",
                 "Your centre of mass, its velocity and Jacobian, the momentum about it and the potential energy count "
                 "the links that are fixed to the world, and ours are those of the links that move.",
                 "leave the links that are fixed to the world out, or give them no mass",
                 {},
                 {},
                 [standing, moving, still = ground.mass](Answers& a, const Situation& at) {
                   const Eigen::Vector3d c = answer(at, "center_of_mass"),
                                         theirs = (moving * c + standing) / (moving + still);
                   for (auto& [name, table] : a) {
                     if (name == "center_of_mass") table = theirs;
                     if (name == "center_of_mass_velocity" || name == "center_of_mass_jacobian")
                       table *= moving / (moving + still);
                     if (name.starts_with("centroidal"))
                       table.topRows<3>() += skew(Vector3<double>(c - theirs)).eigen() * table.bottomRows<3>();
                     if (name == "potential_energy") table.array() -= at.question.gravity.eigen().dot(standing);
                   }
                 }});
  // [with-ground]
}

/// Tables with a row for each link, in other orders.
void add_orders_of_links(Hypotheses& all, const Model<double>& model)
{
  const Indexed<Link>& links = model.mechanism().links;
  std::vector<std::string> depth_first, alphabet;
  for (const LinkFrame<double>& link : model.links()) depth_first.push_back(link.name);
  for (const Link& link : links) alphabet.push_back(link.name);
  std::sort(alphabet.begin(), alphabet.end());
  for (const auto& [key, names] : {std::pair{"depth_first", depth_first}, {"alphabet", alphabet}}) {
    std::vector<Eigen::Index> sequence;
    for (const std::string& name : names)
      sequence.push_back(std::find_if(links.begin(), links.end(), [&](const Link& link) { return link.name == name; }) -
                         links.begin());
    if (sequence.size() != links.size() || std::is_sorted(sequence.begin(), sequence.end())) continue;
    all.push_back({std::string("links/") + key,
                   std::string("Your tables have their rows for links ") +
                       (key[0] == 'd' ? "depth first" : "by the alphabet") + ", and ours in the order of the file.",
                   "find the row of a link by its name",
                   {},
                   {},
                   [sequence](Answers& a, const Situation&) {
                     for (auto& [name, table] : a)
                       if (find_quantity(name)->rows == Axis::links)
                         table = MatrixX<double>(table(sequence, Eigen::all));
                   }});
  }
}

void add_frames(Hypotheses& all, const Model<double>& model)
{
  for (const Frame& frame : frames)
    all.push_back({frame.key,
                   std::string("Your ") + frame.quantity + " are " + frame.words + ".",
                   std::string("ask for the ") + frame.quantity + " in our frame, or convert them",
                   {},
                   {},
                   [frame](Answers& a, const Situation& at) {
                     for (auto& [name, table] : a) {
                       if (std::string(frame.quantity) == "jacobian" && is_jacobian(name)) {
                         const LinkState link(at, link_of(name, at.model));
                         for (Eigen::Index k = 0; k < table.cols(); ++k)
                           table.col(k) = frame.of(link, table.col(k), at.question.gravity);
                       } else if (name == frame.quantity) {
                         for (Eigen::Index l = 0; l < table.rows(); ++l)
                           table.row(l) = frame.of({at, l}, table.row(l).transpose(), at.question.gravity).transpose();
                       }
                     }
                   }});
  const auto moved = [](const char* quantity, double sign) {
    return [quantity, sign](Answers& a, const Situation& at) {
      const auto found = a.find(quantity);
      if (found == a.end()) return;
      const Eigen::Vector3d c = answer(at, "center_of_mass");
      const Eigen::Vector3d f = found->second.bottomRows<3>();
      found->second.topRows<3>() += sign * c.cross(f);
    };
  };
  all.push_back({"momentum/about_center_of_mass",
                 "Your momentum is about the centre of mass, and ours about the world's "
                 "origin.",
                 "ask for the momentum about the world's origin, or add c x p",
                 {},
                 {},
                 moved("momentum", -1)});
  all.push_back({"centroidal_momentum/about_origin",
                 "Your centroidal momentum is about the world's origin, and ours about "
                 "the centre of mass.",
                 "subtract c x p from the angular momentum",
                 {},
                 {},
                 moved("centroidal_momentum", 1)});
  all.push_back({"link_positions/center_of_mass",
                 "Your positions are those of the links' centres of mass, and ours those of their origins.",
                 "ask for the positions of the links' frames",
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   const auto found = a.find("link_positions");
                   for (Eigen::Index l = 0; found != a.end() && l < found->second.rows(); ++l) {
                     const LinkState link(at, l);
                     found->second.row(l) += (link.R * link.c).transpose();
                   }
                 }});
  // [inertial-frames]
  all.push_back({"links/inertial_frames",
                 "Your frames of the links are at their centres of mass, along principal axes of their inertia.",
                 "give each link the frame of the file: keep the pose of the inertial frame in it",
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   for (auto& [name, table] : a) {
                     if (name != "link_positions" && name != "link_rotations" && name != "link_twists") continue;
                     for (Eigen::Index l = 0; l < table.rows(); ++l) {
                       const LinkState link(at, l);
                       const Matrix3d P = principal_axes(at.model.mechanism().links[l]), R = link.R * P;
                       if (name == "link_positions") table.row(l) += (link.R * link.c).transpose();
                       if (name == "link_rotations") table.row(l) << R.row(0), R.row(1), R.row(2);
                       if (name == "link_twists")
                         table.row(l) = both(P.transpose() * link.w, P.transpose() * (link.v + link.w.cross(link.c)));
                     }
                   }
                 }});
  // [inertial-frames]
  all.push_back({"potential_energy/at_origins",
                 "Your potential energy has the weight of each link at the origin of its frame, and not at its centre "
                 "of mass.",
                 "take the heights of the centres of mass",
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   if (!a.count("potential_energy")) return;
                   const MatrixX<double> origins = answer(at, "link_positions");
                   double energy = 0;
                   for (Eigen::Index l = 0; l < origins.rows(); ++l)
                     energy -= at.model.mechanism().links[l].mass * (origins.row(l) * at.question.gravity.eigen())(0);
                   a["potential_energy"](0, 0) = energy;
                 }});
  add_base_frames(all, model);
  add_ground(all, model);
  all.push_back({"link_rotations/transposed",
                 "Your rotations take world axes to link axes, and ours link axes to world axes.",
                 "transpose the rotations, or read them column by column",
                 {},
                 {},
                 [](Answers& a, const Situation&) {
                   const auto found = a.find("link_rotations");
                   if (found == a.end()) return;
                   for (const auto& [i, j] : {std::pair{1, 3}, {2, 6}, {5, 7}})
                     found->second.col(i).swap(found->second.col(j));
                 }});
}

/// The first and the last three of each six exchanged.
void add_orders(Hypotheses& all)
{
  struct Order {
    const char *key, *words;
    Axis axis;
  };
  static constexpr Order orders[] = {{"twist_order/linear_first", "twists, accelerations and Jacobians", Axis::twist},
                                     {"wrench_order/force_first", "momenta", Axis::wrench}};
  for (const Order& order : orders)
    all.push_back({order.key,
                   std::string("Your ") + order.words + " have the linear part first, and ours the angular part.",
                   "exchange the first and the last three of each six numbers",
                   {},
                   {},
                   [axis = order.axis](Answers& a, const Situation&) {
                     for (auto& [name, table] : a) {
                       const Quantity& quantity = *find_quantity(name);
                       if (quantity.rows == axis)
                         table =
                             (MatrixX<double>(6, table.cols()) << table.bottomRows<3>(), table.topRows<3>()).finished();
                       if (quantity.columns == axis)
                         table =
                             (MatrixX<double>(table.rows(), 6) << table.rightCols<3>(), table.leftCols<3>()).finished();
                     }
                   }});
}

void add_coriolis(Hypotheses& all)
{
  for (const auto& [name, family] : coriolis_families)
    all.push_back({"coriolis_matrix/" + name,
                   "Your C is the one of the family " + name +
                       ", and another is asked for; C is not unique, and C qd is the same.",
                   "compare C qd, or name the family",
                   {},
                   {},
                   [family = family](Answers& a, const Situation& at) {
                     for (auto& [name, table] : a)
                       if (is_coriolis_matrix(name))
                         table = coriolis_matrix(at.model, at.question.q, at.question.qd, family);
                   }});
}

void add_signs(Hypotheses& all, std::span<const std::string> names)
{
  for (const std::string name :
       {"inverse_dynamics", "bias", "gravity_force", "coriolis_force", "coriolis_matrix times qd", "potential_energy",
        "forward_dynamics_by_q", "forward_dynamics_by_qd", "constraint_force"}) {
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    all.push_back({"sign/" + name,
                   "Your " + name + " has the other sign: it stands on the other side of the equation.",
                   "negate " + name,
                   {},
                   {},
                   [name](Answers& a, const Situation&) {
                     if (a.count(name)) a[name] *= -1;
                   }});
  }
  const auto instead = [&](const char* key, const char* words, const char* other) {
    all.push_back({key,
                   words,
                   "ask for the forces at zero qdd with gravity and external wrenches",
                   {},
                   {},
                   [other](Answers& a, const Situation& at) {
                     if (a.count("bias")) a["bias"] = answer(at, other);
                   }});
  };
  instead("bias/without_gravity", "Your bias is the Coriolis force alone, without gravity and external wrenches.",
          "coriolis_force");
  all.push_back({"bias/without_gravity_but_external_forces",
                 "Your bias is without gravity, and with the external wrenches.",
                 "set the gravity before the bias is asked for",
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   if (!a.count("bias")) return;
                   Question weightless = at.question;
                   weightless.gravity = {};
                   a["bias"] = answer({at.model, weightless}, "bias");
                 }});
  all.push_back(
      {"kinetic_energy/with_armature",
       "Your kinetic energy has that of the rotors, half of the armature times the rate squared; ours is that "
       "of the links alone.",
       "leave the armature out of the kinetic energy, or compare half of qd^T M qd",
       {},
       {},
       [](Answers& a, const Situation& at) {
         if (!a.count("kinetic_energy")) return;
         for (const JointSlot& slot : at.model.joints())
           for (const Joint& joint : at.model.mechanism().joints)
             if (joint.name == slot.name && slot.nv == 1)
               a["kinetic_energy"](0, 0) += 0.5 * joint.armature * std::pow(at.question.qd(slot.v), 2);
       }});
  all.push_back({"bias/without_external_forces",
                 "Your bias is without external wrenches.",
                 "add the external wrenches to the bias",
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   if (!a.count("bias")) return;
                   Question free = at.question;
                   free.external_wrenches.clear();
                   a["bias"] = answer({at.model, free}, "bias");
                 }});
}

// [loops]
/// The shortest x with K x = b.
VectorX<double> shortest(const MatrixX<double>& K, const VectorX<double>& b)
{
  SemidefiniteSolver<double> solver(static_cast<int>(K.rows()));
  solver.factor(K);
  return solver.solve(b);
}

/// Of machines with loops: left open, one of them forgotten, or kept closed in acceleration without what their rates add.
void add_loops(Hypotheses& all)
{
  all.push_back({"loops/open",
                 "Your loops are open: the accelerations are those of the tree, and nothing keeps it closed.",
                 "hand the cut joints over as constraints",
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   if (a.count("closed_forward_dynamics"))
                     a["closed_forward_dynamics"] = answer(at, "forward_dynamics");
                   if (a.count("constraint_force")) a["constraint_force"].setZero();
                 }});
  // What keeps the loops closed in acceleration, where the tree would move freely, with so much of what their rates add.
  const auto closed = [&](const char* key, const char* words, const char* remedy, double of_rates, bool with_bias) {
    all.push_back({key, words, remedy, {}, {}, [of_rates, with_bias](Answers& a, const Situation& at) {
                     if (!a.count("closed_forward_dynamics") && !a.count("constraint_force")) return;
                     Loops<double> loops(at.model, *at.question.loops);
                     loops(at.question.q, at.question.qd);
                     const MatrixX<double>&A = loops.A, Minv = answer(at, "inverse_mass_matrix");
                     const VectorX<double> free = with_bias ? VectorX<double>(answer(at, "forward_dynamics"))
                                                            : VectorX<double>(Minv * at.question.tau);
                     const VectorX<double> lambda =
                         -shortest(A * Minv * A.transpose(), A * free + of_rates * loops.Adot_qd);
                     if (a.count("closed_forward_dynamics"))
                       a["closed_forward_dynamics"] = free + Minv * A.transpose() * lambda;
                     if (a.count("constraint_force")) a["constraint_force"] = A.transpose() * lambda;
                   }});
  };
  closed("loops/without_rates", "Your accelerations meet A qdd = 0, without the term A-dot qd.",
         "add A-dot qd to the constraints of the accelerations", 0, true);
  closed("loops/rates_reversed", "Your accelerations meet A qdd = A-dot qd, with the other sign.",
         "ask for A qdd + A-dot qd = 0", -1, true);
  closed("loops/without_bias",
         "Your closed machine moves without gravity, external wrenches and C qd: the bias is left out.",
         "subtract the bias from the joint forces", 1, false);
  all.push_back({"loops/projected_without_inertia",
                 "Your accelerations are those of the tree, moved by as little as keeps the loops closed, but not as M "
                 "measures it.",
                 "weigh the projection by the inverse of M",
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   if (!a.count("closed_forward_dynamics")) return;
                   Loops<double> loops(at.model, *at.question.loops);
                   loops(at.question.q, at.question.qd);
                   const MatrixX<double>& A = loops.A;
                   const VectorX<double> free = answer(at, "forward_dynamics");
                   a["closed_forward_dynamics"] =
                       free - A.transpose() * shortest(A * A.transpose(), A * free + loops.Adot_qd);
                 }});
  for (std::size_t k = 0; k < most_loops; ++k)
    all.push_back({"loops/lost:" + std::to_string(k),
                   "Of your loops number " + std::to_string(k) + ", counted from 0 as the loop file has them, is open.",
                   "hand all cut joints over as constraints",
                   {},
                   [k](Question& x, const Situation&) {
                     if (!x.loops || x.loops->size() < 2 || k >= x.loops->size()) return;
                     std::vector<Loop> fewer = *x.loops;
                     fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
                     x.loops = std::make_shared<const std::vector<Loop>>(std::move(fewer));
                   }});
}
// [loops]

/// What the body turns by for each unit of roll, pitch and yaw, R = R_z(yaw) R_y(pitch) R_x(roll).
Matrix3d turns_of_angles(const Matrix3d& R)
{
  const double sp = -R(2, 0), cp = std::hypot(R(2, 1), R(2, 2)), sr = R(2, 1) / cp, cr = R(2, 2) / cp;
  Matrix3d E;
  E << 1, 0, -sp, 0, cr, sr * cp, 0, -sr, cr * cp;
  return E;
}

bool is_derivative(const std::string& name) { return name.find("_by_q") != std::string::npos; }

void add_derivatives(Hypotheses& all, const Model<double>& model)
{
  const auto of_all = [](auto change) {
    return [change](Answers& a, const Situation& at) {
      for (auto& [name, table] : a)
        if (is_derivative(name)) change(name, table, at);
    };
  };
  all.push_back({"derivatives/transposed",
                 "Your derivatives have a row for each variable: they are transposed.",
                 "transpose the derivatives",
                 {},
                 {},
                 of_all([](const auto&, auto& table, const auto&) { table.transposeInPlace(); })});
  all.push_back({"derivatives/without_external_forces",
                 "Your derivatives leave out the external wrenches.",
                 "hand the external wrenches over to the derivatives, too",
                 {},
                 {},
                 of_all([](const auto& name, auto& table, const auto& at) {
                   Question free = at.question;
                   free.external_wrenches.clear();
                   table = answer({at.model, free}, name);
                 })});
  all.push_back({"derivatives/at_rest",
                 "Your derivatives with respect to q leave out the rates.",
                 "hand qd over to the derivatives, too",
                 {},
                 {},
                 of_all([](const auto& name, auto& table, const auto& at) {
                   if (!name.ends_with("_by_q")) return;
                   Question rest = at.question;
                   rest.qd.setZero();
                   table = answer({at.model, rest}, name);
                 })});
  if (!model.floating_base()) return;
  // [displacements]
  // Turns and slides of the base along its own axes or others, in one order or the other. No answer changes where the base
  // stands, so that slides along other axes alone would change nothing.
  struct Along {
    const char *key, *turns, *slides;
    bool turns_in_world, angles, slides_in_world, linear_first;
  };
  static constexpr const char *own = "its own axes", *world = "world axes", *rpy = "roll, pitch and yaw";
  static constexpr Along alongs[] = {{"world_displacements", world, world, true, false, true, false},
                                     {"world_displacements_linear_first", world, world, true, false, true, true},
                                     {"linear_first", own, own, false, false, false, true},
                                     {"world_position_linear_first", own, world, false, false, true, true},
                                     {"roll_pitch_yaw", rpy, world, false, true, true, false},
                                     {"roll_pitch_yaw_linear_first", rpy, world, false, true, true, true},
                                     {"roll_pitch_yaw_and_own_slides", rpy, own, false, true, false, false}};
  for (const Along& along : alongs)
    all.push_back(
        {std::string("derivatives/") + along.key,
         std::string("Your derivatives with respect to the base's pose are along turns about ") + along.turns +
             " and slides along " + along.slides + (along.linear_first ? ", slides first" : ", turns first") +
             ", and ours turn about its own axes and slide along them, turns first.",
         "multiply the six columns of the base by the displacements that yours are made of",
         {},
         {},
         of_all([&along](const auto& name, auto& table, const auto& at) {
           if (!name.ends_with("_by_q")) return;
           const Matrix3d R =
               SO3<double>(Quaternion<double>{{at.question.q(3), at.question.q(4), at.question.q(5)}, at.question.q(6)})
                   .matrix.eigen();
           const Matrix3d one = Matrix3d::Identity(), of_world = R.transpose();
           const MatrixX<double> turns = table.leftCols(3) * (along.angles           ? turns_of_angles(R)
                                                              : along.turns_in_world ? of_world
                                                                                     : one),
                                 slides = table.middleCols(3, 3) * (along.slides_in_world ? of_world : one);
           table.middleCols(along.linear_first ? 3 : 0, 3) = turns;
           table.middleCols(along.linear_first ? 0 : 3, 3) = slides;
         })});
  // [displacements]
  // [held-in-world]
  // A base that is turned while its velocity is held in world axes has another one in its own.
  for (const bool accelerations : {false, true})
    all.push_back(
        {std::string("derivatives/world_") + (accelerations ? "motion" : "velocity") + "_held",
         std::string("Your derivatives with respect to the base's turns hold the base's velocity ") +
             (accelerations ? "and acceleration " : "") + "in world axes, and ours hold what is held in its own.",
         "add the derivatives with respect to qd times (w x, v x) to the first three columns of the base",
         {},
         {},
         of_all([accelerations](const auto& name, auto& table, const auto& at) {
           if (!name.ends_with("_by_q")) return;
           const Situation& there = at.innermost();
           const bool forward = name.starts_with("forward");
           const auto turning = [](const VectorX<double>& six) {
             Eigen::Matrix<double, 6, 3> both;
             both << skew(Vector3<double>{six(0), six(1), six(2)}).eigen(),
                 skew(Vector3<double>{six(3), six(4), six(5)}).eigen();
             return both;
           };
           const MatrixX<double> by_qd = answer(there, name + "d");
           table.leftCols(3) += by_qd.leftCols(6) * turning(at.question.qd.template head<6>());
           if (!accelerations) return;
           const VectorX<double> qdd = forward ? VectorX<double>(answer(there, "forward_dynamics")) : at.question.qdd;
           const Eigen::Matrix<double, 6, 3> of_accelerations = turning(qdd.head<6>());
           if (forward)
             table.topLeftCorner(6, 3) -= of_accelerations;
           else
             table.leftCols(3) += answer(there, "mass_matrix").leftCols(6) * of_accelerations;
         })});
  // [held-in-world]
  all.push_back(
      {"derivatives/half_angles",
       "Your derivatives with respect to the base's turns are with respect to the quaternion, half the angle.",
       "halve the base's first three columns of the derivatives with respect to q",
       {},
       {},
       of_all([](const auto& name, auto& table, const auto&) {
         if (name.ends_with("_by_q")) table.leftCols(3) *= 2;
       })});
}

void add_triangles(Hypotheses& all, std::span<const std::string> names)
{
  constexpr std::array symmetric{"mass_matrix", "inverse_mass_matrix"};
  const auto zero = [](bool upper, MatrixX<double>& table) {
    for (Eigen::Index i = 0; i < table.rows(); ++i)
      for (Eigen::Index j = 0; j < table.cols(); ++j)
        if (upper ? i > j : i < j) table(i, j) = 0;
  };
  const std::string remedy = "copy the triangle that is computed to the other side";
  for (const bool upper : {true, false}) {
    const std::string triangle = upper ? "upper" : "lower", key = "triangle/" + triangle + "_only";
    all.push_back({key,
                   "Of your symmetric matrices only the " + triangle + " triangle is filled.",
                   remedy,
                   {},
                   {},
                   [=](Answers& a, const Situation&) {
                     for (const char* name : symmetric)
                       if (a.count(name)) zero(upper, a[name]);
                   }});
    for (const std::string& name : names) {
      const Quantity& quantity = *find_quantity(name);
      const bool is_matrix =
          quantity.rows != Axis::one && quantity.columns != Axis::one && quantity.rows != Axis::links;
      if (!is_matrix || std::find(symmetric.begin(), symmetric.end(), name) != symmetric.end()) continue;
      all.push_back({key + "_of_" + name,
                     "Of your " + name + " only the " + triangle + " triangle is filled.",
                     "fill all of the matrix: it is not symmetric",
                     {},
                     {},
                     [=](Answers& a, const Situation&) {
                       if (a.count(name)) zero(upper, a[name]);
                     }});
    }
  }
  all.push_back({"triangle/diagonal_twice",
                 "The diagonal of your symmetric matrices counts twice: a triangle and its transpose are added.",
                 "subtract the diagonal once where the two triangles are added",
                 {},
                 {},
                 [=](Answers& a, const Situation&) {
                   for (const char* name : symmetric)
                     if (a.count(name)) a[name].diagonal() *= 2;
                 }});
  all.push_back({"triangle/diagonal_only",
                 "Of your symmetric matrices only the diagonal is filled.",
                 "fill the whole matrix",
                 {},
                 {},
                 [=](Answers& a, const Situation&) {
                   for (const char* name : symmetric)
                     if (a.count(name)) a[name] = MatrixX<double>(a[name].diagonal().asDiagonal());
                 }});
}

void add_stale(Hypotheses& all, std::span<const std::string> names)
{
  const auto add = [&](Hypothesis stale) {
    stale.needs_before = true;
    all.push_back(std::move(stale));
  };
  add({"stale/all",
       "Your answers are those of the state before.",
       "run the algorithms before the answers are read",
       {},
       [](Question& x, const Situation& at) {
         if (at.before) x = *at.before;
       }});
  add({"stale/first",
       "All your answers are those of the first state.",
       "hand each state over before the algorithms run",
       {},
       [](Question& x, const Situation& at) {
         if (at.first) x = *at.first;
       }});
  add({"stale/positions",
       "Your answers are at the coordinates of the state before, with the new rates.",
       "update the kinematics after q is set",
       {},
       [](Question& x, const Situation& at) {
         if (at.before) x.q = at.before->q;
       }});
  add({"stale/velocities",
       "Your answers are at the rates of the state before, with the new coordinates.",
       "update the velocities after qd is set",
       {},
       [](Question& x, const Situation& at) {
         if (at.before) x.qd = at.before->qd;
       }});
  for (const std::string& name : names)
    add({"stale/" + name,
         "Your " + name + " is that of the state before.",
         "run the algorithm before " + name + " is read",
         {},
         {},
         [name](Answers& a, const Situation& at) {
           const Quantity& quantity = *find_quantity(name);
           if (a.count(name) && at.before && can_answer(quantity, at.model, *at.before))
             a[name] = answer({at.model, *at.before}, name);
         }});
}

// [regressor-columns]
void add_regressors(Hypotheses& all)
{
  struct Columns {
    const char *key, *words;
    std::array<int, 10> ours;  // at each place of theirs
    int sign_of_products;
  };
  static constexpr Columns orders[] = {
      {"xx_xy_yy_xz_yz_zz", "moments of inertia as xx xy yy xz yz zz", {0, 1, 2, 3, 4, 5, 7, 6, 8, 9}, 1},
      {"xx_yy_zz_xy_xz_yz", "moments of inertia first and products then", {0, 1, 2, 3, 4, 7, 9, 5, 6, 8}, 1},
      {"xx_yy_zz_yz_xz_xy", "moments of inertia first, then yz xz xy", {0, 1, 2, 3, 4, 7, 9, 8, 6, 5}, 1},
      {"tensor_first", "the tensor first, then first moments, the mass last", {4, 5, 6, 7, 8, 9, 1, 2, 3, 0}, 1},
      {"products_negated", "products of inertia with the other sign", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, -1}};
  const auto of_regressors = [](auto change) {
    return [change](Answers& a, const Situation& at) {
      for (auto& [name, table] : a)
        if (find_quantity(name)->columns == Axis::parameters) change(table, at);
    };
  };
  for (const Columns& columns : orders)
    all.push_back(
        {std::string("regressor/") + columns.key,
         std::string("The columns of your regressors have ") + columns.words + "; ours are m, m c, xx xy xz yy yz zz.",
         "sort the ten columns of each body",
         {},
         {},
         of_regressors([columns](auto& table, const auto&) {
           const MatrixX<double> ours = table;
           for (Eigen::Index p = 0; p < table.cols(); ++p) {
             const int from = columns.ours[static_cast<std::size_t>(p % 10)];
             const bool product = from == 5 || from == 6 || from == 8;
             table.col(p) = (product ? columns.sign_of_products : 1) * ours.col(p - p % 10 + from);
           }
         })});
  all.push_back(
      {"regressor/about_center_of_mass",
       "Your inertial parameters are in frames at the centres of mass of the links, and ours at their origins.",
       "move the parameters of each body to its link's origin",
       {},
       {},
       of_regressors([](auto& table, const auto& at) {
         for (const Body<double>& body : at.model.outward()) {
           const Inertia<double> I = coAd(detail::parameter_frame(at.model, body.index), body.I);
           if (!(I.mass > 0)) continue;
           const SE3<double> there{{}, 1 / I.mass * I.first_moment};
           Eigen::Matrix<double, 10, 10> moved;
           for (int p = 0; p < 10; ++p) moved.col(p) = ten_numbers(coAdInv(there, Inertia<double>::basis(p)));
           const Eigen::Index first = 10 * (body.index - 1);
           table.middleCols(first, 10) = (table.middleCols(first, 10) * moved).eval();
         }
       })});
}
// [regressor-columns]

}  // namespace

Eigen::Index link_of(const std::string& name, const Model<double>& model)
{
  const Indexed<Link>& links = model.mechanism().links;
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) return static_cast<Eigen::Index>(links.size()) - 1;
  return std::find_if(links.begin(), links.end(),
                      [&](const Link& link) { return link.name == name.substr(colon + 1); }) -
         links.begin();
}

Matrix3d principal_axes(const Link& link)
{
  const auto& I = link.inertia;
  Matrix3d tensor;
  tensor << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  const Matrix3d found = Eigen::SelfAdjointEigenSolver<Matrix3d>(tensor).eigenvectors();
  Matrix3d nearest = Matrix3d::Identity();
  double least_turn = -1;  // by the trace, 1 + 2 cos of the angle
  std::array<int, 3> order{0, 1, 2};
  do {
    Matrix3d axes = found(Eigen::all, order);
    for (int k = 0; k < 3; ++k)
      if (axes(k, k) < 0) axes.col(k) *= -1;
    Eigen::Index smallest;
    axes.diagonal().minCoeff(&smallest);
    if (axes.determinant() < 0) axes.col(smallest) *= -1;
    if (axes.trace() > least_turn) least_turn = axes.trace(), nearest = axes;
  } while (std::next_permutation(order.begin(), order.end()));
  const auto& q = link.inertial_quaternion;
  return SO3<double>(Quaternion<double>{{q[0], q[1], q[2]}, q[3]}).matrix.eigen() * nearest;
}

Hypotheses causes_in_the_answers(const Model<double>& model, std::span<const std::string> names)
{
  Hypotheses all;
  add_frames(all, model);
  add_orders(all);
  add_orders_of_links(all, model);
  add_coriolis(all);
  add_signs(all, names);
  if (std::find(names.begin(), names.end(), "closed_forward_dynamics") != names.end() ||
      std::find(names.begin(), names.end(), "constraint_force") != names.end())
    add_loops(all);
  add_derivatives(all, model);
  add_triangles(all, names);
  add_stale(all, names);
  add_regressors(all);
  for (Hypothesis& one : confused_quantities(model, names)) all.push_back(std::move(one));
  return all;
}

}  // namespace articulate::oracle
