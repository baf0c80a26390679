# %% [markdown]
# # How many digits are right, and who says so?
#
# A number with fifty digits is no more trustworthy than one with three, as long as nothing is proved of it. This notebook
# works the small examples of chapter 14: a residual that lies, intervals that do not, and what is left of an interval when
# a formula uses a number twice.

# %%
import json
import re
from fractions import Fraction
from pathlib import Path

import articulate
import numpy as np
import style
from mpmath import iv, mp

u = 2.0**-53  # the rounding unit of double precision

# %% [markdown]
# ## What a digit is worth
#
# The log relative error of x, where c is right: -log10(|x - c| / |c|). Where there are several numbers with one unit, the
# largest of them stands below the line.

# %%
def digits(x, right):
    """How many digits some numbers have, relative to the largest of those that are right; 16 where they are equal."""
    error = max(abs(Fraction(float(a)) - c) for a, c in zip(x, right))
    return -np.log10(float(error / max(map(abs, right)))) if error else 16.0


pi = Fraction(3141592653589793238462643383279, 10**30)
lre = {text: round(digits([float(text)], [pi]), 1) for text in ("3.14", "3.1416", "3.140001")}
print(lre)
assert lre == {"3.14": 3.3, "3.1416": 5.6, "3.140001": 3.3}

# %% [markdown]
# ## A residual that lies
#
# A carriage of 1 kg on a rail, and on it a block of 2^26 kg on a rail of its own. The carriage is drawn by f_1 and a drive
# between the two pushes the block by f_2. With f = (2^26 + 1, 2^26) N both go with 1 m/s², and the block does not slip. All
# in fractions, so that nothing is rounded.

# %%
def carriage(m1, m2):
    """The mass matrix for the place of a carriage, and that of a block upon it."""
    return [[m1 + m2, m2], [m2, m2]]


def product(A, x):
    return [sum(a * b for a, b in zip(row, x)) for row in A]


M = carriage(Fraction(1), Fraction(2**26))
f = [Fraction(2**26 + 1), Fraction(2**26)]
right, bad, good = [1, 0], [2, -1], [1 + Fraction(1, 10**4), Fraction(1, 10**4)]
assert product(M, right) == f
told = {}
for name, x in (("bad", bad), ("good", good)):
    residual = max(abs(a - b) for a, b in zip(product(M, x), f)) / max(f)
    error = Fraction(max(abs(a - b) for a, b in zip(x, right)))
    told[name] = f"{float(residual):.1e}", f"{float(error):.1e}"
print(told)
assert told == {"bad": ("1.5e-08", "1.0e+00"), "good": ("2.0e-04", "1.0e-04")}

# %% [markdown]
# ## In double
#
# The same machine with a carriage of 1.1 kg and heavier and heavier blocks, by 3.3 N and 1.7 N. Elimination solves
# with the mass matrix; the articulated body algorithm never makes it. Right is what fractions say, of the very numbers
# of binary64. Attainable is what is left when each of the four inputs moves to the next number.

# %%
def machine(m1, m2):
    links = [articulate.Link("ground"), articulate.Link("carriage", m1), articulate.Link("block", m2)]
    joints = [articulate.Joint("rail", "prismatic", "ground", "carriage", axis=(1, 0, 0)),
              articulate.Joint("slip", "prismatic", "carriage", "block", axis=(1, 0, 0))]
    return articulate.Model(articulate.Mechanism("carriage", links, joints, (0, 0, 0)))


def solved(m1, m2, f1, f2):
    """Exactly."""
    m1, m2, f1, f2 = map(Fraction, (m1, m2, f1, f2))
    first = (f1 - f2) / m1
    return [first, f2 / m2 - first]


zero = np.zeros(2)
ratios, found = range(0, 41, 2), {"residual": [], "elimination": [], "bodies": [], "attainable": []}
for k in ratios:
    given = 1.1, 1.1 * 2.0**k * 1.3, 3.3, 1.7
    model, exact = machine(*given[:2]), solved(*given)
    A, tau = articulate.mass_matrix(model, zero), np.array(given[2:])
    x = np.linalg.solve(A, tau)
    residual = max(abs(a - Fraction(b)) for a, b in zip(product([[Fraction(a) for a in row] for row in A],
                                                               [Fraction(a) for a in x]), tau))
    size = float(max(map(abs, A.flatten())) * max(abs(x)))
    found["residual"].append(-np.log10(float(residual) / size) if residual else 17)
    found["elimination"].append(digits(x, exact))
    found["bodies"].append(digits(articulate.forward_dynamics(model, zero, zero, tau), exact))
    moved = [np.nextafter(one, np.inf) for one in given]
    shift = max(abs(a - b) for n in range(4) for a, b in zip(solved(*given[:n], moved[n], *given[n + 1:]), exact))
    condition = float(shift / max(map(abs, exact))) / (2 * u)
    found["attainable"].append(-np.log10(u * max(1, condition)))
