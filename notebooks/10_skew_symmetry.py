# %% [markdown]
# # Does it matter which Coriolis matrix a controller uses?
#
# The forces of velocity can be written as a matrix times the rates, C q̇, and in many ways. All give the same forces.
# **How much do the ways differ, and does anybody feel it?** A simulator does not. A controller multiplies C by another
# vector, and we let one control a PUMA 560 and a UR5 whose masses it does not know.

# %%
import articulate
import numpy as np
import style
from articulate import CoriolisFamily

u = 2.0**-53  # the rounding unit of double precision
recursion, natural = CoriolisFamily.newton_euler, CoriolisFamily.christoffel
admissible = [CoriolisFamily.ploen, CoriolisFamily.bracket, CoriolisFamily.momentum, natural]
families = [recursion, *admissible]
model = articulate.Model.load("puma560")
n = model.nv

# %% [markdown]
# ## What the families have in common, and where they part
#
# Along a smooth motion of all six joints we ask each family for C, and compare three things: the product C q̇ with the
# bias of inverse dynamics less gravity; the product with another vector, made without a matrix, with the matrix times
# that vector; and the symmetric part of Ṁ - 2C with zero.
#
# Ṁ shall not come from the same code. An entry of M is a trigonometric polynomial of degree two in each angle, as in
# notebook 08. So its derivative by an angle comes from four runs a fifth of a turn apart, and nothing is neglected:
# f'(x) = Σ w_k f(x + 2πk/5), with w_k = (-1)^(k+1) / (2 sin(πk/5)).
#
# **How close must they be?** An entry of C is a sum of products of columns H or their rates, inertias J and brackets of
# twists: Hᵀ(J dH/dt + (J ad + adᵀ J) H), whatever the family. Put absolute values everywhere, and it becomes its
# *size*; seen from the base, for that is where the library adds up. Each of the n bodies adds no more than some hundred
# roundings of such terms, the rule of this book: an error of at most 100 n u of the size. An entry of M at another
# angle has the same kind of error, and the places of the runs are rounded by less than 8 u, which changes M by 16 u of
# its largest.

# %%
k = np.arange(1, 5)
places, weights = 2 * np.pi * k / 5, (-1.0) ** (k + 1) / (2 * np.sin(np.pi * k / 5))


def size(model, q, qd):
    """The size of C (6, 6), for all families."""
    g, place = articulate.GlobalMatrices(model, q, qd), articulate.ForwardKinematics(model)
    place(q, qd)
    carry, back, brackets = np.zeros((3, 6 * n, 6 * n))
    for i in range(n):
        block = slice(6 * i, 6 * i + 6)
        carry[block, block] = articulate.Ad_matrix(place.pose(i + 1))
        back[block, block] = articulate.Ad_matrix(articulate.inverse(place.pose(i + 1)))
    for i, V in enumerate((carry @ g.GS() @ qd).reshape(-1, 6)):
        block = slice(6 * i, 6 * i + 6)
        brackets[block, block] = abs(articulate.ad_matrix(articulate.Twist.from_array(V)))
    H, Hdot, J = abs(carry @ g.GS()), abs(carry @ g.GS_rate()), abs(back.T) @ abs(g.J) @ abs(back)
    return H.T @ (J @ Hdot + (J @ brackets + brackets.T @ J) @ H)


def rate_of_mass(q, qd):
    """Ṁ (6, 6) by runs of M only, and a bound of its rounding."""
    runs = [(qd[j] * w, q + x * np.eye(n)[j]) for j in range(n) for w, x in zip(weights, places)]
    sizes = [abs(g.GS()).T @ abs(g.J) @ abs(g.GS()) for g in (articulate.GlobalMatrices(model, x, qd) for _, x in runs)]
    rate = sum(w * articulate.composite_mass_matrix(model, x) for w, x in runs)
    return rate, (100 * n + 16) * u * sum(abs(w) for w, _ in runs) * np.max(sizes)


def motion(t):
    """Coordinates and rates (6,) of a smooth motion."""
    phase = 3 * t + 0.7 * np.arange(n)
    return np.sin(phase), 3 * np.cos(phase)


def other(t):
    """Some other rates (6,), which have nothing to do with the motion."""
    return 2 * np.cos(5 * t + 1.3 * np.arange(n))


