"""Exercises of chapter 14: how many digits are right, how many can be, what intervals prove, and what another library means."""
import math

import numpy as np

from ..exercise import Exercise
from ..mistakes import Mistake, with_changed
from ..vectors import cross

# --- digits ---------------------------------------------------------------------------------------------------------


def apart(n, quantity):
    """The errors of the library, and the right numbers."""
    right = np.array(n[f"{quantity}_right"])
    return np.abs(np.array(n[quantity]) - right), np.abs(right)


def digits_by(relative_error):
    return lambda n: {quantity: -math.log10(relative_error(*apart(n, quantity))) for quantity in ("moments", "forces")}


digits = digits_by(lambda errors, sizes: errors.max() / sizes.max())


def digits_of_one_unit(n):
    """As if newtons and newton metres could be compared."""
    largest = max(apart(n, quantity)[1].max() for quantity in ("moments", "forces"))
    return digits_by(lambda errors, sizes: errors.max() / largest)(n)


def digits_with(function):
    return lambda n: {name: function(value) for name, value in digits(n).items()}


def a_library(source):
    """Right numbers of unlike sizes, and a library's, which are off by thousandths."""
    drawn = {}
    for quantity, large, small in (("moments", (21.0, 58.0), (0.21, 0.88)), ("forces", (120.0, 340.0), (2.1, 8.8))):
        right = [source.signed(*large, 1), source.signed(large[0] / 4, large[1] / 4, 1), source.signed(*small)]
        errors = source.vector(11e-4, 89e-4, 4)
        right = source.shuffled(right)
        drawn[f"{quantity}_right"], drawn[quantity] = right, [round(c + e, 4) for c, e in zip(right, errors)]
    return drawn


DIGITS = Exercise(
    name="digits_of_a_library", chapter="oracle", stars=1, kind="number", title="How many digits are right?",
    text=r"""Proved are the moments <moments_right> N m of three hinges and the forces <forces_right> N of three slides, all exact as printed. A library answers <moments> N m and
<forces> N. How many digits of its moments are right, and
how many of its forces, by the log relative error as the chapter compares vectors? The worst number of each unit counts. Do not round to whole digits.""",
    asks={"moments": "digits of the moments that are right (a number)", "forces": "digits of the forces that are right (a number)"},
    hints=["Find the largest error of each unit.", "What is it compared with? A small component has no digits of its own.",
           "The logarithm is that to the base ten, without its sign."],
    draw=a_library,
    solve=digits,
    mistakes=[
        Mistake("each_by_itself", "Each error was compared with its own component: the largest number of the same unit is what counts.",
                digits_by(lambda errors, sizes: (errors / sizes).max())),
        Mistake("units_mixed", "Moments and forces were compared with one largest number, but they have units of their own.", digits_of_one_unit),
        Mistake("absolute_errors", "These are the logarithms of the errors themselves: they have to be divided by the largest number.",
                digits_by(lambda errors, sizes: errors.max())),
        Mistake("error_of_the_largest", "This is the error of the largest number. The largest error of all is asked, compared with the largest number.",
                digits_by(lambda errors, sizes: errors[sizes.argmax()] / sizes.max())),
        Mistake("smallest_error", "This is the best of the numbers: the worst one counts.", digits_by(lambda errors, sizes: errors.min() / sizes.max())),
        Mistake("natural_logarithm", "The logarithm to the base ten counts digits, the natural one does not.", digits_with(lambda x: x * math.log(10))),
        Mistake("in_percent", "The errors were taken in percent, which are two digits less.", digits_with(lambda x: x - 2)),
        Mistake("whole_digits", "A log relative error need not be whole, and the text asks not to round it.", digits_with(math.floor)),
        Mistake("compared_with_the_smallest", "The errors were compared with the smallest number.", digits_by(lambda errors, sizes: errors.max() / sizes.min())),
    ],
)  # fmt: skip


# --- a residual -----------------------------------------------------------------------------------------------------


def of_carriage(n):
    m1, m2 = n["m1"], n["m2"]
    return np.array([[m1 + m2, m2], [m2, m2]])


