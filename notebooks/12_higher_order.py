# %% [markdown]
# # What does it help to know how forces are about to change?
#
# A rotor does not push at once. Ask it for a force, and some hundredths of a second go by until it is there. Who knows
# only the force that is needed now is late for the whole flight. Who also knows the *derivative* of the force can ask
# for what will be needed.
#
# So this notebook flies the aerial manipulator of Ali, Gabellieri and Franchi: a multirotor with six tilted rotors and
# two arms. We find the derivatives of its forces up to the fifth, see how many digits survive the way back, and let a
# controller use the first. The paper's numbers are lost, so the flight and all sizes are ours.

# %%
from functools import cache
from math import comb, factorial

import articulate
import numpy as np
import style
from articulate import SE3, HigherOrderDynamics

u = 2.0**-53  # the rounding unit of double precision
model = articulate.Model.load("aerial_manipulator", floating_base=True)
n, highest = model.nv, 5
base, joints = slice(0, 6), slice(6, n)
print([joint.name for joint in model.joints])

# %% [markdown]
# ## The flight
#
# In ten seconds the base goes round a level circle of 0.8 m, 1.5 m above the ground; its yaw swings, and each joint
# goes half a cosine. All of this is made of a cos(ω t + φ), whose derivatives every student knows. Only the rotation
# needs the product rule: (cos ψ)' = -ψ' sin ψ, (sin ψ)' = ψ' cos ψ.
#
# From the 4x4 matrix of the pose and its derivatives the formula (20) of the paper gives the spatial twist and its
# derivatives, and one more step the body twists that the library's free joint wants.

# %%
first = np.radians([10, 20, -30, -10, 25, -35])
swing = np.radians([30, 45, 60, -30, 40, 50])
period = 10.0  # s


def wave(a, omega, phi, t, order):
    """Derivatives 0 to order of a cos(omega t + phi)."""
    x = omega * t + phi
    turned = (np.cos(x), -np.sin(x), -np.cos(x), np.sin(x))
    return [a * omega**k * turned[k % 4] for k in range(order + 1)]


def pose_matrices(t, order, pace=1.0, place=(0, 0, 1.5)):
    """The pose of the base and its derivatives, (order + 1, 4, 4)."""
    round_ = 2 * np.pi / period * pace
    x, y = wave(0.8, round_, 0, t, order), wave(0.8, round_, -np.pi / 2, t, order)
    yaw = wave(0.5, 0.6 * pace, -np.pi / 2, t, order)
    c, s = [np.cos(yaw[0])], [np.sin(yaw[0])]
    for k in range(order):
        c_next = -sum(comb(k, l) * s[k - l] * yaw[l + 1] for l in range(k + 1))
        s_next = sum(comb(k, l) * c[k - l] * yaw[l + 1] for l in range(k + 1))
        c.append(c_next)
        s.append(s_next)
    C = np.zeros((order + 1, 4, 4))
    C[0, 2, 2], C[0, :3, 3] = 1, place
    C[0, 3, 3] = 1
    C[:, 0, 0] = C[:, 1, 1] = c
    C[:, 1, 0], C[:, 0, 1] = s, -np.array(s)
    C[:, 0, 3] += x
    C[:, 1, 3] += y
    return C


def flight(t, order, pace=1.0, place=(0, 0, 1.5)):
    """Coordinates (13,), and rates with their derivatives (12, order + 1)."""
    C = pose_matrices(t, order + 1, pace, place)
    V = articulate.to_body(SE3(C[0, :3, :3], C[0, :3, 3]), articulate.spatial_twists(C))
    half = wave(0.5, np.pi / period * pace, 0, t, order + 1)
    q = np.array([-swing * half[k] for k in range(order + 2)]).T
    half_yaw = 0.25 * np.sin(0.6 * pace * t)
    coordinates = [*C[0, :3, 3], 0, 0, np.sin(half_yaw), np.cos(half_yaw), *(first + swing / 2 + q[:, 0])]
    return np.array(coordinates), np.vstack([V.T, q[:, 1:]])

