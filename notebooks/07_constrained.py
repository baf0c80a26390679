# %% [markdown]
# # What is a third motor good for?
#
# Two arms of two bars, joined by a pin at their tips: the five-bar of chapter 07. It has two degrees of freedom, so two
# motors suffice. But which two? **What happens if both sit in one arm, and what does a third motor change, or a
# fourth?** We let both cranks go round once and ask for the forces, with every choice of motors for the same motion.

# %%
import articulate
import numpy as np
import style
from articulate import LoopEnd, cut_joint

u = 2.0**-53  # the rounding unit of double precision
model = articulate.Model.load("five_bar")
names = [joint.name for joint in model.joints]
n, drives = model.nv, np.array([name.endswith("drive") for name in names])
pin = cut_joint("pin", "revolute", LoopEnd("left_tip"), LoopEnd("right_tip"))
loops = articulate.Loops(model, [pin])
print(names, "and", loops.rows, "rows for the pin")

# %% [markdown]
# ## Closing the loop
#
# Nobody knows the angles of the elbows. We give the drives and a guess, and assembly finds the rest: first far away,
# then always from the place before. Rates are projected, with the drives held. The accelerations of the elbows follow
# from those of the drives, by hybrid dynamics with the loop closed; the forces of the drives come with them.
#
# Both cranks go round once in two seconds, from rest to rest, by the polynomial 10 s³ - 15 s⁴ + 6 s⁵.

# %%
duration = 2.0  # s
start, way = np.array([0.3, 0, 0.9, 0]), np.array([2 * np.pi, 0, 2 * np.pi, 0])  # rad
assembly = articulate.Assembly(model, [pin], drives)
driven = articulate.ConstrainedDynamics(model, drives, loops.rows)


def closed(t, guess):
    """Coordinates at the time t with the loop closed, near a guess for the elbows."""
    s = t / duration
    return assembly.close(np.where(drives, start + way * s**3 * (10 - 15 * s + 6 * s**2), guess))


times = np.linspace(0, duration, 401)
course = [closed(0, np.array([0, 0.6, 0, 1.2]))]
for t in times[1:]:
    course.append(closed(t, course[-1]))


def motion(t):
    """Coordinates, rates and accelerations (4,) at the time t."""
    s = t / duration
    q = closed(t, course[np.searchsorted(times, t)])
    qd = assembly.project(q, way * 30 * s**2 * (1 - s) ** 2 / duration)
    loops(q, qd)
    demanded = way * 60 * s * (1 - s) * (1 - 2 * s) / duration**2
    return q, qd, driven(q, qd, demanded, np.zeros(n), loops.A, loops.Adot_qd)[0]

# %% [markdown]
# **How well is it closed?** The numbers of the loop pass fewer than 100 roundings in each of the four bodies; their
# sizes are lengths of a metre or less, and angles. So the tips may miss each other by 100 n u m, and their rates by
# that times the rates.

# %%
for t in times:
    q, qd, _ = motion(t)
    loops(q, qd)
    assert abs(loops.violation).max() <= 100 * n * u
    assert abs(loops.A @ qd).max() <= 100 * n * u * max(1, abs(qd).max())

# %% [markdown]
# ## The forces
#
# Four choices of motors. Where there are more than two there is a choice of forces too, and we take the one with the
# smallest motor forces. For three motors we also take the one with the smallest force in the pin.

# %%
choices = {"left arm": (0, 1), "both drives": (0, 2), "left arm, right drive": (0, 1, 2), "all four": (0, 1, 2, 3)}


def forces(t, motors, least="actuator_force"):
    """Joint forces and multipliers that make the motion at the time t."""
    q, qd, qdd = motion(t)
    loops(q, qd)
    tree = articulate.inverse_dynamics(model, q, qd, qdd)
    actuated = [k in motors for k in range(n)]
    return articulate.constrained_inverse_dynamics(tree, np.zeros(n), loops.A, actuated, least)

# %% [markdown]
# Whatever the choice, it must make the same motion: M q̈ + b = τ + Aᵀλ, and by the rule of this book a row may be off
# by 100 n u of the terms that are added in it. Where few motors do it, λ is found by dividing by small numbers, but λ
# itself is a term here, so that nothing has to be known of that.
#
# A pin does no work. So every choice has the same power, but for the rows' errors times the rates; and so much for the
# rates, which may leave A q̇ at what was said above, times λ.
#
# And who may choose among more motors can do no worse. To compare we must know how exact the forces are. What is solved
# for is λ, from the columns of the passive joints, and the error of a solution is that of the rows times the condition.

