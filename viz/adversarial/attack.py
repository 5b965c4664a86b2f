"""Bounded changes of a picture that mislead a net: FGSM and PGD."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from PIL.Image import Image
from torch.nn import functional

from ..errors import LayoutError, RequestError
from ..findings.output_meaning import LOG_PROBABILITIES, LOGITS, PROBABILITIES, class_shares
from ..hooks.activations import LayerActivations
from ..hooks.records import to_array
from ..passes.attribution import NOT_REACHED, Graph, all_scores, class_score

LEVELS = 255  # of a colour in a file
STEPS = 10
MOST_STEPS = 200
_REACH = 2.5  # bounds that all steps together may cross, so that a number can come back from one

Prepare = Callable[[torch.Tensor], torch.Tensor]
"""Levels (1, colours, height, width), float32 from 0 to 255, as the model's input, in the autograd graph."""
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Attack:
    """A kind of change, and its bound.

    Attributes:
        epsilon: the largest change of a number of the picture, in levels of 255.
        steps: of gradient descent; one is FGSM.
        toward: the class that the picture shall be taken for; None for any but the model's own.
        meaning: of the model's output: ``"logits"``, ``"probabilities"`` or ``"log-probabilities"``.

    >>> lg.Attack(epsilon=4, steps=1).step
    4.0
    """

    epsilon: int = 2
    steps: int = STEPS
    toward: int | None = None
    meaning: str = LOGITS

    @property
    def step(self) -> float:
        """Size of a step, in levels."""
        return self.epsilon * min(1.0, _REACH / self.steps)


@dataclass(frozen=True)
class Fooled:
    """A changed picture, and what the model returns for it.

    Attributes:
        picture: (height, width, colours), uint8, as the model sees it.
        before: the probability of each class (classes,), of the picture as it was.
        after: likewise, of the changed one.
        attack: what was asked for.

    >>> prepare = lg.models.describe("lenet").preprocessing
    >>> found = lg.fool(layers, prepare.cropped(lg.sample("cat")), prepare.scaled)
    >>> found.picture.shape, found.worked
    ((32, 32, 3), True)
    """

    picture: Picture
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    attack: Attack

    @property
    def worked(self) -> bool:
        """True if the model's best class is the wanted one, or another."""
        found, toward = int(self.after.argmax()), self.attack.toward
        return found == toward if toward is not None else found != int(self.before.argmax())


def fool(
    layers: LayerActivations, picture: Picture | Image, prepare: Prepare, attack: Attack | None = None
) -> Fooled:
    """Change a picture within a bound so that it misleads a model.

    Each step adds ``step × sign`` of the loss's gradient to every number, or subtracts it to come nearer to a
    wanted class, and cuts off what leaves the bound. The result is rounded to whole levels, and so can be
    saved as a file without a loss.

    Source: Goodfellow, Shlens and Szegedy, "Explaining and Harnessing Adversarial Examples", 2015, section 3
    (FGSM); Madry et al., "Towards Deep Learning Models Resistant to Adversarial Attacks", 2018, section 2.1
    (PGD, here without a random start).

    Args:
        layers: the model with its edits, in eval mode.
        picture: an array (height, width, colours), uint8, or a picture of Pillow's, as the model sees it: cut
            out and resized.
        prepare: a function from levels (1, colours, height, width), float32 from 0 to 255, to the model's
            input, through which gradients flow, such as ``scaled`` of a catalogue model's preprocessing.
        attack: what is wanted, and the bound.

    Raises:
        LayoutError: the model's score does not depend on the picture.
        RequestError: the picture, a number of the attack or the model's output cannot be used.

    >>> prepare, wanted = lg.models.describe("lenet").preprocessing, lg.Attack(epsilon=8, toward=7)
    >>> found = lg.fool(layers, prepare.cropped(lg.sample("cat")), prepare.scaled, wanted)
    >>> int(found.after.argmax())
    7
    """
    attack = attack or Attack()
    _check(attack)
    start = _levels(picture)
    output = layers.run(prepare(start))
    before = all_scores(output, 1)
    label = int(before.argmax()) if attack.toward is None else attack.toward
    class_score(output, label)  # which refuses a class that is not there
    found = _descended(layers, start, prepare, attack, label)
    after = all_scores(layers.run(prepare(found)), 1)
    return Fooled(_picture(found), _shares(before, attack), _shares(after, attack), attack)


