#!/usr/bin/env python3
"""Draws the pictures that the derivations begin with, of all chapters whose first picture is not a sweep.

usage: derivations.py FOLDER
"""
import math
import sys
from pathlib import Path

from pen import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, RED, Picture, Pose, add, cross, scaled

RIGHT, UP = (1.0, 0.0), (0.0, 1.0)
# The arm that is worked through by hand: two bars of 1 m, cos q_1 = 0.8, the forearm upright.
SHOULDER, ELBOW, TIP = (0.0, 0.0), (0.8, 0.6), (0.8, 1.6)


class Plane:
    """Points of a vertical plane, in metres, as pixels of a picture."""

    def __init__(self, origin, unit):
        self.origin, self.unit = origin, unit

    def __call__(self, a):
        return self.origin[0] + self.unit * a[0], self.origin[1] - self.unit * a[1]


def along(start, direction, length):
    return start[0] + length * direction[0], start[1] + length * direction[1]


def axes(picture, place, origin, x, name, size=0.42, offset=(-4, 20)):
    """A frame of the plane: x in red, y in green."""
    y = (-x[1], x[0])
    for axis, colour, letter in ((x, RED, "x"), (y, GREEN, "y")):
        picture.line([place(origin), place(along(origin, axis, size))], colour, 2.2, tip=True)
        picture.text(place(along(origin, axis, size + 0.09)), f"*{letter}*", (-4, 5), colour, size=13)
    picture.text(place(origin), name, offset)


def bar(picture, place, ends, colour=GREY, width=7.0, opacity=0.55):
    picture.line([place(one) for one in ends], colour, width, opacity=opacity)


def body_racket():
    picture = Picture("A racket: its frame at the grip, its centre of mass, and a particle", origin=(60, 120), unit=88)
    head = [(1.55 + 0.62 * math.cos(a), 0.45 * math.sin(a), 0) for a in [k * math.tau / 60 for k in range(61)]]
    picture.line([(0, 0, 0), (0.93, 0, 0)], GREY, 6, opacity=0.55)
    picture.line(head, GREY, 3, opacity=0.55)
    picture.frame(Pose(), "A", 0.75, (-20, 14))
    picture.dot((1.12, 0, 0), PURPLE, "*c*", (-4, 22), 5)
    particle = (1.85, 0.3, 0)
    picture.line([(0, 0, 0), particle], INK, 1.4, "4 3", tip=True)
    picture.text((1.1, 0.18, 0), "*r*", (-2, -10))
    picture.turn((0, 0, 1.15), (0, 0, 1), 0.2, (1, 0, 0), 5.2, PURPLE, "*w*", (24, -2))
    velocity = cross((0, 0, 1), particle)
    picture.arrow(particle, add(particle, velocity, 0.5), ORANGE, "*v* + *w* × *r*", (4, -6), 2.6)
    picture.dot(particle, INK)
    return picture


def model_chain():
    picture = Picture("Frames along a chain: the pose of each in the one before it")
    place = Plane((60, 250), 140)
    bar(picture, place, [SHOULDER, ELBOW])
    bar(picture, place, [ELBOW, TIP])
    axes(picture, place, SHOULDER, RIGHT, "world", 0.55, (-34, 20))
    axes(picture, place, SHOULDER, (0.8, 0.6), "", 0.5)
    picture.text(place(along(SHOULDER, (0.8, 0.6), 0.5)), "1", (2, 20))
    axes(picture, place, ELBOW, UP, "2", 0.5, (12, 14))
    for one, name, offset in ((ELBOW, "(0.8, 0.6)", (30, 14)), (TIP, "(0.8, 1.6)", (12, 5))):
        picture.dot(place(one), INK, name, offset, 6)
    picture.line([place((1.95, 0.1)), place((1.95, 0.62))], BLUE, 2.2, tip=True)
    picture.text(place((2.02, 0.3)), "*T*_{0,1}: turn by *q*_1", colour=BLUE)
    picture.line([place((1.95, 0.75)), place((1.95, 1.27))], BLUE, 2.2, tip=True)
    picture.text(place((2.02, 0.95)), "*T*_{1,2}: 1 m along *x*, turn by *q*_2", colour=BLUE)
    picture.text(place((1.88, 1.45)), "*T*_2 = *T*_{0,1} *T*_{1,2}", colour=BLUE)
    return picture


