"""Measurements of optimised pictures: by the picture that is shown, and by the same clock for all sides."""

from argparse import Namespace
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
import torch
from PIL import Image

from bench import visualised
from bench.visualised import Aim, Time, channel_mean, chosen, climbed, natural_best, row, squares, timed
from tests.viz.visualised.nets import begun, subject_of, wants_red
from viz.hooks.activations import LayerActivations
from viz.request.optimised import Wish
from viz.visualised.inputs import inputs_of
from viz.visualised.study import Layer


def ticking() -> Callable[[], float]:
    """A clock that is a second later whenever it is looked at."""
    seconds = count()
    return lambda: float(next(seconds))


def red() -> Aim:
    """The channel that wants red."""
    net = wants_red()
    return Aim(LayerActivations(net, "cpu"), inputs_of(subject_of(net)), "0", 0, Layer("Conv2d"))


def test_the_value_is_the_channels_mean_for_the_picture_as_shown() -> None:
    """A level that 256 cannot show counts as the nearest one, and another size is resized first."""
    aim = red()
    shown = torch.full((1, 3, 16, 16), 100 / 255)
    shown[:, 0] = 200 / 255
    expected = float(aim.layers.run(*aim.inputs.given(shown), until="0")[0, 0].mean())
    assert aim.value(shown + 0.3 / 255) == pytest.approx(expected)
    assert aim.value(shown.repeat_interleave(3, -1)) == pytest.approx(expected)
    assert aim.value(1 - shown) != pytest.approx(expected)


def test_a_peer_is_asked_for_the_same_mean() -> None:
    """Its pass ends at the layer too, because what is behind it raises; its slope is there."""
    aim, picture = red(), torch.rand(1, 3, 16, 16).mul(255).round().div(255).requires_grad_()
    mean = channel_mean(aim)(picture)
    assert float(mean.detach()) == pytest.approx(aim.value(picture.detach()), abs=1e-5)
    (slope,) = torch.autograd.grad(mean, picture)
    assert slope.abs().sum() > 0


def test_ours_is_timed_until_it_exceeds_the_best_picture() -> None:
    """By a clock that moves a second a step; after the time it goes on only for that."""
    aim = red()
    study, _ = begun(wants_red(), Wish("0"), steps=50)
    start = aim.value(visualised.shown(study))
    beaten, value, steps = climbed(study, aim, start + 0.05, Time(4, ticking()), 9)
    assert (beaten is not None, steps, study.done) == (True, 4, 4)
    assert value > start + 0.05
    never, _, steps = climbed(study, aim, 1e9, Time(4, ticking()), 9)
    assert (never, steps, study.done) == (None, 8, 13)


def test_a_peers_steps_end_with_the_time() -> None:
    """Quietly, or as if somebody had pressed Ctrl-C, which Lucent takes as the end."""
    assert list(timed(Time(3, ticking()))(range(100), disable=True)) == [0, 1]
    steps = timed(Time(2, ticking()), KeyboardInterrupt)(range(100))
    assert next(steps) == 0
    with pytest.raises(KeyboardInterrupt):
        next(steps)


def test_the_best_of_the_pictures_is_one_of_them() -> None:
    """Of a red and a blue one, the red one for the channel that wants red."""
    net = wants_red()
    pictures = [Image.new("RGB", (16, 16), colour) for colour in ("red", "blue")]
    layers, subject = LayerActivations(net, "cpu"), subject_of(net)
    each = [natural_best(layers, subject, ("0",), [picture])[0]["0"][0] for picture in pictures]
    found, seen = natural_best(layers, subject, ("0",), pictures)
    assert (found["0"][0], seen) == (max(each), 2)
    assert each[0] > each[1]


def test_squares_are_cut_at_several_sizes() -> None:
    """Enough of them for the thousand, all of them colour."""
    found = list(squares())
    assert len(found) >= visualised.MOST_PICTURES
    used = found[: visualised.MOST_PICTURES]
    assert len({picture.size for picture in used}) >= 3
    assert {picture.mode for picture in found} == {"RGB"}


def test_channels_are_chosen_evenly_apart() -> None:
    """By nothing that they look for."""
    assert chosen(320) == [0, 106, 213]


def test_a_row_has_a_ratio_for_each_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    """To its better try; none to a peer that got below zero."""
    aim = red()
    values: dict[str, list[float]] = {"one": [0.5, 0.25], "other": [-1.0]}
    monkeypatch.setattr(visualised, "peer_values", lambda *_: values)
    asked = Namespace(method="fourier", seconds=0.2, cpu=False, peers=Path("there"))
    cells = row("net", aim, -100.0, 10, asked).strip("| ").split(" | ")
    assert cells[:3] == ["net, 0", "0", "-100"]
    assert float(cells[3]) <= 10
    ours = float(cells[5])
    assert float(cells[7].split()[0]) == pytest.approx(ours / 0.5, rel=0.05)
    assert cells[8] == "no ratio (-1)"


def test_pictures_come_from_a_folder_if_one_is_named(tmp_path: Path) -> None:
    """Also from folders below, and what is no picture is left out."""
    (tmp_path / "below").mkdir()
    Image.new("L", (4, 3)).save(tmp_path / "below/grey.png")
    (tmp_path / "words.txt").write_text("none", encoding="utf-8")
    found: Iterator[Image.Image] = visualised.pictures_of(tmp_path)
    assert [(picture.size, picture.mode) for picture in found] == [((4, 3), "RGB")]
