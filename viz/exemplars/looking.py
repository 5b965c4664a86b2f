"""One picture through the model: its peaks, or its problem."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ..hooks.activations import LayerActivations
from ..hooks.values.structure import leaves
from .chosen import ChosenLayer
from .listing import text_of
from .looked import PictureResult
from .peaks import PeakTap, watching
from .rawmaps.tap import MapTap, keeping_maps
from .reading import Item, PictureFiles, PreparedPicture

Looks: TypeAlias = Callable[[Iterable[Item]], AbstractContextManager[Iterator[PictureResult]]]
"""Looks at pictures, each with its number, in their order; inside a block, for as long as that is open."""

Look: TypeAlias = Callable[[PreparedPicture], PictureResult]
"""Runs the model on a picture."""

_LONGEST_REASON = 300


@dataclass(frozen=True)
class PassOptions:
    """Numbers and maps that are wanted of each picture.

    Attributes:
        chosen: the layers whose channels are looked at.
        statistics: whether more numbers of each channel are found than the maximum and the mean.
        maps: the layers whose maps are kept.
        half: whether these are kept as float16.
    """

    chosen: tuple[ChosenLayer, ...]
    statistics: bool = False
    maps: tuple[ChosenLayer, ...] = ()
    half: bool = False


@contextmanager
def looking(layers: LayerActivations, wanted: PassOptions) -> Iterator[Look]:
    """Yield a function that runs the model on pictures, in a block."""
    with (
        watching(layers, wanted.chosen, statistics=wanted.statistics) as peaks,
        keeping_maps(layers, wanted.maps, half=wanted.half) as maps,
    ):
        yield lambda picture: _seen(layers, picture, peaks, maps)


class PicturesSeen:
    """Reader that looks at pictures too; each copy has its own model.

    Two models with a thread each are done sooner than one with two: threads wait for each other between
    any two layers, and for the reader of the next picture. No number depends on the count of processors.
    """

    def __init__(self, files: PictureFiles, layers: LayerActivations, wanted: PassOptions) -> None:
        self._files = files
        self._block = looking(layers, wanted)

    def __call__(self, item: Item) -> PictureResult:
        """Read a picture, and look at it."""
        return self._look(self._files(item))

    @cached_property
    def _look(self) -> Look:
        """Function that looks at pictures, with hooks until the process ends."""
        return self._block.__enter__()


def _seen(
    layers: LayerActivations, picture: PreparedPicture, peaks: PeakTap, maps: MapTap | None
) -> PictureResult:
    """Run the model on a picture, and note its problem, if any."""
    seen = PictureResult(picture.number, text_of(picture.path), picture.size, picture.thumbnail)
    problem = picture.problem
    if not problem:
        try:
            layers.run(*picture.arguments)
        except Exception as error:  # noqa: BLE001  # a model may raise anything, and other pictures still work
            problem = f"{type(error).__name__}: {error}"
    if problem:
        return seen._replace(problem=" ".join(problem.split())[:_LONGEST_REASON])
    shapes = tuple(tuple(leaf.shape) for leaf in leaves(picture.arguments).values())
    return seen._replace(shapes=shapes, peaks=peaks.peaks, maps=maps.maps if maps else ())
