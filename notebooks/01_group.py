# %% [markdown]
# # How many digits does a rotation keep?
#
# Take a rotation vector w and make the matrix of its rotation, R = exp [w]. The logarithm of R should give w back. In
# exact arithmetic it does. **How many digits come back in double precision when the angle is close to a half turn?**
# And how many digits has the exponential itself when the angle is close to zero?
#
# Both are places where textbook formulas divide one small number by another. Chapter 01 of the book says how this
# library avoids that. Here we measure it, against 50 digits from another library.

# %%
import articulate
import numpy as np
import style
from mpmath import mp

mp.dps = 50
u = 2.0**-53  # the rounding unit of double precision
axes = [n / np.linalg.norm(n) for n in np.random.default_rng(1).normal(size=(12, 3))]

# %% [markdown]
# ## The witness
#
# The sums of the exponential series, in 50 digits, from exactly the double precision numbers that the formulas under
# test are given. They divide by small numbers too. But at θ = 10⁻¹² they lose 24 digits, and 26 are left.

# %%
def witness(w, v):
    """R (3, 3) and p (3,) of the exponential of the twist (w, v): rad and m, to 26 digits or more."""
    x, y, z = map(mp.mpf, w)
    theta = mp.sqrt(x * x + y * y + z * z)
    W = mp.matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    one, sine, cosine = mp.eye(3), mp.sin(theta), mp.cos(theta)
    R = one + sine / theta * W + (1 - cosine) / theta**2 * W * W
    p = (one + (1 - cosine) / theta**2 * W + (theta - sine) / theta**3 * W * W) * mp.matrix(v)
    return R, p


def rounded(matrix):
    """The same matrix or column in double precision, each number rounded once."""
    numbers = np.array(matrix.tolist(), dtype=float)
    return numbers[:, 0] if matrix.cols == 1 else numbers


def units(found, right):
    """The length of the error over the length of what is right, in units of the last place, 2⁻⁵²."""
    return np.linalg.norm(found - right) / np.linalg.norm(right) / (2 * u)

# %% [markdown]
# ## What a textbook writes
#
# The angle from the trace and the axis from the skew part; and the functions (1 - cos θ)/θ² and (θ - sin θ)/θ³ as they
# stand. The arc cosine is guarded against arguments beyond ±1, as every program that survives does it.
#
# Libraries differ in the last places of their sines, even from processor to processor. Here each sine, cosine and arc
# cosine is computed in 50 digits and rounded once, which is as good as double precision allows: what goes wrong below
# is the fault of the formulas.

# %%
def textbook_log(R):
    """The rotation vector (3,), rad, of a matrix (3, 3)."""
    theta = float(mp.acos(np.clip((np.trace(R) - 1) / 2, -1, 1)))
    return theta / (2 * float(mp.sin(theta))) * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])


def textbook_translation(w, v):
    """The origin (3,), m, to which one second of the twist (w, v) leads."""
    theta = np.linalg.norm(w)
    sine, cosine = float(mp.sin(theta)), float(mp.cos(theta))
    once = np.cross(w, v)
    return v + (1 - cosine) / theta**2 * once + (theta - sine) / theta**3 * np.cross(w, once)

# %% [markdown]
# ## The logarithm near a half turn
#
# The angle is π - δ. We start at δ = 10⁻¹⁴: closer to π, rounding the entries of R may carry the rotation to the other
# side of the half turn, where the logarithm rightly has the other sign.
#
# **What may be lost?** Count roundings, each at most u = 2⁻⁵³ of its result.
#
# - The entries of R are rounded: at most u/2 each, since none exceeds 1.
# - The largest component of the quaternion, at least 1/2, is the root of 1 ± R₁₁ ± R₂₂ ± R₃₃ ≥ 1 over 2. Three entries
#   and three sums of at most 2, 3 and 4 make 10.5 u; the root halves that and adds its own: 6.3 u.
# - The others are sums of two entries (error 3 u) over at least 2, with the divisor's error and two roundings: 8.3 u
#   of their own, and 1.5 u. Together the quaternion is off by less than 11 u.
# - Turning a quaternion into w magnifies by 1/sin(θ/2), relative to w: 1.14 at most for δ ≤ 1. So far 12.6 u.
# - Length, quotient, arc tangent, difference from π/2 and the last product add less than 9 u.
#
# In all 22 u, or **11 units of the last place**, at every δ.

# %%
deltas = np.logspace(-14, 0, 57)
log_ours, log_textbook = np.zeros((2, len(deltas)))
for k, delta in enumerate(deltas):
    for n in axes:
        w = (np.pi - delta) * n
        R = rounded(witness(w, [0, 0, 0])[0])
        log_ours[k] = max(log_ours[k], units(articulate.log(articulate.SO3(R)), w))
        log_textbook[k] = max(log_textbook[k], units(textbook_log(R), w))

assert np.all(log_ours <= 11)