def residual(n, matrix=of_carriage, length=np.linalg.norm, error_over=None, residual_over=None, condition=np.linalg.cond, bound=np.multiply):
    M, x, y = matrix(n), np.array(n["right"]), np.array(n["given"])
    error = length(y - x) / (error_over(x, y) if error_over else length(x))
    left = length(M @ (y - x)) / (residual_over(M @ x) if residual_over else length(M @ x))
    kappa = condition(M)
    return {"error": error, "residual": left, "condition": kappa, "bound": bound(kappa, left)}


def in_the_room(n):
    return np.diag([n["m1"], n["m2"]])


def without_the_carriage(n):
    return np.array([[n["m2"], n["m1"]], [n["m1"], n["m1"]]])


def only(quantity, **changes):
    return lambda n: {quantity: residual(n, **changes)[quantity]}


def largest_components(n):
    return {name: residual(n, length=lambda x: np.abs(x).max())[name] for name in ("error", "residual")}


def an_answer(source):
    """Wrong by what only the carriage feels."""
    right, e = [source.number(1.1, 1.9, 1), source.signed(0.2, 0.7, 1)], source.signed(0.3, 0.9, 1)
    return {"m1": source.number(0.6, 2.4, 1), "m2": source.integer(11, 89) * 100.0, "right": right, "given": [round(right[0] + e, 1), round(right[1] - e, 1)]}


RESIDUAL = Exercise(
    name="carriage_under_a_block", chapter="oracle", stars=2, kind="number", title="A residual, and what it hides",
    text=r"""A carriage of <m1> kg runs on a rail, and a block of <m2> kg on a rail on the carriage. The coordinates are the place of the carriage and the place of the block on it,
as in the chapter. Forces act for which
the right accelerations are <right> m/s\f$^2\f$, and someone answers <given> m/s\f$^2\f$. How large is the relative error of this answer, how large its relative
residual, and the condition number of the mass matrix? Which bound of the relative error follows
from the last two? Measure vectors by their Euclidean length, and matrices accordingly, by their largest singular value.""",
    asks={"error": "relative error of the answer (a number)", "residual": "relative residual of the answer (a number)",
          "condition": "condition number of the mass matrix (a number)",
          "bound": "bound of the relative error (a number)"},
    hints=["The forces are the mass matrix times the right accelerations.", "The residual is minus the mass matrix times the error.",
           "The matrix is symmetric: its condition is the ratio of its eigenvalues, whose sum is the trace and whose product is the determinant."],
    draw=an_answer,
    solve=residual,
    mistakes=[
        Mistake("coordinates_in_the_room", "The second coordinate is counted from the carriage, so that the block moves with the carriage as well.",
                lambda n: residual(n, matrix=in_the_room)),
        Mistake("masses_exchanged", "The masses are exchanged: the carriage carries the block.", lambda n: residual({**n, "m1": n["m2"], "m2": n["m1"]})),
        Mistake("absolute_error", "This is the error itself: the relative one is asked.", only("error", error_over=lambda x, y: 1.0)),
        Mistake("over_the_answer", "The error is relative to the right accelerations, and not to what was answered.",
                only("error", error_over=lambda x, y: np.linalg.norm(y))),
        Mistake("absolute_residual", "This is the residual itself: it has to be divided by the forces.", only("residual", residual_over=lambda f: 1.0)),
        Mistake("largest_component", "Euclidean lengths are asked, not largest components.",
                largest_components),
        Mistake("ratio_of_the_masses", "The condition number is not the ratio of the masses: it takes the eigenvalues of the whole matrix.",
                only("condition", condition=lambda M: M[1, 1] / (M[0, 0] - M[1, 1]))),
        Mistake("ratio_of_the_diagonal", "The condition number takes eigenvalues, not the numbers on the diagonal.",
                only("condition", condition=lambda M: M[0, 0] / M[1, 1])),
        Mistake("root_of_the_condition", "This is the root of the condition number.", only("condition", condition=lambda M: math.sqrt(np.linalg.cond(M)))),
        Mistake("norm_alone", "This is the norm of the matrix: that of its inverse is missing as a factor.", only("condition", condition=lambda M: np.linalg.norm(M, 2))),
        Mistake("bound_divided", "The condition number is a factor of the residual.", only("bound", bound=lambda kappa, left: left / kappa)),
    ],
)  # fmt: skip