# %% [markdown]
# **Is it right?** Seen from the base the velocity is 0.8 φ' at right angles to where the base is on the circle, turned
# back by the yaw. As one complex number this is v = 0.8 i φ' e^{i(φ-ψ)}, in closed form. It is an entire function of
# complex time. So its derivatives are integrals round a circle there (Cauchy), and 64 points on a circle of radius 1 s
# give them to rounding: what comes after is the 64th Taylor coefficient. Rounding is k! times that of the largest value
# on the circle.

# %%
def closed_form(t):
    """The twist of the base at complex times: w_z, and v as the pair of its components."""
    x = 2 * np.pi / period * t - 0.5 * np.sin(0.6 * t)
    speed = 0.8 * 2 * np.pi / period
    return np.array([0.3 * np.cos(0.6 * t), -speed * np.sin(x), speed * np.cos(x)])


around = np.exp(2j * np.pi * np.arange(64) / 64)
for t in (0.0, 1.0, 4.7, 10.0):
    values = closed_form(t + around)
    _, rates = flight(t, highest + 1)
    for k in range(highest + 2):
        cauchy = factorial(k) * (values * around**-k).mean(axis=1).real
        bound = 100 * n * u * factorial(k) * abs(values).max(axis=1)
        assert np.all(abs(rates[[2, 3, 4], k] - cauchy) <= bound), (t, k)
    assert not rates[[0, 1, 5]].any()  # it stays level

# %% [markdown]
# ## There and back
#
# Inverse dynamics of order 5 takes the motion with its derivatives and gives the forces with theirs. Forward dynamics
# takes these and must give the motion back. Nothing is known twice: of the motion it is told only where it is and how
# fast.
#
# **How close must they be?** The forces that are handed over are rounded numbers. We move each of them by one rounding
# unit at random and see how far the motion moves: this growth, kappa, is a property of the machine and of no program.
# The rule of this book allows 100 n u kappa. Kappa is taken in double, so it is trusted no further than to a factor.

# %%
inverse = {form: HigherOrderDynamics.inverse(model, highest, form) for form in ("body", "spatial")}
forward = {form: HigherOrderDynamics.forward(model, highest, form) for form in ("body", "spatial")}
none = np.zeros((n, highest + 1))
times = np.linspace(0, period, 101)
motion = [flight(t, highest + 1) for t in times]
size = np.array([np.linalg.norm(rates[:, 1:], axis=0) for _, rates in motion])  # (time, order)


def relative(difference, k):
    return np.linalg.norm(difference, axis=0) / size[k]


draw = np.random.default_rng(1)
tau = np.array([inverse["body"](q, rates[:, 0], rates[:, 1:], none)[1] for q, rates in motion])
error = {form: np.zeros_like(size) for form in forward}
kappa = np.ones(highest + 1)
for i, (q, rates) in enumerate(motion):
    for form in forward:
        forces = inverse[form](q, rates[:, 0], rates[:, 1:], none)[1]
        error[form][i] = relative(forward[form](q, rates[:, 0], none, forces)[0] - rates[:, 1:], i)
    if i % 5 == 0:
        moved = tau[i] * (1 + 2**20 * u * draw.choice([-1, 1], tau[i].shape))  # 2^20 units: rounding is nothing beside
        change = forward["body"](q, rates[:, 0], none, moved)[0] - forward["body"](q, rates[:, 0], none, tau[i])[0]
        kappa = np.maximum(kappa, relative(change, i) / (2**20 * u))
for r in range(highest + 1):
    bound = 100 * n * u * kappa[r]
    print(f"order {r}: kappa {kappa[r]:.1e}, bound {bound:.1e}, missed by {error['body'][:, r].max():.1e} (body form),"
          f" {error['spatial'][:, r].max():.1e} (spatial form)")
    assert max(error[form][:, r].max() for form in error) <= bound
