# %% [markdown]
# # What are the torques of a motion made of?
#
# A PUMA 560 swings from one place to another in 0.8 s. Its motors have to do three things at once: hold the arm up,
# accelerate it, and bend the paths of its parts, for bodies that turn about several axes at once do not go straight by
# themselves. **How large is each part, and how does it change when the same motion is made in half the time?**
#
# The equation of motion M(q) q̈ + c(q, q̇) + g(q) = τ has three terms. Inverse dynamics gives their sum, and can be
# made to give each of them: switch gravity off, or the rates, or the accelerations.

# %%
import articulate
import numpy as np
import style

u = 2.0**-53  # the rounding unit of double precision
model = articulate.Model.load("puma560")
with_gravity, without_gravity = articulate.InverseDynamics(model), articulate.InverseDynamics(model)
without_gravity.set_gravity((0, 0, 0))
rest = np.zeros(model.nv)

# %% [markdown]
# ## The motion
#
# From rest to rest along a straight line of joint angles. The polynomial 10 s³ - 15 s⁴ + 6 s⁵ goes from 0 to 1, and
# its first two derivatives vanish at both ends.

# %%
start = np.array([-1.0, 0.2, -2.8, 0.3, 0.9, 0.0])  # rad
end = np.array([1.0, 1.1, -1.4, -0.6, -0.4, 1.5])


def motion(t, duration):
    """Angles, rates and accelerations (6,) at the time t, in rad and s."""
    s, way = t / duration, end - start
    return (start + way * (10 * s**3 - 15 * s**4 + 6 * s**5), way * 30 * s**2 * (1 - s) ** 2 / duration,
            way * 60 * s * (1 - s) * (1 - 2 * s) / duration**2)


def parts(q, qd, qdd):
    """Inertia, Coriolis and centrifugal, gravity: (3, 6), N m."""
    return np.array([without_gravity(q, rest, qdd), without_gravity(q, qd, rest), with_gravity(q, rest, rest)])

# %% [markdown]
# ## The parts make the whole
#
# The equation is linear in q̈ and in gravity, so the three parts must add up to the whole, but for rounding.
#
# **How much rounding?** A number on its way through a body passes fewer than 64 operations, and it goes through at
# most six bodies outward and six inward. So a torque is off by at most 12 · 64 u of the size of the wrenches that were
# added up on the way; as such a size we take the largest wrench of each run, moment plus force times 1 m. There are
# four runs.

# %%
def size(rnea):
    """The largest wrench of the latest call, N m."""
    return (np.linalg.norm(rnea.F[:, :3], axis=1) + np.linalg.norm(rnea.F[:, 3:], axis=1)).max()


duration = 0.8  # s
times = np.linspace(0, duration, 161)
torques, worst = np.zeros((len(times), 3, 6)), 0.0
for k, t in enumerate(times):
    q, qd, qdd = motion(t, duration)
    whole = with_gravity(q, qd, qdd)
    scale = size(with_gravity)
    for run in ((rest, qdd), (qd, rest)):
        without_gravity(q, *run)
        scale += size(without_gravity)
    with_gravity(q, rest, rest)
    scale += size(with_gravity)
    torques[k] = parts(q, qd, qdd)
    difference, bound = abs(torques[k].sum(axis=0) - whole).max(), 12 * 64 * u * scale
    assert difference <= bound
    worst = max(worst, difference / bound)
print(f"the parts miss the whole by at most {worst:.1e} of the bound")

# %% [markdown]
# ## The work done is the potential energy gained
#
# That the parts fit together does not make them right. Here is a law that inverse dynamics knows nothing of: from rest
# to rest, the motors' work is the difference of the potential energy. The integral of τ · q̇ is taken by Gauss's rule
# with 48 points. The same with 24 points tells how far *that* is from the truth, and 48 points are closer: for a
# smooth integrand the error falls faster than any fixed power of the number of points. To this we add the rounding
# of 48 torques.

# %%
def work(points):
    """The work of the motors, J, and a bound of its rounding."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    done = rounding = 0.0
    for x, weight in zip(nodes, weights * duration / 2):
        q, qd, qdd = motion((1 + x) * duration / 2, duration)
        done += weight * with_gravity(q, qd, qdd) @ qd
        rounding += weight * 12 * 64 * u * size(with_gravity) * abs(qd).sum()
    return done, rounding


def potential_energy(q):
    kinematics = articulate.ForwardKinematics(model)
    kinematics(q, rest)
    return kinematics.potential_energy()


done, rounding = work(48)
gained = potential_energy(end) - potential_energy(start)
bound = abs(done - work(24)[0]) + rounding
print(f"work {done:.12f} J, gained {gained:.12f} J, difference {abs(done - gained):.1e} J, bound {bound:.1e} J")
assert abs(done - gained) <= bound

# %% [markdown]
# ## Twice as fast
#
# In half the time all rates double and all accelerations become four times as large. The first part is linear in q̈,
# the second quadratic in q̇: both grow by four. Gravity does not know about time. A factor of two is exact in binary
# arithmetic, so this must hold *to the last bit*, and no bound is needed.

# %%
for k, t in enumerate(times):
    q, qd, qdd = motion(t, duration)
    assert np.array_equal(parts(q, 2 * qd, 4 * qdd), np.array([[4], [4], [1]]) * torques[k])

# %% [markdown]
# ## What was found

# %%
largest = abs(torques).max(axis=0)
print("largest torque, N m    inertia   Coriolis    gravity   all")
for joint, (inertia, coriolis, gravity), whole in zip(model.joints, largest.T, abs(torques.sum(axis=1)).max(axis=0)):
    print(f"{joint.name:20} {inertia:9.3f} {coriolis:10.3f} {gravity:10.3f} {whole:7.3f}")

# %% [markdown]
# The second part is what simple controllers leave out. In this motion it is not small.
#
# ## An exercise
#
# How long must the motion take if the largest torque of the second part in joint 2 is to equal that of gravity there?
# *Answer:* it grows as 1/duration², so 0.8 s times the root of the ratio of the two numbers in the table: 0.677 s.

# %%
balanced = duration * np.sqrt(largest[1, 1] / largest[2, 1])
assert round(balanced, 3) == 0.677

# %% [markdown]
# ## The figure
#
# The torques of the three joints that carry the arm.

# %%
figure = style.figure(6.6, 3.1)
panels = figure.subplots(1, 3)
looks = (("inertia, M q̈", style.BLUE, "--"), ("Coriolis and centrifugal, c", style.ORANGE, "-."),
         ("gravity, g", style.GREEN, ":"))
for joint, panel in enumerate(panels):
    for part, (label, colour, dash) in enumerate(looks):
        panel.plot(times, torques[:, part, joint], color=colour, linestyle=dash, label=label)
    panel.plot(times, torques.sum(axis=1)[:, joint], color=style.INK, label="all, τ")
    panel.set(title=("waist", "shoulder", "elbow")[joint], xlabel="time, s")
panels[0].set_ylabel("torque, N m")
style.legend_below(figure, panels[0], ncols=4, room=0.09)
style.publish(figure, "rnea_puma560_torques")
