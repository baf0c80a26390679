"""Certified cases read by a program that knows nothing of Articulate but the schema, and computed from textbooks.

second_reader.py FOLDER: of the lower tier each number that a closed form gives must be within its radius, computed with
60 digits; of every case some numbers must be products and sums of others, as far as their radii tell. The radii must be
those of fifty digits. What is not looked at: quantities that no form and no relation gives, whose number is printed,
condition and double_digits, exact_zero, and the texts.
"""
import json
import sys
from pathlib import Path
from mpmath import mp, mpf, mpc, matrix, diff, eye, zeros, diag, sin, cos, asin, acos, arg, pi

mp.dps = 60


# --- reading --------------------------------------------------------------------------------------------------------


def exact(number):
    """A number of binary64, exactly."""
    return mpf(float.fromhex(number["hexadecimal"]))


def exact_list(numbers):
    return [mpf(float.fromhex(text)) for text in numbers["hexadecimal"]]


class Case:
    """A file that was read; numbers that are computed are held against its answers."""

    def __init__(self, case):
        self.name, self.tier, self.answers = case["case"], case["tier"], case["answers"]
        self.machine = case["machine"]
        self.links, self.joints, self.loops = (self.machine[key] for key in ("links", "joints", "loops"))
        self.gravity = exact_list(self.machine["gravity"])
        self.q, self.qd, self.qdd, self.tau = (exact_list(case["state"][key]) for key in ("q", "qd", "qdd", "tau"))
        self.independent = case["state"]["independent"]
        self.has_wrenches = bool(case["state"]["external_wrenches"])
        self.compared = self.wrong = 0
        self.judged = set()

    def require_fifty_digits(self):
        """A radius above 1e-49 of the largest number of the quantity and unit would let wrong numbers pass."""
        for quantity, answer in self.answers.items():
            rows = zip(answer["unit"], answer["value"], answer["radius"])
            entries = [(unit, abs(mpf(x)), mpf(radius)) for row in rows for unit, x, radius in zip(*row)]
            sizes = {unit: mpf(0) for unit, _, _ in entries}
            for unit, x, _ in entries:
                sizes[unit] = max(sizes[unit], x)
            for unit, _, radius in entries:
                largest = sizes[unit] or 1
                if not 0 <= radius <= mpf("1.001e-49") * largest:  # the largest is rounded, too
                    self.wrong += 1
                    print(f"{self.name}: {quantity} has the radius {radius} beside {largest} {unit}")

    def table(self, quantity, key="value"):
        return matrix([[mpf(x) for x in row] for row in self.answers[quantity][key]])

    def judge(self, quantity, computed, slack=None, last_row=False):
        """Compare a matrix with the one in the file; slack bounds what the computed one may be wrong by."""
        self.judged.add(quantity)
        computed = matrix(computed)
        value, radius = self.table(quantity), self.table(quantity, "radius")
        if last_row:
            value, radius = value[value.rows - 1, :], radius[radius.rows - 1, :]
        assert (value.rows, value.cols) == (computed.rows, computed.cols), quantity
        # Sixty digits of our own, of numbers up to the largest of the quantity.
        rounding = mpf("1e-55") * (1 + max(abs(x) for x in value))
        for i in range(value.rows):
            for j in range(value.cols):
                self.compared += 1
                limit = radius[i, j] + rounding + (slack[i, j] if slack else 0)
                if abs(value[i, j] - computed[i, j]) > limit:
                    self.wrong += 1
                    print(f"{self.name}: {quantity}[{i}][{j}] is {value[i, j]}, computed {computed[i, j]}")

    def require_zero(self, words, found):
        """Numbers that are none, up to what is known of them."""
        for x, radius in zip(found.value, found.radius):
            self.compared += 1
            if abs(x) > radius:
                self.wrong += 1
                print(f"{self.name}: {words} is {x} and has to be zero")

    def judge_all(self, **computed):
        for quantity, numbers in computed.items():
            self.judge(quantity, numbers)


