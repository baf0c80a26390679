#!/usr/bin/env python3
"""Draws the pictures of the conventions, each with the numbers of the example beside it.

usage: conventions.py FOLDER
"""
import math
import sys
from pathlib import Path

from pen import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, RED, Picture, Pose, add, cross, scaled, unit

WORLD = Pose()
QUARTER = math.pi / 2


def pose():
    picture = Picture("A pose: frame B in frame A, and a point of B", origin=(64, 112), unit=88)
    b = Pose((1, 0, 0), (0, 0, 1), QUARTER)
    point = b.point((2, 0, 0))
    picture.line([b.origin, point, (0, 2, 0), (0, 0, 0)], GREY, 1.2, "3 3")
    picture.arrow((0, 0, -0.22), (1, 0, -0.22), ORANGE, "", width=2.2)
    picture.text((0.5, 0, -0.22), "*p*", (-8, 20), ORANGE)
    picture.frame(WORLD, "A", 0.5, (-18, 4), (" ", "y", "z"))
    picture.frame(b, "B", 0.5, (8, 8), ("x", " ", "z"))
    picture.dot(point, PURPLE, "(2, 0, 0) in B", (-6, -26))
    picture.text(point, "(1, 2, 0) in A", (-6, -10), PURPLE)
    return picture


def twist():
    picture = Picture("A body twist and a spatial twist of one motion", origin=(60, 112), unit=78)
    b = Pose((1, 0, 0), (0, 0, 1), QUARTER)
    spin = (0, 0, 2)
    velocity = (0, 3, 0)
    through_origin = add(velocity, cross(spin, b.origin), -1)  # of the body's point that is at the world's origin
    picture.line([WORLD.origin, b.origin], GREY, 1.2, "3 3")
    picture.arrow(WORLD.origin, scaled(through_origin, 0.9), BLUE, "*v*^s", (4, -4), 5)
    picture.arrow(b.origin, add(b.origin, velocity, 0.6), ORANGE, "*v* = (3, 0, 0)", (-10, 22), 5)
    picture.frame(WORLD, "world", 0.5, (-40, 20), (" ", " ", "z"))
    picture.frame(b, "body", 0.5, (-14, 20), (" ", " ", "z"))
    picture.turn(add(b.origin, (0, 0, 1.0)), spin, 0.25, (1, 0, 0), 5.2, PURPLE, "*w* = (0, 0, 2)", (36, -2))
    picture.text((8, 190), "body twist (0, 0, 2; 3, 0, 0)", colour=ORANGE, size=13)
    picture.text((8, 208), "spatial twist (0, 0, 2; 0, 1, 0)", colour=BLUE, size=13)
    return picture


def wrench():
    picture = Picture("A wrench: a force and its moment about the origin of the frame", origin=(70, 120), unit=80)
    point, force = (2, 0, 0), (0, 1, 0)
    moment = cross(point, force)
    picture.line([WORLD.origin, point], GREY, 1.2, "3 3")
    picture.frame(WORLD, "", 0.8)
    picture.dot(point, INK, "(2, 0, 0)", (-20, 22))
    picture.arrow(point, add(point, force, 1.2), ORANGE, "*f* = (0, 1, 0)", (-30, -10), 3)
    picture.turn((0, 0, 1.25), moment, 0.28, (1, 0, 0), 5.2, PURPLE, "*m* = (0, 0, 2)", (40, 0))
    return picture


