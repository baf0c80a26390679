"""An engine in Python: replace what asks `library` by your own and run

./articulate check --engine 'python3 template.py' --model ur5
"""
import json
import sys

import articulate as library  # yours


def load(message):
    return library.Model.parse(message["text"], "the model", floating_base=message["floating_base"])


def answer(model, state):
    base = state.get("base")  # where the root floats: position, then quaternion x y z w, stand first
    q = [*base["position"], *base["quaternion_xyzw"], *state["q"]] if base else state["q"]
    rnea = library.InverseDynamics(model)
    rnea.set_gravity(state["gravity"])
    return {
        "inverse_dynamics": list(rnea(q, state["qd"], state["qdd"], state.get("external_wrenches"))),
        "mass_matrix": [list(row) for row in library.mass_matrix(model, q)],
    }


for line in sys.stdin:
    message = json.loads(line)
    reply = {"message": message["message"]}
    if message["message"] == "start":
        reply.update(name="template", version="1", formats=["urdf", "mjcf"], quantities=["inverse_dynamics", "mass_matrix"])
    elif message["message"] == "model":
        model = load(message)  # reply["cannot"] = "why" where it cannot be read
    elif message["message"] == "state":
        all_answers = answer(model, message["state"])
        reply.update(message="answer", number=message["number"], answers={name: all_answers[name] for name in message["quantities"]})
    else:
        break
    print(json.dumps(reply), flush=True)
