"""Loop files from Python: what is written is read back to the same numbers, and moves the same way."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
from agreement import assert_agree

import articulate as a

COMMAND = os.path.join(os.environ["ARTICULATE_BUILD"], "bin", "articulate-cli")


def accelerations(model, loops, q):
    """Of a closed machine that starts to fall at rest, its rows and its multipliers."""
    closing = a.Loops(model, loops)
    rest = np.zeros(model.nv)
    closing(q, rest)
    dynamics = a.ConstrainedDynamics(model, [False] * model.nv, closing.rows)
    return dynamics(q, rest, rest, rest, closing.A, closing.Adot_qd)


def numbers(loop):
    """All that a loop says."""
    ends = [(end.link, *end.position, *end.quaternion) for end in (loop.first, loop.second)]
    coupling = loop.coupling and (loop.coupling.joint, repr(loop.coupling.follows))
    return loop.name, *ends, loop.slides, loop.turning, tuple(loop.axis), loop.pitch, coupling


class LoopFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "loops.json"

    def again(self, model, file):
        a.write_loops(self.path, model, file)
        return a.read_loops(self.path, model)

    def by_command(self, robot, q, nv, gravity):
        """What the command line makes of the files for a machine that starts to fall at rest."""
        state = {"q": list(q), "qd": [0] * nv, "tau": [0] * nv, "gravity": gravity}
        command = [COMMAND, "compute", "--model", robot, "--loops", self.path, "--state", "-"]
        done = subprocess.run(command, input=json.dumps(state), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return json.loads(done.stdout)["constrained"]["forward_dynamics"]

    def test_the_machines_of_the_book_are_files(self):
        machines = a.closed_machines()
        self.assertEqual(len(machines), 9)
        for machine in machines:
            with self.subTest(machine.name):
                model = a.Model(machine.tree)
                back = self.again(model, a.LoopFile(machine.loops)).loops
                self.assertEqual([*map(numbers, back)], [*map(numbers, machine.loops)])
                q = a.Assembly(model, machine.loops).close(machine.guess)
                for one, other in zip(accelerations(model, machine.loops, q), accelerations(model, back, q)):
                    np.testing.assert_array_equal(one, other)
                    self.assertGreater(np.abs(accelerations(model, back, q)[0]).max(), 0)

                robot = self.path.with_suffix(".urdf")
                a.write_urdf(robot, machine.tree)
                gravity = list(machine.tree.gravity)
                found = self.by_command(robot, q, model.nv, gravity)
                for key, k in (("qdd", 0), ("lambda", 2)):
                    assert_agree(
                        self,
                        lambda q: found[key],
                        lambda q: accelerations(model, machine.loops, q)[k],
                        q,
                    )

    def test_every_joint_and_what_is_free_by_hand_comes_back(self):
        model = a.Model.load("five_bar")
        tips = [a.LoopEnd("left_tip", [0.1, 0, 0.2], [0.5, 0.5, -0.5, 0.5]), a.LoopEnd("right_tip")]
        kinds = "fixed", "revolute", "prismatic", "universal", "cylindrical", "planar", "ball"
        loops = [a.cut_joint(kind, kind, *tips, axis=[0, 0.3, 2]) for kind in kinds]
        loops += [a.cut_joint("screw", "helical", *tips, pitch=0.03), a.Loop("hand", *tips, [True, False, True], "free")]
        self.assertEqual([*map(numbers, self.again(model, a.LoopFile(loops)).loops)], [*map(numbers, loops)])
        text = self.path.read_text()
        for word in ('"universal"', '"helical"', '"pitch": 0.03', '"slides": ["x","z"]', '"turns": "free"'):
            self.assertIn(word, text)

    def test_coupled_joints_are_those_of_the_description_and_of_a_file(self):
        model = a.Model.load("mimic_hand")
        loops = a.mimic_loops(model.mechanism)
        self.assertEqual(
            [(loop.name, loop.coupling.joint, repr(loop.coupling.follows)) for loop in loops],
            [
                ("second_knuckle", "second_knuckle", "Mimic('first_knuckle', -0.8, 0.1)"),
                ("thumb_slide", "thumb_slide", "Mimic('first_knuckle', 0.02, 0.0)"),
            ],
        )
        self.assertEqual([*map(numbers, self.again(model, a.LoopFile(loops)).loops)], [*map(numbers, loops)])
        q = a.Assembly(model, loops).close(np.full(model.nq, 0.3))
        place = {joint.name: joint.q for joint in model.joints}
        self.assertAlmostEqual(q[place["second_knuckle"]], -0.8 * q[place["first_knuckle"]] + 0.1, delta=1e-15)
        gear = a.coupled_joints("gear", "wrist", a.Mimic("first_phalanx", multiplier=3))
        closing = a.Loops(model, [gear])
        closing(q, np.zeros(model.nv))
        row = np.zeros(model.nv)
        row[place["wrist"]], row[place["first_phalanx"]] = 1, -3
        np.testing.assert_array_equal(closing.A, [row])

        mechanism = model.mechanism
        joint = next(joint for joint in mechanism.joints if joint.name == "first_knuckle")
        self.assertIsNone(joint.mimic)
        joint.mimic = a.Mimic("thumb_slide")
        with self.assertRaisesRegex(a.ModelError, "'first_knuckle' mimics 'thumb_slide' mimics 'first_knuckle', in a circle"):
            a.mimic_loops(mechanism)
        with self.assertRaisesRegex(a.ModelError, "couples the joint 'nobody', and there is none"):
            a.Loops(model, [a.coupled_joints("gear", "nobody", a.Mimic("wrist"))])

    def test_an_end_in_the_world_is_on_the_root(self):
        model = a.Model.load("five_bar")
        file = a.LoopFile([a.cut_joint("pin", "revolute", a.LoopEnd("", [0.1, 0.2, 0.3]), a.LoopEnd("left_tip"))])
        (back,) = self.again(model, file).loops
        self.assertEqual(back.first.link, model.links[0].name)
        floating = a.Model.load("five_bar", floating_base=True)
        with self.assertRaisesRegex(a.StateError, "in the world"):
            a.write_loops(self.path, floating, file)

    def test_a_long_quaternion_becomes_one_of_length_one(self):
        model, ends = a.Model.load("five_bar"), (a.LoopEnd("left_tip", quaternion=[1, 1, -1, 1]), a.LoopEnd("right_tip"))
        (back,) = self.again(model, a.LoopFile([a.cut_joint("pin", "ball", *ends)])).loops
        np.testing.assert_allclose(back.first.quaternion, [0.5, 0.5, -0.5, 0.5], rtol=1e-15)

    def test_forces_stops_motors_and_what_is_held_are_kept(self):
        model, end = a.Model.load("five_bar"), ("left_tip", [0.1, 0, 0])
        forces = [
            a.spring_damper("rope", ("", [0, 1, 2]), end, 40, 0.3, 0.2),
            a.joint_spring("clock", "left_drive", 4, 0.1, 0.2),
            a.joint_friction("rust", "left_elbow", 0.1, 0.2, 0.03),
            a.applied_force("push", end, [1, 2, 3], in_link=True),
            a.applied_force("tug", end, [[1, 2, 3], [2, 3, 4]], [0, 2]),
            a.applied_joint_force("motor", "left_drive", [[1], [5]], [0, 2]),
            a.applied_joint_force("brake", "left_drive", [0.7]),
            a.rotor_inertia("rotor", "right_drive", 0.02),
            a.gravity_field("moon", 0.3, [1, 2, 3]),
        ]
        motors, held = [True, False, True, False], [False, True, False, False]
        pin = a.cut_joint("pin", "revolute", a.LoopEnd("left_tip"), a.LoopEnd("right_tip"))
        file = self.again(model, a.LoopFile([pin], forces, [], motors, "constraint_force", held))
        self.assertEqual((file.actuated, file.least, file.held), (motors, a.Least.constraint_force, held))
        self.assertEqual(repr(file), "LoopFile(1 loops, 9 force elements, 0 stops)")
        q, qd = [0.3, -1.9, 0.9, 0.6], [1, -1, 0.5, 0.2]
        before, after = a.ForceElements(model, forces), a.ForceElements(model, file.force_elements)
        for t in (0, 0.7, 3):
            np.testing.assert_array_equal(before(q, qd, t), after(q, qd, t))
        np.testing.assert_array_equal(before.armature, after.armature)

        stops = """{"stops": [
          {"name": "end", "type": "joint", "joint": "left_drive", "degree": 0, "upper": 1.5, "restitution": 0.3},
          {"name": "floor", "type": "plane", "point": {"link": "left_tip"}, "plane": {"world": [0, 0, -1]},
           "normal": [0, 1, 3], "restitution": 0}]}"""
        self.path.write_text(stops)
        file = a.read_loops(self.path, model)
        self.assertEqual([stop.name for stop in file.stops], ["end", "floor"])
        self.assertEqual(repr(file.stops[0]), "Stop('end')")
        self.again(model, file)
        first = self.path.read_text()
        for word in ('"upper": 1.5', '"restitution": 0.3', '"world": [0.0,0.0,-1.0]', '"normal": [0.0,1.0,3.0]'):
            self.assertIn(word, first)
        self.assertNotIn("lower", first)
        self.again(model, a.read_loops(self.path, model))
        self.assertEqual(self.path.read_text(), first)

    def test_what_no_file_can_say_is_refused_and_nothing_is_written(self):
        model = a.Model.load("five_bar")
        pin = a.cut_joint("pin", "revolute", a.LoopEnd("left_tip"), a.LoopEnd("right_tip"))
        slide = a.Loop("odd", a.LoopEnd("left_tip"), a.LoopEnd("right_tip"), [True, False, False], "about_z", pitch=0.1)
        law = a.user_law("law", lambda q, qd, t: 0 * qd)
        for pieces, file in (
            ("here are none", a.LoopFile()),
            ("pitch beside slides", a.LoopFile([slide])),
            ("'law' is a law of your own", a.LoopFile([pin], [law])),
            ("actuated has 2 entries", a.LoopFile([pin], actuated=[True, False])),
        ):
            with self.assertRaisesRegex(a.StateError, pieces):
                a.write_loops(self.path, model, file)
        ball = a.Model(
            a.parse_urdf(
                '<robot name="b"><link name="base"/><link name="bob"><inertial><origin xyz="0 0 1"/><mass value="1"/>'
                '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link><joint name="ball" '
                'type="ball"><parent link="base"/><child link="bob"/></joint></robot>'
            )
        )
        tied = a.cut_joint("tied", "ball", a.LoopEnd("base", [0, 0, 1]), a.LoopEnd("bob", [0, 0, 1]))
        with self.assertRaisesRegex(a.StateError, "a part of joint 'ball'"):
            a.write_loops(self.path, ball, a.LoopFile([tied], held=[True, False, False]))
        with self.assertRaisesRegex(a.StateError, "no such file"):
            a.read_loops(self.path, model)
        with self.assertRaisesRegex(a.ModelError, "of one rigid body"):
            stuck = a.cut_joint("stuck", "ball", a.LoopEnd("left_tip"), a.LoopEnd("left_tip"))
            a.write_loops(self.path, model, a.LoopFile([stuck]))
        self.assertFalse(self.path.exists())


if __name__ == "__main__":
    unittest.main()