def least_change(
    layers: LayerActivations, picture: Picture | Image, prepare: Prepare, attack: Attack, most: int = 32
) -> Fooled | None:
    """Return the attack with the smallest bound that works, or None.

    Bounds go up to ``most``. The smallest is found by halves: a larger one is taken to work where a smaller
    one does.

    Raises:
        LayoutError: as ``fool``.
        RequestError: likewise.
    """

    def tried(epsilon: int) -> Fooled:
        return fool(layers, picture, prepare, replace(attack, epsilon=epsilon))

    best, low, high = tried(most), 0, most
    if not best.worked:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        found = tried(middle)
        best, low, high = (found, low, middle) if found.worked else (best, middle, high)
    return best


def _descended(
    layers: LayerActivations, start: torch.Tensor, prepare: Prepare, attack: Attack, label: int
) -> torch.Tensor:
    """Return the changed levels, whole numbers."""
    low, high = (start - attack.epsilon).clamp(min=0), (start + attack.epsilon).clamp(max=LEVELS)
    sign = 1 if attack.toward is None else -1
    levels = start
    for _ in range(attack.steps):
        slope = _slope(layers, levels, prepare, attack.meaning, label)
        levels = (levels + sign * attack.step * slope.sign()).clamp(low, high)
    return levels.round()


def _slope(
    layers: LayerActivations, levels: torch.Tensor, prepare: Prepare, meaning: str, label: int
) -> torch.Tensor:
    """Return the gradient of the loss, in the shape of the levels."""
    with layers.trace(Graph), torch.enable_grad():
        leaf = levels.clone().requires_grad_()
        loss = _loss(all_scores(layers.run(prepare(leaf)), 1), meaning, label)
        found = torch.autograd.grad(loss, leaf, allow_unused=True)[0] if loss.requires_grad else None
    if found is None:
        raise LayoutError("the picture cannot be changed to fool this model: {reason}", reason=NOT_REACHED)
    return found


def _loss(scores: torch.Tensor, meaning: str, label: int) -> torch.Tensor:
    """Return the cross entropy of a class."""
    numbers = scores.float()
    if meaning == LOGITS:
        return functional.cross_entropy(numbers, torch.tensor([label], device=numbers.device))
    return -numbers[0, label] if meaning == LOG_PROBABILITIES else -numbers[0, label].log()


def _shares(scores: torch.Tensor, attack: Attack) -> NDArray[np.float64]:
    shares = class_shares(to_array(scores)[0], attack.meaning)
    assert shares is not None  # noqa: S101  the meaning was checked
    return shares


def _check(attack: Attack) -> None:
    """Refuse an attack that cannot be made."""
    if not 1 <= attack.epsilon <= LEVELS:
        raise RequestError(
            "a bound of {epsilon} levels is not possible: it is from 1 to {most}.",
            epsilon=attack.epsilon,
            most=LEVELS,
        )
    if not 1 <= attack.steps <= MOST_STEPS:
        raise RequestError(
            "{steps} steps are not possible: from 1 to {most} are.", steps=attack.steps, most=MOST_STEPS
        )
    if attack.meaning not in (LOGITS, PROBABILITIES, LOG_PROBABILITIES):
        raise RequestError(
            "outputs that are {meaning} have no single right class to mislead about.", meaning=attack.meaning
        )


def _levels(picture: Picture | Image) -> torch.Tensor:
    array = np.atleast_3d(np.array(picture))
    if array.ndim != 3 or array.dtype != np.uint8:  # noqa: PLR2004  (H, W, C)
        raise RequestError(
            "a picture of whole levels (height, width, colours), uint8, is needed; this is {kind} {shape}.",
            kind=str(array.dtype),
            shape=str(array.shape),
        )
    return torch.from_numpy(array).permute(2, 0, 1)[None].float()


def _picture(levels: torch.Tensor) -> Picture:
    found: Picture = levels[0].permute(1, 2, 0).to("cpu", torch.uint8).numpy()
    return found