# %%
def condition(A, motors):
    """Of the columns of the passive joints: the largest singular value over the smallest that is not zero."""
    values = np.linalg.svd(np.delete(A, motors, axis=1), compute_uv=False)
    return values[0] / values[values > 1e-10 * values[0]][-1] if len(values) else 1.0


torque, pin_force = {name: [] for name in choices}, {name: [] for name in choices}
with_less_in_the_pin = []
for t in times:
    q, qd, qdd = motion(t)
    M, b, _ = articulate.equations_of_motion(model, q, qd)
    loops(q, qd)
    A, norm, doubt, power, doubt_of_power = loops.A.copy(), {}, {}, [], []
    for name, motors in choices.items():
        found = forces(t, motors)
        row = 100 * n * u * (abs(M) @ abs(qdd) + abs(b) + abs(found.tau) + abs(A.T) @ abs(found.lambda_))
        assert np.all(abs(M @ qdd + b - found.tau - A.T @ found.lambda_) <= row)
        norm[name], doubt[name] = np.linalg.norm(found.tau), condition(A, motors) * np.linalg.norm(row)
        power.append(found.tau @ qd)
        doubt_of_power.append(row @ abs(qd) + 100 * n * u * max(1, abs(qd).max()) * abs(found.lambda_).sum())
        torque[name].append(norm[name])
        pin_force[name].append(np.linalg.norm(found.lambda_))
    for other in (1, 2, 3):
        assert abs(power[other] - power[0]) <= doubt_of_power[other] + doubt_of_power[0]
    for more, fewer in (("all four", "left arm, right drive"), ("left arm, right drive", "left arm"),
                        ("left arm, right drive", "both drives")):
        assert norm[more] <= norm[fewer] + doubt[more] + doubt[fewer]
    least = forces(t, choices["left arm, right drive"], least="constraint_force")
    with_less_in_the_pin.append((np.linalg.norm(least.tau), np.linalg.norm(least.lambda_)))
print("largest motor forces, N m:", {name: round(max(values), 1) for name, values in torque.items()})

# %% [markdown]
# ## The energy
#
# All choices have the same power, so one of them is enough: what the drives do until some time must be the energy, of
# motion and of height, that the machine has gained. The integral is taken by Gauss's rule with 64 points. With 32
# points it differs more from the truth than with 64, so the difference of both is a bound.