for name, list_ in found.items():
    print(f"{name:12}", *(f"{one:4.1f}" for one in list_))
assert min(found["residual"]) > 15 and min(found["bodies"]) > 15 and min(found["attainable"]) > 15
assert found["elimination"][-1] < 5 and found["elimination"][0] > 15

figure = style.figure(6.0, 3.3)
axes = figure.subplots()
x = [2.0**k for k in ratios]
axes.plot(x, found["attainable"], color=style.GREY, linestyle=":", label="attainable")
axes.plot(x, found["bodies"], color=style.GREEN, marker="o", label="articulated bodies: digits of the answer")
axes.plot(x, found["residual"], color=style.ORANGE, linestyle="--", label="elimination: digits of the residual")
axes.plot(x, found["elimination"], color=style.BLUE, marker="s", label="elimination: digits of the answer")
axes.set(xscale="log", xlabel="mass of the block over that of the carriage, about", ylabel="digits", ylim=(0, 18))
style.powers_of_ten(axes.xaxis)
axes.legend(loc="lower left")
style.publish(figure, "oracle_residual")

# %% [markdown]
# ## Intervals, and a number that is used twice
#
# mpmath has intervals that round outward. x - x is not zero when x is an interval: each x may be another number of it.

# %%
iv.prec = mp.prec = 53
x = iv.mpf([1, 2])
assert (x - x).a == -1 and (x - x).b == 1
unit = iv.mpf([0, 1])
assert (unit * (1 - unit)).b == 1  # where 1/4 is the most
assert (iv.mpf(1) / 4 - (unit - iv.mpf(1) / 2) ** 2).b == 0.25  # used once
third = iv.mpf(1) / 3
assert third.a < third.b and third.a * 3 <= 1 <= third.b * 3  # outward: no number of binary64 is a third

# %% [markdown]
# ## Elimination in intervals, and a solution that is verified
#
# The mass matrix of a chain of n hinges, every entry known to one part in 2^60 only. Elimination as it
# stands in textbooks, in intervals; and Rump's way: a guess, and intervals only for what the guess has left. Both hold the
# right answer. The question is how wide they are.

# %%
iv.prec = mp.prec = 113
width = mp.mpf(2) ** -60
wide = iv.mpf([1 - width, 1 + width])


def lost(x):
    """The decimal digits by which the widest of some intervals is wider than the inputs were."""
    scale = max(max(abs(mp.mpf(one.a)), abs(mp.mpf(one.b))) for one in x)
    return float(mp.log10(max(mp.mpf(one.delta) for one in x) / scale / (2 * width)))


def eliminated(A, b):
    """Gauss without pivots, as the matrix is positive definite."""
    A, b, n = [row[:] for row in A], b[:], len(b)
    for k in range(n):
        for i in range(k + 1, n):
            factor = A[i][k] / A[k][k]
            for j in range(k + 1, n):
                A[i][j] -= factor * A[k][j]
            b[i] -= factor * b[k]
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            b[k] -= A[k][j] * b[j]
        b[k] /= A[k][k]
    return b


def verified(A, b, guess):
    """x = guess z of R, an inverse in double that nobody believes: A (x + e) = b if and only if e = z + C e."""
    n = len(b)
    R = [[iv.mpf(float(a)) for a in row] for row in guess]
    x = [iv.mpf(0)] * n
    for _ in range(5):  # the residual in 113 digits, the correction without a claim
        rest = [b[i] - sum(A[i][j] * x[j] for j in range(n)) for i in range(n)]
        x = [iv.mpf(mp.mpf((x[i] + sum(R[i][j] * rest[j] for j in range(n))).mid)) for i in range(n)]
    rest = [b[i] - sum(A[i][j] * x[j] for j in range(n)) for i in range(n)]
    z = [sum(R[i][j] * rest[j] for j in range(n)) for i in range(n)]
    C = [[(1 if i == j else 0) - sum(R[i][k] * A[k][j] for k in range(n)) for j in range(n)] for i in range(n)]
    box = z
    for _ in range(5):
        radius = [2 * max(abs(mp.mpf(e.a)), abs(mp.mpf(e.b))) for e in box]
        box = [iv.mpf([-r, r]) for r in radius]
        mapped = [z[i] + sum(C[i][j] * box[j] for j in range(n)) for i in range(n)]
        if all(-r <= mp.mpf(e.a) and mp.mpf(e.b) <= r for e, r in zip(mapped, radius)):
            return [x[i] + mapped[i] for i in range(n)]
        box = mapped
    return None


