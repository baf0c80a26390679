#include <articulate/oracle/diagnose.hpp>
#include <articulate/group/matrices.hpp>
#include <articulate/oracle/investigation.hpp>
#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <random>
#include <tuple>

namespace articulate::oracle {
namespace {

std::string listed(const std::vector<std::string>& names)
{
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 < names.size() ? ", " : " and ") + names[k];
  return text;
}

/// As many products with members of large families are tried, times the degrees of freedom: less than a second.
constexpr int most_rows_of_pairs = 200000;

/// Digits that arithmetic in single precision leaves at least, where it is worth a name.
constexpr double least_digits_of_float = 3;

/// A state drawn from a seed, the same everywhere, special in no way.
Question drawn(const Model<double>& model, std::uint64_t seed)
{
  std::mt19937_64 bits(seed);
  const auto next = [&] { return 2 * static_cast<double>(bits() >> 11) * 0x1p-53 - 1; };
  const auto vector = [&](int n) {
    VectorX<double> x(n);
    for (double& entry : x) entry = std::round(1e4 * next()) / 1e4;
    return x;
  };
  Question question{vector(model.nq()), vector(model.nv()), vector(model.nv()), vector(model.nv()), {}, {}};
  for (const JointSlot& slot : model.joints())
    if (slot.nq > slot.nv) question.q.segment<4>(slot.q + slot.nq - 4).normalize();
  for (int k = 0; k < 3; ++k) question.gravity[k] = k < 2 ? 4 * next() : -9;
  for (int i = 0; i <= model.bodies(); ++i) {
    const VectorX<double> F = vector(6);
    question.external_wrenches.push_back(i == 0 ? Wrench<double>{}
                                                : Wrench<double>{{F(0), F(1), F(2)}, {F(3), F(4), F(5)}});
  }
  return question;
}

// [parts-of-a-question]
/// What a cause may read and write, as bits: the parts of a question, and the description.
namespace part {
constexpr unsigned q = 1, qd = 2, qdd = 4, tau = 8, gravity = 16, wrenches = 32, friction = 64, description = 128;
constexpr unsigned of_a_question[] = {q, qd, qdd, tau, gravity, wrenches, friction};
}  // namespace part

/// The parts in which two questions differ.
unsigned difference(const Question& a, const Question& b)
{
  const auto differ = [](const VectorX<double>& x, const VectorX<double>& y) { return x.size() != y.size() || x != y; };
  const auto wrench = [](const Wrench<double>& F, const Wrench<double>& G) { return coordinates(F) == coordinates(G); };
  const bool on_bodies = std::equal(a.external_wrenches.begin(), a.external_wrenches.end(), b.external_wrenches.begin(),
                                    b.external_wrenches.end(), wrench);
  const bool on_links = std::equal(
      a.on_fixed_links.begin(), a.on_fixed_links.end(), b.on_fixed_links.begin(), b.on_fixed_links.end(),
      [&](const auto& one, const auto& other) { return one.first == other.first && wrench(one.second, other.second); });
  return (differ(a.q, b.q) ? part::q : 0u) | (differ(a.qd, b.qd) ? part::qd : 0u) |
         (differ(a.qdd, b.qdd) ? part::qdd : 0u) | (differ(a.tau, b.tau) ? part::tau : 0u) |
         (a.gravity.eigen() != b.gravity.eigen() ? part::gravity : 0u) | (on_bodies && on_links ? 0u : part::wrenches) |
         (a.friction_width != b.friction_width ? part::friction : 0u);
}

/// A question with one part of another.
Question mixed(Question x, const Question& other, unsigned which)
{
  if (which == part::q) x.q = other.q;
  if (which == part::qd) x.qd = other.qd;
  if (which == part::qdd && x.qdd.size()) x.qdd = other.qdd;
  if (which == part::tau && x.tau.size()) x.tau = other.tau;
  if (which == part::gravity) x.gravity = other.gravity;
  if (which == part::wrenches && !x.external_wrenches.empty()) x.external_wrenches = other.external_wrenches;
  if (which == part::friction) x.friction_width = 1 + 2 * x.friction_width;
  return x;
}

/// Whether two descriptions have the same numbers.
bool are_same(const Machine& a, const Machine& b)
{
  const auto of_link = [](const Link& l) {
    return std::tie(l.name, l.mass, l.center_of_mass, l.inertial_quaternion, l.inertia);
  };
  const auto of_joint = [](const Joint& j) {
    return std::tie(j.name, j.type, j.parent, j.child, j.position, j.quaternion, j.axis, j.pitch, j.damping, j.friction,
                    j.armature);
  };
  const auto of_mimic = [](const Joint& j) {
    return j.mimic ? std::tuple(j.mimic->joint, j.mimic->multiplier, j.mimic->offset)
                   : std::tuple(std::string(), 0., 0.);
  };
  const auto of_options = [](const ModelOptions& o) {
    return std::tuple(o.floating_base, o.accept_unphysical, o.dynamics.damping, o.dynamics.friction,
                      o.dynamics.armature, o.dynamics.mimic);
  };
  return of_options(a.options) == of_options(b.options) &&
         std::equal(a.mechanism.links.begin(), a.mechanism.links.end(), b.mechanism.links.begin(),
                    b.mechanism.links.end(),
                    [&](const Link& one, const Link& other) { return of_link(one) == of_link(other); }) &&
         std::equal(a.mechanism.joints.begin(), a.mechanism.joints.end(), b.mechanism.joints.begin(),
                    b.mechanism.joints.end(), [&](const Joint& one, const Joint& other) {
                      return of_joint(one) == of_joint(other) && of_mimic(one) == of_mimic(other);
                    });
}
// [parts-of-a-question]

/// The causes that are there for a machine, and those that fits propose: they stay where they are.
class Search {
public:
  Search(Investigation& investigation, Machine machine) : of_(investigation)
  {
    if (!of_.all_zero().empty()) keep({all_zero()});
    keep(causes_in_the_state(of_.model()));
    keep(causes_in_the_machine(machine));
    keep(causes_in_the_answers(of_.model(), of_.names()));
    keep(causes_in_some_answers());
    // Gravity along z is said with its direction; of another one its size is a cause of its own.
    const bool is_tilted = std::any_of(of_.sample().begin(), of_.sample().end(), [&](const auto& state) {
      const Vector3<double>& g = of_.question(state).gravity;
      return g[0] != 0 || g[1] != 0 || g[2] > 0;
    });
    for (const Hypothesis& hypothesis : causes_) {
      if (!is_tilted && hypothesis.key.starts_with("gravity/size_")) continue;
      if (hypothesis.alone) {
        alone_.push_back(&hypothesis);
        continue;
      }
      std::set<std::string> changed = of_.changed({&hypothesis});
      // What is seen in zeros alone could be put beside any other cause.
      const bool is_seen = !includes(of_.all_zero(), changed) || hypothesis.of_zeros || hypothesis.question;
      if (!changed.empty() && is_seen) candidates_.push_back({&hypothesis, std::move(changed)});
    }
  }

