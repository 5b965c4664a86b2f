"""Cost of a request: the estimate against what it took, and the budget against what was set."""

import threading
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from tests.machine import patience
from tests.viz.subjects import Shelf, as_seen, photo, prepare, wanted
from viz import LayerActivations, survey
from viz.engine.engine import Limits, LocalEngine
from viz.errors import TooLargeError
from viz.findings.values import LayerValues, Leaf
from viz.pictures.subject import Subject
from viz.profile.cost import (
    ASK,
    CAPTURED,
    DRAWN,
    MEGABYTE,
    REFUSE,
    Budget,
    budget,
    free_memory,
    layer_cost,
    megabytes,
    model_cost,
    output_bytes,
    pass_cost,
    values_kept,
)
from viz.profile.rows import LayerRow
from viz.views.all_layers import Overview
from viz.views.drawing import draw_view
from viz.views.one_layer import Values, View
from viz.views.whole_model import Survey

WAIT = patience(120)
FIRST = 4 * 4 * 6 * 6  # bytes of the first layer's output (1, 4, 6, 6) as float32


def row(*shapes: tuple[int, ...] | None) -> LayerRow:
    """A layer that returned these shapes."""
    return LayerRow("layer", "Conv2d", "", 0, 0, len(shapes), shapes, (), None, (0,), children=False)


def test_what_a_layer_returned_is_counted_from_its_shapes() -> None:
    """Four bytes a value, every call; what is not one tensor is not known."""
    assert output_bytes(row((1, 3, 4, 4))) == 4 * 48
    assert output_bytes(row((1, 3, 4, 4), (1, 10), None)) == 4 * 58
    assert output_bytes(row(())) == 4
    assert output_bytes(row()) == output_bytes(row((0, 5))) == 0


def test_a_survey_tells_what_a_capture_will_hold() -> None:
    """The same bytes as those of the tensors that the capture brought home."""
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten())
    layers, images = LayerActivations(model, device="cpu"), torch.rand(1, 3, 8, 8)
    rows = survey(layers, images)
    with layers.capture() as record:
        layers.run(images)
    assert [output_bytes(each) for each in rows] == [record[each.name].output.nbytes for each in rows]


def test_the_estimate_covers_what_drawing_takes_and_not_much_more() -> None:
    """Measured on a layer of eight megabytes, drawn in the way that takes most: at least half, and no more.

    One value is no number, and the channels, each with colours of its own, are sorted.
    """
    maps = np.random.default_rng(0).normal(size=(1, 32, 256, 256)).astype(np.float32)
    maps[0, 0, 0, 0] = np.nan
    values = LayerValues("layer", "Conv2d", "cpu", ({"output": Leaf(maps, "float32")},))
    dear = replace(wanted(photo(1), "layer"), scale="channel", order="mean")
    draw_view(values, dear)
    peaks = []
    for _ in range(3):  # what another test has left running only adds to one
        tracemalloc.start()
        draw_view(values, dear)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    peak = min(peaks)
    estimate = layer_cost(row(maps.shape)) - CAPTURED * maps.nbytes
    assert estimate == DRAWN * maps.nbytes
    assert estimate / 2 < peak <= estimate


def test_only_the_largest_call_is_drawn() -> None:
    """All calls are captured."""
    assert layer_cost(row((10,), (100,))) == 4 * (CAPTURED * 110 + DRAWN * 100)
    assert layer_cost(row()) == 0


def test_all_layers_cost_what_is_held_at_once() -> None:
    """All of them where they fit, else as many as do, and never less than the largest."""
    rows = [row((100,)), row((300,)), row((200,)), row()]
    assert pass_cost(rows, at_once=10_000) == CAPTURED * 4 * 600
    assert pass_cost(rows, at_once=1500) == CAPTURED * 1500
    assert pass_cost(rows, at_once=0) == CAPTURED * 4 * 300
    assert pass_cost([], at_once=100) == 0


def test_a_model_is_in_memory_twice_while_it_loads() -> None:
    """Once as it is made and once as it is read; four bytes a number."""
    assert model_cost(633_470_440) == 8 * 633_470_440
    assert megabytes(model_cost(633_470_440)) == "5,068"
    assert megabytes(1) == "1"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, Budget(1000, 3000)),
        ({ASK: "7"}, Budget(3000, 3000)),
        ({ASK: "7", REFUSE: "9"}, Budget(7 * MEGABYTE, 9 * MEGABYTE)),
        ({REFUSE: "0"}, Budget(0, 0)),
        ({ASK: "many", REFUSE: "-1"}, Budget(1000, 3000)),
        ({ASK: "", REFUSE: "٣"}, Budget(1000, 3000)),
    ],
)
def test_the_budget_is_a_share_of_what_is_free_or_what_was_set(
    settings: dict[str, str], expected: Budget
) -> None:
    """A value that is not a number counts as not set; nothing is asked about what would be refused anyway."""
    assert budget(settings, free=4000) == expected


