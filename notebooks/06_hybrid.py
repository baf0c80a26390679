# %% [markdown]
# # Can a drone turn itself with its arm, when nothing holds it?
#
# A cat that falls on its back lands on its feet. Nothing pushes it round, and its angular momentum stays zero. Our
# drone has rotors, but they stand still, and gravity is switched off. Only the arm moves: its shoulder and elbow go
# round a circle of angles, from rest to rest, and end where they began. **Is the drone then as it was before?**
#
# This is a case for hybrid dynamics. Of the four joints of the arm the accelerations are prescribed, and of the drone's
# six degrees the forces are: they are zero.

# %%
import articulate
import numpy as np
import style
from articulate import SE3, ad, coordinates, exp, log, to_twist

u = 2.0**-53  # the rounding unit of double precision
mechanism = articulate.built_in_model("drone_arm")
mechanism.gravity = (0, 0, 0)
model = articulate.Model(mechanism, floating_base=True)
names = [joint.name for joint in model.joints]
n, drone, arm = model.nv, slice(0, 6), slice(6, model.nv)
shoulder, elbow = (model.joints[names.index(name)].v for name in ("shoulder", "elbow"))
hybrid = articulate.HybridDynamics(model, [False] * 6 + [True] * (n - 6))
print(names)

# %% [markdown]
# ## The motion of the arm
#
# The two angles are on a circle, at the phase φ. It goes from 0 to 2π by the polynomial 10 s³ - 15 s⁴ + 6 s⁵, whose
# first two derivatives vanish at both ends. Where the drone is does not matter, for nothing else is there. So it stands
# at the origin.

# %%
middle = np.array([0.3, 0.6, 0.9, 0.4])  # rad: camera, shoulder, elbow, wrist
duration = 2.0  # s, for one round


def on_circle(phase, radius):
    """Coordinates (11,), and their first two derivatives by the phase, for the ten degrees of freedom."""
    q, first, second = np.concatenate([np.zeros(6), [1], middle]), np.zeros(n), np.zeros(n)
    q[[shoulder + 1, elbow + 1]] += radius * np.cos(phase), radius * np.sin(phase)
    first[[shoulder, elbow]] = -radius * np.sin(phase), radius * np.cos(phase)
    second[[shoulder, elbow]] = -radius * np.cos(phase), -radius * np.sin(phase)
    return q, first, second


def motion(t, radius=1.0):
    """Coordinates, rates and accelerations at the time t; those of the drone are zero, as they are not known yet."""
    s = t / duration
    phase, rate = 2 * np.pi * s**3 * (10 - 15 * s + 6 * s**2), 2 * np.pi * 30 * s**2 * (1 - s) ** 2 / duration
    gain = 2 * np.pi * 60 * s * (1 - s) * (1 - 2 * s) / duration**2
    q, first, second = on_circle(phase, radius)
    return q, rate * first, rate**2 * second + gain * first

# %% [markdown]
# ## The drone gives way
#
# The momentum of the whole is zero and stays zero. For the twist V of the drone this reads M_vv V + M_vu q̇_u = 0: the
# equation of hybrid dynamics at rest, with rates where accelerations were. So `respond` solves it, and gives the twist
# without knowing any dynamics.
#
# Hybrid dynamics gives the twist's derivative, by another way: three sweeps, with all that velocities do.

# %%
def twist_of_drone(q, rates):
    """What the drone does (6,) while the arm moves with the rates (10,), if the momentum is zero."""
    hybrid(q, np.zeros(n), np.zeros(n), np.zeros(n))
    return hybrid.respond(np.zeros(n), rates)[0][drone]


def state(t):
    """Coordinates, rates, accelerations and forces, all complete, at the time t."""
    q, qd, qdd = motion(t)
    qd[drone] = twist_of_drone(q, qd)
    return q, qd, *hybrid(q, qd, qdd, np.zeros(n))

# %% [markdown]
# ## Are both right?
#
# Integrate the acceleration of the drone from the start to any time, and the twist of that time must come out. In the
# same way the power of the arm's motors, integrated, must be the kinetic energy, and after a round nothing may be left
# of it. The integrals are taken by Gauss's rule with 128 points. What 64 points give differs more from the truth than
# what 128 points give, so that the difference of both is a bound for the latter.
#
# **And rounding?** The accelerations of the drone solve M_vv V̇ = τ_v - b_v - M_vu q̈_u. By the rule of this book each
# body makes 100 roundings of the terms that are added, so these are off by 100 n u of their sizes, taken entry by
# entry, and |M_vv⁻¹| carries that to V̇. The force of a motor is off by as much of what is added in its own row, and by
# what the error of V̇ makes of it. For the twist and for the energy the sums are the same, with M in place of it all.