assert error["body"][:, 0].max() <= 1e-11 and error["body"][:, highest].max() <= 1e-7

# %% [markdown]
# Two orders more cost two or three digits. This is no fault of the algorithm: gravity swings the arms like pendulums,
# and the second derivative of a joint's acceleration contains g/l times the acceleration itself.
#
# ## The rotors
#
# Rotor i sits at Rz((i-1)60°) Tx(0.35 m) Rx(±25°), and pushes along its own z axis, (28). The six wrenches are the
# columns of the allocation matrix; solving with it gives the squares of the speeds. As both tilt and spin alternate,
# the rows of this matrix are multiples of six orthogonal patterns over the six rotors: 1, ±1, sine, cosine, and the
# latter two with ±. So A Aᵀ is diagonal, and the rank is 6 unless one of these multiples vanishes.

# %%
arm, tilt, c_f, c_tau = 0.35, np.radians(25), 1.2e-5, 1.9e-7
screw = lambda *x: articulate.Twist(x[:3], x[3:])
columns = []
for i in range(6):
    sign = (-1) ** i
    C = (articulate.exp(screw(0, 0, 1, 0, 0, 0), i * np.pi / 3) * articulate.exp(screw(0, 0, 0, 1, 0, 0), arm)
         * articulate.exp(screw(1, 0, 0, 0, 0, 0), sign * tilt))
    push = articulate.Wrench((0, 0, sign * c_tau), (0, 0, c_f))
    columns.append(articulate.coordinates(articulate.coAdInv(C, push)))
A = np.transpose(columns)
s, c = np.sin(tilt), np.cos(tilt)
level, upright = arm * c_f * c + c_tau * s, c_tau * c - arm * c_f * s
multiples = np.array([level, level, upright, c_f * s, c_f * s, c_f * c])
squares = np.array([3, 3, 6, 3, 3, 6]) * multiples**2
assert np.all(abs(A @ A.T - np.diag(squares)) <= 100 * 6 * u * (abs(A) @ abs(A).T))
assert np.linalg.matrix_rank(A) == 6

speed_squares = np.linalg.solve(A, tau[:, base, 0].T).T
assert np.all(speed_squares > 0)  # a rotor cannot push backwards
speeds = np.sqrt(speed_squares)
speed_rates = np.linalg.solve(A, tau[:, base, 1].T).T / (2 * speeds)  # (u^2)' = 2 u u'
print(f"speeds {speeds.min():.0f} to {speeds.max():.0f} rad/s, changing by up to {abs(speed_rates).max():.0f} rad/s^2")
mass = sum(link.mass for link in model.mechanism.links)
moved = np.array([SE3(pose_matrices(t, 0)[0, :3, :3], (0, 0, 0)) * W[3:6, 0] for t, W in zip(times, tau[:, base])])
assert abs(moved[:, 2].mean() / (mass * 9.81) - 1) < 0.01  # on the average they carry the weight

# %% [markdown]
# **Are the rates of the speeds right?** From the first sample to the last each speed changes by the integral of its
# rate. Simpson's rule over pairs of samples must find it; the rule on every second sample misses sixteen times as much,
# so the difference of the two is more than the error that remains.

# %%
h = times[1]
fine = h / 3 * (speed_rates[0:-1:2] + 4 * speed_rates[1::2] + speed_rates[2::2]).sum(axis=0)
coarse = 2 * h / 3 * (speed_rates[0:-1:4] + 4 * speed_rates[2::4] + speed_rates[4::4]).sum(axis=0)
gained = speeds[-1] - speeds[0]
print(f"missed by {abs(fine - gained).max():.1e} rad/s, halving the step changes {abs(fine - coarse).max():.1e}")
assert np.all(abs(fine - gained) <= abs(fine - coarse) + 100 * n * u * kappa[1] * speeds.max())

