"""The page of conventions: each of its examples is worked out by the library, or answered by the command line.

A text below has to stand on the page with the computed numbers in place of each @. A section that has an example, or a
point of the papers that has one, and that no test names here fails the first test. So does a table whose rows do not
agree with what the program knows.
"""
import itertools
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from group_test import ad, expm, hat, skew

import articulate as a

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.path.join(os.environ["ARTICULATE_BUILD"], "bin", "articulate-cli")
TEXT = (ROOT / "chapters" / "conventions.md").read_text(encoding="utf-8")
EXAMPLES = re.compile(r"\*Examples?\.\*")
Z90 = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
MASS = '<inertial><mass value="{}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
LIMIT = '<limit lower="-9" upper="9" effort="1" velocity="1"/>'


def plain(text):
    """Without what only the typesetting needs."""
    text = re.sub(r"\{(-[\d.]+)\}", r"\1", text)
    for ornament in (r"\f$", "\\ ", "\\;", "\\,"):
        text = text.replace(ornament, "")
    return re.sub(r"([,;]) +", r"\1", text)


def section(anchor):
    return plain(re.search(rf"^## [^\n]*{{#{anchor}}}\n(.*?)(?=^## |\Z)", TEXT, re.S | re.M)[1])


def six(x):
    return np.asarray([*x.w, *x.v] if isinstance(x, a.Twist) else [*x.m, *x.f])


def twist(*x):
    return a.Twist(x[:3], x[3:])


def wrench(*x):
    return a.Wrench(x[:3], x[3:])


def number(x):
    """A printed number is exact up to rounding: two decimals at most."""
    assert abs(x - round(x, 2)) < 1e-12, x
    return f"{round(x, 2) + 0.0:g}"


