"""Time until an optimised picture excites a channel more than natural ones.

Run it as ``python bench/visualised.py [--pictures DIR] [--peers DIR] [--seconds N]``; it prints rows for
``bench/RESULTS.md``. Everything is measured in the same way: the mean of the channel's cells for the picture,
rounded to 256 levels, as the model sees it and with nothing moved. Measuring does not count as time, nor does
loading. The pictures are those of a folder, or squares of several sizes cut from scikit-image's photographs.

``--peers`` names a folder with torch-lucent and Horama, and what they need: without it there is only ours.
Lucent optimises 128 pixels, as it does by default, or as many as the model takes. By default Horama optimises
small crops of 1,280 pixels, which as a whole excite little; so that it is judged by what it sees, it is given
nearly whole pictures of the model's size, six or two at a time. Of each, the best picture counts: they have
two tries, where ours has one. ``--cpu`` counts the processor's time in place of the clock's, for a machine
that others use.
"""

import argparse
import contextlib
import copy
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # as the page does

import numpy as np
import skimage
import torch
from PIL import Image
from torch import Tensor, nn
from torch.nn.functional import interpolate

sys.path.insert(0, str(Path(__file__).parents[1]))

from viz.commands.line.subject import load_subject
from viz.commands.visualise import layer_of
from viz.hooks.activations import LayerActivations
from viz.pictures.subject import Subject
from viz.request.optimised import MOST_STEPS, WAYS, OptimisationSettings, Wish
from viz.visualised.inputs import Inputs, inputs_of
from viz.visualised.study import Layer, OptimisedPictures

CASES = (
    ("efficientnet_lite0", "pretrained", ("stage4", "stage7")),
    ("resnet18", "random", ("layer2", "layer4")),
)
GOALS = (10, 60)  # seconds until a picture exceeds all natural ones: of the middle layer, and of the deep one
CHANNELS = 3
SIDES, MOST_PICTURES = (256, 192, 128, 96, 64), 1000
PHOTOGRAPHS = (
    *("astronaut.png", "brick.png", "camera.png", "cell.png", "chelsea.png", "clock_motion.png"),
    *("coffee.png", "coins.png", "grass.png", "gravel.png", "hubble_deep_field.jpg", "ihc.png", "moon.png"),
    *("motorcycle_left.png", "page.png", "retina.jpg", "rocket.jpg", "text.png"),
)
HEADS = ("model, layer", "channel", "best picture", "s until ours exceeds it", "goal", "ours", "steps")
Draw = Callable[["Aim", "Time"], Tensor]  # → (1, colours, height, width), from 0 to 1


@dataclass(frozen=True)
class Time:
    """Time limit of each, in seconds, and its clock."""

    seconds: float
    now: Callable[[], float] = perf_counter


@dataclass(frozen=True)
class Aim:
    """A channel, and the model that it belongs to."""

    layers: LayerActivations
    inputs: Inputs
    layer: str
    channel: int
    known: Layer

    def value(self, picture: Tensor) -> float:
        """Return the channel's mean for a picture as it is shown.

        The picture is (1, colours, height, width).
        """
        seen = interpolate(picture, self.inputs.size, mode="bilinear", antialias=True)
        given = self.inputs.given((255 * seen).round().clamp(0, 255) / 255)
        with torch.no_grad():
            return float(self.layers.run(*given, until=self.layer)[0, self.channel].mean())


def squares() -> Iterator[Image.Image]:
    """Yield parts of photographs that do not overlap, the largest first."""
    for side in SIDES:
        for name in PHOTOGRAPHS:
            with Image.open(Path(skimage.__file__).parent / "data" / name) as file:
                photo = file.convert("RGB")
            for top in range(0, photo.height - side + 1, side):
                for left in range(0, photo.width - side + 1, side):
                    yield photo.crop((left, top, left + side, top + side))


