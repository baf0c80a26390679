#include <articulate/oracle/hypothesis.hpp>
#include <algorithm>
#include <array>

namespace articulate::oracle {
namespace {

/// A cause that changes one table, where it is given.
Hypothesis of_one(const std::string& key, const std::string& sentence, const std::string& remedy,
                  const std::string& name, std::function<MatrixX<double>(const MatrixX<double>&, const Situation&)> of)
{
  return {key, sentence, remedy, {}, {}, [name, of = std::move(of)](Answers& a, const Situation& at) {
            if (const auto found = a.find(name); found != a.end()) found->second = of(found->second, at);
          }};
}

// [terms]
/// Joint forces are sums of four terms, of which each quantity has some.
struct Term {
  const char *key, *words;
  void (*leave_out)(Question&);
};
constexpr std::array<Term, 4> terms{
    {{"accelerations", "M qdd", [](Question& x) { x.qdd.setZero(x.qd.size()); }},
     {"rates", "C qd", [](Question& x) { x.qd.setZero(); }},
     {"gravity", "gravity", [](Question& x) { x.gravity = {}; }},
     {"external_forces", "external wrenches", [](Question& x) { x.external_wrenches.clear(); }}}};

/// Each quantity of forces with other terms than its own. What lacks one term has an input that is not read.
void add_terms(Hypotheses& all, std::span<const std::string> names)
{
  struct Sum {
    const char* name;
    unsigned own;  ///< a bit for each of its terms
  };
  static constexpr Sum sums[] = {{"inverse_dynamics", 15}, {"bias", 14}, {"gravity_force", 4}, {"coriolis_force", 2}};
  for (const auto& [name, own] : sums) {
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    for (unsigned theirs = 1; theirs < 16; ++theirs) {
      const unsigned lost = own & ~theirs;
      const bool is_known = theirs == own || ((theirs | own) == own && (lost & (lost - 1)) == 0) ||
                            (std::string(name) == "bias" && theirs == 2);
      if (is_known) continue;
      std::string key, words;
      for (unsigned k = 0; k < terms.size(); ++k)
        if (theirs >> k & 1) {
          key += (key.empty() ? "" : "_and_") + std::string(terms[k].key);
          words += (words.empty() ? "" : " + ") + std::string(terms[k].words);
        }
      all.push_back(of_one(std::string(name) + "/of_" + key,
                           std::string("Your ") + name + " has these terms, and ours others: " + words + ".",
                           std::string("look up which terms ") + name + " has", name,
                           [theirs](const auto& table, const Situation& at) {
                             if ((theirs & 1) && at.question.qdd.size() == 0) return table;
                             Question x = at.question;
                             for (unsigned k = 0; k < terms.size(); ++k)
                               if (!(theirs >> k & 1)) terms[k].leave_out(x);
                             return answer({at.model, x}, "inverse_dynamics");
                           }));
    }
  }
}
// [terms]

/// Coriolis matrices, and products of them with rates, where somebody makes another matrix of Christoffel's.
void change_coriolis_matrices(Answers& a, const Situation& at, MatrixX<double> (*change)(const MatrixX<double>&))
{
  for (auto& [name, table] : a)
    if (is_coriolis_matrix(name))
      table = change(answer(at, name));
    else if (name == "coriolis_matrix times qd")
      table = change(answer(at, "coriolis_matrix")) * at.question.qd;
}

double total_mass(const Model<double>& model)
{
  double mass = 0;
  for (const Body<double>& body : model.outward()) mass += body.I.mass;
  return mass;
}

void add_others(Hypotheses& all)
{
  const std::string remedy = "look up what your function returns";
  const auto add = [&](const char* key, const char* sentence, const char* name, auto of) {
    all.push_back(of_one(key, sentence, remedy, name, of));
  };
  const auto energies = [&](const char* name, const char* other) {
    add((std::string(name) + "/is_total").c_str(),
        (std::string("Your ") + name + " is the sum of kinetic and potential energy.").c_str(), name,
        [other](const auto& table, const auto& at) { return MatrixX<double>(table + answer(at, other)); });
  };
  energies("kinetic_energy", "potential_energy"), energies("potential_energy", "kinetic_energy");
  all.push_back({"energies/exchanged",
                 "Your kinetic energy is the potential one, and the potential energy the kinetic one.",
                 remedy,
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   for (const auto& [name, other] :
                        {std::pair{"kinetic_energy", "potential_energy"}, {"potential_energy", "kinetic_energy"}})
                     if (a.count(name)) a[name] = answer(at, other);
                 }});
  add("center_of_mass_velocity/is_momentum", "Your velocity of the centre of mass is the momentum.",
      "center_of_mass_velocity",
      [](const auto& table, const auto& at) { return MatrixX<double>(total_mass(at.model) * table); });
  add("center_of_mass_jacobian/of_momentum", "Your Jacobian of the centre of mass is that of the momentum.",
      "center_of_mass_jacobian",
      [](const auto& table, const auto& at) { return MatrixX<double>(total_mass(at.model) * table); });
  add("forward_dynamics/without_bias", "Your accelerations are M^-1 tau: the bias is left out.", "forward_dynamics",
      [](const auto&, const auto& at) { return MatrixX<double>(answer(at, "inverse_mass_matrix") * at.question.tau); });
  add("forward_dynamics/bias_added", "Your accelerations are M^-1 (tau + bias): the bias is added, not subtracted.",
      "forward_dynamics", [](const auto&, const auto& at) {
        const VectorX<double> force = at.question.tau + answer(at, "bias");
        return MatrixX<double>(answer(at, "inverse_mass_matrix") * force);
      });
  add("forward_dynamics/by_the_diagonal", "Your accelerations are tau - bias over the diagonal of M.",
      "forward_dynamics", [](const auto&, const auto& at) {
        const VectorX<double> force = at.question.tau - answer(at, "bias");
        return MatrixX<double>(force.cwiseQuotient(answer(at, "mass_matrix").diagonal()));
      });
  add("inverse_mass_matrix/of_the_diagonal", "Your inverse of M has one over each entry of the diagonal of M.",
      "inverse_mass_matrix", [](const auto&, const auto& at) {
        return MatrixX<double>(answer(at, "mass_matrix").diagonal().cwiseInverse().asDiagonal());
      });
  for (const bool is_solved : {false, true})
    for (const char* name : {"forward_dynamics_by_q", "forward_dynamics_by_qd"})
      add((std::string(name) + (is_solved ? "/times_inertia" : "/not_solved")).c_str(),
          is_solved ? "Your derivatives of forward dynamics are multiplied by M."
                    : "Your derivatives of forward dynamics lack M^-1: they are those of inverse dynamics.",
          name, [is_solved](const auto& table, const auto& at) {
            return MatrixX<double>((is_solved ? 1 : -1) * (answer(at, "mass_matrix") * table));
          });
  all.push_back(
      {"derivatives/exchanged",
       "Your derivatives with respect to q are those with respect to qd, and the others those with respect to q.",
       remedy,
       {},
       {},
       [](Answers& a, const Situation& at) {
         for (const std::string what : {"inverse_dynamics", "forward_dynamics"})
           for (const auto& [name, other] : {std::pair{"_by_q", "_by_qd"}, {"_by_qd", "_by_q"}})
             if (a.count(what + name)) a[what + name] = answer(at, what + other);
       }});
  add("inverse_dynamics_by_qd/is_coriolis_matrix",
      "Your derivative with respect to qd is C: half of what rates change.", "inverse_dynamics_by_qd",
      [](const auto&, const auto& at) { return answer(at, "coriolis_matrix"); });
  add("link_accelerations/felt", "Your accelerations of links are what a sensor feels: without gravity, in link axes.",
      "link_accelerations", [](const auto& table, const auto& at) {
        MatrixX<double> felt = table;
        const MatrixX<double> R = answer(at, "link_rotations");
        for (Eigen::Index l = 0; l < felt.rows(); ++l) {
          felt.row(l).template tail<3>() -= at.question.gravity.eigen().transpose();
          for (const int half : {0, 3}) {
            const Eigen::RowVector3d in_world = felt.row(l).template segment<3>(half);
            for (int k = 0; k < 3; ++k)
              felt(l, half + k) = in_world(0) * R(l, k) + in_world(1) * R(l, 3 + k) + in_world(2) * R(l, 6 + k);
          }
        }
        return felt;
      });
  all.push_back({"coriolis_matrix/transposed",
                 "Your C is the transpose of that of Christoffel's symbols.",
                 remedy,
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   change_coriolis_matrices(a, at,
                                            [](const MatrixX<double>& C) { return MatrixX<double>(C.transpose()); });
                 }});
  all.push_back({"coriolis_matrix/half_of_mass_rate",
                 "Your C is half of dM/dt: its skew part is missing.",
                 remedy,
                 {},
                 {},
                 [](Answers& a, const Situation& at) {
                   change_coriolis_matrices(
                       a, at, [](const MatrixX<double>& C) { return MatrixX<double>(0.5 * (C + C.transpose())); });
                 }});
  all.push_back({"coriolis_matrix/mass_rate", "Your C is dM/dt.", remedy, {}, {}, [](Answers& a, const Situation& at) {
                   change_coriolis_matrices(
                       a, at, [](const MatrixX<double>& C) { return MatrixX<double>(C + C.transpose()); });
                 }});
}