  /// All single causes that explain.
  std::vector<Product> singles()
  {
    std::vector<Product> found;
    for (const Candidate& one : candidates_)
      if (!one.hypothesis->of_some && covers(one.changed, {}) && of_.explains({one.hypothesis}))
        found.push_back({one.hypothesis});
    for (const Hypothesis* one : alone_)
      if (of_.explains({one})) found.push_back({one});
    for (const Hypothesis* fitted : keep(fitted_causes(of_, {}, of_.names())))
      if (!repeats(*fitted, found) && of_.explains({fitted})) found.push_back({fitted});
    if (!found.empty()) add_sign(found);
    // Where nothing but zeros misses digits, this comes first, and no pair is looked for.
    if (of_.all_zero() == of_.missing()) found.insert(found.begin(), {limit(candidates_.front(), of_.missing())});
    return found;
  }

  // [in-some]
  /// All single causes that some quantities have, and others have not: what misses digits is explained, and what does not
  /// is as ours.
  std::vector<Product> in_what_is_missing()
  {
    std::vector<Product> found;
    const std::vector<std::string> missing(of_.missing().begin(), of_.missing().end());
    for (const Candidate& one : candidates_)
      if (changes(one, of_.missing()) && of_.explains({one.hypothesis}, missing))
        found.push_back({limit(one, of_.missing())});
    for (const Hypothesis* one : alone_)
      if (of_.explains({one}, missing)) found.push_back({limit({one, of_.changed({one})}, of_.missing())});
    for (const Hypothesis* fitted : keep(fitted_causes(of_, {}, missing)))
      if (of_.explains({fitted}, missing)) found.push_back({limit({fitted, of_.changed({fitted})}, of_.missing())});
    return found;
  }

  /// All pairs of causes of which each explains some quantities by itself, and the two together all that miss digits.
  std::vector<Product> each_for_itself()
  {
    std::map<std::string, std::set<std::string>> kinds;  // names by kind
    for (const std::string& name : of_.missing()) kinds[kind_of(name)].insert(name);
    if (kinds.size() < 2) return {};
    struct Part {
      Candidate cause;
      std::set<std::string> explained;  // names
    };
    std::vector<Part> parts;
    const auto add = [&](const Hypothesis* cause, const std::set<std::string>* changed) {
      std::set<std::string> explained;
      for (const auto& [kind, names] : kinds)
        if ((!changed || includes(*changed, names)) && of_.explains({cause}, {names.begin(), names.end()}))
          explained.insert(names.begin(), names.end());
      if (!explained.empty()) parts.push_back({{cause, changed ? *changed : of_.changed({cause})}, explained});
    };
    for (const Candidate& one : candidates_) add(one.hypothesis, &one.changed);
    for (const Hypothesis* one : alone_) add(one, nullptr);
    for (const auto& [kind, names] : kinds)
      for (const Hypothesis* fitted : keep(fitted_causes(of_, {}, {names.begin(), names.end()}))) {
        add(fitted, nullptr);
        if (fitted->parameters == 0) of_one_kind_.push_back(fitted);
      }
    std::vector<Product> found;
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        // The one that explains more has it all.
        const bool first = parts[i].explained.size() >= parts[j].explained.size();
        const Part &a = first ? parts[i] : parts[j], &b = first ? parts[j] : parts[i];
        std::set<std::string> rest;
        std::set_difference(of_.missing().begin(), of_.missing().end(), a.explained.begin(), a.explained.end(),
                            std::inserter(rest, rest.end()));
        if (rest.empty() || !std::includes(b.explained.begin(), b.explained.end(), rest.begin(), rest.end())) continue;
        found.push_back({limit(a.cause, a.explained), limit(b.cause, rest)});
      }
    return found;
  }

