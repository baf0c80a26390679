// The hydraulic manipulator of Ma et al. 2021: which pins its loops close, and its working process.
#include <models/closed_machines.hpp>

namespace articulate::validation {

ClosedMachine hydraulic_manipulator(double load)
{
  ClosedMachine machine{"hydraulic_manipulator",
                        "manipulator on five cylinders after Ma et al. 2021: 20 joints, seven loops; numbers ours",
                        built_in_model("hydraulic_manipulator"),
                        {},
                        {0.785, 1.99,  -0.975, -1.23, 0.206,  1.28,   0.788, -0.782, -2.09, 0,
                         0.767, -1.17, 0.968,  0.526, -0.242, 0.0551, 1.26,  0.953,  1.68,  1.44},  // over the load
                        {"theta_1", "L_1", "L_2", "L_3", "d_5", "L_5"},
                        {"theta_1", "theta_2", "theta_3", "theta_4", "d_5", "theta_6"}};
  for (Link& link : machine.tree.links)
    if (link.name == "load") link.mass = load, link.center_of_mass = {-0.16, -0.018, 0};  // seen from H: fitted
  const auto pin = [&](const std::string& loop, const std::string& letter, const std::string& one,
                       const std::string& other) {
    machine.loops.push_back(cut_joint(loop, JointType::revolute, {one + "_" + letter}, {other + "_" + letter}));
  };
  pin("BIJ", "J", "arm_1", "piston_1");
  pin("BKLN", "L", "piston_2", "rod_NL"), pin("BKMC", "M", "arm_2", "rod_LM");
  pin("COPQ", "P", "piston_3", "rod_QP"), pin("CORD", "R", "arm_3", "rod_PR");
  pin("FSTV", "T", "rod_ST", "piston_5"), pin("FSWG", "W", "arm_4", "rod_TW");
  return machine;
}

// Published: the times of the phases and what moves in them; even slewing by 45 degrees; the ranges 74.8, 84.3, 159.4
// and 180 degrees; 365.5 mm/s straight down; 1116 mm of cylinder 4, which three stages make 3348; 6 degrees per second at
// the end; 87 kg of arm 4 and load. Fitted: where the descent begins; the poses at 0, 10 and 20 s, in which joints are at
// ends of their ranges, arm 4 being folded at first; that arms 1 and 2 hardly move from 30 to 60 s, as their angular
// velocity is that of the slewing body. Ours: the pose at 30 s within these, that at 40 s, and that the load is there
// from 50 s on. Which numbers come from which sentence of the paper is said in the chapter.
ProcessData working_process()
{
  using Law = Phase::Law;
  constexpr std::nullopt_t as_it_was = std::nullopt;
  return {{0., 152.0529, -147.3153, -185.3993, 0., -180.},
          {{"arms 1 and 2 unfold", 10, Law::quintic, {as_it_was, 119.7, -68.0153}},
           {"arm 3 unfolds", 20, Law::quintic, {as_it_was, as_it_was, as_it_was, -116.0993}},
           {"arm 4 unfolds", 30, Law::quintic, {as_it_was, as_it_was, as_it_was, as_it_was, as_it_was, -27.}},
           {"the tongs go to the load", 40, Law::quintic, {45., 114.2, -70.36, -119.95, as_it_was, -13.89}},
           {"the tongs take the load", 50, Law::even},
           {"the arms go to the pipe", 60, Law::quintic, {0., as_it_was, as_it_was, as_it_was, as_it_was, 0.}},
           {"arms 3 and 4 go down the pipe", 70, Law::descent},
           {"the telescope extends", 75, Law::even, {as_it_was, as_it_was, as_it_was, as_it_was, 3348.}},
           {"arm 4 turns", 80, Law::even, {as_it_was, as_it_was, as_it_was, as_it_was, as_it_was, -30.}}},
          1.345,
          2.373,
          1.337,
          2.834,
          0.3655,
          72.7,
          50};
}

}  // namespace articulate::validation