// [halves]
/// One half of six numbers in other axes, or with the other sign.
void add_halves(Hypotheses& all)
{
  struct Kind {
    const char *key, *name, *words;
    bool in_world;  ///< whether ours is in world axes
  };
  static constexpr Kind kinds[] = {{"jacobian", "jacobian", "Jacobians", true},
                                   {"twists", "link_twists", "twists of links", false},
                                   {"accelerations", "link_accelerations", "accelerations of links", true},
                                   {"twist_rates", "link_twist_rates", "rates of twists", false}};
  for (const Kind& kind : kinds)
    for (const bool angular : {true, false})
      for (const bool negated : {true, false}) {
        const std::string half = angular ? "angular" : "linear",
                          axes = kind.in_world ? "the link's own axes" : "world axes";
        all.push_back({std::string(kind.key) + "/" + half + (negated ? "_negated" : "_half_turned"),
                       "The " + half + " half of your " + kind.words +
                           (negated ? " has the other sign." : " is in " + axes + "."),
                       "ask for both halves in the same axes, with the signs of w and of the velocity of the origin",
                       {},
                       {},
                       [kind, first = angular ? 0 : 3, negated](Answers& a, const Situation& at) {
                         for (auto& [name, table] : a) {
                           const bool of_links = name == kind.name;
                           if (!of_links && !(std::string(kind.name) == "jacobian" && kind_of(name) == "jacobians"))
                             continue;
                           if (negated) {
                             if (of_links)
                               table.middleCols(first, 3) *= -1;
                             else
                               table.middleRows(first, 3) *= -1;
                             continue;
                           }
                           const MatrixX<double> rotations = answer(at, "link_rotations");
                           const auto R_of = [&](Eigen::Index l) {
                             Eigen::Matrix3d R;
                             for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = rotations(l, k);
                             return R;
                           };
                           if (!of_links) {
                             const Eigen::Matrix3d R = R_of(link_of(name, at.model));
                             table.middleRows(first, 3) = (R.transpose() * table.middleRows(first, 3)).eval();
                             continue;
                           }
                           for (Eigen::Index l = 0; l < table.rows(); ++l) {
                             const Eigen::Matrix3d R = kind.in_world ? Eigen::Matrix3d(R_of(l).transpose()) : R_of(l);
                             table.row(l).segment(first, 3) = (table.row(l).segment(first, 3) * R.transpose()).eval();
                           }
                         }
                       }});
      }
}
// [halves]

