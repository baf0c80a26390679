"""The tables *What can go wrong*: each mistake, made here once more, has the size that its row says.

The wrong forms are written in numpy; the right ones are the library's. A row is known by the page and by a piece of
its first cell. A row of these tables that no mistake below claims and that WITHOUT_NUMBERS does not name fails.
A printed number is met when ours rounds to it.
"""
import functools
import math
import re
import unittest
from pathlib import Path

import numpy as np
from agreement import U
from constrained_test import crossed_tree, five_bar
from group_test import ad, expm, hat, skew

import articulate as a

CHAPTERS = Path(__file__).resolve().parents[2] / "chapters"
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
# Those whose tables are made again.
APPENDICES = {"body_by_body", "centroidal_momentum", "link_derivatives", "derivatives_with_loops"}
# The machines of chapter 07, and of each moment e_j x r_k that the joint at their loop transmits the j and k.
CLOSED = {"five bars": (five_bar, [(0, 2), (1, 2)]), "mixed tree": (crossed_tree, [(1, 0)])}
MISTAKES = {}  # by page: pieces of first cells, with what checks the rest of the row
DOWN = np.array([0, 0, -9.81])


def clean(text):
    """A cell without what only the typesetting needs."""
    text = re.sub(r"\\ref \w+ \"([^\"]*)\"", r"\1", text)
    text = text.replace("\\f$", "").replace("\\ ", "").replace("\\,", "")
    text = re.sub(r"\{(-[\d.]+)\}", r"\1", text)
    text = re.sub(r"(\d)\\cdot10\^(\d|-\d+)", r"\1e\2", text)
    return re.sub(r"([,;]) +", r"\1", text).strip()


def rows(stem):
    """The cells of all rows of the tables *What can go wrong* of a page, those of titles left out."""
    (page,) = CHAPTERS.glob(f"{stem}.md" if stem in APPENDICES else f"??_{stem}.md")
    text = re.search(rf"^## What can go wrong {{#{stem}_wrong}}\n(.*?)(?=^## |\Z)", page.read_text("utf-8"), re.S | re.M)[1]
    found = []
    for table in re.findall(r"(?:^\|[^\n]*\n)+", text, re.M):
        head, _, *body = [[clean(cell) for cell in line.strip().strip("|").split("|")] for line in table.splitlines()]
        found += [(head, cells) for cells in body]
    return found


def met(printed, ours, digits=None):
    """Whether ours rounds to what is printed, which has so many digits if its zeros say nothing; a zero is one."""
    mantissa, _, power = printed.partition("e")
    last = float(power or 0) - len(mantissa.partition(".")[2])
    if digits and float(printed) and "." not in mantissa:
        last = max(last, last + len(mantissa.lstrip("-")) - digits)
    half = 0.5 * 10.0**last if float(printed) else 0
    return abs(float(printed) - ours) <= half * (1 + 1e-9) + 1e-11


