# %% [markdown]
# # What does forward dynamics cost, and how many digits does it keep?
#
# There are two ways from torques to accelerations. One builds the mass matrix and solves a linear system. The other,
# the articulated body algorithm, goes over the tree three times. **How do their costs grow with the number of
# joints?** And when digits are lost on a long chain, **is it the fault of the algorithm, or of the question?**

# %%
import time

import articulate
import numpy as np
import style

u = 2.0**-53  # the rounding unit of double precision

# %% [markdown]
# ## Cost
#
# Chains of n hinges, `planar_arm:n`, in one drawn state each. Of several runs the fastest counts, since a computer
# that does something else can only make a run slower. Only ratios are kept: they mean the same on the next computer.

# %%
def fastest(task, seconds=0.15):
    """The time of the fastest run, s."""
    best, end = np.inf, time.perf_counter() + seconds
    while time.perf_counter() < end or best == np.inf:
        start = time.perf_counter()
        task()
        best = min(best, time.perf_counter() - start)
    return best


def by_matrix(model, state):
    """Accelerations by M and b, column by column, and a dense solve."""
    M, b, _ = articulate.equations_of_motion(model, state.q, state.qd)
    return np.linalg.solve(M, state.tau - b)


sizes = 2 ** np.arange(2, 10)
articulated, dense = [], []
for n in sizes:
    model = articulate.Model.load(f"planar_arm:{n}")
    state = articulate.random_state(model, 1)
    aba = articulate.ForwardDynamics(model)
    articulated.append(fastest(lambda: aba(state.q, state.qd, state.tau)))
    dense.append(fastest(lambda: by_matrix(model, state)))
articulated, dense = np.array(articulated), np.array(dense)

# %% [markdown]
# Chapters 04 and 05 count multiplications: 476 n - 255 for the articulated bodies, 169 n (n + 3) for M, b and the two parts
# of b, which come with them, and n³/6 for the solution. From n = 32 to n = 512, sixteen times as many joints, a cost
# that grows with n becomes 16 times as large, one that grows with n² 256 times. The measured growth must be on the
# right side of the middle, which is 64 on a logarithmic scale: a wrong exponent would be caught, an unquiet computer
# is forgiven.

# %%
counted = 476 * sizes - 255, 169 * sizes * (sizes + 3) + sizes**3 / 6
first, last = np.searchsorted(sizes, (32, 512))
growth = articulated[last] / articulated[first], dense[last] / dense[first]
print(f"from 32 to 512 joints: articulated {growth[0]:.1f} times, by the mass matrix {growth[1]:.0f} times")
assert growth[0] < 64 < growth[1]

# %% [markdown]
# ## Digits
#
# Draw accelerations, ask inverse dynamics for the torques, and give them to forward dynamics: the accelerations should
# come back. What is missing is the error of both.
#
# **What may be missing?** Suppose that the torques were right but for their last digit. The accelerations solve M q̈ =
# τ - b, so they move by as much as |M⁻¹| |τ| u, entry by entry; of the torques' own size nothing more can be expected.
# Relative to the largest acceleration this is κ u. Each body adds some 100 roundings of that kind, hence the rule of
# this book: an error of at most 100 n κ u.
#
# The usual measure is another one: the condition of M, the largest over the smallest factor by which it stretches.

# %%
def measure(model, seed):
    """Condition of M, its κ, and the relative error of what comes back, which is within the bound."""
    state = articulate.random_state(model, seed)
    tau = articulate.inverse_dynamics(model, state.q, state.qd, state.qdd)
    back = articulate.forward_dynamics(model, state.q, state.qd, tau)
    M = articulate.mass_matrix(model, state.q)
    largest = abs(state.qdd).max()
    kappa, error = max((abs(np.linalg.inv(M)) @ abs(tau)).max() / largest, 1), abs(back - state.qdd).max() / largest
    assert error <= 100 * model.nv * u * kappa
    return np.linalg.cond(M), kappa, error


