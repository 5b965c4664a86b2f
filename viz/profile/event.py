"""One hook that fired, in plain values."""

from dataclasses import dataclass

from ..answers.hooks import HookKind

Shapes = tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True)
class Event:
    """One hook that fired, and the shapes of its arguments.

    Attributes:
        kind: which hook.
        layer: the layer's name.
        call: which call of the layer, counted from 0.
        inputs: of the tensors among the positional inputs; a plain hook is not shown those given by keyword.
        outputs: of the tensors that the layer returned.
        input_gradients: of the gradients with respect to the positional inputs; None if it has none.
        output_gradients: of the gradients with respect to the outputs; None if it has none.
        tensor: for a tensor hook, which tensor of the output it sits on, such as ``output[0]``.
        number: its place among all hooks of the pass, from 0.
        reached: the expression for the layer, such as ``model.layer1[0].conv1``.
        first: the first tensor that the hook is given, such as ``inputs[0]``; empty if there is none.
        refused: torch itself refuses such a hook there, because something works in place on the same memory.

    >>> event = lg.timeline(layers, images, only=("conv1",))[1]
    >>> event.kind, event.layer, event.outputs
    ('forward hook', 'conv1', ((1, 6, 28, 28),))
    """

    kind: HookKind
    layer: str
    call: int
    inputs: Shapes = ()
    outputs: Shapes = ()
    input_gradients: Shapes = ()
    output_gradients: Shapes = ()
    tensor: str = ""
    number: int = 0
    reached: str = ""
    first: str = ""
    refused: bool = False
