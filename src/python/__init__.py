"""Articulated rigid body dynamics on Lie groups, proved number by number.

Names are those of the C++ library and of the book. Arrays are numpy float64 in SI units; twists and wrenches have
their angular part first, and bodies are numbered 1 to N from the base outward, 0 being the world. What a recursion saw
is shown as read-only views of its memory: the next call changes what they show.
"""
from ._articulate import *  # noqa: F403
from ._articulate import __version__, ledger  # noqa: F401