def pictures_of(folder: Path) -> Iterator[Image.Image]:
    """Yield the pictures below a folder."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in {".jpg", ".jpeg", ".png", ".webp"}:
            with Image.open(path) as file:
                yield file.convert("RGB")


def natural_best(
    layers: LayerActivations, subject: Subject, names: Iterable[str], pictures: Iterable[Image.Image]
) -> tuple[dict[str, np.ndarray], int]:
    """Return each channel's largest mean over the pictures, and their number.

    ``names`` are layers, the deepest last.
    """
    found: dict[str, list[np.ndarray]] = {name: [] for name in names}
    for picture, _ in zip(pictures, range(MOST_PICTURES), strict=False):
        with torch.no_grad(), layers.capture(*found) as record:
            layers.run(*subject.arguments(picture), until=list(found)[-1])
        for name, rows in found.items():
            rows.append(record[name].output[0].mean((1, 2)).numpy())
    return {name: np.max(rows, axis=0) for name, rows in found.items()}, len(rows)


def chosen(channels: int) -> list[int]:
    """Return a few channels, evenly apart, whatever they look for."""
    return [channels * number // CHANNELS for number in range(CHANNELS)]


def climbed(
    study: OptimisedPictures, aim: Aim, best: float, time: Time, most: float
) -> tuple[float | None, float, int]:
    """Optimise a picture, and time when it exceeds the best.

    Returns the seconds until then, None if it never does; then its value and its steps within the time limit.
    """
    spent, beaten, value, steps = 0.0, None, aim.value(shown(study)), 0
    while not study.finished and (spent < time.seconds or (beaten is None and spent < most)):
        begun = time.now()
        study.step(aim.layers)
        spent += time.now() - begun
        now = aim.value(shown(study))
        if beaten is None and now > best:
            beaten = spent
        if spent <= time.seconds:
            value, steps = now, study.done
    return beaten, value, steps


def shown(study: OptimisedPictures) -> Tensor:
    """Return the picture as it is now, from 0 to 1.

    Its shape is (1, colours, height, width).
    """
    return torch.from_numpy(study.pictures).permute(0, 3, 1, 2).float() / 255


class LayerArrival(Exception):  # noqa: N818  # no error: the layer has returned, so the rest need not run
    """Carries the layer's output."""


def channel_mean(aim: Aim) -> Callable[[Tensor], Tensor]:
    """Return the function from pictures to the channel's mean.

    The pass ends at the layer, as ours does.
    """
    net = copy.deepcopy(aim.layers.model)

    def leave(_: nn.Module, __: object, output: Tensor) -> None:
        raise LayerArrival(output)

    net.get_submodule(aim.layer).register_forward_hook(leave)

    def mean(pictures: Tensor) -> Tensor:
        try:
            net(*aim.inputs.given(pictures))
        except LayerArrival as arrived:
            return arrived.args[0][:, aim.channel].mean()
        raise LookupError(aim.layer)

    return mean


def timed(time: Time, end: type[BaseException] | None = None) -> Callable[..., Iterator[int]]:
    """Return a stand-in for a peer's progress bar that ends in time."""

    def steps(numbers: Iterable[int], **_: object) -> Iterator[int]:
        until = time.now() + time.seconds
        for number in numbers:
            if time.now() >= until:
                if end:
                    raise end
                return
            yield number

    return steps


def lucent(side: int | None) -> Draw:
    """Return Lucent's way, with its defaults and the model's colour scale."""

    def draw(aim: Aim, time: Time) -> Tensor:
        from lucent.optvis import objectives, param, render, transform  # noqa: PLC0415  # may not be there

        net = copy.deepcopy(aim.layers.model)
        scaled = [*transform.standard_transforms, lambda pictures: aim.inputs.given(pictures)[0]]
        render.tqdm = timed(time, KeyboardInterrupt)  # which it takes as a wish to stop, and returns
        wish = objectives.channel(aim.layer.replace(".", "_"), aim.channel)
        (picture,) = render.render_vis(
            net,
            wish,
            lambda: param.image(side or aim.inputs.size[0]),
            transforms=scaled,
            thresholds=(1_000_000,),
            preprocess=False,
            show_image=False,
            fixed_image_size=aim.inputs.size[0],
        )
        return torch.from_numpy(picture).permute(0, 3, 1, 2)

    return draw


