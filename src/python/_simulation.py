"""A motion in time, with the numbers of `articulate simulate`."""
from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy
from numpy.typing import NDArray

import articulate

Array = NDArray[numpy.float64]
Forces = Union[NDArray[Any], Sequence[float]]

STEPS, NUMBERS = 10**9, 5 * 10**7  # no more of them: a slip of a unit shall not fill the memory


@dataclasses.dataclass(frozen=True, eq=False)
class Trajectory:
    """What simulate() returns: an entry, or a row, of each array for each time."""

    t: Array  #: (k,), s
    q: Array  #: (k, nq): rad, m; free joint: position, quaternion x y z w
    qd: Array  #: (k, nv): rad/s, m/s; free joint: body twist
    kinetic_energy: Array  #: (k,), J
    potential_energy: Array  #: (k,), J; zero at the world's origin
    angular_momentum: Array  #: (k, 3), N m s, about the world's origin, in world axes
    linear_momentum: Array  #: (k, 3), N s, in world axes
    work: Array  #: (k,), J, of the joint forces and of the wrenches on links
    imbalance: Array  #: (k,), J, what the energy has gained without it
    violation: Array  #: (k,), m or rad: by how much a row of a loop is not met at most
    violation_rate: Array  #: (k,), m/s or rad/s: how fast a row of a loop opens at most

    @property
    def energy(self) -> Array:
        """Kinetic and potential energy together, (k,), J."""
        return self.kinetic_energy + self.potential_energy

    def __repr__(self) -> str:
        return f"Trajectory({len(self.t)} times from {self.t[0]} s to {self.t[-1]} s)"


def simulate(
    model: articulate.Model,
    state: articulate.State,
    duration: float,
    step: float = 1e-3,
    every: int = 1,
    integrator: str = "rk4",
    loops: Sequence[articulate.Loop] = (),
    stabilisation: Optional[str] = None,
    tau: Union[None, Forces, Callable[[float], Forces]] = None,
) -> Trajectory:
    """The motion of a model from a state on, as `articulate simulate` finds it, at each so many-th step.

    duration, step: s; the step is made a little shorter where no whole number of steps fills the duration.
    integrator: 'rk4', Runge-Kutta-Munthe-Kaas of order 4, or 'variational', symplectic of order 2.
    loops: stay closed. stabilisation, for rk4: 'project' (unless given) moves coordinates and rates in each stage and
    after each step to where the loops are closed, 'rates' the rates alone, 'none' nothing.
    tau: joint forces (nv,), held, or a function of the time (s) that returns them; those of the state unless given.
    The gravity of the state (that of the model where it is None) and its wrenches on links act all the time; its
    accelerations are not read. Raises Error for an argument that cannot be meant, StateError with the time at which
    the motion cannot go on.
    """
    steps = _number_of_steps(duration, step, every)
    _require_one_of("integrator", integrator, ("rk4", "variational"))
    if stabilisation is not None:
        _require_one_of("stabilisation", stabilisation, ("none", "rates", "project"))
        if integrator == "variational" and stabilisation != "project":
            raise articulate.Error(
                f"stabilisation={stabilisation!r} is for rk4; a variational step closes the loops by its own equations."
            )
    kept = steps // every + 1 + (steps % every > 0)
    if kept * (model.nq + model.nv + 13) > NUMBERS:
        raise articulate.Error(
            f"The trajectory would have {kept} rows, more than {NUMBERS:g} numbers; keep fewer of them by `every`."
        )
    forces = tau if callable(tau) else _held(state.tau if tau is None else tau)
    gravity = model.gravity if state.gravity is None else state.gravity
    motion = _Motion(model, list(loops), gravity, state.Fext, forces, integrator, stabilisation or "project")
    h = duration / steps if steps else step
    rows: List[Dict[str, Any]] = []
    t, q, qd = 0.0, state.q, state.qd
    for k in range(steps + 1):
        try:
            q, qd = motion.step(q, qd, t, h) if k else motion.begun(q, qd, h)
            t = duration * (k / steps) if steps else 0.0
            row = motion.seen(t, q, qd)
            if k % every == 0 or k == steps:
                rows.append(row)
        except articulate.SizeError:
            raise
        except articulate.StateError as error:
            raise articulate.StateError(
                f"the simulation stops after t = {t:g} s, where a shorter step may help: {error}"
            ) from error
    return Trajectory(**{name: numpy.array([row[name] for row in rows]) for name in rows[0]})


