"""What the module returns for the numbers of chapter 01."""
from math import radians

import numpy as np

import articulate as a

X, Z = [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]


def turned(axis, degrees):
    return a.exp(radians(degrees) * np.array(axis))


def frame_b(n):
    return a.SE3(turned(Z, n["q"]), n["p"])


def handle(n):
    on_door = a.SE3(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]), [n["a"], 0.0, n["h"]])
    return {"p": (a.SE3(turned(Z, n["q"])) * on_door).p, "foot": a.inverse(on_door).p}


def two_turns(n):
    z, x = turned(Z, n["a"]), turned(X, n["b"])
    return {"own": (z * x) * np.array(n["r"]), "room": (x * z) * np.array(n["r"])}


def twist(n):
    V = a.AdInv(frame_b(n), a.Twist(n["wa"], n["va"]))
    return {"w": V.w, "v": V.v}


def wrench(n):
    F = a.coAdInv(frame_b(n), a.Wrench(n["mb"], n["fb"]))
    return {"m": F.m, "f": F.f, "power": F.m @ n["wa"] + F.f @ n["va"]}


def rate_of_wrench(n):
    Y = a.coad(a.Twist(n["w"], n["v"]), a.Wrench(n["m"], n["f"]))
    return {"m_rate": Y.m, "f_rate": Y.f}


def screw(n):
    w = np.array(n["n"]) / n["length"]
    T = a.exp(a.Twist(w, np.cross(n["r"], w) + n["h"] * w), radians(n["q"]))
    return {"b": T.p, "x": T * np.array(n["x0"])}


AGREEMENT = {
    "handle_in_the_room": handle,
    "two_turns": two_turns,
    "twist_at_another_point": twist,
    "wrench_at_another_point": wrench,
    "rate_of_a_wrench": rate_of_wrench,
    "exponential_of_a_screw": screw,
    "logarithm_of_two_turns": lambda n: {"w": a.log(turned(Z, n["a"]) * turned(X, n["b"]))},
    "rate_of_a_rotation_vector": lambda n: {"omega": a.dexp(n["w"], n["rate"])},
}
