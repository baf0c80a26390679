"""Two bars in a vertical plane, about which exercises of chapters 04 to 08 ask: their equations of motion in closed form.

The first bar is hinged to a wall, the second to the end of the first. All functions take the drawn numbers.
"""
import numpy as np

G = 9.81

BARS = r"""Two uniform bars move in a vertical plane, whose y axis points up. The first, of <l1> m and <m1> kg, is hinged to a wall at the
shoulder; the second, of <l2> m and <m2> kg, is hinged to the end of the first at the elbow. The shoulder stands at <q1> degrees, the
angle of the first bar to the horizontal x axis, and the elbow at <q2> degrees, the angle of the second bar to the first. Both are
counted from x towards y, and gravity is 9.81 m/s\f$^2\f$. """


def bars(source):
    """Lengths, masses and angles."""
    return {"l1": source.number(0.42, 0.68), "l2": source.number(0.31, 0.57), "m1": source.number(2.1, 3.9, 1),
            "m2": source.number(1.1, 2.4, 1), "q1": source.signed(16, 64, 0), "q2": source.signed(27, 78, 0)}  # fmt: skip


def rates(source):
    return {"r1": source.signed(0.8, 2.6, 1), "r2": source.signed(0.9, 3.1, 1)}


def angles(n):
    return np.radians(n["q1"]), np.radians(n["q1"] + n["q2"])


def mass_matrix(n):
    cosine = np.cos(np.radians(n["q2"]))
    far = n["m2"] * n["l2"] ** 2 / 3
    mixed = n["m2"] * n["l1"] * n["l2"] / 2 * cosine
    near = n["m1"] * n["l1"] ** 2 / 3 + n["m2"] * n["l1"] ** 2
    return np.array([[near + far + 2 * mixed, far + mixed], [far + mixed, far]])


def coriolis_force(n):
    h = n["m2"] * n["l1"] * n["l2"] / 2 * np.sin(np.radians(n["q2"]))
    r1, r2 = n["r1"], n["r2"]
    return h * np.array([-(2 * r1 + r2) * r2, r1**2])


def gravity_force(n):
    first, second = angles(n)
    elbow = n["m2"] * G * n["l2"] / 2 * np.cos(second)
    return np.array([(n["m1"] / 2 + n["m2"]) * G * n["l1"] * np.cos(first) + elbow, elbow])


def bias(n):
    return coriolis_force(n) + gravity_force(n)
