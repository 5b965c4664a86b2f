"""Orders of every actor of a cluster: plain values, which travel."""

from dataclasses import dataclass

from ..card import Request
from ..listing import Place
from ..looking import PassOptions


@dataclass(frozen=True)
class Errand:
    """Orders of an actor: the model, the pictures and the results.

    Attributes:
        loader: ``"module:function"``, which takes a model's id and weights, and returns the subject.
        request: all that the results depend on; the model that an actor loads must match it.
        folder: with the pictures; every machine must find them there.
        wanted: the numbers and maps that are wanted of each picture.
        paths: folders of modules, such as that of somebody's own model.
        settings: environment variables that name the model.
    """

    loader: str
    request: Request
    folder: Place
    wanted: PassOptions
    paths: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
