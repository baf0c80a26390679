r"""What takes a week, and is handed in as a page of text with a program: no grader replaces the reader of it.

Each project says what to build, how one knows that it is right, and what a report must answer.
"""
from .exercise import Exercise

PROJECTS = [
    Exercise(
        name="project_own_robot", chapter="rnea", stars=3, kind="project", title="A robot of your own, against a simulator",
        text=r"""Take a robot that you have or would like to have, and a URDF file of it. Draw a hundred states, and compute the
torques of inverse dynamics with a program of your own (\ref rnea_nothing "RNEA from nothing" is a start) and with a simulator
or library that you did not write. Let `./articulate check` compare both with ours.

How you know that it is right: your own program agrees in fourteen digits or more, and of each digit that the other one lacks
you can name the cause, in words that \ref diagnosis "the table of causes" has or that you can prove.

The report answers: Which of the robot's numbers would you have believed without looking? Which states reveal a mistake in
the inertia of the last link, and which hide it? What does the file leave out (armature, friction, springs)?""",
        hints=["Begin with the arm at rest: gravity alone shows most mistakes in masses and centres of mass.",
               "Then set gravity to zero and move one joint at a time.",
               "`./articulate compute --help` lists what can be asked beside torques."],
    ),
    Exercise(
        name="project_controller", chapter="skew_symmetry", stars=3, kind="project", title="A controller that does not know the masses",
        text=r"""Let a simulated arm follow a planned motion in two ways: with a controller that computes torques from a model whose
masses are 30 % too small, and with an adaptive one that starts from the same wrong masses. The second one needs a regressor and
a Coriolis matrix.

How you know that it is right: with true masses both follow the plan to the accuracy of the steps in time. With wrong ones,
Lyapunov's function of the adaptive controller never grows, up to the same accuracy. Then replace the Coriolis matrix with one
that is not admissible (\ref skew_symmetry_choice), and show the moments at which the function grows.

The report answers: Which parameters does the controller never learn, and why does it follow the plan all the same? What does
a motion have to do to teach them?""",
        hints=["Begin with one joint: a pendulum of unknown mass, where everything can be written on one page.",
               "`coriolis_product` gives the Coriolis matrix times a vector that is not the velocity.",
               "The parameters that are never learnt are those outside the base parameters, \\ref regressors."],
    ),
    Exercise(
        name="project_new_joint", chapter="model", stars=3, kind="project", title="A joint that the library does not have",
        text=r"""Add a type of joint: a nut on a screw whose pitch grows with the angle, a wheel that rolls along a line, or a knee whose
two surfaces roll on each other. The last ones have constraints of their own; say which coordinates you keep. Follow
\ref joint_type "the tutorial", then let `./articulate test` run on your copy.

How you know that it is right: the twist across the joint is the derivative of its pose, by complex step and to fifteen digits;
two machines that must be the same, one with your joint and one without it, answer the same; and the power in the joint is
the rate of the energy of what it carries.

The report answers: Is your twist a constant in some frame? If not, what is \f$\dot S\f$, and which test fails when you leave it
out? Can your joint be written as a product of exponentials?""",
        hints=["Write the pose across the joint first, then differentiate it by hand, then let the complex step differentiate it.",
               "A joint of one coordinate has one column. The chain rule gives its rate."],
    ),
    Exercise(
        name="project_five_bar", chapter="constrained", stars=3, kind="project", title="The bars of a five-bar",
        text=r"""Two motors, 0.3 m apart, move a pen through two arms of two bars each that meet at the pen. Choose the four lengths so that
the pen reaches every point of a sheet of 0.2 m by 0.3 m, and so that the larger of the two torques is as small as possible while
it draws a given curve at a given speed. The bars weigh 0.4 kg per metre, the pen 0.1 kg; the sheet is level.

How you know that it is right: the loop is closed to rounding at every point that you report; the torques agree with those from
the reduced machine of two coordinates; and the power of both motors is the rate of the kinetic energy.

The report answers: Where are the singular positions, of both kinds, and how far is the sheet from them? What does the
determinant of the motors' columns tell that the torque does not? How does the answer change if the pen is heavier?""",
        hints=["`five_bar` is built in; take it as a template for a model of your own, with a loop file.",
               "First draw the region that both arms reach, for equal bars.",
               "Chapter 07 asks for the rank of the columns of the passive joints. Ask the same of those of the motors, too."],
    ),
]  # fmt: skip
