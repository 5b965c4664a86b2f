"""Copies of the model in processes of their own: each reads pictures and looks at them, with one thread.

Two models with a thread each are done sooner than one with two: threads wait for each other between any two
layers, and for the reader of the next picture. And no number depends on how many processors there are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import torch
from torch.utils.data import Dataset

from ..hooks.activations import LayerActivations
from .looked import PictureResult
from .looking import Look, PassOptions, looking
from .reading import Item, PictureFiles


class Pictures(Dataset[PictureResult]):
    """Data set of pictures that were looked at. Each copy of this process has a model of its own."""

    def __init__(self, files: PictureFiles, layers: LayerActivations, wanted: PassOptions) -> None:
        self._files = files
        self._block = looking(layers, wanted)

    def __getitem__(self, item: Item) -> PictureResult:
        """Read a picture, and look at it."""
        return self._look(self._files[item])

    @cached_property
    def _look(self) -> Look:
        """Looks, from the process's first picture on; the hooks end with the process."""
        return self._block.__enter__()


@contextmanager
def with_threads(count: int) -> Iterator[None]:
    """Let PyTorch have so many threads in the block: as many as a copy has, where there is none."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