def measured(models):
    """The worst of five drawn states for each model: (number of models, 3)."""
    return np.array([np.max([measure(model, seed) for seed in range(1, 6)], axis=0) for model in models])


lengths = 2 ** np.arange(1, 9)
chains = measured([articulate.Model.load(f"planar_arm:{n}") for n in lengths])

# %% [markdown]
# On chains the condition of M and the error grow together. That looks like a law, and it is none. Take a UR5 and make
# its last link lighter, by as much as a thousand million. The mass matrix becomes as badly conditioned as one likes.

# %%
def with_light_hand(factor):
    """A UR5 whose last link has that part of its mass and inertia."""
    mechanism = articulate.built_in_model("ur5")
    hand = next(link for link in mechanism.links if link.name == "wrist_3_link")
    hand.mass *= factor
    hand.inertia = hand.inertia * factor
    return articulate.Model(mechanism)


factors = 10.0 ** -np.arange(10)
hands = measured([with_light_hand(factor) for factor in factors])
powers = np.log10(hands[-1, 0] / hands[0, 0])
assert round(powers) == 9
assert np.all(hands[:, 2] <= 100 * 6 * u * hands[0, 1])  # with the κ of the hand as it is

print("chain of n    condition          κ      error     light hand    condition          κ      error")
for k in range(10):
    chain = f"{lengths[k]:10} {chains[k][0]:12.1e} {chains[k][1]:10.1e} {chains[k][2]:10.1e}" if k < 8 else " " * 45
    print(f"{chain} {factors[k]:14.0e} {hands[k][0]:12.1e} {hands[k][1]:10.1e} {hands[k][2]:10.1e}")

# %% [markdown]
# The condition grows by nine powers of ten, and the error stays. The torque of the last joint has become as small as
# its inertia, and it is known to as many digits as before. κ sees this, the condition does not.
#
# ## An exercise
#
# Give `measure` the mass matrix's own way: replace `back` by `by_matrix` with the same torques. Does a dense solve
# lose more digits on the chains? And with a light hand? *Answer:* neither. Cholesky's and Gauss's factors of a
# symmetric positive matrix do not care about the scale of its rows; the two ways lose alike, as chapter 05 says.
#
# ## The figure
#
# Left: measured times as marks, counted multiplications as lines, both relative to the articulated bodies at n = 64.
# Right: what comes back. Filled marks are errors, open ones the sensitivity κ u of the question itself.

# %%
figure = style.figure(6.6, 3.4)
cost, digits = figure.subplots(1, 2)
unit = np.searchsorted(sizes, 64)
for seconds, count, look, colour, label in ((dense, counted[1], "s", style.ORANGE, "mass matrix"),
                                            (articulated, counted[0], "o", style.BLUE, "articulated")):
    cost.loglog(sizes, seconds / articulated[unit], look, color=colour, label=label)
    cost.loglog(sizes, count / counted[0][unit], color=colour, linewidth=1, linestyle="--")
cost.set(xlabel="joints n", ylabel="cost, articulated at n = 64 is 1", title="cost")
cost.plot([], color=style.GREY, linewidth=1, linestyle="--", label="multiplications")
cost.legend()

condition = np.array([10, 1e12])
digits.loglog(condition, 2 * u * condition, color=style.INK, linewidth=1, linestyle="--", label="2⁻⁵² cond M")
for rows, look, colour, label in ((chains, "o", style.BLUE, "chains, n = 2 … 256"),
                                  (hands, "s", style.ORANGE, "UR5, lighter hand")):
    digits.loglog(rows[:, 0], rows[:, 2], look, color=colour, label=label)
    digits.loglog(rows[:, 0], rows[:, 1] * u, look, color=colour, markerfacecolor="none")
digits.plot([], "o", color=style.GREY, markerfacecolor="none", label="κ u")
digits.set(xlabel="condition of the mass matrix", ylabel="relative error of q̈", title="digits", ylim=(1e-17, 1e-3))
digits.legend()
style.powers_of_ten(cost.xaxis, cost.yaxis, digits.xaxis, digits.yaxis)
style.publish(figure, "aba_cost_and_digits")