def inertia(link):
    return exact_list(link["inertia_xx_xy_xz_yy_yz_zz"])


def skew(a):
    return matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def stack(*vectors):
    return matrix([x for vector in vectors for x in vector])


# --- closed forms ---------------------------------------------------------------------------------------------------


def added(x, k, step):
    moved = x.copy()
    moved[k] += step
    return moved


def tree(case, M, b, energy, moved=added):
    """What follows from the equations M(q) qdd + b(q, qd) = tau, by differentiation in 60 digits.

    moved(q, k, step) displaces degree k.
    """
    q, qd, qdd, tau = (matrix(x) for x in (case.q, case.qd, case.qdd, case.tau))
    n = len(case.qd)
    rest = zeros(n, 1)
    here = M(q)
    inverse = here**-1
    motion = inverse * (tau - b(q, qd))

    def columns(f):
        """The derivatives of a vector of a step in each direction."""
        answer = zeros(n, n)
        for k in range(n):
            answer[:, k] = diff(lambda x: f(x, k), 0)
        return answer

    def force(q, qd, qdd):
        return M(q) * qdd + b(q, qd)

    def rows(slopes):
        """Row n i + j, column k: entry i, k of the j-th matrix."""
        return matrix([[slopes[j][i, k] for k in range(n)] for i in range(n) for j in range(n)])

    def twice(f):
        """The derivatives of f of a step in the j-th direction and another in the k-th."""
        by = [[diff(lambda x, y: f(x, j, y, k), (0, 0), (1, 1)) for k in range(n)] for j in range(n)]
        return rows([matrix([[by[j][k][i] for k in range(n)] for i in range(n)]) for j in range(n)])

    def once(f):
        """The derivatives of a matrix of a step in the j-th direction."""
        return rows([diff(lambda x: f(moved(q, j, x)), 0) for j in range(n)])

    def found(q, qd):
        return M(q) ** -1 * (tau - b(q, qd))

    case.judge_all(
        mass_matrix=here,
        inverse_mass_matrix=inverse,
        bias=b(q, qd),
        gravity_force=b(q, rest),
        coriolis_force=b(q, qd) - b(q, rest),
        inverse_dynamics=force(q, qd, qdd),
        forward_dynamics=motion,
        inverse_dynamics_by_q=columns(lambda x, k: force(moved(q, k, x), qd, qdd)),
        inverse_dynamics_by_qd=columns(lambda x, k: force(q, added(qd, k, x), qdd)),
        gravity_force_by_q=columns(lambda x, k: b(moved(q, k, x), rest)),
        forward_dynamics_by_q=-inverse * columns(lambda x, k: force(moved(q, k, x), qd, motion)),
        forward_dynamics_by_qd=-inverse * columns(lambda x, k: force(q, added(qd, k, x), motion)),
    )
    if len(q) == n:
        case.judge("coriolis_matrix", columns(lambda x, k: b(q, added(qd, k, x))) / 2)
    case.judge_all(
        inverse_dynamics_by_q_q=twice(lambda x, j, y, k: force(moved(moved(q, j, x), k, y), qd, qdd)),
        inverse_dynamics_by_q_qd=twice(lambda x, j, y, k: force(moved(q, j, x), added(qd, k, y), qdd)),
        inverse_dynamics_by_qd_qd=twice(lambda x, j, y, k: force(q, added(added(qd, j, x), k, y), qdd)),
        forward_dynamics_by_q_q=twice(lambda x, j, y, k: found(moved(moved(q, j, x), k, y), qd)),
        forward_dynamics_by_q_qd=twice(lambda x, j, y, k: found(moved(q, j, x), added(qd, k, y))),
        forward_dynamics_by_qd_qd=twice(lambda x, j, y, k: found(q, added(added(qd, j, x), k, y))),
        mass_matrix_by_q=once(M),
        inverse_mass_matrix_by_q=once(lambda q: M(q) ** -1),
    )
    kinetic = (qd.T * here * qd)[0] / 2
    case.judge("kinetic_energy", [[kinetic]])
    case.judge("potential_energy", [[energy(q)]])
    case.judge("mechanical_energy", [[kinetic + energy(q)]])


