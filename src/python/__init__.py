"""Articulated rigid body dynamics on Lie groups, proved number by number.

Names are those of the C++ library and of the book. Arrays are numpy float64 in SI units; twists and wrenches have
their angular part first, and bodies are numbered 1 to N from the base outward, 0 being the world. What a recursion saw
is shown as read-only views of its memory: the next call changes what they show, and before the first one there is
nothing to see. Wherever a value of an enumeration is taken its name is, too: `frame="world"`. Mechanisms, models, states
and whatever else is plain data can be pickled and copied; objects of classes below theirs, too, with what these have
added. Long calls let other threads run; two threads that call the same object take turns.

The equations of the papers and their proofs are in `articulate.ledger`, the exercises of the book in `articulate.course`; both are
loaded when they are first asked for. `articulate.grade` marks answers to exercises.
"""
from ._articulate import *  # noqa: F403
from ._articulate import __version__  # noqa: F401
from ._simulation import Event, PassedLimit, SimulationStopped, Trajectory, simulate  # noqa: F401


def __getattr__(name):
    """articulate.ledger and articulate.course with its function grade, loaded when they are first asked for."""
    import importlib

    if name in ("ledger", "course"):
        return importlib.import_module(f".{name}", __name__)
    if name == "grade":
        return importlib.import_module(".course", __name__).grade
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    """All names, that of what is not loaded yet included."""
    return sorted({*globals(), "ledger", "course", "grade"})
