"""The error tree of ``models``.

    ModelError
    ├── UnknownModelError       (LookupError)  no model, or family of models, has that name
    ├── UnknownWeightsError     (ValueError)   weights are "pretrained" or "random", nothing else
    ├── WeightsUnavailableError (RuntimeError) there are no trained weights, or they cannot be fetched now
    ├── WeightsDamagedError     (RuntimeError) a weights file is not what it should be
    ├── OwnWeightsError         (ValueError)   a visitor's file of weights cannot be read, or does not fit
    ├── OwnModelError           (RuntimeError) the operator's own model cannot be made
    └── PictureError            (ValueError)   this picture cannot become the model's input

Every message is one sentence or two that a visitor can act on: what was asked, what is true, what to do.
``models.sentences`` says how it can be said in another language.
"""

from typing import ClassVar

from .sentences import Sentence, Value

__all__ = [
    "ModelError",
    "OwnModelError",
    "OwnWeightsError",
    "PictureError",
    "UnknownModelError",
    "UnknownWeightsError",
    "WeightsDamagedError",
    "WeightsUnavailableError",
]


class ModelError(Exception):
    """Root of every error that ``models`` raises on purpose.

    Anything else is a bug. ``str()`` of it is a ``Sentence``, which can be said in another language.

    Attributes:
        document: the document that says more, of those below ``docs``.
    """

    document: ClassVar[str] = "open-a-file"

    def __init__(self, english: str, /, **values: Value) -> None:
        """Fill in the braces; a ``Sentence`` is taken as it is."""
        super().__init__(english if isinstance(english, Sentence) else Sentence(english, **values))


class UnknownModelError(ModelError, LookupError):
    """No model, or family of models, has that name."""

    document = "models-table"


class UnknownWeightsError(ModelError, ValueError):
    """Weights are "pretrained" or "random", nothing else."""


class WeightsUnavailableError(ModelError, RuntimeError):
    """No trained weights of this model exist or can be fetched."""


class WeightsDamagedError(ModelError, RuntimeError):
    """A weights file is cut short, altered, or of another model."""


class OwnWeightsError(ModelError, ValueError):
    """A visitor's file of weights is unreadable or does not fit."""


class OwnModelError(ModelError, RuntimeError):
    """An operator's or a program's own model cannot be made or copied."""

    document = "own-model"


class PictureError(ModelError, ValueError):
    """This picture cannot become the model's input."""

    document = "your-files"