def pendulum(case):
    bob = case.links[1]
    m, l = exact(bob["mass"]), -exact_list(bob["center_of_mass"])[2]
    g, I = -case.gravity[2], inertia(bob)[3]
    J = I + m * l**2
    (q,), (qd,), (qdd,) = case.q, case.qd, case.qdd
    tree(case, lambda q: matrix([J]), lambda q, qd: matrix([m * g * l * sin(q[0])]), lambda q: -m * g * l * cos(q[0]))
    case.judge("torque_regressor", [[0, -g * cos(q), 0, -g * sin(q), 0, 0, 0, qdd, 0, 0]])
    case.judge("kinetic_energy_regressor", [[0, 0, 0, 0, 0, 0, 0, qd**2 / 2, 0, 0]])
    case.judge("potential_energy_regressor", [[0, -g * sin(q), 0, g * cos(q), 0, 0, 0, 0, 0, 0]])
    center, velocity = [-l * sin(q), 0, -l * cos(q)], [-l * cos(q) * qd, 0, l * sin(q) * qd]
    acceleration = [-l * cos(q) * qdd + l * sin(q) * qd**2, 0, l * sin(q) * qdd + l * cos(q) * qd**2]
    case.judge_all(
        center_of_mass=center,
        center_of_mass_velocity=velocity,
        center_of_mass_acceleration=acceleration,
        center_of_mass_jacobian=[-l * cos(q), 0, l * sin(q)],
        momentum=stack([0, J * qd, 0], [m * x for x in velocity]),
        centroidal_momentum=stack([0, I * qd, 0], [m * x for x in velocity]),
        centroidal_momentum_rate=stack([0, I * qdd, 0], [m * x for x in acceleration]),
        centroidal_momentum_by_q=stack(zeros(3, 1), [m * l * sin(q) * qd, 0, m * l * cos(q) * qd]),
        centroidal_momentum_rate_by_q=stack(zeros(3, 1), [m * acceleration[2], 0, -m * acceleration[0]]),
        centroidal_momentum_rate_by_qd=stack(zeros(3, 1), [2 * m * l * sin(q) * qd, 0, 2 * m * l * cos(q) * qd]),
        tip_jacobian=[0, 1, 0, 0, 0, 0],
        tip_jacobian_by_q=zeros(6, 1),
        tip_mobility=[[1 / J if i == j == 1 else 0 for j in range(6)] for i in range(6)],
    )


def two_bars(links, l, g):
    """M and b of two bars in a vertical plane, and their potential energy."""
    (m1, m2), (c1, c2) = zip(*[(exact(x["mass"]), exact_list(x["center_of_mass"])[0]) for x in links])
    J1, J2 = [inertia(x)[5] for x in links]

    def M(q):
        M22 = J2 + m2 * c2**2
        M12 = M22 + m2 * l * c2 * cos(q[1])
        return matrix([[J1 + m1 * c1**2 + J2 + m2 * (l**2 + c2**2 + 2 * l * c2 * cos(q[1])), M12], [M12, M22]])

    def b(q, qd):
        h, G2 = m2 * l * c2 * sin(q[1]), m2 * g * c2 * cos(q[0] + q[1])
        return matrix(
            [-h * qd[1] * (2 * qd[0] + qd[1]) + (m1 * c1 + m2 * l) * g * cos(q[0]) + G2, h * qd[0] ** 2 + G2]
        )

    return M, b, lambda q: (m1 * c1 + m2 * l) * g * sin(q[0]) + m2 * g * c2 * sin(q[0] + q[1])


