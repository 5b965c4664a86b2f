"""Captions for the layer on screen, each a sentence on its output."""

import re
from collections.abc import Sequence

from ...layer_names import is_operation
from ...profile.rows import LayerRow
from ...sentences import Sentence, counted
from ..locale.layer_types import bare_type
from ..locale.translated import translated

_CONVOLUTION = re.compile(r"conv|convsimple|convnotemporal|standardizedconv|stdconv|convsame|lazyconv")
_MAKES = (
    ("convtranspose", Sentence("what this transposed convolution makes of its input")),
    (".*norm(act|fp32)?", Sentence("its input, brought to another scale by this normalisation")),
    ("relu|threshold", Sentence("its input with everything negative turned into 0")),
    ("relu6", Sentence("its input with everything negative turned into 0, and everything above 6 into 6")),
    (
        (
            "(leaky|p|r)relu|elu|selu|celu|(quick)?gelu(tanh)?|silu|swish|(hard)?mish|(hard)?sigmoid|hardswish|"
            "hardtanh|tanh|clamp|clip|softplus|softsign"
        ),
        Sentence("its input after {type}, which changes each value by itself"),
    ),
    ("softmax", Sentence("its input turned into shares that add up to 1")),
    ("(adaptive|fractional)?maxpool", Sentence("the largest value in each window of its input")),
    ("avgpool", Sentence("the mean of each window of its input")),
    (
        "adaptiveavgpool|selectadaptivepool|fastadaptiveavgpool|globalavgpool",
        Sentence("the means of its input over large parts of it, or over all of it"),
    ),
    (
        "linear|nondynamicallyquantizablelinear|normlinear",
        Sentence("the weighted sums that this fully connected layer makes of its input"),
    ),
    (
        "(alpha|feature|patch)?dropout|stochasticdepth|droppath",
        Sentence("its input; only in training does this layer change anything"),
    ),
    ("identity|quantstub|dequantstub", Sentence("its input, unchanged")),
    (
        (
            "flatten|unflatten|reshape|view|unsqueeze|squeeze|expand|permute|swapaxes|transpose|movedim|t|"
            "pixel(un)?shuffle|channelshuffle|roll|flip"
        ),
        Sentence("its input with the values in another arrangement, none of them changed"),
    ),
    ("(zero|reflection|replication|constant|circular)?pad", Sentence("its input with a margin around it")),
    ("upsample|interpolate|upsamplingnearest|upsamplingbilinear", Sentence("its input, enlarged or reduced")),
    (".*attention(v2|forward)?", Sentence("its input, each place mixed with those that it attends to")),
    ("add", Sentence("the sum of its inputs, place by place")),
    ("mul", Sentence("the product of its inputs, place by place")),
    ("cat|concat|concatenate", Sentence("its inputs, one after the other")),
)


def sentences(rows: Sequence[LayerRow], first: str, language: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the distinct sentences about rows, and each row's place among them.

    Args:
        rows: every layer and operation of a model.
        first: the layer that is shown at first.
        language: of the page.
    """
    said = [translated(made_by(row, rows, first), language) for row in rows]
    texts = list(dict.fromkeys(said))
    place = {text: at for at, text in enumerate(texts)}
    return tuple(texts), tuple(place[text] for text in said)


def made_by(row: LayerRow, rows: Sequence[LayerRow], first: str) -> Sentence:
    """Return the sentence on how a row makes its output.

    ``first`` is the layer that is shown at first: if that is a convolution, its input is the picture.
    """
    known = bare_type(row.type)
    if _CONVOLUTION.fullmatch(known) and (row.convolves or is_operation(row.name)):
        return _convolved(row, of_picture=row.name == first)
    if row.children and not known.endswith("attention"):
        return _block(row, rows)
    found = next((text for pattern, text in _MAKES if re.fullmatch(pattern, known)), None)
    if found is None and is_operation(row.name):
        return Sentence("what {type} returned, which the model's code calls between layers", type=row.type)
    text = found or Sentence("what this layer, {type}, makes of its input")
    return Sentence.of_count(text.english, "", {"type": row.type} if "{type}" in text else {})


def _convolved(row: LayerRow, *, of_picture: bool) -> Sentence:
    window = next(iter(re.findall(r"(?<=, )[\d×]+(?=, stride)", row.detail)), "")
    channels, groups = re.match(r"\d+", row.detail), re.search(r"(?<=groups )\d+", row.detail)
    if groups and channels and groups[0] == channels[0]:
        return Sentence(
            "what this depthwise {window} convolution makes of its input, each channel by itself",
            window=window,
        )
    if of_picture:
        return Sentence("what this {window} convolution makes of the picture", window=window)
    if window:
        return Sentence("what this {window} convolution makes of its input", window=window)
    return Sentence("what this convolution makes of its input")


def _block(row: LayerRow, rows: Sequence[LayerRow]) -> Sentence:
    inside = sum(_computes(other) and other.name.startswith(f"{row.name}.") for other in rows)
    if not inside:
        return Sentence("what this block makes of its input")
    return counted(
        "what the layer inside this block makes of its input",
        "what the {count} layers inside this block make of its input",
        count=inside,
    )


def _computes(row: LayerRow) -> bool:
    """Return whether a row is an innermost layer that ran."""
    return bool(row.calls) and not row.children and not is_operation(row.name)
