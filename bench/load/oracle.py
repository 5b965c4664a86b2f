"""Expected values of a visitor's photo, by PyTorch with plain hooks.

It uses no code of the page. It begins once nobody measures any more. From ``models`` it takes the net, its
weights and its preprocessing.
"""

import io
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import nn

import models
from bench.load.visitor import Pick, Place, Sample, Visitor, VisitorAnswers, channels_of
from tests.browser.oracle import assert_colours

Values = NDArray[np.float32]
Outputs = dict[tuple[str, int], Values]


@dataclass
class Checks:
    """Counts of compared answers, and those that differ from PyTorch."""

    names: int = 0
    ranges: int = 0
    channels: int = 0
    mosaics: int = 0
    differ: list[str] = field(default_factory=list)


def check(visitors: Iterable[Visitor], model: str, weights: str) -> Checks:
    """Compare the visitors' answers with the photos' own values."""
    checks = Checks()
    net, preprocessing = models.load(model, weights), models.describe(model).preprocessing
    for number, visitor in enumerate(visitors):
        for seen in visitor.seen:
            picture = Image.open(io.BytesIO(seen.photo)).convert("RGB")
            given = _given(net, preprocessing(picture), [pick.place for pick in seen.picks])
            _compare(checks, f"visitor {number}", seen, given)
    return checks


def _given(net: nn.Module, images: torch.Tensor, places: Iterable[Place]) -> dict[Place, Values]:
    """Return the values at picked places, under their edits."""
    pictures = {place for place in places if channels_of(place)}
    given = dict[Place, Values]()
    for silent in {place.silent for place in pictures}:
        wanted = {(place.layer, place.call): place for place in pictures if place.silent == silent}
        found = outputs(net, images, set(wanted), silent)
        given |= {wanted[key]: values for key, values in found.items()}
    return given


def _compare(checks: Checks, who: str, seen: VisitorAnswers, given: dict[Place, Values]) -> None:
    for pick in seen.picks:
        checks.names += 1
        _note(checks, f"{who}, name", pick, is_named(pick))
        if channels_of(pick.place):
            checks.ranges += 1
            _note(checks, f"{who}, range", pick, is_range(pick, given))
    for sample in seen.samples:
        checks.channels += 1
        checks.mosaics += 1
        _note(checks, f"{who}, values", sample.pick, is_channel(sample, given))
        _note(checks, f"{who}, mosaic", sample.pick, is_mosaic(sample, given))


def outputs(
    net: nn.Module, images: torch.Tensor, wanted: set[tuple[str, int]], silent: tuple[str, int] | None = None
) -> Outputs:
    """Return the outputs of the wanted calls of layers.

    Each is (channels, height, width), as it was at that moment; a call is (name, number from 0). ``silent``
    names a layer and one of its channels, which is zero in all of the layer's outputs.
    """
    found, calls = Outputs(), Counter[str]()

    def keeping(name: str) -> Callable[[nn.Module, Any, Any], None]:
        def keep(_: nn.Module, _inputs: Any, output: Any) -> None:
            if (name, calls[name]) in wanted:
                found[name, calls[name]] = output[0].clone().numpy()
            calls[name] += 1

        return keep

    def silence(_: nn.Module, _inputs: Any, output: torch.Tensor) -> torch.Tensor:
        changed = output.clone()
        changed[:, silent[1] if silent else 0] = 0
        return changed

    names = {name for name, _ in wanted}
    handles = [net.get_submodule(silent[0]).register_forward_hook(silence)] if silent else []
    handles += [net.get_submodule(name).register_forward_hook(keeping(name)) for name in names]
    with torch.inference_mode():
        net(images)
    for handle in handles:
        handle.remove()
    return found


def is_named(pick: Pick) -> bool:
    """Check whether the answer is about the picked layer and call."""
    return bool((pick.facts["layer"], pick.facts["call"]) == (pick.place.layer, pick.place.call))


def is_range(pick: Pick, given: Mapping[Place, Values]) -> bool:
    """Check whether the answer's smallest and largest number are the photo's."""
    values, said = given[pick.place], pick.facts["statistics"]
    values = values[np.isfinite(values)]
    if not values.size:
        return said["minimum"] is None
    low, high = float(values.min()), float(values.max())
    return bool((said["minimum"], said["maximum"]) == (low, high))


def is_channel(sample: Sample, given: Mapping[Place, Values]) -> bool:
    """Check whether a channel's numbers are the photo's, bit for bit."""
    place = sample.pick.place
    numbers = given[place][sample.channel].astype("<f4")
    return bool(numbers.tobytes() == sample.values)


def is_mosaic(sample: Sample, given: Mapping[Place, Values]) -> bool:
    """Check whether each pixel has matplotlib's colour of the photo's number."""
    place, facts = sample.pick.place, sample.pick.facts
    pixels = np.asarray(Image.open(io.BytesIO(sample.pick.answer.data)).convert("RGBA"))
    try:
        assert_colours(pixels, given[place], facts)
    except AssertionError:
        return False
    return True


def _note(checks: Checks, what: str, pick: Pick, is_same: bool) -> None:
    if not is_same:
        checks.differ.append(f"{what} of {pick.place.layer}, call {pick.place.call + 1}")
