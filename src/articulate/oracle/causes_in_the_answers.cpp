#include <articulate/group/matrices.hpp>
#include <articulate/lagrange/inertial_parameters.hpp>
#include <articulate/oracle/coriolis_families.hpp>
#include <articulate/oracle/hypothesis.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <algorithm>
#include <array>

namespace articulate::oracle {
namespace {

using Matrix3d = Eigen::Matrix3d;
using Row6 = Eigen::Matrix<double, 6, 1>;

/// A link in a state: its pose, and its twist in its own frame.
struct LinkState {
  Matrix3d R;
  Eigen::Vector3d p, w, v;

  LinkState(const Situation& at, Eigen::Index l)
  {
    static const std::string names[] = {"link_rotations", "link_positions", "link_twists"};
    const Answers links = answers(at.model, at.question, names);
    for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = links.at(names[0])(l, k);
    p = links.at(names[1]).row(l).transpose();
    w = links.at(names[2]).row(l).head<3>().transpose();
    v = links.at(names[2]).row(l).tail<3>().transpose();
  }
};

Row6 both(const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return (Row6() << a, b).finished(); }

/// The link whose Jacobian a name asks for.
Eigen::Index link_of(const std::string& name, const Model<double>& model)
{
  const Indexed<Link>& links = model.mechanism().links;
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) return static_cast<Eigen::Index>(links.size()) - 1;
  return std::find_if(links.begin(), links.end(),
                      [&](const Link& link) { return link.name == name.substr(colon + 1); }) -
         links.begin();
}

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

void add_frames(Hypotheses& all)
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
  for (const std::string name : {"inverse_dynamics", "bias", "gravity_force", "coriolis_force", "coriolis_matrix times qd",
                                 "potential_energy", "forward_dynamics_by_q", "forward_dynamics_by_qd"}) {
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
  all.push_back(
      {"derivatives/world_displacements",
       "Your derivatives with respect to the base's pose are along turns about and slides along world axes, and "
       "ours along its own.",
       "multiply the six columns of the base by its rotation",
       {},
       {},
       of_all([](const auto& name, auto& table, const auto& at) {
         if (!name.ends_with("_by_q")) return;
         const Matrix3d R =
             SO3<double>(Quaternion<double>{{at.question.q(3), at.question.q(4), at.question.q(5)}, at.question.q(6)})
                 .matrix.eigen();
         for (const int k : {0, 3}) {
           const MatrixX<double> block = table.middleCols(k, 3);
           table.middleCols(k, 3) = block * R.transpose();
         }
       })});
  all.push_back({"derivatives/linear_first",
                 "Your derivatives with respect to the base's pose have the slides first, and ours the turns.",
                 "exchange the first and the next three columns of the derivatives with respect to q",
                 {},
                 {},
                 of_all([](const auto& name, auto& table, const auto&) {
                   if (!name.ends_with("_by_q")) return;
                   const MatrixX<double> block = table.leftCols(3);
                   table.leftCols(3) = table.middleCols(3, 3).eval();
                   table.middleCols(3, 3) = block;
                 })});
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

void add_triangles(Hypotheses& all)
{
  const auto zeroed = [](bool upper) {
    return [upper](Answers& a, const Situation&) {
      for (const char* name : {"mass_matrix", "inverse_mass_matrix"}) {
        if (!a.count(name)) continue;
        MatrixX<double>& table = a[name];
        for (Eigen::Index i = 0; i < table.rows(); ++i)
          for (Eigen::Index j = 0; j < table.cols(); ++j)
            if (upper ? i > j : i < j) table(i, j) = 0;
      }
    };
  };
  const std::string remedy = "copy the triangle that is computed to the other side";
  all.push_back({"triangle/upper_only",
                 "Of your symmetric matrices only the upper triangle is filled.",
                 remedy,
                 {},
                 {},
                 zeroed(true)});
  all.push_back({"triangle/lower_only",
                 "Of your symmetric matrices only the lower triangle is filled.",
                 remedy,
                 {},
                 {},
                 zeroed(false)});
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

Hypotheses causes_in_the_answers(const Model<double>& model, std::span<const std::string> names)
{
  Hypotheses all;
  add_frames(all);
  add_orders(all);
  add_coriolis(all);
  add_signs(all, names);
  add_derivatives(all, model);
  add_triangles(all);
  add_stale(all, names);
  add_regressors(all);
  return all;
}

}  // namespace articulate::oracle
