"""Which rate of the exponent S makes the body twist X? dexp is that of chapter 01, for body twists."""
import numpy as np


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def ad(S):
    """[S, X] = ad(S) X"""
    A = np.zeros((6, 6))
    # Four blocks, of which one is zero.
    return A


def dexp_inverse(S, X):
    A = ad(S)
    rate = np.zeros(6)
    # Sum the series of dexp and solve, or use a polynomial in A.
    return rate
