"""Andrews' squeezing mechanism by the equations of the test set for solvers of initial value problems, written out.

Seven angles, six constraints. Nothing of the library is used: the mass matrix, the forces and the constraints are the
test set's own, in numpy, and time goes on by extrapolation.
"""
from math import cos, hypot, sin

import numpy as np

ANGLES = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
M1, M2, M3, M4, M5, M6, M7 = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
I1, I2, I3, I4, I5, I6, I7 = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
XA, YA, XB, YB, XC, YC = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072
D, DA, E, EA, RR, RA, SS, SA, SB, SC, SD = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092, 0.035, 0.01874, 0.01043, 0.018, 0.02
TA, TB, U, UA, UB, ZF, ZT, FA = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
STIFFNESS, LENGTH, TORQUE = 4530, 0.07785, 0.033


def mass_matrix(theta, phi, omega):
    e, f = E - EA, ZF - FA
    M = np.zeros((7, 7))
    M[0, 0] = M1 * RA**2 + M2 * (RR**2 - 2 * DA * RR * cos(theta) + DA**2) + I1 + I2
    M[0, 1] = M[1, 0] = M2 * (DA**2 - DA * RR * cos(theta)) + I2
    M[1, 1] = M2 * DA**2 + I2
    M[2, 2] = M3 * (SA**2 + SB**2) + I3
    M[3, 3] = M4 * e**2 + I4
    M[3, 4] = M[4, 3] = M4 * (e**2 + ZT * e * sin(phi)) + I4
    M[4, 4] = M4 * (ZT**2 + 2 * ZT * e * sin(phi) + e**2) + M5 * (TA**2 + TB**2) + I4 + I5
    M[5, 5] = M6 * f**2 + I6
    M[5, 6] = M[6, 5] = M6 * (f**2 - U * f * sin(omega)) + I6
    M[6, 6] = M6 * (f**2 - 2 * U * f * sin(omega) + U**2) + M7 * (UA**2 + UB**2) + I6 + I7
    return M


def forces(q, v):
    """The motor, the spring, and what the rates ask for."""
    (_, theta, gamma, phi, _, omega, _), (dbeta, dtheta, _, dphi, ddelta, domega, depsilon) = q, v
    x, y = SD * cos(gamma) + SC * sin(gamma) + XB - XC, SD * sin(gamma) - SC * cos(gamma) + YB - YC
    pull = -STIFFNESS * (1 - LENGTH / hypot(x, y))
    a, b, c = M2 * DA * RR * sin(theta), M4 * ZT * (E - EA) * cos(phi), M6 * U * (ZF - FA) * cos(omega)
    return np.array(
        [
            TORQUE - a * dtheta * (dtheta + 2 * dbeta),
            a * dbeta**2,
            pull * (x * (SC * cos(gamma) - SD * sin(gamma)) + y * (SD * cos(gamma) + SC * sin(gamma))),
            b * ddelta**2,
            -b * dphi * (dphi + 2 * ddelta),
            -c * depsilon**2,
            c * domega * (domega + 2 * depsilon),
        ]
    )


def constraints(q, v):
    """G and r of the constraints twice differentiated, G dv/dt = r."""
    beta, theta, gamma, phi, delta, omega, epsilon = q
    G, r = np.zeros((6, 7)), np.zeros(6)

    def add(row, length, angle, which, sign=1):
        """The place length (cos, sin)(angle), an angle that is the sum of some coordinates, in two rows."""
        rate = sum(v[k] for k in which)
        for k in which:
            G[row, k] -= sign * length * sin(angle)
            G[row + 1, k] += sign * length * cos(angle)
        r[row] += sign * length * cos(angle) * rate**2
        r[row + 1] += sign * length * sin(angle) * rate**2

    quarter = np.pi / 2
    for row in (0, 2, 4):
        add(row, RR, beta, (0,))
        add(row, D, beta + theta, (0, 1), -1)
    add(0, SS, gamma - quarter, (2,), -1)
    add(2, E, phi + delta - quarter, (3, 4), -1)
    add(2, ZT, delta, (4,), -1)
    add(4, ZF, omega + epsilon, (5, 6), -1)
    add(4, U, epsilon - quarter, (6,), -1)
    return G, r


def rates(y):
    q, v = y[:7], y[7:]
    G, r = constraints(q, v)
    K = np.block([[mass_matrix(q[1], q[3], q[5]), G.T], [G, np.zeros((6, 6))]])
    return np.concatenate([v, np.linalg.solve(K, np.concatenate([forces(q, v), r]))[:7]])


def angles(start, duration, steps):
    """The angles after a time, from rest at a start that meets the constraints, by so many extrapolated steps.

    Gragg's midpoint rule with 2 to 14 parts of a step has errors in even powers of their length; seven are removed.
    """
    y = np.concatenate([[start[name] for name in ANGLES], np.zeros(7)])
    counts = (2, 4, 6, 8, 10, 12, 14)
    for _ in range(steps):
        table = []
        for i, n in enumerate(counts):
            h = duration / steps / n
            a, b = y, y + h * rates(y)
            for _ in range(n - 1):
                a, b = b, a + 2 * h * rates(b)
            row = [(a + b + h * rates(b)) / 2]
            for k, before in enumerate(table):
                row.append(row[k] + (row[k] - before) / ((n / counts[i - 1 - k]) ** 2 - 1))
            table = row
        y = table[-1]
    return dict(zip(ANGLES, y[:7]))
