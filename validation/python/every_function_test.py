"""Every function, method and property of the module is used by the tests: they run once more, watched."""
import functools
import inspect
import unittest

import articulate

UNWATCHED = {
    "__doc__",
    "__members__",
    "__module__",
    "__entries",
    "__getstate__",
    "__setstate__",
    "__init__",
}  # of pybind11
ENUMERATION = {
    "name",
    "value",
    "__eq__",
    "__ne__",
    "__hash__",
    "__int__",
    "__index__",
    "__repr__",
    "__str__",
}  # its too
CHAPTERS = (
    "group_test",
    "body_test",
    "model_test",
    "dynamics_test",
    "hybrid_test",
    "batch_test",
    "constrained_test",
    "motion_test",
    "force_elements_test",
    "loop_file_test",
    "derivatives_test",
    "skew_symmetry_test",
    "higher_order_test",
    "lagrange_test",
    "joint_frames_test",
    "hydraulic_manipulator_test",
    "simulation_test",
    "oracle_test",
    "values_test",
)
QUICK = ("ledger_test.Tables",)


def watch(owner, name, used):
    """Replace a function or property by one that notes its use, and return what it is called."""
    value, label = vars(owner)[name], f"{owner.__name__}.{name}"

    def noting(function, label):
        @functools.wraps(function)
        def noted(*arguments, **named):
            used.add(label)
            return function(*arguments, **named)

        return noted

    if isinstance(value, property):
        setter = value.fset and noting(value.fset, label + "=")
        setattr(owner, name, property(noting(value.fget, label), setter, doc=value.__doc__))
        return {label, label + "="} if setter else {label}
    static = isinstance(value, staticmethod)
    noted = noting(value.__func__ if static else value, label)
    setattr(owner, name, staticmethod(noted) if static else noted)
    return {label}


def watch_all(used):
    """The names of everything that can be used, all of it watched from now on."""
    everything = set()
    for module in (articulate, articulate.ledger):
        for name, value in list(vars(module).items()):
            if name.startswith("__"):
                continue
            if inspect.isroutine(value):
                everything |= watch(module, name, used)
            elif inspect.isclass(value) and not issubclass(value, Exception):
                skipped = UNWATCHED | (ENUMERATION if "__members__" in dir(value) else set())
                for member, part in list(vars(value).items()):
                    if (
                        member not in skipped
                        and (callable(part) or isinstance(part, (property, staticmethod)))
                        and part.__doc__
                    ):
                        if not isinstance(part, value):
                            everything |= watch(value, member, used)
    return everything


class EveryFunction(unittest.TestCase):
    def test_nothing_is_left_out(self):
        used = set()
        everything = watch_all(used)
        result = unittest.TestResult()
        unittest.defaultTestLoader.loadTestsFromNames([*CHAPTERS, *QUICK]).run(result)
        self.assertTrue(result.wasSuccessful(), result.failures + result.errors)
        self.assertGreater(len(everything), 150)
        self.assertEqual(everything - used, set())


if __name__ == "__main__":
    unittest.main()
