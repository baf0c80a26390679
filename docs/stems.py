"""The chapters of the book by their stems, in reading order; the first is number 1."""

STEMS = [
    "group",
    "body",
    "model",
    "rnea",
    "aba",
    "hybrid",
    "constrained",
    "derivatives",
    "lagrange",
    "skew_symmetry",
    "motion",
    "higher_order",
    "mechanisms",
    "oracle",
]