# %%
def work(end, points):
    """The work of the drives until then, J, and a bound of its rounding."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    done = rounding = 0.0
    for x, weight in zip(nodes, weights * end / 2):
        q, qd, qdd = motion((1 + x) * end / 2)
        loops(q, qd)
        M, b, _ = articulate.equations_of_motion(model, q, qd)
        found = forces((1 + x) * end / 2, choices["both drives"])
        row = abs(M) @ abs(qdd) + abs(b) + abs(found.tau) + abs(loops.A.T) @ abs(found.lambda_)
        done += weight * found.tau @ qd
        rounding += weight * 100 * n * u * (row @ abs(qd) + max(1, abs(qd).max()) * abs(found.lambda_).sum())
    return done, rounding


def energy(t):
    """Kinetic and potential energy, J."""
    q, qd, _ = motion(t)
    kinematics = articulate.ForwardKinematics(model)
    kinematics(q, qd)
    return np.array([kinematics.kinetic_energy(), kinematics.potential_energy()])


for end in (0.5 * duration, 0.75 * duration, duration):
    (done, rounding), gained = work(end, 64), energy(end).sum() - energy(0).sum()
    bound = abs(done - work(end, 32)[0]) + rounding + 100 * n * u * (energy(end) + abs(energy(0))).sum()
    print(f"until {end:.1f} s: work {done:.10f} J, gained {gained:.10f} J,"
          f" difference {abs(done - gained):.1e} J, bound {bound:.1e} J")
    assert abs(done - gained) <= bound

# %% [markdown]
# ## The dead points
#
# With both motors in the left arm there are two moments where no force is large enough. The right arm, which is only
# dragged along, is stretched there, or folded. Its crank cannot be turned by pulling along its rod, and nobody else
# turns it.
#
# In numbers: the two columns of A for the right arm become dependent, in the two rows that count. Their determinant
# changes its sign, and bisection finds when. In that state the forces are refused, for a rank has been lost. Next to it
# they grow: like 1/|t - t*|, if the determinant has a simple zero. So half the distance must double them. A root would
# make 1.4 of it, a double pole 4; the middles between are 1.7 and 2.8.

# %%
def determinant(t):
    """Of the columns of the right arm in the two rows along the plane of the machine."""
    loops(*motion(t)[:2])
    return np.linalg.det(loops.A[2:4, 2:4])


signs = np.sign([determinant(t) for t in times])
dead = []
for k in np.flatnonzero(np.diff(signs)):
    early, late = times[k], times[k + 1]
    while (middle := (early + late) / 2) not in (early, late):
        early, late = (middle, late) if np.sign(determinant(middle)) == signs[k] else (early, middle)
    dead.append(early)
print("dead points after", np.round(dead, 6), "s")
assert len(dead) == 2

for t in dead:
    near = [np.linalg.norm(forces(t + duration / 2**k, choices["left arm"]).tau) for k in range(9, 15)]
    growth = np.divide(near[1:], near[:-1])
    print("forces next to it grow by", np.round(growth, 3))
    assert np.all((growth > np.sqrt(2 * np.sqrt(2))) & (growth < 2 * np.sqrt(2)))
    try:
        forces(t, choices["left arm"])
    except articulate.StateError as error:
        print(error)
    else:
        raise AssertionError("the dead point was not refused")
    three = forces(t, choices["left arm, right drive"])
    print(f"with a third motor {np.linalg.norm(three.tau):.3f} N m are enough")

# %% [markdown]
# So that is what a third motor is good for: not to be stronger, but to have no dead point. The drives alone have none
# either, in this machine: their passive joints are the elbows, and these could be in line with the pin only if the
# elbows came nearer to each other, or went farther apart, than the cranks let them.
#
# ## An exercise
#
# Take the third motor away from the right drive, and put it into the right elbow. Does it help as well? *Answer:* yes.
# Stretched, the right arm then has one passive joint, the drive, and the pin can still turn its crank, for the motor
# stiffens the elbow.

# %%
for t in dead:
    assert forces(t, (0, 1, 3)).rank_passive == 1

# %% [markdown]
# ## The figure
#
# Left: the machine in its first dead point, seen along its axes. The pin is the large dot. Middle: motor forces, as the
# root of the sum of their squares. Right: the force in the pin. The dotted line is the three motors once more, with the
# force in the pin as small as possible.

# %%
figure = style.figure(6.6, 3.3)
sketch, motor, bearing = figure.subplots(1, 3, width_ratios=[0.9, 1.2, 1.2])
kinematics = articulate.ForwardKinematics(model)
kinematics(*motion(dead[0])[:2])
axis = kinematics.pose(1).R[:, 2]
across = np.cross([0, 0, 1], axis) / np.linalg.norm(np.cross([0, 0, 1], axis))
plane = np.array([across, np.cross(axis, across)])
tip = plane @ kinematics.link_pose("left_tip").p
for arm, colour, name, side in (((1, 2), style.BLUE, "left", 8), ((3, 4), style.GREY, "right", -8)):
    places = np.array([*(plane @ kinematics.pose(i).p for i in arm), tip])
    sketch.plot(*places.T, "o-", color=colour, linewidth=2.5)
    sketch.annotate(name, places[0], xytext=(side, 0), textcoords="offset points", va="center",
                    ha="left" if side > 0 else "right")
sketch.plot(*tip, "o", color=style.INK, markersize=7)
sketch.set(aspect="equal", title="a dead point")
sketch.axis("off")
looks = {"left arm": (style.ORANGE, "-"), "both drives": (style.GREEN, "--"),
         "left arm, right drive": (style.BLUE, "-"), "all four": (style.PURPLE, "-.")}
for panel, found in ((motor, torque), (bearing, pin_force)):
    for name, (colour, dash) in looks.items():
        panel.semilogy(times, found[name], color=colour, linestyle=dash, linewidth=1.3, label=name)
for panel, values in zip((motor, bearing), np.transpose(with_less_in_the_pin)):
    panel.semilogy(times, values, color=style.BLUE, linestyle=":", linewidth=1.3, label="the same, pin spared")
    panel.set(xlabel="time, s")
    style.powers_of_ten(panel.yaxis)
motor.set(title="motor forces, N m")
bearing.set(title="force in the pin, N")
style.legend_below(figure, motor, ncols=3, room=0.16)
style.publish(figure, "constrained_motors")