# %%
def rounding(q, qd, qdd, tau):
    """Bounds for the rounding of accelerations and of forces of the arm: (6,) and (4,)."""
    M, b, _ = articulate.equations_of_motion(model, q, qd)
    terms = 100 * n * u * (abs(M) @ abs(qdd) + abs(b) + abs(tau))
    of_drone = abs(np.linalg.inv(M[drone, drone])) @ terms[drone]
    return of_drone, terms[arm] + abs(M[arm, drone]) @ of_drone


def integrals(end, points):
    """The change of the drone's twist (6,) and the work of the motors, J, until then; and bounds of their rounding."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    gained, work, of_gain, of_work = np.zeros(6), 0.0, np.zeros(6), 0.0
    for x, weight in zip(nodes, weights * end / 2):
        q, qd, qdd, tau = state((1 + x) * end / 2)
        of_drone, of_arm = rounding(q, qd, qdd, tau)
        gained += weight * qdd[drone]
        work += weight * tau[arm] @ qd[arm]
        of_gain += weight * of_drone
        of_work += weight * of_arm @ abs(qd[arm])
    return gained, work, of_gain, of_work


for end in (0.4 * duration, 0.7 * duration, duration):
    (gained, work, of_gain, of_work), (roughly, rough_work, _, _) = integrals(end, 128), integrals(end, 64)
    q, qd, _, _ = state(end)
    M = articulate.mass_matrix(model, q)
    energy, of_energy = qd @ M @ qd / 2, 100 * n * u * (abs(qd) @ abs(M) @ abs(qd))
    of_twist = abs(np.linalg.inv(M[drone, drone])) @ (100 * n * u * abs(M[drone]) @ abs(qd))
    missed, bound = abs(gained - qd[drone]), abs(gained - roughly) + of_gain + of_twist
    missed_energy, bound_of_energy = abs(work - energy), abs(work - rough_work) + of_work + of_energy
    print(f"{end:.1f} s: twist {np.linalg.norm(qd[drone]):.6f}, missed by {missed.max():.1e}, bound {bound.max():.1e};"
          f" energy {energy:.6f} J, missed by {missed_energy:.1e} J, bound {bound_of_energy:.1e} J")
    assert np.all(missed <= bound) and missed_energy <= bound_of_energy

# %% [markdown]
# After the round all is at rest again. But *where* is the drone?
#
# ## Once round
#
# The pose changes by Ṫ = T [V]. Each step of the phase is made of two exponentials, at the two points of Gauss, which
# is a method of order four (Blanes and Moan). Time plays no role: who moves more slowly ends at the same place.
#
# **How exact is it?** Halve the step, and the error becomes sixteen times smaller. So what the halving changes is more
# than the error that remains. Rounding is far below: it is of the size of 10⁻¹³ after some hundred products of poses.

# %%
outer, inner = 0.25 + np.sqrt(3) / 6, 0.25 - np.sqrt(3) / 6


def round_trip(radius, steps, direction=1):
    """The pose of the drone after one round of the arm, seen from the pose before it."""
    T, step = SE3(), 2 * np.pi / steps
    for k in range(steps):
        early, late = (step * direction * twist_of_drone(*on_circle(direction * step * (k + c), radius)[:2])
                       for c in (0.5 - np.sqrt(3) / 6, 0.5 + np.sqrt(3) / 6))
        T = T * exp(to_twist(outer * early + inner * late)) * exp(to_twist(inner * early + outer * late))
    return T


def turned(T):
    """By which angle a pose is turned, rad."""
    return np.linalg.norm(log(T).w)


once, twice_as_coarse = round_trip(1.0, 64), round_trip(1.0, 32)
error = np.linalg.norm(coordinates(log(articulate.inverse(once) * twice_as_coarse)))
print(f"after one round the drone is turned by {np.degrees(turned(once)):.6f}°, error below {np.degrees(error):.1e}°")
assert turned(once) > error

back = once * round_trip(1.0, 64, direction=-1)
print(f"there and back: {np.degrees(turned(back)):.1e}°")
assert turned(back) <= 2 * error

# %% [markdown]
# So the answer is yes. At no moment did the drone have any angular momentum, and yet it has turned. The other way round
# the arm takes the turn back: it is the path that matters.
#
# ## How much, per area?
#
# The drone's twist is linear in the rates, V = Σ A_k(q) q̇_k. If the two columns A_s and A_e of shoulder and elbow were
# derivatives of one function of the angles, every round would end where it began. How far they are from that is
#
# F = ∂A_e/∂q_s - ∂A_s/∂q_e + [A_s, A_e],
#
# a twist per area of angles, and a small circle turns the drone by π r² times the angular half of F. The angle of a
# round does not depend on where on the circle it starts, and -r is the same circle as r, so the next term has r⁴.
#
# F needs no motion at all. Its two derivatives are central differences. With steps h and h/2, (4 f(h/2) - f(h))/3 is
# free of the error in h² (Richardson), and the difference of that to f(h/2) is a bound for what remains.

# %%
def columns(angles):
    """A_s and A_e (6,) at the angles (4,) of the arm."""
    q, unit = np.concatenate([np.zeros(6), [1], angles]), np.eye(n)
    return twist_of_drone(q, unit[shoulder]), twist_of_drone(q, unit[elbow])


def turn_per_area(h):
    """F (6,) at the middle of the circle, with differences of step h."""
    to_s, to_e = h * np.eye(n - 6)[shoulder - 6], h * np.eye(n - 6)[elbow - 6]
    of_elbow = (columns(middle + to_s)[1] - columns(middle - to_s)[1]) / (2 * h)
    of_shoulder = (columns(middle + to_e)[0] - columns(middle - to_e)[0]) / (2 * h)
    A_s, A_e = map(to_twist, columns(middle))
    return of_elbow - of_shoulder + coordinates(ad(A_s, A_e))


def extrapolated(coarse, fine):
    """What both tend to when halving divides the error by four, and a bound of the error that remains."""
    limit = (4 * fine - coarse) / 3
    return limit, abs(limit - fine)


F, error_of_F = (np.linalg.norm(x[:3]) for x in extrapolated(turn_per_area(2e-3), turn_per_area(1e-3)))
radii = 2.0 ** -np.arange(6)
angles = np.array([turned(round_trip(radius, 64)) for radius in radii])
limit, error_of_limit = extrapolated(*(angles / radii**2 / np.pi)[-2:])
print(f"per area: {limit:.9f} by going round, {F:.9f} without; bounds {error_of_limit:.1e} and {error_of_F:.1e}")
assert abs(limit - F) <= error_of_limit + error_of_F

# %% [markdown]
# ## An exercise
#
# The motors of the arm can do a round with a radius of 1 rad in two seconds. How long does a half turn of the drone
# take? *Answer:* divide 180° by the angle of one round, and round up: 16 rounds, 32 s. A cat is faster, for it is more
# flexible and has no heavy drone to turn.

# %%
rounds = int(np.ceil(np.pi / turned(once)))
assert rounds == 16

# %% [markdown]
# ## The figure
#
# Left: three rounds of the arm, and how far the drone is turned meanwhile. Most of it swings back, but not all. Right:
# what is left after a round, for smaller and smaller circles; the line is π r² |F|, computed without going round.

# %%
figure = style.figure(6.6, 3.1)
course, size = figure.subplots(1, 2, width_ratios=[1.25, 1])
T, poses, times = SE3(), [0.0], np.linspace(0, 3 * duration, 3 * 96 + 1)
for t in times[1:]:
    q, qd, _ = motion((t - times[1] / 2) % duration)
    T = T * exp(to_twist(times[1] * twist_of_drone(q, qd)))
    poses.append(np.degrees(turned(T)))
course.plot(times, poses, color=style.BLUE)
course.plot(duration * np.arange(4), np.degrees([0, *(turned(T) for T in (once, once * once, once * once * once))]),
            "o--", color=style.ORANGE, linewidth=1, label="arm at rest again")
course.set(xlabel="time, s", ylabel="drone turned by, degrees", title="three rounds of 1 rad")
course.legend()
size.loglog(radii, np.degrees(angles), "o", color=style.ORANGE, label="after one round")
size.loglog(radii, np.degrees(np.pi * radii**2 * F), color=style.INK, linewidth=1, linestyle="--", label="π r² |F|")
size.set(xlabel="radius of the circle, rad", ylabel="drone turned by, degrees", title="small rounds",
         xticks=radii[::2], xticklabels=["1", "1/4", "1/16"])
size.minorticks_off()
style.powers_of_ten(size.yaxis)
size.legend()
style.publish(figure, "hybrid_drone_turns")
