"""Libraries that define a file's models, by their classes' names.

A package to install is named only if it is known here: any other name comes from a stranger's file, and
may be a trap in a package index.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from .module_tree import ModuleRow

__all__ = ["Library", "library_of"]

_PACKAGES = {
    **{
        name: name
        for name in (
            "diffusers",
            "kornia",
            "lightning",
            "monai",
            "timm",
            "torchaudio",
            "torchvision",
            "transformers",
        )
    },
    "efficientnet_pytorch": "efficientnet-pytorch",
    "facenet_pytorch": "facenet-pytorch",
    "fastai": "fastai",
    "mmdet": "mmdet",
    "open_clip": "open-clip-torch",
    "pretrainedmodels": "pretrainedmodels",
    "pytorch_lightning": "pytorch-lightning",
    "segmentation_models_pytorch": "segmentation-models-pytorch",
    "sentence_transformers": "sentence-transformers",
    "ultralytics": "ultralytics",
}
_ALWAYS_HERE = "torch"
_SCRIPTED = "__torch__."  # is before the names of classes in TorchScript
_LONGEST = 80


@dataclass(frozen=True)
class Library:
    """The library whose classes a file names.

    Attributes:
        name: what Python calls it; ``__main__`` for a script of somebody's own.
        package: what to install; empty if it is not known here.
        installed: whether it is; False if it is not known here.
    """

    name: str
    package: str
    installed: bool


def library_of(tree: Iterable[ModuleRow], config: Mapping[str, Any] | None = None) -> Library | None:
    """Return the library of a file's model, which is not imported.

    It is that of the first class that is not PyTorch's own, or of a configuration; None if there is none.
    """
    if config:
        return _library("transformers") if "transformers_version" in config else None
    roots = (row.type.removeprefix(_SCRIPTED).partition(".")[0] for row in tree)
    return next((_library(root) for root in roots if root != _ALWAYS_HERE), None)


def _library(name: str) -> Library:
    package = _PACKAGES.get(name, "")
    shown = "".join(filter(str.isprintable, name[:_LONGEST]))
    return Library(shown, package, bool(package) and find_spec(name) is not None)