def aba_blocks():
    picture = Picture("Two blocks on ice: what the hand feels depends on the direction of the push")
    for left, name, feels, sideways in ((10, "along x", "3 kg", False), (330, "along y", "4 kg", True)):
        large = [(left + 70, 90), (left + 250, 90), (left + 250, 150), (left + 70, 150), (left + 70, 90)]
        small = [(left + 130, 60), (left + 190, 60), (left + 190, 90), (left + 130, 90), (left + 130, 60)]
        picture.line([(left, 150), (left + 290, 150)], GREY, 1.2, "6 4")
        picture.line(large, BLUE, 2, fill=BLUE)
        picture.line(small, PURPLE, 2, fill=PURPLE)
        picture.text((left + 160, 125), "3 kg", anchor="middle")
        picture.text((left + 160, 80), "1 kg", anchor="middle", size=13)
        if sideways:
            picture.line([(left + 44, 184), (left + 68, 154)], ORANGE, 3, tip=True)
            picture.line([(left + 206, 84), (left + 226, 60)], PURPLE, 2.2, tip=True)
            picture.text((left + 232, 62), "comes along", colour=PURPLE, size=12)
        else:
            picture.line([(left + 20, 120), (left + 66, 120)], ORANGE, 3, tip=True)
            picture.text((left + 200, 78), "slides, stays behind", colour=PURPLE, size=12)
        picture.text((left + 110, 205), f"push {name}: feels like {feels}", colour=ORANGE, size=13)
    return picture


def hybrid_sets():
    picture = Picture("A drone with an arm: of each degree of freedom one half is known")
    picture.line([(60, 70), (180, 70), (180, 96), (60, 96), (60, 70)], BLUE, 2, fill=BLUE)
    for x in (60, 180):
        picture.line([(x - 34, 62), (x + 34, 62)], GREY, 3)
        picture.line([(x, 62), (x, 70)], GREY, 3)
    points = [(120, 96), (150, 150), (240, 170), (290, 130)]
    picture.line(points, GREY, 7, opacity=0.55)
    for one in points[:3]:
        picture.dot(one, ORANGE, radius=6)
    picture.text((270, 60), "in *v*: six of the drone", colour=BLUE)
    picture.text((270, 79), "force known, acceleration asked", colour=BLUE, size=12)
    picture.text((320, 160), "in *u*: the joints of the arm", colour=ORANGE)
    picture.text((320, 179), "acceleration known, force asked", colour=ORANGE, size=12)
    return picture


def constrained_cut():
    picture = Picture("A loop is cut: what the pin did is now a pair of opposite forces")
    for left, cut in ((30, False), (330, True)):
        gap = 22 if cut else 0
        tip = (left + 110, 50)
        for foot, elbow, sign, colour in (((left + 40, 190), (left + 10, 110), -1, BLUE),
                                          ((left + 180, 190), (left + 215, 110), 1, PURPLE)):
            end = (tip[0] + sign * gap, tip[1])
            picture.line([foot, elbow, end], colour, 6, opacity=0.6)
            for one in (foot, elbow):
                picture.dot(one, INK, radius=4)
            if cut:
                picture.line([end, (end[0] + sign * 44, end[1] - 26)], ORANGE, 2.6, tip=True)
            picture.dot(end, ORANGE, radius=5)
        picture.line([(left + 20, 196), (left + 200, 196)], GREY, 1.4, "6 4")
    picture.text((148, 40), "pin", colour=ORANGE)
    picture.text((516, 28), "λ", colour=ORANGE)
    picture.text((342, 28), "−λ", colour=ORANGE)
    picture.text((370, 222), "a tree, and A q̇ = 0", size=13)
    picture.text((100, 222), "a loop", size=13)
    return picture


def derivatives_displaced():
    picture = Picture("A coordinate moves all that is behind its joint, like one rigid body")
    place, turn = Plane((60, 230), 110), 0.28
    hand = (1.35, 1.95)

    def displaced(a):
        c, s = math.cos(turn), math.sin(turn)
        x, y = a[0] - ELBOW[0], a[1] - ELBOW[1]
        return ELBOW[0] + c * x - s * y, ELBOW[1] + s * x + c * y

    bar(picture, place, [SHOULDER, ELBOW])
    for position, colour in ((lambda a: a, GREY), (displaced, ORANGE)):
        bar(picture, place, [ELBOW, position(TIP), position(hand)], colour)
        for one in (TIP, hand):
            picture.dot(place(position(one)), colour, radius=5)
    for one in (SHOULDER, ELBOW):
        picture.dot(place(one), INK, radius=5)
    arc = [(ELBOW[0] + 0.62 * math.cos(a), ELBOW[1] + 0.62 * math.sin(a))
           for a in [math.pi / 2 + turn * k / 12 for k in range(13)]]
    picture.line([place(one) for one in arc], PURPLE, 2.2, tip=True)
    picture.text(place((0.93, 1.12)), "∂*h* = *S*", (4, 0), PURPLE)
    picture.text(place((0.45, 0.2)), "nothing moves", (8, 16), GREY, size=13)
    picture.text(place((1.25, 1.45)), "all behind the joint is displaced", (4, 0), ORANGE, size=13)
    picture.text(place((1.25, 1.28)), "by one and the same twist", (4, 0), ORANGE, size=13)
    return picture


