"""Actor of a cluster, which looks at blocks of pictures.

It loads the model once.
"""

import os
import pickle
import sys
from importlib import import_module

import pyarrow as pa
import torch

from ...errors import RequestError
from ...hooks.activations import LayerActivations
from ..ahead import by_threads
from ..card import torch_version, weights_digest
from ..looked import PictureResult
from ..looking import looking
from ..reading import PictureFiles
from .errand import Errand

BLOCK = pa.schema([("number", pa.int64()), ("path", pa.binary())])
"""Pictures to look at, each with its number; a path as the system gives it may be no text."""
SEEN = pa.schema([("seen", pa.large_binary())])
_READERS = 2  # threads that read ahead of the model


class Looker:
    """Looks at pictures as the process that asks would do itself.

    Args:
        errand: what to look at, and with what.

    Raises:
        RequestError: this machine has another model, or other versions, than the one that asks.
    """

    def __init__(self, errand: Errand) -> None:
        os.environ.update(errand.settings)
        sys.path.extend(path for path in errand.paths if path not in sys.path)
        torch.set_num_threads(errand.request.threads)
        module, _, name = errand.loader.partition(":")
        request = errand.request
        subject = getattr(import_module(module), name)(request.model, request.weights)
        self._layers = LayerActivations(subject.module, device=request.device, repeatable=True)
        self._files = PictureFiles(errand.folder, subject, request.thumbnails)
        self._wanted = errand.wanted
        there = torch_version(), weights_digest(self._layers.model)
        if there != (request.torch, request.weights_sha256):
            raise RequestError(
                "a machine of the cluster has another PyTorch or other weights than this one: {there} there, "
                "{here} here",
                there=there[0] if there[0] != request.torch else there[1],
                here=request.torch if there[0] != request.torch else request.weights_sha256,
            )

    def __call__(self, block: pa.Table) -> pa.Table:
        """Return the results of a block of pictures (``BLOCK``), in order (``SEEN``)."""
        paths = (os.fsdecode(path) for path in block["path"].to_pylist())
        numbered = zip(block["number"].to_pylist(), paths, strict=True)
        with looking(self._layers, self._wanted) as look:
            seen = [look(picture) for picture in by_threads(self._files, numbered, _READERS)]
        return pa.table([[packed(each) for each in seen]], schema=SEEN)


def packed(seen: PictureResult) -> bytes:
    """Return a picture's results as bytes, for another process."""
    return pickle.dumps(seen, protocol=5)


def unpacked(data: bytes) -> PictureResult:
    """Return the results that ``packed`` has packed."""
    seen: PictureResult = pickle.loads(data)  # noqa: S301  # by our own actor: who reaches a cluster runs code anyway
    return seen
