"""Engine in this process; PyTorch is imported once it is made."""

from importlib import import_module
from typing import TYPE_CHECKING

from ..pictures.subject import Loader
from .limits import Limits

if TYPE_CHECKING:
    from .engine import LocalEngine


def local_engine(load: Loader, *, device: str, limits: Limits) -> "LocalEngine":
    """Make a ``LocalEngine``, and import its module only now.

    Other engines need no PyTorch here.
    """
    made: LocalEngine = import_module(".engine", __package__).LocalEngine(load, device=device, limits=limits)
    return made