def planar_2r(case):
    tree(case, *two_bars(case.links[1:], exact_list(case.joints[1]["position"])[0], -case.gravity[1]))


def rotation(quaternion):
    *u, s = quaternion
    S = skew(u)
    return eye(3) + 2 * (s * S + S * S) / (s * s + sum(x * x for x in u))


def turned(quaternion, k, angle):
    """A quaternion x y z w, turned further about the k-th axis of what it turns."""
    *u, s = quaternion
    further = [sin(angle / 2) if i == k else mpf(0) for i in range(3)]
    c = cos(angle / 2)
    u, v = matrix(u), matrix(further)
    return stack(s * v + c * u + skew(u) * v, [s * c - (u.T * v)[0]])


def gyration(A, w):
    """What Euler's equations along principal axes have beside A wdot."""
    return matrix([(A[(k + 2) % 3] - A[(k + 1) % 3]) * w[(k + 1) % 3] * w[(k + 2) % 3] for k in range(3)])


def free_body(case):
    body = case.links[0]
    m, I, gravity = exact(body["mass"]), inertia(body), matrix(case.gravity)
    A = [I[0], I[3], I[5]]

    def b(q, qd):
        w, v = qd[:3, :], qd[3:, :]
        return stack(gyration(A, w), m * (skew(w) * v - rotation(q[3:, :]).T * gravity))

    def moved(q, k, step):
        if k < 3:
            return stack(q[:3, :], turned(q[3:, :], k, step))
        return stack(q[:3, :] + step * rotation(q[3:, :])[:, k - 3], q[3:, :])

    tree(case, lambda q: diag(A + [m] * 3), b, lambda q: -m * (gravity.T * q[:3, :])[0], moved)
    R, p, v = rotation(case.q[3:]), matrix(case.q[:3]), matrix(case.qd[3:])

    def momentum(R, rates):
        return stack(R * diag(A) * rates[:3, :], m * (R * rates[3:, :]))

    def momentum_rate(R, qd):
        w, v = qd[:3, :], qd[3:, :]
        return momentum(R, qdd) + stack(R * gyration(A, w), m * (R * (skew(w) * v)))

    def by(f):
        """The derivatives of six numbers of a step in each direction."""
        slopes = [diff(lambda x: f(k, x), 0) for k in range(6)]
        return matrix([[slope[i] for slope in slopes] for i in range(6)])

    q, qd, qdd = (matrix(x) for x in (case.q, case.qd, case.qdd))
    turns = [diff(lambda x: rotation(moved(q, k, x)[3:, :]), 0) for k in range(6)]
    case.judge_all(
        centroidal_momentum_by_q=by(lambda k, x: momentum(rotation(moved(q, k, x)[3:, :]), qd)),
        centroidal_momentum_rate_by_q=by(lambda k, x: momentum_rate(rotation(moved(q, k, x)[3:, :]), qd)),
        centroidal_momentum_rate_by_qd=by(lambda k, x: momentum_rate(R, added(qd, k, x))),
        tip_jacobian_by_q=matrix([list(diagonal_blocks(turn, turn)[i, :]) for i in range(6) for turn in turns]),
        tip_body_jacobian_by_q=zeros(36, 6),
    )
    case.judge_all(link_rotations=[list(R)], center_of_mass=p, center_of_mass_velocity=R * v)
    case.judge("tip_mobility", diagonal_blocks(R * diag([1 / x for x in A]) * R.T, eye(3) / m))


def diagonal_blocks(P, Q):
    answer = zeros(6)
    answer[:3, :3], answer[3:, 3:] = P, Q
    return answer