# --- a ladder -------------------------------------------------------------------------------------------------------


def ladder(n, factor=2.0, absolute=False, kappa=None, unit=53, log=math.log10, high=1e-3):
    """The tilt is acos(s/l); each of the two inputs changes it by s / (l sin(tilt)) times its own relative change."""
    tilt = math.asin(high * n["h"] / n["l"])
    condition = factor / math.tan(tilt) / (1.0 if absolute else tilt) if kappa is None else kappa
    lost = log(max(1.0, condition))
    return {"tilt": tilt, "condition": condition, "double": unit * log(2) - lost, "single": (unit - 29) * log(2) - lost}


def digits_of_ladder(**changes):
    return lambda n: {name: value for name, value in ladder(n, **changes).items() if name in ("double", "single")}


def digits_gained(n):
    """What the condition costs, added to the digits of the arithmetic."""
    right, arithmetic = ladder(n), ladder(n, kappa=1.0)
    return {name: 2 * arithmetic[name] - right[name] for name in ("double", "single")}


LADDER = Exercise(
    name="flat_ladder", chapter="oracle", stars=2, kind="number", title="A ladder that lies nearly flat",
    text=r"""A ladder of <l> m leans against a wall, its foot so far away that its head is only <h> mm high. A program is given its length and the distance of its foot from the wall,
and finds its tilt from the floor. How large is the tilt?
Both inputs may be off by a fraction \f$u\f$ of themselves, in whichever direction is worse. By how many \f$u\f$ of itself is the tilt off at most? How many of its
digits can be attained in double precision, with \f$u = 2^{-53}\f$, and how many in
single precision, with \f$u = 2^{-24}\f$?""",
    asks={"tilt": "tilt of the ladder (rad)", "condition": "condition of the tilt (a number)", "double": "digits that can be attained in double precision (a number)",
          "single": "digits that can be attained in single precision (a number)"},
    hints=["The cosine of the tilt is the distance over the length.",
           "Differentiate it with respect to each of the two. The condition multiplies by the input and divides by the tilt.",
           "The two changes have opposite signs, and the worst case adds their sizes."],
    draw=lambda source: {"l": source.number(0.62, 1.98), "h": source.number(2.1, 8.9, 1)},
    solve=ladder,
    mistakes=[
        Mistake("one_input", "Both inputs may be off: this is the condition for one of them.", lambda n: ladder(n, factor=1.0)),
        Mistake("root_of_squares", "The worst case adds both changes: it does not add their squares.", lambda n: ladder(n, factor=math.sqrt(2))),
        Mistake("change_not_divided", "The change has to be divided by the tilt, which is small itself.", lambda n: ladder(n, absolute=True)),
        Mistake("changes_cancel", "If both inputs grow by the same fraction the tilt stays; the worst case is that one of them shrinks.", lambda n: ladder(n, kappa=0.0)),
        Mistake("height_as_input", "The height is no input of the program: it finds the tilt from the distance, whose last digits decide.",
                lambda n: ladder(n, kappa=2.0)),
        Mistake("problem_forgotten", "These are the digits of the arithmetic: the condition of the problem costs some of them.", digits_of_ladder(kappa=1.0)),
        Mistake("distance_of_neighbours", "This u is the distance between two neighbours: it is half of that.", digits_of_ladder(unit=52)),
        Mistake("natural_logarithm", "The logarithm to the base ten counts digits, the natural one does not.", digits_of_ladder(log=math.log)),
        Mistake("binary_digits", "These are binary digits: decimal ones are asked.", digits_of_ladder(log=math.log2)),
        Mistake("condition_added", "The digits that the condition costs are to be subtracted.",
                digits_gained),
        Mistake("height_in_centimetres", "The height is in millimetres.", lambda n: ladder(n, high=1e-2)),
    ],
)  # fmt: skip