def compare(family, q, qd, qd_r, Mdot, of_Mdot):
    """What is missed by the product C q̇, the product C q̇_r and the skewness, each over its bound."""
    g = articulate.GlobalMatrices(model, q, qd)
    error, zero = 100 * n * u * size(model, q, qd), np.zeros(n)
    still = articulate.inverse_dynamics(model, q, zero, zero)
    of_still = 100 * n * u * abs(g.GS()).T @ abs(g.J) @ abs(g.G @ g.P_0) @ [0, 0, 0, *abs(model.gravity)]
    C = articulate.coriolis_matrix(model, q, qd, family)
    bias = abs(C @ qd - (articulate.inverse_dynamics(model, q, qd, zero) - still))
    product = abs(C @ qd_r - articulate.coriolis_product(model, q, qd, qd_r, family))
    skew = abs((Mdot - 2 * C) + (Mdot - 2 * C).T) / 2
    return [np.max(bias / (2 * error @ abs(qd) + 2 * of_still)), np.max(product / (2 * error @ abs(qd_r))),
            np.max(skew / (of_Mdot + error + error.T))]


worst = {family: np.zeros(3) for family in families}
for t in np.linspace(0, 2, 21):
    q, qd = motion(t)
    Mdot, of_Mdot = rate_of_mass(q, qd)
    for family in families:
        worst[family] = np.maximum(worst[family], compare(family, q, qd, other(t), Mdot, of_Mdot))
print("over its bound:  C q̇        C q̇_r      Ṁ - 2C")
for family, (bias, product, skew) in worst.items():
    print(f"{family.name:14} {bias:10.1e} {product:10.1e} {skew:10.1e}")
    assert bias <= 1 and product <= 1 and (skew <= 1) == articulate.is_admissible(family)

# %% [markdown]
# All products are right. One family is not skew, and not by rounding.
#
# ## Where the frames are
#
# Ploen's matrix of a body is that of Christoffel and half of the trace of the body's inertia times [w] in the corner of
# moments. The trace depends on the origin of the frame, and for this nobody is responsible but the one who drew the
# robot. Shift the frame of the fourth link along its axis, with everything that hangs on it: the same machine,
# described in another way. The formula says by how much C must change: by Hᵀ [w] H times the change of half of the
# trace, where only the angular rows of the body's Jacobian H count. (The third link would not do. Its angular columns
# are two directions only, since the second and the third axis are parallel, and three vectors in a plane have no
# volume.)

# %%
def rotation(x, y, z, w):
    """The matrix of a unit quaternion."""
    return np.eye(3) + 2 * np.array([[-y * y - z * z, x * y - z * w, x * z + y * w],
                                     [x * y + z * w, -x * x - z * z, y * z - x * w],
                                     [x * z - y * w, y * z + x * w, -x * x - y * y]])


def shifted(distance, which=3):
    """The PUMA, the frame of one of its links shifted along the link's joint axis by a distance, m."""
    mechanism = articulate.built_in_model("puma560")
    joints, links = mechanism.joints, mechanism.links
    joint = joints[which]
    d = distance * np.array(joint.axis) / np.linalg.norm(joint.axis)
    joint.position = joint.position + rotation(*joint.quaternion) @ d
    for link in links:
        if link.name == joint.child:
            link.center_of_mass = link.center_of_mass - d
    for child in joints:
        if child.parent == joint.child:
            child.position = child.position - d
    mechanism.joints, mechanism.links = joints, links
    return articulate.Model(mechanism)


def hat(w):
    return np.cross(np.eye(3), w)


q, qd = motion(0.4)
original = {family: articulate.coriolis_matrix(model, q, qd, family) for family in families}
g = articulate.GlobalMatrices(model, q, qd)
H, w = g.GS()[18:21], (g.GS() @ qd)[18:21]  # the angular rows of the fourth body
half_trace = np.trace(model.body(4).I.second_moment) / 2
shifts = np.linspace(-0.5, 0.5, 21)
change = {family: [] for family in families}
for d in shifts:
    machine = shifted(d)
    foreseen = (np.trace(machine.body(4).I.second_moment) / 2 - half_trace) * H.T @ hat(w) @ H
    for family in families:
        C = articulate.coriolis_matrix(machine, q, qd, family)
        expected = original[family] + (foreseen if family == CoriolisFamily.ploen else 0)
        assert np.all(abs(C - expected) <= 100 * n * u * (size(model, q, qd) + size(machine, q, qd)))
        change[family].append(abs(C - original[family]).max())
print("largest change of an entry, N m s:", {family.name: f"{max(c):.1e}" for family, c in change.items()})
largest = abs(original[natural]).max()
print(f"the largest entry of Christoffel's C is {largest:.3f}")
assert max(change[CoriolisFamily.ploen]) > 0.01 * largest

# %% [markdown]
# ## A controller that learns
#
# The controller of Slotine and Li does not know the inertial numbers π of the robot. It has an estimate, and a plan
# q_d. It asks for reference rates q̇_r = q̇_d - Λ(q - q_d), and for the torques that the estimate needs for them:
#
# s = q̇ - q̇_r, τ = Y(q, q̇, q̇_r, q̈_r) π̂ - K s, and it learns by dπ̂/dt = -Γ Yᵀ s.
#
# Y is the regressor, in the family that we choose: it contains C(q, q̇) q̇_r. Lyapunov's function is
# W = ½ sᵀMs + ½ (π̂ - π)ᵀ Γ⁻¹ (π̂ - π), and along every motion
#
# dW/dt = -sᵀKs + ½ sᵀ(Ṁ - 2C)s.
#
# In the beginning the controller takes every number for 30 % too small and stands beside its plan. Gains: K is one per
# second times the diagonal of M, as a light wrist needs little; Γ has one scale per body, its mass, with 0.1 m per
# length.

