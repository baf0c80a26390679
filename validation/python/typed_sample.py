"""What a user with a type checker writes: the checker must find nothing to say. Never run; see stubs_test.py."""
import pathlib
from typing import Any, Dict, List, Tuple

import numpy as np
from numpy.typing import NDArray

import articulate
from articulate import SE3, SO3, Ad, Inertia, InverseDynamics, JointType, Model, ModelError, Twist, Wrench, coAd, ledger

Vector = NDArray[np.float64]


def moved(T: SE3, V: Twist, F: Wrench) -> Tuple[Twist, Wrench]:
    return Ad(T, 2 * V + V), coAd(T, F - F)


def geometry() -> Vector:
    R: SO3 = articulate.exp([0, 0, 1.0])
    T: SE3 = articulate.exp(Twist(v=(1, 2, 3))) * SE3(R, np.zeros(3))
    point: Vector = T * [1, 0, 0]
    axis: Vector = articulate.log(R)
    I: Inertia = coAd(T, articulate.thin_rod(1, 2))
    momentum: Wrench = I * Twist.from_array(np.ones(6))
    energy: float = articulate.pairing(momentum, Twist())
    return point + axis + energy * np.asarray(momentum)[:3]


def mechanism() -> articulate.Mechanism:
    m = articulate.Mechanism("pair", links=[articulate.Link("a", 1.0)])
    m.links.append(articulate.Link("b", inertia=np.eye(3)))
    m.joints = [articulate.Joint("j", JointType.revolute, "a", "b"), articulate.Joint("k", "ball", "a", "b")]
    return m


def torques(path: pathlib.Path) -> Tuple[Vector, List[Vector]]:
    try:
        model = Model.load(path, floating_base=True)
    except ModelError as error:
        raise SystemExit(str(error)) from error
    s = articulate.random_state(model, 1)
    rnea = InverseDynamics(model)
    tau = rnea(s.q, list(s.qd), s.qdd, Fext=s.Fext)
    M, b, gravity = articulate.equations_of_motion(model, s.q, s.qd)
    names: List[str] = [joint.name for joint in model.joints if joint.type == JointType.floating]
    return M @ tau + b + gravity + len(names), rnea.S


def machine(model: Model, loop: articulate.Loop) -> Tuple[Vector, Vector, float]:
    assembly = articulate.Assembly(model, [loop], held=[True] * model.nv)
    q = assembly.close(model.zero_coordinates())
    qd = assembly.project(q, np.zeros(model.nv))
    pin = articulate.cut_joint("pin", "ball", articulate.LoopEnd("a"), articulate.LoopEnd("b", (1, 0, 0)))
    loops = articulate.Loops(model, [loop, pin])
    loops(q, qd)
    system = articulate.ConstrainedDynamics(model, [False] * model.nv, loops.rows)
    qdd, tau, multipliers = system(q, qd, qd, qd, loops.A, loops.Adot_qd)
    forces = articulate.constrained_inverse_dynamics(tau, tau, loops.A, [True] * model.nv)
    hybrid = articulate.HybridDynamics(model, np.arange(model.nv) < system.rank)
    response, _ = hybrid.respond(*hybrid(q, qd, qdd, forces.tau))
    by_q, by_qd, M = articulate.inverse_dynamics_jacobians(model, q, qd, qdd)
    parameter = articulate.Parameter.inertia(body=1, component=0)
    felt = articulate.forward_dynamics_derivative(model, parameter, q, qd, tau)
    return by_q @ response + by_qd @ felt, M @ multipliers, float(forces.unique)


def motion(model: Model, loop: articulate.Loop) -> Tuple[Vector, Vector]:
    method = articulate.VariationalIntegrator(model, [loop])
    method.set_gravity((0, 0, -1.6))
    q, qd = method.step(model.zero_coordinates(), np.zeros(model.nv), 1e-3, tau1=[1.0] * model.nv)
    return articulate.RungeKuttaMuntheKaas(model).step(q, qd, 1e-3, lambda q, qd, t: t * qd, t=0.2)


def swing(model: Model, loop: articulate.Loop) -> Tuple[Vector, float]:
    start = articulate.State(q=[0.1, 0.2], qd=np.zeros(2), gravity=(0, 0, -1.6), Fext={"tip": np.ones(6)})
    path: articulate.Trajectory = articulate.simulate(model, start, 2.0, step=1e-2, loops=[loop], tau=lambda t: [t, 0])
    again = articulate.simulate(model, start, 2, every=10, integrator="variational", tau=start.tau)
    spring = articulate.joint_spring("spring", "hinge", stiffness=3)
    try:
        tight = articulate.simulate(model, start, 2, tolerance=1e-9, force_elements=[spring], ignore_imbalance=True)
    except articulate.SimulationStopped as early:
        tight = early.trajectory
    return path.q - again.q, float(path.energy[0]) + tight.bound + tight.singular_positions.sum()


def metric(model: Model, q: Vector, qd: Vector) -> Tuple[Vector, float]:
    family = articulate.CoriolisFamily.bracket
    C = articulate.coriolis_matrix(model, q, qd, family="bracket")
    C = C - articulate.GlobalMatrices(model, q, qd).C(family=family)
    screws = articulate.ScrewSystem(model)
    tip: articulate.OffsetBehind = articulate.offset_behind(screws, model.links[-1])
    before: articulate.OffsetBefore = articulate.offset_before(tip)
    offsets: List[SE3] = articulate.offsets_between(tip, [before.M] * (model.nv - 1)).M
    g = articulate.InertiaMetric(model)
    g(q)
    curved: float = articulate.Curvature(g).sectional(qd, [1.0] * model.nv) + g.christoffel(0, 0, 0)
    Y: Vector = articulate.Regressor(model)(q, qd, qd, qdd_r=qd)
    chosen: List[int] = articulate.BaseParameters(Y).columns
    k = articulate.ForwardKinematics(model)
    J = k.link_jacobian("tip", frame=articulate.JacobianFrame.world) + k.link_jacobian("tip", frame="mixed")
    J = J + k.link_jacobian_rate("tip", qd)
    return C @ J.T + Y @ articulate.inertial_parameters(model), curved + len(chosen) + len(offsets)


def many(model: Model, q: Vector, qd: Vector) -> Tuple[Vector, List[str]]:
    batch = articulate.Batch(model, threads=2)
    refused: Dict[int, str] = {}
    qdd = batch.forward_dynamics(q, qd, batch.inverse_dynamics(q, qd, qd), refused)
    both: Tuple[Vector, Vector] = batch.hybrid_dynamics([True] * model.nv, q, qd, qdd, qdd)
    curved: Tuple[Vector, Vector, Vector, Vector] = batch.inverse_dynamics_hessians(q, qd, qd)
    tables: Tuple[Vector, Vector] = batch.higher_order_dynamics([True] * model.nv, q, qd, qdd[..., None], qdd[..., None])
    assert batch.lanes > 1 and batch.threads == 2 and curved[0].ndim == tables[0].ndim + 1
    return batch.mass_matrix(q) + both[0][:, None], list(refused.values())


def proof() -> Dict[str, Any]:
    keys: List[str] = [row.key for row in ledger.rows()]
    assert articulate.__version__ and keys and ledger.identities()[0].name and ledger.errata()[0].id
    return ledger.verify("ur5", states=1, progress=False)
