"""Lines of Python that capture the gradient of a class score at a layer's output or input."""

import re

from ..errors import RequestError


def gradient_keep(path: str, *, outputs: bool = False) -> list[str]:
    """Return the lines that define ``keep``, a hook before or after a layer, for the gradient at this path.

    Call by call, it fills ``calls`` as the gradients come back; if they are wanted too, ``outputs`` is filled
    with what the layer returned.

    Raises:
        RequestError: it is neither a whole output nor a positional input.
    """
    place = re.fullmatch(r"inputs\[(\d+)\]", path)
    if place is not None:
        given, number = f"args[{place[1]}]", int(place[1])
        front = f"*args[:{number}], " if number else ""
        returned = f"({front}flows, *args[{number + 1}:])"
        return ["def keep(layer, args):", *_flowing(given), f"    return {returned}"]
    if path != "output":
        raise RequestError(
            "A script makes gradients at a layer's whole output or at one of its inputs: choose such a value."
        )
    kept = ["    outputs.append(output.detach().clone())"] if outputs else []
    return ["def keep(layer, args, output):", *_flowing("output"), *kept, "    return flows"]


def _flowing(value: str) -> list[str]:
    return [
        '    """Let a copy flow on, and see what flows back through it; the graph may begin here."""',
        f"    place, known = len(calls), {value}.requires_grad",
        f"    flows = ({value} if known else {value}.detach().requires_grad_()).clone()",
        "    calls.append(None)",
        "    flows.register_hook(lambda gradient: calls.__setitem__(place, gradient.detach().clone()))",
    ]


def gradient_run(target: int) -> list[str]:
    """Return the lines that run ``model`` on ``arguments``, and backward from the score of a class."""
    return [
        f"score = model(*arguments)[0, {target}]  # of class {target}, counted from 0",
        "score.backward()",
    ]
