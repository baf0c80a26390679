"""A pen that draws frames, arrows and turns in space, seen from above and in front, as SVG.

Lengths are in the units of the scene, a picture says how many pixels one unit has. Black is ink: the book gives it the
colour of the theme.
The other colours are mid-tones that can be read on white and on near black.
"""
import math
import re
from html import escape

INK, RED, GREEN, BLUE, ORANGE, PURPLE, GREY = (
    "#000000",
    "#d9534f",
    "#3c9a52",
    "#3d7fd0",
    "#cc7722",
    "#9a68c8",
    "#848d97",
)
PAPER = "#ffffff"
AZIMUTH, ELEVATION = math.radians(-58), math.radians(
    27
)  # x goes to the right and towards the reader, y to the right and away


# --- vectors ---------------------------------------------------------------------------------------------------------


def add(a, b, factor=1.0):
    return tuple(x + factor * y for x, y in zip(a, b))


def scaled(a, factor):
    return tuple(factor * x for x in a)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a):
    return math.sqrt(sum(x * x for x in a))


def unit(a):
    return scaled(a, 1 / length(a))


def turned(a, axis, angle):
    """The vector a, turned about an axis of length one: Rodrigues' formula."""
    c, s = math.cos(angle), math.sin(angle)
    along = sum(x * y for x, y in zip(a, axis)) * (1 - c)
    return tuple(c * x + s * y + along * z for x, y, z in zip(a, cross(axis, a), axis))


class Pose:
    """Origin and axes of a frame in the world; `point` gives the world's coordinates of a point of the frame."""

    def __init__(self, origin=(0, 0, 0), axis=(0, 0, 1), angle=0.0, turns=()):
        self.origin = origin
        self.axes = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
        for about, by in [(axis, angle), *turns]:
            self.axes = [turned(one, unit(about), by) for one in self.axes]

    def vector(self, a):
        return tuple(sum(a[k] * self.axes[k][j] for k in range(3)) for j in range(3))

    def point(self, a):
        return add(self.origin, self.vector(a))


# --- drawing ---------------------------------------------------------------------------------------------------------


def rich(text):
    """Words for SVG: *x* is slanted as a variable, _i and _{ij} are subscripts, ^b is a superscript."""
    out = []
    for piece in re.findall(r"\*[^*]+\*|[_^](?:\{[^}]*\}|.)|[^*_^]+", text):
        if piece[0] == "*":
            out.append(f"<tspan font-style=\"italic\">{escape(piece[1:-1])}</tspan>")
        elif piece[0] in "_^":
            shift = 4 if piece[0] == "_" else -5
            out.append(
                f"<tspan dy=\"{shift}\" font-size=\"72%\">{escape(piece[1:].strip('{}'))}</tspan>"
                f"<tspan dy=\"{-shift}\">\u200b</tspan>"
            )
        else:
            out.append(escape(piece))
    return "".join(out)


