"""Steps of a free body that keep its momentum, and give account of its energy."""
import math

import numpy as np

from ..mistakes import Mistake
from ..vectors import cross
from . import robots, screws
from .program import Case, Law, Program


def cases(source):
    found = []
    for name, body, h, steps in (("ur5", 2, 0.05, 1), ("forked_arm", 3, 0.02, 30), ("tree:3x4", 5, 0.03, 20), ("puma560", 3, 0.1, 5)):
        robot, *_ = robots.drawn(name, source)
        I = robot.I[body - 1][:3, :3]
        w = np.array(source.vector(0.8, 2.9, 4))
        where = f"{name}, body {body}, turning about its origin, after {steps} step{'s' * (steps > 1)}"
        found.append(Case(where, {"I": (I + I.T) / 2, "w": w, "h": h, "steps": float(steps)}))
    return found


class Steps:
    """The steps, with what is tempting to get wrong in them; `rounds` of Newton's method."""

    def __init__(self, start=1.0, end=1.0, second=True, rounds=30, at_end=True, h=1.0, simple=False):
        self.__dict__.update({key: value for key, value in locals().items() if key != "self"})

    def __call__(self, n):
        w, I = n["w"], n["I"]
        for _ in range(int(n["steps"])):
            w = self.step(I, w, n["h"] * self.h)
            if not np.all(np.isfinite(w)) or np.abs(w).max() > 1e9:
                return np.full(3, np.nan)
        return w

    def step(self, I, w, h):
        momentum = I @ w
        xi = w
        for _ in range(self.rounds):
            open_still = self.moved(self.start * h, xi, I) - momentum
            if np.abs(open_still).max() < 1e-15 * np.abs(momentum).max():
                break
            xi = xi - np.linalg.solve(I if self.simple else self.slope(I, xi, h), open_still)
        return np.linalg.solve(I, self.moved(-self.end * h, xi, I)) if self.at_end else xi

    def moved(self, h, xi, I):
        """dexp^-T of -h xi, times I xi; without a second power of h where that is forgotten."""
        p = I @ xi
        once = cross(xi, p)
        return p + h / 2 * once + (h * h * second(abs(h) * math.sqrt(xi @ xi)) * cross(xi, once) if self.second else 0.0)

    def slope(self, I, xi, h):
        """By central differences, which are exact enough for Newton's method to end where it must."""
        d = 1e-6
        columns = [(self.moved(self.start * h, xi + d * e, I) - self.moved(self.start * h, xi - d * e, I)) / (2 * d) for e in np.eye(3)]
        return np.array(columns).T


def second(angle):
    """(1 - x cot x) / angle^2, x being half the angle: the coefficient of [w]^2 in dexp^-1."""
    x = angle / 2
    return 1 / 12 + angle**2 / 720 if angle < 1e-3 else (1 - x / math.tan(x)) / angle**2


def by_rates(step):
    """Other methods, which are made from the rate of w alone."""

    def answer(n):
        w, I, h = n["w"], n["I"], n["h"]

        def rate(w):
            return np.linalg.solve(I, cross(I @ w, w))

        for _ in range(int(n["steps"])):
            w = step(w, h, rate)
            if np.abs(w).max() > 1e9:
                return np.full(3, np.nan)
        return w

    return answer


def runge_kutta(w, h, rate):
    a = rate(w)
    b = rate(w + h / 2 * a)
    c = rate(w + h / 2 * b)
    d = rate(w + h * c)
    return w + h / 6 * (a + 2 * b + 2 * c + d)


def momentum_kept(n, w):
    return abs(np.linalg.norm(n["I"] @ w) / np.linalg.norm(n["I"] @ n["w"]) - 1)


def energy_account(n, w):
    """The energy differs from that of the start by what the step makes of it, and by nothing else."""
    return abs(w @ n["I"] @ w - right(n) @ n["I"] @ right(n)) / (n["w"] @ n["I"] @ n["w"])


right = Steps()
EXERCISE = Program(
    name="variational_steps", chapter="motion", stars=3, title="A racket thrown into the air, step by step",
    text=r"""A body turns about a point, without gravity; \f$I\f$ is its rotational inertia about it and \f$w\f$ its angular velocity, both in its own frame. Take
variational steps of chapter 11 of the length \f$h\f$. A step finds the constant \f$\xi\f$ with which the body goes from place to place, and then the
angular velocity at the end:
\f[ \text{dexp}_{-h\xi}^{-\T}I\xi = I\,w_0 , \qquad I\,w_1 = \text{dexp}_{h\xi}^{-\T}I\xi , \qquad
\text{dexp}_{x}^{-1} = 1 + \tfrac12[x] + \frac{1 - \frac\theta2\cot\frac\theta2}{\theta^2}[x]^2 , \quad \theta = \lvert x\rvert . \f]
Solve the first equation by Newton's method until nothing changes. Return \f$w\f$ after the given number of steps. The length of \f$I\,w\f$ must stay as it
is to rounding.""",
    hints=["Transposing changes the sign of [x], and only that.",
           "Start Newton's method at xi = w. The derivative may be approximate, as long as the residual is exact: even the matrix I will do, with more rounds.",
           "The second line is a formula: no equation is solved for w_1, apart from I w_1 = p."],
    declaration="Vector3 variational_steps(const Matrix3& I, const Vector3& w, double h, int steps)",
    cases=cases, right=right, tolerance=1e-8,
    laws=[
        Law("the momentum I w has not kept its length", momentum_kept),
        Law("the energy is not what the step makes of it", energy_account),
        Law("the body does not turn as the discrete principle says", None),
    ],
    mistakes=[
        Mistake("signs_exchanged", "The signs of h xi are exchanged: the body turns as if time ran backwards.", Steps(start=-1.0, end=-1.0)),
        Mistake("one_sign", "One of the two signs of h xi is wrong, or one matrix was not transposed: nothing changes from step to step.",
                lambda n: n["w"]),
        Mistake("second_order_forgotten", "The term with [x]^2 is missing: what is left is the implicit midpoint rule.", Steps(second=False)),
        Mistake("one_round", "Newton's method was stopped after one round.", Steps(rounds=1)),
        Mistake("one_round_with_I", "The equation for xi was not solved: one round was made, with I for the derivative.", Steps(rounds=1, simple=True)),
        Mistake("no_rounds", "The equation for xi was not solved: w_0 was taken for xi.", Steps(rounds=0)),
        Mistake("xi_returned", "xi was returned, which belongs to the time between: the angular velocity at the end is asked.", Steps(at_end=False)),
        Mistake("half_a_step", "The angles are half as large as they must be: h/2 for h.", Steps(h=0.5)),
        Mistake("explicit", "This is Euler's explicit step: the energy grows.", by_rates(lambda w, h, rate: w + h * rate(w))),
        Mistake("explicit_sign", "This is an explicit step in which the gyroscopic term has the wrong sign.",
                by_rates(lambda w, h, rate: w - h * rate(w))),
        Mistake("runge_kutta", "This is a Runge-Kutta step: closer to the motion, but nothing is kept.", by_rates(runge_kutta)),
        Mistake("one_step_only", "Only one step was taken.", lambda n: right({**n, "steps": 1.0})),
        Mistake("one_step_more", "One step too many was taken.", lambda n: right({**n, "steps": n["steps"] + 1})),
    ],
)  # fmt: skip