counts, widths = range(2, 27, 2), {"elimination": [], "verified": []}
for n in counts:
    model = articulate.Model.load(f"planar_arm:{n}")
    state = articulate.random_state(model, 1)
    A = articulate.mass_matrix(model, state.q)
    scale = 1 / np.sqrt(np.diag(A))
    A = scale[:, None] * A * scale  # all entries at most one, so that a unit means the same everywhere
    rows, b = [[iv.mpf(float(a)) * wide for a in row] for row in A], [iv.mpf(1.0)] * n
    widths["elimination"].append(lost(eliminated(rows, b)))
    widths["verified"].append(lost(verified(rows, b, np.linalg.inv(A))))
for name, list_ in widths.items():
    print(f"{name:12}", *(f"{one:4.1f}" for one in list_))
figure = style.figure(6.0, 3.0)
axes = figure.subplots()
axes.plot(counts, widths["elimination"], color=style.BLUE, marker="s", label="elimination in intervals")
axes.plot(counts, widths["verified"], color=style.GREEN, marker="o", label="a guess, verified")
axes.set(xlabel="hinges", ylabel="digits lost")
axes.legend()
style.publish(figure, "oracle_intervals")

# %% [markdown]
# Elimination uses each number again and again, and forgets each time that it was the same: the width grows by a factor with
# every hinge, until of the eighteen digits that were there none is left. The verified solution loses what the condition of
# the matrix takes.

# %%
assert widths["elimination"][-1] > 17 and max(widths["verified"]) < 5

# %% [markdown]
# ## Where does a loop close? Krawczyk's test
#
# A crank of 0.25 m at 0.7 rad, and a rod of 0.75 m that ends on the line of the hinge. Where is the rod's hinge, near -0.92?
# f(y) = 0.25 sin 0.7 + 0.75 sin(0.7 + y) must be zero. With e the way from -0.92 to the root, e = z + (1 - R f') e.

# %%
iv.prec = mp.prec = 53


def krawczyk(f, slope, y, radius):
    """The image of the box of that radius, and z: y + image holds a root, and no other is in the box, if it is inside."""
    R = iv.mpf(mp.mpf(1) / mp.mpf(slope(iv.mpf(y)).mid))
    z = -R * f(iv.mpf(y))
    box = iv.mpf([-radius, radius])
    return z + (1 - R * slope(y + box)) * box, z


def height(y):
    return iv.mpf(0.25) * iv.sin(iv.mpf(0.7)) + iv.mpf(0.75) * iv.sin(iv.mpf(0.7) + y)


image, z = krawczyk(height, lambda y: iv.mpf(0.75) * iv.cos(iv.mpf(0.7) + y), -0.92, 0.01)
print("z", z, "image", image)
root = -0.92 + image
print("root in", root)
assert -0.01 < image.a and image.b < 0.01
bounds = [bound for one in (image, root) for bound in (mp.floor(mp.mpf(one.a) * 10**6), mp.ceil(mp.mpf(one.b) * 10**6))]
millionths = [int(mp.nint(mp.mpf(z.mid) * 10**6)), *map(int, bounds)]
closed = [f"{number / 10**6:.6f}" for number in millionths]  # the bounds rounded outward
print(closed)
assert closed == ["0.003577", "0.003553", "0.003600", "-0.916447", "-0.916400"]
exact = mp.findroot(lambda y: 0.25 * mp.sin(0.7) + 0.75 * mp.sin(0.7 + y), -0.92)
print("root", exact)
assert root.a < exact < root.b

# %% [markdown]
# Which box should be tried? Too small, and the root is outside; too large, and the slope changes too much within. A ladder of
# 0.875 m whose foot is given, and whose tilt is wanted: 0.875 cos y = x. Its slope is that of the sine, and lying on the
# floor it has none. The guess is off by a tenth of the tilt.