# --- intervals ------------------------------------------------------------------------------------------------------


def at_the_ends(n):
    return [n["tau0"] * w - n["k"] * w**2 for w in (n["w1"], n["w2"])]


def enclosures(n, square=None):
    """Speeds and torques are positive here, so that products are largest where both factors are."""
    tau0, k, w1, w2 = n["tau0"], n["k"], n["w1"], n["w2"]
    middle = tau0 / (2 * k)
    low, high = square(w1 - middle, w2 - middle) if square else (0.0, max((w1 - middle) ** 2, (w2 - middle) ** 2))
    best = tau0 * middle / 2
    written = [tau0 * w1 - k * w2**2, tau0 * w2 - k * w1**2]
    return {"written": written, "factored": [w1 * (tau0 - k * w2), w2 * (tau0 - k * w1)], "completed": [best - k * high, best - k * low]}


def in_all(function):
    return lambda n: {name: function(*value) for name, value in enclosures(n).items()}


def true_range(n):
    right = enclosures(n)["completed"]
    return {"written": right, "factored": right}


def around_another_middle(n):
    """With tau0/k, where the power is zero again."""
    tau0, k = n["tau0"], n["k"]
    squares = [(w - tau0 / k) ** 2 for w in (n["w1"], n["w2"])]
    return {"completed": [tau0**2 / 4 / k - k * max(squares), tau0**2 / 4 / k - k * min(squares)]}


def a_motor(source):
    """Speeds on both sides of the one at which the power is largest."""
    tau0, k = source.number(3.1, 7.8, 1), source.number(0.11, 0.29)
    return {"tau0": tau0, "k": k, "w1": round(tau0 / 2 / k * source.number(0.55, 0.85), 1), "w2": round(tau0 / 2 / k * source.number(1.1, 1.4), 1)}


INTERVALS = Exercise(
    name="power_in_intervals", chapter="oracle", stars=2, kind="number", title="The power of a motor, in intervals",
    text=r"""A motor has the torque \f$\tau_0 - kw\f$ at the speed \f$w\f$, with \f$\tau_0\f$ = <tau0> N m and \f$k\f$ = <k> N m s. Its speed is known to lie between <w1> and <w2>
rad/s. Enclose its power by interval arithmetic: with the formula
\f$\tau_0w - kw^2\f$, with \f$w\,(\tau_0 - kw)\f$, and with \f$\tau_0^2/4k - k\,(w - \tau_0/2k)^2\f$. Take the square of an interval as that of one number. Give the
lower end of each first.""",
    asks={"written": "enclosure by the first formula (W)", "factored": "enclosure by the second formula (W)", "completed": "enclosure by the third formula (W)"},
    hints=["A difference of intervals is least where the first is least and the second is largest.", "Find the interval of the factor in brackets first.",
           "A square is never negative, and zero if its argument can be."],
    draw=a_motor,
    solve=enclosures,
    mistakes=[
        Mistake("values_at_the_ends", "These are the values of the power at both ends of the speed, and between them it is larger.",
                lambda n: dict.fromkeys(("written", "factored", "completed"), at_the_ends(n))),
        Mistake("true_range", "This is the range of the power. Interval arithmetic does not know that all w are one number, and its answer is wider.", true_range),
        Mistake("lower_from_lower", "The lower end of a difference subtracts the upper end of the second interval.", lambda n: {"written": at_the_ends(n)}),
        Mistake("bracket_reversed", "The torque falls as the speed grows: the lower end of the bracket belongs to the upper speed.",
                lambda n: {"factored": at_the_ends(n)}),
        Mistake("zero_not_inside", "The square was taken at both ends only, but between them its argument is zero.",
                lambda n: {"completed": enclosures(n, square=lambda x, y: sorted((x * x, y * y)))["completed"]}),
        Mistake("square_as_a_product", "The square was taken as a product of two intervals that know nothing of each other, which can be negative.",
                lambda n: {"completed": enclosures(n, square=lambda x, y: (x * y, max(x * x, y * y)))["completed"]}),
        Mistake("around_the_end_of_the_curve", "The square is that of the distance from the middle of the curve, where the power is largest.", around_another_middle),
        Mistake("midpoint_and_radius", "These are midpoints and radii: both ends are asked.", in_all(lambda low, high: [(low + high) / 2, (high - low) / 2])),
        Mistake("formulas_exchanged", "The first and the second enclosure are exchanged.",
                lambda n: {"written": enclosures(n)["factored"], "factored": enclosures(n)["written"]}),
        Mistake("speed_not_squared", "In the first formula the speed is squared.",
                lambda n: {"written": [n["tau0"] * n["w1"] - n["k"] * n["w2"], n["tau0"] * n["w2"] - n["k"] * n["w1"]]}),
    ],
)  # fmt: skip


