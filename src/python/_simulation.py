"""A motion in time: the run of `articulate simulate`, as arrays."""
from __future__ import annotations

import dataclasses
import importlib
import reprlib
import warnings
from typing import Any, Callable, Dict, Sequence, Union

import numpy
from numpy.typing import NDArray

import articulate

Array = NDArray[numpy.float64]
Forces = Union[NDArray[Any], Sequence[float]]


@dataclasses.dataclass(frozen=True)
class Event:
    """What happened to a stop."""

    t: float  #: s
    stop: str  #: its name; of a joint's range with the end, as in 'elbow.upper'
    what: str  #: 'impact', 'rest' where it is leaned on, 'leave' where no more
    impulse: float  #: of an impact, N s or N m s; else 0, as are the rates
    before: float  #: the rate of the gap before an impact, m/s or rad/s
    after: float  #: and after it


@dataclasses.dataclass(frozen=True)
class PassedLimit:
    """A joint that has left the range that its description gives, for the first time, since nothing holds it there."""

    joint: str
    which: str  #: 'lower' or 'upper'
    limit: float  #: rad or m
    t: float  #: s: of the first step that ends beyond


@dataclasses.dataclass(frozen=True, eq=False)
class Trajectory:
    """What simulate() returns: an entry, or a row, of each array for each time, and the account of the energy."""

    t: Array  #: (k,), s
    q: Array  #: (k, nq): rad, m; free joint: position, quaternion x y z w
    qd: Array  #: (k, nv): rad/s, m/s; free joint: body twist
    kinetic_energy: Array  #: (k,), J
    potential_energy: Array  #: (k,), J; zero at the world's origin; springs and fields included
    angular_momentum: Array  #: (k, 3), N m s, about the world's origin, in world axes
    linear_momentum: Array  #: (k, 3), N s, in world axes
    work: Array  #: (k,), J, of all forces without a potential
    imbalance: Array  #: (k,), J, what the energy has gained without it
    violation: Array  #: (k,), m or rad: by how much a row of a loop is not met at most
    violation_rate: Array  #: (k,), m/s or rad/s: how fast a row of a loop opens at most
    bound: float  #: J: the imbalance for which the errors of the steps can answer
    singular_positions: Array  #: (m,), s: when one was passed
    events: Sequence[Event]  #: in the order in which they happened
    limits: Sequence[PassedLimit]  #: of joints without a stop
    lost: float  #: J: the kinetic energy that impacts took
    evaluations: int  #: of the forces, and of accelerations with them, by the steps, rejected ones included

    @property
    def energy(self) -> Array:
        """Kinetic and potential energy together, (k,), J."""
        return self.kinetic_energy + self.potential_energy

    def __repr__(self) -> str:
        return f"Trajectory({len(self.t)} times from {self.t[0]} s to {self.t[-1]} s)"


class SimulationStopped(articulate.StateError):
    """A motion that cannot go on, or whose energy does not balance; `trajectory` is what was right until then."""

    trajectory: Trajectory


def _checked(tau: Callable[[float], Forces], size: int) -> Callable[[float], Array]:
    """The function tau, refused at the first time when what it returns is no array of so many numbers."""

    def forces(t: float) -> Array:
        given = tau(t)
        found = numpy.asarray(given)
        if found.dtype.kind not in "fiu":
            raise TypeError(f"tau({t:g}) is {reprlib.repr(given)} where an array of {size} numbers is needed.")
        if found.shape != (size,):
            raise articulate.SizeError(f"tau({t:g}) has the shape {found.shape} where the model needs ({size},).")
        return found

    return forces


def simulate(
    model: articulate.Model,
    state: articulate.State,
    duration: float,
    step: float = 1e-3,
    every: int = 1,
    integrator: str = "rk4",
    loops: Sequence[articulate.Loop] = (),
    stabilisation: str = "project",
    tau: Union[None, Forces, Callable[[float], Forces]] = None,
    force_elements: Sequence[articulate.ForceElement] = (),
    stops: Sequence[articulate.Stop] = (),
    tolerance: float = 0,
    ignore_imbalance: bool = False,
) -> Trajectory:
    """The motion of a model from a state on, as `articulate simulate` finds it, at each so many-th step.

    duration, step: s; the step is made a little shorter where no whole number of steps fills the duration.
    integrator: 'rk4', Runge-Kutta-Munthe-Kaas of order 4, 'radau', implicit of order 5 for stiff machines, or
    'variational', symplectic of order 2.
    loops: stay closed. stabilisation, for rk4 and radau: 'project' moves coordinates and rates in each stage and after
    each step to where the loops are closed, 'rates' the rates alone, 'none' nothing; by 'baumgarte' accelerations close
    them, as fast as the step allows.
    tau: joint forces (nv,), held, or a function of the time (s) that returns them; those of the state unless given. Steps
    that find their length may pass over a pulse that is shorter than they are; a table of a force element has rows, at
    which steps end.
    force_elements: act in every state.
    stops: are met by steps that find their length, so that a tolerance is needed; see `events`.
    tolerance: of displacements (rad, m) over the whole duration, by steps that find their length (Dormand and Prince,
    or radau); `step` is then the time between rows. 0 for steps of one length.
    ignore_imbalance: warn where the energy is out of balance by more than `bound`, or the steps do not show their order,
    and go on.
    Warns of each joint that leaves the limits of its description where no stop holds it.
    The gravity of the state (that of the model where it is None) and its wrenches on links act all the time; its
    accelerations are not read. Raises Error for an argument that cannot be meant, SimulationStopped with the time at
    which the motion cannot go on or its energy does not balance, and with the trajectory so far. Other threads run
    meanwhile, unless Python's functions are called.
    """
    fields: Dict[str, Any] = importlib.import_module("articulate._articulate")._simulate(
        model,
        state.q,
        state.qd,
        model.gravity if state.gravity is None else state.gravity,
        state.Fext,
        _checked(tau, model.nv) if callable(tau) else state.tau if tau is None else tau,
        list(loops),
        list(force_elements),
        list(stops),
        duration=duration,
        step=step,
        tolerance=tolerance,
        every=every,
        integrator=integrator,
        stabilisation=stabilisation,
        ignore_imbalance=ignore_imbalance,
    )
    warning, stopped = fields.pop("warning"), fields.pop("stopped")
    events = [Event(*one) for one in fields.pop("events")]
    limits = [PassedLimit(*one) for one in fields.pop("limits")]
    trajectory = Trajectory(**fields, events=events, limits=limits)
    if stopped:
        error = SimulationStopped(stopped)
        error.trajectory = trajectory
        raise error
    passed = [
        f"joint '{one.joint}' passes its {one.which} limit {one.limit:g} by t = {one.t:g} s; nothing holds it, stops would."
        for one in limits
    ]
    for message in [*passed, *([warning] if warning else [])]:
        warnings.warn(message, RuntimeWarning, stacklevel=2)
    return trajectory