  /// All pairs of a cause that all quantities have, and another that some kinds of them have besides.
  std::vector<Product> one_on_top()
  {
    std::map<std::size_t, std::vector<Product>> found;  // by how many more quantities the other would have changed
    const auto add = [&](const Hypothesis* one, const std::set<std::string>* changed, std::size_t most) {
      std::map<std::string, std::set<std::string>> left;  // names by kind
      for (const std::string& name : of_.names()) {
        if (changed && !of_.missing().count(name) && !changed->count(name)) continue;
        if (!of_.explains_or_agrees({one}, name)) left[kind_of(name)].insert(name);
        if (left.size() > most) return;
      }
      std::set<std::string> names;
      for (const auto& [kind, of_kind] : left) names.insert(of_kind.begin(), of_kind.end());
      const std::set<std::string> by_one = changed ? *changed : of_.changed({one});
      const auto explained = [&](const std::string& name) { return by_one.count(name) && !names.count(name); };
      if (names.empty() || std::none_of(of_.missing().begin(), of_.missing().end(), explained)) return;
      const auto try_other = [&](const Candidate& other) {
        if (other.hypothesis == one || !changes(other, names)) return;
        const Product product{one, limit(other, names)};
        if (of_.explains(product)) found[other.changed.size() - names.size()].push_back(product);
      };
      for (const Candidate& other : candidates_) try_other(other);
      for (const Hypothesis* other : alone_) {
        const Product both{one, other};
        if (of_.explains(both, {names.begin(), names.end()})) try_other({other, of_.changed({other})});
      }
    };
    constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
    for (const Candidate& one : candidates_)
      if (!one.hypothesis->of_some) add(one.hypothesis, &one.changed, any);
    for (const Hypothesis* one : alone_) add(one, nullptr, is_of_many(*one) ? 1 : any);
    // Numbers that are fitted to all kinds but one.
    std::set<std::string> kinds;
    for (const std::string& name : of_.missing()) kinds.insert(kind_of(name));
    for (const std::string& kind : kinds) {
      std::vector<std::string> others;
      std::copy_if(of_.names().begin(), of_.names().end(), std::back_inserter(others),
                   [&](const std::string& name) { return kind_of(name) != kind; });
      for (const Hypothesis* fitted : keep(fitted_causes(of_, {}, others))) add(fitted, nullptr, 1);
    }
    std::vector<Product> all;
    for (const auto& [more, products] : found) all.insert(all.end(), products.begin(), products.end());
    return all;
  }
  // [in-some]

  // [of-libraries]
  /** What a known library does its own way, where nothing simpler explains: as many causes as the numbers show of it.
   *
   *  Its algorithms are not ours, and may lose digits that ours keep: as many as the house rule allows, 100 n eps kappa.
   */
  std::vector<Product> of_libraries()
  {
    std::vector<Product> found;
    for (const Library& library : known_libraries()) {
      Product product;
      for (const Convention& convention : library.conventions)
        if (const Hypothesis* cause = cause_of(convention)) {
          Hypothesis of_others = *cause;
          of_others.spare = std::log10(100.0 * of_.model().nv());
          product.push_back(keep({std::move(of_others)}).front());
        }
      if (!of_.explains(product)) continue;
      for (std::size_t k = product.size(); k-- > 0;) {
        Product fewer = product;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
        if (of_.explains(fewer)) product = fewer;
      }
      found.push_back(product);
    }
    return found;
  }
  // [of-libraries]

  /// All pairs of causes whose numbers are fitted together.
  std::vector<Product> fitted_pairs()
  {
    std::vector<Product> found;
    for (auto& [a, b] : pairs_of_fitted_causes(of_)) {
      const Product product{keep({std::move(a)}).front(), keep({std::move(b)}).front()};
      if (of_.explains(product)) found.push_back(product);
    }
    return found;
  }

  /// All products of two.
  std::vector<Product> pairs()
  {
    std::vector<Product> found;
    for (const Candidate& one : candidates_) note_what_it_looks_at(*one.hypothesis);
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      for (std::size_t j = i + 1; j < candidates_.size(); ++j) {
        const Candidate &a = candidates_[i], &b = candidates_[j];
        if (a.hypothesis->of_some || b.hypothesis->of_some) continue;
        if (!covers(a.changed, b.changed)) continue;
        add_in_any_order(found, *a.hypothesis, *b.hypothesis);
      }
    // Factors and signs of all that misses digits.
    for (const Candidate& last : candidates_)
      if (last.hypothesis->of_some && !last.hypothesis->of_zeros && !last.hypothesis->key.starts_with("precision/") &&
          changes(last, of_.missing()))
        factors_.push_back(limit(last, of_.missing()));
    for (const Hypothesis* factor : factors_) {
      note_what_it_looks_at(*factor);
      for (const Candidate& one : candidates_)
        if (!one.hypothesis->of_some && includes(of_.missing(), one.changed))
          add_in_any_order(found, *factor, *one.hypothesis);
    }
    // What was printed with few digits, or in single precision, may be the answers of any cause.
    for (const Candidate& last : candidates_) {
      if (!last.hypothesis->key.starts_with("precision/") || !leaves_theirs(*last.hypothesis)) continue;
      const Hypothesis* rounded = limit(last, of_.missing());
      if (of_.explains({rounded})) continue;  // with what changes nothing besides, too
      const auto add = [&](const Hypothesis* one) {
        if (of_.explains({rounded, one})) found.push_back({rounded, one});
      };
      for (const Candidate& one : candidates_)
        if (!one.hypothesis->of_some && includes(of_.missing(), one.changed)) add(one.hypothesis);
      for (const Hypothesis* one : alone_) add(one);
      if (!found.empty()) break;  // what has few digits also has no more than many
    }
    for (const Candidate& one : candidates_) {
      const auto is_missing = [&](const std::string& name) { return of_.missing().count(name) > 0; };
      if (one.hypothesis->of_some || std::none_of(one.changed.begin(), one.changed.end(), is_missing)) continue;
      for (const Hypothesis* fitted : keep(fitted_causes(of_, {one.hypothesis}, of_.names())))
        if ((fitted->parameters == 0 || (!repeats(*fitted, found) && !undoes(*fitted, *one.hypothesis))) &&
            of_.explains({one.hypothesis, fitted}))
          found.push_back({one.hypothesis, fitted});
      for (const Hypothesis* fitted : keep(fitted_answers(of_, {one.hypothesis}, of_.names())))
        if (of_.explains({fitted, one.hypothesis})) found.push_back({fitted, one.hypothesis});
    }
    return found;
  }