# --- a root, proved -------------------------------------------------------------------------------------------------


def krawczyk(n, sign=-1.0, over=None, slopes=None, inflate=None, carried=1.0):
    """Correction, contraction and image for W sin(y) = tau."""
    W, y, r = n["W"], n["y"], n["r"]
    R = 1 / (W * math.cos(y)) if over is None else over(n)
    z = sign * R * (W * math.sin(y) - n["tau"])
    low, high = slopes(n) if slopes else (W * math.cos(y + r), W * math.cos(y - r))
    C = [1 - R * high, 1 - R * low]
    reach = inflate(C, r) if inflate else [-r * max(map(abs, C)), r * max(map(abs, C))]
    return {"correction": z, "contraction": C, "image": [carried * z + x for x in reach]}


def image_with(inflate, **changes):
    return lambda n: {"image": krawczyk(n, inflate=inflate, **changes)["image"]}


def a_held_pendulum(source):
    W, y, off = source.number(11, 29, 1), source.number(0.44, 0.91), source.signed(0.012, 0.028, 3)
    return {"W": W, "tau": round(W * math.sin(y + off), 2), "y": y, "r": source.number(0.09, 0.15)}


KRAWCZYK = Exercise(
    name="root_of_a_pendulum", chapter="oracle", stars=3, kind="number", title="Where the pendulum hangs, proved",
    text=r"""A pendulum whose weight has the moment \f$W\sin q\f$, with \f$W\f$ = <W> N m, is held by a motor that exerts <tau> N m. Prove by Krawczyk's test that there is one
position of rest near \f$y\f$ = <y> rad, with the function \f$f(q) = W\sin q - \tau\f$,
the exact \f$R = 1/f'(y)\f$ and the box \f$\boldsymbol e\f$ from -<r> to <r> rad. Find the correction \f$z\f$, the interval \f$C\f$ with all slopes in the box, and the
image \f$z + C\boldsymbol e\f$. Give the lower end of each interval first, and keep all digits that you have on the way.""",
    asks={"correction": "the correction z (rad)", "contraction": "lower and upper end of the interval C (a number each)",
          "image": "lower and upper end of the image of the box (rad)"},
    hints=["z = - R f(y).", "The slope is W cos q: over the box it is largest at one end and least at the other.",
           "C contains zero, and the box is symmetric: their product reaches as far as the larger of both ends of C."],
    draw=a_held_pendulum,
    solve=krawczyk,
    mistakes=[
        Mistake("radians_as_degrees", "An angle in radians was used as if it were in degrees.", with_changed(krawczyk, y=math.radians, r=math.radians)),
        Mistake("correction_with_a_plus", "The correction has the wrong sign: as in Newton's method it goes against f.", lambda n: krawczyk(n, sign=1.0)),
        Mistake("slope_instead_of_its_inverse", "R is the inverse of the slope, and not the slope.", lambda n: krawczyk(n, over=lambda n: n["W"] * math.cos(n["y"]))),
        Mistake("slope_at_the_guess", "Only the slope at the guess was taken: the one that carries the guess to the root is somewhere in the box.",
                lambda n: krawczyk(n, slopes=lambda n: (n["W"] * math.cos(n["y"]),) * 2)),
        Mistake("half_of_the_box", "The box reaches to both sides of the guess: the slopes of one side are missing.",
                lambda n: {"contraction": krawczyk(n, slopes=lambda n: (n["W"] * math.cos(n["y"] + n["r"]), n["W"] * math.cos(n["y"])))["contraction"]}),
        Mistake("not_multiplied_by_r", "The slopes have to be multiplied by R.",
                lambda n: {"contraction": [1 - n["W"] * math.cos(n["y"] - n["r"]), 1 - n["W"] * math.cos(n["y"] + n["r"])]}),
        Mistake("image_without_the_correction", "The image is centred on the correction.", image_with(None, carried=0.0)),
        Mistake("image_not_times_the_box", "C has to be multiplied by the box.", image_with(lambda C, r: C)),
        Mistake("box_of_one_sign", "The box has both signs: C was multiplied by its upper end only.", image_with(lambda C, r: [r * C[0], r * C[1]])),
        Mistake("box_moved", "This is the whole box, moved by the correction: C makes it much smaller.", image_with(lambda C, r: [-r, r])),
        Mistake("enclosure_of_the_root", "These are positions: the image is that of the box of errors, so that the guess is not added.",
                lambda n: {"image": [n["y"] + x for x in krawczyk(n)["image"]]}),
    ],
)  # fmt: skip


