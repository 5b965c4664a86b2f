"""Meaning of a model's class scores, and the share of each class."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..layer_names import is_operation
from ..profile.rows import LayerRow
from ..sentences import Sentence
from .values import softmax

LOGITS = "logits"  # scores before a softmax
PROBABILITIES = "probabilities"
LOG_PROBABILITIES = "log-probabilities"
LABELS = "labels"  # a probability for each class alone
LABEL_LOGITS = "label-logits"  # the same before a sigmoid; values alone do not tell them from logits
NUMBER = "number"  # one number that is no class's
BOXES = "boxes"
MASKS = "masks"  # scores for each place on the picture
MEANINGS = (LOGITS, PROBABILITIES, LOG_PROBABILITIES, LABELS, LABEL_LOGITS, NUMBER, BOXES, MASKS)

UNDEFINED = "undefined"  # scores that are no numbers
SEVERAL = "several"  # tensors that may be the scores
MISNAMED = "misnamed"  # other scores than there are names
_NO_CLASSES = {
    NUMBER: Sentence("This model returns one number, which is no probability."),
    BOXES: Sentence("This model returns boxes, and no score for each class of the picture as a whole."),
    MASKS: Sentence("This model returns scores for each place, and none for the picture as a whole."),
    UNDEFINED: Sentence(
        "The scores that this model returns for this picture are no numbers (NaN or infinite)."
    ),
    SEVERAL: Sentence("This model returns several tensors that may be the scores of its classes."),
    MISNAMED: Sentence("This model returns another number of scores than there are names of classes."),
}
_SIGMOIDS = ("sigmoid", "expit")  # torch.special calls it by its other name
# a sigmoid written by hand: a step, and a later one, both behind the weights
_SIGMOIDS_BY_HAND = (
    ("exp", "div"),  # 1 / (1 + exp(-x))
    ("exp", "reciprocal"),
    ("exp", "pow"),
    ("tanh", "add"),  # (1 + tanh(x / 2)) / 2
    ("log_sigmoid", "exp"),
    ("logsigmoid", "exp"),
    ("softplus", "exp"),  # exp(-softplus(-x))
)
# steps behind a sigmoid that share 1 out among the classes
_SHARINGS = (("softmax",), ("sum", "div"))
_ROUNDING = 1e-2  # of a sum over classes in half precision


def output_meaning(scores: NDArray[np.generic], rows: Sequence[LayerRow] = ()) -> str:
    """Find the meaning of a model's ``scores`` (classes,).

    It follows from their values and the layers behind the last weights. Logits that happen to be positive and
    add up to 1 do not occur; numbers between 0 and 1 prove nothing, so they are independent labels only
    behind a sigmoid, and one before a softmax is a gate. ``rows`` is the model's survey, operations included.
    """
    numbers = scores.astype(np.float64)
    between = bool((numbers >= 0).all() and (numbers <= 1).all())
    behind = [row.type.lower() for row in _behind_weights(rows)]
    shared = len(numbers) > 1 and between and abs(numbers.sum() - 1) < _ROUNDING
    sigmoids = [place for place, kind in enumerate(behind) if _is_sigmoid(kind)]
    later = behind[sigmoids[-1] + 1 :] if sigmoids else []
    if between and sigmoids and not (shared and any(_in_order(steps, later) for steps in _SHARINGS)):
        return LABELS
    if shared:
        return PROBABILITIES
    if between and any(_in_order(steps, behind) for steps in _SIGMOIDS_BY_HAND):
        return LABELS
    if len(numbers) == 1:
        return NUMBER
    if (numbers <= 0).all() and abs(np.exp(numbers).sum() - 1) < _ROUNDING:
        return LOG_PROBABILITIES
    return LOGITS


def class_shares(scores: NDArray[np.generic], meaning: str) -> NDArray[np.float64] | None:
    """Return each class's probability (classes,); None if the scores name no classes."""
    if meaning in _NO_CLASSES:
        return None
    if meaning == LOGITS:
        return softmax(scores)
    numbers = scores.astype(np.float64)
    if meaning == LABEL_LOGITS:
        shares: NDArray[np.float64] = np.exp(-np.logaddexp(0, -numbers))  # a sigmoid that does not overflow
        return shares
    return np.exp(numbers) if meaning == LOG_PROBABILITIES else numbers


def why_no_classes(meaning: str, *, named: bool) -> Sentence:
    """Return the reason why outputs of this meaning have no class scores.

    ``named`` is whether the model's classes have names.
    """
    if meaning in _NO_CLASSES:
        return _NO_CLASSES[meaning]
    if named:
        return Sentence("This model returns no score for each of its classes.")
    return Sentence("This model does not name classes.")


def _behind_weights(rows: Sequence[LayerRow]) -> list[LayerRow]:
    """Return what ran behind all weights, in the order of their ends."""
    ran = [row for row in rows if row.ends and not row.children]
    learned = [row.ends[-1] for row in ran if row.parameters and not is_operation(row.name)]
    last = max(learned, default=-1)
    return sorted((row for row in ran if row.ends[-1] > last), key=lambda row: row.ends[-1])


def _is_sigmoid(kind: str) -> bool:
    return any(word in kind for word in _SIGMOIDS) and "log" not in kind


def _in_order(steps: Sequence[str], kinds: Sequence[str]) -> bool:
    """Check whether each of ``steps`` occurs among ``kinds``, in this order."""
    left = iter(kinds)
    return all(step in left for step in steps)