  // [pairs-of-few]
  /** Products of causes from large families with any other, as many as a diagnosis has time for.
   *
   *  Small families come first. A family that is too large by then is left out whole: exchanged joints of a humanoid.
   */
  std::vector<Product> pairs_with_members()
  {
    std::vector<Product> found;
    std::map<std::string, std::vector<const Hypothesis*>> families;
    for (const Hypothesis* one : alone_) families[family_of(one->key)].push_back(one);
    std::vector<std::vector<const Hypothesis*>> by_size;
    for (auto& [name, members] : families) by_size.push_back(members);
    std::stable_sort(by_size.begin(), by_size.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    std::size_t tried = 0;
    const auto most = static_cast<std::size_t>(most_rows_of_pairs / std::max(of_.model().nv(), 1));
    std::vector<const Hypothesis*> others = factors_;
    for (const Candidate& one : candidates_)
      if (!one.hypothesis->of_some && std::any_of(one.changed.begin(), one.changed.end(), [&](const std::string& name) {
            return of_.missing().count(name) > 0;
          }))
        others.push_back(one.hypothesis);
    for (const auto& members : by_size) {
      tried += members.size() * others.size();
      if (tried > most) break;
      for (const Hypothesis* one : members) note_what_it_looks_at(*one);
      for (const Hypothesis* one : members)
        for (const Hypothesis* other : others) add_in_any_order(found, *one, *other);
      if (members.size() == 1) others.push_back(members.front());
    }
    return found;
  }
  // [pairs-of-few]

  // [part]
  /// Causes that explain the same rows, which are most of those that miss digits in each of their quantities; and what
  /// misses digits besides.
  struct Part {
    std::vector<Product> causes;
    Investigation::Rows explained, left;
  };
  /** The largest part that one cause explains, where nothing explains all.
   *
   *  Numbers that are fitted are no such cause: they have enough freedom to meet a part of what they do not explain.
   */
  Part part()
  {
    const Investigation::Rows missing = of_.rows_that_miss();
    Part best;
    std::size_t most = 0;
    const auto look = [&](const Hypothesis* one, const std::set<std::string>* changed) {
      const auto with = of_.rows_that_miss({one}, missing);
      if (!with) return;
      Investigation::Rows explained, left;
      std::size_t count = 0;
      for (const auto& [name, before] : missing) {
        const std::set<Eigen::Index>& after = with->at(name);
        if (!explains_most(before, after)) {
          left[name] = before;
          continue;
        }
        std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                            std::inserter(explained[name], explained[name].end()));
        count += explained[name].size();
        if (!after.empty()) left[name] = after;
      }
      if (count == 0 || count < most || (count == most && explained != best.explained)) return;
      if (of_.worst_digits({one}, explained) < of_.worst_digits({}, explained) + least_gain) return;
      if (count > most) best = {{}, explained, left}, most = count;
      // What it would change of other quantities that miss digits, they may have besides.
      Candidate cause{one, {}};
      for (const std::string& name : changed ? *changed : of_.changed({one}))
        if (explained.count(name) || !of_.missing().count(name)) cause.changed.insert(name);
      std::set<std::string> names;
      for (const auto& [name, rows] : explained) names.insert(name);
      best.causes.push_back({limit(cause, names)});
    };
    for (const Candidate& one : candidates_) look(one.hypothesis, &one.changed);
    for (const Hypothesis* one : alone_) look(one, nullptr);
    for (const Hypothesis* one : of_one_kind_) look(one, nullptr);
    return best;
  }
  // [part]

private:
  struct Candidate {
    const Hypothesis* hypothesis;
    std::set<std::string> changed;
  };

  /// The cause that a convention is for this machine and these quantities, if there is one.
  const Hypothesis* cause_of(const Convention& convention)
  {
    std::set<std::string> names;
    for (const std::string& name : of_.names())
      if (convention.kinds.count(kind_of(name))) names.insert(name);
    if (names.empty() && !convention.kinds.empty()) return nullptr;
    for (const std::string& key : convention.causes)
      for (const Hypothesis& cause : causes_)
        if (cause.key == key) return names.empty() ? &cause : limit({&cause, of_.changed({&cause})}, names);
    return nullptr;
  }