# %%
figure = style.figure(6.0, 3.3)
axes = figure.subplots()
radii, proved = np.logspace(-4.5, 0.3, 120), {}
for tilt, colour, dash in ((1.0, style.BLUE, "-"), (0.1, style.GREEN, "--"), (0.01, style.ORANGE, "-.")):
    x = iv.mpf(0.875) * iv.cos(iv.mpf(tilt))
    ratio = []
    for r in radii:
        at, _ = krawczyk(lambda y: iv.mpf(0.875) * iv.cos(y) - x, lambda y: -iv.mpf(0.875) * iv.sin(y), 1.1 * tilt, r)
        ratio.append(float(max(abs(mp.mpf(at.a)), abs(mp.mpf(at.b)))) / r)
    proved[tilt] = radii[np.array(ratio) < 1]
    axes.plot(radii, ratio, color=colour, linestyle=dash, label=f"tilt {tilt:g} rad")
axes.axhline(1, color=style.INK, linewidth=1)
axes.set(xscale="log", yscale="log", ylim=(0.03, 30), xlabel="radius of the box, rad", ylabel="image over box")
style.powers_of_ten(axes.xaxis, axes.yaxis)
axes.legend()
for tilt, boxes in proved.items():
    print(f"tilt {tilt:g}: proved from {boxes.min():.2g} to {boxes.max():.2g} rad")
assert all(0.09 * tilt < boxes.min() < 0.2 * tilt and boxes.max() < 1.2 * tilt for tilt, boxes in proved.items())
style.publish(figure, "oracle_krawczyk")


# %% [markdown]
# ## What double can attain, in all cases
#
# The catalogue of the certified cases says of each quantity in each case how many digits its worst number can have in double.

# %%
root = Path(style.__file__).parents[1]
catalogue = json.loads((root / "validation" / "reference" / "catalogue.json").read_text(encoding="utf-8"))["cases"]
figure = style.figure(6.0, 3.0)
axes = figure.subplots()
for tier, colour, dash in (("lower", style.GREEN, "-"), ("average", style.BLUE, "--"), ("higher", style.ORANGE, "-.")):
    fewest = sorted(values[2] for case in catalogue if case["tier"] == tier for values in case["quantities"].values())
    axes.plot(fewest, np.arange(1, len(fewest) + 1) / len(fewest), color=colour, linestyle=dash, label=tier)
    print(f"{tier:8} {len(fewest)} quantities: fewest {fewest[0]}, a hundredth below {fewest[len(fewest) // 100]},"
          f" half below {fewest[len(fewest) // 2]}")
axes.set(xlabel="digits that double can attain", ylabel="part of the quantities", yscale="log", xlim=(3, 16.2))
axes.legend()
style.powers_of_ten(axes.yaxis)
assert round(len(fewest) / sum(one < 10 for one in fewest)) == 11  # of the higher tier, the last, one quantity in so many
of_all = [values[2] for case in catalogue for values in case["quantities"].values()]
assert round(8 * sum(one >= 15 for one in of_all) / len(of_all)) == 7  # in eight
by_name = {case["case"]: case for case in catalogue}
style.publish(figure, "oracle_attainable")

# %% [markdown]
# ## What the chapter says
#
# The numbers that chapter 14 works are those of above. Its listing runs, on a file of a pendulum of 1.7 kg and 0.6 m and for
# a library that knows its formula; for one that has gravity a little wrong it fails.

# %%
chapter = (root / "chapters" / "14_oracle.md").read_text(encoding="utf-8")
condition = float(np.linalg.cond(np.array(M, dtype=float), np.inf))
assert f"{condition:.1e}" == "2.7e+08"
for said in (*map(str, lre.values()), "1.5e-8 of", "2.0e-4 of", "2.7\\cdot10^8", *closed):
    assert said in chapter, f"chapter 14 does not say {said}"
flat = min(values[2] for values in by_name["flat_ladder"]["quantities"].values())
swinging = min(values[2] for values in by_name["pendulum"]["quantities"].values())
assert 12 <= 15.9 - flat < 12.5 and 15.9 - swinging < 1  # digits that an ulp in each input costs
assert by_name["puma560"]["numbers"] == 4455

q, iv.prec = 0.035, 400
force = 1.7 * iv.mpf(0.6) * iv.mpf(9.81) * iv.sin(iv.mpf(q))
mp.prec = 400
case = {"state": {"q": {"decimal": [q], "hexadecimal": [q.hex()]}},
        "answers": {"gravity_force": {"value": [[mp.nstr(mp.mpf(force.mid), 50)]], "double_digits": [[15.6]]}}}