# %%
class Trial:
    """One controlled motion, by the method of Runge and Kutta of order four: W and its rate at every step."""

    def __init__(self, name, family, setting, step):
        self.rate_wanted, self.frequency, speed, duration = setting
        self.model = articulate.Model.load(name)
        self.n = self.model.nv
        self.regressor = articulate.Regressor(self.model, family)
        self.dynamics = articulate.ForwardDynamics(self.model)
        self.family, self.true = family, articulate.inertial_parameters(self.model)
        self.learning = 0.1 * np.outer(self.true[::10], [1, *[0.1] * 3, *[0.01] * 6]).ravel()
        q, qd, _ = self.plan(0)
        self.K = speed * np.diag(articulate.mass_matrix(self.model, q))
        y, t = np.concatenate([q + 0.1 * (-1.0) ** np.arange(self.n), qd, 0.7 * self.true]), 0.0
        self.t, self.W, self.damping, self.defect = [], [], [], []
        self.observe(t, y)
        for _ in range(round(duration / step)):
            k1 = self.rate(t, y)
            k2 = self.rate(t + step / 2, y + step / 2 * k1)
            k3 = self.rate(t + step / 2, y + step / 2 * k2)
            y = y + step / 6 * (k1 + 2 * k2 + 2 * k3 + self.rate(t + step, y + step * k3))
            t += step
            self.observe(t, y)
        self.t, self.W = np.array(self.t), np.array(self.W)
        self.damping, self.defect = np.array(self.damping), np.array(self.defect)

    def plan(self, t):
        phase = self.frequency * t + 0.7 * np.arange(self.n)
        return np.sin(phase), self.frequency * np.cos(phase), -self.frequency**2 * np.sin(phase)

    def reference(self, t, y):
        q, qd = y[:self.n], y[self.n:2 * self.n]
        x, xd, xdd = self.plan(t)
        return q, qd, xd - self.rate_wanted * (q - x), xdd - self.rate_wanted * (qd - xd), y[2 * self.n:]

    def rate(self, t, y):
        q, qd, qd_r, qdd_r, estimate = self.reference(t, y)
        s, Y = qd - qd_r, self.regressor(q, qd, qd_r, qdd_r)
        return np.concatenate([qd, self.dynamics(q, qd, Y @ estimate - self.K * s), -self.learning * (Y.T @ s)])

    def observe(self, t, y):
        q, qd, qd_r, _, estimate = self.reference(t, y)
        s, g = qd - qd_r, articulate.GlobalMatrices(self.model, q, qd)
        self.t.append(t)
        self.W.append((s @ g.M() @ s + ((estimate - self.true) ** 2 / self.learning).sum()) / 2)
        self.damping.append(-s @ (self.K * s))
        self.defect.append(s @ (g.Mdot() - 2 * g.C(self.family)) @ s / 2)

    def balance(self):
        """W less its beginning and less the integral of its rate, by Simpson's rule: only errors are left."""
        p, h = self.damping + self.defect, self.t[1]
        integral = np.concatenate([[0], np.cumsum(h / 3 * (p[:-2:2] + 4 * p[1:-1:2] + p[2::2]))])
        return self.W[::2] - self.W[0] - integral


settings = {"puma560": (3.0, 3.0, 1.0, 2.0), "ur5": (5.0, 4.0, 1.0, 1.0)}  # Λ, 1/s; the plan, rad/s; K, 1/s; time, s
step = 1 / 500
trials = {(name, family): [Trial(name, family, setting, step / 2**halved) for halved in (0, 1)]
          for name, setting in settings.items() for family in (natural, recursion)}

# %% [markdown]
# **What may the integration do?** Halve the step, and the error of an orderly method of order four becomes sixteen
# times smaller. So what the halving changes is more than what remains, and in the admissible case W may rise by that
# and no more. First the balance: what is left of W after its own equation has been taken away must be such an error
# too.

