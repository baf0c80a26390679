"""Inverse dynamics of a chain in two sweeps."""
import numpy as np

from ..mistakes import Mistake
from . import robots, screws
from .program import Case, Law, Program


def cases(source):
    found = []
    for name in ("ur5", "screw_arm", "puma560"):
        robot, q, qd, qdd = robots.drawn(name, source)
        gravity = np.array(source.vector(1.0, 9.0, 4))  # a base may be mounted anyhow
        found.append(Case(name, {"T": robot.poses(q), "S": robot.S, "I": robot.I, "qd": qd, "qdd": qdd, "gravity": gravity}))
    return found


class Sweeps:
    """The algorithm, with its steps as they are tempting to get wrong."""

    def __init__(self, gravity=-1.0, eta=1.0, rates=True, accelerations=True, gyroscopic=1.0, eta_twist="own", out="inverse",
                 force="transpose", gather=True, project="S"):  # fmt: skip
        self.__dict__.update({key: value for key, value in locals().items() if key != "self"})

    def __call__(self, n):
        T, S, I, qd, qdd = n["T"], n["S"], n["I"], n["qd"], n["qdd"]
        V, Vdot, F = np.zeros(6), np.concatenate([np.zeros(3), self.gravity * n["gravity"]]), []
        for i in range(len(T)):
            carry = screws.Ad(screws.inverse(T[i]) if self.out == "inverse" else T[i])
            parents, joint = V, S[i] * qd[i]
            V = carry @ V + joint * self.rates
            bracket = {"own": V, "parent": parents}[self.eta_twist]
            Vdot = carry @ Vdot + self.eta * screws.ad(bracket) @ joint + S[i] * qdd[i] * self.accelerations
            F.append(I[i] @ Vdot - self.gyroscopic * screws.ad(V).T @ (I[i] @ V))
        tau, carried = np.zeros(len(T)), np.zeros(6)
        for i in reversed(range(len(T))):
            carried = F[i] + (carried if self.gather else 0.0)
            tau[i] = S[i] @ carried if self.project == "S" else carried[2]
            if self.force == "transpose":
                carried = screws.Ad(screws.inverse(T[i])).T @ carried
            elif self.force == "inverse_transpose":
                carried = screws.Ad(T[i]).T @ carried
            elif self.force == "twist":
                carried = screws.Ad(T[i]) @ carried
        return tau


def only_motors(n):
    """Each wrench is taken for what its body alone needs, and its joint carries nothing else."""
    return Sweeps(gather=False)(n)


def without_motion(n):
    """What holds the robot still."""
    return {**n, "qd": 0 * n["qd"], "qdd": 0 * n["qdd"]}


right = Sweeps()
EXERCISE = Program(
    name="inverse_dynamics", chapter="rnea", stars=3, title="Inverse dynamics of a chain",
    text=r"""Write the recursive Newton-Euler algorithm for a chain of one-DoF joints. Body \f$i\f$ has the pose \f$T_i\f$ in its parent, the body before it
in the list; the first one's parent is the world. Its joint has the screw \f$S_i\f$ and its inertia is the 6 x 6 matrix \f$\mathcal I_i\f$,
both in its own frame. Given \f$\dot q\f$, \f$\ddot q\f$ and the gravitational acceleration \f$g\f$ in the world, return the joint forces
\f$\tau\f$:
\f[ \begin{aligned}
V_i &= \Ad_{T_i^{-1}}V_{i-1} + S_i\dot q_i , & F_i &= \mathcal I_i\dot V_i - \ad^*_{V_i}\mathcal I_iV_i + \Ad^*_{T_{i+1}^{-1}}F_{i+1} , \\
\dot V_i &= \Ad_{T_i^{-1}}\dot V_{i-1} + \ad_{V_i}S_i\dot q_i + S_i\ddot q_i , & \tau_i &= S_i^{\T}F_i ,
\end{aligned} \f]
with \f$\Ad^* = \Ad^{\T}\f$ and \f$\ad^* = \ad^{\T}\f$. Gravity enters where the sweep begins. No state is kept from one call to the next.""",
    hints=["Use your function carry_velocity for both sweeps: it carries accelerations, too.",
           "At the base V = 0, and Vdot = (0, -g): a base that is accelerated upwards feels what a base in gravity feels.",
           "On the way in, a wrench of the child seen from the parent is the transpose of Ad of the inverse pose, times it."],
    declaration="VectorX inverse_dynamics(const std::vector<Matrix4>& T, const std::vector<Vector6>& S, const std::vector<Matrix6>& I,\n"
                "                         const VectorX& qd, const VectorX& qdd, const Vector3& gravity)",
    cases=cases, right=right,
    laws=[
        Law("even at the last joint, which moves one body alone, the force is not what the motion takes",
            lambda n, tau: abs(tau[-1] - right(n)[-1]) / np.abs(right(n)).max()),
        Law("the power of the joints is not the rate of the energy", lambda n, tau: abs((tau - right(n)) @ n["qd"]) / np.abs(right(n)).max()),
        Law("the joint forces do not make the robot move so", None),
    ],
    mistakes=[
        Mistake("gravity_sign", "Gravity has the wrong sign: the base is accelerated upwards, against g.", Sweeps(gravity=1.0)),
        Mistake("gravity_forgotten", "Gravity is missing: it enters as the acceleration of the base.", Sweeps(gravity=0.0)),
        Mistake("eta_forgotten", "The bracket ad_V S qd is missing in the acceleration.", Sweeps(eta=0.0)),
        Mistake("eta_sign", "The bracket ad_V S qd has the wrong sign, or its arguments are exchanged.", Sweeps(eta=-1.0)),
        Mistake("eta_of_parent", "The bracket was taken with the parent's twist, in the parent's frame: use the body's own.", Sweeps(eta_twist="parent")),
        Mistake("gyroscopic_forgotten", "The term ad*_V I V is missing in the wrench: a body that turns needs it.", Sweeps(gyroscopic=0.0)),
        Mistake("gyroscopic_sign", "The term ad*_V I V has the wrong sign.", Sweeps(gyroscopic=-1.0)),
        Mistake("rates_forgotten", "The joints' rates do not enter the twists.", Sweeps(rates=False)),
        Mistake("accelerations_forgotten", "This is the bias: S qdd is missing.", Sweeps(accelerations=False)),
        Mistake("not_inverted", "Motion was carried outward with Ad(T) instead of Ad(T^-1).", Sweeps(out="itself")),
        Mistake("force_inverse", "Wrenches were carried inward with the transpose of Ad(T): the inverse is missing.", Sweeps(force="inverse_transpose")),
        Mistake("force_as_twist", "Wrenches were carried inward as if they were twists, with Ad(T).", Sweeps(force="twist")),
        Mistake("force_not_carried", "The child's wrench was added without a change of frame.", Sweeps(force="as it is")),
        Mistake("children_forgotten", "Each joint moves its own body only: the wrench of the child is not added.", only_motors),
        Mistake("about_z", "The third number of the wrench was taken for the joint force: multiply by the screw S.", Sweeps(project="z")),
        Mistake("holding", "This is what holds the robot still: neither rates nor accelerations count.", lambda n: right(without_motion(n))),
    ],
)  # fmt: skip
