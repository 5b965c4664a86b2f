"""Expressions of Python for layers of a model, whose dotted names are not always expressions."""

from keyword import iskeyword

from torch import nn


def expression(model: nn.Module, name: str, root: str = "model") -> str:
    """Return the expression for a layer: ``model.layer1[0].conv1``, or ``get_submodule`` where none is short.

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
    """From a layer to one inside it; empty if neither a dot nor an index leads there."""
    if part.isidentifier() and not iskeyword(part):
        return f".{part}"
    if isinstance(parent, nn.Sequential | nn.ModuleList) and part.isdecimal():
        place = int(part)
        return f"[{place}]" if place < len(parent) and parent[place] is child else ""
    return ""
