# %% [markdown]
# # Which way is straight ahead?
#
# An arm without gravity and without motors moves by itself. Its angles do strange things, and yet it moves as straight
# as it can: the mass matrix is a metric, and motions without forces are its straightest lines. **Do two such motions
# that start side by side stay side by side?** Then some uses of the closed forms: which masses can be learnt from
# motors, how far a linearisation reaches, and which way between two postures is the cheapest.

# %%
import articulate
import numpy as np
import style
from articulate import Joint, Link, Mechanism, Model

u = 2.0**-53  # the rounding unit of double precision
puma = Model.load("puma560")
n = puma.nv

# %% [markdown]
# ## The curvature of an arm of two hinges
#
# With M = [a + 2b cos x₂, d + b cos x₂; d + b cos x₂, d] chapter 09 finds
#
# K = b {(a - d) d - b²} cos x₂ / {(a - d) d - b² cos² x₂}².
#
# The program knows nothing of this. It has the screws of a `Mechanism`, their brackets, and equation (66).
#
# **How close?** With two coordinates K is one number R of (66) over the determinant of M. A symbol of Christoffel is a
# sum of products that are as large as M, and so are its derivatives: each is off by at most ε = 100 n u of the largest
# entry of M. In R there are two derivatives, and two products of a symbol with a raised one. Raising is a solution with
# M, whose error is ε |M⁻¹| and 100 n u of its condition. The determinant is off by ε times the largest entry, twice.

# %%
def two_hinges(masses, length, centres, inertias):
    """An arm of two parallel hinges about z, without gravity."""
    links = [Link("base")] + [Link(name, m, [c, 0, 0], [i, 0, 0, i, 0, i])
                              for name, m, c, i in zip(("upper", "fore"), masses, centres, inertias)]
    joints = [Joint("shoulder", "revolute", "base", "upper", axis=[0, 0, 1]),
              Joint("elbow", "revolute", "upper", "fore", [length, 0, 0], axis=[0, 0, 1])]
    return Model(Mechanism("arm", links, joints, gravity=[0, 0, 0]))


def closed_form(masses, length, centres, inertias, x):
    a_d = inertias[0] + masses[0] * centres[0]**2 + masses[1] * length**2
    d, b = inertias[1] + masses[1] * centres[1]**2, masses[1] * length * centres[1]
    return b * (a_d * d - b**2) * np.cos(x) / (a_d * d - (b * np.cos(x))**2) ** 2


def curvature(model, x):
    """K at the angle x of the elbow, and a bound of its rounding."""
    metric = articulate.InertiaMetric(model)
    metric([0.3, x])
    K, M = articulate.Curvature(metric), metric.M()
    lowered, raised = metric.christoffel_symbols(), np.array([[K.christoffel(i, j) for j in (0, 1)] for i in (0, 1)])
    epsilon, inverse, area = 200 * u * abs(M).max(), abs(np.linalg.inv(M)).max(), np.linalg.det(M)
    of_raised = 2 * epsilon * inverse + 200 * u * np.linalg.cond(M) * abs(raised).max()
    of_R = 2 * epsilon + 4 * (epsilon * abs(raised).max() + abs(lowered).max() * of_raised)
    sectional = K.sectional([1, 0], [0, 1])
    return sectional, of_R / area + abs(sectional) * 2 * epsilon * abs(M).max() / area


arms = {"two points": ([1, 1], 1, [1, 1], [0, 0]), "two rods": ([2, 1.5], 1, [0.5, 0.5], [2 / 12, 1.5 / 12]),
        "balanced elbow": ([1, 1], 1, [0.5, 0], [0.1, 0.3])}
angles = np.linspace(-np.pi, np.pi, 121)
curves = {}
for name, arm in arms.items():
    found, bound = np.array([curvature(two_hinges(*arm), x) for x in angles]).T
    missed = abs(found - closed_form(*arm, angles))
    print(f"{name:15} K from {found.min():.4f} to {found.max():.4f} /(kg m²), missed by {missed.max():.1e},"
          f" bound {bound.max():.1e}")
    assert np.all(missed <= bound)
    curves[name] = found