def _held(tau: Forces) -> Callable[[float], Forces]:
    return lambda t: tau


def _number_of_steps(duration: float, step: float, every: int) -> int:
    """Refuse what cannot be meant; a quotient that is a whole number but for rounding is that number."""
    if not (step > 0 and math.isfinite(step)):
        raise articulate.Error(f"step is {step} where a positive number of seconds is needed.")
    if not (duration >= 0 and math.isfinite(duration)):
        raise articulate.Error(f"duration is {duration} where a number of seconds, not below 0, is needed.")
    if every < 1:
        raise articulate.Error(f"every is {every}; it keeps each step with 1, each tenth with 10.")
    steps = math.ceil(duration / step * (1 - 1e-12))
    if steps > STEPS:
        raise articulate.Error(
            f"duration {duration:g} by step {step:g} makes {steps:g} steps, more than {STEPS:g}; take a longer step."
        )
    return steps


def _require_one_of(what: str, given: str, known: Tuple[str, ...]) -> None:
    if given not in known:
        raise articulate.Error(f"There is no {what} {given!r}; there are {', '.join(known)}.")


class _Motion:
    """One of the two integrators, with forces and loops, and what is measured on the way."""

    def __init__(
        self,
        model: articulate.Model,
        loops: List[articulate.Loop],
        gravity: Array,
        wrenches: Dict[str, Array],
        forces: Callable[[float], Forces],
        integrator: str,
        stabilisation: str,
    ) -> None:
        self.gravity, self.wrenches, self.forces = gravity, wrenches, forces
        self.variational = integrator == "variational"
        self.moves_rates = bool(loops) and stabilisation != "none"
        self.moves_coordinates = self.moves_rates and stabilisation != "rates"
        self.kinematics, self.loops = articulate.ForwardKinematics(model), articulate.Loops(model, loops)
        self.closed, self.balance = articulate.ClosedMotion(model, loops), articulate.EnergyBalance()
        self.closed.set_gravity(gravity)
        self.runge_kutta = articulate.RungeKuttaMuntheKaas(model)
        self.symplectic = articulate.VariationalIntegrator(model, loops)
        self.symplectic.set_gravity(gravity)
        self.model = model

    def accelerations(self, q: Array, qd: Array, t: float) -> Array:
        return self.closed.accelerations(q, qd, self.forces(t), self.wrenches)

    def step(self, q: Array, qd: Array, t: float, h: float) -> Tuple[Array, Array]:
        if self.variational:
            return self.symplectic.step(q, qd, h, self.forces(t), self.forces(t + h), self.wrenches)
        return self.runge_kutta.step(q, qd, h, self.accelerations, t, self.settled)

    def begun(self, q: Array, qd: Array, h: float) -> Tuple[Array, Array]:
        self.closed.begin(q, qd, h)
        return self.settled(q, qd)

    def settled(self, q: Array, qd: Array) -> Tuple[Array, Array]:
        """Close what is open, as far as that is wanted."""
        if self.moves_coordinates:
            return self.closed.settle(q, qd)
        return q, self.closed.project(q, qd) if self.moves_rates else qd

    def seen(self, t: float, q: Array, qd: Array) -> Dict[str, Any]:
        self.kinematics(q, qd)
        self.loops(q, qd)
        momentum = self.kinematics.momentum()
        energy = self.kinematics.kinetic_energy() + self.kinematics.potential_energy(self.gravity)
        self.balance.look(t, energy, articulate.power(self.model, q, qd, self.forces(t), self.wrenches))
        return {
            "t": t,
            "q": q,
            "qd": qd,
            "kinetic_energy": self.kinematics.kinetic_energy(),
            "potential_energy": self.kinematics.potential_energy(self.gravity),
            "work": self.balance.work,
            "imbalance": self.balance.imbalance,
            "angular_momentum": momentum.m,
            "linear_momentum": momentum.f,
            "violation": numpy.abs(self.loops.violation).max(initial=0),
            "violation_rate": numpy.abs(self.loops.A @ qd).max(initial=0),
        }
