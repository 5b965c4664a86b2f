"""Interface of training examples: pictures, signals."""

from typing import Protocol

from torch import Tensor

from .recipes import Recipe

__all__ = ["Examples"]


class Examples(Protocol):
    """Inputs to train on and to test with, and their labels.

    The labels are (n,) int64.
    """

    @property
    def train(self) -> Tensor:
        """The inputs to train on, as they are kept."""

    @property
    def train_labels(self) -> Tensor:
        """Their classes."""

    @property
    def test(self) -> Tensor:
        """The inputs to test with."""

    @property
    def test_labels(self) -> Tensor:
        """Their classes."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes."""

    @property
    def origin(self) -> str:
        """The examples' source, for the card."""

    def varied(self, inputs: Tensor, recipe: Recipe, progress: float) -> Tensor:
        """Return inputs as a training step shows them, varied by chance.

        ``progress`` is in [0, 1].
        """

    def shown(self, inputs: Tensor, side: int) -> Tensor:
        """Return inputs as the page shows them to the net, ``side`` long."""