# %% [markdown]
# The other flat and round cases of the chapter: two pendulums side by side (0), a mass at the end of a universal joint
# (a sphere, 1/(m l²)), a ball in three angles with the same inertia j about all axes (1/(4j) in every plane).

# %%
def one_joint(kind, mass, centre, inertia):
    """A body of that inertia about its centre of mass on one joint, without gravity."""
    body = Link("body", mass, centre, [inertia, 0, 0, inertia, 0, inertia])
    return Model(Mechanism(kind, [Link("base"), body], [Joint("joint", kind, "base", "body")], gravity=[0, 0, 0]))


side_by_side = Model(Mechanism("pendulums", [Link("base"), Link("one", 1, [0, 0, 1]), Link("other", 2, [0, 0, 0.7])],
                               [Joint(name, "revolute", "base", name, axis=[1, 0, 0]) for name in ("one", "other")]))
cases = (("two pendulums", side_by_side, 0), ("sphere", one_joint("universal", 2, [0, 0, 0.5], 0), 1 / (2 * 0.5**2)),
         ("ball", one_joint("euler_ball", 1, [0, 0, 0], 0.25), 1.0))
for name, model, expected in cases:
    metric, worst = articulate.InertiaMetric(model), 0.0
    for seed in range(1, 6):
        state = articulate.random_state(model, seed)
        metric(state.q)
        K, M = articulate.Curvature(metric), metric.M()
        size = 1 + abs(metric.christoffel_symbols()).max() * abs(np.linalg.inv(M)).max()
        bound = 100 * model.nv * u * np.linalg.cond(M) ** 2 * size**2 * (1 + expected)
        missed = abs(K.sectional(state.qd, state.tau) - expected)
        worst = max(worst, missed)
        assert missed <= bound
    print(f"{name:14} K = {expected}, missed by {worst:.1e}")

# %% [markdown]
# (Here the bound is coarser: all that is added is no larger than a product of two symbols, one of them raised, and the
# condition of M enters once for raising and once for the area.)
#
# ## Straight lines that meet and part
#
# The arm of two points turns stretched, with 2 J. By symmetry that is a geodesic. A neighbour starts with the elbow
# bent by a little, and its distance should follow Jacobi's equation, with K = 1: as cos(√(2TK) t) = cos 2t. Folded, the
# arm has K = -1, and the distance should grow as cosh 2t.
#
# The motion is integrated twice, by the method of Runge and Kutta: with the accelerations of forward dynamics, and with
# those of the geodesic equation, -Γ ẋẋ raised, from brackets.
#
# **What is neglected?** By symmetry the distance is an odd function of the bend, so the next term is the cube of it:
# over the bend, what is missing is ε² times something, and falls by four when the bend is halved.

# %%
arm = two_hinges(*arms["two points"])
forward, metric = articulate.ForwardDynamics(arm), articulate.InertiaMetric(arm)


def free(q, qd, t):
    return forward(q, qd, [0, 0])


def geodesic(q, qd, t):
    metric(q)
    return -np.linalg.solve(metric.M(), metric.C(qd) @ qd)


def neighbour(elbow, bend, law, times):
    """The angle of the elbow beyond its rest, over the bend, while the whole turns with 2 J."""
    integrator = articulate.RungeKuttaMuntheKaas(arm)
    q, M = np.array([0.0, elbow + bend]), articulate.composite_mass_matrix(arm, [0, elbow])
    qd, found = np.array([np.sqrt(2 * 2 / M[0, 0]), 0.0]), [1.0]
    for h in np.diff(times):
        q, qd = integrator.step(q, qd, h, law)
        found.append((q[1] - elbow) / bend)
    return np.array(found)