def lagrange_screws():
    picture = Picture("The screws of an arm of two hinges: on the photograph, and in the present position")
    photograph, present = Plane((40, 200), 100), Plane((360, 200), 100)
    for place, ends, names in ((photograph, ((0, 0), (1, 0), (2, 0)), ("*A*_1", "*A*_2")),
                               (present, (SHOULDER, ELBOW, TIP), ("*J*_1", "*J*_2"))):
        bar(picture, place, ends[:2])
        bar(picture, place, ends[1:])
        picture.dot(place(ends[1]), INK, radius=7)
        picture.dot(place(ends[2]), INK, radius=7)
        for end, name in zip(ends, names):
            x, y = place(end)
            picture.parts.append(f"<circle cx=\"{x:.1f}\" cy=\"{y:.1f}\" r=\"11\" fill=\"none\" stroke=\"{BLUE}\" "
                                 "stroke-width=\"2\"/>")
            picture.reach += [(x - 12, y - 12), (x + 12, y + 12)]
            picture.dot((x, y), BLUE, name, (16, 26), 4)
    # The velocities that the two screws give to the mass at the tip.
    tip = present(TIP)
    picture.line([tip, present(along(TIP, (-1.6, 0.8), 0.5))], ORANGE, 2.2, tip=True)
    picture.text(present(along(TIP, (-1.6, 0.8), 0.5)), "by *J*_1", (-62, 4), ORANGE)
    picture.line([tip, present(along(TIP, (-1.0, 0.0), 0.6))], PURPLE, 2.2, tip=True)
    picture.text(present(along(TIP, (-1.0, 0.0), 0.6)), "by *J*_2", (-62, 14), PURPLE)
    picture.text((80, 246), "all coordinates zero", size=13)
    picture.text((340, 246), "the elbow has moved: *J*_2 is not *A*_2", size=13)
    return picture


def skew_symmetry_choice():
    picture = Picture("The rows of a difference between two right matrices are normal to the rates")
    place = Plane((190, 170), 46)
    picture.line([place((-0.4, 0)), place((3.4, 0))], GREY, 1.2, tip=True)
    picture.line([place((0, -0.4)), place((0, 2.9))], GREY, 1.2, tip=True)
    picture.text(place((3.5, -0.1)), "joint 1", colour=GREY, size=12)
    picture.text(place((0.1, 2.9)), "joint 2", colour=GREY, size=12)
    picture.line([place((-3.2, 1.6)), place((2.2, -1.1))], GREY, 1.4, "5 4")
    picture.line([place((0, 0)), place((1, 2))], ORANGE, 2.6, tip=True)
    picture.text(place((1, 2)), "*q̇* = (1, 2)", (8, 0), ORANGE)
    picture.line([place((0, 0)), place((-2, 1))], PURPLE, 2.6, tip=True)
    picture.text(place((-2, 1)), "a row of *D*: (−2, 1)", (-70, -20), PURPLE)
    return picture


def group_door():
    picture = Picture("A door: frame A on the hinge line at the floor, frame B at the handle, and the push",
                      origin=(60, 250), unit=115)
    picture.line([(0, 0, 0), (0.9, 0, 0), (0.9, 0, 2), (0, 0, 2), (0, 0, 0)], GREY, 1.4, fill=GREY)
    picture.line([(0, 0, -0.1), (0, 0, 2.1)], GREY, 1.4, "6 4")
    foot, handle = Pose(), Pose((0.8, 0, 1))
    handle.axes = [(0, 0, 1), (1, 0, 0), (0, 1, 0)]  # up, away from the hinges, through the door
    picture.arrow(foot.origin, handle.origin, INK, width=1.4, dash="4 3")
    picture.text(scaled(handle.origin, 0.6), "*p*", (10, 12))
    picture.frame(foot, "A", 0.5, (-20, 14))
    picture.frame(handle, "B", 0.5, (2, 24))
    picture.turn((0, 0, 2), (0, 0, 1), 0.3, (1, 0, 0), 1.9, PURPLE, "2 rad/s", (10, -4))
    picture.arrow(add(handle.origin, (0, -0.62, 0)), add(handle.origin, (0, -0.06, 0)), ORANGE, width=3)
    picture.text(add(handle.origin, (0, -0.62, 0)), "10 N", (-36, 2), ORANGE)
    return picture