@pytest.mark.parametrize(
    ("settings", "free", "expected"),
    [
        ({}, 4000, 1000),
        ({}, 400, 300),
        ({"LAYERGLASS_VALUES_MB": "2"}, 4000, 2_000_000),
        ({"LAYERGLASS_VALUES_MB": "-2"}, 4000, 1000),
        ({"LAYERGLASS_VALUES_MB": "0"}, 4000, 0),
    ],
)
def test_values_take_a_share_of_memory_unless_somebody_says_how_much(
    settings: dict[str, str], free: int, expected: int
) -> None:
    """A quarter of what is free, but 300 bytes at least; what is no whole number says nothing."""
    assert values_kept(300, settings, free) == expected


def test_free_memory_is_less_than_all_and_follows_a_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container's limit counts where it is the smaller, its page cache does not."""
    assert 1 << 20 < free_memory() < 1 << 45
    for name, text in {"max": "5000", "current": "4000", "stat": "anon 1\ninactive_file 500\n"}.items():
        (tmp_path / f"memory.{name}").write_text(text)
    monkeypatch.setattr("viz.profile.cost._CONTAINER", tmp_path)
    assert free_memory() == 1500
    monkeypatch.setattr("viz.profile.cost._MEMINFO", tmp_path / "absent")
    assert free_memory() == 1500
    (tmp_path / "memory.max").write_text("max\n")
    assert 1 << 20 < free_memory() < 1 << 45


@pytest.fixture
def engine() -> Iterator[LocalEngine]:
    """An engine that gives one request just less than the first layer of ``Counting`` takes."""
    limits = Limits(capture=(CAPTURED + DRAWN) * FIRST - 1)
    engine = LocalEngine(Shelf(), device="cpu", limits=limits)
    yield engine
    engine.close()


@pytest.mark.parametrize("way", ["view", "values", "prefetch"])
def test_the_engine_refuses_what_is_beyond_its_limit(engine: LocalEngine, way: str) -> None:
    """For every kind of request, in one sentence with the numbers; a smaller layer is still shown."""
    picture = photo(1)
    request = wanted(picture, "first")
    if way == "values":
        answer = engine.do(Values(request, picture), visitor="ann")
    else:
        answer = engine.do(View(request, picture, whole=way != "view"), visitor="ann", urgent=way == "view")
    with pytest.raises(TooLargeError, match=r"first .* about 1 MB.* smaller"):
        answer.result(WAIT)
    small = wanted(picture, "second")
    assert engine.do(View(small, picture), visitor="ann").result(WAIT).layer == "second"


def test_the_engine_refuses_to_capture_all_layers_beyond_its_limit() -> None:
    """Here even the largest one alone would be too much."""
    engine, picture = (
        LocalEngine(Shelf(), device="cpu", limits=Limits(capture=CAPTURED * FIRST - 1)),
        photo(1),
    )
    with pytest.raises(TooLargeError, match="all layers"):
        engine.do(Overview(wanted(picture), picture), visitor="ann").result(WAIT)
    engine.close()


class Growing(nn.Module):
    """Returns more than it is given, and tells when it runs."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Upsample(scale_factor=2)
        self.made = threading.Event()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the images (N, 3, H, W) twice as large."""
        self.made.set()
        larger: torch.Tensor = self.layer(images)
        return larger


def test_a_layer_beyond_the_limit_is_refused_before_the_model_runs() -> None:
    """The pass of the survey is the only one."""
    net = Growing()
    subject = Subject(net, prepare, as_seen)
    engine = LocalEngine(lambda *_: subject, device="cpu", limits=Limits(capture=10))
    engine.do(Survey("growing", "random"), visitor="ann").result(WAIT)
    net.made.clear()
    picture = photo(1)
    with pytest.raises(TooLargeError):
        engine.do(View(wanted(picture, "layer", "growing"), picture), visitor="ann").result(WAIT)
    assert not net.made.is_set()
    engine.close()
