#include <articulate/oracle/wrenches.hpp>

namespace articulate::oracle {

void carry_wrenches(Question& question, const Model<double>& from, const Model<double>& to)
{
  if (question.external_wrenches.empty()) return;
  ExternalWrenches<double> on_own = question.external_wrenches, carried(to.bodies() + 1);
  const auto put = [&](const std::string& name, const Wrench<double>& F) {
    const LinkFrame<double>& link = to.link(name);
    carried[link.body] += coAdInv(link.X, F);
  };
  for (const auto& [name, F] : question.on_fixed_links) {
    const LinkFrame<double>& link = from.link(name);
    on_own[link.body] += -coAdInv(link.X, F);
    put(name, F);
  }
  for (const Body<double>& body : from.outward()) {
    const LinkFrame<double>& own = own_link(from, body.index);
    put(own.name, coAd(own.X, on_own[body.index]));
  }
  question.external_wrenches = carried;
}

}  // namespace articulate::oracle