  std::vector<const Hypothesis*> keep(Hypotheses more)
  {
    std::vector<const Hypothesis*> kept;
    for (Hypothesis& hypothesis : more) {
      causes_.push_back(std::move(hypothesis));
      kept.push_back(&causes_.back());
    }
    return kept;
  }

  /// Whether numbers that are fitted only say again what is found: a gravity that has the other sign is one with other
  /// numbers, and a link whose mass is lost one with other parameters.
  bool repeats(const Hypothesis& fitted, const std::vector<Product>& found) const
  {
    if (fitted.parameters == 0) return false;
    const auto body = [&](const std::string& key) {
      const std::string name = key.substr(key.find(':') + 1);
      const auto& links = of_.model().links();
      const auto link = std::find_if(links.begin(), links.end(), [&](const auto& one) { return one.name == name; });
      return link == links.end() ? -1 : link->body;
    };
    const int of_fitted = body(fitted.key);
    for (const Product& product : found)
      for (const Hypothesis* one : product) {
        const int of_one = body(one->key);
        if (is_of_one_kind(fitted, *one) && (of_one < 0 || of_fitted < 0 || of_one == of_fitted)) return true;
      }
    return false;
  }

  /// The members of a family are named by a link or by joints.
  static std::string family_of(const std::string& key)
  {
    const std::size_t colon = key.find(':');
    if (colon != std::string::npos) {
      const std::size_t tail = key.rfind("_in_");
      return key.substr(0, colon) + (tail != std::string::npos && tail > colon ? key.substr(tail) : "");
    }
    return key.starts_with("direction/") ? "direction" : key;
  }
  static bool is_of_many(const Hypothesis& one) { return family_of(one.key) != one.key; }

  /// What a cause reads of the parts of a question, and what it writes, is tried out with another question.
  struct Looks {
    unsigned reads = 0, writes = 0;
  };
  void note_what_it_looks_at(const Hypothesis& one)
  {
    Looks& looks = looks_[&one];
    const Investigation::State& state = of_.sample().front();
    const Question &given = of_.question(state), other = drawn(of_.model(), 1);
    const auto asked = [&](Question x) {
      const Question seen = x;
      if (one.question) one.question(x, {of_.model(), seen, &given, &given});
      return x;
    };
    const auto answered = [&](const Question& x) {
      Answers tables;
      for (const auto& [name, table] : state.ours.values)
        if (of_.missing().count(name)) tables[name] = table;
      if (one.answers) one.answers(tables, {of_.model(), x, &given, &given});
      return tables;
    };
    if (one.machine) looks.writes |= part::description;
    try {
      const Question x = asked(given);
      const Answers here = answered(given);
      looks.writes |= difference(x, given);
      for (const unsigned one_part : part::of_a_question) {
        const Question changed = mixed(given, other, one_part);
        if (const bool in_answers = answered(changed) != here;
            in_answers || (difference(asked(changed), x) & ~one_part))
          looks.reads |= one_part | (in_answers ? part::description : 0u);
      }
    } catch (const Error&) {
      looks.reads = ~0u;
    }
    if (looks.writes & part::wrenches) looks.reads |= part::description;  // they may be moved from place to place
  }

  /// Of two causes that neither write nor read what the other writes either may come first; and so it is if two make one
  /// description in both orders.
  bool commute(const Hypothesis& a, const Hypothesis& b) const
  {
    const Looks &of_a = looks_.at(&a), &of_b = looks_.at(&b);
    const unsigned both = (of_a.writes & (of_b.reads | of_b.writes)) | (of_b.writes & (of_a.reads | of_a.writes));
    return !(a.answers && b.answers) && (both == 0 || (both == part::description && make_one_description(a, b)));
  }
  bool make_one_description(const Hypothesis& a, const Hypothesis& b) const
  {
    if (!a.machine || !b.machine) return false;
    Machine one = of_.machine(), other = one;
    try {
      a.machine(one), b.machine(one);
      b.machine(other), a.machine(other);
    } catch (const Error&) {
      return false;  // one of them cannot come behind the other
    }
    return are_same(one, other);
  }
  void add_in_any_order(std::vector<Product>& found, const Hypothesis& a, const Hypothesis& b)
  {
    if (of_.explains({&a, &b}))
      found.push_back({&a, &b});
    else if (!commute(a, b) && of_.explains({&b, &a}))
      found.push_back({&b, &a});
  }

  /// Whether their numbers have no more digits than this leaves.
  bool leaves_theirs(const Hypothesis& rounding) const
  {
    for (const Investigation::State& state : of_.sample()) {
      Answers theirs;
      for (const auto& [name, table] : state.theirs)
        if (of_.missing().count(name)) theirs[name] = table;
      Answers rounded = theirs;
      rounding.answers(rounded, {of_.model(), of_.question(state)});
      if (rounded != theirs) return false;
    }
    return true;
  }