times = np.linspace(0, 1.6, 801)
expected = {"stretched": (0.0, np.cos(2 * times)), "folded": (np.pi, np.cosh(2 * times))}
distances = {}
for name, (elbow, law) in expected.items():
    bends = 0.02 / 2 ** np.arange(4)
    runs = [neighbour(elbow, bend, free, times) for bend in bends]
    missed = np.array([abs(run - law).max() for run in runs])
    by_brackets = abs(neighbour(elbow, bends[0], geodesic, times) - runs[0]).max()
    print(f"{name:10} missed by {missed}, falls by {missed[:-1] / missed[1:]}; brackets differ by {by_brackets:.1e}")
    assert np.all(abs(missed[:-1] / missed[1:] - 4) < 0.4)
    # Accelerations, of parts below 10 rad/s², are off by 100 n u of these, over the bend; errors grow as neighbours do.
    assert by_brackets <= 200 * u * 10 * times[-1] * np.cosh(2 * times[-1]) / bends[0]
    distances[name] = runs[-1], law

# %% [markdown]
# Stretched, the two motions meet after π/4 s. Folded, they part, by a factor of ten in one and a half seconds.
#
# ## The symbols of a PUMA 560
#
# All 126 symbols in one state. Some must vanish for every robot: Γ_jjj and Γ_ijj with i < j, since m_jj depends neither
# on x_j nor on anything before it. And nothing depends on the first angle.

# %%
metric = articulate.InertiaMetric(puma)
state = articulate.random_state(puma, 2)
metric(state.q)
symbols = metric.christoffel_symbols()
pairs = [(i, j) for i in range(n) for j in range(i, n)]
tiny = 100 * n * u * abs(metric.M()).max()
assert all(abs(symbols[i, j, j]) <= tiny for i, j in pairs)
assert all(abs(metric.dm(i, j, 0)) <= tiny for i, j in pairs)
rows = articulate.coriolis_matrix(puma, state.q, state.qd)
assert np.all(abs(np.einsum("ijk,i->kj", symbols, state.qd) - rows) <= 20 * tiny * abs(state.qd).sum())
print(f"{(abs(symbols) > tiny).sum() // 2} symbols are not zero; the largest is {abs(symbols).max():.3f} kg m²")

# %% [markdown]
# ## What motors can teach
#
# Inverse dynamics is linear in sixty inertial numbers. Regressors of sixty drawn states, one below the other: how many
# independent columns are there? Mayeda, Yoshida and Osuka say 36 with gravity along the first axis. A tilted gravity
# shows two more, no gravity two less.
#
# **What is zero?** As in notebook 08: an entry is off by at most 12 · 128 u of what a unit of its number can make, the
# acceleration of the body with gravity and the square of its speed, with a lever of 1.5 m. Singular values move by no
# more than the root of the sum of all squares.

# %%
def stacked(gravity):
    """Sixty regressors (360, 60) of a PUMA under that gravity, and a bound of what rounding makes of a zero."""
    mechanism = articulate.built_in_model("puma560")
    mechanism.gravity = gravity
    model = Model(mechanism)
    regressor, W, squares = articulate.Regressor(model), [], 0.0
    for seed in range(1, 61):
        drawn = articulate.random_state(model, seed)
        W.append(np.array(regressor(drawn.q, drawn.qd, drawn.qdd)))
        rnea = articulate.InverseDynamics(model)
        rnea.set_gravity(gravity)
        rnea(drawn.q, drawn.qd, drawn.qdd)
        speed, gain = (abs(x[1:]).sum(axis=1) for x in (rnea.V, rnea.Vdot))
        squares += ((1 + 1.5) * (gain + 2 * speed**2).max()) ** 2
    return np.concatenate(W), 12 * 128 * u * np.sqrt(360 * squares)


