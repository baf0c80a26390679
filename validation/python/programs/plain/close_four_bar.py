import numpy as np


def close_four_bar(lengths, q1, guess):
    a, b, c, d = lengths
    q = guess.copy()
    for _ in range(30):
        s = q1 + q[0]
        gap = np.array([a * np.cos(q1) + b * np.cos(s) - d - c * np.cos(q[1]), a * np.sin(q1) + b * np.sin(s) - c * np.sin(q[1])])
        slope = np.array([[-b * np.sin(s), c * np.sin(q[1])], [b * np.cos(s), -c * np.cos(q[1])]])
        q = q - np.linalg.solve(slope, gap)
    return q