def horama(**settings: Any) -> Draw:
    """Return Horama's way with waves of free magnitude.

    Noise stays the same share of the colours' range.
    """

    def draw(aim: Aim, time: Time) -> Tensor:
        from horama import fourier_fv  # noqa: PLC0415  # may not be there

        fourier_fv.tqdm = timed(time)
        side = aim.inputs.size[0]
        chosen_ones = {"image_size": side, **settings}
        picture, _ = fourier_fv.fourier(
            channel_mean(aim),
            total_steps=1_000_000,
            model_input_size=side,
            noise=0.01,
            values_range=(0.0, 1.0),
            device="cpu",
            **chosen_ones,
        )
        return picture.detach()[None]

    return draw


PEERS: dict[str, tuple[Draw, ...]] = {
    "Lucent": (lucent(128), lucent(None)),
    "Horama": (
        horama(box_size=(0.9, 1.0)),
        horama(box_size=(0.9, 1.0), crops_per_iteration=2),
    ),
}


def peer_values(aim: Aim, time: Time) -> dict[str, list[float]]:
    """Return each peer's value, try by try."""
    found: dict[str, list[float]] = {}
    for name, ways in PEERS.items():
        for draw in ways:
            torch.manual_seed(0)
            np.random.seed(0)  # noqa: NPY002  # Lucent draws from it
            with contextlib.redirect_stdout(sys.stderr):
                found.setdefault(name, []).append(aim.value(draw(aim, time)))
    return found


def row(model: str, aim: Aim, best: float, goal: float, asked: argparse.Namespace) -> str:
    """Return a channel's row: ours, and its ratio to each peer."""
    making = OptimisationSettings(asked.method, steps=MOST_STEPS)
    time = Time(asked.seconds, process_time if asked.cpu else perf_counter)
    study = OptimisedPictures(aim.inputs, Wish(aim.layer, channel=aim.channel), making, aim.known)
    study.step(aim.layers)  # the first one also asks where the channel stands, and warms up
    study = OptimisedPictures(aim.inputs, Wish(aim.layer, channel=aim.channel), making, aim.known)
    beaten, ours, steps = climbed(study, aim, best, time, goal)
    cells = [f"{model}, {aim.layer}", f"{aim.channel}", f"{best:.3g}"]
    cells += [f"{beaten:.1f}" if beaten else f"not in {goal}", f"≤ {goal}", f"{ours:.3g}", f"{steps}"]
    for values in (peer_values(aim, time) if asked.peers else {}).values():
        ratio = f"{ours / max(values):.2f}" if max(values) > 0 else "no ratio"
        cells.append(f"{ratio} ({', '.join(f'{value:.3g}' for value in values)})")
    return f"| {' | '.join(cells)} |"


def rows(model: str, weights: str, names: tuple[str, ...], asked: argparse.Namespace) -> Iterator[str]:
    """Yield the rows of a model."""
    subject = load_subject(model, weights)
    layers, inputs = LayerActivations(subject.module, "cpu"), inputs_of(subject)
    pictures = pictures_of(asked.pictures) if asked.pictures else squares()
    best, count = natural_best(layers, subject, names, pictures)
    print(f"{model}: {count} pictures", file=sys.stderr)
    for name, goal in zip(names, GOALS, strict=True):
        known = layer_of(layers, subject, Wish(name))
        for channel in chosen(len(best[name])):
            aim = Aim(layers, inputs, name, channel, known)
            yield row(model, aim, float(best[name][channel]), goal, asked)


def options() -> argparse.Namespace:
    """Parse the command line."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--pictures", type=Path)
    asked.add_argument("--peers", type=Path)
    asked.add_argument("--seconds", type=float, default=10)
    asked.add_argument("--cpu", action="store_true")
    asked.add_argument("--method", choices=WAYS, default=WAYS[0])
    asked.add_argument("--model", choices=[model for model, *_ in CASES])
    return asked.parse_args()


def main() -> None:
    """Print the table."""
    asked = options()
    if asked.peers:
        sys.path.append(str(asked.peers))
    heads = [*HEADS, *(f"ours to {name} (its tries)" for name in PEERS if asked.peers)]
    print(f"| {' | '.join(heads)} |\n| --- {'| ---: ' * (len(heads) - 1)}|")
    for model, weights, names in CASES:
        if asked.model in {None, model}:
            for each in rows(model, weights, names, asked):
                print(each, flush=True)


if __name__ == "__main__":
    main()