# --- another library ------------------------------------------------------------------------------------------------


def rotation(quaternion):
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])  # fmt: skip


def to_ours(n, read=None, product=-1.0, turned=True, rates_turned=True, gravity=0.0):
    """Body twist and its rate from velocities and accelerations along the axes of the world."""
    whole = np.array(n["quaternion"]) / n["length"]
    R = rotation(read(whole) if read else whole) if turned else np.eye(3)
    w, v = R.T @ n["angular"], R.T @ n["linear"]
    back = R.T if rates_turned else np.eye(3)
    return {"w": w, "v": v, "w_rate": back @ n["angular_rate"], "v_rate": back @ (np.array(n["linear_rate"]) + [0.0, 0.0, gravity]) + product * cross(w, v)}


def only_v_rate(**changes):
    return lambda n: {"v_rate": to_ours(n, **changes)["v_rate"]}


# Whole numbers whose squares add up to a square: (w, x, y, z, length)
QUATERNIONS = [(1, 2, 2, 4, 5), (2, 4, 5, 6, 9), (1, 1, 3, 5, 6), (2, 2, 4, 5, 7), (1, 3, 3, 9, 10), (1, 5, 5, 7, 10), (2, 1, 4, 10, 11)]


def a_base(source):
    *whole, length = source.choice(QUATERNIONS)
    return {"quaternion": [source.choice([1, -1]) * x for x in source.shuffled(whole)], "length": length, "linear": source.vector(0.3, 2.4, 1), "angular": source.vector(0.4, 2.9, 1),
            "linear_rate": source.vector(0.6, 5.8, 1), "angular_rate": source.vector(0.6, 5.8, 1)}  # fmt: skip


def halves_exchanged(n):
    return to_ours({**n, "linear": n["angular"], "angular": n["linear"], "linear_rate": n["angular_rate"], "angular_rate": n["linear_rate"]})


