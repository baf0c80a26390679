# %% [markdown]
# # For how long does a loop stay closed?
#
# The five-bar of chapter 07 is let go with both cranks at 1 rad/s and swings for a minute, and nobody drives. **Does the
# pin stay in, and does the energy stay what it is?** Four stages of Runge and Kutta take accelerations that keep A q̇ from
# changing. We leave it at that, or project the rates after each step, or close the loop too. The fourth kind of step is
# the variational one, which closes it by its own equations.

# %%
import articulate
import numpy as np
import style
from articulate import LoopEnd, cut_joint

u = 2.0**-53  # the rounding unit of double precision
model = articulate.Model.load("five_bar")
n, drives = model.nv, np.array([joint.name.endswith("drive") for joint in model.joints])
pin = cut_joint("pin", "revolute", LoopEnd("left_tip"), LoopEnd("right_tip"))
loops, assembly = articulate.Loops(model, [pin]), articulate.Assembly(model, [pin], drives)

# %%
step, end = 0.004, 60.0  # s
passive = articulate.ConstrainedDynamics(model, np.zeros(n, bool), loops.rows)
free = articulate.Assembly(model, [pin])
runge_kutta = articulate.RungeKuttaMuntheKaas(model)
variational = articulate.VariationalIntegrator(model, [pin])


def falling(q, qd, t):
    """Accelerations without any motor."""
    loops(q, qd)
    return passive(q, qd, np.zeros(n), np.zeros(n), loops.A, loops.Adot_qd)[0]


def nothing(q, qd):
    return q, qd


def rates(q, qd):
    return q, free.project(q, qd)


def rates_and_coordinates(q, qd):
    return rates(free.close(q), qd)


def swing(advance):
    """Times, gap of the pin (m or rad), error of the energy (J)."""
    q = assembly.close(np.array([0.3, 0.6, 0.9, 1.2]))
    qd = assembly.project(q, np.where(drives, 1.0, 0.0))
    start, found = None, []
    for k in range(round(end / step) + 1):
        kinematics(q, qd)
        energy_now = kinematics.kinetic_energy() + kinematics.potential_energy()
        start = energy_now if start is None else start
        loops(q, qd)
        found.append((k * step, abs(loops.violation).max(), energy_now - start))
        q, qd = advance(q, qd)
    return np.array(found).T


kinematics = articulate.ForwardKinematics(model)
ways = {"nothing": (nothing, style.GREY), "rates projected": (rates, style.ORANGE),
        "both projected": (rates_and_coordinates, style.GREEN)}
runs = {}
for name, (after, _) in ways.items():
    runs[name] = swing(lambda q, qd: after(*runge_kutta.step(q, qd, step, falling)))
runs["variational"] = swing(lambda q, qd: variational.step(q, qd, step))
for name, (_, gap, error) in runs.items():
    print(f"{name:16s} gap {gap.max():.1e}, error of the energy {abs(error).max():.1e} J, at the end {error[-1]:.1e} J")

# %% [markdown]
# What is closed is closed to rounding: 100 n u, for each of the numbers passes fewer than 100 roundings in
# each of the n bodies. What drifts goes on drifting. A gap that grows with the time
# is twice as large after the second half as after the first, one that grows with its square four times; the middle
# between growing and staying is the root of two.

# %%
for name in ("both projected", "variational"):
    assert runs[name][1].max() <= 100 * n * u
for name, (t, gap, error) in runs.items():
    first, second = (np.array([gap, abs(error)])[:, half].max(axis=1) for half in (t < end / 2, t >= end / 2))
    if name == "nothing":
        assert second[0] > 2 * first[0]
    if name == "both projected":
        assert second[1] > np.sqrt(2) * first[1]
    if name == "variational":
        assert second[1] < np.sqrt(2) * first[1]

# %%
figure = style.figure(6.6, 3.3)
gaps, energies = figure.subplots(1, 2)
colours = {name: colour for name, (_, colour) in ways.items()} | {"variational": style.BLUE}
for name, (t, gap, error) in runs.items():
    highest = np.maximum.accumulate([gap, abs(error)], axis=1)[:, 1:]
    for panel, values in zip((gaps, energies), np.where(highest > 0, highest, np.nan)):
        panel.semilogy(t[1:], values, color=colours[name], linewidth=1.3, label=name)