/// Jacobians of another link, and places of links seen from what carries them.
void add_links(Hypotheses& all, const Model<double>& model, std::span<const std::string> names)
{
  if (std::any_of(names.begin(), names.end(), [](const auto& name) { return kind_of(name) == "jacobians"; }))
    for (const Link& link : model.mechanism().links) {
      all.push_back({"jacobian/of_link:" + link.name,
                     "Your Jacobian is that of link '" + link.name + "'.",
                     "ask for the Jacobian of the link by its name",
                     {},
                     {},
                     [name = link.name](Answers& a, const Situation& at) {
                       for (auto& [asked, table] : a)
                         if (kind_of(asked) == "jacobians") table = answer(at, "jacobian:" + name);
                     }});
      all.back().alone = true;
    }
  std::map<std::string, Eigen::Index> rows;
  const Indexed<Link>& links = model.mechanism().links;
  for (std::size_t l = 0; l < links.size(); ++l) rows[links[l].name] = static_cast<Eigen::Index>(l);
  std::vector<std::pair<Eigen::Index, Eigen::Index>> carriers;  // of rows
  for (const Joint& joint : model.mechanism().joints) carriers.push_back({rows[joint.child], rows[joint.parent]});
  all.push_back(of_one("link_positions/from_the_parent",
                       "Your positions of links are counted from the link that carries each, in world axes.",
                       "add up the positions from the root", "link_positions",
                       [carriers](const auto& table, const auto&) {
                         MatrixX<double> from = table;
                         for (const auto& [child, parent] : carriers) from.row(child) -= table.row(parent);
                         return from;
                       }));
}

