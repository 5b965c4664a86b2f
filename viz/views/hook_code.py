"""One hook of the timeline as lines of plain PyTorch."""

from typing import NamedTuple

from ..profile.event import Event, Shapes

_GIVEN = {
    "pre-hook": "module, inputs",
    "forward hook": "module, inputs, output",
    "full backward pre-hook": "module, grad_output",
    "full backward hook": "module, grad_input, grad_output",
}
_WHOLE = {  # what is printed where no tensor is given
    "pre-hook": "inputs",
    "forward hook": "output",
    "full backward pre-hook": "grad_output",
    "full backward hook": "grad_input",
}
_REGISTER = {
    "pre-hook": "register_forward_pre_hook",
    "forward hook": "register_forward_hook",
    "full backward pre-hook": "register_full_backward_pre_hook",
    "full backward hook": "register_full_backward_hook",
    "tensor hook": "register_forward_hook",
}


class HookCode(NamedTuple):
    """Lines of Python that need ``model``, and ``picture`` for its argument.

    Attributes:
        lines: without line ends.
        lit: the place of the line that runs when the hook fires.
        caller: the place of the line from which PyTorch comes to it.
    """

    lines: tuple[str, ...]
    lit: int
    caller: int


def hook_code(event: Event, target: int | None = None) -> HookCode:
    """Return code whose hook fires at this event.

    It also fires at that event of every other call of the layer.

    Args:
        event: one event of ``viz.profile.events.timeline``.
        target: the class from whose score the backward pass starts.
    """
    if event.kind == "tensor hook":
        hooks, lit = _tensor_hook(event)
    else:
        printed = _printed(event.first, _WHOLE[event.kind], _first_shape(event))
        hooks, lit = (f"def hook({_GIVEN[event.kind]}):", printed, ""), 1
    there = event.kind in {"pre-hook", "forward hook"}
    layer = event.reached or f"model.get_submodule({event.layer!r})"
    name = "at_forward" if event.kind == "tensor hook" else "hook"
    lines = (
        *hooks,
        f"handle = {layer}.{_REGISTER[event.kind]}({name})",
        "model(picture)" if there else f"model(picture.requires_grad_())[0, {target or 0}].backward()",
        "handle.remove()",
    )
    return HookCode(lines, lit, len(lines) - 2)


def _tensor_hook(event: Event) -> tuple[tuple[str, ...], int]:
    """Return a tensor's hook, and the forward hook that registers it."""
    lines = (
        "def hook(gradient):",
        _printed("gradient", "gradient", _first_shape(event)),
        "",
        "def at_forward(module, inputs, output):",
        f"    {event.tensor or 'output'}.register_hook(hook)",
        "",
    )
    return lines, 1


def _printed(first: str, whole: str, shape: tuple[int, ...] | None) -> str:
    """Return the hook's line, which prints its first tensor's shape."""
    if not first or shape is None:
        return f"    print({whole})"
    return f"    print({first}.shape)  # torch.Size({list(shape)})"


def _first_shape(event: Event) -> tuple[int, ...] | None:
    """The shape of the tensor that ``event.first`` names."""
    by_kind: dict[str, Shapes] = {
        "pre-hook": event.inputs,
        "forward hook": event.outputs,
        "full backward hook": (*event.input_gradients, *event.output_gradients),
    }
    shapes = by_kind.get(event.kind, event.output_gradients)
    return next((shape for shape in shapes if shape is not None), None)