for panel in (gaps, energies):
    panel.set(xlabel="time, s")
    style.powers_of_ten(panel.yaxis)
gaps.set(title="largest gap so far, m or rad")
energies.set(title="largest error of the energy so far, J")
style.legend_below(figure, gaps, ncols=4, room=0.1)
style.publish(figure, "motion_drift")

# %% [markdown]
# ## A solver from elsewhere
#
# Where a space is flat, any solver does. `scipy` needs two lines around our accelerations, and agrees with our steps. Its
# implicit ones find a Jacobian by differences. Nothing depends on the first angle of an arm without weight, so there is no
# difference to be found, and the next attempt is ten times larger, until it asks for the acceleration at infinity. **We
# say so instead of answering.** With our own Jacobian there is nothing to be searched for.

# %%
from scipy.integrate import solve_ivp

mechanism, zero = articulate.built_in_model("park_2r"), np.zeros(2)
mechanism.gravity = [0, 0, 0]
arm, begins = articulate.Model(mechanism), np.array([0.3, -0.2, 0.5, 0.1])


def rates_of(t, y):
    return np.concatenate([y[2:], articulate.forward_dynamics(arm, y[:2], y[2:], zero)])


def jacobian(t, y):
    by_q, by_qd, _ = articulate.forward_dynamics_jacobians(arm, y[:2], y[2:], zero)
    return np.block([[np.zeros((2, 2)), np.eye(2)], [by_q, by_qd]])


def ours_from(y):
    end = articulate.simulate(arm, articulate.State(y[:2], y[2:]), 5.0, step=5.0, tolerance=1e-12)
    return np.concatenate([end.q[-1], end.qd[-1]])


allowed = 1e-9  # absolute and relative, in each step; what a step errs grows as a start grows that is moved by as much
for method, more in (("DOP853", {}), ("Radau", {"jac": jacobian})):
    found = solve_ivp(rates_of, (0, 5), begins, method=method, rtol=allowed, atol=allowed, **more)
    least = allowed * (1 + abs(found.y).max())
    growth = max(1, abs(ours_from(begins + least) - ours_from(begins)).max() / least)
    apart = abs(found.y[:, -1] - ours_from(begins)).max()
    print(f"{method:6s} {found.nfev:4d} evaluations, {apart:.1e} away from ours")
    assert found.success and apart <= len(found.t) * growth * least
try:
    with np.errstate(over="ignore"):
        solve_ivp(rates_of, (0, 2000), begins, method="Radau")
    refused = ""
except articulate.StateError as refusal:
    refused = str(refusal)
print(refused)
assert refused.startswith("q[0] is inf where a finite number is needed")

# %% [markdown]
# ## How many digits for how much work?
#
# Six machines whose true motion is known: a pendulum (A01 of the IFToMM's library), three bars that all pass through
# their line (A02), Bricard's ring, whose last pin is one row too many (A04), a stiff governor (A05), a spatial
# slider-crank and Andrews' squeezing mechanism. The truth is equations of the machines' own, with all constraints solved
# by hand. Work is how often a step asks for accelerations, so that the processor does not matter. **Which step would you
# take for five digits, and which one for ten?**
#
# Our runs are made here. Those of others take minutes and their packages, so they come from a file, which says how it was
# made: `validation/peers/work_precision.py`. Boost.Odeint's pair of Dormand and Prince and SUNDIALS' CVODE get our
# accelerations and think that space is flat; "closed" means that we bring the loops back after each of their steps.
# Simbody and MuJoCo get the same numbers of masses and places, and have mechanics of their own. What chooses its steps by
# estimates may choose others on another processor: each point is the middle of nine runs, whose tolerances differ by
# millionths.

# %%
import json
from pathlib import Path

validation = Path(style.__file__).parents[1] / "validation"
peers = json.loads((validation / "peers" / "work_precision.json").read_text(encoding="utf-8"))["problems"]
titles = {"a01": "pendulum, A01", "a02": "bars in a line, A02", "a04": "Bricard, A04", "a05": "stiff governor, A05",
          "slider_crank": "slider-crank", "andrews": "Andrews"}
files = {name: "a02_2" if name == "a02" else name for name in titles}


