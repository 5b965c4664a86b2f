"""Lines of Python that capture a gradient at a layer.

It is that of a class score, at the layer's output or input.
"""

import re

from ..errors import RequestError

MEMORY = [
    "def hook_memory(tensor, see):",
    '    """Have see(gradient) called with what comes back to this memory, whoever reads it from now on."""',
    "    with torch.autograd.grad_mode._unsafe_preserve_version_counter(tensor):",
    "        tensor.add_(torch.tensor(-0.0, requires_grad=True))  # the same numbers, as a step of their own",
    "    memory = tensor if tensor._base is None else tensor._base",
    "    offset = tensor.storage_offset() - memory.storage_offset()",
    "    shape, strides = tensor.size(), tensor.stride()",
    "",
    "    def at_memory(gradient):",
    "        whole = gradient.new_empty_strided(memory.size(), memory.stride()).copy_(gradient)",
    "        part = whole.as_strided(shape, strides, offset)",
    "        part.copy_(see(part))",
    "        return whole",
    "",
    "    memory.register_hook(at_memory)",
    *["", ""],
]
"""Lines that place a hook where a layer has written into what it was given, and others read it too."""


def gradient_keep(path: str, *, outputs: bool = False, overwritten: bool = False) -> list[str]:
    """Return the lines that define ``keep``, a hook for a gradient.

    The hook runs before or after a layer, for the gradient at ``path``. Call by call, it fills ``calls`` as
    the gradients come back; if they are wanted too, ``outputs`` is filled with what the layer returned. If
    the layer writes into what it is given, ``MEMORY`` must come before.

    Raises:
        RequestError: it is neither a whole output nor a positional input.
    """
    place = re.fullmatch(r"inputs\[(\d+)\]", path)
    if place is not None:
        given, number = f"args[{place[1]}]", int(place[1])
        if overwritten:
            return ["def keep(layer, args):", *_at_memory(given, [])]
        front = f"*args[:{number}], " if number else ""
        returned = f"({front}flows, *args[{number + 1}:])"
        return ["def keep(layer, args):", *_flowing(given), f"    return {returned}"]
    if path != "output":
        raise RequestError(
            "A script makes gradients at a layer's whole output or at one of its inputs: choose such a value."
        )
    kept = ["    outputs.append(output.detach().clone())"] if outputs else []
    if overwritten:
        return ["def keep(layer, args, output):", *_at_memory("output", kept)]
    return ["def keep(layer, args, output):", *_flowing("output"), *kept, "    return flows"]


def _at_memory(value: str, kept: list[str]) -> list[str]:
    return [
        '    """See what flows back into memory that the layer writes into: others may read it too."""',
        *kept,
        "    place = len(calls)",
        "    calls.append(None)",
        "",
        "    def see(gradient):",
        "        calls[place] = gradient.detach().clone()",
        "        return gradient",
        "",
        f"    hook_memory({value}, see)",
    ]


def _flowing(value: str) -> list[str]:
    return [
        '    """Let a copy flow on, and see what flows back through it; the graph may begin here."""',
        f"    place, known = len(calls), {value}.requires_grad",
        f"    flows = ({value} if known else {value}.detach().requires_grad_()).clone()",
        "    calls.append(None)",
        "    flows.register_hook(lambda gradient: calls.__setitem__(place, gradient.detach().clone()))",
    ]


def gradient_run(target: int) -> list[str]:
    """Return the lines that run ``model`` forward and backward.

    The way back begins at the score of the class ``target``.
    """
    return [
        f"score = model(*arguments)[0, {target}]  # of class {target}, counted from 0",
        "score.backward()",
    ]