def lagrange_top(case):
    top = case.links[1]
    m, l, I = exact(top["mass"]), exact_list(top["center_of_mass"])[2], inertia(top)
    A = [I[0] + m * l**2, I[3] + m * l**2, I[5]]  # about the tip
    gravity, axis = matrix(case.gravity), matrix([0, 0, 1])

    def b(q, qd):
        return gyration(A, qd) - m * l * (skew(axis) * (rotation(q).T * gravity))

    tree(case, lambda q: diag(A), b, lambda q: -m * l * (gravity.T * rotation(q) * axis)[0], turned)
    R = rotation(case.q)
    mobility = diagonal_blocks(R * diag([1 / x for x in A]) * R.T, zeros(3))
    case.judge_all(center_of_mass=l * (R * axis), tip_mobility=mobility)


def one_loop(case, way, M, b):
    """A machine with one degree of freedom, all coordinates being known functions of the one that is given."""
    (leader,) = case.independent
    s, u, n = case.q[leader], case.qd[leader], len(case.q)
    q = matrix(way(s))
    G = matrix([diff(lambda x: way(x)[k], s) for k in range(n)])
    curvature = matrix([diff(lambda x: way(x)[k], s, 2) for k in range(n)])
    qd = G * u
    needed = matrix(case.tau) - b(q, qd)
    effective = (G.T * M(q) * G)[0]
    acceleration = (G.T * (needed - M(q) * curvature * u**2))[0] / effective
    qdd = G * acceleration + curvature * u**2
    # Of all rates that keep the loop closed the nearest, by the kinetic energy; with the restitution 1/2 half as far again.
    before = matrix(case.qd)
    after = (3 * (G * (G.T * M(q) * before)) / effective - before) / 2
    case.judge_all(
        impulse_rates=after,
        joint_impulses=M(q) * (after - before),
        impulse_rates_by_qd=(3 * (G * G.T * M(q)) / effective - eye(n)) / 2,
        configuration=q,
        rates=qd,
        forward_dynamics=qdd,
        constraint_forces=M(q) * qdd - needed,
        mass_matrix=M(q),
        bias=b(q, qd),
        inverse_mass_matrix=G * G.T / effective,
        kinetic_energy=[effective * u**2 / 2],
    )


def near(x, guess):
    """The angle x, or a whole number of turns from it."""
    return x + 2 * pi * mp.nint((guess - x) / (2 * pi))


def slider_crank(case):
    a = exact_list(case.joints[1]["position"])[0]
    b = exact_list(case.loops[0]["second"]["position"])[0]
    M, bias, _ = two_bars(case.links[1:], a, -case.gravity[1])
    one_loop(case, lambda s: [s, near(-asin(a * sin(s) / b) - s, case.q[1])], M, bias)


def ladder(case):
    foot, rod = case.links[1:]
    m, c, g = exact(rod["mass"]), exact_list(rod["center_of_mass"])[0], -case.gravity[1]
    total, J = m + exact(foot["mass"]), inertia(rod)[5] + m * c**2
    l = exact_list(case.loops[0]["second"]["position"])[0]
    one_loop(
        case,
        lambda s: [-l * cos(s), s],
        lambda q: matrix([[total, -m * c * sin(q[1])], [-m * c * sin(q[1]), J]]),
        lambda q, qd: matrix([-m * c * cos(q[1]) * qd[1] ** 2, m * g * c * cos(q[1])]),
    )


def four_bar(case):
    crank, coupler, rocker = case.links[1:]
    a, d = exact_list(case.joints[1]["position"])[0], exact_list(case.joints[2]["position"])[0]
    b = exact_list(case.loops[0]["second"]["position"])[0]
    c = exact_list(case.loops[0]["first"]["position"])[0]
    m, r, g = exact(rocker["mass"]), exact_list(rocker["center_of_mass"])[0], -case.gravity[1]
    J = inertia(rocker)[5] + m * r**2
    M2, b2, _ = two_bars([crank, coupler], a, g)

    def way(s):
        # The triangle of coupler, rocker and the line between the pins that they turn about; above that line.
        line = d - a * mpc(cos(s), sin(s))
        L = abs(line)
        elbow = arg(line) + acos((b**2 + L**2 - c**2) / (2 * b * L))
        rest = arg(line) + pi - acos((c**2 + L**2 - b**2) / (2 * c * L))
        return [s, near(elbow - s, case.q[1]), near(rest, case.q[2])]

    def M(q):
        answer = zeros(3, 3)
        answer[:2, :2] = M2(q)
        answer[2, 2] = J
        return answer

    one_loop(case, way, M, lambda q, qd: stack(b2(q, qd), [m * g * r * cos(q[2])]))


