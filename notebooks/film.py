"""Plane machines that move: an SVG whose groups are the links of a tree, and whose keyframes are its joints.

Nothing but a browser is needed to watch it. It stands still for who asks for little motion, and while it is pointed at.
"""
import numpy as np
import style


def corners(times, values, tolerance):
    """The instants that are enough: between them a straight line misses no value (k,) or (k, m) by more."""
    values = np.reshape(values, (len(times), -1))

    def between(first, last):
        s = (times[first : last + 1] - times[first]) / (times[last] - times[first])
        line = values[first] + s[:, None] * (values[last] - values[first])
        missed = abs(values[first : last + 1] - line).max(axis=1)
        if missed.max() <= tolerance:
            return []
        middle = first + missed.argmax()
        return [*between(first, middle), middle, *between(middle, last)]

    last = len(times) - 1
    return [0, *between(0, last), last]


class Film:
    """Courses of times (s) that run together, each a class of elements; `speed` times as fast as they were."""

    def __init__(self, name, times, speed):
        self.name, self.times = name, np.asarray(times)
        self.seconds = (times[-1] - times[0]) / speed
        self.rules = [
            f"@media (prefers-reduced-motion: reduce) {{ .{name} * {{ animation: none !important }} }}",
            f".{name}:hover * {{ animation-play-state: paused }}",
        ]

    def course(self, name, values, tolerance, write, steps=False):
        """The class of what moves like values, of which `write` makes a declaration of CSS."""
        kept = range(len(self.times)) if steps else corners(self.times, values, tolerance)
        if steps:  # from one value to the next without anything between
            kept = [k for k in kept if k == 0 or values[k] != values[k - 1]]
        share = (self.times - self.times[0]) / (self.times[-1] - self.times[0])
        frames = " ".join(f"{short(100 * share[k], 3)}% {{ {write(values[k])} }}" for k in kept)
        self.rules.append(f"@keyframes {self.name}-{name} {{ {frames} }}")
        timing = "step-end" if steps else "linear"
        self.rules.append(
            f".{self.name}-{name} {{ animation: {self.name}-{name} {self.seconds:g}s {timing} infinite }}"
        )
        return f"{self.name}-{name}"

    def turning(self, name, angles, tolerance=0.1):
        """Of what turns about its origin; angles in rad, the tolerance in degrees."""
        write = lambda angle: f"transform: rotate({short(angle)}deg)"
        return self.course(name, np.degrees(np.unwrap(angles)), tolerance, write)

    def sliding(self, name, way, tolerance):
        """Of what is shifted by a way (k, 2)."""
        write = lambda p: f"transform: translate({short(p[0], 4)}px, {short(p[1], 4)}px)"
        return self.course(name, way, tolerance, write)

    def shown(self, name, visible):
        """Of what is there at some times (k, bool) only."""
        return self.course(name, np.asarray(visible, dtype=int), 0, lambda on: f"opacity: {on}", steps=True)

    def fading(self, name, opacity):
        return self.course(name, opacity, 0.01, lambda x: f"opacity: {short(x)}")

    def svg(self, width, height, parts):
        """The whole, in pixels."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">\n'
            f"<style>\n{chr(10).join(self.rules)}\n</style>\n"
            f'<g class="{self.name}">\n{chr(10).join(parts)}\n</g>\n</svg>\n'
        )


def short(x, digits=2):
    """A number without idle digits."""
    text = f"{x:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def tree(film, mechanism, link, courses, shapes, still, tolerance):
    """The groups of a link and of all it carries, in the plane of x and y, one inside the other as the joints are.

    courses[joint] are its coordinates (k,); shapes(link) says what is drawn of a link, below and above what it carries;
    `still` is the instant that is shown while nothing moves. What a fixed joint carries is drawn in its parent.
    """
    below, above = shapes(link)
    yield from below
    for joint in mechanism.joints:
        if joint.parent != link:
            continue
        place = f"translate({short(joint.position[0], 4)} {short(joint.position[1], 4)})"
        if joint.name not in courses:
            yield f'<g transform="{place}">'
        elif joint.type.name == "prismatic":
            way = np.outer(courses[joint.name], joint.axis[:2])
            now = f"translate({short(way[still][0], 4)} {short(way[still][1], 4)})"
            yield f'<g transform="{place}"><g class="{film.sliding(joint.name, way, tolerance)}" transform="{now}">'
        else:
            angle = courses[joint.name]
            now = f"rotate({short(np.degrees(angle[still]))})"
            yield f'<g transform="{place}"><g class="{film.turning(joint.name, angle)}" transform="{now}">'
        yield from tree(film, mechanism, joint.child, courses, shapes, still, tolerance)
        yield "</g></g>" if joint.name in courses else "</g>"
    yield from above


def hull(points, radius):
    """The outline of all discs of that radius about points, as a polygon."""
    ring = radius * np.exp(1j * np.linspace(0, 2 * np.pi, 16, endpoint=False))
    cloud = sorted((x + d.real, y + d.imag) for x, y in points for d in ring)

    def lower(points):
        """Andrew's chain: from left to right, always turning left."""
        chain = []
        for p in points:
            while len(chain) > 1 and np.cross(np.subtract(chain[-1], chain[-2]), np.subtract(p, chain[-1])) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return lower(cloud) + lower(cloud[::-1])


def attributes(given):
    """In XML: - for _, and class for class_."""
    return "".join(f' {key.rstrip("_").replace("_", "-")}="{value}"' for key, value in given.items())


def path(points, end="", **look):
    d = "M" + " L".join(f"{short(x, 3)} {short(y, 3)}" for x, y in points) + end
    return f'<path d="{d}" stroke-linecap="round" stroke-linejoin="round"{attributes(look)}/>'


def line(points, color=style.INK, width=0.02, **look):
    """A broken line; lengths in the units of the group."""
    return path(points, fill="none", stroke=color, stroke_width=width, **look)


def area(points, color, opacity=1, **look):
    return path(points, "Z", fill=color, fill_opacity=opacity, **look)


def dot(x, y, radius, color=style.INK, **look):
    return f'<circle cx="{short(x, 4)}" cy="{short(y, 4)}" r="{short(radius, 3)}" fill="{color}"{attributes(look)}/>'


def words(x, y, text, color=style.INK, **look):
    return f'<text x="{short(x)}" y="{short(y)}" fill="{color}"{attributes(look)}>{text}</text>'


def group(transform, *parts, **look):
    return "\n".join((f'<g transform="{transform}"{attributes(look)}>', *parts, "</g>"))
