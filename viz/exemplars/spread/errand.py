"""What every actor of a cluster is told: plain values, which travel."""

from dataclasses import dataclass

from ..card import Request
from ..listing import Place
from ..looking import Wanted


@dataclass(frozen=True)
class Errand:
    """What to look at, and with what.

    Attributes:
        loader: ``"module:function"``, which takes a model's id and weights, and returns the subject.
        request: what the results depend on; what an actor loads must be that.
        folder: with the pictures; every machine must find them there.
        wanted: what is found out about each picture.
        paths: where modules are, such as that of somebody's own model.
        settings: environment variables that say which model is meant.
    """

    loader: str
    request: Request
    folder: Place
    wanted: Wanted
    paths: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
