"""Plain data of Python: pickled, copied, sent to other processes, printed; enumerations by name; what is refused."""
import copy
import multiprocessing
import pickle
import sys
import threading
import time
import unittest

import numpy as np

import articulate as a


def same(x, y):
    """Whether two values show the same, bit for bit."""
    if isinstance(x, np.ndarray):
        return isinstance(y, np.ndarray) and x.shape == y.shape and x.tobytes() == y.tobytes()
    if isinstance(x, (list, tuple)):
        return len(x) == len(y) and all(map(same, x, y))
    if isinstance(x, dict):
        return x.keys() == y.keys() and all(same(x[key], y[key]) for key in x)
    if isinstance(x, a.Model):
        return same(x.mechanism, y.mechanism) and repr(x) == repr(y) and x.warnings == y.warnings
    if hasattr(type(x), "__reduce__") and type(x).__module__ == "articulate" and not hasattr(x, "__members__"):
        names = [name for name, value in vars(type(x)).items() if isinstance(value, property)]
        return type(x) is type(y) and bool(names) and all(same(getattr(x, n), getattr(y, n)) for n in names)
    return x == y


def unlike():
    """A value of each kind, with numbers that no default has."""
    draw = np.random.default_rng(7)
    T = a.exp(a.to_twist(draw.normal(size=6)))
    loop = a.cut_joint("screw", "helical", a.LoopEnd("a", [1, 2, 3], [0, 0.6, 0, 0.8]), a.LoopEnd("b"), [1, 2, 2], 0.3)
    frame = a.JointFrame(0.1, 0.2, 0.3, 0.4, 0.5, "prismatic", [0, 0.6, 0.8])
    mechanism = a.built_in_model("every_joint")
    mechanism.gravity = [1, 2, 3]
    return [
        *(T, a.SO3(T.R), a.Twist([1, 2, 3], [4, 5, 0.1]), a.Wrench([1, 2, 3], [4, 5, 0.1])),
        a.coAd(T, a.solid_box(0.3, 1, 2, 3)),
        *(mechanism.links[1], mechanism.joints[1], mechanism, loop, loop.first),
        *(a.Mimic("a", -2, 0.3), a.coupled_joints("gear", "b", a.Mimic("a", -2, 0.3)), a.Coupling("b", a.Mimic("a", 4))),
        a.Joint("j", "prismatic", "a", "b", mimic=a.Mimic("k", 0.1)),
        a.State([0.1, 0.2], tau=[0.3, 0.4], gravity=[0, 1, 2], Fext={"hand": [1, 2, 3, 4, 5, 6]}),
        a.random_state(a.Model.load("drone_arm", floating_base=True), 3),
        *(a.Model.load("mimic_hand"), a.Model.load("drone_arm", floating_base=True)),
        *(a.JointType.helical, a.JacobianFrame.mixed, a.CoriolisFamily.ploen, a.Least.constraint_force),
        *(frame, a.JointFrameChain([frame], T, T), a.FramedLink("j", frame, "p", a.Link("l", 2.0))),
        a.DenavitHartenbergRow(1, 2, 3, 4, "prismatic"),
        a.DenavitHartenbergChain("modified", [a.DenavitHartenbergRow(1, 2, 3, 4)], T, T),
        *(a.OffsetsBetween([a.Twist([1, 0, 0])], [T]), a.OffsetBehind([a.Twist([1, 0, 0])], T)),
        a.OffsetBefore(T, [a.Twist([1, 0, 0])]),
        *(a.Phase("wait", 1.5, "even", [1, None, 3, 4, None, 6]), a.working_process()),
    ]


def unphysical():
    b = a.Link("b", 1, inertia=[1, 0, 0, 1, 0, 9])
    return a.Mechanism("m", [a.Link("a"), b], [a.Joint("j", "ball", "a", "b")])


class Owned:
    """What a class of Python's may add: a constructor of its own, and what it is given later."""

    def __init__(self, owner, *arguments):
        super().__init__(*arguments)
        self.owner = owner


class Robot(Owned, a.Model):
    pass


class Sketch(Owned, a.Mechanism):
    pass


class Moment(Owned, a.State):
    pass


class Screw(Owned, a.Twist):
    pass


class Bare(a.Twist):
    __slots__ = ()


