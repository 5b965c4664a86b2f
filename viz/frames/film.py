"""A film: frames of a training, in memory and in ``.npz`` files.

Arrays: ``steps`` (frames), ``layers`` (names), ``maps/NAME`` (frames, inputs, …, as the layer returned it,
with the channels of ``channels/NAME``), ``statistics/NAME`` (frames, layers), ``predictions`` (frames, …).
"""

import os
import warnings
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ..errors import RequestError, UnknownLayerError
from ..layer_names import listed
from .camera import Frame
from .measuring import STATISTICS

_SAME_IN_ALL = ("layers", "channels/")
_MOST_NAMED = 60  # rows that have a name beside them


class Film:
    """Frames of a training.

    ``film[layer]`` is float32 (frames, inputs, …): exact values of the layer's first call.

    >>> net = torch.nn.Sequential(torch.nn.Linear(4, 2))
    >>> with lg.film(net, torch.ones(1, 4), layers=("0",)) as film:
    ...     pass  # the training
    >>> film.steps, film["0"].shape
    (array([0]), (1, 1, 2))
    """

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = list(frames)

    @property
    def steps(self) -> NDArray[np.int64]:
        """Number of updates before each frame."""
        return self._joined("steps")

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the layers."""
        return tuple(map(str, self._frames[0]["layers"]))

    @property
    def predictions(self) -> NDArray[np.float32]:
        """The model's output for the batch (frames, inputs, …).

        Raises:
            RequestError: it returned no tensor, or tensors of more than one shape.
        """
        if not self._has_one_shape("predictions"):
            raise RequestError(
                "the model returned no tensor, or outputs of more than one shape, so this film has no "
                "predictions."
            )
        return self._joined("predictions")

    def __getitem__(self, layer: str) -> NDArray[np.float32]:
        self._check(layer)
        if not self._has_one_shape(f"maps/{layer}"):
            raise RequestError(
                "layer {name} returned outputs of more than one shape, so this film has no array of them; it "
                "has their statistics.",
                name=repr(layer),
            )
        return self._joined(f"maps/{layer}")

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        steps, size = self.steps, sum(each.nbytes for frame in self._frames for each in frame.values())
        found = f"frames: {len(self)}, layers: {len(self.layers)}, steps: {steps[0]} to {steps[-1]}"
        return f"Film({found}, {size / 1e6:.1f} MB)"

    def channels(self, layer: str) -> NDArray[np.int64]:
        """Return which channels of a layer are kept.

        Raises:
            UnknownLayerError: the film has no such layer.
        """
        self._check(layer)
        return self._frames[0][f"channels/{layer}"]

    def statistic(self, name: str, layer: str | None = None) -> NDArray[np.float64]:
        """Return a statistic (frames, layers), or (frames) for one layer.

        NaN stands where there is none.

        Args:
            name: ``"mean"`` or ``"deviation"`` of the whole output; ``"dead"``, the share of channels that
                are above zero nowhere; ``"gradient_norm"`` of the layer's weights; ``"update_ratio"``, the
                norm of their change in the step by their own.
            layer: one layer's name.

        Raises:
            RequestError: there is no such statistic.
            UnknownLayerError: the film has no such layer.
        """
        if name not in STATISTICS:
            raise RequestError(
                "there is no statistic {name}; there are: {names}",
                name=repr(name),
                names=", ".join(STATISTICS),
            )
        found = self._joined(f"statistics/{name}")
        if layer is None:
            return found
        self._check(layer)
        return found[:, self.layers.index(layer)]

    def figure(self, statistic: str = "dead") -> Figure:
        """Draw a statistic as a heat map of layers by steps.

        Raises:
            RequestError: there is no such statistic.
        """
        values, names = self.statistic(statistic).T, self.layers
        figure = Figure(
            figsize=(max(5.0, 0.12 * len(self) + 3), max(2.5, 0.16 * len(names) + 1)), layout="constrained"
        )
        axes = figure.subplots()
        low, high = (0, 1) if statistic == "dead" else (None, None)
        shown = axes.imshow(values, aspect="auto", interpolation="nearest", vmin=low, vmax=high)
        every, each = -(-len(names) // _MOST_NAMED), -(-len(self) // 10)
        axes.set_yticks(range(0, len(names), every), names[::every], fontsize=6, parse_math=False)
        axes.set_xticks(range(0, len(self), each), map(str, self.steps[::each]), fontsize=7)
        axes.set_xlabel("step")
        figure.colorbar(shown, ax=axes, label=statistic)
        return figure

    def save(self, path: str | Path) -> None:
        """Write all frames into one ``.npz``, which ``open_film`` and NumPy read.

        Outputs of more than one shape are left out, with a warning; their statistics are written.

        Raises:
            OSError: it cannot be written; then nothing is left of it.
        """
        names = [
            name for name in self._frames[0] if name.startswith(_SAME_IN_ALL) or self._has_one_shape(name)
        ]
        write(Path(path), {name: self._joined(name) for name in names})
        if left_out := [name for name in self._frames[0] if name not in names]:
            warnings.warn(
                f"{path} is without {listed(left_out)}, which had more than one shape; film(out=FOLDER) "
                "writes each frame to a file of its own",
                stacklevel=2,
            )

    def _has_one_shape(self, name: str) -> bool:
        """Return whether all frames have this array, in the same shape."""
        shapes = {frame[name].shape[1:] if name in frame else None for frame in self._frames}
        return len(shapes) == 1 and None not in shapes

    def _joined(self, name: str) -> NDArray[Any]:
        if name.startswith(_SAME_IN_ALL):
            return self._frames[0][name]
        return np.concatenate([frame[name] for frame in self._frames])

    def _check(self, layer: str) -> None:
        if layer not in self.layers:
            raise UnknownLayerError(
                "this film has no layer {name}; there are: {names}",
                name=repr(layer),
                names=listed(self.layers),
            )


def empty_folder(folder: Path) -> None:
    """Make the folder for a film's frames.

    Raises:
        RequestError: it has a film, or cannot be made.
    """
    if any(folder.glob("*.npz")):
        raise RequestError("{folder} has a film already: name another folder.", folder=str(folder))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise RequestError(
            "cannot make the folder {folder}: {problem}", folder=str(folder), problem=str(problem)
        ) from problem


def frame_file(folder: Path, frame: Frame) -> Path:
    """Return a frame's file; names are in the order of steps."""
    return folder / f"{int(frame['steps'][0]):012}.npz"


def write(path: Path, arrays: Frame) -> None:
    """Write arrays to a file, which appears whole or not at all."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        with partial.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]  # a name of ours is none of its options
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def open_film(path: str | os.PathLike[str]) -> Film:
    """Open a saved film, or a folder written along a training.

    The folder of a run that was killed has all frames that it had taken.

    Raises:
        RequestError: there is no film.

    >>> net = torch.nn.Sequential(torch.nn.Linear(4, 2))
    >>> with lg.film(net, torch.ones(1, 4), out="film"):
    ...     pass  # the training
    >>> lg.open_film("film").layers
    ('0',)
    """
    place = Path(path)
    files = sorted(place.glob("*.npz")) if place.is_dir() else [place]
    try:
        frames = [_read(file) for file in files]
    except (OSError, ValueError, zipfile.BadZipFile) as problem:
        raise RequestError("{path} is no film: {problem}", path=str(path), problem=str(problem)) from problem
    if not frames or not all({"steps", "layers"} <= frame.keys() for frame in frames):
        raise RequestError("{path} has no frames of a film.", path=str(path))
    return Film(frames)


def _read(path: Path) -> Frame:
    with np.load(path, allow_pickle=False) as file:
        return dict(file)
