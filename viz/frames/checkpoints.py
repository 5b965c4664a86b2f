"""Checkpoints of a training as a film, a frame for each file."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from torch import nn

from ..hooks.selectors import Selector
from .camera import Camera
from .film import Film, empty_folder, frame_file, write

Load = Callable[[Path], tuple[nn.Module, tuple[Any, ...]]]
"""A checkpoint's file → the model with its weights, and the model's positional inputs."""


def checkpoint_film(
    files: Sequence[Path], load: Load, selectors: Sequence[Selector], out: Path, channels: int = 16
) -> Film:
    """Take a frame of each checkpoint, and write it to a folder.

    One model is in memory at a time.

    Args:
        files: of weights.
        load: see ``Load``.
        selectors: the layers, by default all with weights of their own.
        out: the folder, which has no film yet.
        channels: how many channels of each layer are kept.

    Raises:
        RequestError: the folder has a film.
        UnknownLayerError: a selector matches no layer.
    """
    empty_folder(out)
    frames = []
    for step, file in sorted(zip(checkpoint_steps(files), files, strict=True)):
        model, inputs = load(file)
        frame = Camera(model, inputs, selectors, 1, channels).frame(step)
        write(frame_file(out, frame), frame)
        frames.append(frame)
    return Film(frames)


def checkpoint_steps(files: Sequence[Path]) -> list[int]:
    """Return each file's step: the last number in its name.

    Without distinct numbers, it is the file's place.
    """
    numbers = [re.findall(r"\d+", file.stem)[-1:] for file in files]
    steps = [int(found[0]) for found in numbers if found]
    return steps if len(set(steps)) == len(files) else list(range(len(files)))