# %% [markdown]
# ## A thousand metres away
#
# The paper's twists and inertias are spatial: seen from the inertial frame, about its origin. Let the same flight take
# place 1000 m from there. Gravity does not change, and so no force in the base's own frame does. But the entries of a
# spatial inertia grow with the square of the distance, and the digits that tell one body from the other are lost
# beneath. The body form knows nothing of the origin.

# %%
far = (600.0, -800.0, 1.5)
far_away, lost = {}, {}
for form in forward:
    worst, here = np.zeros(highest + 1), np.zeros(highest + 1)
    for i in range(0, len(times), 5):
        q, rates = motion[i]
        away = q.copy()
        away[:3] += np.subtract(far, (0, 0, 1.5))
        forces = inverse[form](away, rates[:, 0], rates[:, 1:], none)[1]
        worst = np.maximum(worst, relative(forward[form](away, rates[:, 0], none, forces)[0] - rates[:, 1:], i))
        here = np.maximum(here, error[form][i])
    far_away[form], lost[form] = worst, worst / here
    print(f"{form} form: the error is larger by", *(f"{x:.1e}" for x in lost[form]))
assert lost["body"].max() == 1  # the very same numbers
assert lost["spatial"].min() > 1e3

# %% [markdown]
# ## A controller that knows what is coming
#
# Now the flight is flown, at twice the pace. Rotors and motors follow their command c with a lag T: T τ' = c - τ. The
# controller works on samples 10 ms apart, which makes every command late by another half of it. It adds two things:
#
# - the forces of the reference by inverse dynamics, **with or without** (T + h/2) times their first derivative;
# - a geometric PID controller. The error of the base is E = C_r⁻¹ C, an element of SE(3), of which we take R_Eᵀ p_E
#   and the vector of (R_E - R_Eᵀ)/2; no angles are chosen. Its forces are -M(3ω ė + 3ω² e + ω³ ∫e).
#
# The real machine has 10 % more (or less) mass than the controller knows, times a factor d, and gusts blow, times the
# same factor. Each case is flown with d and with -d. So what the lag does cannot be cancelled by chance: of the mean of
# squares the mixed term drops out.

# %%
pace, sample = 2.0, 0.01
controller = HigherOrderDynamics.inverse(model, 1)


def plant(d):
    """The real machine."""
    mechanism = articulate.built_in_model("aerial_manipulator")
    for link in mechanism.links:
        link.mass *= 1 + 0.1 * d
        link.inertia = (1 + 0.1 * d) * np.asarray(link.inertia)
    return articulate.Model(mechanism, floating_base=True)


steps = int(round(period / pace / sample))
plan = []  # of the controller, known before the flight: coordinates, rates, forces, their derivatives, masses
for i in range(steps):
    q, rates = flight(i * sample, 2, pace)
    forces = controller(q, rates[:, 0], rates[:, 1:], np.zeros((n, 2)))[1]
    plan.append((q, rates[:, 0], *forces.T, articulate.mass_matrix(model, q)))


def pose(q):
    return SE3(articulate.SO3.from_quaternion(q[3:7]), q[:3])