class Problem:
    """A machine in files, where it begins, and where it truly ends."""

    def __init__(self, name):
        folder, stem = validation / "motion" / "machines", files[name]
        self.model = articulate.Model.load(str(folder / f"{stem}.urdf"))
        loops = folder / f"{stem}_loops.json"
        self.file = articulate.read_loops(str(loops), self.model) if loops.exists() else articulate.LoopFile()
        begins = json.loads((folder / f"{stem}_start.json").read_text(encoding="utf-8"))
        self.start = articulate.State(*(self.by_joint(begins[key]) for key in ("q", "qd")), gravity=begins.get("gravity"))
        self.seconds, self.truth = peers[name]["seconds"], peers[name]["truth"]

    def by_joint(self, given):
        if isinstance(given, dict):
            given = [given[joint.name] for joint in self.model.joints]
        return np.hstack(given)

    def run(self, step=None, **options):
        """Evaluations and the error at the end (rad, m)."""
        path = articulate.simulate(self.model, self.start, self.seconds, step=step or self.seconds, every=10**6,
                                   loops=self.file.loops, force_elements=self.file.force_elements, **options)
        places = {joint.name: joint.q for joint in self.model.joints}
        error = max(abs(path.q[-1, places[name]] - true) for name, true in self.truth.items())
        return path.evaluations, error

    def by_steps(self, integrator, counts):
        return np.array([self.run(step=self.seconds / n, integrator=integrator) for n in counts]).T

    def by_tolerances(self, tolerances, integrator="rk4"):
        return np.array([self.run(tolerance=tolerance, integrator=integrator) for tolerance in tolerances]).T


problems = {name: Problem(name) for name in titles}
halved, tolerances = (500, 1000, 2000), (1e-3, 1e-5, 1e-7)
ours = {name: {} for name in titles}
for name, problem in problems.items():
    stiff = name == "a05"
    if name != "slider_crank":
        ours[name]["radau"] = problem.by_steps("radau", (100, 200, 400, 800) if stiff else (100, 200))
    ours[name]["Dormand-Prince"] = problem.by_tolerances(tolerances[:1] if stiff else tolerances)
    if not stiff:
        ours[name]["rk4"] = problem.by_steps("rk4", halved)
    if name not in ("a02", "a05"):
        ours[name]["variational"] = problem.by_steps("variational", halved)

# %% [markdown]
# Half the step, how much of the error? With each of our steps at least what its order promises, but for half an order:
# on the way to zero some errors change their sign. Three pairs are left out: a variational step does not pass the line of
# A02, and neither it nor rk4 lasts at the governor, whose damper is too fast for them. Each of them says so and stops.
# Radau at the slider-crank, which is not stiff, would only take long.

# %%
for name, integrator in (("a02", "variational"), ("a05", "variational"), ("a05", "rk4")):
    try:
        problems[name].by_steps(integrator, (1000,))
        stopped = ""
    except articulate.SimulationStopped as end:
        stopped = str(end)
    assert stopped.startswith("the simulation stops after t = ")
for step, order in {"variational": 2, "rk4": 4, "radau": 5}.items():
    halvings = {name: np.log2(runs[step][1][-2] / runs[step][1][-1]) for name, runs in ours.items() if step in runs}
    print(f"{step:12s}", ", ".join(f"{titles[name]} {found:.1f}" for name, found in halvings.items()))
    assert min(halvings.values()) > order - 0.5

# %%
names = {"odeint": "Odeint", "odeint_closed": "Odeint, closed", "cvode": "CVODE", "cvode_closed": "CVODE, closed",
         "simbody": "Simbody", "mujoco": "MuJoCo", "mujoco_stiff": "MuJoCo, stiffest"}
theirs = {name: {names[peer]: np.array(told["points"]).reshape(-1, 3)[:, 1:].T for peer, told in peers[name]["peers"].items()}
          for name in titles}
for name, title in titles.items():
    print(title)
    for step, (evaluations, errors) in {**ours[name], **theirs[name]}.items():
        best = np.argmin(errors) if len(errors) else None
        print(f"  {step:18s}", "none ends" if best is None else f"{errors[best]:.1e} for {evaluations[best]:9.0f}")
    for peer, told in peers[name]["peers"].items():
        if told["refused"]:
            print(f"  {names[peer]} at {', '.join(told['refused'])}: {[*told['refused'].values()][0]}")