LIBRARY = Exercise(
    name="base_of_another_library", chapter="oracle", stars=2, kind="number", title="What another library says of its base",
    text=r"""Another library describes a floating base by a quaternion with its scalar part first, <quaternion>/<length>, which turns components along the axes of the base into those
along the axes of the world. The velocity of the base has its linear half first, along the axes of the
world, and is that of the origin of the base: <linear> m/s and <angular> rad/s. The acceleration is written in the same manner, the linear half is the acceleration of
that origin, as a camera in the room sees it: <linear_rate> m/s\f$^2\f$ and <angular_rate> rad/s\f$^2\f$. Which body
twist does our library want for it, and which rate of that?""",
    asks={"w": "angular half of the body twist, in the frame of the base (rad/s)", "v": "linear half of the body twist, in the frame of the base (m/s)",
          "w_rate": "rate of the angular half, in the frame of the base (rad/s^2)", "v_rate": "rate of the linear half, in the frame of the base (m/s^2)"},
    hints=["Find the rotation matrix of the quaternion. Its transpose turns components along the axes of the world into those along the axes of the base.",
           "The acceleration of a point is not the rate of the components of its velocity: the axes turn.",
           "Which product of angular and linear velocity differs between both?"],
    draw=a_base,
    solve=to_ours,
    mistakes=[
        Mistake("scalar_part_last", "The quaternion was read with its scalar part last.", lambda n: to_ours(n, read=lambda q: np.roll(q, 1))),
        Mistake("turned_the_wrong_way", "The components were turned from the base to the world, instead of back.",
                lambda n: to_ours(n, read=lambda q: q * [1, -1, -1, -1])),
        Mistake("axes_of_the_world", "These are components along the axes of the world.", lambda n: to_ours(n, turned=False)),
        Mistake("linear_half_first", "The library has the linear half first: the halves are exchanged.", halves_exchanged),
        Mistake("classical_acceleration", "The acceleration of a point was taken for the rate of components: w x v is to be subtracted.", only_v_rate(product=0.0)),
        Mistake("product_added", "The product of angular and linear velocity is to be subtracted.", only_v_rate(product=1.0)),
        Mistake("product_twice", "The product of angular and linear velocity counts once: the origin does not move in the base.", only_v_rate(product=-2.0)),
        Mistake("gravity_added", "No gravity is in the acceleration that the library gives, and none in ours.", only_v_rate(gravity=9.81)),
        Mistake("rates_not_turned", "The accelerations are still along the axes of the world.",
                lambda n: {name: value for name, value in to_ours(n, rates_turned=False).items() if "rate" in name}),
        Mistake("quaternion_not_normalised", "The quaternion was not divided by its length.", with_changed(to_ours, length=lambda x: 1)),
    ],
)  # fmt: skip


# --- derivations ----------------------------------------------------------------------------------------------------

SECOND = Exercise(
    name="second_derivative_from_values", chapter="oracle", stars=1, kind="derive", title="A second derivative without a difference quotient",
    text=r"""As in the chapter, let one angle run, so that \f$\tau(q) = a_0 + a_1\cos q + b_1\sin q + a_2\cos2q + b_2\sin2q\f$. Show that
\f[ \tau''(0) = \tau(\tfrac\pi2) + \tau(-\tfrac\pi2) - \tfrac32\tau(0) - \tfrac12\tau(\pi) . \f]
There are five unknown numbers, and four values are enough. Why? Test the formula with \f$\tau = \sin^2q\f$. By how much is the difference quotient with the step \f$h\f$
wrong for this function?""",
    hints=["Differentiate twice, and set q = 0: which of the five numbers remain?", "Write down the four values. In which combination of them does a_0 vanish?"],
    solution=r"""Differentiated twice at zero, \f$\tau''(0) = -a_1 - 4a_2\f$. The sines are gone. The values are
\f[ \tau(0) = a_0 + a_1 + a_2 , \quad \tau(\pi) = a_0 - a_1 + a_2 , \quad \tau(\pm\tfrac\pi2) = a_0 \pm b_1 - a_2 . \f]
The first two give \f$a_1 = \tfrac12\left(\tau(0) - \tau(\pi)\right)\f$. The sum of the last two is \f$2a_0 - 2a_2\f$ and that of the first two \f$2a_0 + 2a_2\f$, so that
\f$4a_2 = \tau(0) + \tau(\pi) - \tau(\tfrac\pi2) - \tau(-\tfrac\pi2)\f$. Together
\f[ -a_1 - 4a_2 = -\tfrac12\tau(0) + \tfrac12\tau(\pi) - \tau(0) - \tau(\pi) + \tau(\tfrac\pi2) + \tau(-\tfrac\pi2) , \f]
which is the formula. It needs two of the five numbers only. Of the other three \f$b_2\f$ occurs in none of these values, \f$b_1\f$ cancels in a sum, and \f$a_0\f$ in
the differences. (The factors add up to zero, as they must: a
constant has no derivative.)
For \f$\sin^2q\f$ the values are 1, 1, 0 and 0, and the formula gives 2. This is right, since \f$\sin^2q = \tfrac12(1 - \cos2q)\f$ has the second derivative
\f$2\cos2q\f$. The difference quotient is
\f[ \frac{\sin^2h - 2\cdot0 + \sin^2h}{h^2} = 2\left(\frac{\sin h}h\right)^2 = 2 - \tfrac23h^2 + \ldots , \f]
and a small \f$h\f$ does not help without limit, because it divides rounding errors by \f$h^2\f$. The formula has no \f$h\f$. Its rounding errors are those of four
values.""",
)  # fmt: skip