def order():
    picture = Picture("The order of the six numbers")
    for row, (name, letters) in enumerate([("*V*", "wwwvvv"), ("*F*", "mmmfff")]):
        y = 36 + 70 * row
        picture.text((8, y + 21), name + " =")
        for k, letter in enumerate(letters):
            x = 52 + 48 * k + (8 if k > 2 else 0)
            colour = (PURPLE, ORANGE)[k // 3]
            picture.line([(x, y), (x + 44, y), (x + 44, y + 30), (x, y + 30), (x, y)], colour, 1.4, fill=colour)
            picture.text((x + 22, y + 20), f"*{letter}*_{'xyz'[k % 3]}", (0, 0), INK, "middle")
    for x, upper, lower in [(124, "turning, rad/s", "moment, N m"), (276, "moving, m/s", "force, N")]:
        picture.text((x, 26), upper, (0, 0), GREY, "middle", 13)
        picture.text((x, 156), lower, (0, 0), GREY, "middle", 13)
        picture.line([(x, 68), (x, 104)], GREY, 1.2, "3 3")
    picture.text((132, 91), "*m* · *w*", size=13)
    picture.text((284, 91), "*f* · *v*", size=13)
    picture.text((200, 91), "+", anchor="middle")
    return picture


def transforms():
    picture = Picture("Twists and wrenches travel in opposite directions")
    for x, name in [(24, "A"), (336, "B")]:
        picture.text((x, 108), name, anchor="middle", size=22)
    for y, to_b, colour, text in [
        (38, False, ORANGE, "Ad_{T} takes a twist from B to A"),
        (80, True, ORANGE, "its inverse takes it back"),
        (130, True, PURPLE, "Ad^∗_{T} takes a wrench from A to B"),
        (172, False, PURPLE, "its inverse takes it back"),
    ]:
        ends = [(52, y), (308, y)]
        picture.line(ends if to_b else ends[::-1], colour, 2.2, tip=True)
        picture.text((180, y - 9), text, anchor="middle", colour=colour)
    return picture


def acceleration():
    picture = Picture("A point mass on a turning table", origin=(150, 92), unit=62)
    rim = [turned_about_z(2, k * math.tau / 72) for k in range(73)]
    picture.line(rim, GREY, 1.2)
    at = -0.35
    place = Pose(turned_about_z(2, at), (0, 0, 1), at)
    picture.turn((0, 0, 0), (0, 0, 1), 0.5, (0, -1, 0), 4.6, PURPLE, "3 rad/s", (-58, -26))
    picture.dot((0, 0, 0), GREY)
    picture.line([(0, 0, 0), place.origin], GREY, 1.2, "3 3")
    picture.arrow(place.origin, place.point((0, 1.0, 0)), ORANGE, "*v*", (-4, -10), 2.6)
    picture.arrow(place.origin, place.point((-1.1, 0, 0)), RED, "*f* = 18 N", (-92, 8), 2.6)
    picture.dot(place.origin, INK, "1 kg", (0, 24), 6)
    return picture


def inertia():
    picture = Picture("The origin of the frame, the centre of mass, a particle", origin=(80, 140), unit=88)
    centre = (1.35, 0.35, 0.3)
    outline = [
        add(centre, (1.35 * math.cos(a) * (1 + 0.12 * math.sin(2 * a)), 0.0, 0.75 * math.sin(a)))
        for a in [k * math.tau / 72 for k in range(73)]
    ]
    picture.line(outline, GREY, 1.4, fill=GREY)
    picture.frame(WORLD, "body frame", 0.75, (-36, 26))
    picture.arrow(WORLD.origin, centre, ORANGE, "*c*, centre of mass", (8, 6), 2.6)
    picture.dot(centre, ORANGE, "", radius=4.5)
    particle = (1.75, 0.35, 0.75)
    picture.arrow(WORLD.origin, particle, PURPLE, "*r*, a particle", (8, 0), 1.8)
    picture.dot(particle, PURPLE)
    return picture


def joint_signs():
    picture = Picture("Positive coordinates of a hinge, a slide and a screw")
    axis, start = (0, 0, 1), (1, -1, 0)
    for x, name, what in [(62, "hinge", "turn"), (180, "slide", "slide"), (298, "screw", "both")]:
        picture.origin, picture.unit = (x, 96), 60
        picture.line([(0, 0, -0.7), (0, 0, 0.9)], BLUE, 2, tip=True)
        if what == "turn":
            picture.turn((0, 0, 0), axis, 0.55, start, 4.6, PURPLE)
        elif what == "slide":
            picture.arrow((0, 0.35, -0.35), (0, 0.35, 0.55), ORANGE)
        else:
            points = [
                add(turned_about_z(0.5, 0.3 + a), (0, 0, -0.5 + 0.085 * a)) for a in [k * 0.1 for k in range(116)]
            ]
            picture.line(points, PURPLE, 2.2, tip=True)
        picture.text((x + 10, 36), "axis" if what == "turn" else "", colour=BLUE, size=13)
        picture.text((x, 160), name, anchor="middle")
    for x, text in [(62, "*q* > 0: right hand"), (180, "*q* > 0: along it"), (298, "slides *h q*")]:
        picture.text((x, 180), text, anchor="middle", size=12)
    return picture


def turned_about_z(radius, angle):
    return radius * math.cos(angle), radius * math.sin(angle), 0


def turned_axis():
    picture = Picture("The frame of a body is turned until its z axis is the axis of the joint")
    axis = unit((0.75, 0.35, 0.7))
    about = unit(cross((0, 0, 1), axis))
    for x, name, frame in [
        (70, "the user's joint frame", WORLD),
        (246, "the frame inside", Pose(axis=about, angle=math.acos(axis[2]))),
    ]:
        picture.origin, picture.unit = (x, 134), 76
        picture.line([scaled(axis, -0.75), scaled(axis, 1.3)], GREY, 6, opacity=0.4)
        picture.frame(frame, "", 0.85)
        picture.turn(scaled(axis, 1.25), axis, 0.22, (0, 0, 1), 5.0, PURPLE, "*q*", (8, 20))
        picture.text((x + 12, 222), name, anchor="middle", size=13)
    picture.text((150, 40), "axis *a*", anchor="middle", colour=GREY)
    picture.text((320, 40), "z = *a*", anchor="middle", colour=BLUE)
    return picture


def free_joint():
    picture = Picture(
        "A free body: position and quaternion; its rates are along its own axes", origin=(60, 170), unit=76
    )
    body = Pose((1.2, 1.5, 0.5), turns=[((0, 0, 1), 0.35), ((0, 1, 0), -0.3)])
    picture.frame(WORLD, "world", 0.75, (-40, 22))
    picture.arrow(WORLD.origin, add(body.origin, (-0.03, -0.03, -0.01)), ORANGE, "", width=2.4)
    picture.text(scaled(body.origin, 0.5), "*p*", (-4, -12), ORANGE)
    picture.block(body, (0.9, 0.7, 0.3))
    picture.frame(body, "", 0.8)
    picture.turn(body.point((0, 0, 0.5)), body.axes[2], 0.2, body.axes[0], 5.0, PURPLE, "*w*", (26, -2))
    picture.arrow(body.origin, body.point((0.55, -0.95, 0)), RED, "*v*", (6, 8), 2.6)
    picture.text((8, 214), "*q* = (*p*;  quaternion *x*, *y*, *z*, *w*)", size=13)
    picture.text((8, 233), "rates (*w*; *v*), along the body's axes", size=13)
    return picture


def tree_forces():
    picture = Picture("The wrenches on body i")
    blob = [(180 + 78 * math.cos(a), 112 + 42 * math.sin(a)) for a in [k * math.tau / 60 for k in range(61)]]
    picture.line(blob, GREY, 1.5, fill=GREY)
    picture.text((180, 118), "body *i*", anchor="middle")
    for x, y, name in [(84, 112, "joint *i*"), (262, 92, "joint *k*")]:
        picture.parts.append(
            f"<circle cx=\"{x + 10}\" cy=\"{y}\" r=\"7\" fill=\"none\" stroke=\"{BLUE}\" stroke-width=\"2\"/>"
        )
        picture.text((x + 10, y + 26), name, anchor="middle", colour=BLUE, size=12)
    picture.line([(14, 112), (80, 112)], ORANGE, 2.6, tip=True)
    picture.text((10, 98), "*F*_i  of the parent", colour=ORANGE)
    picture.line([(348, 70), (283, 87)], PURPLE, 2.6, tip=True)
    picture.text((352, 56), "−Ad^∗ *F*_k  of the child *k*", colour=PURPLE, anchor="end")
    picture.line([(180, 14), (180, 62)], RED, 2.6, tip=True)
    picture.text((170, 24), "*F*_i^{ext}", colour=RED, anchor="end")
    picture.text((180, 190), "their sum makes it move: *I V̇* − ad^∗_{V} *I V*", anchor="middle", size=13)
    return picture


def gravity():
    picture = Picture("Gravity enters as an acceleration of the base, upwards", origin=(64, 140), unit=76)
    picture.frame(WORLD, "world", 0.75, (-42, 20))
    picture.arrow((20, 30), (20, 84), GREEN, "", width=3)
    picture.text((30, 42), "*g* = (0, 0, −9.81)", colour=GREEN)
    picture.arrow((60, 222), (60, 172), PURPLE, "", width=3)
    picture.text((72, 218), "base: *V̇*_0 = (0, −*g*)", colour=PURPLE)
    slider = Pose((2.2, 0.9, 0.1))
    picture.line([slider.point((0, 0, -0.7)), slider.point((0, 0, 1.3))], GREY, 1.4, "6 4")
    picture.block(slider, (0.5, 0.5, 0.4))
    picture.text(slider.origin, "2 kg", (34, 6))
    picture.arrow(slider.point((0, 0, 0.2)), slider.point((0, 0, 0.95)), ORANGE, "*τ* = 19.62 N", (8, 0), 3)
    return picture


def sums():
    picture = Picture("What is fixed to the world does not count", origin=(110, 96), unit=76)
    slider = Pose((1, 0, 0))
    picture.block(Pose((-0.2, 0, -0.1)), (0.9, 1.2, 0.12))
    picture.text((8, 150), "10 kg,", colour=GREY, size=13)
    picture.text((8, 167), "fixed", colour=GREY, size=13)
    picture.frame(WORLD, "", 0.7)
    picture.block(slider, (0.3, 0.3, 0.3), INK)
    picture.arrow(slider.origin, (1, 0, 0.85), PURPLE, "momentum 1 N s", (8, 4), 3)
    picture.dot(slider.origin, ORANGE, "*c* = (1, 0, 0), 2 kg", (18, 20), 4.5)
    picture.turn((0, -0.75, 0), (0, -1, 0), 0.3, (0, 0, 1), 5.0, BLUE, "", width=2)
    picture.text((66, 192), "moment (0, −1, 0) about the world's origin", colour=BLUE, size=13)
    return picture


PICTURES = [
    pose,
    twist,
    wrench,
    order,
    transforms,
    acceleration,
    inertia,
    joint_signs,
    turned_axis,
    free_joint,
    tree_forces,
    gravity,
    sums,
]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for draw in PICTURES:
        (Path(sys.argv[1]) / f"convention_{draw.__name__}.svg").write_text(draw().svg(), encoding="utf-8")