# %% [markdown]
# **The same pair needs the same work.** On the pendulum, Odeint's steps by Dormand and Prince and ours are worth the same.
#
# **Anyone who does not close the loops is lost where the rank falls.** At A02 both solvers for flat spaces end a turn or more
# away, or give up, whatever the tolerance; brought back after each step they are right. What is in the line is a matter of
# mechanics, and no solver can know it. Simbody projects too; at A02 its steps are best for an accuracy of 1e-9, and a
# smaller one makes them worse.
#
# **Soft loops are another machine.** MuJoCo's loops give way, on a time scale of their own of 20 ms. With more steps it
# converges to a motion, but not to this one; Andrews' mechanism, whose whole run takes 30 ms, is off by 4 rad. Made as
# stiff as each step allows, the loops do converge, by one to three digits for sixteen times the work. Of the governor no
# run stays finite at these steps. The slider-crank, whose rod floats between a ball and a universal joint, is not
# described to it here.
#
# **Stiff machines want implicit steps.** At the governor explicit steps, ours, Odeint's and Simbody's, take some 1e5
# evaluations for any number of digits. For eight digits CVODE takes an eighth of that, our radau three eighths: CVODE keeps
# a Jacobian for many steps and uses the steps behind it, while radau begins each step anew. That is the price of a step
# that may meet a stop or a singular position at any time. Where neither is in sight, CVODE is the better choice.

# %%
def cheapest(runs, error):
    """The least evaluations with an error below that one."""
    evaluations, errors = runs
    return min(evaluations[errors < error], default=np.inf)


pair = cheapest(ours["a01"]["Dormand-Prince"], 1e-8) / cheapest(theirs["a01"]["Odeint, closed"], 1e-8)
assert 1 / 1.5 < pair < 1.5
for solver in ("Odeint", "CVODE"):
    assert theirs["a02"][solver][1].min() > 2 * np.pi
    assert theirs["a02"][f"{solver}, closed"][1].min() < 1e-7
simbody = theirs["a02"]["Simbody"][1]  # for accuracies from 1e-3 to 1e-11
assert np.argmin(simbody) == 6 and min(simbody[7:]) > 100 * simbody[6]
assert all(np.argmin(theirs[name]["Simbody"][1]) == 8 for name in ("a04", "andrews"))
for name in ("a02", "a04", "andrews"):
    soft, stiff = theirs[name]["MuJoCo"][1], theirs[name]["MuJoCo, stiffest"][1]
    assert abs(soft[-1] - soft[-2]) < 0.05 * soft[-1] and soft[-1] > 1e-4
    assert 10 < stiff[0] / stiff[-1] < 1e3
assert round(theirs["andrews"]["MuJoCo"][1][-1]) == 4
for name in ("a05", "slider_crank"):
    assert theirs[name]["MuJoCo"].size == 0
explicit = min(runs[0].min() for runs in (ours["a05"]["Dormand-Prince"], theirs["a05"]["Odeint"], theirs["a05"]["Simbody"]))
assert explicit > 8e4
assert cheapest(theirs["a05"]["CVODE"], 2e-8) < explicit / 7 and cheapest(ours["a05"]["radau"], 2e-8) < explicit / 2.5

# %%
looks = {"Dormand-Prince": (style.GREEN, "-"), "rk4": (style.BLUE, "-"), "radau": (style.ORANGE, "-"),
         "variational": (style.PURPLE, "-"), "Odeint": (style.GREY, "--"), "Odeint, closed": (style.GREEN, "--"),
         "CVODE, closed": (style.ORANGE, "--"), "Simbody": (style.TEAL, "--"), "MuJoCo": (style.RED, ":"),
         "MuJoCo, stiffest": (style.RED, "--")}
figure = style.figure(6.6, 7.4)
panels = figure.subplots(3, 2, sharex=True, sharey=True)
for panel, (name, title) in zip(panels.flat, titles.items()):
    for step, (colour, line) in looks.items():
        evaluations, errors = {**ours[name], **theirs[name]}.get(step, ([], []))
        panel.loglog(evaluations, errors, line, color=colour, marker="o", markersize=2.5, linewidth=1.2, label=step)
    panel.set(title=title, ylim=(1e-14, 10))
    style.powers_of_ten(panel.xaxis, panel.yaxis)
for panel in panels[-1]:
    panel.set(xlabel="evaluations of the accelerations")
for panel in panels[:, 0]:
    panel.set(ylabel="error at the end, rad or m")
style.legend_below(figure, panels[0, 0], ncols=4, room=0.09)
style.publish(figure, "motion_work")