CONDITION = Exercise(
    name="condition_of_the_carriage", chapter="oracle", stars=2, kind="derive", title="The condition of a carriage",
    text=r"""For the carriage of mass \f$m_1\f$ under the block of mass \f$m_2\f$ show that the condition number \f$\kappa\f$ of the mass matrix obeys
\f[ \kappa + 2 + \frac1\kappa = \frac{(m_1 + 2m_2)^2}{m_1m_2} , \f]
so that it is nearly \f$4m_2/m_1\f$ for a heavy block, and check the number of the chapter. Which masses make it least, and how small is it then? Then choose the place
of the block in the room as the second coordinate, instead of its place on the carriage. What is the condition now? Explain why the articulated body
algorithm does not lose digits in either case, although the machine is the same.""",
    hints=["The condition of a symmetric positive definite matrix is the ratio of its eigenvalues.", "Square the trace and divide by the determinant.",
           "What does the block leave of itself on the carriage, if nothing holds it along its rail?"],
    solution=r"""Let \f$\lambda\ge\mu > 0\f$ be the eigenvalues. Their sum is the trace \f$m_1 + 2m_2\f$, their product the determinant \f$(m_1 + m_2)m_2 - m_2^2 = m_1m_2\f$. With
\f$\kappa = \lambda/\mu\f$
\f[ \frac{(\lambda + \mu)^2}{\lambda\mu} = \frac\lambda\mu + 2 + \frac\mu\lambda = \kappa + 2 + \frac1\kappa . \f]
This is the formula. With \f$x = m_2/m_1\f$ its right side is \f$(1 + 2x)^2/x = 4x + 4 + 1/x\f$, so that \f$\kappa\f$ is nearly \f$4x + 2\f$ for large \f$x\f$. For
\f$x = 2^{26}\f$ that is \f$2^{28} = 2.7\cdot10^8\f$, as in the chapter.
The left side grows with \f$\kappa\ge1\f$, so that \f$\kappa\f$ is least where \f$4x + 1/x\f$ is: at \f$x = \tfrac12\f$, with the right side 8. Then
\f$\kappa + 1/\kappa = 6\f$ and \f$\kappa = 3 + 2\sqrt2 = 5.83\f$. These coordinates are never perfectly conditioned,
because moving the first one takes the block along.
In the room the energy is \f$\tfrac12m_1\dot x_1^2 + \tfrac12m_2\dot x_2^2\f$, and the mass matrix is diagonal, with the ratio of the masses as its condition:
\f$2^{26}\f$, which is still large. But this is harmless: elimination with a diagonal matrix divides each force by its mass, which is
one rounding. The condition number bounds the loss, and need not be paid. What is lost with the first matrix is lost in the sum \f$m_1 + m_2\f$, where the last digits of
\f$m_1\f$ have no room, and in taking
\f$m_2\f$ away again.
The articulated body algorithm first asks what the carriage feels of the block along the rail. The block can slide, so that this is \f$m_2 - m_2\,(m_2/m_2) = 0\f$,
without any rounding, since a number divided by itself is 1; the carriage has the articulated inertia \f$m_1 + 0\f$. The sum of
both masses is never made. With the place in the room as its coordinate the block hangs on the ground in the tree, and the carriage feels nothing of it from the start.""",
)  # fmt: skip

EXERCISES = [DIGITS, LADDER, RESIDUAL, INTERVALS, LIBRARY, KRAWCZYK, SECOND, CONDITION]
