# %% [markdown]
# # Where are the screws of an arm, and what do they reach?
#
# A UR5 has six hinges. Each hinge lets the arm do one thing: turn about one line in space. Six numbers say which line,
# a *screw*. **Are these screws all that there is to know about how the arm moves?** Then the Jacobian must be made of
# them, and where they become dependent the arm must lose a direction.
#
# We write the screws down from the description of the robot alone, with lines and cross products, and hold them
# against the Jacobian that the library computes in another way.

# %%
import articulate
import drawing
import numpy as np
import style
from matplotlib.patches import Circle

u = 2.0**-53  # the rounding unit of double precision
model = articulate.Model.load("ur5")
kinematics = articulate.ForwardKinematics(model)
tip, rest = "wrist_3_link", np.zeros(model.nv)
q = 0.3 * np.arange(1, 7)  # rad, the sample state of chapters 03 to 05
print([joint.name for joint in model.joints])

# %% [markdown]
# ## The screws, from the description
#
# The file gives for each joint a place in its parent link, a rotation as a quaternion, and an axis. Walk from the base
# outward: go to the place of the joint, note the line of its axis, turn. A turn about the line through r along a is
# the screw (a; r × a), seen from the world.

# %%
def turn(axis, angle):
    """The rotation (3, 3) about a unit vector (3,) by an angle, rad: Rodrigues' formula in plain numpy."""
    x, y, z = axis
    W = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * W + (1 - np.cos(angle)) * W @ W


def turn_of(quaternion):
    """The rotation (3, 3) of a quaternion x y z w."""
    half = np.arctan2(np.linalg.norm(quaternion[:3]), quaternion[3])
    return turn(quaternion[:3] / np.linalg.norm(quaternion[:3]), 2 * half) if half else np.eye(3)


def walk(q):
    """From the world to the tip: screws (6, 6) seen from the world, one a column, and origins (7, 3) on the way, m."""
    names = [joint.name for joint in model.joints]
    carried_by = {joint.child: joint for joint in model.mechanism.joints}
    chain, link = [], tip
    while link in carried_by:
        chain.append(carried_by[link])
        link = chain[-1].parent
    R, p, screws, origins = np.eye(3), np.zeros(3), np.zeros((6, model.nv)), []
    for joint in reversed(chain):
        p = p + R @ joint.position
        R = R @ turn_of(joint.quaternion)
        if joint.name in names:
            k, axis = names.index(joint.name), joint.axis / np.linalg.norm(joint.axis)
            screws[:, k] = np.concatenate([R @ axis, np.cross(p, R @ axis)])
            R = R @ turn(axis, q[k])
            origins.append(p)
    return screws, np.array(origins)


screws, origins = walk(q)
print(np.round(screws, 3) + 0.0)

# %% [markdown]
# ## The columns of the Jacobian are these screws
#
# `link_jacobian` returns J with (twist of the tip, in the tip's own frame) = J q̇. Seen from the world its columns
# must be the screws above: Ad of the tip's pose, column by column.
#
# **How close?** A pose behind k joints is a product of k + 1 rotations and as many shifts, in either computation, and
# no number on the way exceeds 1 or, for lengths, the length ℓ of the arm stretched out, 1 m or so. A product of two
# rotations makes an error of at most 9 u, counted by entries (three products and two sums each), and the rotations
# themselves come with about as much. With six joints that is 6 · 18 u, once for each of the two computations, once
# more for the change of frame, and every length multiplies it by ℓ: 3 · 6 · 18 u · (1 + ℓ).

# %%
kinematics(q, rest)
pose = kinematics.link_pose(tip)
columns = np.array([np.asarray(articulate.Ad(pose, articulate.to_twist(column)))
                    for column in kinematics.link_jacobian(tip).T]).T
length = np.linalg.norm(np.diff(origins, axis=0), axis=1).sum()
bound = 3 * 6 * 18 * u * (1 + length)
print(f"largest difference {abs(columns - screws).max():.1e}, bound {bound:.1e}")
assert abs(columns - screws).max() <= bound

# %% [markdown]
# ## Where a direction is lost
#
# Shoulder lift, elbow and first wrist turn about parallel lines. Three parallel lines in one plane are dependent: the
# middle one is a mean of the outer two. On this arm they are in one plane when the elbow is straight, at q₃ = 0. So
# the smallest singular value of J must vanish there, whatever the other joints do. It comes out within the error of J,
# by which a singular value can move at most: the bound above times 6, for a matrix of 36 entries.

# %%
def smallest_singular_value(q):
    kinematics(q, rest)
    return np.linalg.svd(kinematics.link_jacobian(tip), compute_uv=False)[-1]