@cache
def fly(lag, d, believed, omega=6.0):
    """What is missed at each sample, (samples, 12). The controller believes in a lag, or knows no derivative (None)."""
    real = plant(d)
    forward_dynamics, integrator = articulate.ForwardDynamics(real), articulate.RungeKuttaMuntheKaas(real)
    q, qd, tau, integral = plan[0][0], plan[0][1], plan[0][2], np.zeros(n)
    missed, gust, fade = np.zeros((steps, n)), np.zeros((real.bodies + 1, 6)), np.exp(-sample / lag)
    for i, (q_r, qd_r, tau_r, rate_r, M) in enumerate(plan):
        E = articulate.inverse(pose(q_r)) * pose(q)
        back, R = E.R.T, E.R
        turn = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
        e = np.concatenate([turn, back @ E.p, q[7:] - q_r[7:]])
        seen = articulate.coordinates(articulate.AdInv(E, articulate.Twist.from_array(qd_r[base])))
        edot = np.concatenate([qd[base] - seen, qd[joints] - qd_r[joints]])
        command = tau_r.copy() if believed is None else tau_r + (believed + sample / 2) * rate_r
        command[:3], command[3:6] = back @ command[:3], back @ command[3:6]  # forces keep their directions in space
        command -= M @ (3 * omega * edot + 3 * omega**2 * e + omega**3 * integral)
        integral += sample * e
        missed[i] = e

        def accelerations(q, qd, since, before=tau):
            t, inertial = i * sample + since, pose(q).R.T
            gust[1, :3] = d * inertial @ (0.02, 0.03 * np.sin(2 * t), -0.02)
            gust[1, 3:] = d * inertial @ (0.6, -0.4 + 0.5 * np.sin(3 * t), 0.3)  # N, in inertial axes
            return forward_dynamics(q, qd, command + np.exp(-since / lag) * (before - command), gust)

        q, qd = integrator.step(q, qd, sample, accelerations)
        tau = command + fade * (tau - command)
    return missed


def mean_miss(lag, d, believed):
    """Root mean squares over both signs of d after the first second: place (m), attitude (rad), joints (rad)."""
    flights = [fly(lag, sign * d, believed)[int(1 / sample):] for sign in ((1, -1) if d else (1,))]
    squares = np.mean([np.mean(x**2, axis=0) for x in flights], axis=0)
    return np.sqrt([squares[3:6].sum(), squares[:3].sum(), squares[6:].sum()])


levels = {0.05: (0.0, 0.1, 0.3, 1.0), 0.1: (0.0, 0.1, 1.0)}  # of disturbance, for each lag
without = {(lag, d): mean_miss(lag, d, None) for lag in levels for d in levels[lag]}
knowing = {(lag, d): mean_miss(lag, d, lag) for lag in levels for d in levels[lag]}
for case in without:
    (place, attitude, _), (less, turned, _) = 1000 * without[case], 1000 * knowing[case]
    print(f"lag {case[0] * 1000:3.0f} ms, disturbance {case[1]}: without {place:.3f} mm, {attitude:.3f} mrad;"
          f" with {less:.4f} mm, {turned:.4f} mrad")

# %% [markdown]
# With nothing unknown the derivative takes away all but a hundredth of the error. Those remain because a command
# holds for 10 ms. But the derivative knows nothing of gusts and of wrong masses. Then the errors add as legs of a right
# triangle do: without² = with² + lag², the last measured with nothing unknown. So with 10 % of unknown mass the gain
# is hardly seen. **The derivative is worth as much as the model is right.**

# %%
for lag, d in without:
    of_lag = without[lag, 0.0]
    assert np.all(knowing[lag, d] < without[lag, d])
    if d == 0:
        assert np.all(knowing[lag, d] < of_lag / 50)
    else:
        legs = np.hypot(knowing[lag, d], of_lag)
        assert np.all(abs(legs / without[lag, d] - 1) < 0.1 * d + 0.01)
saved = [without[lag, 0.1] / knowing[lag, 0.1] for lag in levels]
assert np.all(saved[1] > saved[0])  # the longer the lag, the more there is to save

# %% [markdown]
# ## An exercise
#
# The lag is 50 ms, but the controller believes 40 ms. How large is the error, with nothing unknown? *Answer:* the
# forces are late by the difference, 10 ms, where they were late by 55 ms without the derivative: it is 10/55 of that.

# %%
wrong = mean_miss(0.05, 0.0, 0.04) / without[0.05, 0.0]
print(f"of the error without the derivative: {wrong}, expected {10 / 55:.4f}")
assert np.all(abs(wrong - 10 / 55) < 0.01)

# %% [markdown]
# ## The figures
#
# First what the paper's Figure 3 shows: the flight, derivatives of the twist and of the wrench, rotor speeds, and what
# the way back misses, order by order.