// [regressor-blocks]
/// Blocks of ten columns in another order, or by the centre of mass.
void add_regressor_blocks(Hypotheses& all)
{
  const auto add = [&](const char* key, const char* words, auto change) {
    all.push_back({std::string("regressor/") + key,
                   std::string("In your regressors ") + words + ".",
                   "sort the columns of each body",
                   {},
                   {},
                   [change](Answers& a, const Situation& at) {
                     for (auto& [name, table] : a)
                       if (find_quantity(name)->columns == Axis::parameters) {
                         const MatrixX<double> ours = table;
                         for (Eigen::Index c = 0; c < ours.cols(); ++c) {
                           const auto [from, factor] = change(c, ours.cols() / 10, at.model);
                           table.col(c) = factor * ours.col(from);
                         }
                       }
                   }});
  };
  using Column = std::pair<Eigen::Index, double>;
  add("mass_last", "the mass comes last", [](Eigen::Index c, Eigen::Index, const auto&) {
    return Column{c - c % 10 + (c + 1) % 10, 1};
  });
  add("links_reversed", "the links come in reverse order", [](Eigen::Index c, Eigen::Index bodies, const auto&) {
    return Column{10 * (bodies - 1 - c / 10) + c % 10, 1};
  });
  add("by_kind", "the parameters are sorted by kind, then by link",
      [](Eigen::Index c, Eigen::Index bodies, const auto&) {
        return Column{10 * (c % bodies) + c / bodies, 1};
      });
  add("center_of_mass", "the second to fourth parameters of each link are the centre of mass, not the first moment",
      [](Eigen::Index c, Eigen::Index, const Model<double>& model) {
        const bool is_center = c % 10 > 0 && c % 10 < 4;
        return Column{c, is_center ? model.body(static_cast<int>(c / 10) + 1).I.mass : 1};
      });
}
// [regressor-blocks]

}  // namespace

Hypotheses confused_quantities(const Model<double>& model, std::span<const std::string> names)
{
  Hypotheses all;
  add_terms(all, names);
  add_others(all);
  add_halves(all);
  add_links(all, model, names);
  add_regressor_blocks(all);
  return all;
}

}  // namespace articulate::oracle
