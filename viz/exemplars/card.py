"""Request of a run, and a check that another may continue it."""

import hashlib
from dataclasses import MISSING, asdict, dataclass, fields

import torch
from torch import nn

from ..errors import RequestError
from ..hooks.records import to_array
from ..hooks.values.structure import tensors_in
from ..sentences import Sentence


@dataclass(frozen=True)
class Request:
    """Request of a run: all that its numbers depend on.

    Attributes:
        layerglass: the version of this program.
        torch: that of PyTorch.
        device: that of the model.
        model: its id.
        weights: ``"pretrained"`` or ``"random"``.
        weights_sha256: of all numbers that the model keeps, with their names.
        preprocessing: the way from a picture to the model's input, in words.
        layers: the names of the layers looked at.
        top: the number of pictures that are kept for each channel.
        pictures: the number of pictures in the folder.
        pictures_sha256: of all their paths and sizes.
        statistics: whether there are more numbers of each channel than the maximum and the mean.
        thumbnails: the longest side of the small pictures, in pixels; 0 if there are none.
        maps: the names of the layers whose maps are kept.
        maps_type: ``"float32"`` or ``"float16"``.
        threads: that a model has on processors; with another number, sums may differ in their last bits.
    """

    layerglass: str
    torch: str
    device: str
    model: str
    weights: str
    weights_sha256: str
    preprocessing: str
    layers: tuple[str, ...]
    top: int
    pictures: int
    pictures_sha256: str
    statistics: bool = False
    thumbnails: int = 0
    maps: tuple[str, ...] = ()
    maps_type: str = "float32"
    threads: int = 1


_SAID = {
    "layerglass": Sentence("version of Layerglass"),
    "torch": Sentence("version of PyTorch"),
    "device": Sentence("device"),
    "model": Sentence("model"),
    "weights": Sentence("weights"),
    "weights_sha256": Sentence("weights (SHA-256)"),
    "preprocessing": Sentence("preparation of pictures"),
    "layers": Sentence("layers"),
    "top": Sentence("number of pictures for each channel"),
    "pictures": Sentence("number of pictures in the folder"),
    "pictures_sha256": Sentence("pictures in the folder (SHA-256 of names and sizes)"),
    "statistics": Sentence("further statistics"),
    "thumbnails": Sentence("size of thumbnails"),
    "maps": Sentence("layers whose maps are kept"),
    "maps_type": Sentence("numbers of kept maps"),
    "threads": Sentence("number of threads of a model"),
}
_LONGEST_SAID = 60


def check_same(then: dict[str, object], now: Request, out: object) -> None:
    """Check that a run may go on with results of another.

    Args:
        then: the fields of the other one's request, as a file has them.
        now: the request of this run.
        out: the folder, for the message.

    Raises:
        RequestError: they differ; the message says in what.
    """
    for field in fields(now):
        usual = None if field.default is MISSING else field.default
        old, new = then.get(field.name, usual), getattr(now, field.name)
        if isinstance(old, list):
            old = tuple(old)
        if old != new:
            raise RequestError(
                "the run in {out} and this one differ in their {what}, {old} there and {new} here: "
                "ask for the same, or choose another folder",
                out=out,
                what=_SAID[field.name],
                old=_short(old),
                new=_short(new),
            )


def as_dict(request: Request) -> dict[str, object]:
    """Return the request as JSON has it."""
    return {**asdict(request), "layers": list(request.layers), "maps": list(request.maps)}


def weights_digest(model: nn.Module) -> str:
    """Return the SHA-256 of all numbers that a model keeps.

    Each counts with its name, type and shape.
    """
    digest = hashlib.sha256()
    for name, value in model.state_dict().items():
        for tensor in tensors_in(value):
            digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)} ".encode())
            digest.update(to_array(tensor).tobytes())
    return digest.hexdigest()


def torch_version() -> str:
    """Return the version of PyTorch that runs the model."""
    return str(torch.__version__)


def torch_threads() -> int:
    """Return the number of threads that PyTorch has on the processors."""
    return torch.get_num_threads()


def _short(value: object) -> str:
    said = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return said if len(said) <= _LONGEST_SAID else f"{said[:_LONGEST_SAID]}…"
