"""Programs to write, which are compiled and run where they can do no harm."""
import importlib

NAMES = [
    "exp_twist", "dexp_inverse", "move_inertia", "carry_velocity", "helical_joint", "inverse_dynamics", "mass_matrix",
    "variational_steps", "close_four_bar",
]  # fmt: skip
EXERCISES = [importlib.import_module(f".{name}", __name__).EXERCISE for name in NAMES]
