# %% [markdown]
# # How far can a difference be trusted, and what can an arm feel?
#
# Make an angle a little larger, ask for the torques again, subtract, divide: a derivative. Make the step too large, and
# it is not the derivative. Make it too small, and the digits cancel. **How many are left at best, and how many does the
# differentiated recursion keep?**
#
# Then we use it. A PUMA 560 has sixty inertial numbers: ten for each of six bodies. **Which of them does which motor
# feel?**

# %%
import articulate
import numpy as np
import style
from articulate import Parameter

u = 2.0**-53  # the rounding unit of double precision
model = articulate.Model.load("puma560")
n, joint = model.nv, 1  # the shoulder is the joint that we move
rnea = articulate.InverseDynamics(model)
state = articulate.random_state(model, 3)

# %% [markdown]
# ## A derivative by large steps
#
# We need a witness that is better than any difference. Let one angle x run through a full turn while all else is held,
# the rates and accelerations too. The kinetic energy is made of twists that are turned by this angle, multiplied in
# pairs: it contains sines and cosines of x and 2x, and nothing else. The torques come from it by derivatives
# (Lagrange), and gravity has sines and cosines of x. So each torque is a trigonometric polynomial of degree two: *five*
# numbers determine it. Runs a fifth of a turn apart give its derivative, and nothing is neglected:
#
# f'(x) = Σ w_k f(x + 2πk/5), with w_k = (-1)^(k+1) / (2 sin(πk/5)), k = 1 to 4.

# %%
def torques(x):
    """Torques (6,) with one angle of the state displaced by x, rad."""
    return rnea(state.q + x * np.eye(n)[joint], state.qd, state.qdd)


k = np.arange(1, 5)
places, weights = 2 * np.pi * k / 5, (-1.0) ** (k + 1) / (2 * np.sin(np.pi * k / 5))
witness = sum(weight * torques(place) for weight, place in zip(weights, places))
exact = articulate.inverse_dynamics_derivative(model, Parameter.coordinate(joint), state.q, state.qd, state.qdd)
by_q, by_qd, by_qdd = articulate.inverse_dynamics_jacobians(model, state.q, state.qd, state.qdd)
print("five runs     ", witness)
print("Table 5       ", exact)
print("all at once   ", by_q[:, joint])

# %% [markdown]
# **How close must they be?** As in notebook 04, a torque is off by at most 12 · 64 u of the largest wrench, moment plus
# force times 1 m; call that ε, with the largest wrench on the whole circle. It is another trigonometric polynomial, of
# degree two as seen from a body, and no derivative of such a polynomial is larger than twice the polynomial
# (Bernstein). So the differentiated wrenches are at most twice as large; and each product of the recursion has become
# two, so that twice as many roundings are made: 4 ε. The five runs make ε Σ|w|, and the places of the runs are rounded
# too, by u of up to 2π and the angle itself, which Bernstein multiplies by two again.

# %%
def size():
    """The largest wrench of the latest call, N m."""
    return (np.linalg.norm(rnea.F[:, :3], axis=1) + np.linalg.norm(rnea.F[:, 3:], axis=1)).max()


circle = 2 * np.pi * np.arange(64) / 64
between = 1 / np.cos(2 * np.pi / 64)  # a trigonometric polynomial of degree two exceeds its 64 values by no more
largest = between * max((torques(x), size())[1] for x in circle)
epsilon = 12 * 64 * u * largest
places_rounded = 2 * u * (2 * np.pi + abs(state.q[joint])) * largest
bound = 4 * epsilon + abs(weights).sum() * (epsilon + places_rounded)
for name, derivative in (("Table 5", exact), ("all at once", by_q[:, joint])):
    print(f"{name:12} differs by {abs(derivative - witness).max():.1e}, bound {bound:.1e}")
    assert abs(derivative - witness).max() <= bound