def far_away(model, state):
    """In another process: the forces, and what is sent back."""
    return a.inverse_dynamics(model, state.q, state.qd, state.qdd, state.Fext), model, state


class Copies(unittest.TestCase):
    def test_what_is_pickled_or_copied_is_the_same(self):
        for value in unlike():
            for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
                with self.subTest(type(value).__name__):
                    self.assertTrue(same(value, again), f"{value}\nagainst\n{again}")

    def test_a_deep_copy_of_a_mechanism_is_its_own(self):
        m = a.built_in_model("ur5")
        again = copy.deepcopy(m)
        again.links[1].mass, again.joints[0].type = 99, "prismatic"
        self.assertNotEqual(m.links[1].mass, 99)
        self.assertEqual(m.joints[0].type, a.JointType.revolute)

    def test_an_object_of_a_class_below_keeps_its_class_and_what_it_was_given(self):
        mechanism, owner = a.built_in_model("drone_arm"), ["ann"]
        for value, shown in (
            (Robot(owner, mechanism, True), lambda x: (x.mechanism, x.floating_base)),
            (Sketch(owner, "m", [a.Link("b", 2.0)]), lambda x: (x.name, x.links)),
            (Moment(owner, [0.1, 0.2], [0.3, 0.4]), lambda x: (x.q, x.qd, x.tau)),
            (Screw(owner, [1, 2, 3], [4, 5, 6]), lambda x: (x.w, x.v)),
        ):
            with self.subTest(type(value).__name__):
                value.itself = value
                pickles = [pickle.loads(pickle.dumps(value, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]
                for again in (*pickles, copy.deepcopy(value), copy.copy(value)):
                    self.assertIs(type(again), type(value))
                    self.assertIsNot(again, value)
                    self.assertTrue(same(shown(again), shown(value)))
                    self.assertEqual(again.owner, ["ann"])
                    again.mark = 1
                    self.assertFalse(hasattr(value, "mark"))
                    if again.itself is not value:  # all but the flat copy
                        self.assertIs(again.itself, again)
                        self.assertIsNot(again.owner, owner)
        bare = Bare([1, 2, 3], [4, 5, 6])
        for again in (pickle.loads(pickle.dumps(bare)), copy.copy(bare), copy.deepcopy(bare)):
            self.assertIs(type(again), Bare)
            self.assertTrue(same([again.w, again.v], [bare.w, bare.v]))

    def test_a_model_is_its_own_copy(self):
        model = a.Model.load("ur5")
        self.assertIs(copy.copy(model), model)
        self.assertIs(copy.deepcopy(model), model)

    def test_an_unphysical_model_that_was_accepted_is_accepted_again(self):
        m = unphysical()
        model = a.Model(m, accept_unphysical=True)
        self.assertEqual(pickle.loads(pickle.dumps(model)).warnings, model.warnings)

    def test_workspaces_are_not_pickled(self):
        with self.assertRaises(TypeError):
            pickle.dumps(a.InverseDynamics(a.Model.load("ur5")))

    def test_models_and_states_go_to_other_processes_and_back(self):
        models = [a.Model.load(name) for name in ("ur5", "puma560")]
        tasks = [(model, a.random_state(model, seed)) for seed, model in enumerate(models)]
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            answers = pool.starmap(far_away, tasks)
        for (model, state), answer in zip(tasks, answers):
            self.assertTrue(same(answer, far_away(model, state)))


class States(unittest.TestCase):
    def test_what_is_missing_is_zero(self):
        s = a.State(q=[1, 2], tau=[3.0, 4])
        self.assertTrue(same([s.q, s.qd, s.qdd, s.tau], [np.array(x, float) for x in ([1, 2], [0, 0], [0, 0], [3, 4])]))
        self.assertEqual((s.gravity, s.Fext), (None, {}))
        s = a.State(np.arange(7), np.ones(6), Fext={"tip": np.ones(6)}, gravity=(0, 0, -1.6))
        self.assertEqual((s.qdd.shape, s.tau.shape, list(s.gravity)), ((6,), (6,), [0, 0, -1.6]))

    def test_it_keeps_copies(self):
        q = np.array([1.0, 2])
        s = a.State(q)
        q[0] = 5
        self.assertEqual(s.q[0], 1)

    def test_no_one_writes_into_it(self):
        drawn = a.random_state(a.Model.load("drone_arm"), 1)
        given = a.State([1.0, 2], gravity=[0, 0, -1.6], Fext={"tip": np.ones(6)})
        for s in (drawn, given, *(again(x) for x in (drawn, given) for again in (copy.copy, copy.deepcopy))):
            arrays = [s.q, s.qd, s.qdd, s.tau, s.gravity, *s.Fext.values()]
            for array in (*arrays, pickle.loads(pickle.dumps(s)).q):
                with self.assertRaisesRegex(ValueError, "read-only"):
                    array[0] = 9
                with self.assertRaises(ValueError):
                    array.setflags(write=True)
        own = given.q.copy()
        own[0] = 9
        self.assertEqual(given.q[0], 1)

    def test_its_text_makes_it_again(self):
        for s in (a.random_state(a.Model.load("drone_arm"), 1), a.State([0.1, 0.2])):
            self.assertTrue(same(s, eval(repr(s), {"State": a.State})))
        self.assertEqual(
            repr(a.State([0.5], qd=[1])), "State(q=[0.5], qd=[1.0], qdd=[0.0], tau=[0.0], gravity=None, Fext={})"
        )

    def test_what_does_not_fit_is_refused(self):
        for wrong, sentence in (
            (lambda: a.State([1, 2], qd=[1, 2], tau=[1]), "tau has 1 entry where the model needs 2."),
            (lambda: a.State([[1, 2]]), r"q has the shape \(1, 2\)"),
            (lambda: a.State([1], gravity=[1]), "gravity has 1 entry"),
            (lambda: a.State([1], Fext={"hand": [1, 2]}), r"Fext\['hand'\] has 2 entries"),
            (lambda: a.State([np.nan]), r"q\[0\] is nan"),
        ):
            with self.assertRaisesRegex(a.StateError, sentence):
                wrong()


class Unmade(unittest.TestCase):
    """What Python lets anyone make: the shell of an object, without its constructor."""

    SENTENCE = "An object whose __init__() has not run is given where a complete one is needed; call its class to make one."

    def test_nothing_can_be_read_from_it(self):
        looked = 0
        for cls in (value for value in vars(a).values() if isinstance(value, type) and value.__module__ == "articulate"):
            for name in (name for name in dir(cls) if isinstance(getattr(cls, name), property)):
                with self.subTest(f"{cls.__name__}.{name}"), self.assertRaises(TypeError) as caught:
                    getattr(cls.__new__(cls), name)
                self.assertEqual(str(caught.exception), self.SENTENCE)
                looked += 1
        self.assertGreater(looked, 300)

    def test_nor_is_it_taken_for_an_argument(self):
        for call in (
            lambda: a.InverseDynamics(a.Model.__new__(a.Model)),
            lambda: a.Model(a.Mechanism.__new__(a.Mechanism)),
            lambda: a.SE3() * a.SE3.__new__(a.SE3),
            lambda: repr(a.State.__new__(a.State)),
        ):
            with self.assertRaises(TypeError) as caught:
                call()
            self.assertEqual(str(caught.exception), self.SENTENCE)

    def test_a_constructor_below_cannot_use_it_too_early(self):
        class Hasty(a.Model):
            def __init__(self, mechanism):
                self.size = self.nv
                super().__init__(mechanism)

        with self.assertRaises(TypeError) as caught:
            Hasty(a.built_in_model("ur5"))
        self.assertEqual(str(caught.exception), self.SENTENCE)


class Names(unittest.TestCase):
    def test_the_name_of_a_value_does_for_the_value(self):
        model = a.Model.load("every_joint", floating_base=True)
        s, link = a.random_state(model, 2), model.links[-1].name
        k = a.ForwardKinematics(model)
        k(s.q, s.qd)
        calls = {
            a.JacobianFrame: [lambda x: k.link_jacobian(link, x), lambda x: k.link_jacobian_rate(link, s.qd, frame=x)],
            a.CoriolisFamily: [
                a.is_admissible,
                lambda x: a.coriolis_matrix(model, s.q, s.qd, family=x),
                lambda x: a.coriolis_product(model, s.q, s.qd, s.tau, x),
                lambda x: a.reference_dynamics(model, s.q, s.qd, s.tau, s.qdd, x),
                lambda x: a.regressor(model, s.q, s.qd, s.tau, s.qdd, x),
                lambda x: a.Regressor(model, x)(s.q, s.qd, s.tau, s.qdd),
                lambda x: a.GlobalMatrices(model, s.q, s.qd).C(x),
                lambda x: a.GlobalMatrices(model, s.q, s.qd).C_bar(x),
                lambda x: a.body_coriolis_matrix(model.body(1).I, k.link_twist(link), x),
                lambda x: np.asarray(a.coriolis_wrench(model.body(1).I, k.link_twist(link), a.Twist([1] * 3), x)),
            ],
            a.JointType: [lambda x: a.Joint("j", x, "a", "b").type],
            a.Turning: [lambda x: a.Loop("l", a.LoopEnd("a"), a.LoopEnd("b"), (False, True, True), x).turning],
            a.PhaseLaw: [lambda x: a.Phase("p", 1, x).law],
            a.DenavitHartenberg: [
                lambda x: a.DenavitHartenbergChain(x, []).convention,
                lambda x: a.DenavitHartenbergRow(1, 2, 3, 4).pose(x, 0.5).matrix(),
            ],
            a.Least: [
                lambda x: a.constrained_inverse_dynamics([1, 2], [0, 0], [[1, 3]], [True, True], least=x).tau,
            ],
        }
        for enumeration, functions in calls.items():
            for function in functions:
                for name, value in enumeration.__members__.items():
                    self.assertTrue(same(function(value), function(name)), enumeration.__name__)
                with self.assertRaises(ValueError) as caught:
                    function("wrong")
                self.assertEqual(
                    str(caught.exception),
                    f"There is no {enumeration.__name__} 'wrong'; there are {', '.join(enumeration.__members__)}.",
                )
                with self.assertRaises(TypeError):
                    function(3)

    def test_masked_numbers_are_refused_and_a_mask_of_nothing_is_none(self):
        model = a.Model(a.built_in_model("park_2r"))
        given = np.ma.masked_equal([0.5, -9999.0], -9999.0)
        for call in lambda: a.mass_matrix(model, given), lambda: a.Batch(model).mass_matrix(given[None]), lambda: a.State(given):
            with self.assertRaisesRegex(a.Error, "masked"):
                call()
        self.assertTrue((a.mass_matrix(model, np.ma.masked_equal([0.5, 0.1], 7)) == a.mass_matrix(model, [0.5, 0.1])).all())

    def test_the_type_of_a_joint_is_set_by_name(self):
        j = a.Joint("j", "ball", "a", "b")
        j.type = "helical"
        self.assertEqual(j.type, a.JointType.helical)
        with self.assertRaisesRegex(ValueError, "There is no JointType 'hinge'; there are fixed, "):
            j.type = "hinge"


class Sentences(unittest.TestCase):
    def test_a_quaternion_of_length_zero_is_called_so(self):
        model = a.Model.load("every_joint", floating_base=True)
        s = a.random_state(model, 1)
        joints = [j for j in model.joints if j.nq > j.nv]
        self.assertGreater(len(joints), 1)
        for joint in joints:
            at = joint.q + joint.nq - 4
            for length in (0.0, 1e-200):
                q = s.q.copy()
                q[at : at + 4] = 0, 0, 0, length
                for call in (
                    lambda: a.ForwardKinematics(model)(q, s.qd),
                    lambda: a.InverseDynamics(model)(q, s.qd, s.qdd),
                    lambda: a.forward_dynamics(model, q, s.qd, s.tau),
                    lambda: a.mass_matrix(model, q),
                    lambda: a.displaced(model, q, s.qd),
                    lambda: a.simulate(model, a.State(q, s.qd), 0.1),
                ):
                    with self.assertRaises(a.StateError) as caught:
                        call()
                    self.assertTrue(
                        str(caught.exception).endswith(
                            f"The quaternion of joint '{joint.name}' in q, from q[{at}] on, has length zero and is no "
                            "rotation; one has length one."
                        ),
                        str(caught.exception),
                    )

    def test_numbers_that_are_too_large_are_still_called_so(self):
        model = a.Model.load("park_2r")
        with self.assertRaisesRegex(a.StateError, "too large for double precision"):
            a.inverse_dynamics(model, [0, 1], [1e200, 1e200], [0, 0])

    def test_arguments_have_the_names_that_they_have_in_python(self):
        m = unphysical()
        with self.assertRaises(a.ModelError) as caught:
            a.Model(m)
        self.assertIs(type(caught.exception), a.ModelError)
        self.assertTrue(
            str(caught.exception).endswith("(accept_unphysical=True makes this a warning)."), str(caught.exception)
        )


class Threads(unittest.TestCase):
    """A thread that only counts goes on while another one computes."""

    def setUp(self):
        # Python itself switches no thread: what goes on does so because a call lets it.
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1000)

    def others_run_during(self, call):
        """Whether a thread that gives way after each number ever counts on; a busy machine may wake it late."""
        counted, done, begun = [0], threading.Event(), threading.Event()

        def count():
            begun.set()
            while not done.is_set():
                counted[0] += 1
                time.sleep(0)

        thread = threading.Thread(target=count)
        thread.start()
        begun.wait()
        before, until = counted[0], time.monotonic() + 10
        while counted[0] == before and time.monotonic() < until:
            call()
        goes_on = counted[0] > before
        done.set()
        thread.join()
        return goes_on

    def test_others_run_during_long_calls(self):
        chain = a.Model.load("planar_arm:60")
        s, n = a.random_state(chain, 1), chain.nv
        long = a.Model.load("planar_arm:2000")
        u = a.random_state(long, 1)
        k = a.ForwardKinematics(long)
        rnea, aba = a.InverseDynamics(long), a.ForwardDynamics(long)
        hybrid = a.HybridDynamics(long, [True] * long.nv)
        Y, metric = a.Regressor(chain), a.InertiaMetric(chain)
        higher = a.HigherOrderDynamics.inverse(chain, 6)
        derivatives = np.ones((n, 7))
        motion = a.VariationalIntegrator(chain)
        mechanism = chain.mechanism
        stack = np.random.default_rng(1).normal(size=(300, 200))
        calls = {
            "Model": lambda: a.Model(mechanism),
            "Model.load": lambda: a.Model.load("planar_arm:300"),
            "random_state": lambda: a.random_state(long, 1),
            "InverseDynamics": lambda: rnea(u.q, u.qd, u.qdd),
            "ForwardDynamics": lambda: aba(u.q, u.qd, u.tau),
            "respond": lambda: aba.respond(u.tau, u.qdd),
            "HybridDynamics": lambda: hybrid(u.q, u.qd, u.qdd, u.tau),
            "ForwardKinematics": lambda: k(u.q, u.qd),
            "link_jacobian": lambda: k.link_jacobian(long.links[-1].name),
            "mass_matrix": lambda: a.mass_matrix(chain, s.q),
            "composite_mass_matrix": lambda: a.composite_mass_matrix(chain, s.q),
            "equations_of_motion": lambda: a.equations_of_motion(chain, s.q, s.qd),
            "inverse_dynamics_jacobians": lambda: a.inverse_dynamics_jacobians(chain, s.q, s.qd, s.qdd),
            "forward_dynamics_jacobians": lambda: a.forward_dynamics_jacobians(chain, s.q, s.qd, s.tau),
            "coriolis_matrix": lambda: a.coriolis_matrix(chain, s.q, s.qd),
            "regressor": lambda: Y(s.q, s.qd, s.qdd),
            "InertiaMetric": lambda: (metric(s.q), metric.christoffel_symbols()),
            "GlobalMatrices": lambda: a.GlobalMatrices(chain, s.q, s.qd).C(),
            "HigherOrderDynamics": lambda: higher(s.q, s.qd, derivatives, derivatives),
            "VariationalIntegrator": lambda: motion.step(s.q, 0.01 * s.qd, 1e-4),
            "BaseParameters": lambda: a.BaseParameters(stack),
        }
        for name, call in calls.items():
            with self.subTest(name):
                self.assertTrue(self.others_run_during(call))

    def test_two_threads_may_call_one_object(self):
        model = a.Model.load("planar_arm:400")
        states = [a.random_state(model, seed) for seed in (1, 2)]
        rnea = a.InverseDynamics(model)
        alone = [rnea(s.q, s.qd, s.qdd) for s in states]
        wrong = []

        def work(s, expected):
            for _ in range(300):
                if rnea(s.q, s.qd, s.qdd).tobytes() != expected.tobytes():
                    wrong.append(s)

        threads = [threading.Thread(target=work, args=x) for x in zip(states, alone)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