# %%
for (name, family), (coarse, fine) in trials.items():
    of_W, left = abs(coarse.W - fine.W[::2]).max(), abs(fine.balance()).max()
    of_balance = abs(coarse.balance() - fine.balance()[::2]).max()
    rise = np.diff(fine.W).max()
    highest = (fine.W - np.minimum.accumulate(fine.W)).max()
    print(f"{name:8} {family.name:13} W {fine.W[0]:.3f} -> {fine.W[-1]:.3f} J, above an earlier value by {highest:.1e},"
          f" error below {of_W:.1e}; balance off by {left:.1e}, allowed {of_balance:.1e};"
          f" ½ sᵀ(Ṁ - 2C)s from {fine.defect.min():.1f} to {fine.defect.max():.1f} W")
    assert left <= of_balance
    if articulate.is_admissible(family):
        assert rise <= 2 * of_W
    else:
        assert highest > 10 * of_W and fine.defect.max() > 0
assert trials["puma560", recursion][1].W[-1] > trials["puma560", recursion][1].W[0]

# %% [markdown]
# With the admissible matrix W goes down, and down only. With that of the recursion as it is, on the same robots, with
# the same gains and from the same beginning, it goes up: on the PUMA beyond where it has begun. No line of the
# controller is wrong but one, and on a robot that does what it is told, s = 0, nobody would ever see it.
#
# ## An exercise
#
# Let the controller use C = ½ Ṁ. Then Ṁ - 2C is zero, which is as skew as can be. *Answer:* W goes down on paper, but
# the forces of velocity of the robot are others: C q̇ is wrong. How wrong, in one state?

# %%
q, qd = motion(0.4)
right = articulate.coriolis_matrix(model, q, qd) @ qd
half = rate_of_mass(q, qd)[0] @ qd / 2
print("C q̇ and ½ Ṁ q̇, N m:", right.round(3), half.round(3))
assert abs(half - right).max() > 0.1 * abs(right).max()

# %% [markdown]
# ## The figures
#
# First, Lyapunov's function over its beginning, and for the PUMA with the matrix of the recursion the two parts of its
# rate. Second, how far the families are from Christoffel's matrix in one state of the PUMA, in N m s, and how C changes
# when one frame is shifted: Ploen's as foreseen, the others by rounding.

# %%
figure = style.figure(6.6, 3.0)
lyapunov, power = figure.subplots(1, 2)
for name, look in (("puma560", "-"), ("ur5", "--")):
    for family, colour in ((natural, style.BLUE), (recursion, style.ORANGE)):
        trial = trials[name, family][1]
        lyapunov.plot(trial.t, trial.W / trial.W[0], look, color=colour,
                      label=f"{name}, {'admissible' if family == natural else 'as it is'}")
lyapunov.set(xlabel="time, s", ylabel="W / W(0)", title="Lyapunov's function", ylim=(0.75, 1.45))
lyapunov.legend(loc="upper left")
trial = trials["puma560", recursion][1]
power.plot(trial.t, trial.defect, color=style.ORANGE, label="½ sᵀ(Ṁ - 2C)s")
power.plot(trial.t, trial.damping, color=style.GREEN, label="-sᵀKs")
power.set(xlabel="time, s", ylabel="W", title="what drives it (puma560, as it is)")
power.set_yscale("symlog", linthresh=1)
power.set_yticks([-100, -10, -1, 0, 1, 10, 100], [str(x) for x in (-100, -10, -1, 0, 1, 10, 100)])
power.legend()
style.publish(figure, "skew_symmetry_control")

# %%
figure = style.figure(6.6, 2.6)
panels = figure.subplots(1, 4, width_ratios=[1, 1, 1, 1.6])
shown = {"ploen": "ploen", "bracket": "bracket,\n-momentum", "newton_euler": "newton_euler"}
differences = {name: original[CoriolisFamily.__members__[name]] - original[natural] for name in shown}
largest = max(abs(d).max() for d in differences.values())
for panel, (name, title) in zip(panels, shown.items()):
    d = np.log10(np.maximum(abs(differences[name]), 1e-4 * largest) / largest)
    panel.grid(False)
    colours = panel.pcolormesh(d, cmap=style.scale(), vmin=-4, vmax=0)
    colours.set_edgecolor("face")
    panel.invert_yaxis()
    panel.set(aspect="equal", xticks=[0.5, 5.5], xticklabels=["1", "6"], yticks=[0.5, 5.5], yticklabels=["1", "6"],
              title=title)
bar = figure.colorbar(colours, ax=panels[:3], location="bottom", shrink=0.8, ticks=[-4, -2, 0],
                      label=f"difference from Christoffel's C, over {largest:.2f} N m s")
bar.ax.set_xticklabels(["≤ 10⁻⁴", "10⁻²", "1"])
for family, colour in ((CoriolisFamily.ploen, style.ORANGE), (natural, style.BLUE)):
    panels[3].semilogy(shifts, np.maximum(change[family], u), color=colour, label=family.name)
style.powers_of_ten(panels[3].yaxis)
panels[3].set(xlabel="shift of link 4, m", title="change of C, N m s")
panels[3].legend()
style.publish(figure, "skew_symmetry_families")
