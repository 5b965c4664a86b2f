"""An engine in this process, which imports PyTorch when it is made and not before."""

from importlib import import_module
from typing import TYPE_CHECKING

from ..pictures.subject import Loader
from .limits import Limits

if TYPE_CHECKING:
    from .engine import LocalEngine


def local_engine(load: Loader, *, device: str, limits: Limits) -> "LocalEngine":
    """See ``LocalEngine``; its module comes with this call, since other engines need no PyTorch here."""
    made: LocalEngine = import_module(".engine", __package__).LocalEngine(load, device=device, limits=limits)
    return made