# %% [markdown]
# ## Small steps
#
# A forward difference neglects h/2 times the second derivative, a central one h²/6 times the third, and Bernstein says
# how large these are: at most 4 and 8 times the torque. Subtracting leaves two roundings of ε, and the rounding of the
# two places, divided by h or 2h. So the whole curve is known before anything is computed.

# %%
steps = 10.0 ** np.arange(-13, 0.01, 0.25)
torque = between * max(abs(torques(x)).max() for x in circle)
forward, central = np.array([[abs((torques(h) - torques(0)) / h - exact).max(),
                              abs((torques(h) - torques(-h)) / (2 * h) - exact).max()] for h in steps]).T
noise = 2 * (epsilon + places_rounded)
allowed_forward = steps / 2 * 4 * torque + noise / steps + bound
allowed_central = steps**2 / 6 * 8 * torque + noise / (2 * steps) + bound
assert np.all(forward <= allowed_forward) and np.all(central <= allowed_central)

best = forward.min(), central.min()
digits = [-np.log10(error / abs(exact).max()) for error in (*best, abs(exact - witness).max())]
print("digits at best: forward {:.1f}, central {:.1f}, Table 5 against the five runs {:.1f}".format(*digits))

# %% [markdown]
# Of sixteen digits a forward difference keeps half, a central one two thirds, and only at a step that one has to find
# first. (The curves are below what is allowed since roundings are of both signs and mostly cancel.)
#
# ## What the motors feel
#
# Inverse dynamics is linear in the masses, first moments and inertias. So the derivatives with respect to these are
# not small changes but the whole story: each number times its derivative, added up, must be the torque itself (Euler).
# Each of the sixty terms may be as large as what it is made of, and is rounded as above.

# %%
components = ["m", "mx", "my", "mz", "xx", "xy", "xz", "yy", "yz", "zz"]
upper = np.triu_indices(3)
numbers = np.concatenate([[I.mass, *I.first_moment, *I.second_moment[upper]]
                          for I in (model.body(i).I for i in range(1, n + 1))])
parameters = [Parameter.inertia(i, c) for i in range(1, n + 1) for c in range(10)]


def felt(q, qd, qdd):
    """The derivatives of the six torques by the sixty numbers, (6, 60)."""
    return np.array([articulate.inverse_dynamics_derivative(model, p, q, qd, qdd) for p in parameters]).T


W = felt(state.q, state.qd, state.qdd)
missed = abs(W @ numbers - torques(0)).max()
bound = 2 * 12 * 64 * u * ((abs(W) @ abs(numbers)).max() + largest)
print(f"sum of the sixty parts against the torques: {missed:.1e} N m, bound {bound:.1e} N m")
assert missed <= bound

# %% [markdown]
# Now many drawn states, one after the other. A column that is zero in all of them belongs to a number that nobody
# feels. More is hidden: columns may be multiples or sums of others, and then only the sum is felt. How many
# independent ones there are is the rank of all rows together.
#
# Mayeda, Yoshida and Osuka counted for arms like this, whose axes are parallel or normal to each other and whose
# second axis is not parallel to the first, without any computation: seven for each joint, less four for the first;
# and with the first axis vertical, two less. 42 - 6 = 36.
#
# **What is zero?** An entry is off by at most 12 · 128 u of the wrenches that a unit of its number makes. They are not
# larger than the acceleration of the body, times one, with gravity, and on the way to the base a force gets the lever
# of the arm stretched out, 1.5 m at most. Singular values move by no more than the root of the sum of all squares.

# %%
def unit_wrench():
    """The largest wrench that one kg, kg m or kg m² anywhere can make in the state of the latest call, N m."""
    speed, gain = (np.linalg.norm(x[1:, :3], axis=1) + np.linalg.norm(x[1:, 3:], axis=1) for x in (rnea.V, rnea.Vdot))
    return (1 + 1.5) * (gain + 2 * speed**2).max()