class Picture:
    """A drawing in pixels, as large as its content. `origin` is where the world's origin is, `unit` one unit."""

    def __init__(self, title, origin=(120, 150), unit=70):
        self.title, self.origin, self.unit = title, origin, unit
        self.parts, self.tips, self.reach = [], set(), []

    def at(self, a):
        """Pixels of a point: of space, if it has three coordinates, or of the page."""
        if len(a) == 2:
            return a
        right = -math.sin(AZIMUTH) * a[0] + math.cos(AZIMUTH) * a[1]
        near = math.cos(AZIMUTH) * a[0] + math.sin(AZIMUTH) * a[1]
        up = math.cos(ELEVATION) * a[2] - math.sin(ELEVATION) * near
        return self.origin[0] + self.unit * right, self.origin[1] - self.unit * up

    def line(self, points, colour=INK, width=1.5, dash="", fill="none", tip=False, opacity=1.0):
        marker = ""
        if tip:
            self.tips.add(colour)
            marker = f" marker-end=\"url(#tip{colour[1:]})\""
        pixels = list(map(self.at, points))
        self.reach += pixels
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in pixels)
        dashes = f" stroke-dasharray=\"{dash}\"" if dash else ""
        filled = f" fill=\"{fill}\" fill-opacity=\"0.15\"" if fill != "none" else " fill=\"none\""
        faint = f" stroke-opacity=\"{opacity}\"" if opacity < 1 else ""
        self.parts.append(
            f"<polyline points=\"{path}\"{filled} stroke=\"{colour}\" "
            f"stroke-width=\"{width}\"{dashes}{faint} stroke-linejoin=\"round\"{marker}/>"
        )

    def arrow(self, start, end, colour=INK, text="", offset=(6, -4), width=2.2, dash="", anchor="start"):
        self.line([start, end], colour, width, dash, tip=True)
        self.text(end, text, offset, colour, anchor)

    def text(self, place, text, offset=(0, 0), colour=INK, anchor="start", size=14):
        if text:
            x, y = self.at(place)[0] + offset[0], self.at(place)[1] + offset[1]
            wide = 0.62 * size * len(re.sub(r"[*_^{}]", "", text))  # about that of the widest usual font
            left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
            self.reach += [(left, y - size), (left + wide, y + 0.4 * size)]
            self.parts.append(
                f"<text x=\"{x:.1f}\" y=\"{y:.1f}\" fill=\"{colour}\" font-size=\"{size}\" text-anchor=\"{anchor}\" "
                f"stroke=\"{PAPER}\" stroke-width=\"3\" stroke-linejoin=\"round\" "
                f"paint-order=\"stroke\">{rich(text)}</text>"
            )

    def dot(self, place, colour=INK, text="", offset=(7, -5), radius=3.5, anchor="start"):
        x, y = self.at(place)
        self.parts.append(f"<circle cx=\"{x:.1f}\" cy=\"{y:.1f}\" r=\"{radius}\" fill=\"{colour}\"/>")
        self.text(place, text, offset, colour, anchor)

    def frame(self, pose, name, size=0.8, offset=(-16, 16), names="xyz", width=2.0):
        """Three axes, red, green and blue for x, y and z, each with its letter, or none where a blank is given."""
        for axis, colour, letter in zip(pose.axes, (RED, GREEN, BLUE), names):
            end = add(pose.origin, axis, size)
            self.line([pose.origin, end], colour, width, tip=True)
            beyond = add(pose.origin, axis, size + 0.16)
            self.text(beyond, f"*{letter}*" if letter.strip() else "", (-3, 4), colour, size=13)
        self.text(pose.origin, name, offset)

    def turn(self, centre, axis, radius, start, angle, colour=INK, text="", offset=(6, -4), width=2.2):
        """A part of a circle about an axis, with a tip: a turn by the right-hand rule."""
        axis = unit(axis)
        side = unit(add(start, axis, -sum(x * y for x, y in zip(start, axis))))
        steps = 48
        points = [add(centre, turned(side, axis, angle * k / steps), radius) for k in range(steps + 1)]
        self.line(points, colour, width, tip=True)
        self.text(points[steps // 2], text, offset, colour)

    def block(self, pose, size, colour=GREY):
        """A box with its middle at the pose; its edges, the hidden ones dashed."""
        half = scaled(size, 0.5)
        corner = {
            (i, j, k): pose.point((i * half[0], j * half[1], k * half[2]))
            for i in (-1, 1)
            for j in (-1, 1)
            for k in (-1, 1)
        }
        middle_depth = self.depth(pose.origin)
        for one in corner:
            for axis in range(3):
                other = tuple(1 if n == axis else v for n, v in enumerate(one))
                if one != other:
                    hidden = self.depth(corner[one]) + self.depth(corner[other]) < 2 * middle_depth - 0.35 * length(
                        size
                    )
                    self.line([corner[one], corner[other]], colour, 1.2, "3 3" if hidden else "")

    @staticmethod
    def depth(a):
        """How near a point is to the eye."""
        near = math.cos(AZIMUTH) * a[0] + math.sin(AZIMUTH) * a[1]
        return math.cos(ELEVATION) * near + math.sin(ELEVATION) * a[2]

    def svg(self):
        tips = "".join(
            f"<marker id=\"tip{colour[1:]}\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" "
            f"markerUnits=\"userSpaceOnUse\" markerWidth=\"10\" "
            f"markerHeight=\"10\" orient=\"auto\"><path d=\"M0,1 L10,5 L0,9 z\" fill=\"{colour}\"/></marker>"
            for colour in sorted(self.tips)
        )
        body = "\n".join(self.parts)
        left, top = (min(one[k] for one in self.reach) - 6 for k in (0, 1))
        width, height = (max(one[k] for one in self.reach) + 6 - start for k, start in ((0, left), (1, top)))
        return (
            f"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left:.0f} {top:.0f} {width:.0f} {height:.0f}\" "
            f"width=\"{width:.0f}\" height=\"{height:.0f}\" "
            f"font-family=\"sans-serif\" role=\"img\" aria-label=\"{escape(self.title)}\">"
            f"\n<defs>{tips}</defs>\n{body}\n</svg>\n"
        )