spectra = {}
for name, gravity, count in (("along axis 1", [0, 0, -9.81], 36), ("tilted", [3, 0, -9], 38), ("none", [0, 0, 0], 34)):
    W, zero = stacked(gravity)
    values, base = np.linalg.svd(W, compute_uv=False), articulate.BaseParameters(W)
    print(f"gravity {name:13} {base.rank} base parameters; singular values {values[count - 1]:.1e}, then"
          f" {values[count]:.1e}, zero below {zero:.1e}; pivots {base.smallest_kept:.2f}, {base.largest_dropped:.1e}")
    assert (values > zero).sum() == base.rank == count
    # Whatever the sixty numbers are, the base parameters make the same torques.
    numbers = articulate.inertial_parameters(puma)
    missed = np.linalg.norm(W @ numbers - W[:, base.columns] @ (base.groups @ numbers))
    assert missed <= count * np.linalg.cond(W[:, base.columns]) * zero * np.linalg.norm(numbers)
    spectra[name] = values

# %% [markdown]
# ## Beside a trajectory
#
# A UR5 swings by torques that were computed in advance. Somebody starts it a little beside the plan, by δ. To first
# order the difference obeys a linear equation whose matrices are the Jacobians of forward dynamics along the way. Its
# solution Φ is carried along, by the same method of Runge and Kutta, in the same steps. Since that method is itself
# differentiated by this, Φ is exactly the derivative of what the program does, whatever the step. **What is missing is
# quadratic**: it falls by four when δ is halved.

# %%
ur5 = Model.load("ur5")
swing = ur5.nv


def plan(t):
    phase = 2 * t + 0.5 * np.arange(swing)
    return 0.4 * np.sin(phase), 0.8 * np.cos(phase), -1.6 * np.sin(phase)


def torques(t):
    return articulate.inverse_dynamics(ur5, *plan(t))


def follow(start, steps=50, end=0.5, linear=False):
    """The state at the end, and with `linear` its derivative by the state at the beginning."""
    dynamics, h = articulate.ForwardDynamics(ur5), end / steps

    def rate(t, y, Phi):
        q, qd, tau = y[:swing], y[swing:], torques(t)
        rate_of_y = np.concatenate([qd, dynamics(q, qd, tau)])
        if not linear:
            return rate_of_y, Phi
        by_q, by_qd, _ = articulate.forward_dynamics_jacobians(ur5, q, qd, tau)
        return rate_of_y, np.block([[np.zeros((swing, swing)), np.eye(swing)], [by_q, by_qd]]) @ Phi

    y, Phi = start, np.eye(2 * swing)
    for t in h * np.arange(steps):
        k1, K1 = rate(t, y, Phi)
        k2, K2 = rate(t + h / 2, y + h / 2 * k1, Phi + h / 2 * K1)
        k3, K3 = rate(t + h / 2, y + h / 2 * k2, Phi + h / 2 * K2)
        k4, K4 = rate(t + h, y + h * k3, Phi + h * K3)
        y, Phi = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), Phi + h / 6 * (K1 + 2 * K2 + 2 * K3 + K4)
    return y, Phi


start = np.concatenate(plan(0)[:2])
nominal, Phi = follow(start, linear=True)
direction = np.cos(np.arange(2 * swing))
direction /= np.linalg.norm(direction)
offsets = 0.02 / 2 ** np.arange(6)
beyond = np.array([np.linalg.norm(follow(start + d * direction)[0] - nominal - d * Phi @ direction) for d in offsets])
print("missing:", beyond, "falls by", beyond[:-1] / beyond[1:])
assert np.all(abs(beyond[1:-1] / beyond[2:] - 4) < 0.4)
print(f"the offset has grown {np.linalg.norm(Phi @ direction):.2f} times")

# %% [markdown]
# ## The cheapest way
#
# A PUMA 560 shall go from one posture to another within a second, from rest to rest. What it costs is the integral of
# the squares of the torques, which is what heats the motors. A straight line in joint space, with a smooth start and
# stop, costs something. **Is there a cheaper way?** Add to the angles of the three large joints four functions of time
# that vanish at both ends with their rates: twelve unknowns. The cost is a sum over Gauss points, its gradient exact:
#
# dτ = ∂τ/∂q dq + ∂τ/∂q̇ dq̇ + ∂τ/∂q̈ dq̈.
#
# First the gradient. Along any direction the cost is smooth, so (J(c + εd) - J(c - εd))/2ε differs from the slope by ε²
# times something: by four times less when ε is halved.