draws = np.random.default_rng(2).uniform(-np.pi, np.pi, (100, 6))
straight = np.where(np.arange(6) == 2, 0, draws)
print(f"elbow straight: at most {max(map(smallest_singular_value, straight)):.1e}")
print(f"elbow anywhere: {np.median([smallest_singular_value(q) for q in draws]):.1e} in the median")
assert all(smallest_singular_value(q) <= 6 * bound for q in straight)

# %% [markdown]
# ## What the arm reaches
#
# The centre of the wrist is where the axis of the first wrist joint begins. Only the first three joints move it, and
# the second and third turn about parallel lines. Seen along these lines, the arm is two bars in a plane. Their lengths
# are distances between screws: for parallel axes a, the difference of r × a. So the centre of the wrist stays in a
# ring around the axis of the shoulder lift. The inner radius is the difference of the two lengths and the outer one
# their sum: the triangle's inequality.

# %%
lift, elbow, wrist = screws[:, 1:4].T
upper_arm, forearm = np.linalg.norm(elbow[3:] - lift[3:]), np.linalg.norm(wrist[3:] - elbow[3:])
inner, outer = abs(upper_arm - forearm), upper_arm + forearm
print(f"upper arm {upper_arm:.5f} m, forearm {forearm:.5f} m: from {inner:.5f} m to {outer:.5f} m")

for draw in draws:
    kinematics(draw, rest)
    axis = kinematics.pose(2).R[:, 2]  # a body's frame is turned so that its joint is about z
    distance = np.linalg.norm(np.cross(kinematics.pose(4).p - kinematics.pose(2).p, axis))
    assert inner - bound <= distance <= outer + bound

# %% [markdown]
# In this plane we ask how well the arm can move the centre of the wrist: how fast it goes in its slowest direction,
# per radian per second of the joints together. That is the smallest singular value of the lower left 3x3 block of the
# Jacobian, in metres per radian. (Only lengths stand in this block, so the number means something. In all of J turns
# and shifts would be mixed.) It vanishes at both edges of the ring, where the bars are in line, and straight above and
# below the shoulder, where the first joint moves the wrist only in the plane in which the other two move it, too.

# %%
lifts, elbows = np.meshgrid(np.linspace(0, 2 * np.pi, 97), np.linspace(0, np.pi, 49))
across, height, slowest = np.zeros((3, *lifts.shape))
for place in np.ndindex(lifts.shape):
    kinematics([0, lifts[place], elbows[place], 0, 0, 0], rest)
    from_lift = kinematics.pose(4).p - kinematics.pose(2).p
    across[place], height[place] = from_lift[0], from_lift[2]  # at q1 = 0 the plane is that of x and z
    jacobian = kinematics.link_jacobian("wrist_1_link")[3:, :3]
    slowest[place] = np.linalg.svd(jacobian, compute_uv=False)[-1]

edges = slowest[[0, -1]]
assert np.all(edges <= 3 * bound)
print(f"best place: {slowest.max():.3f} m/rad; at the edges at most {edges.max():.1e} m/rad")

# %% [markdown]
# ## An exercise
#
# Write down the screws at q = 0 and call them A₁ to A₆; call the tip's pose there M. Show that the tip's pose at any q
# is exp(A₁q₁) ⋯ exp(A₆q₆) M, which is (13) of Park's paper, with `walk(np.zeros(6))`, `articulate.exp` and
# `kinematics.link_pose`. How large is the difference in the sample state? *Answer:* some 10⁻¹⁶, within the bound
# above.
#
# ## The figure
#
# Left: the arm, drawn from the model. Grey are the bodies with their centres of mass, red, green and blue the axes x,
# y, z of their frames, and the arrows are the six screws. Right: the plane of upper arm and forearm, coloured by the
# slowest direction of the centre of the wrist. The circles are the edges computed from the screws.

# %%
figure = style.figure(6.6, 3.4)
arm, plane = figure.subplots(1, 2, width_ratios=[1, 1.25])
kinematics([-0.6, -0.9, 1.3, -1.5, 1.0, 0.5], rest)
view = drawing.View(azimuth=-60, elevation=22)
drawing.machine(arm, view, kinematics, size=0.24)
for k, (_, point, direction, *_) in enumerate(drawing.screws(kinematics), 1):
    arm.annotate(f"S{chr(0x2080 + k)}", view(point + 0.16 * direction), ha="center", va="center")

colours = plane.contourf(across, height, slowest, levels=8, cmap=style.scale())
for area in colours.collections:
    area.set_edgecolor("face")  # no slits between the areas
for radius in (inner, outer):
    plane.add_patch(Circle((0, 0), radius, fill=False, linestyle="--"))
plane.set(aspect="equal", xlabel="across from the lift axis, m", ylabel="above it, m", xticks=[-0.8, -0.4, 0, 0.4, 0.8])
plane.grid(False)
figure.colorbar(colours, ax=plane, label="slowest direction, m/rad", shrink=0.9)
style.publish(figure, "model_ur5_screws")
