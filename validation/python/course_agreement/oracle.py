"""What the module returns for the numbers of chapter 14; the module has no intervals, so that those are made of fractions here."""
from fractions import Fraction
from math import log10, sqrt

import numpy as np

import articulate as a

X, Y, Z = np.eye(3)


def model(links, joints, gravity=(0.0, 0.0, -9.81)):
    return a.Model(a.Mechanism("machine", links=links, joints=joints, gravity=gravity))


def digits_by_check(machine, theirs):
    at_rest = a.State(np.zeros(3), gravity=(0.0, 0.0, -9.81))
    return a.check({"inverse_dynamics": theirs}, machine, at_rest).digits["inverse_dynamics"]


def digits(n):
    """Three hinges and three slides that hold weights of the right moments and forces; what is held upside down has the other sign."""
    hinges, slides = [a.Link("wall")], [a.Link("wall")]
    turning, sliding = [], []
    for k, (moment, force) in enumerate(zip(n["moments_right"], n["forces_right"])):
        hinges.append(a.Link(f"hinge {k}", 1.0, center_of_mass=[moment / 9.81, 0, 0]))
        turning.append(a.Joint(f"hinge {k}", "continuous", "wall", f"hinge {k}", axis=-Y))
        slides.append(a.Link(f"slide {k}", abs(force) / 9.81))
        sliding.append(a.Joint(f"slide {k}", "prismatic", "wall", f"slide {k}", axis=np.sign(force) * Z))
    return {"moments": digits_by_check(model(hinges, turning), n["moments"]), "forces": digits_by_check(model(slides, sliding), n["forces"])}


def residual(n):
    links = [a.Link("ground"), a.Link("carriage", n["m1"]), a.Link("block", n["m2"])]
    machine = model(links, [a.Joint("rail", "prismatic", "ground", "carriage", axis=X), a.Joint("upper rail", "prismatic", "carriage", "block", axis=X)])
    f, theirs = (a.inverse_dynamics(machine, [0, 0], [0, 0], n[which]) for which in ("right", "given"))
    right = a.forward_dynamics(machine, [0, 0], [0, 0], f)
    M = a.mass_matrix(machine, [0, 0])
    left = np.linalg.norm(f - theirs) / np.linalg.norm(f)
    kappa = np.linalg.norm(M, 2) * np.linalg.norm(a.inverse_mass_matrix(machine, [0, 0]), 2)
    return {"error": np.linalg.norm(right - n["given"]) / np.linalg.norm(right), "residual": left, "condition": kappa, "bound": kappa * left}


def ladder(n):
    """Foot and length lead; how fast the tilt follows each of them is a rate of the closed machine."""
    foot = sqrt((n["l"] - n["h"] / 1000) * (n["l"] + n["h"] / 1000))
    light = {"mass": 1.0, "inertia": np.eye(3)}
    links = [a.Link("floor"), *(a.Link(name, **light) for name in ("foot", "lower", "upper", "head"))]
    joints = [a.Joint("foot", "prismatic", "floor", "foot", axis=-X), a.Joint("tilt", "continuous", "foot", "lower", axis=Z),
              a.Joint("length", "prismatic", "lower", "upper", axis=X), a.Joint("head", "prismatic", "floor", "head", axis=Y)]  # fmt: skip
    machine = model(links, joints)
    loop, leads = a.cut_joint("head", "revolute", a.LoopEnd("upper"), a.LoopEnd("head")), [True, False, True, False]
    guess = n["h"] / 1000 / n["l"]
    q = a.Assembly(machine, [loop], leads).close([foot, guess, n["l"], n["h"] / 1000])
    motion = a.LoopMotion(machine, [loop], leads)
    motion(q, [0.0, 0.0], [0.0, 0.0])
    tilt = q[1]
    condition = abs(np.array(motion.G)[1]) @ [foot, n["l"]] / tilt
    return {"tilt": tilt, "condition": condition, "double": -log10(2.0**-53 * condition), "single": -log10(2.0**-24 * condition)}


class Interval:
    """Exact, so that nothing has to be rounded outward."""

    def __init__(self, low, high=None):
        self.low, self.high = Fraction(low), Fraction(low if high is None else high)

    def __sub__(self, other):
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other):
        products = [x * y for x in (self.low, self.high) for y in (other.low, other.high)]
        return Interval(min(products), max(products))

    def square(self):
        squares = [self.low**2, self.high**2]
        return Interval(0 if self.low <= 0 <= self.high else min(squares), max(squares))

    def ends(self):
        return [float(self.low), float(self.high)]


def power(n):
    tau0, k, w = Interval(n["tau0"]), Interval(n["k"]), Interval(n["w1"], n["w2"])
    middle, best = Interval(tau0.low / (2 * k.low)), Interval(tau0.low**2 / (4 * k.low))
    formulas = {"written": tau0 * w - k * w.square(), "factored": w * (tau0 - k * w), "completed": best - k * (w - middle).square()}
    return {name: enclosure.ends() for name, enclosure in formulas.items()}


def krawczyk(n):
    """Moments and slopes of a pendulum; the ends of a box are where its slopes are least and largest."""
    bob = a.Link("bob", n["W"] / 9.81, center_of_mass=[0, -1, 0])
    machine = model([a.Link("ceiling"), bob], [a.Joint("hinge", "continuous", "ceiling", "bob", axis=Z)], (0.0, -9.81, 0.0))

    def slope(q):
        return a.inverse_dynamics_jacobians(machine, [q], [0], [0])[0][0, 0]

    y, r = n["y"], n["r"]
    R = 1 / slope(y)
    z = R * (n["tau"] - a.gravity_force(machine, [y])[0])
    C = np.array([1 - R * slope(y - r), 1 - R * slope(y + r)])
    products = np.outer(C, [-r, r])
    return {"correction": z, "contraction": C, "image": [z + products.min(), z + products.max()]}


def to_ours(n):
    """The twist and the rate that a free body needs in order to have these velocities and accelerations in its mixed frame."""
    machine = model([a.Link("world"), a.Link("base", 1.0, inertia=np.eye(3))], [a.Joint("free", "floating", "world", "base")])
    w, x, y, z = np.array(n["quaternion"]) / n["length"]
    at, q = a.ForwardKinematics(machine), [0, 0, 0, x, y, z, w]
    at(q, np.zeros(6))
    J = np.array(at.link_jacobian("base", "mixed"))
    V = np.linalg.solve(J, [*n["angular"], *n["linear"]])
    at(q, V)
    rate = np.linalg.solve(J, np.r_[n["angular_rate"], n["linear_rate"]] - np.array(at.link_bias_acceleration("base", "mixed")))
    return {"w": V[:3], "v": V[3:], "w_rate": rate[:3], "v_rate": rate[3:]}


AGREEMENT = {
    "digits_of_a_library": digits,
    "carriage_under_a_block": residual,
    "flat_ladder": ladder,
    "power_in_intervals": power,
    "root_of_a_pendulum": krawczyk,
    "base_of_another_library": to_ours,
}