closed_forms = {f.__name__: f for f in (pendulum, planar_2r, free_body, lagrange_top, slider_crank, ladder, four_bar)}


# --- relations ------------------------------------------------------------------------------------------------------


class Known:
    """Numbers and how far they may be off."""

    def __init__(self, value, radius):
        self.value, self.radius = value, radius

    @staticmethod
    def of(case, quantity):
        return Known(case.table(quantity), case.table(quantity, "radius"))

    def each(self, f):
        """The same rearrangement of both; signs do not matter to a radius."""
        return Known(f(self.value), f(self.radius).apply(abs))

    def row(self, i):
        """Row i, as a column."""
        return self.each(lambda A: matrix([A[i % A.rows, j] for j in range(A.cols)]))

    def reshaped(self, rows, columns):
        return self.each(lambda A: matrix([[A[columns * i + j] for j in range(columns)] for i in range(rows)]))

    def times(self, factor):
        return Known(factor * self.value, abs(factor) * self.radius)

    def halves(self):
        return self.each(lambda A: A[:3, :]), self.each(lambda A: A[3:, :])

    def over(self, other):
        return Known(stack(self.value, other.value), stack(self.radius, other.radius))

    @staticmethod
    def of_rows(columns):
        return Known(matrix([list(x.value) for x in columns]), matrix([list(x.radius) for x in columns]))

    @property
    def T(self):
        return self.each(lambda A: A.T)

    @property
    def cross(self):
        return self.each(skew)

    @staticmethod
    def of_blocks(blocks):
        def joined(key):
            rows = [[getattr(block, key) for block in row] for row in blocks]
            return matrix([sum((list(A[i, :]) for A in row), []) for row in rows for i in range(row[0].rows)])

        return Known(joined("value"), joined("radius"))

    def __add__(self, other):
        return Known(self.value + other.value, self.radius + other.radius + self.rounding(other))

    def __sub__(self, other):
        return Known(self.value - other.value, self.radius + other.radius + self.rounding(other))

    def rounding(self, other):
        return mpf("1e-58") * (self.value.apply(abs) + other.value.apply(abs))

    def __mul__(self, other):
        size = lambda A: A.apply(abs)
        value = self.value * other.value
        radius = size(self.value) * other.radius + self.radius * size(other.value) + self.radius * other.radius
        rounding = mpf("1e-58") * self.value.cols * (size(self.value) * size(other.value))
        return Known(value, radius + rounding)


def exactly(numbers):
    value = matrix(numbers)
    return Known(value, zeros(value.rows, value.cols))


def parameters(case):
    """The ten numbers of every link but a fixed root, when no two links are fixed to each other."""
    moved = case.links if case.machine["floating_base"] else case.links[1:]
    all_numbers = []
    for link in moved:
        m, c, I = exact(link["mass"]), exact_list(link["center_of_mass"]), inertia(link)
        full = matrix([[I[0], I[1], I[2]], [I[1], I[3], I[4]], [I[2], I[4], I[5]]]) - m * skew(c) * skew(c)
        all_numbers += [m] + [m * x for x in c] + [full[0, 0], full[0, 1], full[0, 2], full[1, 1], full[1, 2], full[2, 2]]
    return exactly(all_numbers)