def motion_door():
    picture = Picture("A door from above: a motor at its hinge, and a spring with a damper beside it")
    place, angle = Plane((80, 200), 260), math.radians(35)
    hinge, edge, wall = (0.0, 0.0), (math.cos(angle), math.sin(angle)), (0.15, 0.62)
    middle = along(hinge, edge, 0.55)
    picture.line([place((-0.25, 0.0)), place(hinge)], GREY, 9, opacity=0.55)
    picture.line([place(hinge), place((1.1, 0.0))], GREY, 1.2, "6 4")
    bar(picture, place, [hinge, edge])
    # The spring zigzags from the wall to the door.
    across = (middle[0] - wall[0], middle[1] - wall[1])
    side = (-across[1], across[0])
    teeth = [along(along(wall, across, k / 12), side, 0.0 if k in (0, 1, 11, 12) else 0.06 * (-1) ** k)
             for k in range(13)]
    picture.line([place(one) for one in teeth], BLUE, 2)
    picture.text(place(wall), "spring and damper", (12, 0), BLUE)
    for one in (wall, middle):
        picture.dot(place(one), INK, radius=4)
    picture.dot(place(hinge), INK, radius=7)
    arc = [along(hinge, (math.cos(a), math.sin(a)), 0.3) for a in (angle * k / 20 for k in range(21))]
    picture.line([place(one) for one in arc], PURPLE, 2, tip=True)
    picture.text(place((0.32, 0.06)), "*q*", (2, 0), PURPLE)
    pull = along(middle, across, -0.4)
    picture.line([place(middle), place(pull)], ORANGE, 2.6, tip=True)
    picture.text(place(pull), "its force gives *Q*(*q*, *q̇*)", (-150, 16), ORANGE)
    motor = [along(hinge, (math.cos(a), math.sin(a)), 0.16)
             for a in (angle + math.radians(4 * k) for k in range(5, 28))]
    picture.line([place(one) for one in motor], ORANGE, 2.6, tip=True)
    picture.text(place((-0.06, 0.14)), "*τ*", (-14, -4), ORANGE)
    return picture


def higher_order_painted():
    picture = Picture("A screw that is painted on a body, now and a little later, seen from the world")
    place, turn = Plane((70, 230), 95), 0.38

    def moved(a, angle):
        c, s = math.cos(angle), math.sin(angle)
        return c * a[0] - s * a[1], s * a[0] + c * a[1]

    outline = [(1.3, 0.2), (2.7, 0.2), (2.7, 1.0), (1.3, 1.0), (1.3, 0.2)]
    root, tip = (1.6, 0.6), (2.55, 0.6)
    for angle, colour, dash, name in ((0.0, BLUE, "", "*S*"), (turn, PURPLE, "5 3", "*S* + *Ṡ dt*")):
        picture.line([place(moved(one, angle)) for one in outline], GREY, 1.6, dash, fill=GREY)
        picture.line([place(moved(root, angle)), place(moved(tip, angle))], colour, 2.6, dash, tip=True)
        picture.text(place(moved(tip, angle)), name, (10, 4) if angle == 0 else (6, -4), colour)
    picture.dot(place((0, 0)), INK, "origin of the world", (-34, 22))
    arc = [moved((1.0, 0.0), turn * k / 20 + 0.05) for k in range(21)]
    picture.line([place(one) for one in arc], ORANGE, 2.2, tip=True)
    picture.text(place((0.45, 0.2)), "*V dt*", (0, 0), ORANGE)
    return picture


def oracle_digits():
    picture = Picture("Approximations of pi on a scale of digits that are right")
    place, answers = Plane((50, 150), 74), ("3", "3.14", "3.140001", "3.1416", "3.1415927")
    picture.line([place((0, 0)), place((8.4, 0))], INK, 1.6, tip=True)
    for digit in range(9):
        picture.line([place((digit, -0.07)), place((digit, 0.07))], INK, 1.2)
        picture.text(place((digit, 0)), str(digit), (0, 24), anchor="middle", size=13)
    picture.text(place((4.2, 0)), "log relative error", (0, 48), anchor="middle", size=13)
    for answer in answers:
        digits = -math.log10(abs(float(answer) - math.pi) / math.pi)
        high = 0.6 if len(answer) < 8 else 1.2  # two of them are worth nearly the same
        picture.line([place((digits, 0)), place((digits, high))], BLUE, 1.4)
        picture.dot(place((digits, 0)), BLUE)
        picture.text(place((digits, high)), answer, (-6, 4), BLUE, "end")
    return picture


PICTURES = [
    group_door,
    body_racket,
    model_chain,
    aba_blocks,
    hybrid_sets,
    constrained_cut,
    derivatives_displaced,
    lagrange_screws,
    skew_symmetry_choice,
    motion_door,
    higher_order_painted,
    oracle_digits,
]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for draw in PICTURES:
        (Path(sys.argv[1]) / f"{draw.__name__}.svg").write_text(draw().svg(), encoding="utf-8")
