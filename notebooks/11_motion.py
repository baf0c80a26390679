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
