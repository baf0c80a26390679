"""With complex numbers: tips are points of the plane, and derivatives are turns by a right angle."""
import cmath

import numpy as np


def close_four_bar(lengths, q1, guess):
    a, b, c, d = lengths
    q2, q3 = guess
    for _ in range(30):
        coupler, rocker = b * cmath.exp(1j * (q1 + q2)), c * cmath.exp(1j * q3)
        gap = a * cmath.exp(1j * q1) + coupler - d - rocker
        # 1j coupler x - 1j rocker y = -gap, by Cramer's rule
        u, v = 1j * coupler, -1j * rocker
        det = u.real * v.imag - u.imag * v.real
        q2 += (-gap.real * v.imag + gap.imag * v.real) / det
        q3 += (-u.real * gap.imag + u.imag * gap.real) / det
    return q2, q3