  /// A cause in the state may do no more than change a sign of what is missing: then it may be that sign, too.
  void add_sign(std::vector<Product>& found)
  {
    const auto is_sign = [](const Product& product) { return product.front()->key.starts_with("sign/"); };
    if (std::any_of(found.begin(), found.end(), is_sign)) return;
    const std::vector<std::string> missing(of_.missing().begin(), of_.missing().end());
    for (const Candidate& one : candidates_)
      if (one.hypothesis->key == "sign/other" && of_.explains({one.hypothesis}, missing))
        found.push_back({limit(one, of_.missing())});
  }

  static bool is_of_one_kind(const Hypothesis& fitted, const Hypothesis& cause)
  {
    return cause.key.starts_with(fitted.key.substr(0, fitted.key.find('/') + 1));
  }

  /// Numbers that are fitted could take back a cause of their own kind, and then explain what they could not alone. Those of
  /// one link take nothing back that is seen in two others.
  bool undoes(const Hypothesis& fitted, const Hypothesis& cause) const
  {
    if (!is_of_one_kind(fitted, cause)) return false;
    if (!fitted.key.starts_with("inertia/") || !cause.machine || cause.key.find(':') != std::string::npos) return true;
    Machine wrong = of_.machine();
    cause.machine(wrong);
    const auto& ours = of_.machine().mechanism.links;
    int changed = 0;
    for (std::size_t l = 0; l < ours.size() && l < wrong.mechanism.links.size(); ++l) {
      const Link &a = ours[l], &b = wrong.mechanism.links[l];
      changed += a.mass != b.mass || a.center_of_mass != b.center_of_mass || a.inertia != b.inertia ||
                 a.inertial_quaternion != b.inertial_quaternion;
    }
    return changed < 3;
  }

  static bool includes(const std::set<std::string>& all, const std::set<std::string>& some)
  {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
  }
  static bool changes(const Candidate& cause, const std::set<std::string>& names)
  {
    return includes(cause.changed, names);
  }

  /// The cause itself where it changes nothing else, and otherwise that of these quantities alone.
  const Hypothesis* limit(const Candidate& cause, const std::set<std::string>& names)
  {
    std::set<std::string> others;
    for (const std::string& name : cause.changed)
      if (!names.count(name)) others.insert(name);
    if (others.empty() && !cause.hypothesis->of_some) return cause.hypothesis;
    return keep({limited(*cause.hypothesis, names, cause.hypothesis->of_some ? std::set<std::string>{} : others)})
        .front();
  }

  /// Whether two causes change all that misses digits, and nothing alone that does not.
  bool covers(const std::set<std::string>& a, const std::set<std::string>& b) const
  {
    for (const std::string& name : of_.names()) {
      const auto changes = a.count(name) + b.count(name);
      if (of_.missing().count(name) ? changes == 0 : changes == 1) return false;
    }
    return true;
  }

  Investigation& of_;
  std::deque<Hypothesis> causes_;
  std::vector<Candidate> candidates_;
  std::vector<const Hypothesis*> alone_, factors_, of_one_kind_;
  std::map<const Hypothesis*, Looks> looks_;
};

// [single-precision]
/// Whether all numbers that miss digits are such as single precision has, and have most of its digits.
bool is_single_precision(const Investigation& of)
{
  std::size_t count = 0;
  for (const Investigation::State& state : of.sample())
    for (const std::string& name : of.missing()) {
      const auto found = state.theirs.find(name);
      if (found == state.theirs.end()) continue;
      for (const double x : found->second.reshaped()) {
        if (static_cast<double>(static_cast<float>(x)) != x) return false;
        count += x != std::round(x);
      }
      if (state.scores.at(name).digits < least_digits_of_float) return false;
    }
  return count >= 3;
}
// [single-precision]

// [next-state]
/// Whether two products predict different numbers of some quantities.
bool tells_apart(Investigation& of, const Question& question, const Question* before, const Product& a,
                 const Product& b, std::span<const std::string> names)
{
  const auto one = of.predicted(a, question, before, names), other = of.predicted(b, question, before, names);
  if (!one || !other) return one.has_value() != other.has_value();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return score(name, one->at(name), other->at(name), digits_of_double, of.model()).digits < 8;
  });
}

/// The drawn state that tells most of a class from its first, if one tells any.
std::optional<Question> next_state(Investigation& of, const std::vector<Product>& class_of_causes,
                                   const Question* before, std::span<const std::string> names)
{
  std::optional<Question> best;
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= 4 && most + 1 < class_of_causes.size(); ++seed) {
    const Question question = drawn(of.model(), seed);
    std::size_t told = 0;
    for (std::size_t k = 1; k < class_of_causes.size(); ++k)
      told += tells_apart(of, question, before, class_of_causes[0], class_of_causes[k], names);
    if (told > most) most = told, best = question;
  }
  return best;
}
// [next-state]

/// Whether two products are one but for this cause.
bool differ_in_one(const Product& a, const Product& b, std::size_t at)
{
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (k != at && a[k]->key != b[k]->key) return false;
  return true;
}

std::vector<std::string> keys(const std::vector<Product>& products)
{
  std::vector<std::string> all;
  for (const Product& product : products) all.push_back(key_of(product));
  return all;
}

/// Tables, and of those that are there in part the rows.
std::string listed(const Investigation& of, const Investigation::Rows& rows)
{
  std::vector<std::string> all;
  for (const auto& [name, of_name] : rows) {
    const int count = shape(*find_quantity(name), of.model()).first;
    if (static_cast<int>(of_name.size()) == count)
      all.push_back(name);
    else
      for (const Eigen::Index i : of_name) all.push_back(name + "[" + std::to_string(i) + "]");
  }
  return listed(all);
}

