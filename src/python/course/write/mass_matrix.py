"""The mass matrix of a tree by composite bodies."""
import numpy as np

from ..mistakes import Mistake
from . import robots, screws
from .program import Case, Law, Program


def cases(source):
    found = []
    for name in ("ur5", "forked_arm", "panda", "tree:3x4"):
        robot, q, *_ = robots.drawn(name, source)
        found.append(Case(name, {"parent": np.array(robot.parent, dtype=float), "T": robot.poses(q), "S": robot.S, "I": robot.I}))
    return found


class Sweep:
    """The algorithm, with its steps as they are tempting to get wrong."""

    def __init__(self, gather="congruent", force="transpose", chain=False, mirrored=True, off_diagonal=1.0, composite=True, stop=False, late=False):
        self.__dict__.update({key: value for key, value in locals().items() if key != "self"})

    def __call__(self, n):
        T, S, count = n["T"], n["S"], len(n["T"])
        parent = [i - 1 for i in range(count)] if self.chain else [int(p) for p in n["parent"]]
        I, M = [one.copy() for one in n["I"]], np.zeros((count, count))
        if self.composite:
            for i in reversed(range(count)):
                if parent[i] >= 0:
                    I[parent[i]] += self.seen(T[i], n["I"][i] if self.late else I[i])
        for i in reversed(range(count)):
            F, j = I[i] @ S[i], i
            M[i, i] = S[i] @ F
            while parent[j] >= 0:
                F, j = self.carried(T[j], F), parent[j]
                M[j, i] = self.off_diagonal * S[j] @ F
                M[i, j] = M[j, i] if self.mirrored else 0.0
                if self.stop:
                    break
        return M

    def seen(self, T, I):
        A = screws.Ad(screws.inverse(T))
        return {"congruent": A.T @ I @ A, "as it is": I, "forth": screws.Ad(T).T @ I @ screws.Ad(T), "wrong side": A @ I @ A.T}[self.gather]

    def carried(self, T, F):
        A = screws.Ad(screws.inverse(T))
        return {"transpose": A.T @ F, "as it is": F, "forth": screws.Ad(T).T @ F, "twist": screws.Ad(T) @ F}[self.force]


def smallest(n, M):
    """How much energy a motion could have below nothing."""
    values = np.linalg.eigvalsh((M + M.T) / 2) if np.all(np.isfinite(M)) else [-1.0]
    return max(0.0, -values[0])


right = Sweep()
EXERCISE = Program(
    name="mass_matrix", chapter="lagrange", stars=2, title="The mass matrix, by composite bodies",
    text=r"""Write the composite-body algorithm for a tree of one-DoF joints. Bodies are counted from 0 and stand in an order in which parents come first;
`parent` says which body carries which, and -1 is the world. Body \f$i\f$ has the pose \f$T_i\f$ in its parent, the screw \f$S_i\f$ and the 6 x 6
inertia \f$\mathcal I_i\f$ in its own frame. Return the mass matrix \f$M\f$, whole and symmetric.

From the tips inward, add to the inertia of each parent what hangs on it, seen from its frame. Then joint \f$i\f$ alone, at the acceleration 1, needs the
wrench \f$F = \mathcal I^c_iS_i\f$. Carry it inward, and multiply it by each screw that it meets.""",
    hints=["The energy must not depend on the frame, so an inertia changes with Ad on both sides, and a transpose on the left.",
           "Two joints on different branches have the entry 0: neither moves what the other carries."],
    declaration="MatrixX mass_matrix(const VectorX& parent, const std::vector<Matrix4>& T, const std::vector<Vector6>& S,\n"
                "                    const std::vector<Matrix6>& I)",
    cases=cases, right=right,
    laws=[
        Law("the matrix is not symmetric", lambda n, M: np.abs(M - M.T).max() / (np.abs(M).max() or 1.0)),
        Law("the matrix is not positive: there are motions with negative energy", smallest),
        Law("the energy 1/2 qd^T M qd of a motion is not the sum of the bodies' energies", None),
    ],
    mistakes=[
        Mistake("own_inertia", "Each joint moves its own body only: what hangs on the body was not added.", Sweep(composite=False)),
        Mistake("one_generation", "A body got the inertia of its children, but not that of their children.", Sweep(late=True)),
        Mistake("inertia_not_carried", "The inertia of a child was added without a change of frame.", Sweep(gather="as it is")),
        Mistake("inertia_carried_outward", "The inertia of a child was carried with Ad(T) instead of Ad(T^-1).", Sweep(gather="forth")),
        Mistake("inertia_wrong_side", "Ad and its transpose are exchanged around the inertia.", Sweep(gather="wrong side")),
        Mistake("force_not_carried", "The wrench was multiplied by the next screw without a change of frame.", Sweep(force="as it is")),
        Mistake("force_carried_outward", "The wrench was carried with the transpose of Ad(T): the inverse is missing.", Sweep(force="forth")),
        Mistake("force_as_twist", "The wrench was carried as if it were a twist.", Sweep(force="twist")),
        Mistake("tree_as_chain", "The body before in the list was taken for the parent: in a tree it need not be.", Sweep(chain=True)),
        Mistake("one_triangle", "Only one triangle is filled: the mirror image is missing.", Sweep(mirrored=False)),
        Mistake("other_triangle", "Only one triangle is filled: the mirror image is missing.", lambda n: Sweep(mirrored=False)(n).T),
        Mistake("diagonal_only", "Only the diagonal is filled: joints act on each other.", Sweep(off_diagonal=0.0)),
        Mistake("parent_only", "The wrench was carried to the parent, but no further.", Sweep(stop=True)),
        Mistake("off_diagonal_sign", "The entries off the diagonal have the wrong sign.", Sweep(off_diagonal=-1.0)),
    ],
)  # fmt: skip
