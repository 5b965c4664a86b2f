"""Cards of models, and the interface of a family of models.

Cards are plain values, known before a model is loaded; a process without PyTorch can use them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from PIL import Image

if TYPE_CHECKING:
    from torch import nn

__all__ = ["Family", "ModelCard", "Needs", "Preparation", "Progress"]

Progress = Callable[[int, int], None]
"""Called with (bytes done, bytes in all); the second is 0 while the size is unknown."""


class Needs(NamedTuple):
    """Requirements of a model's trained weights before they can be shown.

    Attributes:
        kind: "ready" if they are here, "download" if they have to be fetched, "untrained" if there are none.
        bytes: about the size of the download; 0 where unknown.

    >>> lg.models.needs()["lenet"]
    Needs(kind='ready', bytes=0)
    """

    kind: Literal["ready", "download", "untrained"]
    bytes: int = 0


class Preparation(Protocol):
    """Preparation of a picture for a model, and the way back."""

    def __call__(self, image: Image.Image, /) -> Any:
        """Return the model's one argument, or a tuple of several."""

    def as_seen(self, inputs: Any, /) -> Image.Image:
        """Return the picture that a prepared input shows."""

    def describe(self) -> str:
        """Return the steps as one line of words."""


@dataclass(frozen=True)
class ModelCard:
    """Facts about a model for visitors, without loading it.

    Attributes:
        id: the name to load it by, plain and stable: ``resnet50``.
        title: its name as people write it: ``ResNet-50``.
        family: which family it belongs to: ``bundled``, ``torchvision``.
        task: what it was made for: ``classification``.
        source: the paper or text that the architecture comes from.
        weights_origin: the trainer and the training data; or why there are no trained weights.
        weights_licence: the terms of the trained weights.
        has_pretrained: whether there are trained weights, here or to be downloaded.
        input_size: (height, width) in pixels that ``preprocessing`` makes.
        preprocessing: from a picture to the model's input.
        classes: names of the logits, in order; empty where unknown.
        parameters: how many numbers were learned.
        accuracy: how well the trained model does, in words; empty where unknown.
        download_bytes: about the size of the trained weights; 0 where they come with Layerglass.
        notes: what else to know, in sentences.
        options: what its library is told besides the name and the weights: ``{"quantize": True}``.
        untrained_options: what it is told as well if the weights are untrained.
        output: what it returns for the classes: ``logits``, ``probabilities``, ``log-probabilities``,
            ``labels``, each with a probability of its own, ``label-logits``, the same before a sigmoid,
            ``number``, ``boxes`` or ``masks``; empty if its values shall tell.

    >>> card = lg.models.describe("lenet")
    >>> card.title, card.input_size, card.classes[:2]
    ('LeNet', (32, 32), ('airplane', 'automobile'))
    """

    id: str
    title: str
    family: str
    task: str
    source: str
    weights_origin: str
    weights_licence: str
    has_pretrained: bool
    input_size: tuple[int, int]
    preprocessing: Preparation
    classes: tuple[str, ...]
    parameters: int
    accuracy: str = ""
    download_bytes: int = 0
    notes: str = ""
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    untrained_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    output: str = ""


class Family(Protocol):
    """A source of models: the bundled nets, torchvision's, others to come.

    ``names`` and ``needs`` must be cheap. ``trained`` and ``untrained`` return a new module on the processor,
    as its constructor left it; the catalogue takes care of the random numbers, the evaluation mode and the
    device.
    """

    @property
    def name(self) -> str:
        """The word that cards and ``names(family=...)`` use for it."""

    def names(self) -> tuple[str, ...]:
        """Return every id of the family."""

    def representatives(self) -> tuple[str, ...]:
        """Return the smallest model of each architecture.

        If each model counts as an architecture of its own, every one is returned.
        """

    def describe(self, model_id: str) -> ModelCard:
        """Return the card of one of its models."""

    def untrained(self, model_id: str) -> "nn.Module":
        """Return the model as its plain constructor makes it."""

    def trained(self, model_id: str) -> "nn.Module":
        """Return the model with its trained weights, which ``fetch`` has made ready."""

    def fetch(self, model_id: str, progress: Progress | None) -> None:
        """Make the trained weights ready, downloading them if they are not here."""

    def is_ready(self, model_id: str) -> bool:
        """Return whether the trained weights can be loaded without a download."""

    def needs(self, model_id: str) -> Needs:
        """Return the needs of the trained weights, without importing a library."""