def moving_links(case):
    """Whether each link is free to move: the root of a fixed base is not, nor what fixed joints tie to it."""
    joints = {joint["child"]: joint for joint in case.joints}

    def moves(link):
        joint = joints.get(link["name"])
        if joint is None:
            return case.machine["floating_base"]
        parent = next(other for other in case.links if other["name"] == joint["parent"])
        return joint["type"] != "fixed" or moves(parent)

    return [moves(link) for link in case.links]


def bodies(case, holds):
    """Sums over the links, by how each of them moves."""
    tables = {key: Known.of(case, "link_" + key) for key in ("rotations", "positions", "twists", "twist_rates")}
    whole, none = Known(zeros(1), zeros(1)), Known(zeros(3, 1), zeros(3, 1))
    mass = mpf(0)
    kinetic, moment, linear, spin, force, torque, inertia_ = whole, none, none, none, none, none, exactly(zeros(3))
    classical, spatial, centers = [], [], []
    for l, (link, moves) in enumerate(zip(case.links, moving_links(case))):
        R = tables["rotations"].row(l).reshaped(3, 3)
        p = tables["positions"].row(l)
        w, v = tables["twists"].row(l).halves()
        wdot, vdot = tables["twist_rates"].row(l).halves()
        alpha, a = R * wdot, R * (vdot + w.cross * v)
        classical.append(alpha.over(a))
        spatial.append(alpha.over(R * vdot - alpha.cross * p))
        if not moves:
            continue
        m, c = exact(link["mass"]), exactly(exact_list(link["center_of_mass"]))
        I, turn = inertia(link), rotation(exact_list(link["inertial_quaternion_xyzw"]))
        I = exactly(turn * matrix([[I[0], I[1], I[2]], [I[1], I[3], I[4]], [I[2], I[4], I[5]]]) * turn.T)
        center, velocity = p + R * c, R * (v + w.cross * c)
        needed = (a + R * (wdot.cross * c + w.cross * (w.cross * c))).times(m)
        mass += m
        moment, linear, force = moment + center.times(m), linear + velocity.times(m), force + needed
        kinetic = kinetic + (velocity.T * velocity).times(m / 2) + (w.T * (I * w)).times(mpf(1) / 2)
        spin = spin + center.cross * velocity.times(m) + R * (I * w)
        torque = torque + center.cross * needed + R * (I * wdot + w.cross * (I * w))
        inertia_ = inertia_ + R * I * R.T
        centers.append((m, center))
    at = moment.times(1 / mass)
    for m, center in centers:
        arm = (center - at).cross
        inertia_ = inertia_ - (arm * arm).times(m)
    holds("link_accelerations", Known.of_rows(classical))
    holds("link_spatial_accelerations", Known.of_rows(spatial))
    holds("kinetic_energy", kinetic)
    holds("potential_energy", (exactly(case.gravity).T * moment).times(-1))
    holds("center_of_mass", at)
    holds("center_of_mass_velocity", linear.times(1 / mass))
    holds("center_of_mass_acceleration", force.times(1 / mass))
    holds("momentum", spin.over(linear))
    holds("centroidal_momentum", (spin - at.cross * linear).over(linear))
    holds("centroidal_momentum_rate", (torque - at.cross * force).over(force))
    holds("centroidal_inertia", inertia_)


