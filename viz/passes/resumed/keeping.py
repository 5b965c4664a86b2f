"""Stages of a photo: copies of outputs that nothing wrote into later."""

from collections.abc import Mapping
from typing import Any

import torch

from ...hooks.functional import Place
from ...hooks.taps import Tap
from .timeline import is_plain


class OutputKeeper(Tap):
    """Keeps the outputs of layers, each of which runs once.

    An output that a later layer writes into is left out: a pass that goes on from it may skip that layer.
    """

    needs_inputs = False

    def __init__(self, layers: Mapping[Place, str]) -> None:
        super().__init__(layers)
        self._seen: dict[str, tuple[torch.Tensor, int]] = {}  # with how often its memory had been written to

    def after(self, name: str, output: Any) -> Any:
        """Remember it."""
        if is_plain(output):
            self._seen[name] = output, output._version  # noqa: SLF001  (the only way to ask)
        return output

    def found(self) -> dict[str, torch.Tensor]:
        """Return the layers' outputs, once the pass is over.

        Nobody else has these tensors.
        """
        return {
            name: output.clone()
            for name, (output, version) in self._seen.items()
            if output._version == version  # noqa: SLF001
        }
