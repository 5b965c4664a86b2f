"""Timeline of a pass's hooks, and a layer's value in memory."""

from typing import Literal

from .message import Answer, Message, Png, Shape

HookKind = Literal["pre-hook", "forward hook", "full backward pre-hook", "full backward hook", "tensor hook"]
Way = Literal["reference", "detach", "cpu", "clone"]
Shapes = tuple[Shape | None, ...]


class HookEvent(Message, frozen=True, kw_only=True):
    """One hook that fired, and the shapes that it was given.

    A shape is null where there is no gradient.

    Attributes:
        call: which call of the layer, counted from 0.
        inputs: of the positional inputs.
        input_gradients: with respect to the positional inputs; likewise ``output_gradients``.
        tensor: of a tensor hook, which tensor of the output it sits on, such as ``output[0]``.
        number: its place among all hooks that fired, from 0.
        refused: whether torch itself refuses such a hook there, because something works in place.
        code: the lines of code whose hook fires here, as places among the timeline's lines.
        lit: the place in ``code`` of the line that runs when it fires.
        caller: the place in ``code`` of the line from which PyTorch comes to it.
    """

    kind: HookKind
    layer: str
    call: int
    inputs: Shapes
    outputs: Shapes
    input_gradients: Shapes
    output_gradients: Shapes
    tensor: str
    number: int
    refused: bool
    code: tuple[int, ...]
    lit: int
    caller: int


class HookBar(Message, frozen=True):
    """One call of one layer in one direction, on the timeline.

    Places are those among the events that are shown.

    Attributes:
        call: counted from 0.
        backward: whether it is on the way back.
        first: the place of the hook that opens it.
        last: the place of the hook that closes it.
        depth: how many shown layers are around it.
    """

    layer: str
    call: int
    backward: bool
    first: int
    last: int
    depth: int


class TimelineFacts(Answer, frozen=True, kw_only=True):
    """timeline.json: the hooks of a pass in the order of firing.

    Attributes:
        bars: one for each call in each direction.
        lines: every line of the events' code, each once.
        total: how many hooks fired.
        left_out: how many of them are not among the events.
        folded: how many layers have no event here.
    """

    events: tuple[HookEvent, ...]
    bars: tuple[HookBar, ...]
    lines: tuple[str, ...]
    total: int
    left_out: int
    folded: int


class KeptFacts(Message, frozen=True, kw_only=True):
    """Result of one way of keeping a value, after the pass.

    Attributes:
        shares: whether it is the layer's own memory, into which later layers may write.
        copied: the memory that it takes of its own, in bytes.
        wrong: the share of values that differ from those at the hook, 0 to 1.
    """

    way: Way
    shares: bool
    copied: int
    wrong: float


class MomentFacts(Message, frozen=True, kw_only=True):
    """A layer's memory from one hook of the pass on.

    The hook is the layer's own, or the first one behind something that wrote.

    Attributes:
        number: that hook's place among all of the pass, from 0.
        writes: how many operations have written into the memory by then.
        changed: the share of its values that differ from those at the layer's hook, 0 to 1.
        blocks: the same for equal parts of the memory, in its order.
    """

    number: int
    writes: int
    changed: float
    blocks: tuple[float, ...]
    png: Png


class MemoryFacts(Answer, frozen=True, kw_only=True):
    """memory.json: a layer's value in memory as the pass goes on.

    It also has the ways of keeping the value.

    Attributes:
        call: counted from 0.
        writes: the number of operations that wrote into its memory after the hook.
        changed: the share of its values that differ after the pass, 0 to 1.
        channels: the channels on the pictures: those that changed most.
        bytes: the memory that the value takes.
        moments: the memory at the layer's hook, and whenever something had written into it.
        written: the names of all layers whose value is written over.
    """

    layer: str
    call: int
    shape: Shape
    writes: int
    changed: float
    channels: tuple[int, ...]
    bytes: int
    moments: tuple[MomentFacts, ...]
    kept: tuple[KeptFacts, ...]
    written: tuple[str, ...]
