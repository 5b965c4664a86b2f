"""An engine's subject: a model and its input's preparation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PIL import Image


@dataclass(frozen=True)
class Subject:
    """A loaded model, ready to be shown a picture.

    Attributes:
        module: the ``torch.nn.Module``.
        prepare: picture → what the model is called with: one argument, such as a tensor (1, 3, height,
            width), or a tuple of several.
        as_seen: what ``prepare`` returned → the picture that the model saw, after resizing and cropping.
        classes: the names of the output's entries; empty when unknown.
        output: what these entries mean, if somebody says it: see ``findings.output_meaning``.
        not_given: the names of weights that a visitor's own file does not have.
    """

    module: Any
    prepare: Callable[[Image.Image], Any]
    as_seen: Callable[[Any], Image.Image]
    classes: tuple[str, ...] = ()
    output: str = ""
    not_given: tuple[str, ...] = ()

    def arguments(self, image: Image.Image) -> tuple[Any, ...]:
        """The positional arguments of the model's call for a picture."""
        prepared = self.prepare(image)
        return prepared if isinstance(prepared, tuple) else (prepared,)


Loader = Callable[[str, str], Subject]
"""(model id, weights) → Subject. May take long, and may raise what the catalogue raises."""