def pattern(value):
    n = np.size(value)
    halves = [",".join([f"({NUMBER})"] * 3)] * (n // 3)
    return f"({NUMBER})" if n == 1 else rf"\({';'.join(halves)}\)"


class Row:
    def __init__(self, case, head, cells):
        self.case, self.head, self.cells = case, head, cells
        self.text = " | ".join(cells)

    def says(self, template, *values):
        """The row has this text, with a number or a vector that is met for each ~."""
        parts = [re.escape(part) for part in clean(template).split("~")]
        self.case.assertEqual(len(parts), len(values) + 1, template)
        together = parts[0] + "".join(pattern(x) + part for x, part in zip(values, parts[1:]))
        found = re.search(r"(?<![\d.-])" + together if parts[0] == "" else together, self.text)
        self.case.assertIsNotNone(found, f"{template} with {values} in\n{self.text}")
        for printed, ours in zip(found.groups(), [] if not values else np.hstack([np.ravel(x) for x in values])):
            self.case.assertTrue(met(printed, ours), f"{printed} is printed where ours is {ours}:\n{self.text}")


def mistake(stem, piece):
    """What follows makes the mistake of the row of this chapter whose first cell has this piece."""
    def keep(check):
        MISTAKES.setdefault(stem, {})[clean(piece)] = check
        return check
    return keep


def length(x):
    return float(np.linalg.norm(x))


def Ad(T):
    R, p = T[:3, :3], T[:3, 3]
    return np.block([[R, np.zeros((3, 3))], [skew(p) @ R, R]])


def pose(R, p):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def inv(A):
    return np.linalg.inv(A)


# Chapter 01, on the door: V_a and F_b, the right V_b and F_a.
T_AB = pose([[0, 1, 0], [0, 0, 1], [1, 0, 0]], [0.8, 0, 1])
V_A, F_B = np.array([0, 0, 2.0, 0, 0, 0]), np.array([0, 0, 0, 0, 0, 10.0])
V_B, F_A = inv(Ad(T_AB)) @ V_A, inv(Ad(T_AB)).T @ F_B
DOOR = a.SE3(T_AB[:3, :3], T_AB[:3, 3])
ROPE = np.array([0, 0, 0, 0, 10.0, 0])


def lever(order):
    """Where the tip of a lever of 0.12 m is: the door opened by 60 degrees, the lever turned about its spindle by 30."""
    hinge, spindle = np.array([0, 0, 1, 0, 0, 0]), np.array([0, 1, 0, *np.cross(T_AB[:3, 3], (0, 1, 0))])
    return (order(hat(np.radians(60) * hinge), hat(np.radians(30) * spindle)) @ [*(T_AB[:3, 3] - [0.12, 0, 0]), 1])[:3]


def turn(axis, angle):
    return expm(hat([*(np.array(axis) * angle), 0, 0, 0]))


@mistake("group", r"wrong inverse, \f$\Ad_{T_{ab}}V_a\f$")
def _(row):
    wrong = Ad(T_AB) @ V_A
    row.says("~ | ~ m/s,~ %;the axis is off by ~ degrees. The power of the push is still ~ W", wrong,
             length((wrong - V_B)[3:]), 100 * length((wrong - V_B)[3:]) / length(V_B[3:]),
             np.degrees(np.arccos(wrong[:3] @ V_B[:3] / length(wrong[:3]) / length(V_B[:3]))), F_B @ wrong)


@mistake("group", r"wrong inverse, \f$\Ad^*_{T_{ab}}F_b\f$")
def _(row):
    wrong = Ad(T_AB).T @ F_B
    row.says("~ | ~ N m,~ %;force off by ~ degrees. Again ~ W", wrong, length((wrong - F_A)[:3]),
             100 * length((wrong - F_A)[:3]) / length(F_A[:3]),
             np.degrees(np.arccos(wrong[3:] @ F_A[3:] / length(wrong[3:]) / length(F_A[3:]))), wrong @ V_A)


@mistake("group", "no transpose")
def _(row):
    wrong = Ad(T_AB) @ F_B
    row.says("~ | the whole moment,~ N m;power ~ W", wrong, length((wrong - F_A)[:3]), wrong @ V_A)


@mistake("group", "axes turned, moment not shifted")
def _(row):
    wrong = np.concatenate([T_AB[:3, :3] @ F_B[:3], T_AB[:3, :3] @ F_B[3:]])
    row.says("~ | the same ~ N m", wrong, length((wrong - F_A)[:3]))


@mistake("group", "axes turned, velocity not shifted")
def _(row):
    wrong = np.concatenate([T_AB[:3, :3].T @ V_A[:3], T_AB[:3, :3].T @ V_A[3:]])
    row.says("~ | ~ m/s", wrong, length((wrong - V_B)[3:]))


@mistake("group", "passed to a function that expects")
def _(row):
    wrong = inv(Ad(T_AB)) @ np.roll(V_A, 3)
    row.says("~ | ~ % of the rotation: the door flies up at ~ m/s", wrong, 100 * length((wrong - V_B)[:3]) / 2,
             length(T_AB[2, :3] @ wrong[3:]))


@mistake("group", "spatial twist mistaken")
def _(row):
    wrong = Ad(T_AB) @ V_B
    row.says("~ | ~ m/s,~ %", wrong, length((wrong - V_B)[3:]), 100 * length((wrong - V_B)[3:]) / length(V_B[3:]))


@mistake("group", r"\f$-p\f$ instead of")
def _(row):
    right, wrong = -T_AB[:3, :3].T @ T_AB[:3, 3], -T_AB[:3, 3]
    row.says("at ~ | ~ m,~ % of the distance", wrong, length(wrong - right), 100 * length(wrong - right) / length(right))


@mistake("group", r"\f$-\ad_V\f$ instead of")
def _(row):
    right, wrong = ad(V_B).T @ ROPE, -ad(V_B) @ ROPE
    row.says(r"\dot Y = ~ | ~ N m/s", wrong, length((wrong - right)[:3]))
    in_a = inv(Ad(T_AB)).T @ ROPE
    np.testing.assert_allclose(ad(V_A).T @ in_a, -ad(V_A) @ in_a, atol=1e-14)


@mistake("group", r"wrong sign of \f$\ad^*_V\f$")
def _(row):
    right, wrong = ad(V_B).T @ ROPE, -ad(V_B).T @ ROPE
    row.says("~ | ~ %", wrong, 100 * length(wrong - right) / length(right))


@mistake("group", "and pointing towards the hinges, turned before the door")
def _(row):
    right, wrong = lever(lambda A, B: expm(A) @ expm(B)), lever(lambda A, B: expm(B) @ expm(A))
    row.says("tip at ~ | ~ m from ~", wrong, length(wrong - right), right)


@mistake("group", r"\f$e^{\hat S_1q + \hat S_2s}\f$ instead")
def _(row):
    right, wrong = lever(lambda A, B: expm(A) @ expm(B)), lever(lambda A, B: expm(A + B))
    row.says("tip at ~ | ~ m", wrong, length(wrong - right))


@mistake("group", "of a turn by 60 degrees about z read as")
def _(row):
    right = a.exp((0, 0, np.radians(60)))
    x, y, z, w = a.quaternion(right)
    wrong = a.SO3.from_quaternion((y, z, w, x))  # the first of the four is taken for the scalar part
    between = a.log(a.SO3(right.R.T @ wrong.R))
    handle = T_AB[:3, 3]
    row.says("~ degrees;the handle is ~ m off", np.degrees(length(between)),
             length(right.R @ handle - wrong.R @ handle))


@mistake("group", "logarithms compared near a half turn")
def _(row):
    before, after = (a.log(a.exp((0, 0, np.pi + s * 1e-8)))[2] for s in (-1, 1))
    row.says("~ and ~ | ~ rad between two rotations", before, after, before - after)


@mistake("group", "complex step through Eigen's `cross`")
def _(row):
    """Eigen's product of complex vectors is the conjugate of theirs."""
    def rate(product):
        return product(V_A[:3] + [0, 0, 1e-100j], T_AB[:3, 3])[1].imag / 1e-100

    right, wrong = rate(np.cross), rate(lambda w, p: np.conj(np.cross(w, p)))
    row.says(r"\partial w_z = ~ for w\times p | ~ %: it should be +~", wrong, 100 * abs(wrong - right) / right, right)


@mistake("group", "complex step through Eigen's `dot`")
def _(row):
    """Eigen's inner product conjugates its first factor, as np.vdot does."""
    w = V_A[:3] + [0, 0, 1e-100j]
    right, wrong = (product(w, w).imag / 1e-100 for product in (np.dot, np.vdot))
    row.says(r"= ~ | ~ %: it should be ~", wrong, 100 * abs(wrong - right) / right, right)


def textbook_phi(angle):
    return (1 - math.cos(angle)) / angle**2


def textbook_log(R):
    angle = math.acos(min(1.0, max(-1.0, (np.trace(R) - 1) / 2)))
    unit = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return angle, unit * angle / (2 * math.sin(angle)) if angle else None


def near(row, column, ours, within=3):
    """Rounding made it: the printed error and ours are of one size, within a factor."""
    printed = float(re.search(NUMBER, row.cells[column].replace("angle", ""))[0])
    row.case.assertLess(abs(math.log10(ours / printed)), math.log10(within), f"{printed} is printed where ours is {ours}")


def small_angle(power):
    @mistake("group", rf"\f$10^{{-{power}}}\f$")
    def _(row):
        x = 10.0**-power
        series = 0.5 - x**2 / 24
        near(row, 1, abs(textbook_phi(x) - series) / series)
        angle, _ = textbook_log(a.exp(x * np.array([1, 2, 2]) / 3).R)
        if power == 8:
            row.case.assertEqual((textbook_phi(x), angle), (0, 0))
            row.says("1: it returns 0 | 8e-18 | angle 0,then 0/0")
        else:
            near(row, 3, abs(angle - x) / x)
        row.case.assertLessEqual(length(a.log(a.exp(x * np.array([1, 2, 2]) / 3)) - x * np.array([1, 2, 2]) / 3), 4 * U * x)


def near_half_a_turn(power):
    @mistake("group", rf"\f$\pi - 10^{{-{power}}}\f$")
    def _(row):
        """What the textbook loses is rounding, so that the worst of fifty angles near by stands for its size."""
        textbook = []
        for k in range(50):
            w = (np.pi - 10.0**-power * (1 + k / 1000)) * np.array([1, 2, 2]) / 3
            R = a.exp(w)
            textbook.append(length(textbook_log(R.R)[1] - w) / length(w))
            row.case.assertLessEqual(length(a.log(R) - w), 4 * U * length(w))
        near(row, 3, max(textbook), within=10)


for exponent in (4, 6, 8):
    small_angle(exponent)
    near_half_a_turn(exponent)


# Chapter 02, on the racket.
MASS, C, I_C = 0.3, np.array([0.3, 0, 0]), np.diag([0.0015, 0.0150, 0.0165])
ZERO, START = np.zeros(6), np.array([0, 0, 100.0, 0, 0, 0])
SWING, FLIGHT = np.array([0, 0, 10.0, 0, 0, 0]), np.array([0.5, 20, 0.3, 1, -2, 3])


def inertia(mass=MASS, c=C, J=None, first=1.0):
    """Of six by six numbers about the grip, if J is about the grip, too."""
    J = I_C + mass * skew(c).T @ skew(c) if J is None else J
    return np.block([[J, first * mass * skew(c)], [first * mass * skew(c).T, mass * np.eye(3)]])


GRIP, AT_C = inertia(), inertia(c=np.zeros(3))
WEIGHT = np.concatenate([np.cross(C, MASS * DOWN), MASS * DOWN])


def newton_euler(I, V, Vdot, sign=-1.0):
    return I @ Vdot + sign * ad(V).T @ I @ V


def energy(I, V):
    return V @ I @ V / 2


RIGHT_START, RIGHT_SWING = newton_euler(GRIP, ZERO, START), newton_euler(GRIP, SWING, ZERO)
VDOT = inv(GRIP) @ (WEIGHT + ad(FLIGHT).T @ GRIP @ FLIGHT)


@mistake("body", r"the term \f$\ad^*\f$ left out")
def _(row):
    vdot = inv(GRIP) @ WEIGHT
    row.case.assertEqual(length(newton_euler(GRIP, SWING, ZERO, 0)), 0)
    row.says(r"F = 0;*flight*: \dot V = ~ | ~ N,~ %;", vdot, length(RIGHT_SWING), 100)
    row.says(r"the error of \dot v is ~ m/s²", length((vdot - VDOT)[3:]))


@mistake("body", "its sign wrong")
def _(row):
    wrong = newton_euler(GRIP, SWING, ZERO, +1)
    off = length(wrong - RIGHT_SWING)
    row.says("*swing*: ~ | ~ N,~ %", wrong, off, 100 * off / length(RIGHT_SWING))
    row.case.assertAlmostEqual(FLIGHT @ ad(FLIGHT).T @ GRIP @ FLIGHT, 0)


@mistake("body", r"\f$\ad_V\f$ instead of")
def _(row):
    right, wrong = (-A @ GRIP @ FLIGHT for A in (ad(FLIGHT).T, ad(FLIGHT)))
    off = wrong - right
    row.says("term ~ instead of ~ | ~ % of the moment,~ % of the force,and a power of ~ W", wrong, right,
             100 * length(off[:3]) / length(right[:3]), 100 * length(off[3:]) / length(right[3:]), abs(FLIGHT @ wrong))


@mistake("body", "classical accelerations instead")
def _(row):
    at_c = Ad(pose(np.eye(3), C))
    V = inv(at_c) @ SWING
    right = newton_euler(AT_C, V, ZERO)
    classical = np.concatenate([np.zeros(3), np.cross(V[:3], V[3:])])
    wrong = newton_euler(AT_C, V, classical)
    row.says("~ | ~ N,~ %", wrong, length(wrong - right), 100 * length(wrong - right) / length(right))


@mistake("body", "read as an acceleration")
def _(row):
    right = VDOT[3:] + np.cross(FLIGHT[:3], FLIGHT[3:])
    off = length(VDOT[3:] - right)
    row.says("~ instead of ~ m/s² | ~ m/s²,~ %", VDOT[3:], right, off, 100 * off / length(right))


@mistake("body", r"\f$I_c\f$ used at the grip")
def _(row):
    wrong = newton_euler(inertia(J=I_C), ZERO, START)
    off = length((wrong - RIGHT_START)[:3])
    row.says("*start*: ~ N m | ~ N m,~ %", wrong[2], off, 100 * off / length(RIGHT_START[:3]))


@mistake("body", "parallel axis theorem with a minus")
def _(row):
    right, wrong = energy(GRIP, SWING), energy(inertia(J=I_C - MASS * skew(C).T @ skew(C)), SWING)
    row.says("*swing*: ~ J | ~ %", wrong, 100 * abs(wrong - right) / right)


@mistake("body", "first moment left out")
def _(row):
    wrong = inertia(first=0)
    row.case.assertEqual(length(newton_euler(wrong, ZERO, START)[3:]), 0)
    row.case.assertEqual(length(newton_euler(wrong, SWING, ZERO)), 0)
    row.says("*start*: f = 0;*swing*: F = 0 | ~ N in each,~ %", length(RIGHT_START[3:]), 100)
    row.case.assertAlmostEqual(length(RIGHT_SWING), length(RIGHT_START[3:]))


@mistake("body", "wrong inverse in")
def _(row):
    to_c = Ad(pose(np.eye(3), C))
    right, wrong = to_c.T @ GRIP @ to_c, inv(to_c).T @ GRIP @ inv(to_c)
    np.testing.assert_allclose(right, AT_C, atol=1e-15)
    off = np.abs(wrong - right)[:3, :3].max()
    row.says(r"J = \mathrm{diag}~ | ~ kg m²,~ % of 0.0165", np.diag(wrong)[:3], off, 100 * off / right[2, 2])


@mistake("body", r"\f$\Ad_T\mathcal I\,\Ad_T\f$ instead")
def _(row):
    to_c = Ad(pose(np.eye(3), C))
    wrong, V = to_c @ GRIP @ to_c, inv(to_c) @ SWING
    row.case.assertGreater(np.abs(wrong - wrong.T).max(), 0.01)
    right = energy(GRIP, SWING)
    row.says("*swing*: ~ J,and the matrix is not symmetric | ~ %", energy(wrong, V), 100 * (energy(wrong, V) - right) / right)


@mistake("body", "instead of \\f$RI_cR^{\\T}\\f$")
def _(row):
    R = turn([0, 0, 1], np.radians(30))[:3, :3]
    right, wrong = R @ I_C @ R.T, R.T @ I_C @ R
    w = np.array([20.0, 0, 0])
    moments = [np.cross(w, J @ w)[2] for J in (wrong, right)]
    row.says("J_{xy} = +~ instead of ~ | steady spin of 20 rad/s about the new x axis: moment of +~ instead of ~ N m,~ %",
             wrong[0, 1], right[0, 1], *moments, 100 * abs(moments[0] - moments[1]) / abs(moments[1]))


def of_two_frames(piece, I):
    @mistake("body", piece)
    def _(row):
        V = inv(Ad(pose(np.eye(3), C))) @ FLIGHT
        right, wrong = energy(GRIP, FLIGHT), energy(I, V)
        row.says("~ J instead of ~ J | ~ %", wrong, right, 100 * (wrong - right) / right)


of_two_frames("inertia at the grip with the twist seen from", GRIP)
of_two_frames("with the velocity of the centre of mass", inertia(first=0))


@mistake("body", "gravity with the wrong sign")
def _(row):
    wrong = WEIGHT  # the hand has to give the opposite
    off = length(2 * WEIGHT[3:])
    row.says("~ | ~ N,~ %", wrong, off, 100 * off / length(WEIGHT[3:]))


QUARTER = turn([0, 1, 0], np.radians(45))[:3, :3]


def held(f):
    return -np.concatenate([np.cross(C, f), f])


@mistake("body", "not turned into the body frame")
def _(row):
    right, wrong = held(MASS * QUARTER.T @ DOWN), held(MASS * DOWN)
    off = wrong - right
    row.says("~ instead of ~ | ~ % of the moment,~ % of the force", wrong, right,
             100 * length(off[:3]) / length(right[:3]), 100 * length(off[3:]) / length(right[3:]))


@mistake("body", r"\f$Rg\f$ instead of")
def _(row):
    right, wrong = held(MASS * QUARTER.T @ DOWN), held(MASS * QUARTER @ DOWN)
    row.says("f = ~ | ~ % of the force", wrong[3:], 100 * length((wrong - right)[3:]) / length(right[3:]))
    np.testing.assert_allclose(wrong[:3], right[:3], atol=1e-14)


@mistake("body", r"\f$(v, w)\f$ instead of")
def _(row):
    V = np.roll(SWING, 3)
    wrong = newton_euler(GRIP, V, ZERO)
    row.case.assertEqual(length(wrong), 0)
    row.says("F = 0,~ J | ~ N,~ %;energy too large by a factor of ~", energy(GRIP, V), length(RIGHT_SWING), 100,
             energy(GRIP, V) / energy(GRIP, SWING))


@mistake("body", "wrong sign of the fifth term")
def _(row):
    term = MASS * skew(FLIGHT[:3]) @ skew(C) @ skew(C) @ FLIGHT[:3]
    right, wrong = WEIGHT[:3], WEIGHT[:3] + 2 * term
    row.says(r"\mathbf m = ~ instead of ~ | ~ N m,~ %", wrong, right, length(wrong - right),
             100 * length(wrong - right) / length(right))


# The sample state of chapter 03, and literal copies of Kim's tables with one line changed.
def sample(name):
    """The model and its sample state; joints of several degrees, which this does not cover, are at 0.1 k."""
    model = a.Model.load(name)
    q = []
    of_one = all(slot.nv == 1 for slot in model.joints[model.floating_base:])
    for slot in model.joints:
        if slot.nq == 7:
            q += [0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5]
    k = np.arange(1, model.nq - len(q) + 1)
    return model, np.array([*q, *((0.3 if of_one else 0.1) * k)])


@functools.lru_cache(maxsize=None)
def prepared(name):
    """The model, its coordinates, and of each body what the recursions need: pose, screws and their rates, inertia."""
    model, q = sample(name)
    ones = np.ones(model.nv)
    rnea = a.InverseDynamics(model)
    tau = rnea(q, ones, ones)
    bodies = []
    for i in range(1, model.bodies + 1):
        body, S = model.body(i), np.asarray(rnea.S[i])
        at = slice(body.v, body.v + body.nv)
        Sdqd = rnea.eta[i] - ad(rnea.V[i]) @ S @ ones[at]  # eta = ad(V, S qd) + Sdot qd
        bodies.append((i, body.parent, at, rnea.T[i].matrix(), S, Sdqd, body.I.matrix()))
    return model, q, tau, bodies


UNCHANGED = dict(
    carry=lambda T: inv(Ad(T)),
    back=lambda T: inv(Ad(T)).T,
    eta=lambda AdV, V, Sqd, Sdqd, T: ad(V) @ Sqd + Sdqd,
    gyro=lambda V, L: -ad(V).T @ L,
    gravity=1.0,
    collect=True,
    inwards=True,
)


def table_two(name, bodies=None, **changed):
    """Inverse dynamics with all rates and accelerations one."""
    line = {**UNCHANGED, **changed}
    model, bodies = prepared(name)[0], bodies or prepared(name)[3]
    V, Vdot, F, tau = {0: np.zeros(6)}, {0: np.array([0, 0, 0, *(-line["gravity"] * model.gravity)])}, {}, np.zeros(model.nv)
    for i, parent, at, T, S, Sdqd, I in bodies:
        Sqd = S @ np.ones(S.shape[1])
        AdV = line["carry"](T) @ V[parent]
        V[i] = AdV + Sqd
        Vdot[i] = line["carry"](T) @ Vdot[parent] + line["eta"](AdV, V[i], Sqd, Sdqd, T) + Sqd
        F[i] = I @ Vdot[i] + line["gyro"](V[i], I @ V[i])
    for i, parent, at, T, S, _, _ in bodies[::-1 if line["inwards"] else 1]:
        tau[at] = S.T @ F[i]
        if parent and line["collect"]:
            F[parent] = F[parent] + line["back"](T) @ F[i]
    return tau


def columns(stem, piece, size, digits=None):
    """size(name of a model) is what the row prints in the column of that model."""
    @mistake(stem, piece)
    def _(row):
        for name, cell in zip(row.head[1:], row.cells[1:]):
            if not name.startswith("`") and name not in CLOSED:
                continue
            values = np.ravel(size(name.strip("`")))
            with row.case.subTest(model=name):
                printed = [0.0 if x in ("none", "–") else x for x in re.split(r",| \|", cell.replace("%", "").strip())]
                printed = [x.strip() if isinstance(x, str) else x for x in printed]
                if printed == [0.0]:
                    row.case.assertLess(np.abs(values).max(), 1e-11)
                    continue
                row.case.assertEqual(len(printed), len(values), cell)
                for said, ours in zip(printed, values):
                    row.case.assertTrue(met(said, ours, digits) if isinstance(said, str) else abs(ours) < 1e-9,
                                        f"{name}: {cell} is printed where ours is {values}: {row.cells[0]}")


def percent(wrong, right):
    return 100 * np.abs(wrong - right).max() / np.abs(right).max()


def of_torques(piece, **changed):
    def size(name):
        right = prepared(name)[2]
        np.testing.assert_allclose(table_two(name), right, atol=1e-12)
        return percent(table_two(name, **changed), right)
    columns("rnea", piece, size)


of_torques(r"\f$\Ad_T\f$ instead of \f$\Ad_{T^{-1}}\f$ in \eq{kim,37}", carry=Ad)
of_torques(r"\f$\Ad^*_T\f$ instead of \f$\Ad^*_{T^{-1}}\f$", back=lambda T: Ad(T).T)
of_torques(r"\f$\Ad_T\f$ instead of \f$\Ad^*_{T^{-1}}\f$,the transpose forgotten", back=Ad)
of_torques("the children's wrenches not added", collect=False)
of_torques(r"\f$\eta\f$ forgotten in", eta=lambda AdV, V, Sqd, Sdqd, T: 0 * Sqd)
of_torques(r"\f$\ad_{\Ad V_i}\f$ instead of", eta=lambda AdV, V, Sqd, Sdqd, T: ad(inv(Ad(T)) @ V) @ Sqd + Sdqd)
of_torques(r"\f$\ad^*_V\mathcal IV\f$ forgotten", gyro=lambda V, L: 0 * L)
of_torques(r"\f$\ad^*_V\mathcal IV\f$ with a plus", gyro=lambda V, L: ad(V).T @ L)
of_torques(r"\f$+\ad_V\f$ instead of", gyro=lambda V, L: ad(V) @ L)
of_torques(r"\f$\dot V_0 = (0, +g)\f$", gravity=-1.0)
of_torques("gravity forgotten", gravity=0.0)


LAST_LINK = {"ur5": "wrist_3_link", "cardan_mast": "vane", "drone_arm": "gripper"}


def of_a_push(piece, wrong):
    """10 N along the world's x axis at the origin of the last link; wrong(R, p, f) is what is given for it."""
    def size(name):
        model, q, _, _ = prepared(name)
        link, f = LAST_LINK[name], np.array([10.0, 0, 0])
        at = a.ForwardKinematics(model)
        at(q, np.ones(model.nv))
        X, ones = at.link_pose(link), np.ones(model.nv)

        def tau(F):
            return a.inverse_dynamics(model, q, ones, ones, {link: F})

        right = np.concatenate([np.zeros(3), X.R.T @ f])
        return percent(tau(wrong(X.R, X.p, f)), tau(right))
    columns("rnea", piece, size)


of_a_push("along the axes of the world", lambda R, p, f: np.concatenate([0 * f, f]))
of_a_push("given with the opposite sign", lambda R, p, f: np.concatenate([0 * f, -R.T @ f]))
of_a_push("moment taken about the world's origin", lambda R, p, f: np.concatenate([R.T @ np.cross(p, f), R.T @ f]))
of_a_push("force and moment exchanged", lambda R, p, f: np.concatenate([R.T @ f, 0 * f]))


@mistake("rnea", "10 N along the world's x axis at the origin")
def _(row):
    row.case.assertEqual(row.cells[1:], ["", "", ""])  # a title


def of_the_last_link(piece, size):
    def all_(name):
        model, q, _, _ = prepared(name)
        last, ones = model.links[-1].name, np.ones(model.nv)
        at = a.ForwardKinematics(model)
        at(q, ones)
        J, Jdot = at.link_jacobian(last, "mixed"), at.link_jacobian_rate(last, ones, "mixed")
        return 100 * size(J @ ones, J @ ones + Jdot @ ones, Jdot @ ones)
    columns("rnea", piece, all_)


of_the_last_link(r"\eq{ma,28} without the second sum", lambda V, A, JdotQd: length(JdotQd[:3]) / length(A[:3]))
of_the_last_link(r"\eq{ma,30} without the square", lambda V, A, JdotQd: length(np.cross(V[:3], V[3:])) / length(A[3:]))


# Chapter 05: Table 3.
ARTICULATED = dict(
    Vdot=lambda T: inv(Ad(T)),
    I=lambda T, Pi: inv(Ad(T)).T @ Pi @ inv(Ad(T)),
    B=lambda T, beta: inv(Ad(T)).T @ beta,
    Pi=lambda I_hat, S, D, IS: I_hat - I_hat @ S @ inv(D) @ S.T @ I_hat,  # which a slip leaves without symmetry
    beta=lambda I_hat, B_hat, eta, U, D, tau, S: I_hat @ eta + B_hat + U @ inv(D) @ (tau - S.T @ (I_hat @ eta + B_hat)),
    gravity=1.0,
)


def table_three(name, **changed):
    """Forward dynamics of the torques of inverse dynamics, so that all accelerations have to be one."""
    line = {**ARTICULATED, **changed}
    model, _, tau, bodies = prepared(name)
    V, eta, kept = {0: np.zeros(6)}, {}, {}
    I_hat, B_hat = {}, {}
    for i, parent, at, T, S, Sdqd, I in bodies:
        Sqd = S @ np.ones(S.shape[1])
        V[i] = inv(Ad(T)) @ V[parent] + Sqd
        eta[i] = ad(V[i]) @ Sqd + Sdqd
        I_hat[i], B_hat[i] = I, -ad(V[i]).T @ I @ V[i]
    for i, parent, at, T, S, Sdqd, I in reversed(bodies):
        U = I_hat[i] @ S
        D = S.T @ U
        kept[i] = D
        if parent:
            Pi = line["Pi"](I_hat[i], S, D, I @ S)
            beta = line["beta"](I_hat[i], B_hat[i], eta[i], U, D, tau[at], S)
            I_hat[parent] = I_hat[parent] + line["I"](T, Pi)
            B_hat[parent] = B_hat[parent] + line["B"](T, beta)
    Vdot, qdd = {0: np.array([0, 0, 0, *(-line["gravity"] * model.gravity)])}, np.zeros(model.nv)
    for i, parent, at, T, S, Sdqd, I in bodies:
        D = kept[i]
        before = inv(Ad(T)) @ Vdot[parent]
        qdd[at] = inv(D) @ (tau[at] - S.T @ (I_hat[i] @ (before + eta[i]) + B_hat[i]))
        Vdot[i] = line["Vdot"](T) @ Vdot[parent] + S @ qdd[at] + eta[i]
    return qdd


def of_accelerations(piece, **changed):
    def size(name):
        np.testing.assert_allclose(table_three(name), 1, atol=1e-9)
        return np.abs(table_three(name, **changed) - 1).max()
    columns("aba", piece, size)


# As Table 3 is printed: the inverse of Ad for the inertia, that of its dual for the force.
OTHER_I, OTHER_B = (lambda T, Pi: Ad(T) @ Pi @ inv(Ad(T))), (lambda T, beta: Ad(T).T @ beta)
of_accelerations(r"\f$\Ad_T\f$ instead of \f$\Ad_{T^{-1}}\f$ in the line of", Vdot=Ad)
of_accelerations("in the lines of", I=OTHER_I, B=OTHER_B)
of_accelerations(r"alone, in the line of \f$\hat{\mathcal I}\f$", I=OTHER_I)
of_accelerations(r"alone, in the line of \f$\hat{\mathcal B}\f$", B=OTHER_B)
of_accelerations(r"\f$\eta\f$ forgotten in",
                 beta=lambda I_hat, B_hat, eta, U, D, tau, S: ARTICULATED["beta"](I_hat, B_hat, 0 * eta, U, D, tau, S))
of_accelerations(r"\f$\tau\f$ forgotten in",
                 beta=lambda I_hat, B_hat, eta, U, D, tau, S: ARTICULATED["beta"](I_hat, B_hat, eta, U, D, 0 * tau, S))
of_accelerations("without the division by the pivot", Pi=lambda I_hat, S, D, IS: I_hat - I_hat @ S @ S.T @ I_hat)
of_accelerations("with the body's own inertia", Pi=lambda I_hat, S, D, IS: I_hat - IS @ inv(D) @ IS.T)
of_accelerations("nothing subtracted", Pi=lambda I_hat, S, D, IS: I_hat,
                 beta=lambda I_hat, B_hat, eta, U, D, tau, S: I_hat @ eta + B_hat)
of_accelerations("gravity forgotten", gravity=0.0)


def of_inverse(piece, wrong):
    def size(name):
        M = a.mass_matrix(*prepared(name)[:2])
        return percent(wrong(M), inv(M))
    columns("aba", piece, size, digits=2)


def swapped(M):
    """E M E^T = D with ones on the diagonal of E, which is upper triangular."""
    L = np.linalg.cholesky(M[::-1, ::-1])[::-1, ::-1]
    E, D = inv(L / np.diag(L)), np.diag(np.diag(L) ** 2)
    np.testing.assert_allclose(E @ M @ E.T, D, atol=1e-9 * np.abs(D).max())
    return E @ inv(D) @ E.T


of_inverse("the two sweeps swapped", swapped)
of_inverse("the other joints assumed to be locked", lambda M: np.diag(1 / np.diag(M)))


def of_rounding(name):
    @mistake("aba", f"`{name}`")
    def _(row):
        """The condition, and what a changed torque makes of the answer; the errors of rounding in between only in size."""
        model, q, tau, _ = prepared(name)
        ones, M = np.ones(model.nv), a.mass_matrix(model, q)
        row.case.assertTrue(met(row.cells[1], np.linalg.cond(M)), np.linalg.cond(M))
        off = max(np.abs(inv(M)[:, k] * 1e-6 * tau[k]).max() for k in range(model.nv))
        row.case.assertTrue(met(row.cells[4], off, digits=2), f"{row.cells[4]} is printed where ours is {off}")
        L, rest = np.linalg.cholesky(M), tau - a.inverse_dynamics(model, q, ones, 0 * ones)
        ours = [a.ForwardDynamics(model)(q, ones, tau), np.linalg.solve(L.T, np.linalg.solve(L, rest))]
        for printed, qdd in zip(row.cells[2:4], ours):  # rounding: no more than the size
            row.case.assertLess(np.abs(qdd - 1).max(), 10 * float(printed))


for chain in ("ur5", "puma560", "planar_arm:8", "planar_arm:32", "planar_arm:256"):
    of_rounding(chain)


# Chapter 06: Table 4, split by degrees of freedom; every other one is prescribed, beginning with the first.
def sets(n):
    return np.arange(0, n, 2), np.arange(1, n, 2)


SPLIT = dict(
    I=lambda T, Pi: inv(Ad(T)).T @ Pi @ inv(Ad(T)),
    B=lambda T, beta: inv(Ad(T)).T @ beta,
    held=lambda T, Pi: inv(Ad(T)).T @ Pi @ inv(Ad(T)),
    reduced=False,
    in_beta=1.0,
    in_Vdot=1.0,
    whole=False,
    gravity=1.0,
)


def table_four(name, **changed):
    """Accelerations of v and forces of u where all accelerations are one, if nothing is changed."""
    line = {**SPLIT, **changed}
    model, _, tau, bodies = prepared(name)
    u, v = sets(model.nv)
    V, eta, kept, I_hat, B_hat = {0: np.zeros(6)}, {}, {}, {}, {}
    for i, parent, at, T, S, Sdqd, I in bodies:
        Sqd = S @ np.ones(S.shape[1])
        V[i] = inv(Ad(T)) @ V[parent] + Sqd
        eta[i] = ad(V[i]) @ Sqd + Sdqd
        I_hat[i], B_hat[i] = I, -ad(V[i]).T @ I @ V[i]
    for i, parent, at, T, S, Sdqd, I in reversed(bodies):
        mine = np.arange(at.start, at.stop)
        free, driven = np.isin(mine, v), np.isin(mine, u)
        wanted = np.where(driven, 1.0, 0.0)
        if line["whole"] and driven.any():
            free, driven = np.zeros(len(mine), bool), np.ones(len(mine), bool)
        gives = free | driven if line["reduced"] else free
        Sv, Su = S[:, free], S[:, driven] @ wanted[driven]
        kept[i] = free, driven, Sv, wanted
        Pi, beta = I_hat[i], I_hat[i] @ (eta[i] + line["in_beta"] * Su) + B_hat[i]
        if gives.any():
            Sg = S[:, gives]
            Ug = I_hat[i] @ Sg
            Pi = Pi - Ug @ inv(Sg.T @ Ug) @ (Sg.T @ I_hat[i])
        if free.any():
            U = I_hat[i] @ Sv
            beta = beta + U @ inv(Sv.T @ U) @ (tau[at][free] - Sv.T @ beta)
        if parent:
            move = line["I"] if free.any() else line["held"]
            I_hat[parent] = I_hat[parent] + move(T, Pi)
            B_hat[parent] = B_hat[parent] + line["B"](T, beta)
    Vdot, qdd, found = {0: np.array([0, 0, 0, *(-line["gravity"] * model.gravity)])}, np.zeros(model.nv), np.zeros(model.nv)
    for i, parent, at, T, S, Sdqd, I in bodies:
        free, driven, Sv, wanted = kept[i]
        before = inv(Ad(T)) @ Vdot[parent] + eta[i] + S[:, driven] @ wanted[driven] * line["in_Vdot"]
        mine = np.where(driven, wanted, 0.0)
        if free.any():
            U = I_hat[i] @ Sv
            mine[free] = inv(Sv.T @ U) @ (tau[at][free] - Sv.T @ (I_hat[i] @ before + B_hat[i]))
        Vdot[i] = before + Sv @ mine[free]
        qdd[at] = mine
        found[at] = S.T @ (I_hat[i] @ Vdot[i] + B_hat[i])
    return qdd[v], found[u]


def of_hybrid(piece, **changed):
    def size(name):
        tau = prepared(name)[2]
        u, _ = sets(len(tau))
        for found, right in zip(table_four(name), (1, tau[u])):
            np.testing.assert_allclose(found, right, atol=1e-9)
        qdd, found = table_four(name, **changed)
        return np.abs(qdd - 1).max(), percent(found, tau[u])
    columns("hybrid", piece, size)


def of_blocks(piece, formula):
    """formula(M, rest, u, v): the accelerations of v by equation (34), where rest is tau - b."""
    def size(name):
        model, q, tau, _ = prepared(name)
        M, ones = a.mass_matrix(model, q), np.ones(model.nv)
        found = formula(M, tau - a.inverse_dynamics(model, q, ones, 0 * ones), *sets(model.nv))
        return np.abs(found - 1).max()
    columns("hybrid", piece, size)


def block(M, rows_, columns_):
    return M[np.ix_(rows_, columns_)]


WITH_SLIP = dict(I=lambda T, Pi: Ad(T) @ Pi @ inv(Ad(T)), B=lambda T, beta: Ad(T) @ beta)
of_blocks(r"\f$M_{uv}\f$ instead of",
          lambda M, rest, u, v: inv(block(M, v, v)) @ (rest[v] - block(M, u, v) @ np.ones(len(u))))
of_blocks(r"\f$M_{vu}\ddot q_u\f$ forgotten", lambda M, rest, u, v: inv(block(M, v, v)) @ rest[v])
of_blocks("the inverse of the block",
          lambda M, rest, u, v: block(inv(M), v, v) @ (rest[v] - block(M, v, u) @ np.ones(len(u))))


def of_missing_motors(name):
    model, q, tau, _ = prepared(name)
    u, v = sets(model.nv)
    given = tau.copy()
    given[u] = 0
    found = a.ForwardDynamics(model)(q, np.ones(model.nv), given)
    return np.abs(found - 1)[v].max(), percent(given[u], tau[u])


columns("hybrid", "as one without a motor", of_missing_motors)
of_hybrid("in both lines of Table 4", **WITH_SLIP, held=WITH_SLIP["I"])
of_hybrid(r"the same in the line of \f$\hat{\mathcal I}\f$ alone", I=WITH_SLIP["I"], held=WITH_SLIP["I"])
of_hybrid(r"the same in the line of \f$\hat{\mathcal B}\f$ alone", B=WITH_SLIP["B"])
of_hybrid("one inverse too many", held=lambda T, Pi: inv(Ad(T)).T @ Pi @ Ad(T))
of_hybrid("held joints give way", reduced=True)
of_hybrid(r"\f$\ddot q_u\f$ forgotten in \f$\beta\f$", in_beta=0.0)
of_hybrid(r"\f$\ddot q_u\f$ forgotten in \f$\dot V\f$", in_Vdot=0.0)
of_hybrid("held because one of them is", whole=True)
of_hybrid("gravity forgotten", gravity=0.0)


# Chapter 07: every other degree of freedom is driven at one, beginning with the first. The rows of A and their rates
# are made of the relative twist of both ends, with one change; the dynamics of dense matrices, with another.
class Looped:
    def __init__(self, name):
        make, self.moments = CLOSED[name]
        model, loop, q, qd = make()
        n = model.nv
        self.u, self.v = (np.arange(n) % 2 == k for k in (0, 1))
        self.qd = qd
        k = a.ForwardKinematics(model)
        k(q, qd)
        ends = loop.first, loop.second
        frames = [a.SE3(a.SO3.from_quaternion(end.quaternion), end.position) for end in ends]
        seen = [inv(a.Ad_matrix(X)) for X in frames]
        self.J = [X @ k.link_jacobian(end.link) for X, end in zip(seen, ends)]
        self.rates = [X @ k.link_jacobian_rate(end.link, qd) @ qd for X, end in zip(seen, ends)]
        first, second = (k.pose(model.link(end.link).body) * model.link(end.link).X * X for X, end in zip(frames, ends))
        T = a.inverse(first) * second
        self.T, self.R = a.Ad_matrix(T), T.R
        self.W = self.wrenches(self.R)
        self.M, self.b, _ = a.equations_of_motion(model, q, qd)
        loops = a.Loops(model, [loop])
        loops(q, qd)
        self.A, self.Adot_qd = loops.A.copy(), loops.Adot_qd.copy()
        system = a.ConstrainedDynamics(model, self.u, loops.rows)
        self.qdd, self.tau, _ = system(q, qd, np.ones(n), np.zeros(n), self.A, self.Adot_qd)

    def rows(self, carry=inv, sign=-1, adV=1, Wdot=1):
        """A and Adot qd."""
        first = sign * carry(self.T)
        J = self.J[1] + first @ self.J[0]
        V = J @ self.qd
        rates = self.rates[1] + first @ self.rates[0] - adV * ad(V) @ first @ self.J[0] @ self.qd
        change = self.wrenches(-np.cross(V[:3], self.R))  # the axes r_k of the first frame turn backward
        return self.W @ J, self.W @ rates + Wdot * change @ V

    def wrenches(self, r):
        """What the joint transmits: moments e_j x r_k, then the forces r_k."""
        e, none = np.eye(3), np.zeros(3)
        return np.array([[*np.cross(e[j], r[k]), *none] for j, k in self.moments] + [[*none, *r[k]] for k in range(3)])

    def forward(self, A=None, Adot_qd=None, sign=1, metric=None, answer=None):
        """The largest error of the acceleration by (67) to (69)."""
        A, Adot_qd = self.A if A is None else A, self.Adot_qd if Adot_qd is None else Adot_qd
        W = inv(self.M)
        qdd_r, metric = W @ (self.tau - self.b), W if metric is None else metric
        lambda_ = -np.linalg.pinv(A @ metric @ A.T, 1e-10) @ (A @ qdd_r + Adot_qd)
        return np.abs(qdd_r + sign * metric @ A.T @ lambda_ - self.qdd).max()

    def hybrid(self, M_vu=None, whole=False, rows_of_whole=False):
        """The accelerations by (74) to (80), and the multipliers."""
        u, v, A_v, W = self.u, self.v, self.A[:, self.v], inv(self.M)
        W_vv, qdd = inv(self.M[np.ix_(v, v)]), self.qdd.copy()
        qdd[v] = W_vv @ ((self.tau - self.b)[v] - (self.M[np.ix_(v, u)] if M_vu is None else M_vu) @ qdd[u])
        K = self.A @ W @ self.A.T if whole else A_v @ W_vv @ A_v.T
        lambda_ = -np.linalg.pinv(K, 1e-10) @ (self.A @ qdd + self.Adot_qd)
        qdd[v] += (W @ self.A.T @ lambda_)[v] if rows_of_whole else W_vv @ A_v.T @ lambda_
        return qdd, lambda_

    def error(self, **changed):
        return np.abs(self.hybrid(**changed)[0] - self.qdd).max()

    def of_forces(self, times=1):
        """What A_u^T lambda is of the forces, and how large they are in percent."""
        part = times * self.A[:, self.u].T @ self.hybrid()[1]
        return np.abs(part).max(), 100 * np.abs(part).max() / np.abs(self.tau).max()

    def of_needs_dropped(self):
        """The motion under the forces that the open tree needs of its motors."""
        tau, self.tau = self.tau, np.where(self.u, self.M @ self.qdd + self.b, 0)
        error, self.tau = self.forward(), tau
        return error


looped = functools.lru_cache(maxsize=None)(Looped)


def of_loops(piece, size):
    columns("constrained", piece, lambda name: size(looped(name)))


of_loops(r"\f$-A^{\T}\lambda\f$ in", lambda x: x.forward(sign=-1))
of_loops("the pin forgotten", lambda x: x.forward(sign=0))
of_loops(r"\f$\dot A\dot q\f$ forgotten", lambda x: x.forward(Adot_qd=0 * x.Adot_qd))
of_loops(r"\f$\dot A\dot q\f$ with the wrong sign", lambda x: x.forward(Adot_qd=-x.Adot_qd))
of_loops("the first frame does not turn", lambda x: x.forward(Adot_qd=x.rows(adV=0)[1]))
of_loops(r"\f$\dot W^{\T}V\f$ forgotten", lambda x: x.forward(Adot_qd=x.rows(Wdot=0)[1]))
of_loops("closed, but against the inertia", lambda x: x.forward(metric=np.eye(len(x.M))))
of_loops("without the change of frame between", lambda x: x.forward(A=x.rows(carry=lambda T: np.eye(6))[0]))
of_loops("the two frames exchanged", lambda x: x.forward(A=x.rows(carry=lambda T: T)[0]))
of_loops("the sum of the twists", lambda x: x.forward(A=x.rows(sign=1)[0]))
of_loops("the first link mistaken for the floor", lambda x: x.forward(A=x.rows(sign=0)[0]))
of_loops(r"\f$M_{uv}\f$ instead of", lambda x: x.error(M_vu=x.M[np.ix_(x.u, x.v)]))
of_loops("of all degrees of freedom instead of", lambda x: x.error(whole=True))
of_loops(r"rows \f$v\f$ of", lambda x: x.error(rows_of_whole=True))
of_loops("both, so that driven joints", lambda x: x.error(whole=True, rows_of_whole=True))
of_loops("without its tilde", Looped.of_forces)
of_loops("the needs of passive joints dropped", Looped.of_forces)
of_loops("error of the motion that these forces make", Looped.of_needs_dropped)
of_loops(r"\f$+A_a^{\T}\lambda\f$ in", lambda x: x.of_forces(times=2))


# Appendix to chapter 09: Lagrange's equations body by body.
@functools.lru_cache(maxsize=None)
def lagrange(name):
    model, q, _, _ = prepared(name)
    equations, ones = a.LagrangeEquations(model), np.ones(model.nv)
    return equations, equations(q, ones, ones)


def energy_without_levers(name):
    """The velocity of each origin where that of the centre of mass should be."""
    equations, _ = lagrange(name)
    E = 0
    for i in range(1, equations.model.bodies + 1):
        I, V = equations.model.body(i).I, np.asarray(equations.V[i])
        E += energy(I.matrix(), np.concatenate([V[:3], V[3:] - np.cross(V[:3], I.first_moment / I.mass)]))
    return 100 * abs(E - equations.E) / equations.E


def of_lagrange(piece, times):
    def size(name):
        equations, Q = lagrange(name)
        return 100 * times * np.abs(equations.dE_dq).max() / np.abs(Q).max()
    columns("body_by_body", piece, size)


columns("body_by_body", r"\eq{ma,39} forgotten", energy_without_levers)
of_lagrange(r"\f$\partial E/\partial q_k\f$ forgotten", 1)
of_lagrange(r"\f$\partial E/\partial q_k\f$ with a plus", 2)


# Chapter 10: matrices of all bodies at once. Reference rates have alternating signs.
FAMILIES = ("christoffel", "ploen", "bracket", "momentum", "newton_euler")


@functools.lru_cache(maxsize=None)
def machine(name):
    """Rates and reference rates, the Coriolis matrices of all families, and the matrices of Ploen."""
    model, q, _, _ = prepared(name)
    ones, reference = np.ones(model.nv), (-1.0) ** np.arange(model.nv)
    C = {family: a.coriolis_matrix(model, q, ones, family) for family in FAMILIES}
    return ones, reference, C, a.GlobalMatrices(model, q, ones)


def of_family(family):
    def size(name):
        _, reference, C, _ = machine(name)
        return percent(C[family], C["christoffel"]), percent(C[family] @ reference, C["christoffel"] @ reference)
    columns("skew_symmetry", f"`{family}`", size)


for other_family in FAMILIES[1:]:
    of_family(other_family)


def of_power(name):
    ones, reference, C, all_ = machine(name)
    s, power = ones - reference, {}
    for family in FAMILIES:
        power[family] = s @ (all_.Mdot() - 2 * C[family]) @ s / 2
    assert max(abs(power[family]) for family in FAMILIES[:-1]) < 1e-12, power
    return power["newton_euler"]


columns("skew_symmetry", "of `newton_euler`,W", of_power)


def proposition_one(sign=1, shift=1, moved=1):
    """Ploen's matrix of a body; sign of m[r]^2 in I-bar, whether it is there, whether I-bar [w] is added."""
    def C_bar(V, J):
        w, first = skew(V[:3]), J[:3, 3:]
        m = J[3, 3]
        about = first @ first / m if m else 0 * first  # m [r]^2, so that I = I-bar + m [r]^2 is about the centre of mass
        I_bar = J[:3, :3] + about * (1 - sign * shift if sign > 0 or not shift else 2)
        return np.block([[w @ I_bar + moved * I_bar @ w, first @ w], [-w @ first, m * w]])
    return C_bar


def of_matrix(piece, change=None, C_bar=proposition_one(), wrong=None):
    """H^T (J Hdot + C-bar H) with another Hdot, another C-bar, or another matrix altogether."""
    def size(name):
        ones, _, C, all_ = machine(name)
        H, J = all_.GS(), all_.J

        def matrix(Hdot, of_body):
            V, blocks = (H @ ones).reshape(-1, 6), np.zeros_like(J)
            for k, twist in enumerate(V):
                at = slice(6 * k, 6 * k + 6)
                blocks[at, at] = of_body(twist, J[at, at])
            return H.T @ (J @ Hdot + blocks @ H)

        right = matrix(all_.GS_rate(), proposition_one())
        np.testing.assert_allclose(right, C["ploen"], atol=1e-12)
        found = wrong(all_) if wrong else matrix(change(all_) if change else all_.GS_rate(), C_bar)
        A = all_.Mdot() - 2 * found
        symmetric = 100 * np.abs(A + A.T).max() / 2 / np.abs(C["christoffel"]).max()
        return percent(found @ ones, right @ ones), symmetric
    columns("skew_symmetry", piece, size)


of_matrix("the recursion as it is", C_bar=lambda V, J: -ad(V).T @ J)
of_matrix("the star lost", C_bar=lambda V, J: -ad(V) @ J)
of_matrix(r"\f$\bar I = I + m[r]^2\f$", C_bar=proposition_one(sign=-1))
of_matrix("about the centre of mass", C_bar=proposition_one(shift=0))
of_matrix(r"not added in \eq{ploen,33}", C_bar=proposition_one(moved=0))
of_matrix("with the other sign", lambda g: -g.Gdot() @ g.S + g.G @ g.Sdot)
of_matrix(r"\f$\dot G\f$ forgotten", lambda g: 0 * g.GS())
of_matrix(r"\f$\dot S\f$ forgotten", lambda g: g.Gdot() @ g.S)
of_matrix(r"\f$C = \tfrac12\dot M\f$", wrong=lambda g: g.Mdot() / 2)


def of_product(piece, wrong, right="christoffel"):
    """wrong(model, q, C at given rates, rates, reference rates) is taken for C qd_r."""
    def size(name):
        model, q, _, _ = prepared(name)
        ones, reference, C, _ = machine(name)

        def at(rates, family):
            return a.coriolis_matrix(model, q, rates, family)

        return percent(wrong(at, ones, reference), C[right] @ reference)
    columns("skew_symmetry", piece, size)


of_product(r"\f$C(q,\dot q_r)\,\dot q_r\f$", lambda C, qd, r: C(r, "christoffel") @ r)
of_product(r"\f$C\dot q\f$: inverse dynamics", lambda C, qd, r: C(qd, "christoffel") @ qd)
of_product(r"\eq{ploen,25} in the controller", lambda C, qd, r: C(qd, "newton_euler") @ r)
of_product("both of these", lambda C, qd, r: C(r, "christoffel") @ qd)
of_product(r"both of these,`ploen`", lambda C, qd, r: C(r, "ploen") @ qd, "ploen")


def of_reference_recursion(piece, product):
    """product(name, all matrices at the rates, at the reference rates): what is taken for H^T (J Vdot_r + C-bar V_r)."""
    def size(name):
        model, q, _, _ = prepared(name)
        ones, reference, C, at_rates = machine(name)
        at_reference = a.GlobalMatrices(model, q, reference)
        Vdot_r, wrench_ = product(name, at_rates, at_reference, ones, reference)
        found = at_rates.GS().T @ (at_rates.J @ Vdot_r + wrench_)
        return percent(found, C["christoffel"] @ reference)
    columns("skew_symmetry", piece, size)


def exchanged(name, at_rates, reference):
    """Vdot_r with [V_i, S qd_r] in place of [Ad V_r, S qd]."""
    Vdot_r = {0: np.zeros(6)}
    V = (at_rates.GS() @ np.ones(len(reference))).reshape(-1, 6)
    for i, parent, at, T, S, _, _ in prepared(name)[3]:
        own = at_rates.Sdot[6 * i - 6:6 * i] @ reference
        Vdot_r[i] = inv(Ad(T)) @ Vdot_r[parent] + ad(V[i - 1]) @ S @ reference[at] + own
    return np.concatenate([Vdot_r[i + 1] for i in range(len(V))])


of_reference_recursion(r"\f$\bar C(V_r)V\f$ instead of", lambda name, g, r, qd, qd_r: (
    g.GS_rate() @ qd_r, r.C_bar("christoffel") @ g.GS() @ qd))
of_reference_recursion(r"\f$[V_i, S_i\dot q_r]\f$ instead of", lambda name, g, r, qd, qd_r: (
    exchanged(name, g, qd_r), g.C_bar("christoffel") @ g.GS() @ qd_r))


# Chapter 03: what is done to a description, or to the poses that come of it.
def place(name, link, of_body=np.matmul, chained=np.matmul):
    """Where the origin of a link is; of_body(M, e^{Sq}) is the pose of its joint's child, in the frames of the file."""
    model, q, _, _ = prepared(name)
    at = {slot.name: q[slot.q] for slot in model.joints}
    poses = {model.links[0].name: np.eye(4)}
    for joint in model.mechanism.joints:  # of this robot parents come first
        M = pose(a.SO3.from_quaternion(joint.quaternion).R, joint.position)
        moved = of_body(M, turn(joint.axis, at[joint.name])) if joint.name in at else M
        poses[joint.child] = chained(poses[joint.parent], moved)
    return poses[link][:3, 3]


def of_place(piece, **changed):
    @mistake("model", piece)
    def _(row):
        model, q, _, _ = prepared("ur5")
        right, found = place("ur5", "wrist_3_link"), place("ur5", "wrist_3_link", **changed)
        fk = a.ForwardKinematics(model)
        fk(q, np.ones(model.nv))
        np.testing.assert_allclose(right, fk.link_pose("wrist_3_link").p, atol=1e-13)
        printed = re.search(rf"({NUMBER}) m", row.cells[2])[1]
        row.case.assertTrue(met(printed, length(found - right)), length(found - right))


of_place("constant on the wrong side", of_body=lambda M, turned: turned @ M)
of_place("composed in the wrong order", chained=lambda before, T: T @ before)


@mistake("model", r"\f$S\f$ from the derivative of \f$T^{-1}\f$")
def _(row):
    worst = {}
    for model in a.built_in_models():
        for _, _, _, T, S, _, _ in prepared(model.name)[3]:
            if S.shape[1] > 1:
                continue
            wrong = -inv(T) @ hat(S[:, 0]) @ inv(T)  # the derivative of the inverse
            if S[:3].any():
                row.case.assertGreater(np.abs(wrong + wrong.T)[:3, :3].max(), 0.01)
            off = np.abs(wrong - hat(S[:, 0])).max() / np.abs(hat(S[:, 0])).max()
            worst[model.name] = max(worst.get(model.name, 0), off)
    row.case.assertGreater(len(worst), 10)
    row.case.assertGreaterEqual(min(worst.values()), float(re.search(rf"off by ({NUMBER}) of", row.cells[2])[1]))


def untold(I, X):
    return Ad(X).T @ I @ Ad(X)


def with_inertias(name, change):
    """Torques where change(I, X of the body's first link) stands for the inertia of each body."""
    model, _, _, bodies = prepared(name)
    first = {}
    for frame in model.links:
        first.setdefault(frame.body, frame.X.matrix())
    changed = [(*row[:-1], change(row[-1], first[row[0]])) for row in bodies]
    return table_two(name, bodies=changed)


def about_the_center(I, X):
    """The inertia about the centre of mass in the place of the one about the origin of the link's frame."""
    told = untold(I, X)
    first = told[:3, 3:]
    told[:3, :3] += first @ first / told[3, 3] if told[3, 3] else 0
    return untold(told, inv(X))


@mistake("model", "frame turned,inertia left as it was")
def _(row):
    right, wrong = prepared("ur5")[2], with_inertias("ur5", untold)
    row.says("shoulder lift ~ instead of ~ N m,~ %", wrong[1], right[1], percent(wrong, right))


@mistake("model", "the same / puma560")
def _(row):
    row.case.assertLess(percent(with_inertias("puma560", untold), prepared("puma560")[2]), 1e-9)
    row.says("On `panda` ~ %", percent(with_inertias("panda", untold), prepared("panda")[2]))


@mistake("model", "inertia about the centre of mass mistaken")
def _(row):
    right, wrong = prepared("ur5")[2], with_inertias("ur5", about_the_center)
    row.says("shoulder lift ~ instead of ~ N m,~ %", wrong[1], right[1], percent(wrong, right))


def described(name, change):
    """Torques of the model where change(mechanism) has been made to its description."""
    model, q, tau, _ = prepared(name)
    mechanism = model.mechanism
    change(mechanism)
    ones = np.ones(model.nv)
    changed = a.Model(mechanism, floating_base=model.floating_base, accept_unphysical=True)
    return a.inverse_dynamics(changed, q, ones, ones), tau


def without_bolted(mechanism):
    bolted = {joint.child for joint in mechanism.joints if joint.type == a.JointType.fixed}
    for link in mechanism.links:
        if link.name in bolted:
            link.mass, link.inertia = 0, np.zeros(6)


def other_products(mechanism):
    for link in mechanism.links:
        link.inertia = link.inertia * [1, -1, -1, 1, -1, 1]


@mistake("model", "mass of bolted links forgotten")
def _(row):
    wrong, right = described("panda", without_bolted)
    row.says("the hand,~ kg: joint 4 has ~ instead of ~ N m,~ %",
             next(link.mass for link in a.built_in_model("panda").links if link.name == "panda_hand"), wrong[3], right[3],
             percent(wrong, right))


@mistake("model", "the same / ur5")
def _(row):
    wrong, right = described("ur5", without_bolted)
    row.case.assertEqual(list(wrong), list(right))
    row.says("none: nothing heavy")


@mistake("model", "products of inertia with the other sign")
def _(row):
    wrong, right = described("panda", other_products)
    row.says("joint 1 has ~ instead of ~ N m,~ % of it. On `ur5` none", wrong[0], right[0],
             100 * abs(wrong[0] - right[0]) / abs(right[0]))
    wrong, right = described("ur5", other_products)
    row.case.assertEqual(list(wrong), list(right))


@mistake("model", "axis not normalised")
def _(row):
    axis = next(joint.axis for joint in a.built_in_model("forked_arm").joints if joint.name == "climb")
    row.says("has length ~: at ~ the carriage is at ~ m", length(axis), 0.6, 0.6 * length(axis))


@mistake("model", "order of the file mistaken")
def _(row):
    model, _, tau, _ = prepared("drone_arm")
    in_file = [joint.name for joint in model.mechanism.joints if joint.type != a.JointType.fixed]
    in_model = [slot.name for slot in model.joints if slot.nv == 1]
    row.case.assertEqual((in_file[0], in_model[0]), ("shoulder", "camera_pan"))
    row.says("the shoulder gets ~ instead of ~ N m", tau[6], tau[6 + in_model.index("shoulder")])


@mistake("model", r"missing `<axis>` read as z")
def _(row):
    model = a.Model.parse('<robot name="one"><link name="a"/><link name="b"/><joint name="j" type="continuous">'
                          '<parent link="a"/><child link="b"/></joint></robot>')
    axis = model.mechanism.joints[0].axis
    row.case.assertEqual(list(axis), [1, 0, 0])
    row.says("off by ~ degrees", np.degrees(np.arccos(axis[2])))


@mistake("model", r"rates of the free joint read as \f$\dot p\f$")
def _(row):
    R = prepared("drone_arm")[3][0][3][:3, :3]
    right, wrong = R @ np.ones(3), np.ones(3)
    off = np.abs(right - wrong)
    row.says(r"Rv = ~,not ~: ~ m/s in two components", right, wrong, off.max())
    row.case.assertEqual(int(np.sum(np.abs(off - off.max()) < 1e-12)), 2)


def shortest_turn(axis):
    """The one that takes z to the axis, as textbooks have it: division by one plus the cosine."""
    k, c = np.cross([0, 0, 1], axis), axis[2]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.eye(3) + skew(k) + skew(k) @ skew(k) / (1 + c)


def of_half_turn(piece, epsilon):
    @mistake("model", piece)
    def _(row):
        """Rounding: no more than the size is said."""
        axis = np.array([0.6, 0.8, 0]) * epsilon - [0, 0, 1]
        C = shortest_turn(axis / length(axis))
        if epsilon == 1e-8:
            row.says("division by zero")
            row.case.assertFalse(np.isfinite(C).all())
        else:
            near(row, 2, np.abs(C.T @ C - np.eye(3)).max(), within=10)


of_half_turn("shortest turn without the half turn", 1e-5)
of_half_turn(r"/ \f$\epsilon = 10^{-7}\f$", 1e-7)
of_half_turn(r"/ \f$\epsilon = 10^{-8}\f$", 1e-8)


# Chapter 08: Table 5 for all coordinates and all rates at once.
@functools.lru_cache(maxsize=None)
def moving_columns(name):
    """How S and Sdot qd of each body change with each coordinate and each rate, by differences; zero for one degree."""
    model, q, _, bodies = prepared(name)
    n, h = model.nv, 1e-6
    ones = np.ones(n)

    def seen(q, qd):
        rnea = a.InverseDynamics(model)
        rnea(q, qd, 0 * qd)
        S = [np.asarray(rnea.S[i]) for i, *_ in bodies]
        return S, [rnea.eta[i] - ad(rnea.V[i]) @ S[k] @ qd[bodies[k][2]] for k, (i, *_) in enumerate(bodies)]

    dS, dSdqd = {}, {}
    for p in range(n):
        e = h * np.eye(n)[p]
        for kind, ahead, behind in (("q", seen(a.displaced(model, q, e), ones), seen(a.displaced(model, q, -e), ones)),
                                    ("qd", seen(q, ones + e), seen(q, ones - e))):
            dS[kind, p] = [(x - y) / (2 * h) for x, y in zip(ahead[0], behind[0])]
            dSdqd[kind, p] = [(x - y) / (2 * h) for x, y in zip(ahead[1], behind[1])]
    return dS, dSdqd


TILT = dict(
    V=lambda dh, T, V: -ad(dh) @ inv(Ad(T)) @ V,
    Vdot=lambda dh, T, Vdot: -ad(dh) @ inv(Ad(T)) @ Vdot,
    F=lambda dh, T, F: -inv(Ad(T)).T @ ad(dh).T @ F,
    h=lambda T, S: S,
    first=1.0, second=1.0, bracket=1.0, carried=1.0, columns=1.0, rates=1.0, transposed=1.0, gravity=1.0, qdd=1.0,
)


def table_five(name, external=None, **changed):
    """The derivatives of tau with respect to q, along displacements, and to qd; all rates and accelerations are one."""
    line = {**TILT, **changed}
    model, _, _, bodies = prepared(name)
    n = model.nv
    dS, dSdqd = moving_columns(name)
    V, Vdot, F = {0: np.zeros(6)}, {0: np.array([0, 0, 0, *(-line["gravity"] * model.gravity)])}, {}
    for i, parent, at, T, S, Sdqd, I in bodies:
        Sqd = S @ np.ones(S.shape[1])
        V[i] = inv(Ad(T)) @ V[parent] + Sqd
        Vdot[i] = inv(Ad(T)) @ Vdot[parent] + ad(V[i]) @ Sqd + Sdqd + line["qdd"] * Sqd
        F[i] = I @ Vdot[i] - ad(V[i]).T @ I @ V[i]
    for i, parent, _, T, *_ in reversed(bodies):
        if parent:
            F[parent] = F[parent] + inv(Ad(T)).T @ F[i]
    results = {}
    for kind in ("q", "qd"):
        results[kind] = np.zeros((n, n))
        for p in range(n):
            dV, dVdot, dF = {0: np.zeros(6)}, {0: np.zeros(6)}, {}
            for k, (i, parent, at, T, S, _, I) in enumerate(bodies):
                ones, e = np.ones(S.shape[1]), np.eye(n)[p][at]
                dh = line["h"](T, S) @ e if kind == "q" else np.zeros(6)
                moved = line["columns"] * dS[kind, p][k] @ ones + (S @ e if kind == "qd" else 0)
                dV[i] = line["V"](dh, T, V[parent]) + line["carried"] * inv(Ad(T)) @ dV[parent] + moved
                deta = (line["bracket"] * ad(dV[i]) @ S @ ones + ad(V[i]) @ moved
                        + line["columns"] * line["rates"] * dSdqd[kind, p][k])
                dVdot[i] = (line["Vdot"](dh, T, Vdot[parent]) + inv(Ad(T)) @ dVdot[parent] + deta
                            + line["qdd"] * line["columns"] * dS[kind, p][k] @ ones)
                dF[i] = (I @ dVdot[i] - line["first"] * ad(dV[i]).T @ I @ V[i] - line["second"] * ad(V[i]).T @ I @ dV[i])
            for k, (i, parent, at, T, S, _, _) in reversed(list(enumerate(bodies))):
                results[kind][at, p] = S.T @ dF[i] + line["columns"] * line["transposed"] * dS[kind, p][k].T @ F[i]
                if parent:
                    dh = line["h"](T, S) @ np.eye(n)[p][at] if kind == "q" else np.zeros(6)
                    dF[parent] = dF[parent] + inv(Ad(T)).T @ dF[i] + line["F"](dh, T, F[i])
    return results["q"], results["qd"]


@functools.lru_cache(maxsize=None)
def right_jacobians(name):
    model, q, _, _ = prepared(name)
    ones = np.ones(model.nv)
    J = a.inverse_dynamics_jacobians(model, q, ones, ones)
    for ours, copy in zip(J, table_five(name)):
        np.testing.assert_allclose(copy, ours, atol=1e-7 * np.abs(ours).max())
    return J


def of_derivatives(piece, **changed):
    @mistake("derivatives", piece)
    def _(row):
        """Where one number is printed, the derivative with respect to the rates is right."""
        for name, cell in zip(row.head[1:], row.cells[1:]):
            name = name.strip("`")
            off = [percent(wrong, J) for wrong, J in zip(table_five(name, **changed), right_jacobians(name))]
            printed = [] if cell == "none" else cell.split(",")
            for said, ours in zip(printed, off):
                row.case.assertTrue(met(said, ours), f"{name}: {cell} is printed where ours are {off}: {row.cells[0]}")
            row.case.assertLess(max([0, *off[len(printed):]]), 1e-5, f"{name}: {off}")


of_derivatives(r"\f$\ad_{\partial h}\Ad\dot V_\lambda\f$ forgotten", Vdot=lambda dh, T, Vdot: 0 * Vdot)
of_derivatives(r"\f$\ad_{\partial h}\Ad V_\lambda\f$ forgotten", V=lambda dh, T, V: 0 * V)
of_derivatives(r"\f$\ad_{\partial h}V_\lambda\f$,with the change of frame", V=lambda dh, T, V: -ad(dh) @ V)
of_derivatives(r"\f$\ad^*_{\partial h_k}F_k\f$ forgotten", F=lambda dh, T, F: 0 * F)
of_derivatives(r"\f$\partial h = \partial T\,T^{-1}\f$", h=lambda T, S: Ad(T) @ S)
of_derivatives(r"in \eq{kim,88},as in our copy", F=lambda dh, T, F: -Ad(T).T @ ad(dh).T @ F)
of_derivatives("the order reversed", F=lambda dh, T, F: -ad(dh).T @ inv(Ad(T)).T @ F)
of_derivatives(r"\f$\ad^*_{\partial V}\mathcal IV\f$ forgotten", first=0.0)
of_derivatives(r"\f$\ad^*_V\mathcal I\,\partial V\f$ forgotten", second=0.0)
of_derivatives(r"\f$\ad_{\partial V}S\dot q\f$ forgotten", bracket=0.0)
of_derivatives("not carried on to the child", carried=0.0)
of_derivatives(r"mistake in Table 5: \f$\partial S\f$ and \f$\partial\dot S\f$", columns=0.0)
of_derivatives(r"\f$\partial\dot S\f$ alone", rates=0.0)
of_derivatives(r"\f$(\partial S)^{\T}F\f$ forgotten", transposed=0.0)
of_derivatives(r"the dependence of \f$M\f$ on", qdd=0.0)
of_derivatives("gravity forgotten", gravity=0.0)


def of_forward_derivatives(piece, wrong):
    """wrong(name, M, right derivative of tau): what is taken for M^-1 times it, negative; with respect to q, perhaps qd."""
    @mistake("derivatives", piece)
    def _(row):
        for name, cell in zip(row.head[1:], row.cells[1:]):
            name = name.strip("`")
            M, J = a.mass_matrix(*prepared(name)[:2]), right_jacobians(name)
            for said, found, right in zip(cell.split(","), wrong(name, M, J), (inv(M) @ J[0], inv(M) @ J[1])):
                row.case.assertTrue(met(said, percent(found, right)), f"{name}: {cell}: ours is {percent(found, right)}")


of_forward_derivatives(r"\f$-M^{-1}\,\partial\tau/\partial q\f$ with",
                       lambda name, M, J: [inv(M) @ table_five(name, qdd=0.0)[0]])


def of_hybrid_derivatives(piece, size):
    """size(M, G, G where qdd of v is zero, u, v), G being the derivative of tau with respect to q."""
    def all_(name):
        model, q, _, _ = prepared(name)
        u, v = sets(model.nv)
        M, ones, driven = a.mass_matrix(model, q), np.ones(model.nv), np.zeros(model.nv)
        driven[u] = 1
        return size(M, right_jacobians(name)[0], a.inverse_dynamics_jacobians(model, q, ones, driven)[0], u, v)
    columns("derivatives", piece, all_)


def of_u(M, G, u, v):
    return G[u] - block(M, u, v) @ inv(block(M, v, v)) @ G[v]


of_hybrid_derivatives(r"rows \f$v\f$: \f$M^{-1}\f$ of all", lambda M, G, at_zero, u, v: percent(
    (inv(M) @ G)[v], inv(block(M, v, v)) @ G[v]))
of_hybrid_derivatives(r"rows \f$u\f$: \f$G_u\f$ alone", lambda M, G, at_zero, u, v: percent(G[u], of_u(M, G, u, v)))
of_hybrid_derivatives(r"rows \f$v\f$: linearised at", lambda M, G, at_zero, u, v: percent(
    inv(block(M, v, v)) @ at_zero[v], inv(block(M, v, v)) @ G[v]))


def of_differences(piece, quotient, within):
    """quotient(tau at a displacement): the difference quotient. Where rounding made the size, it is met in size only."""
    @mistake("derivatives", piece)
    def _(row):
        for name, cell in zip(row.head[1:], row.cells[1:]):
            model, q, _, _ = prepared(name.strip("`"))
            ones, unit = np.ones(model.nv), np.eye(model.nv)

            def tau(k, h):
                return a.inverse_dynamics(model, a.displaced(model, q, h * unit[k]), ones, ones)

            J = right_jacobians(name.strip("`"))[0]
            off = percent(np.stack([quotient(functools.partial(tau, k)) for k in range(model.nv)], axis=1), J) / 100
            met_ = abs(math.log10(float(cell) / off)) < math.log10(within) if within else met(cell, off)
            row.case.assertTrue(met_, f"{name}: {cell} is printed where ours is {off}")


def forward(h):
    return lambda tau: (tau(h) - tau(0)) / h


def central(h):
    return lambda tau: (tau(h) - tau(-h)) / (2 * h)


of_differences(r"forward,step \f$10^{-6}\f$", forward(1e-6), 0)
of_differences(r"forward,step \f$10^{-8}\f$", forward(1e-8), 5)
of_differences(r"forward,step \f$10^{-10}\f$", forward(1e-10), 5)
of_differences(r"central,step \f$10^{-4}\f$", central(1e-4), 0)
of_differences(r"central,step \f$10^{-6}\f$", central(1e-6), 5)


def of_a_free_joint(piece, of_columns):
    """of_columns(tau, q, right columns of a displacement's turn): what is taken for them."""
    @mistake("derivatives", piece)
    def _(row):
        model, q, _, _ = prepared("drone_arm")
        ones, J = np.ones(model.nv), right_jacobians("drone_arm")[0]

        def tau(q, qd=ones):
            return a.inverse_dynamics(model, q, qd, ones)

        wrong = J.copy()
        wrong[:, :3] = of_columns(tau, q)
        off = percent(wrong, J)
        row.case.assertTrue(met(row.cells[3], off), f"{row.cells[3]} is printed where ours is {off}")


def by_quaternion(factor):
    def columns_(tau, q):
        found = []
        for k in range(3):
            ahead, behind = (q + s * 1e-6 * np.eye(len(q))[3 + k] for s in (1, -1))
            for x in (ahead, behind):
                x[3:7] /= length(x[3:7])
            found.append(factor * (tau(ahead) - tau(behind)) / 2e-6)
        return np.stack(found, axis=1)
    return columns_


def with_pdot_held(tau, q):
    model, _, _, bodies = prepared("drone_arm")
    R, found = bodies[0][3][:3, :3], []
    for k in range(3):
        sides = []
        for h in (1e-6, -1e-6):
            moved = a.displaced(model, q, h * np.eye(model.nv)[k])
            turned = a.SO3.from_quaternion(moved[3:7]).R
            qd = np.ones(model.nv)
            qd[3:6] = turned.T @ R @ qd[3:6]
            sides.append(tau(moved, qd))
        found.append((sides[0] - sides[1]) / 2e-6)
    return np.stack(found, axis=1)


of_a_free_joint("of the quaternion instead of", by_quaternion(1))
of_a_free_joint("between quaternion and angle", by_quaternion(0.5))
of_a_free_joint(r"\f$\dot p\f$ held", with_pdot_held)


@mistake("derivatives", "10 N along the world's x axis at the origin")
def _(row):
    row.case.assertEqual(row.cells[1:], ["", "", "", ""])  # a title


@mistake("derivatives", "a wrench fixed in space,but held")
def _(row):
    for name, cell in zip(row.head[1:], row.cells[1:]):
        model, q, _, _ = prepared(name.strip("`"))
        link, ones = LAST_LINK.get(name.strip("`"), model.links[-1].name), np.ones(model.nv)
        at = a.ForwardKinematics(model)
        at(q, ones)
        in_space = np.concatenate([np.cross(at.link_pose(link).p, (10, 0, 0)), (10, 0, 0)])

        def given(q_):
            at(q_, ones)
            return {link: Ad(at.link_pose(link).matrix()).T @ in_space}

        def tau(delta):
            moved = a.displaced(model, q, delta)
            return a.inverse_dynamics(model, moved, ones, ones, given(moved))

        right = np.stack([(tau(1e-6 * e) - tau(-1e-6 * e)) / 2e-6 for e in np.eye(model.nv)], axis=1)
        off = percent(a.inverse_dynamics_jacobians(model, q, ones, ones, given(q))[0], right)
        row.case.assertTrue(met(cell, off), f"{name}: {cell} is printed where ours is {off}")


# Chapter 09: Park's screws, seen from the base at x = 0.
def screws_of(name):
    model, q, _, _ = prepared(name)
    screws = a.ScrewSystem(model)
    return q, [np.array([*A.w, *A.v]) for A in screws.A], [D.matrix() for D in screws.D[1:]]


def equation_40(name, A=None, D=None, forward=False):
    """The mass matrix of a chain of joints with one degree each; forward exponentials are the mistake."""
    q, screws, inertias = screws_of(name)
    A, D, n = A or screws, D or inertias, len(q)

    def carried(l, i):
        P = np.eye(6)
        for k in range(i + 1, l + 1):
            P = P @ Ad(expm(hat(q[k] * screws[k]))) if forward else Ad(expm(hat(-q[k] * screws[k]))) @ P
        return P @ A[i]

    def entry(i, j):
        return sum(carried(l, i) @ D[l] @ carried(l, j) for l in range(max(i, j), n))

    return np.array([[entry(i, j) for j in range(n)] for i in range(n)])


def of_mass_matrix(piece, **changed):
    """changed: what to hand to (40), each as a function of the model's name."""
    def size(name):
        right = a.mass_matrix(*prepared(name)[:2])
        np.testing.assert_allclose(equation_40(name), right, atol=1e-10)
        return percent(equation_40(name, **{key: value(name) for key, value in changed.items()}), right)
    columns("lagrange", piece, size)


def single_factors(name):
    return [Ad(prepared(name)[0].body(i).M.matrix()) for i, *_ in prepared(name)[3]]


of_mass_matrix("with the exponentials forward", forward=lambda name: True)
of_mass_matrix(r"\f$\mathcal A = \mathcal Q\mathcal S\f$", A=lambda name: [
    Q @ row[4][:, 0] for Q, row in zip(single_factors(name), prepared(name)[3])])
of_mass_matrix(r"\f$\mathcal D = \mathcal Q^{-\T}", D=lambda name: [
    inv(Q).T @ row[6] @ inv(Q) for Q, row in zip(single_factors(name), prepared(name)[3])])


@functools.lru_cache(maxsize=None)
def metric_of(name):
    model, q, _, _ = prepared(name)
    metric = a.InertiaMetric(model)
    metric(q)
    return metric


def of_metric(piece, size):
    columns("lagrange", piece, lambda name: size(metric_of(name)))


def without_products(metric):
    """How much the products of Christoffel symbols are of the curvature <R(i, j) k, l>."""
    n, G, M = metric.dimension, metric.christoffel_symbols(), metric.M()
    up = np.einsum("ijm,mk->ijk", G, inv(M))
    dG = np.array([[[[metric.dchristoffel(j, k, l, i) for l in range(n)] for k in range(n)] for j in range(n)]
                   for i in range(n)])
    linear = dG - dG.transpose(1, 0, 2, 3)
    full = linear - np.einsum("jkm,ilm->ijkl", up, G) + np.einsum("ikm,jlm->ijkl", up, G)
    R = a.Curvature(metric)
    size = max(abs(R(i, j, k, l)) for i in range(n) for j in range(n) for k in range(n) for l in range(n))
    np.testing.assert_allclose(np.abs(full).max(), size, rtol=1e-9)
    return percent(linear, full)


def geodesic(metric):
    force = metric.christoffel_symbols().sum(axis=(0, 1))
    return percent(force, inv(metric.M()) @ force)


of_metric(r"the first index of \f$\Gamma\f$", lambda metric: percent(
    metric.christoffel_symbols().transpose(2, 1, 0), metric.christoffel_symbols()))
of_metric(r"\eq{park,66} without the products", without_products)
of_metric("in a geodesic", geodesic)


def other_gravity(name):
    model, q, _, _ = prepared(name)
    rnea = a.InverseDynamics(model)
    rnea.set_gravity(-model.gravity)
    return percent(rnea(q, 0 * q, 0 * q), a.gravity_force(model, q))


columns("lagrange", "gravity with the printed sign", other_gravity)


def energy_without_half(name):
    model, q, _, _ = prepared(name)
    at = a.ForwardKinematics(model)
    at(q, np.ones(model.nv))
    return percent(equation_40(name).sum(), at.kinetic_energy())


columns("lagrange", r"in \eq{park,39} alone", energy_without_half)


# The motion as a whole, and derivatives of Jacobians and of impulses.
def upper(x):
    return np.asarray(x)[:3]


@functools.lru_cache(maxsize=None)
def whole(name):
    """The sample state, all rates one, with what CentroidalMomentum says of it."""
    model, q = sample(name)
    motion = a.CentroidalMomentum(model)
    motion(q, np.ones(model.nv))
    return model, q, np.ones(model.nv), motion


def about(point, columns):
    """What moments about a point are more than about the centre of mass, or than about one that stays."""
    return np.cross(point, columns[3:].T).T


def of_whole(piece, size):
    columns("centroidal_momentum", piece, lambda name: size(*whole(name)))


def own_bodies(model, q, one, motion):
    alone, kinematics = np.zeros((3, model.nv)), a.ForwardKinematics(model)
    kinematics(q, one)
    for i in range(1, model.bodies + 1):
        body, T = model.body(i), np.array(kinematics.pose(i).matrix())
        T[:3, 3] -= motion.center
        alone[:, body.v : body.v + body.nv] = upper(inv(Ad(T)).T @ body.I.matrix() @ np.asarray(kinematics.S[i]))
    return percent(alone, upper(motion.A))


def undisplaced(derivative, force):
    """Of an entry of centroidal_jacobians, with the lower half of what is differentiated."""
    def size(model, q, one, motion):
        by_q = upper(a.centroidal_jacobians(model, q, one, one)[derivative])
        return percent(by_q + np.cross(motion.J().T, force(motion, one)).T, by_q)
    return size


of_whole("moments about the world's origin", lambda model, q, one, motion: percent(
    upper(motion.A) + about(motion.center, np.array(motion.A)), upper(motion.A)))
of_whole("a joint moves its own body alone", own_bodies)
of_whole(r"\f$-\dot c\times f\f$ forgotten", lambda model, q, one, motion: percent(
    upper(motion.Adot) + about(motion.velocity, np.array(motion.A)), upper(motion.Adot)))
of_whole(r"\f$\dot A\dot q\f$ forgotten", lambda model, q, one, motion: percent(
    upper(motion.A @ one), upper(motion.momentum_rate(one))))
of_whole("the point of the moments is not displaced",
         undisplaced(0, lambda motion, one: motion.mass * np.array(motion.velocity)))
of_whole(r"the same / \f$\partial\dot h/\partial q\f$,upper half",
         undisplaced(1, lambda motion, one: motion.mass * np.array(motion.acceleration(one))))
for times, piece in ((1, r"\f$\dot A\f$ taken"), (2, r"\f$2\dot A\f$ taken")):
    of_whole(piece, lambda model, q, one, motion, times=times: percent(
        times * upper(motion.Adot), upper(a.centroidal_jacobians(model, q, one, one)[2])))


def of_hessian(piece, size):
    """size(model, q, name of the last link)."""
    def of_last(name):
        model, q = sample(name)
        return size(model, q, model.links[-1].name)
    columns("link_derivatives", piece, of_last)


def both_orders(model, q, link):
    kinematics = a.ForwardKinematics(model)
    kinematics(q, np.ones(model.nv))
    J = kinematics.link_jacobian(link)
    return percent(np.transpose([ad(column) @ J for column in J.T], (1, 0, 2)), a.link_jacobian_derivatives(model, link, q))


def itself_held(model, q, link):
    kinematics = a.ForwardKinematics(model)
    kinematics(q, np.ones(model.nv))
    turned = np.kron(np.eye(2), kinematics.link_pose(link).R)
    return percent(np.einsum("ab,bkj->akj", turned, a.link_jacobian_derivatives(model, link, q)),
                   a.link_jacobian_derivatives(model, link, q, "mixed"))


def exchanged_half(half):
    def size(model, q, link):
        by_q = a.link_jacobian_derivatives(model, link, q, "mixed")[half]
        return percent(by_q.transpose(0, 2, 1), by_q)
    return size


def other_sum(model, q, link):
    by_q = a.link_jacobian_derivatives(model, link, q, "mixed")
    return percent(by_q.sum(1), by_q.sum(2))


of_hessian(r"for joints before \f$k\f$", both_orders)
of_hessian(r"\f$Y_j\f$ forgotten", itself_held)
of_hessian("as if displacements commuted", exchanged_half(slice(3)))
of_hessian(r"the same / \f$\partial J/\partial q\f$ in mixed axes,lower half", exchanged_half(slice(3, 6)))
of_hessian(r"summed over \f$k\f$", other_sum)


class Landing:
    """The last link meets a plane, all rates one before."""
    e = 0.5

    def __init__(self, name):
        self.model, self.q = sample(name)
        self.n, self.one = self.model.nv, np.ones(self.model.nv)
        first, point = a.LoopEnd(self.model.links[0].name), a.LoopEnd(self.model.links[-1].name, (0.1, 0.2, 0.3))
        self.plane = [a.Loop("plane", first, point, (True, True, False), "free", np.array([1, 2, 2]) / 3)]
        self.M, self.A = a.mass_matrix(self.model, self.q), self.rows(self.q)
        self.system = np.block([[self.M, -self.A.T], [self.A, np.zeros((1, 1))]])
        self.given = self.model, self.plane, self.q, self.one, self.e
        self.qd, self.impulse = a.loop_impulse(*self.given)
        self.by_q, _, self.impulse_by_q, _ = a.loop_impulse_jacobians(*self.given)

    def rows(self, q):
        loops = a.Loops(self.model, self.plane)
        loops(q, self.one)
        return np.array(loops.A)

    def along(self, f):
        moved = lambda k, h: f(a.displaced(self.model, self.q, h * np.eye(self.n)[k]))
        first = lambda k, h: (moved(k, h) - moved(k, -h)) / (2 * h)
        return [(4 * first(k, 2.0**-10) - first(k, 2.0**-9)) / 3 for k in range(self.n)]

    def derivative(self, momentum=1, force=1, rows=1):
        """Ours 59, by differences of M and A, with a term left out: of rates, then of the impulse."""
        y, columns = self.qd + self.e * self.one, []
        for dM, dA in zip(self.along(lambda q: a.mass_matrix(self.model, q)), self.along(self.rows)):
            top = momentum * (1 + self.e) * dM @ self.one - dM @ y + force * dA.T @ self.impulse
            columns.append(np.linalg.solve(self.system, np.concatenate([top, -rows * dA @ y])))
        found = np.transpose(columns)
        return found[: self.n], found[self.n :]


landing = functools.lru_cache(maxsize=None)(Landing)


def of_landing(piece, **left_out):
    def size(name):
        at = landing(name)
        right = at.by_q, at.impulse_by_q
        for ours, witness in zip(right, at.derivative()):
            np.testing.assert_allclose(ours, witness, atol=1e-7 * np.abs(witness).max())
        return [percent(wrong, x) for wrong, x in zip(at.derivative(**left_out), right)]
    columns("derivatives_with_loops", piece, size)


def of_landed(piece, wrong):
    columns("derivatives_with_loops", piece, lambda name: percent(wrong(landing(name)), landing(name).qd))


def nearest_by_numbers(at):
    return at.one - (1 + at.e) * np.linalg.pinv(at.A) @ at.A @ at.one


of_landing(r"\f$\partial(M\dot q^-)\f$ forgotten", momentum=0)
of_landing(r"\f$\partial A^{\T}\Lambda\f$ forgotten", force=0)
of_landing(r"\f$\partial A\,y\f$ forgotten", rows=0)
of_landed("the nearest by their numbers", nearest_by_numbers)
of_landed(r"\f$e\f$ forgotten", lambda at: a.loop_impulse(at.model, at.plane, at.q, at.one)[0])


TABLE_SIX = "a line of Table 6: each is broken by the identities of the chapter; how much it costs here is not made again"
PARK = "a formula of brackets, proved beside its slips by the errata of the chapter; its size is not made again"
GEOMETRY = "derivatives with respect to geometry, which the Python module does not give with a line changed"
WITHOUT_NUMBERS = {
    "derivatives": {
        "in the line of \\f$\\partial\\dot V\\f$": TABLE_SIX,
        r"\f$\partial\Psi\f$ taken": TABLE_SIX,
        r"\f$\Pi\ad_{\partial h}\f$ and its transpose": TABLE_SIX,
        "only one of the two taken": TABLE_SIX,
        r"\f$\ad^*_{\partial h}\beta\f$ forgotten": TABLE_SIX,
        r"mistake: \f$\partial S\f$ and \f$\partial\dot S\f$ forgotten": TABLE_SIX,
        "place of the joint in the parent": GEOMETRY,
        "place of the body on its joint": GEOMETRY,
        "axis of the joint": GEOMETRY,
        "`InverseDynamicsJacobians`": "rounding in the right form, held by the test of the complex step",
    },
    "lagrange": {
        r"\eq{park,55} used for all three cases": PARK,
        "sum and half for the first term only": PARK,
        r"the two cases of \eq{park,54} as printed": PARK,
    },
}


# Chapters whose tables are not made again here, and what stands behind their numbers.
CHAPTERS_WITHOUT = {
    "motion": "runs of up to a thousand seconds with steps of other methods",
    "higher_order": "a copy of the spatial form with one line broken",
    "mechanisms": "the eighty seconds of the notebook",
    "oracle": "words: mistakes of those who make and use numbers",
}


def found(pieces, head, cells):
    """The piece that means this row: one of its first cell, or with the second, or with the title of the column."""
    names = (cells[0], f"{cells[0]} / {cells[1].strip('`')}", f"{head[0]}: {cells[0]}")
    return max((x for x in pieces if any(x in name for name in names)), key=lambda x: (x in names, len(x)), default=None)


class WhatCanGoWrong(unittest.TestCase):
    def test_every_chapter(self):
        """Its mistakes are made here, or the reason why not is given."""
        stems = {path.stem[3:] for path in CHAPTERS.glob("[01]?_*.md")}
        self.assertEqual(stems | APPENDICES, {*MISTAKES, *CHAPTERS_WITHOUT})
        self.assertEqual({*MISTAKES} & {*CHAPTERS_WITHOUT}, set())

    def test_every_row(self):
        for stem, checks in MISTAKES.items():
            left_out = {clean(piece): reason for piece, reason in WITHOUT_NUMBERS.get(stem, {}).items()}
            self.assertEqual(checks.keys() & left_out.keys(), set())
            claimed = []
            for head, cells in rows(stem):
                with self.subTest(chapter=stem, row=cells[0]):
                    piece = found([*checks, *left_out], head, cells)
                    self.assertIsNotNone(piece, "a row without a test")
                    claimed.append(piece)
                    if piece in checks:
                        checks[piece](Row(self, head, cells))
            self.assertEqual(sorted(claimed), sorted([*checks, *left_out]), "each mistake has one row")


if __name__ == "__main__":
    unittest.main()