# %%
from numpy.polynomial import Polynomial

home, goal = np.array([0, -0.3, 0.4, 0.3, 0.2, 0.1]), np.array([1.5, -1.1, 1.6, -0.4, -0.6, 0.9])
smooth = Polynomial([0, 0, 0, 10, -15, 6])
bumps = [16 * Polynomial([0, 0, 1, -2, 1]) * Polynomial([-1, 2]) ** m for m in range(4)]
nodes, weights = np.polynomial.legendre.leggauss(20)
nodes, weights = (1 + nodes) / 2, weights / 2
basis = np.array([[(b.deriv(d) if d else b)(nodes) for b in bumps] for d in range(3)])  # order, bump, point
along = np.array([(smooth.deriv(d) if d else smooth)(nodes) for d in range(3)])


def path(c):
    """Angles, rates and accelerations (3, 20, 6)."""
    extra = np.einsum("dmk,mj->dkj", basis, np.pad(np.reshape(c, (4, 3)), ((0, 0), (0, 3))))
    return along[:, :, None] * (goal - home) + extra + np.array([home, 0 * home, 0 * home])[:, None]


def cost(c):
    return sum(w * (tau @ tau) for w, tau in
               zip(weights, (articulate.inverse_dynamics(puma, *z) for z in zip(*path(c)))))


def gradient(c):
    g = np.zeros((4, n))
    for k, (w, z) in enumerate(zip(weights, zip(*path(c)))):
        tau, J = articulate.inverse_dynamics(puma, *z), articulate.inverse_dynamics_jacobians(puma, *z)
        g += 2 * w * np.outer(basis[0, :, k], tau @ J[0]) + 2 * w * np.outer(basis[1, :, k], tau @ J[1])
        g += 2 * w * np.outer(basis[2, :, k], tau @ J[2])
    return g[:, :3].ravel()


c, direction = np.zeros(12), np.sin(1 + np.arange(12))
slope, sizes = gradient(c) @ direction, 0.2 / 2 ** np.arange(5)
quotients = np.array([(cost(c + e * direction) - cost(c - e * direction)) / (2 * e) for e in sizes])
print("difference quotient less slope:", quotients - slope)
falls = (quotients - slope)[:-1] / (quotients - slope)[1:]
assert np.all(abs(falls[1:] - 4) < 0.4)

# %% [markdown]
# Then Newton's method: the second derivatives are differences of exact gradients, negative curvatures are turned round,
# and a step is halved until the cost falls. Near the end the number of right digits doubles with every step, and the
# gradient goes to zero.

# %%
history = [(cost(c), np.linalg.norm(gradient(c)))]
while history[-1][1] > 1e-9 * history[0][1] and len(history) < 40:
    g = gradient(c)
    H = np.array([(gradient(c + 1e-4 * e) - gradient(c - 1e-4 * e)) / 2e-4 for e in np.eye(12)])
    values, vectors = np.linalg.eigh((H + H.T) / 2)
    step = -vectors @ ((vectors.T @ g) / np.maximum(abs(values), 1e-3 * abs(values).max()))
    while cost(c + step) >= history[-1][0] and np.linalg.norm(step) > 1e-12:
        step /= 2
    c = c + step
    history.append((cost(c), np.linalg.norm(gradient(c))))
costs, norms = np.array(history).T
print(f"{len(costs) - 1} steps: {costs[0]:.3f} -> {costs[-1]:.3f} N² m² s, gradient {norms[0]:.1e} -> {norms[-1]:.1e}")
print("gradients at the end:", norms[-4:])
assert norms[-1] <= 1e-9 * norms[0] and costs[-1] < costs[0] and np.all(np.diff(costs) <= 0)
assert values.min() > 0  # a minimum, not a saddle

