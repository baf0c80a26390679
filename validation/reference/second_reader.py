"""The lower tier, read by a program that knows nothing of Articulate but the schema, and computed from textbooks.

second_reader.py FOLDER: each number that a closed form gives must be within its radius, computed with 60 digits.
"""
import json
import sys
from mpmath import mp, mpf, matrix, sin, cos

mp.dps = 60


def read(folder, name):
    with open(f"{folder}/{name}.json", encoding="utf-8") as file:
        return json.load(file)


def exact(number):
    """A number of binary64, exactly."""
    return mpf(float.fromhex(number["hexadecimal"]))


def exact_list(numbers):
    return [mpf(float.fromhex(text)) for text in numbers["hexadecimal"]]


class Judge:
    def __init__(self, case):
        self.case, self.answers, self.wrong, self.compared = case["case"], case["answers"], 0, 0

    def __call__(self, quantity, computed):
        """Compare rows of numbers with those in the file."""
        answer = self.answers[quantity]
        assert len(answer["value"]) == len(computed), quantity
        for i, row in enumerate(computed):
            for j, x in enumerate(row):
                value, radius = mpf(answer["value"][i][j]), mpf(answer["radius"][i][j])
                self.compared += 1
                # Sixty digits of our own, of numbers up to the largest of the quantity.
                largest = max(abs(mpf(y)) for values in answer["value"] for y in values)
                if abs(value - x) > radius + mpf("1e-55") * (1 + largest):
                    self.wrong += 1
                    print(f"{self.case}: {quantity}[{i}][{j}] is {value}, computed {x}")


def state(case):
    return [exact_list(case["state"][key]) for key in ("q", "qd", "qdd", "tau")]


def column(numbers):
    return [[x] for x in numbers]


def pendulum(case, judge):
    bob = case["machine"]["links"][1]
    m, l = exact(bob["mass"]), -exact_list(bob["center_of_mass"])[2]
    g = -exact_list(case["machine"]["gravity"])[2]
    (q,), (qd,), (qdd,), (tau,) = state(case)
    J = exact_list(bob["inertia_xx_xy_xz_yy_yz_zz"])[3] + m * l**2
    weight = m * g * l * sin(q)
    judge("mass_matrix", [[J]])
    judge("inverse_mass_matrix", [[1 / J]])
    judge("inverse_dynamics", [[J * qdd + weight]])
    judge("forward_dynamics", [[(tau - weight) / J]])
    judge("gravity_force", [[weight]])
    judge("kinetic_energy", [[J * qd**2 / 2]])
    judge("potential_energy", [[-m * g * l * cos(q)]])


def planar_2r(case, judge):
    machine = case["machine"]
    first, second = machine["links"][1:]
    (m1, m2), (c1, c2) = zip(*[(exact(x["mass"]), exact_list(x["center_of_mass"])[0]) for x in (first, second)])
    J1, J2 = [exact_list(x["inertia_xx_xy_xz_yy_yz_zz"])[5] for x in (first, second)]
    l, g = exact_list(machine["joints"][1]["position"])[0], -exact_list(machine["gravity"])[1]
    (q1, q2), (u1, u2), qdd, tau = state(case)
    M22 = J2 + m2 * c2**2
    M12 = M22 + m2 * l * c2 * cos(q2)
    M11 = J1 + m1 * c1**2 + J2 + m2 * (l**2 + c2**2 + 2 * l * c2 * cos(q2))
    h = m2 * l * c2 * sin(q2)
    G2 = m2 * g * c2 * cos(q1 + q2)
    G = matrix([(m1 * c1 + m2 * l) * g * cos(q1) + G2, G2])
    b = matrix([-h * u2 * (2 * u1 + u2), h * u1**2]) + G
    M = matrix([[M11, M12], [M12, M22]])
    judge("mass_matrix", M.tolist())
    judge("inverse_mass_matrix", (M**-1).tolist())
    judge("bias", column(b))
    judge("gravity_force", column(G))
    judge("inverse_dynamics", column(M * matrix(qdd) + b))
    judge("forward_dynamics", column(M**-1 * (matrix(tau) - b)))


def free_body(case, judge):
    body = case["machine"]["links"][0]
    m, inertia = exact(body["mass"]), exact_list(body["inertia_xx_xy_xz_yy_yz_zz"])
    A, g = [inertia[0], inertia[3], inertia[5]], exact_list(case["machine"]["gravity"])[2]
    q, qd, qdd, tau = state(case)
    x, y, z, s = q[3:]
    up = [2 * (x * z - y * s), 2 * (y * z + x * s), s * s + z * z - x * x - y * y]
    up = [k / (x * x + y * y + z * z + s * s) for k in up]
    forces, accelerations = [0] * 6, [0] * 6
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        turning = (A[j] - A[i]) * qd[i] * qd[j]
        dragging = qd[i] * qd[3 + j] - qd[j] * qd[3 + i] - g * up[k]
        forces[k], forces[3 + k] = A[k] * qdd[k] + turning, m * (qdd[3 + k] + dragging)
        accelerations[k], accelerations[3 + k] = (tau[k] - turning) / A[k], tau[3 + k] / m - dragging
    judge("inverse_dynamics", column(forces))
    judge("forward_dynamics", column(accelerations))


def main(folder):
    wrong = 0
    for closed_form in (pendulum, planar_2r, free_body):
        case = read(folder, closed_form.__name__)
        judge = Judge(case)
        closed_form(case, judge)
        print(f"{case['case']}: {judge.compared} numbers computed a second time, {judge.wrong} wrong")
        wrong += judge.wrong
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