Path("pendulum.json").write_text(json.dumps(case))
listing = re.search(r"\\code\{\.py\}\n(.*?)\\endcode", chapter, re.DOTALL)[1]


def passes(g):
    try:
        exec(listing, {"my_library": lambda q: [[1.7 * 0.6 * g * np.sin(q[0])]]})
    except AssertionError as failure:
        return str(failure)
    return True


print(passes(9.81), passes(9.8100001), sep="\n")
assert passes(9.81) is True and "lacks" in passes(9.8100001)

# %% [markdown]
# ## Three mistakes in a library that someone made up
#
# A library of forty lines, Newton and Euler for a chain of hinges in numpy, that shares nothing with ours but the
# description of the robot. It has three bugs, which are switched on one after the other. Which are they? `diagnose` sees
# the torques alone.

# %%
class Sunday:
    """Inverse dynamics of a chain of hinges as one writes it on a Sunday afternoon, with bugs to choose from."""

    def __init__(self, mechanism, bugs=()):
        self.joints = [joint for joint in mechanism.joints if joint.type != "fixed"]
        self.links = {link.name: link for link in mechanism.links}
        self.gravity, self.bugs = np.array(mechanism.gravity), bugs

    @staticmethod
    def cross(a):
        return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])

    def turned(self, quaternion):
        v, w = np.array(quaternion[:3]), quaternion[3]
        return np.eye(3) + 2 * w * self.cross(v) + 2 * self.cross(v) @ self.cross(v)

    def about(self, axis, angle):
        n = self.cross(np.array(axis) / np.linalg.norm(axis))
        return np.eye(3) + np.sin(angle) * n + (1 - np.cos(angle)) * n @ n

    def inertia(self, link):
        xx, xy, xz, yy, yz, zz = link.inertia
        axes = self.turned(link.inertial_quaternion)
        J = axes @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ axes.T
        if "moved" in self.bugs:
            c = self.cross(np.array(link.center_of_mass))
            J = J + link.mass * c.T @ c
        return J

    def torques(self, q, qd, qdd):
        if "degrees" in self.bugs:
            q = np.radians(q)
        R, w, dw, a = np.eye(3), np.zeros(3), np.zeros(3), -self.gravity
        if "gravity" in self.bugs:
            a = self.gravity.copy()
        place, outward = np.zeros(3), []
        for joint, angle, rate, acceleration in zip(self.joints, q, qd, qdd):  # all along the axes of the world
            lever = R @ np.array(joint.position)
            a = a + np.cross(dw, lever) + np.cross(w, np.cross(w, lever))
            place, R = place + lever, R @ self.turned(joint.quaternion)
            axis = R @ np.array(joint.axis) / np.linalg.norm(joint.axis)
            R = R @ self.about(joint.axis, angle)
            dw = dw + np.cross(w, rate * axis) + acceleration * axis
            w = w + rate * axis
            link = self.links[joint.child]
            c, J = R @ np.array(link.center_of_mass), R @ self.inertia(link) @ R.T
            f = link.mass * (a + np.cross(dw, c) + np.cross(w, np.cross(w, c)))
            outward.append((place, axis, f, J @ dw + np.cross(w, J @ w) + np.cross(place + c, f)))
        force, moment, tau = np.zeros(3), np.zeros(3), []
        for origin, axis, f, m in reversed(outward):  # moments about the origin of the world
            force, moment = force + f, moment + m
            tau.append(axis @ (moment - np.cross(origin, force)))
        return np.array(tau[::-1])


arm = articulate.Model.load("puma560")
drawn = [articulate.random_state(arm, seed) for seed in (1, 2, 3)]
states = [articulate.State(q=s.q, qd=s.qd, qdd=s.qdd) for s in drawn]  # nothing pushes from outside


def answers(*bugs):
    library = Sunday(arm.mechanism, bugs)
    return [{"inverse_dynamics": library.torques(s.q, s.qd, s.qdd)} for s in states]


articulate.assert_dynamics_equal(answers(), arm, states)
page = (root / "chapters" / "diagnosis.md").read_text(encoding="utf-8")
for bug, cause in {"degrees": "units/degrees_in_q", "moved": "inertia/moved_twice", "gravity": "gravity/sign"}.items():
    diagnosis = articulate.diagnose(answers(bug), arm, states)
    print(f"{diagnosis}\n")
    assert [finding.cause for finding in diagnosis.findings] == [cause]
    assert diagnosis.findings[0].sentence in page, "the page on diagnosis does not say so"