# %% [markdown]
# ## An exercise
#
# The arm with the balanced elbow has K = 0 everywhere. How does it move, if it is left to itself? *Answer:* with
# constant rates, from every state. Its mass matrix is constant, and these coordinates are the good ones already.

# %%
balanced = two_hinges(*arms["balanced elbow"])
for seed in range(1, 6):
    state = articulate.random_state(balanced, seed)
    M = articulate.composite_mass_matrix(balanced, state.q)
    bound = 200 * u * abs(np.linalg.inv(M)).sum() * abs(M).sum() * (state.qd @ state.qd)
    assert abs(articulate.forward_dynamics(balanced, state.q, state.qd, [0, 0])).max() <= bound

# %% [markdown]
# ## The figures
#
# First, the curvature over the angle of the elbow, with marks from brackets and lines from the closed form; the
# distance of neighbours; and the symbols of the PUMA, a row for each k and a column for each pair i ≤ j. Second, the
# singular values, whose gap counts; what linearisation misses; and the cost of the way between the postures, step by
# step.

# %%
figure = style.figure(6.8, 2.9)
curved, apart, table = figure.subplots(1, 3, width_ratios=[1, 1, 1.2])
for (name, arm), colour in zip(arms.items(), (style.BLUE, style.ORANGE, style.GREEN)):
    curved.plot(angles, closed_form(*arm, angles), color=colour, label=name)
    curved.plot(angles[::8], curves[name][::8], "o", color=colour, markersize=3)
curved.set(xlabel="elbow, rad", ylabel="K, 1/(kg m²)", title="curvature", ylim=(-2.6, 1.7))
curved.legend(loc="lower center", fontsize=8)
for (name, (run, law)), colour in zip(distances.items(), (style.BLUE, style.ORANGE)):
    apart.plot(times, law, color=colour, label=name)
    apart.plot(times[::80], run[::80], "o", color=colour, markersize=3)
apart.set(xlabel="time, s", title="distance of neighbours", ylim=(-1.5, 8))
apart.legend()
shown = np.array([[abs(symbols[i, j, k]) for i, j in pairs] for k in range(n)])
table.grid(False)
colours = table.pcolormesh(np.log10(np.where(shown > tiny, shown, np.nan)), cmap=style.scale(), vmin=-6, vmax=0)
colours.set_edgecolor("face")
starts = [pairs.index((i, i)) for i in range(n)]
table.set(xticks=[s + 0.5 for s in starts], xticklabels=[f"{i + 1}{i + 1}" for i in range(n)], xlabel="i j",
          yticks=np.arange(n) + 0.5, yticklabels=range(1, n + 1), ylabel="k", title="log₁₀ |Γᵢⱼₖ|, kg m²")
table.invert_yaxis()
figure.colorbar(colours, ax=table)
style.publish(figure, "lagrange_curvature")

# %%
figure = style.figure(6.8, 2.8)
singular, linear, cheap = figure.subplots(1, 3)
for (name, values), look in zip(spectra.items(), ("o", "s", "^")):
    singular.semilogy(np.arange(1, 61), np.maximum(values, u), look, markersize=2.5, label=name)
singular.set(xlabel="number", title="singular values")
style.powers_of_ten(singular.yaxis)
singular.legend(title="gravity", loc="lower left")
linear.loglog(offsets, beyond, "o", color=style.BLUE)
linear.loglog(offsets, beyond[-1] * (offsets / offsets[-1]) ** 2, color=style.BLUE, linewidth=0.8)
linear.set(xlabel="offset", title="what is not linear")
linear.set_xticks([0.001, 0.01], ["0.001", "0.01"])
linear.set_xticks([], minor=True)
style.powers_of_ten(linear.yaxis)
cheap.plot(costs, "o-", color=style.ORANGE, label="cost, N² m² s")
cheap.set(xlabel="step", title="the cheapest way", ylim=(0, None))
cheap.legend()
style.publish(figure, "lagrange_uses")
