"""Questions about output shapes of layers that are described in words."""

import random
import re
from math import prod

from ...profile.rows import LayerRow
from ..question import CHOICES, Question
from ..scene import Scene, sizes

CONVOLUTION = re.compile(r"(\d+)→(\d+), (\d+)×\3, stride (\d+)(?:, padding (\d+))?")
POOLING = re.compile(r"(\d+)×\1, stride \1")
SAME = ("ReLU", "ReLU6", "BatchNorm2d")
MOST_FILTERS = 64  # of a layer that can be worked out in one's head
WITH_MAPS, FLAT = 3, 1  # axes of what goes in, without the batch
Lengths = tuple[int, ...]
Facts = dict[str, str]
Asked = tuple[str, Facts, list[Lengths]]
"""The sentence that asks, what it says, and wrong shapes, of which the right one may be one."""


def which_output(chance: random.Random, scene: Scene) -> Question | None:
    """Question about the output shape of a layer described in words."""
    kinds = sorted({row.type for row in scene.rows} & {"Conv2d", "MaxPool2d", "Flatten", "Linear", *SAME})
    if not kinds:
        return None
    kind = chance.choice(kinds)
    row = chance.choice([row for row in scene.rows if row.type == kind])
    given, right = (scene.array(row.name, leaf=leaf).shape[1:] for leaf in ("inputs", "output"))
    asked = _asked(row, given, right)
    if asked is None:
        return None
    ask, facts, slips = asked
    wrong = [shape for shape in dict.fromkeys(slips) if shape != right and min(shape) > 0]
    if len(wrong) < CHOICES - 1:
        return None
    choices = [right, *chance.sample(wrong, CHOICES - 1)]
    chance.shuffle(choices)
    facts |= {"given": sizes(given), "shape": sizes(right)}
    texts = [sizes(shape) for shape in choices]
    why = "output_same" if kind in SAME else ask
    return scene.question("output", row, texts, choices.index(right), ask=ask, why=why, facts=facts)


def _asked(row: LayerRow, given: Lengths, right: Lengths) -> Asked | None:
    """Return the question's parts for a layer.

    None if its settings are not simple ones.
    """
    square = len(given) == WITH_MAPS and given[1] == given[2]
    match row.type:
        case "Conv2d" if square:
            return _convolution(row.detail, given, right)
        case "MaxPool2d" if square and (found := POOLING.fullmatch(row.detail)):
            facts = {"kernel": found[1], "channels": str(given[0]), "side": str(given[1])}
            halved = (given[0], given[1] // 2, given[2])
            return "output_pool", facts, [given, halved, (right[1], *right[1:]), (given[0] // 2, *right[1:])]
        case "Linear" if len(given) == FLAT:
            ins, outs = given[0], right[0]
            return "output_linear", {"outs": str(outs)}, [given, (ins + outs,), (ins, outs), (ins * outs,)]
        case "Flatten" if square:
            product = " × ".join(map(str, given))
            return "output_flatten", {"product": product}, [given, (given[0],), (sum(given),), _pooled(given)]
        case kind if kind in SAME and square:
            return f"output_{kind.lower()}", {}, _other_shapes(given)
    return None


def _convolution(detail: str, given: Lengths, right: Lengths) -> Asked | None:
    """The parts of a question about a convolution.

    Its wrong shapes have the input's channels, a wrong border, or a forgotten stride.
    """
    found = CONVOLUTION.fullmatch(detail)
    if found is None:
        return None
    channels, filters, kernel, stride, padding = (int(part or 0) for part in found.groups())
    if kernel == 1 or filters > MOST_FILTERS:  # a window of one value slides over nothing
        return None
    names = {"filters": filters, "kernel": kernel, "stride": stride, "padding": padding, "ins": channels}
    facts = {name: str(value) for name, value in names.items()}
    facts |= {"side": str(given[1]), "out": str(right[1])}
    ask = "output_conv_padded" if padding else "output_conv"
    side = right[1]
    sides = ((channels, side), (filters, given[1]), (filters, side * 2), (filters, side - 2))
    return ask, facts, [(maps, length, length) for maps, length in (*sides, (channels + filters, side))]


def _pooled(given: Lengths) -> Lengths:
    return (given[0], given[1] * given[2])


def _other_shapes(given: Lengths) -> list[Lengths]:
    """Shapes that no step of value by value returns."""
    channels, side, _ = given
    return [(channels, side // 2, side // 2), (channels * 2, side, side), (prod(given),), (1, side, side)]
