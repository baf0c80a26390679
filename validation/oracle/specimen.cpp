#include <oracle/specimen.hpp>
#include <models/inputs.hpp>
#include <models/models.hpp>
#include <articulate/group/se3.hpp>
#include <algorithm>
#include <deque>

namespace articulate::oracle {
namespace {

std::string category(const std::string& key) { return key.substr(0, key.find('/')); }

VectorX<double> vector(const std::vector<double>& x)
{
  return Eigen::Map<const VectorX<double>>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// Causes whose numbers are drawn, not known beforehand.
Hypotheses with_numbers(const Model<double>& model, Draw& draw)
{
  Hypotheses all;
  const auto moving = [&](std::size_t k) {
    while (model.links()[k].body == 0) k = (k + 1) % model.links().size();
    return model.links()[k];
  };
  const LinkFrame<double> link = moving(draw.below(model.links().size()));
  for (const InertiaMistake& mistake : inertia_mistakes())
    all.push_back(
        {"inertia/" + mistake.key + ":" + link.name, "", "", [name = link.name, make = mistake.make](Machine& m) {
           m.options.accept_unphysical = true;
           for (Link& l : m.mechanism.links)
             if (l.name == name) make(l);
         }});
  const std::string of_body = own_link(model, link.body).name;  // numbers and forces of a link tell of its body
  const double a = draw(), b = draw(), c = draw();
  all.push_back({"inertia/parameters:" + of_body, "", "", [name = link.name, a, b, c](Machine& m) {
                   for (Link& l : m.mechanism.links) {
                     if (l.name != name) continue;
                     l.mass *= 1 + 0.3 * a, l.center_of_mass[0] += 0.05 * b;
                     for (double& moment : l.inertia) moment *= 1 + 0.3 * c;  // a body still has them
                   }
                 }});
  all.push_back({"gravity/other", "", "", {}, [a, b, c](Question& x, const Situation&) {
                   x.gravity = {4 * a, 4 * b, -9 + c};
                 }});
  all.push_back(
      {"external_forces/point:" + of_body, "", "", {}, [i = link.body, a, b, c](Question& x, const Situation& at) {
         const LinkFrame<double>& own = own_link(at.model, i);
         const Wrench<double> F = coAd(own.X, x.external_wrenches[i]);
         const Vector3<double> r{a, b, c};
         x.external_wrenches[i] = coAdInv(own.X, Wrench<double>{F.m + cross(r, F.f), F.f});
       }});
  struct Number {
    const char* key;
    double Joint::*value;
    bool JointDynamics::*used;
  };
  for (const auto& [key, value, used] : {Number{"armature/other", &Joint::armature, &JointDynamics::armature},
                                         Number{"damping/other", &Joint::damping, &JointDynamics::damping},
                                         Number{"friction/other", &Joint::friction, &JointDynamics::friction}})
    all.push_back({key, "", "", [a, value = value, used = used](Machine& m) {
                     int k = 0;
                     for (Joint& joint : m.mechanism.joints) joint.*value = (1.5 + a) * (1 + 0.1 * (k++ % 3));
                     m.options.dynamics.*used = true;
                   }});
  return all;
}

std::vector<std::string> all_names(const Model<double>& model, const Question& question)
{
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities())
    if (!quantity.per_link() && can_answer(quantity, model, question)) names.emplace_back(quantity.name);
  if (model.mechanism().links.size() > 2) names.push_back("jacobian:" + model.mechanism().links[1].name);
  // A Coriolis matrix of machines with quaternions, and tables of hundreds of rows, are what hardly anybody has.
  const bool quaternions = model.nq() > model.nv();
  std::erase_if(names, [&](const std::string& name) {
    return (quaternions && name == "coriolis_matrix") || (model.nv() > 20 && name.ends_with("regressor"));
  });
  return names;
}

void keep_only(Answers& answers, const std::vector<std::string>& names)
{
  std::erase_if(answers,
                [&](const auto& entry) { return std::find(names.begin(), names.end(), entry.first) == names.end(); });
}

/// Whether one product can be told from another in the sample by something that is given.
bool differs(Investigation& of, const Product& a, const Product& b, const std::vector<std::string>& names)
{
  for (const Investigation::State& state : of.sample()) {
    const auto one = of.predicted(a, state, names), other = of.predicted(b, state, names);
    if (!one || !other) continue;
    for (const std::string& name : names)
      if (score(name, one->at(name), other->at(name), digits_of_double, of.model()).digits < 8) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> campaign_models()
{
  std::vector<std::string> names;
  for (const validation::BuiltIn& built_in : validation::built_in_models()) names.push_back(built_in.name);
  names.push_back("random:7");
  return names;
}

Specimen clean_specimen(const std::string& name, std::uint64_t seed)
{
  Specimen made{name, {validation::built_in_model(name), {}}, {}, {}, {}};
  Draw draw(seed);
  for (const validation::BuiltIn& built_in : validation::built_in_models())
    if (built_in.name == name) made.machine.options.floating_base = built_in.floating_base;
  for (Joint& joint : made.machine.mechanism.joints) {
    joint.armature = 0.05 * (2 + draw()), joint.damping = 0.4 * (2 + draw()), joint.friction = 0.3 * (2 + draw());
  }
  const Model<double> model(made.machine.mechanism, made.machine.options);
  const std::size_t states = 2 + draw.below(5);
  Vector3<double> gravity{};
  for (std::size_t k = 0; k < states; ++k) {
    const validation::Inputs in =
        validation::Inputs::draw(made.machine.mechanism, made.machine.options, 1000 * seed + k);
    const auto& g = in.mechanism.gravity;
    if (k == 0) gravity = {g[0], g[1], g[2]};
    Question question{vector(in.q), vector(in.qd), vector(in.qdd), vector(in.tau), gravity, {}};
    question.external_wrenches.resize(model.bodies() + 1);
    for (std::size_t l = 0; l < in.link_wrenches.size(); ++l) {
      const auto& F = in.link_wrenches[l];
      const LinkFrame<double>& link = model.link(in.mechanism.links[l].name);
      if (link.body == 0) continue;
      const Wrench<double> on_link{{F[0], F[1], F[2]}, {F[3], F[4], F[5]}};
      question.external_wrenches[link.body] += coAdInv(link.X, on_link);
      if (own_link(model, link.body).name != link.name) question.on_fixed_links[link.name] = on_link;
    }
    made.questions.push_back(std::move(question));
  }
  const std::vector<std::string> names = all_names(model, made.questions[0]);
  for (const Question& question : made.questions) made.theirs.push_back(answers(model, question, names));
  return made;
}

Specimen specimen(const std::string& name, Hidden hidden, bool torques_only, std::uint64_t seed)
{
  Specimen made = clean_specimen(name, seed);
  Draw draw(seed ^ 0x5deece66du);
  Investigation of(made.machine, made.questions, made.theirs);
  const Model<double>& model = of.model();
  const std::vector<std::string> all = torques_only ? std::vector<std::string>{"inverse_dynamics"} : of.names();
  // What is given: forces always, others by chance.
  std::vector<std::string> given;
  for (const std::string& one : all)
    if (one == "inverse_dynamics" || one == "mass_matrix" || draw.below(3) == 0) given.push_back(one);

  if (hidden == Hidden::noise) {
    const double size = std::pow(10.0, -2 - 8 * std::abs(draw()));
    for (Answers& answers : made.theirs)
      for (auto& [key, table] : answers)
        table = table.unaryExpr([&](double x) { return x + size * (std::abs(x) + 1e-3) * draw(); });
  }
  if (hidden == Hidden::one || hidden == Hidden::two) {
    // Tables that every machine has, categories with equal chances.
    std::map<std::string, std::vector<Hypothesis>> categories;
    for (const Hypotheses& some : {causes_in_the_state(model), causes_in_the_machine(made.machine),
                                   causes_in_the_answers(model, all), with_numbers(model, draw)})
      for (const Hypothesis& hypothesis : some)
        if (hidden == Hidden::one || !hypothesis.alone) categories[category(hypothesis.key)].push_back(hypothesis);
    const std::size_t count = hidden == Hidden::one ? 1 : 2;
    for (int attempt = 0;; ++attempt) {
      std::deque<Hypothesis> drawn;
      Product product;
      std::set<std::string> changed;
      bool visible = true;
      while (product.size() < count) {
        auto found = std::next(categories.begin(), static_cast<std::ptrdiff_t>(draw.below(categories.size())));
        drawn.push_back(found->second[draw.below(found->second.size())]);
        product.push_back(&drawn.back());
        const std::set<std::string> by_this = of.changed({&drawn.back()});
        std::vector<std::string> among;
        for (const std::string& one : by_this)
          if (std::find(all.begin(), all.end(), one) != all.end()) among.push_back(one);
        visible = visible && !among.empty();
        if (!among.empty()) changed.insert(among[draw.below(among.size())]);
      }
      // Of two causes each must be there: not one that undoes or repeats the other.
      if (!visible || (count == 2 && drawn[0].key == drawn[1].key) ||
          (count == 2 && category(drawn[0].key) == category(drawn[1].key)))
        continue;
      std::vector<Answers> theirs;
      for (std::size_t k = 0; k < made.questions.size(); ++k) {
        const Question* before = k > 0 ? &made.questions[k - 1] : nullptr;
        auto answers = of.predicted(product, made.questions[k], before, all);
        if (!answers && k == 0) answers = of.predicted({}, made.questions[k], before, all);  // nothing is stale yet
        if (!answers ||
            std::any_of(answers->begin(), answers->end(), [](const auto& a) { return !a.second.allFinite(); }))
          break;
        theirs.push_back(std::move(*answers));
      }
      if (theirs.size() < made.questions.size()) continue;
      if (count == 2 && (!differs(of, product, {&drawn[0]}, all) || !differs(of, product, {&drawn[1]}, all))) continue;
      made.theirs = std::move(theirs);
      for (const Hypothesis& one : drawn) made.causes.push_back(one.key);
      given.insert(given.end(), changed.begin(), changed.end());
      break;
    }
  }
  for (Answers& answers : made.theirs) keep_only(answers, given);
  return made;
}

Outcome judged(const Diagnosis& diagnosis, const std::vector<std::string>& causes)
{
  if (diagnosis.findings.empty()) return diagnosis.unexplained ? Outcome::unexplained : Outcome::agreement;
  const auto sorted = [](std::vector<std::string> keys) {
    std::sort(keys.begin(), keys.end());
    return keys;
  };
  const auto split = [&](const std::string& text) {
    std::vector<std::string> keys;
    std::size_t from = 0;
    for (std::size_t plus = text.find(" + "); plus != std::string::npos; from = plus + 3, plus = text.find(" + ", from))
      keys.push_back(text.substr(from, plus - from));
    keys.push_back(text.substr(from));
    return sorted(keys);
  };
  std::vector<std::string> named;
  for (const Finding& finding : diagnosis.findings) named.push_back(finding.cause);
  if (diagnosis.unexplained) {
    // A part of it is named: rightly, where this is what is hidden, of some quantities or of all.
    const auto is_hidden = [&](const std::string& cause) {
      const std::string& key = diagnosis.findings[0].cause;
      return key == cause || key.starts_with(cause + "_in_") || key.starts_with(cause + "_but_not_in_");
    };
    return std::any_of(causes.begin(), causes.end(), is_hidden) ? Outcome::unexplained : Outcome::wrong;
  }
  if (sorted(named) == sorted(causes)) return Outcome::named;
  for (const std::string& other : diagnosis.findings[0].indistinguishable)
    if (split(other) == sorted(causes)) return Outcome::in_class;
  return Outcome::wrong;
}

}  // namespace articulate::oracle