/// Quantities that would tell a class apart, where those that are given do not.
std::vector<std::string> helpful(Investigation& of, const std::vector<Product>& class_of_causes)
{
  std::vector<std::string> all;
  const Question question = drawn(of.model(), 1);
  for (const Quantity& quantity : quantities()) {
    const std::string name(quantity.name);
    if (quantity.per_link() || !can_answer(quantity, of.model(), question)) continue;
    if (tells_apart(of, question, nullptr, class_of_causes[0], class_of_causes[1], {&name, 1})) all.push_back(name);
    if (all.size() == 3) break;
  }
  return all;
}

std::string sample_in_words(const Investigation& of, std::span<const std::string> places, std::size_t all)
{
  std::vector<std::string> bad, good;
  for (const Investigation::State& state : of.sample())
    (of.misses(state) ? bad : good)
        .push_back(places.empty() ? "state " + std::to_string(state.index + 1) : places[state.index]);
  if (all == 1 && good.empty()) return "";
  return " This rests on " + listed(bad) +
         (all == 1 ? ", the one given state in which digits are missing"
                   : ", of " + std::to_string(all) + " given states in which digits are missing") +
         (good.empty() ? "." : ", and " + listed(good) + ", in which none are.");
}

}  // namespace

Diagnosis diagnose(const Mechanism& mechanism, const ModelOptions& options, std::span<const Question> questions,
                   std::span<const Answers> theirs, std::span<const std::string> places, std::size_t all_that_miss)
{
  if (questions.size() != theirs.size())
    throw StateError("diagnose: there are " + std::to_string(questions.size()) + " states and answers to " +
                     std::to_string(theirs.size()) + "; give one answer for each state.");
  if (!places.empty() && places.size() != questions.size())
    throw StateError("diagnose: there are " + std::to_string(questions.size()) + " states and names of " +
                     std::to_string(places.size()) + "; name each state, or none.");
  Investigation of({mechanism, options}, questions, theirs);
  const std::size_t all = std::max(all_that_miss, of.states_that_miss());
  Diagnosis diagnosis;
  for (const Investigation::State& state : of.sample()) diagnosis.sample.push_back(state.index);
  if (of.names().empty()) {
    diagnosis.words = "Nothing can be compared: no quantity that is known here has the shape that it should have.";
    diagnosis.unexplained = true;
    return diagnosis;
  }
  if (of.missing().empty()) {
    diagnosis.words = "Your numbers and ours agree in all digits that can be had.";
    if (of.least_attainable() < 12)
      diagnosis.words += " These are no more than " + one_decimal(of.least_attainable()) +
                         " for some of them: the problem is ill-conditioned in such a state, and no program in double "
                         "precision has more.";
    return diagnosis;
  }

  Search search(of, {mechanism, options});
  std::vector<Product> found = search.singles();
  if (found.empty()) {
    found = search.in_what_is_missing();
    for (Product& pair : search.pairs()) found.push_back(std::move(pair));
  }
  if (found.empty()) found = search.of_libraries();
  if (found.empty()) found = search.each_for_itself();
  if (found.empty()) found = search.one_on_top();
  if (found.empty()) found = search.fitted_pairs();
  if (found.empty()) found = search.pairs_with_members();
  std::set<std::string> said;
  std::erase_if(found, [&](const Product& product) { return !said.insert(key_of(product)).second; });
  const std::vector<std::string> missing(of.missing().begin(), of.missing().end());
  const double before = of.worst_digits({});
  if (found.empty() && is_single_precision(of)) {
    diagnosis.words = "Your " + listed(missing) +
                      " are computed in single precision: each number that misses digits is "
                      "one of its numbers, and the worst has " +
                      one_decimal(before) + " digits." + sample_in_words(of, places, all);
    diagnosis.findings.push_back(
        {"precision/computed_in_single", diagnosis.words, "compute in double precision", before, before, {}});
    return diagnosis;
  }
  if (found.empty()) {
    diagnosis.unexplained = true;
    if (const Search::Part part = search.part(); !part.causes.empty()) {
      const Hypothesis& cause = *part.causes.front().front();
      const std::string explained = listed(of, part.explained), left = listed(of, part.left);
      const double without = of.worst_digits({}, part.explained),
                   with = of.worst_digits(part.causes.front(), part.explained);
      std::vector<std::string> others = keys({part.causes.begin() + 1, part.causes.end()});
      diagnosis.words = cause.sentence + " This explains " + explained + ", with " + one_decimal(with) +
                        " digits instead of " + one_decimal(without) + ", and no more: digits are missing in " + left +
                        ", too, and no cause that is known here explains them." +
                        (others.empty() ? "" : " The same part would come of " + listed(others) + ".") +
                        sample_in_words(of, places, all);
      diagnosis.findings.push_back({cause.key, cause.sentence, cause.remedy, without, with, std::move(others)});
      return diagnosis;
    }
    diagnosis.words = "Digits are missing in " + listed(missing) + " (the worst has " + one_decimal(before) +
                      "), and no cause that is known here explains them, nor a product of two." +
                      sample_in_words(of, places, all);
    return diagnosis;
  }

  const Product& cause = found.front();
  const double after = of.worst_digits(cause);
  for (std::size_t k = 0; k < cause.size(); ++k) {
    Finding finding{cause[k]->key, cause[k]->sentence, cause[k]->remedy, before, after, {}};
    for (std::size_t other = 1; other < found.size(); ++other)
      if (k == 0)
        finding.indistinguishable.push_back(key_of(found[other]));
      else if (differ_in_one(cause, found[other], k))
        finding.indistinguishable.push_back(found[other][k]->key);
    diagnosis.findings.push_back(std::move(finding));
    diagnosis.words += (k == 0 ? "" : " And: ") + cause[k]->sentence;
  }
  diagnosis.words += " With this your numbers have " + one_decimal(after) + " digits in common with ours, without it " +
                     one_decimal(before) + "." + sample_in_words(of, places, all);
  if (found.size() > 1) {
    const std::vector<std::string> others = keys({found.begin() + 1, found.end()});
    diagnosis.words += " In these states the same numbers would come of " + listed(others) + ".";
    diagnosis.next_state = next_state(of, found, &questions.back(), of.names());
    if (diagnosis.next_state)
      diagnosis.words += " Another state tells them apart: see the next state.";
    else if (const std::vector<std::string> more = helpful(of, found); !more.empty())
      diagnosis.words += " These quantities tell them apart in no state; give " + listed(more) + ", too.";
    else
      diagnosis.words += " No quantity that is known here tells them apart.";
  }
  return diagnosis;
}