# %% [markdown]
# The textbook formula fails for a reason that can be counted as well. Near -1 the doubles are 2⁻⁵³ apart, so an arc
# cosine is either π or at most π - √(2 · 2⁻⁵³) = π - 1.5·10⁻⁸. There is nothing in between. For δ ≤ 10⁻⁹ either way
# the sine of that angle is wrong by a factor of 14 or more, and so is the length of the result: the error is at least
# 13/14 of the right vector. Not a digit is left.

# %%
lost = deltas <= 1e-9
assert np.all(log_textbook[lost] * 2 * u > 13 / 14)

# %% [markdown]
# ## The exponential near zero
#
# Now a twist (w, v) with |w| = θ, and the origin p to which it leads. In p the functions above are multiplied by w and
# by v, which may be large, so their digits matter.
#
# **What may be lost?** p = v + φ₂ w×v + φ₃ w×(w×v) with |w| ≤ 1. A cross product of rounded numbers is off by at most
# 3 u of the product of the lengths, the functions by 3 u of themselves, products and sums by one rounding each. With
# φ₂ ≤ 1/2 and φ₃ ≤ 1/6 that makes (2 + 4.5 θ + 2 θ²) u |v|, and |p| is at least 0.95 |v|: 9 u, or **4.5 units**.
#
# And the textbook? As soon as θ²/2 < 2⁻⁵⁴, that is θ < 1.05·10⁻⁸, the cosine rounds to 1. The formula then returns v
# itself, as if the body did not turn at all. What is missing is φ₂ w×v, of the length θ |n×v|/2, and half of the
# digits: at 10⁻⁸ the last place goes into it ten million times.

# %%
thetas = np.logspace(-12, 0, 49)
v = np.array([0.3, -0.5, 0.8])
exp_ours, exp_textbook = np.zeros((2, len(thetas)))
for k, theta in enumerate(thetas):
    for n in axes:
        w = theta * n
        p = rounded(witness(w, v)[1])
        exp_ours[k] = max(exp_ours[k], units(articulate.exp(articulate.Twist(w, v)).p, p))
        exp_textbook[k] = max(exp_textbook[k], units(textbook_translation(w, v), p))
        assert theta > 1e-8 or np.array_equal(textbook_translation(w, v), v)

assert np.all(exp_ours <= 4.5)

# The other terms are smaller by θ, and so is the difference of |p| and |v|; p was rounded, which is half a unit.
lever = max(np.linalg.norm(np.cross(n, v)) for n in axes) / np.linalg.norm(v)
missing = thetas / 2 * lever / (2 * u)
small = thetas <= 1e-8
assert np.all(abs(exp_textbook - missing)[small] <= (2 * thetas * missing + 0.5)[small])

# %% [markdown]
# ## What was found

# %%
print("distance    log near pi: textbook       ours    exp near 0: textbook       ours   (units of the last place)")
for distance in (1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 1):
    i, j = np.argmin(abs(np.log(deltas / distance))), np.argmin(abs(np.log(thetas / distance)))
    print(f"{distance:8.0e} {log_textbook[i]:24.1e} {log_ours[i]:10.2f} {exp_textbook[j]:23.1e} {exp_ours[j]:10.2f}")

# %% [markdown]
# ## An exercise
#
# A popular repair takes the angle from an arc tangent of both: θ = atan2(|a|, tr R - 1), where a is the skew part as a
# vector, and w = θ a/|a|. Which power of 1/δ does its error follow, where the textbook formula has 1/δ²?
#
# *Answer:* the first. The angle is now right everywhere, but the axis still comes from a vector of length 2δ whose
# entries are off by u. At δ = 10⁻⁸ half of the digits are lost, where the formula above loses all of them.
#
# ## The figure
#
# Errors of the worst of twelve axes. Circles are this library, crosses the formulas of a textbook, dashes the bounds
# that were counted above. What is below a tenth of a unit is drawn there, and so is at 2⁵², where no digit is left,
# what is above.

# %%
figure = style.figure(6.4, 3.4)
near_zero, near_pi = figure.subplots(1, 2, sharey=True)
for panel, x, textbook, ours, bound in ((near_zero, thetas, exp_textbook, exp_ours, 4.5),
                                        (near_pi, deltas, log_textbook, log_ours, 11)):
    panel.loglog(x, np.clip(textbook, 0.1, 2**52), "x-", color=style.ORANGE, linewidth=0.8, label="textbook")
    panel.loglog(x, np.clip(ours, 0.1, 2**52), "o-", color=style.BLUE, markersize=3, linewidth=0.8, label="here")
    panel.axhline(bound, color=style.INK, linewidth=1, linestyle="--", label="bound")
    style.powers_of_ten(panel.xaxis, panel.yaxis)
near_zero.set(title="exp near 0: translation", xlabel="angle θ, rad", ylabel="error, units of the last place",
              yticks=10.0 ** np.arange(0, 17, 4))
near_pi.set(title="log near π: rotation vector", xlabel="distance from a half turn δ, rad")
near_pi.legend()
style.publish(figure, "group_exp_and_log")