def shown(x):
    """A vector of three, or a twist or wrench, as the page writes it."""
    x = six(x) if isinstance(x, (a.Twist, a.Wrench)) else np.ravel(x)
    return "(" + ";".join(",".join(number(y) for y in half) for half in np.split(x, len(x) // 3)) + ")"


def slider(at="0 0 0", plate=""):
    return f"""<robot name="slider"><link name="ground">{plate}</link><link name="carriage">{MASS.format(2)}</link>
      <joint name="z" type="prismatic"><parent link="ground"/><child link="carriage"/><origin xyz="{at}"/>
      <axis xyz="0 0 1"/>{LIMIT}</joint></robot>"""


def compute(urdf, *states, options=()):
    """The lines that `compute --state -` answers, as they are written, and the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "robot.urdf")
        path.write_text(urdf, encoding="utf-8")
        done = subprocess.run([COMMAND, "compute", "--model", path, "--state", "-", *options], capture_output=True,
                              text=True, check=False, input="\n".join(map(json.dumps, states)))
    return done.stdout.splitlines(), done.returncode


def answer(urdf, state, *options):
    lines, code = compute(urdf, state, options=options)
    assert code == 0, lines
    return json.loads(lines[0])


def joint(kind, axis=(0, 0, 1), **more):
    """A mechanism of one joint that carries an asymmetric body."""
    body = a.Link("body", 1.5, (0.1, -0.2, 0.3), np.diag([0.2, 0.3, 0.4]))
    moved = a.Joint("j", kind, "ground", "body", axis=axis, **more)
    return a.Model(a.Mechanism("one", [a.Link("ground"), body], [moved]))


def at(model, q, qd=None):
    fk = a.ForwardKinematics(model)
    fk(np.array(q, dtype=float), np.zeros(model.nv) if qd is None else np.array(qd, dtype=float))
    return fk


def columns(anchor, table=0):
    """The rows of a table of a section, each a list of its cells."""
    body = re.search(rf"^## [^\n]*{{#{anchor}}}\n(.*?)(?=^## |\Z)", TEXT, re.S | re.M)[1]
    rows = re.findall(r"(?:^\|[^\n]*\n)+", body, re.M)[table].splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if not row.startswith("| ---")][1:]


def keys(cell):
    return re.findall(r"`(\w+)`", cell)


class Conventions(unittest.TestCase):
    def page(self, anchor, *lines):
        """lines: (text with @ for each number or vector, those)."""
        text = section(anchor)
        for template, *values in lines:
            self.assertEqual(template.count("@"), len(values), template)
            for x in values:
                template = template.replace("@", x if isinstance(x, str) else shown(x) if np.ndim(x) else number(x), 1)
            self.assertIn(plain(template), text)

    def test_every_example_has_a_test(self):
        sections = re.findall(r"^## [^\n]*{#(\w+)}\n(.*?)(?=^## |\Z)", TEXT, re.S | re.M)
        have = {anchor for anchor, body in sections if EXAMPLES.search(body)}
        named = {name.removeprefix("test_") for name in dir(self) if name.startswith("test_")}
        self.assertEqual({x for x in have if x not in named}, set())
        points = re.findall(r"^- \*\*(.*?)\.\*\*", TEXT[TEXT.index("### One point, one example each"):], re.M)
        of_papers = {"point_" + re.sub(r"\W+", "_", x).lower() for x in points}
        self.assertEqual(of_papers, {x for x in named if x.startswith("point_")})

    def test_convention_poses(self):
        T = a.SE3(Z90, (1, 0, 0))
        self.page("convention_poses", (r"p = (1,0,0). The point (2,0,0) of B lies at @ in A", T * np.array([2, 0, 0])))
        model = a.Model.load("forked_arm")
        s = a.random_state(model, 3)
        fk = at(model, s.q, s.qd)
        for i in range(1, model.bodies + 1):
            parent = model.body(i).parent
            before = fk.pose(parent).matrix() if parent else np.eye(4)
            np.testing.assert_allclose(fk.pose(i).matrix(), before @ fk.T[i].matrix(), atol=1e-13)

    def test_convention_twists(self):
        T, V = a.SE3(Z90, (1, 0, 0)), twist(0, 0, 2, 3, 0, 0)
        np.testing.assert_allclose(T.R @ V.v, (0, 3, 0), atol=1e-15)
        body = np.concatenate([T.R.T @ [0, 0, 2], T.R.T @ [0, 3, 0]])
        self.page("convention_twists", (r"has the velocity @, and it spins", T.R @ V.v),
                  (r"Its body twist is @. Its spatial twist is @.", body, a.Ad(T, V)))
        np.testing.assert_array_equal(a.hat(V), hat(six(V)))
        np.testing.assert_allclose(a.hat(a.Ad(T, V)) @ T.matrix(), T.matrix() @ a.hat(V), atol=1e-15)

    def test_convention_wrenches(self):
        F, V = a.wrench_of_force((2, 0, 0), (0, 1, 0)), twist(0, 0, 3, 0, 0, 0)
        said = r"the point (2,0,0) of a body is the wrench @. On the twist @ its power is @ W"
        self.page("convention_wrenches", (said, F, V, a.pairing(F, V)))
        with self.assertRaises(TypeError):
            a.pairing(V, F)

    def test_convention_transforms(self):
        T, V, F = a.SE3(np.eye(3), (1, 0, 0)), twist(0, 0, 1, 0, 0, 0), wrench(0, 0, 0, 0, 1, 0)
        power = {number(a.pairing(F, a.Ad(T, V))), number(a.pairing(a.coAd(T, F), V))}
        lost = a.Ad_matrix(T) @ six(F)
        self.page("convention_transforms", (r"The twist V_B = @ turns", V), (r"moves: V_A = @.", a.Ad(T, V)),
                  (r"The force F_A = @ acts at A's origin: F_B = @. The power is @ W in both frames", F, a.coAd(T, F),
                   *power),
                  (r"to the wrench would give @: the moment of @ N m is lost", lost,
                   float(np.linalg.norm(a.coAd(T, F).m - lost[:3]))))

    def test_the_four_transforms_go_as_the_table_says(self):
        T = a.exp(twist(0.3, -0.7, 0.5, 1, 2, -1))
        R, p, x = T.R, T.p, np.array([0.4, -1, 2, 0.7, 0.1, -0.3])
        of_twists = np.block([[R, np.zeros((3, 3))], [skew(p) @ R, R]])
        inverse = np.linalg.inv(of_twists)
        right = {"Ad": of_twists, "AdInv": inverse, "coAd": of_twists.T, "coAdInv": inverse.T}
        for code, _, takes, _, _ in columns("convention_transforms"):
            name = re.match(r"`(\w+)\(", code)[1]
            given = {"a twist": twist, "a wrench": wrench}[takes](*x)
            np.testing.assert_allclose(six(getattr(a, name)(T, given)), right.pop(name) @ x, atol=1e-13)
        self.assertEqual(right, {})

    def test_convention_brackets(self):
        V, X, F = twist(0, 0, 1, 0, 0, 0), twist(0, 0, 0, 1, 0, 0), wrench(0, 0, 0, 1, 0, 0)
        said = r"V = @,X = @: \ad_V X = @. And \ad^*_V @ = @: the sign differs"
        self.page("convention_brackets", (said, V, X, a.ad(V, X), F, a.coad(V, F)))
        V, X = twist(0.4, -1, 2, 0.7, 0.1, -0.3), twist(1, 0.2, -0.6, 0.5, 0.9, -2)
        H, K = a.hat(V), a.hat(X)
        np.testing.assert_allclose(a.hat(a.ad(V, X)), H @ K - K @ H, atol=1e-15)
        np.testing.assert_allclose(six(a.coad(V, wrench(*six(X)))), ad(six(V)).T @ six(X), atol=1e-15)

    def test_convention_acceleration(self):
        V, still = twist(0, 0, 3, 0, 6, 0), a.Twist()
        F = a.newton_euler(a.Inertia.of_cloud([1], [(0, 0, 0)]), V, still)
        self.page("convention_acceleration", (r"Then V = @ is constant", V), (r"but F = @,the centripetal force", F))

    def test_convention_inertia(self):
        point, V = a.Inertia.of_cloud([2], [(1, 0, 0)]), twist(0, 0, 1, 0, 0, 0)
        diagonal = ",".join(number(x) for x in np.diag(point.second_moment))
        said = r"rotational inertia \mathrm{diag}(@),first moment @. The twist @ gives the momentum @"
        self.page("convention_inertia", (said, diagonal, point.first_moment, V, point * V))
        I = np.diag([1.0, 1, 3])
        values = np.linalg.eigvalsh(np.trace(I) / 2 * np.eye(3) - I)[::-1]
        self.page("convention_inertia", (r"I = \mathrm{diag}(@) is refused: the eigenvalues are @,@ and @",
                                         ",".join(number(x) for x in np.diag(I)), *values))

    def test_what_is_physical(self):
        """Just inside and just outside of each of the two bounds, which hold together."""
        def refused(mass, moments):
            body = a.Link("body", mass, (0.1, 0.2, 0.3), np.diag(moments))
            try:
                a.Model(a.Mechanism("one", [a.Link("ground"), body], [a.Joint("j", "revolute", "ground", "body")]))
            except a.ModelError as error:
                return str(error)
            return ""

        def least(x, largest=1.0):
            """Principal moments of which the least second moment is x."""
            second = np.array([largest, largest, x])
            return second.sum() - second

        self.assertIn("body", refused(1, (1, 1, 3)))
        self.assertIn("body", refused(-1, (1, 1, 1)))
        self.assertEqual(refused(1, (0, 0, 0)), "")  # a point
        self.assertEqual(refused(1, (0, 1, 1)), "")  # a rod
        self.assertEqual(refused(1e-9, least(-0.9e-12)), "")
        self.assertNotEqual(refused(1e-9, least(-1.1e-12)), "")
        self.assertEqual(refused(1, least(-0.9e-16, 1e-6)), "")
        self.assertNotEqual(refused(1, least(-1.1e-16, 1e-6)), "")

    def test_convention_joints(self):
        model, q = joint("universal", axis=(1, 0, 0)), (0.7, 0.4)
        S = at(model, q).link_jacobian("body")
        np.testing.assert_allclose(S.T, [(np.cos(q[1]), 0, np.sin(q[1]), 0, 0, 0), (0, 1, 0, 0, 0, 0)], atol=1e-15)
        moved = [at(model, (q[0] + x, q[1] + y)).link_jacobian("body") for x, y in ((1, 0), (0, 1))]
        np.testing.assert_allclose(moved[0], S, atol=1e-15)
        self.assertGreater(np.abs(moved[1] - S)[:, 0].max(), 0.5)
        self.page("convention_joints", (r"has the columns (\cos q_2,0,\sin q_2;0,0,0) and @", S[:, 1]))

    def test_axes_signs_and_pitch(self):
        for scale in (1e-3, 5.0):
            turned = at(joint("revolute", axis=(0, 0, scale)), [np.pi / 2]).link_pose("body")
            np.testing.assert_allclose(turned.R, Z90, atol=1e-15)
        with self.assertRaisesRegex(a.ModelError, "axis"):
            joint("revolute", axis=(0, 0, 0))
        np.testing.assert_allclose(at(joint("helical", pitch=0.2), [3]).link_pose("body").p, (0, 0, 0.6), atol=1e-15)

    def test_joints_of_several_degrees_have_their_coordinates_in_the_order_of_the_table(self):
        x, y, z = np.eye(3)

        def turn(axis, angle):
            return expm(hat([*(angle * axis), 0, 0, 0]))

        def slide(along, by):
            return expm(hat([0, 0, 0, *(by * along)]))

        def euler(q):
            return turn(z, q[0]) @ turn(y, q[1]) @ turn(x, q[2])

        poses = {"universal": ((0.3, 0.5), lambda q: turn(x, q[0]) @ turn(y, q[1])),
                 "cylindrical": ((0.3, 0.5), lambda q: turn(z, q[0]) @ slide(z, q[1])),
                 "planar": ((0.3, 0.5, 0.7), lambda q: slide(x, q[0]) @ slide(y, q[1]) @ turn(z, q[2])),
                 "euler_ball": ((0.3, 0.5, 0.7), euler),
                 "euler_free": ((0.2, 0.6, 0.4, 0.3, 0.5, 0.7),
                                lambda q: slide(x, q[0]) @ slide(y, q[1]) @ slide(z, q[2]) @ euler(q[3:]))}
        listed = [row[0].strip("`") for row in columns("convention_joints")]
        self.assertEqual(listed, [*poses, "ball"])
        for kind, (q, pose) in poses.items():
            model = joint(kind, axis=(1, 0, 0) if kind == "universal" else (0, 0, 1))
            if kind == "planar":  # the two directions are normal to the axis; which they are the joint chooses
                shift = at(model, (q[0], 0, 0)).link_pose("body").p
                self.assertAlmostEqual(np.linalg.norm(shift), q[0])
                self.assertEqual(shift[2], 0)
                self.assertAlmostEqual(shift @ at(model, (0, q[1], 0)).link_pose("body").p, 0)
                np.testing.assert_allclose(at(model, q).link_pose("body").R, turn(z, q[2])[:3, :3], atol=1e-15)
            else:
                np.testing.assert_allclose(at(model, q).link_pose("body").matrix(), pose(q), atol=1e-15)
        model, w = joint("ball"), (0.4, -1, 2)
        q = np.array([0.5, -0.5, 0.5, 0.5])
        np.testing.assert_allclose(at(model, q).link_pose("body").R, [[0, -1, 0], [0, 0, -1], [1, 0, 0]], atol=1e-15)
        np.testing.assert_allclose(at(model, q, w).link_twist("body").w, w, atol=1e-15)

    def test_convention_free_joint(self):
        body = a.Link("body", 1.5, (0.1, -0.2, 0.3), np.diag([0.2, 0.3, 0.4]))
        model = a.Model(a.Mechanism("one", [body]), floating_base=True)
        q, rates = np.array([1, 0, 0, 0, 0, np.sqrt(0.5), np.sqrt(0.5)]), np.array([0, 0, 2, 3.0, 0, 0])
        fk = at(model, q, rates)
        np.testing.assert_allclose(fk.pose(1).R, Z90, atol=1e-15)
        h = 1e-6
        ahead, behind = (at(model, a.displaced(model, q, s * rates)).pose(1).p for s in (h, -h))
        pdot = (ahead - behind) / (2 * h)
        np.testing.assert_allclose(pdot, fk.pose(1).R @ rates[3:], atol=1e-9)
        self.page("convention_free_joint", (r"q = (1,0,0;0,0,\sqrt{1/2},\sqrt{1/2}) and the rates @.", rates),
                  (r"at the rate Rv = @", fk.pose(1).R @ rates[3:]))
        np.testing.assert_array_equal(six(fk.link_twist("body")), rates)
        self.assertEqual((model.nq, model.nv), (7, 6))

    def test_convention_order(self):
        def hinge(name, parent, child):
            return (f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/></joint>'
                    f'<link name="{child}">{MASS.format(1)}</link>')

        parts = [hinge("b", "root", "one"), hinge("a", "root", "two"), hinge("c", "two", "three")]
        orders = set()
        for order_of_file in itertools.permutations(parts):
            urdf = f'<robot name="tree"><link name="root"/>{"".join(order_of_file)}</robot>'
            found = answer(urdf, {"q": dict(a=0, b=0, c=0), "qd": [0, 0, 0]}, "--only", "joints")
            orders.add(tuple(found["joints"]))
        self.assertEqual(len(orders), 1)
        said = "carries joints `b` and `a`,and the link moved by `a` carries `c`. The order is `@`,`@`,`@`"
        self.page("convention_order", (said, *orders.pop()))

    def test_forces_are_those_of_the_parent_on_the_body(self):
        model = a.Model.load("ur5")
        s = a.random_state(model, 4)
        rnea = a.InverseDynamics(model)
        tau = rnea(s.q, s.qd, s.qdd)
        for i in range(1, model.bodies + 1):
            I = model.body(i).I
            children = [k for k in range(1, model.bodies + 1) if model.body(k).parent == i]
            needed = six(a.newton_euler(I, twist(*rnea.V[i]), twist(*rnea.Vdot[i])))  # gravity is in Vdot
            handed_on = sum((-six(a.coAdInv(rnea.T[k], wrench(*rnea.F[k]))) for k in children), np.zeros(6))
            np.testing.assert_allclose(rnea.F[i] + handed_on, needed, atol=1e-11)
            self.assertAlmostEqual(tau[i - 1], rnea.F[i][2], 12)

    def test_convention_gravity(self):
        rest = {"q": [0.7], "qd": [0], "qdd": [0]}
        down, up = answer(slider(), rest), answer(slider(), {**rest, "gravity": [0, 0, 9.81]})
        tau, wrong = (x["inverse_dynamics"]["tau"][0] for x in (down, up))
        self.assertAlmostEqual(down["potential_energy"] / 0.7, tau, 12)
        self.assertEqual(down["gravity"], [0, 0, -9.81])
        self.page("convention_gravity", (r"\tau = +@ N. Its potential energy is @z J", tau, down["potential_energy"] / 0.7),
                  (r"the answer would be @ N", wrong))
        rnea = a.InverseDynamics(a.Model.load("ur5"))
        rnea(*[np.zeros(6)] * 3)
        np.testing.assert_array_equal(rnea.Vdot[0], [0, 0, 0, 0, 0, 9.81])

    def test_convention_bias(self):
        pushed = answer(slider(), {"q": [0], "qd": [0], "external_wrenches": {"carriage": [0, 0, 0, 0, 0, 5]}})
        self.page("convention_bias", (r"wrench is @,the bias is @ N,and the gravity force is still @ N",
                                      np.array([0, 0, 0, 0, 0, 5]), pushed["bias"][0], pushed["gravity_force"][0]))

    def test_convention_state(self):
        text = section("convention_state")
        states = [json.loads(x) for x in re.findall(r'`(\{"q".*?\})`', text)]
        lines, code = compute(slider(), *states)
        said = re.search(r"The first answer has `(.*?)`,the second is `(.*?)`\.\n", text)
        self.assertIn(said[1], lines[0])
        self.assertEqual(lines[1], re.search(r"`(\{\"error\".*?\})`", TEXT)[1])
        self.assertEqual((len(lines), code), (2, 1))

    def test_the_keys_of_a_state_are_those_of_the_table(self):
        listed = [x for row in columns("convention_state") for x in keys(row[0])]
        error = json.loads(compute(slider(), {"q": [0], "qd": [0], "stranger": 1})[0][0])["error"]
        known = re.findall(r"'(\w+)'", error)
        self.assertEqual(known[0], "stranger")
        self.assertEqual(sorted(listed), sorted(known[1:]))
        error = json.loads(compute(slider(), {"q": {}, "qd": [0]})[0][0])["error"]
        self.assertIn("an object must name every joint that moves", error)

    def test_convention_higher_order(self):
        text = section("convention_higher_order")
        found = answer(slider(), json.loads(re.search(r'is `(\{.*?\})`', text)[1]))["higher_order"]
        tau = found["inverse_dynamics"]["tau"]["z"]
        self.page("convention_higher_order", ("Its force is @ N and grows at @ N/s: `tau` is `[@,@]`", *tau, tau[0],
                                              json.dumps(tau[1])))
        listed = {x for row in columns("convention_higher_order") for x in keys(row[0])}
        of_states = {x for row in columns("convention_state") for x in keys(row[0]) if x.endswith("derivatives")}
        self.assertEqual(listed, of_states)

    def test_convention_output(self):
        found = answer(slider("1 0 0", MASS.format(10)), {"q": [0], "qd": [0.5]})
        momentum = found["momentum"]
        self.page("convention_output", (r"The centre of mass is @,not a sixth of it", found["center_of_mass"]),
                  (r"The momentum is @:", [*momentum["angular"], *momentum["linear"]]),
                  (r"The twist of the slider's link is @,and its Jacobian has the single column @",
                   found["link_twists"]["carriage"], np.array(found["jacobians"]["links"]["carriage"])[:, 0]))
        self.assertEqual((found["kinetic_energy"], found["total_mass"]), (0.25, 2))

    def test_the_results_are_those_of_the_table(self):
        """What `--only` knows, with the two short names and the warnings, which are always there."""
        listed = [x for row in columns("convention_output") for x in keys(row[0])]
        help_ = subprocess.run([COMMAND, "compute", "--help"], capture_output=True, text=True, check=True).stdout
        known = re.search(r"--only TEXT:\{(.*?)\}", help_)[1].split(",")
        self.assertEqual(sorted([*listed, "tau", "qdd"]), sorted([*known, "warnings"]))

    def test_tolerance(self):
        u = 2.0**-53
        text = section("tolerance")

        def rounded(x):
            return f"{x:.1e}".replace("e-0", "e-")

        for claim, x in ((r"\varepsilon = 2^{-53} \approx 1.1\cdot10^{-16}", u),
                         (r"\varepsilon = 2^{-168} \approx 2.7\cdot10^{-51}", 2.0**-168)):
            self.assertIn(plain(claim), text)
            digits, power = re.search(r"approx ([\d.]+)\\cdot10\^{(-\d+)}", claim).groups()
            self.assertEqual(rounded(x), f"{digits}e{power}")
        q = 0.99
        self.assertAlmostEqual(1 / (1 - q), 100)
        self.assertIn(r"\kappa = 100", text)
        for n, digits in ((1, "1.1e-12"), (30, "3.3e-11")):
            self.assertEqual(rounded(100 * n * u * 100), digits)
            mantissa, power = digits.split("e")
            self.assertRegex(text, rf"n = {n} \w+(?: \w+)? allows? {re.escape(mantissa)}\\cdot10\^{power}")
        # The bound of the probability, from the eighth moment of a normal number.
        eighth = np.prod([1.0, 3, 5, 7])
        self.assertEqual(eighth, 105)
        self.assertLess((2 / np.pi) ** 4 * eighth / 100**8, 2e-15)
        self.assertEqual(round(np.log10(2e-15 / 6**8)), -21)
        self.assertAlmostEqual(np.log10(1e-3 / (6 * u)), 12, delta=0.5)
        header = (ROOT / "validation/ledger/proof.hpp").read_text(encoding="utf-8")
        least, most = map(int, re.search(r"least_moves = (\d+), most_moves = (\d+);", header).groups())
        words = {7: "seven", 8: "eight"}
        self.assertIn(f"done once,and up to {words[(most - least) // 2]} more", text.replace("times ", ""))
        self.assertIn(f"once,and {words[most // 2]} times before a failure", text)

    def test_point_park_order(self):
        T, f, m = a.SE3(np.eye(3), (1, 0, 0)), np.array([0.0, 1, 0]), np.zeros(3)
        one = np.linalg.inv(a.Ad_matrix(T)) @ np.concatenate([f, m])
        other = a.coAd(T, a.Wrench(m, f))
        np.testing.assert_array_equal(one[3:], other.m)
        self.page("convention_papers", (r"f = (0,1,0),m = 0 both give m' = @", other.m))

    def test_point_park_new_frame(self):
        X, T = a.exp(twist(0.3, -0.7, 0.5, 1, 2, -1)), a.exp(twist(0.2, 0.4, -1, 0, 1, 3))
        xi, h = np.array([0.4, -1, 2, 0.7, 0.1, -0.3]), 1e-6
        ahead, behind = (X.matrix() @ expm(hat(s * h * xi)) @ T.matrix() for s in (1, -1))
        H = np.linalg.solve((X * T).matrix(), (ahead - behind) / (2 * h))
        np.testing.assert_allclose(H, a.hat(a.AdInv(T, twist(*xi))), atol=1e-8)

    def test_point_park_three_meanings_of_m(self):
        M, S = a.SE3(np.eye(3), (1, 0, 0)), twist(0, 0, 1, 0, 0, 0)
        P = a.Ad(M, S)
        np.testing.assert_allclose((a.exp(P, 0.7) * M).matrix(), (M * a.exp(S, 0.7)).matrix(), atol=1e-15)
        self.page("convention_papers", (r"S = @,the first two agree when P = \Ad_M S = @", S, P))

    def test_point_park_ad_with_two_indices(self):
        A, x = [twist(*v) for v in np.random.default_rng(1).uniform(-1, 1, (4, 6))], [0.3, -0.5, 0.8, 0.4]

        def Ad(low, high):
            product = np.eye(6)
            for i in range(low, high + 1):
                product = a.Ad_matrix(a.exp(-x[i] * A[i])) @ product
            return product

        np.testing.assert_array_equal(Ad(3, 2), np.eye(6))
        np.testing.assert_allclose(Ad(2, 2) @ six(A[2]), six(A[2]), atol=1e-13)
        self.assertGreater(np.abs(Ad(1, 2) @ six(A[2]) - six(A[2])).max(), 0.1)

    def metric(self):
        model = a.Model.load("planar_arm:3")
        metric = a.InertiaMetric(model)
        metric(np.array([0.3, 0.8, -0.5]))
        return metric

    def test_point_park_and_ploen_christoffel_symbols(self):
        metric = self.metric()
        G = metric.christoffel_symbols()
        dM = np.array([[[metric.dm(i, j, k) for k in range(3)] for j in range(3)] for i in range(3)])
        park = (dM.transpose(2, 1, 0) + dM.transpose(1, 2, 0) - dM) / 2
        ploen = park.transpose(2, 0, 1)
        np.testing.assert_allclose(G, park, atol=1e-14)
        np.testing.assert_allclose(ploen, ploen.transpose(0, 2, 1), atol=1e-14)
        self.assertAlmostEqual(G[0, 1, 0], ploen[0, 0, 1], 14)
        self.assertAlmostEqual(G[0, 1, 0], dM[0, 0, 1] / 2, 14)
        self.assertGreater(abs(G[0, 1, 0] - G[0, 0, 1]), 1e-3)
        said = r"Park's \Gamma_{121} is Ploen's \Gamma_{112} = \tfrac12\partial M_{11}/\partial q_2"
        self.page("convention_papers", (said,))

    def test_point_park_curvature(self):
        """A point of mass one at distance one on a gimbal: azimuth, then polar angle. Its metric is that of the sphere."""
        links = [a.Link("ground"), a.Link("fork"), a.Link("point", 1, (0, 0, 1))]
        joints = [a.Joint("azimuth", "revolute", "ground", "fork"),
                  a.Joint("polar", "revolute", "fork", "point", axis=(0, 1, 0))]
        model = a.Model(a.Mechanism("sphere", links, joints))
        metric = a.InertiaMetric(model)
        metric(np.array([0.4, 0.9]))
        sine = np.sin(0.9) ** 2
        np.testing.assert_allclose(metric.M(), np.diag([sine, 1]), atol=1e-15)
        self.assertAlmostEqual(a.Curvature(metric)(0, 1, 0, 1), sine, 14)

    def test_point_ploen_hidden_signs(self):
        V, Vdot = twist(0.4, -1, 2, 0.7, 0.1, -0.3), twist(1, 0.2, -0.6, 0.5, 0.9, -2)
        I = a.Inertia.of_cloud([1, 2, 0.5], [(1, 0, 0), (0, 1, 0.5), (0.2, 0.1, 1)])
        hidden = -ad(six(V)).T  # a block of Ploen's matrix
        sum_ = I.matrix() @ six(Vdot) + hidden @ I.matrix() @ six(V)
        np.testing.assert_allclose(six(a.newton_euler(I, V, Vdot)), sum_, atol=1e-13)

    def test_point_ali_gravity(self):
        M = a.Inertia.of_cloud([2], [(1, 0, 0)])
        self.page("convention_papers", (r"has \mathcal M_j G = @", M * twist(0, 0, 0, 0, 0, -9.81)))

    def test_point_ali_transposes(self):
        C, V, h = a.exp(twist(0.3, -0.7, 0.5, 1, 2, -1)), twist(0.4, -1, 2, 0.7, 0.1, -0.3), 1e-6
        moved = [np.linalg.inv(a.Ad_matrix(a.exp(s * h * V) * C)).T for s in (1, -1)]
        rate = (moved[0] - moved[1]) / (2 * h)
        np.testing.assert_allclose(rate, -ad(six(V)).T @ np.linalg.inv(a.Ad_matrix(C)).T, atol=1e-7)

    def test_point_ma_order_of_motions(self):
        frame = a.JointFrame(a=0.3, b=-0.2, d=0.5, alpha=np.pi / 2, theta=0.4)
        T = frame.pose(0)
        R = expm(hat([np.pi / 2, 0, 0, 0, 0, 0])) @ expm(hat([0, 0, 0.4, 0, 0, 0]))
        np.testing.assert_allclose(T.R, R[:3, :3], atol=1e-14)
        np.testing.assert_allclose(T.p, (0.3, -0.2, 0.5), atol=1e-15)
        np.testing.assert_allclose(T.R[:, 2], (0, -1, 0), atol=1e-14)


if __name__ == "__main__":
    unittest.main()