def relations(case):
    known = lambda quantity: Known.of(case, quantity)
    M, bias, motion, tau = known("mass_matrix"), known("bias"), known("forward_dynamics"), exactly(case.tau)
    qd = known("rates") if case.loops else exactly(case.qd)
    qdd = motion if case.loops else exactly(case.qdd)  # at which regressors and accelerations are

    def holds(quantity, found):
        case.judge(quantity, found.value, found.radius)

    bodies(case, holds)
    holds("centroidal_momentum", known("centroidal_momentum_matrix") * qd)
    holds("centroidal_momentum_rate", known("centroidal_momentum_matrix") * qdd + known("centroidal_momentum_bias"))
    holds("center_of_mass_velocity", known("center_of_mass_jacobian") * qd)
    holds("mechanical_energy", known("kinetic_energy") + known("potential_energy"))
    if "centroidal_momentum_by_q" in case.answers:
        # h changes with the coordinates and the rates; its bias is a quadratic form of the rates (Euler).
        turned = known("centroidal_momentum_by_q") * qd
        holds("centroidal_momentum_rate", turned + known("centroidal_momentum_matrix") * qdd)
        holds("centroidal_momentum_bias", (known("centroidal_momentum_rate_by_qd") * qd).times(mpf(1) / 2))
    if case.loops:
        A = known("loop_jacobian")
        holds("constraint_forces", M * motion + bias - tau)
        holds("constraint_forces", A.T * known("multipliers"))
        holds("loop_bias", exactly(zeros(A.value.rows, 1)) - A * motion)
        before = exactly(case.qd)
        jump = known("impulse_rates") - before
        holds("joint_impulses", M * jump)
        holds("joint_impulses", A.T * known("loop_impulses"))
        case.require_zero("A (impulse_rates + qd/2)", A * (known("impulse_rates") + before.times(mpf(1) / 2)))
        if "impulse_rates_by_qd" in case.answers:
            holds("impulse_rates", known("impulse_rates_by_qd") * before)
            holds("loop_impulses", known("loop_impulses_by_qd") * before)
    else:
        holds("inverse_dynamics", M * qdd + bias)
        holds("forward_dynamics", known("inverse_mass_matrix") * (tau - bias))
    if not case.has_wrenches:
        holds("bias", known("gravity_force") + known("coriolis_force"))
    if "coriolis_matrix" in case.answers:
        holds("coriolis_force", known("coriolis_matrix") * qd)
    if "tip_jacobian_rate" in case.answers:
        found = known("tip_jacobian_rate") * qd
        case.judge("link_bias_accelerations", found.value.T, found.radius.T, last_row=True)
        for frame in ("", "_body", "_spatial"):
            # By row of the Jacobian a block of rows, one for each coordinate.
            of_rows, n = known(f"tip{frame}_jacobian_by_q"), qd.value.rows
            rates = [of_rows.each(lambda A, i=i: A[n * i : n * (i + 1), :].T) * qd for i in range(6)]
            holds(f"tip{frame}_jacobian_rate", Known.of_rows(rates))
    # Six numbers of the last link along its own axes, and with the velocity of another point.
    R, p = known("link_rotations").row(-1), known("link_positions").row(-1)
    one, none = exactly(eye(3)), exactly(zeros(3))
    to_link = Known.of_blocks([[R.reshaped(3, 3).T, none], [none, R.reshaped(3, 3).T]])
    to_origin = Known.of_blocks([[one, none], [p.cross, one]])
    holds("tip_body_jacobian", to_link * known("tip_jacobian"))
    holds("tip_spatial_jacobian", to_origin * known("tip_jacobian"))
    if case.tier == "lower":
        numbers = parameters(case)
        holds("kinetic_energy", known("kinetic_energy_regressor") * numbers)
        holds("potential_energy", known("potential_energy_regressor") * numbers)
        holds("gravity_force", known("gravity_regressor") * numbers)
        holds("bias", known("torque_regressor") * numbers - M * qdd)


def main(folder):
    wrong = 0
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(folder).glob("*.json"))]
    cases = [Case(file) for file in files if file.get("format") == "articulate reference case 1"]
    if not cases:
        sys.exit(f"second_reader.py: {folder} has no file of a case")
    for case in cases:
        if case.tier == "lower":
            closed_forms[case.machine["name"]](case)
        closed = case.compared
        relations(case)
        case.require_fifty_digits()
        print(
            f"{case.name}: {closed} numbers by closed forms, {case.compared - closed} by relations, in "
            f"{len(case.judged)} of {len(case.answers)} quantities, {case.wrong} wrong"
        )
        wrong += case.wrong
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
