// The hydraulic manipulator of Ma et al. 2021: which pins its loops close, and its working process.
#include <models/closed_machines.hpp>

namespace articulate::validation {

ClosedMachine hydraulic_manipulator(double load)
{
  ClosedMachine machine{"hydraulic_manipulator",
                        "manipulator on five cylinders after Ma et al. 2021: 20 joints, seven loops; numbers ours",
                        built_in_model("hydraulic_manipulator"),
                        {},
                        {0.785,   1.75, -1.46,  -1.69, 0.199,  1.06,   -0.754, 1.84,  -0.89, 0,
                         -0.0153, 1.96, -0.298, 0.473, -0.737, -0.319, 1.19,   0.753, 1.62,  1.44},  // over the load
                        {"theta_1", "L_1", "L_2", "L_3", "d_5", "L_5"},
                        {"theta_1", "theta_2", "theta_3", "theta_4", "d_5", "theta_6"}};
  for (Link& link : machine.tree.links)
    if (link.name == "load") link.mass = load;
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
// the end; 87 kg of arm 4 and load. Fitted: where the descent begins, and with the ranges all poses at which a joint is
// at an end of its range. Ours: the rest of the pose at 40 s, and that the load is taken at its end.
ProcessData working_process()
{
  using Law = Phase::Law;
  constexpr std::nullopt_t as_it_was = std::nullopt;
  return {{0., 140.38, -152.32, -185.4, 0., -150.},
          {{"arms 1 and 2 unfold", 10, Law::quintic, {as_it_was, 65.58, -68.02}},
           {"arm 3 unfolds", 20, Law::quintic, {as_it_was, as_it_was, as_it_was, -116.1}},
           {"arm 4 unfolds", 30, Law::quintic, {as_it_was, as_it_was, as_it_was, as_it_was, as_it_was, 4.7}},
           {"the tongs go to the load", 40, Law::quintic, {45., 100., -96.76, -51., as_it_was, -42.24}},
           {"the tongs take the load", 50, Law::even},
           {"the arms go to the pipe", 60, Law::quintic, {0., as_it_was, as_it_was, as_it_was, as_it_was, 0.}},
           {"arms 3 and 4 go down the pipe", 70, Law::descent},
           {"the telescope extends", 75, Law::even, {as_it_was, as_it_was, as_it_was, as_it_was, 3348.}},
           {"arm 4 turns", 80, Law::even, {as_it_was, as_it_was, as_it_was, as_it_was, as_it_was, 30.}}},
          1.345,
          2.373,
          1.337,
          2.834,
          0.3655,
          79,
          50};
}

}  // namespace articulate::validation