rows, size_of_rows = [], []
for seed in range(1, 41):
    drawn = articulate.random_state(model, seed)
    rows.append(felt(drawn.q, drawn.qd, drawn.qdd))
    rnea(drawn.q, drawn.qd, drawn.qdd)
    size_of_rows.append(unit_wrench())
W = np.concatenate(rows)
zero = 12 * 128 * u * np.sqrt(6 * 60 * np.square(size_of_rows).sum())
values = np.linalg.svd(W, compute_uv=False)
rank = int((values > zero).sum())
print(f"{rank} of 60; singular values {values[rank - 1]:.1e} and then {values[rank]:.1e}, zero below {zero:.1e}")
assert rank == 7 * 6 - 4 - 2

# %% [markdown]
# ## An exercise
#
# Which numbers does no motor feel at all, in no state? *Answer:* nine of the first body, which can only turn about a
# vertical axis, so that only its inertia zz counts. And two of the second, whose origin is where the first two axes
# meet, and never moves: its mass, and its first moment mz along its own axis, whose forces go through that point, and
# whose weight turns about no axis that there is. The other 60 - 36 - 11 = 13 are lost in sums: of two numbers or more
# only the sum is felt.

# %%
unfelt = [f"{name} of {body}" for body in range(1, n + 1) for name, column in
          zip(components, W[:, 10 * body - 10:10 * body].T) if abs(column).max() <= zero]
print(unfelt)
assert unfelt == [f"{name} of 1" for name in components[:9]] + ["m of 2", "mz of 2"]

# %% [markdown]
# ## The figure
#
# Left: the error of differences against their step. Thin lines are what was allowed in advance. The line at the bottom
# is the differentiated recursion, held against the five runs. Right: how much of a torque a number makes, as the root
# of the mean square over all drawn states. Rows are joints. Each body has ten columns; to compare them, moments are
# taken per kg at 0.1 m, inertias per kg at a distance of 0.1 m. What is blank is not felt.

# %%
figure = style.figure(6.6, 3.2)
error, map_ = figure.subplots(1, 2, width_ratios=[1, 1.35])
for measured, allowed, colour, look, name in ((forward, allowed_forward, style.ORANGE, "s", "forward"),
                                              (central, allowed_central, style.BLUE, "o", "central")):
    error.loglog(steps, measured / abs(exact).max(), look, color=colour, markersize=3, label=name)
    error.loglog(steps, allowed / abs(exact).max(), color=colour, linewidth=0.8)
error.axhline(abs(exact - witness).max() / abs(exact).max(), color=style.INK, linestyle="--", linewidth=1)
error.annotate("Table 5", (1e-13, 1.6 * abs(exact - witness).max() / abs(exact).max()))
error.set(xlabel="step, rad", ylabel="relative error of ∂τ/∂q₂", title="differences")
style.powers_of_ten(error.xaxis, error.yaxis)
error.legend()

lever = np.tile([1, 0.1, 0.1, 0.1, *[0.01] * 6], n)
share = np.sqrt(np.square(W.reshape(-1, n, 60)).mean(axis=0)) * lever
map_.grid(False)
colours = map_.pcolormesh(np.log10(np.where(abs(share) > zero, share, np.nan)), cmap=style.scale())
colours.set_edgecolor("face")  # no slits between the cells
for body in range(1, n):
    map_.axvline(10 * body, color=style.GREY, linewidth=0.8)
map_.set(xticks=10 * np.arange(n) + 5, xticklabels=[str(body) for body in range(1, n + 1)], xlabel="number of body",
         yticks=np.arange(n) + 0.5, yticklabels=[str(k) for k in range(1, n + 1)], ylabel="torque of joint",
         title="what the motors feel")
map_.invert_yaxis()
bar = figure.colorbar(colours, ax=map_, label="N m per kg")
bar.ax.yaxis.set_major_formatter(lambda power, _: f"{10**power:.2g}")
style.publish(figure, "derivatives_of_torques")