# %%
figure = style.figure(7.2, 6.4)
(path, twist), (wrench, rotor), (round_trip, growth) = figure.subplots(3, 2)
places = np.array([q[:3] for q, _ in motion])
path.plot(places[:, 0], places[:, 1], color=style.BLUE)
for q, _ in motion[::10]:
    nose = pose(q) * (0.15, 0, 0)
    path.plot(*np.transpose([q[:2], nose[:2]]), color=style.ORANGE, linewidth=1)
path.set(xlabel="x, m", ylabel="y, m", title="the flight from above; strokes: forward", aspect="equal")
rates = np.array([rates for _, rates in motion])
for k in range(4):
    twist.plot(times, rates[:, 4, k], label=f"order {k}")
twist.set(xlabel="time, s", ylabel="m/s, m/s², ...", title="twist of the base: sideways part", ylim=(-1.1, 0.6))
twist.legend(ncols=2, loc="lower right")
for k in range(4):
    wrench.plot(times, tau[:, 4, k], label=f"order {k}")
wrench.set(xlabel="time, s", ylabel="N, N/s, ...", title="wrench on the base: sideways force")
rotor.plot(times, speeds)
rotor.set(xlabel="time, s", ylabel="rad/s", title="speeds of the six rotors")
for r in range(highest + 1):
    (line,) = round_trip.semilogy(times, error["body"][:, r] + u / 100, linewidth=0.8)
    round_trip.text(10.3, np.median(error["body"][:, r]) * (2 if r in (2, 4) else 0.5 if r in (3, 5) else 1), f"r = {r}",
                    color=line.get_color(), fontsize=8, va="center")
round_trip.set(xlabel="time, s", ylabel="relative error", title="there and back, body form", xlim=(-0.5, 12))
orders = np.arange(highest + 1)
growth.semilogy(orders, kappa * u, "--", color=style.GREY, label="one rounding of forces")
growth.semilogy(orders, error["body"].max(axis=0), "o-", color=style.BLUE, label="body form")
growth.semilogy(orders, error["spatial"].max(axis=0), "s-", color=style.RED, label="spatial form")
growth.semilogy(orders, far_away["spatial"], "^:", color=style.RED, label="the same, 1 km off")
growth.set(xlabel="order r", ylabel="relative error", title="the worst of the flight", xticks=orders,
           ylim=(1e-14, 1e6))
growth.legend(fontsize=7, loc="upper left")
style.powers_of_ten(round_trip.yaxis, growth.yaxis)
style.publish(figure, "higher_order_flight")

# %% [markdown]
# Left: where the base is missed, for a lag of 50 ms and a disturbance of a tenth. Right: the same as one number, for
# all disturbances, with the right triangle's prediction as dots.

# %%
figure = style.figure(7.2, 3.0)
course, summary = figure.subplots(1, 2)
at, disturbances = sample * np.arange(steps), levels[0.05][1:]
for believed, means, colour, label in (
        (None, without, style.ORANGE, "without"), (0.05, knowing, style.BLUE, "with the derivative")):
    miss = np.linalg.norm(fly(0.05, 0.1, believed)[:, 3:6], axis=1)
    course.plot(at, 1000 * miss, color=colour, label=label)
    means = [1000 * means[0.05, d][0] for d in disturbances]
    summary.loglog(disturbances, means, "o-", color=colour, label=label)
legs = [1000 * np.hypot(knowing[0.05, d][0], without[0.05, 0.0][0]) for d in disturbances]
summary.loglog(disturbances, legs, ".", color=style.INK, label="√(with² + lag²)")
course.set(xlabel="time, s", ylabel="missed place, mm", title="lag 50 ms, disturbance 0.1")
course.legend()
summary.set(xlabel="disturbance d", ylabel="missed place, mm", title="root mean square", xticks=disturbances,
            xticklabels=["0.1", "0.3", "1"], yticks=[0.2, 0.5, 1], yticklabels=["0.2", "0.5", "1"])
summary.minorticks_off()
summary.legend()
style.publish(figure, "higher_order_feed_forward")
