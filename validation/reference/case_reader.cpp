#include <reference/case_reader.hpp>
#include <algorithm>
#include <charconv>
#include <regex>
#include <articulate/model/model.hpp>

namespace articulate::reference {

double CaseReader::same(const CaseReader& decimal, const CaseReader& hex)
{
  static const std::regex form("(-?)0x([01](\\.[0-9a-f]{1,13})?p[+-][0-9]{1,4})");
  const std::string text = hex.text();
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) hex.refuse("is no number such as 0x1.8p-3");
  const std::string size = parts[2];
  double y = 0;  // whatever the locale
  if (std::from_chars(size.data(), size.data() + size.size(), y, std::chars_format::hex).ec != std::errc())
    hex.refuse("is beyond binary64");
  const double x = decimal.real();
  if (x != (parts[1].length() ? -y : y)) hex.refuse("is not the decimal number beside it, " + decimal.value_.dump());
  return x;
}

namespace {

Mechanism read_machine(const CaseReader& file, const std::string& source)
{
  Mechanism machine;
  machine.name = file["name"].text();
  machine.source = source;
  machine.gravity = file["gravity"].array<3>();
  for (const CaseReader& link : file["links"].entries())
    machine.links.push_back({.name = link["name"].text(),
                             .mass = link["mass"].number(),
                             .center_of_mass = link["center_of_mass"].array<3>(),
                             .inertial_quaternion = link["inertial_quaternion_xyzw"].array<4>(),
                             .inertia = link["inertia_xx_xy_xz_yy_yz_zz"].array<6>()});
  for (const CaseReader& joint : file["joints"].entries()) {
    Joint read;
    read.name = joint["name"].text();
    read.type = joint["type"].one_of(joint_types);
    read.parent = joint["parent"].text(), read.child = joint["child"].text();
    read.position = joint["position"].array<3>();
    read.quaternion = joint["quaternion_xyzw"].array<4>();
    read.axis = joint["axis"].array<3>();
    read.pitch = joint["pitch"].number();
    machine.joints.push_back(read);
  }
  return machine;
}

Loop read_loop(const CaseReader& loop)
{
  const auto end = [](const CaseReader& end) -> Loop::End {
    return {end["link"].text(), end["position"].array<3>(), end["quaternion_xyzw"].array<4>()};
  };
  Loop read{loop["name"].text(), end(loop["first"]), end(loop["second"])};
  read.axis = loop["axis"].array<3>();
  const auto slides = loop["slides_along_xyz"].entries();
  if (slides.size() != 3) loop["slides_along_xyz"].refuse("is no list of three");
  for (std::size_t k = 0; k < 3; ++k) read.slides[k] = slides[k].truth();
  read.turning = loop["turning"].one_of(turnings);
  read.pitch = loop["pitch"].number();
  return read;
}

}  // namespace

Case case_in_file(const Json& file, const std::string& source)
{
  const CaseReader reader(file, source);
  if (reader["format"].text() != case_format) reader["format"].refuse(std::string("is not '") + case_format + "'");
  const CaseReader state = reader["state"];
  const bool floating_base = reader["machine"]["floating_base"].truth();
  Inputs in{read_machine(reader["machine"], source),
            {floating_base, true},
            state["q"].numbers(),
            state["qd"].numbers(),
            state["qdd"].numbers(),
            state["tau"].numbers(),
            {},
            {},
            0};
  const Model<double> model(in.mechanism, in.options);
  const auto require_size = [&](const char* key, const std::vector<double>& x, int size) {
    if (static_cast<int>(x.size()) != size)
      state[key].refuse("has " + std::to_string(x.size()) + " numbers where the machine has " + std::to_string(size));
  };
  require_size("q", in.q, model.nq());
  require_size("qd", in.qd, model.nv());
  require_size("qdd", in.qdd, model.nv());
  require_size("tau", in.tau, model.nv());

  if (const CaseReader wrenches = state["external_wrenches"]; !wrenches.object().empty())
    for (const Link& link : in.mechanism.links) in.link_wrenches.push_back(wrenches[link.name].array<6>());
  Case one{reader["case"].text(), reader["tier"].text(), reader["title"].text(), {in, {}, {}}};
  for (const CaseReader& loop : reader["machine"]["loops"].entries()) one.problem.loops.push_back(read_loop(loop));
  for (const CaseReader& k : state["independent"].entries()) one.problem.independent.push_back(k.index(model.nv()));
  return one;
}

}  // namespace articulate::reference
