"""An engine with a fault: everything is passed on to another engine, but for what the fault changes on its way.

usage: faulty.py FAULT COMMAND...     where the faults are the classes of this file
"""
import json
import re
import subprocess
import sys


class Faulty:
    """What a fault may change: the text of a model, a state, and the answers to it."""

    def model(self, message):
        """Changes the message before the engine reads it."""

    def state(self, state):
        """Changes the state before the engine reads it."""

    def answers(self, state, answers):
        """Changes the answers before they are sent."""


def numbers_of(name, text, change):
    """The text with the numbers of all attributes of this name changed."""

    def changed(found):
        return f'{name}="{" ".join(repr(change(float(x))) for x in found[1].split())}"'

    return re.sub(rf'{name}="([^"]*)"', changed, text)


class gravity_of_its_own(Faulty):
    """Whatever a state says, things fall along -z."""

    def state(self, state):
        state["gravity"] = [0, 0, -9.81]


class a_point_at_the_base(Faulty):
    """A mass that no one has described sits at the origin of the base."""

    def answers(self, state, answers):
        if "base" in state and "mass_matrix" in answers:
            for k in (3, 4, 5):
                answers["mass_matrix"][k][k] += 0.5


class joints_by_the_file(Faulty):
    """Forces come in the order in which the file has the joints."""

    def model(self, message):
        names = re.findall(r'<joint name="([^"]*)"', message["text"])
        self.order = [message["joints"].index(name) for name in names if name in message["joints"]]

    def answers(self, state, answers):
        if tau := answers.get("inverse_dynamics"):
            base = len(tau) - len(self.order)
            answers["inverse_dynamics"] = tau[:base] + [tau[base + k] for k in self.order]


class axes_without_a_sign(Faulty):
    """Of an axis only the line is read."""

    def model(self, message):
        def upward(found):
            x = [float(part) for part in found[1].split()]
            sign = -1 if x[2] < 0 else 1
            return f'<axis xyz="{" ".join(repr(sign * a) for a in x)}"'

        message["text"] = re.sub(r'<axis xyz="([^"]*)"', upward, message["text"])


class springs(Faulty):
    """Every joint is drawn to its zero."""

    def answers(self, state, answers):
        if tau := answers.get("inverse_dynamics"):
            base = len(tau) - len(state["q"])
            for k, q in enumerate(state["q"]):
                tau[base + k] += 0.25 * q


class rotors(Faulty):
    """Every joint turns a rotor, whatever the masses are."""

    def answers(self, state, answers):
        for k, row in enumerate(answers.get("mass_matrix", [])):
            row[k] += 0.25


class millimetres(Faulty):
    """Places are read to a millimetre."""

    def model(self, message):
        message["text"] = numbers_of("xyz", message["text"], lambda x: round(x, 3))


class damping(Faulty):
    """Every joint is damped."""

    def answers(self, state, answers):
        if tau := answers.get("inverse_dynamics"):
            for k, rate in enumerate(state["qd"]):
                tau[k] += 0.25 * rate


class nothing_is_held(Faulty):
    """What a fixed joint holds weighs nothing."""

    def model(self, message):
        text = message["text"]
        held = re.findall(r'type="fixed">\s*<parent link="[^"]*"/>\s*<child link="([^"]*)"', text)
        for link in held:
            text = re.sub(rf'(<link name="{link}">.*?<mass value=)"[^"]*"', r'\1"0"', text, flags=re.DOTALL)
        message["text"] = text


class no_coriolis(Faulty):
    """Inverse dynamics forgets the rates."""

    def answers(self, state, answers):
        if "inverse_dynamics" in answers:
            answers["inverse_dynamics"] = [a - b for a, b in zip(answers["inverse_dynamics"], answers["coriolis_force"])]


class wrenches_reversed(Faulty):
    """What pushes is taken for what is pushed."""

    def state(self, state):
        for F in state.get("external_wrenches", {}).values():
            F[:] = [-x for x in F]


class no_potential(Faulty):
    """Gravity has no energy."""

    def answers(self, state, answers):
        if "potential_energy" in answers:
            answers["potential_energy"] = 0.0


class momentum_of_the_shadow(Faulty):
    """The momentum has no part along z."""

    def answers(self, state, answers):
        if "momentum" in answers:
            answers["momentum"][5] = 0.0


class constant_momentum(Faulty):
    """The momentum about the centre of mass is said not to change."""

    def answers(self, state, answers):
        if "centroidal_momentum_rate" in answers:
            answers["centroidal_momentum_rate"] = [0.0] * 6


class momentum_about_the_base(Faulty):
    """The momentum is taken about the base and not about the origin."""

    def answers(self, state, answers):
        if "base" in state and "momentum" in answers:
            (x, y, z), (a, b, c) = state["base"]["position"], answers["momentum"][3:]
            for k, moment in enumerate((y * c - z * b, z * a - x * c, x * b - y * a)):
                answers["momentum"][k] -= moment


class rising(Faulty):
    """Gravity pushes upward."""

    def state(self, state):
        state["gravity"] = [-x for x in state["gravity"]]


class silent(Faulty):
    """The engine ends at the first state."""

    def state(self, state):
        sys.exit("no more")


def as_table(name, numbers):
    """Of a machine with one joint many answers are a single number."""
    if isinstance(numbers, list) or name.endswith("_energy"):
        return numbers
    return [[numbers]] if name == "mass_matrix" else [numbers]


def main(fault, command):
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:

        def ask(message):
            print(json.dumps(message), file=engine.stdin, flush=True)
            return json.loads(engine.stdout.readline())

        for line in sys.stdin:
            message = json.loads(line)
            if message["message"] == "stop":
                break
            if message["message"] == "model":
                fault.model(message)
            if message["message"] == "state":
                given = json.loads(json.dumps(message["state"]))
                fault.state(message["state"])
                asked = message["quantities"]
                message["quantities"] = sorted({*asked, "coriolis_force"})
                reply = ask(message)
                tables = {name: as_table(name, numbers) for name, numbers in reply["answers"].items()}
                fault.answers(given, tables)
                reply["answers"] = {name: tables[name] for name in asked}
            else:
                reply = ask(message)
            print(json.dumps(reply), flush=True)
        engine.stdin.close()


if __name__ == "__main__":
    main(globals()[sys.argv[1]](), sys.argv[2:])
