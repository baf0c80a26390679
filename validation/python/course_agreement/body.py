"""What the module returns for the numbers of chapter 02."""
import numpy as np

import articulate as a


def inertia(n):
    return a.Inertia.about_center_of_mass(n["mass"], n["c"], np.diag(n["Ic"]))


def twist(n):
    return a.Twist(n["w"], n["v"])


def box(n):
    edges = np.array([n["a"], n["b"], n["c"]]) ** 2
    about_centre = n["mass"] / 12 * np.diag(edges.sum() - edges)
    return {"I": a.Inertia.about_center_of_mass(n["mass"], n["r"], about_centre).second_moment}


def energy(n):
    return {"E": 0.5 * np.array(twist(n)) @ inertia(n).matrix() @ np.array(twist(n))}


def momentum(n):
    L = inertia(n) * twist(n)
    return {"Lm": L.m, "Lf": L.f}


def newton_euler(n):
    F = a.newton_euler(inertia(n), twist(n), a.Twist(n["w_rate"], n["v_rate"]))
    return {"m": F.m, "f": F.f}


def flight(n):
    """A free body: forward dynamics without a joint force, at the identity."""
    body = a.Mechanism("body", links=[a.Link("world"), a.Link("body", n["mass"], n["c"], np.diag(n["Ic"]))],
                       joints=[a.Joint("free", "floating", "world", "body")], gravity=[0.0, 0.0, -9.81])  # fmt: skip
    Vdot = a.forward_dynamics(a.Model(body), [0, 0, 0, 0, 0, 0, 1], [*n["w"], *n["v"]], np.zeros(6))
    return {"w_rate": Vdot[:3], "v_rate": Vdot[3:]}


def percussion(n):
    """A blow of strength 1 along z: the inverse inertia gives the change of the twist, of which v must vanish at the hand."""
    m, l = n["rod"], n["length"]
    rod = a.Inertia.about_center_of_mass(m, [l / 2, 0, 0], m * l**2 / 12 * np.diag([1e-9, 1, 1]))
    I = (rod + a.Inertia.of_cloud([n["ball"]], [[n["at"], 0, 0]])).matrix()
    speed = [np.linalg.solve(I, [0, -at, 0, 0, 0, 1])[5] for at in (0.0, 1.0)]  # which is linear in the place of the blow
    return {"distance": speed[0] / (speed[0] - speed[1])}


AGREEMENT = {
    "inertia_of_a_box": box,
    "kinetic_energy": energy,
    "momentum_of_a_body": momentum,
    "newton_euler_at_the_grip": newton_euler,
    "body_in_flight": flight,
    "where_to_hit": percussion,
}