std::vector<std::string> causes()
{
  // A machine that has everything: a free base, mimics, fixed links, a chain of joints, numbers of its own.
  Mechanism mechanism{"any", "any", {}, {}, {}, {}};
  for (const char* name : {"base", "first", "second", "tool"})
    mechanism.links.push_back({name, 1, {0.1, 0.2, 0.3}, {0, 0, 0, 1}, {1, 0, 0, 1, 0, 1}});
  const auto joint = [](const char* name, JointType type, const char* parent, const char* child) {
    Joint made{name, type, parent, child};
    made.armature = made.damping = made.friction = 1;
    return made;
  };
  mechanism.joints.push_back(joint("b", JointType::revolute, "first", "second"));
  mechanism.joints.push_back(joint("c", JointType::fixed, "second", "tool"));
  mechanism.joints.push_back(joint("a", JointType::revolute, "base", "first"));
  mechanism.joints[0].mimic = Mimic{"a"};
  const ModelOptions options{true, true, {}};
  const Model<double> model(mechanism, options);
  std::vector<std::string> names, all;
  for (const Quantity& quantity : quantities())
    if (!quantity.per_link()) names.emplace_back(quantity.name);
  for (const Hypotheses& some : {causes_in_the_state(model), causes_in_the_machine({mechanism, options}),
                                 causes_in_the_answers(model, names), causes_in_some_answers(), Hypotheses{all_zero()}})
    for (const Hypothesis& hypothesis : some)
      if (!hypothesis.key.starts_with("direction/") && hypothesis.key.find(':') == std::string::npos)
        all.push_back(hypothesis.key);
  for (const InertiaMistake& mistake : inertia_mistakes()) all.push_back("inertia/" + mistake.key + ":LINK");
  for (const char* key : {"direction/JOINT",
                          "direction/JOINT_in_answers",
                          "loops/lost:LOOP",
                          "state/q_negated:JOINT",
                          "state/qd_negated:JOINT",
                          "state/qdd_negated:JOINT",
                          "state/motion_negated:JOINT",
                          "state/zero_90_degrees_off:JOINT",
                          "state/zero_-90_degrees_off:JOINT",
                          "state/zero_180_degrees_off:JOINT",
                          "layout/exchanged:JOINT,JOINT",
                          "layout/exchanged:JOINT,JOINT_in_answers",
                          "layout/exchanged:JOINT,JOINT_in_state",
                          "joints/rotation_dropped:JOINT",
                          "joints/rotation_transposed:JOINT",
                          "joints/rpy_reversed:JOINT",
                          "joints/rpy_in_degrees:JOINT",
                          "joints/origin_dropped:JOINT",
                          "joints/position_dropped:JOINT",
                          "joints/position_turned:JOINT",
                          "jacobian/of_link:LINK",
                          "jacobian/of_point",
                          "potential_energy/offset",
                          "precision/computed_in_single",
                          "ball_velocity/parent_axes",
                          "ball_velocity/parent_axes_in_answers",
                          "ball_velocity/principal_axes",
                          "ball_velocity/principal_axes_in_answers",
                          "whole/with_ground",
                          "gravity/size",
                          "gravity/turned",
                          "gravity/axes",
                          "gravity/factor",
                          "inertia/parameters:LINK",
                          "armature/other",
                          "damping/other",
                          "friction/other",
                          "friction/sharp",
                          "friction/smooth",
                          "gravity/other",
                          "external_forces/point:LINK",
                          "layout/permuted_in_answers",
                          "layout/breadth",
                          "layout/breadth_by_file",
                          "layout/depth_by_file",
                          "layout/alphabet",
                          "denavit_hartenberg/standard",
                          "denavit_hartenberg/standard_without_masses",
                          "denavit_hartenberg/modified",
                          "denavit_hartenberg/modified_without_masses"})
    if (std::find(all.begin(), all.end(), key) == all.end()) all.emplace_back(key);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace articulate::oracle
