"""Python expressions for layers of a model.

A layer's dotted name is not always an expression.
"""

from keyword import iskeyword

from torch import nn


def expression(model: nn.Module, name: str, root: str = "model") -> str:
    """Return a layer's Python expression, such as ``model.layer1[0].conv1``.

    It is a call of ``get_submodule`` if there is no short one.

    Args:
        model: the model.
        name: the layer's dotted name; empty for the model itself.
        root: the model's name there.
    """
    parent, steps = model, [root]
    for part in name.split(".") if name else ():
        child = parent.get_submodule(part)
        step = _step(parent, part, child)
        if not step:
            return f"{root}.get_submodule({name!r})"
        steps.append(step)
        parent = child
    return "".join(steps)


def _step(parent: nn.Module, part: str, child: nn.Module) -> str:
    """Return the step to an inner layer; empty if there is none."""
    if part.isidentifier() and not iskeyword(part):
        return f".{part}"
    if isinstance(parent, nn.Sequential | nn.ModuleList) and part.isdecimal():
        place = int(part)
        return f"[{place}]" if place < len(parent) and parent[place] is child else ""
    return ""
