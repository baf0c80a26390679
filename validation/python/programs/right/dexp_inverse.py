"""By quadrature: the body twist is the integral of Ad(e^(-s S)) dS/dt over s from 0 to 1, a matrix that is then solved."""
import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def ad(S):
    return np.block([[skew(S[:3]), np.zeros((3, 3))], [skew(S[3:]), skew(S[:3])]])


def exponential(A):
    total, term = np.eye(6), np.eye(6)
    for k in range(1, 40):
        term = term @ A / k
        total = total + term
    return total


def dexp_inverse(S, X):
    A = ad(S)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    integral = sum(w / 2 * exponential(-(x + 1) / 2 * A) for x, w in zip(nodes, weights))
    return np.linalg.solve(integral, X)
