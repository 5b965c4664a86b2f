"""The crowd of ``bench/load``: real visitors, what they check, and what they say."""

import asyncio
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
import torch
from matplotlib.colors import Normalize
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from torch import nn

import models
from bench.load.__main__ import arguments, plans
from bench.load.crowd import CrowdResult, crowd
from bench.load.http_line import HttpLine, Reply
from bench.load.oracle import Checks, check, outputs
from bench.load.plan import PRESETS, Plan
from bench.load.report import HEAD, percentile, row, summary
from bench.load.visitor import Pick, Place, Sample, Visitor, places_in
from tests.browser.serving import serving

NOWHERE = "http://127.0.0.1:9"
PLAN = Plan(visitors=3, every=0.5, seconds=5, model="lenet", weights="pretrained", check_share=0.5)
CONV = Place("conv1", 0, (1, 6, 28, 28))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all of these."""
    with serving(tmp_path_factory.mktemp("load")) as address:
        yield address


@pytest.mark.slow
def test_three_visitors_get_what_their_own_photos_give(server: str) -> None:
    """Plain hooks on the same net say so; nothing fails, and no pick sends anything over the websocket."""
    found = asyncio.run(crowd(server, PLAN))
    checks = check(found.visitors, PLAN.model, PLAN.weights)
    assert (checks.differ, found.failures) == ([], Counter())
    assert len(found.visitors) == 3
    assert len({visitor.photo for visitor in found.visitors}) == 3
    assert min(len(visitor.picks) for visitor in found.visitors) >= 4
    assert checks.ranges >= 6
    assert min(checks.channels, checks.mosaics) >= 2
    assert {pick.websocket for visitor in found.visitors for pick in visitor.picks} == {0}
    assert found.server is None or found.server > 0


@pytest.mark.slow
def test_a_pick_may_run_the_script_and_fetch_all_that_a_page_does(server: str) -> None:
    """Each pick of the plan has one run, and its bytes are counted apart from those over HTTP."""
    plan = replace(PLAN, visitors=1, seconds=2, script_runs=True, whole_page=True, slow_share=1.0)
    found = asyncio.run(crowd(server, plan))
    (visitor,) = found.visitors
    assert (visitor.failures, visitor.is_slow) == (Counter(), True)
    assert len(visitor.run_seconds) == len(visitor.picks) > 0
    assert min(pick.websocket for pick in visitor.picks) > 1000
    assert min(pick.seconds for pick in visitor.picks) > 0.15  # the slow line's delay


def test_a_server_that_is_not_there_is_a_failure_and_no_wait() -> None:
    """Nothing listens on the port of the discard protocol."""
    found = asyncio.run(crowd(NOWHERE, replace(PLAN, visitors=2, seconds=0.1)))
    assert found.failures == {"arrival: ConnectionRefusedError": 2}
    numbers = summary(PLAN, found, check([], "lenet", "pretrained"))
    assert numbers["wait_ms"]["picks"] == 0
    assert "ConnectionRefusedError: 2" in row(PLAN, numbers)


def answer(whose: Visitor) -> tuple[Pick, Sample]:
    """Return the correct answer for LeNet's first layer and the photo, in colours from matplotlib."""
    picture = Image.open(io.BytesIO(whose.photo)).convert("RGB")
    images = models.describe("lenet").preprocessing(picture)
    maps = models.load("lenet").get_submodule("conv1")(images)[0].numpy()
    channels, height, width = maps.shape
    sizes = {"map_height": height, "map_width": width, "tile_height": height, "tile_width": width, "pad": 0}
    low, high = float(maps.min()), float(maps.max())
    facts = {
        "layer": "conv1",
        "call": 0,
        "colormap": "viridis",
        "vmin": low,
        "vmax": high,
        "statistics": {"minimum": low, "maximum": high},
        "geometry": {"channels": channels, "columns": 1, "order": [], **sizes},
    }
    pixels = mpl.colormaps["viridis"](Normalize(low, high)(maps.reshape(-1, width)), bytes=True)
    file, said = io.BytesIO(), PngInfo()
    said.add_itxt("layerglass", json.dumps(facts))
    Image.fromarray(pixels).save(file, "PNG", pnginfo=said)
    pick = Pick(CONV, 0.01, 1000, 0, Reply(200, {}, file.getvalue(), 0))
    return pick, Sample(pick, 2, maps[2].tobytes())


def test_an_answer_about_another_visitors_photo_is_found() -> None:
    """The same answer is right for the one and wrong in every respect for the other."""
    ada, eve = Visitor(NOWHERE, 0, PLAN), Visitor(NOWHERE, 1, PLAN)
    for visitor in (ada, eve):
        pick, sample = answer(whose=ada)
        visitor.picks, visitor.samples = [pick], [sample]
    checks = check([ada, eve], "lenet", "pretrained")
    assert (checks.names, checks.ranges, checks.channels, checks.mosaics) == (2, 2, 2, 2)
    of_eve = [f"visitor 1, {what} of conv1, call 1" for what in ("range", "values", "mosaic")]
    assert checks.differ == of_eve


def test_an_answer_about_another_layer_is_found() -> None:
    """A name is compared even where no number can be."""
    ada = Visitor(NOWHERE, 0, PLAN)
    ada.picks = [replace(answer(ada)[0], place=Place("fc1", 0, (1, 120)))]
    assert check([ada], "lenet", "pretrained").differ == ["visitor 0, name of fc1, call 1"]


def test_every_call_is_kept_as_it_was_at_that_moment() -> None:
    """The same module runs twice, each time in place; a copy made later would show the last value twice."""
    relu = nn.ReLU(inplace=True)
    twice = nn.ModuleDict({"relu": relu, "all": nn.Sequential(relu, nn.Conv2d(1, 1, 1, bias=False), relu)})
    nn.init.constant_(twice["all"][1].weight, 3.0)
    twice.forward = twice["all"].forward  # type: ignore[method-assign]
    found = outputs(twice, torch.tensor([[[[-1.0, 2.0]]]]), {("relu", 0), ("relu", 1)})
    assert {key: value.tolist() for key, value in found.items()} == {
        ("relu", 0): [[[0.0, 2.0]]],
        ("relu", 1): [[[0.0, 6.0]]],
    }


def test_the_places_of_a_tree_are_its_calls_that_returned_a_tensor() -> None:
    """A layer that never ran, and a call that returned something else, cannot be picked."""
    tree = [
        {"name": "relu", "shapes": [[1, 2, 3, 3], [1, 2, 1, 1]]},
        {"name": "unused", "shapes": []},
        {"name": "split", "shapes": [None]},
    ]
    places = places_in(tree)
    assert places == [Place("relu", 0, (1, 2, 3, 3)), Place("relu", 1, (1, 2, 1, 1))]
    assert [place.look for place in places] == [{"layer": "relu"}, {"layer": "relu", "call": 2}]


def test_a_row_of_the_table_says_how_long_whom_kept_waiting() -> None:
    """Two visitors wait 10 to 20 ms and 40 ms; one on a slow line is left out of the times."""
    visitors = [Visitor(NOWHERE, number, replace(PLAN, slow_share=1 / 3)) for number in range(3)]
    waits = ((9.0, 9.0), (0.01, 0.02, 0.01), (0.04, 0.04))
    for visitor, seconds in zip(visitors, waits, strict=True):
        visitor.picks = [Pick(CONV, each, 20_000, 500, Reply(200, {}, b"", 0)) for each in seconds]
    plan = replace(PLAN, goals=(30, 40, 3))
    numbers = summary(plan, CrowdResult(visitors, 5.0, Counter(), 2.5, 0.25), Checks(ranges=7))
    said = [cell.strip() for cell in row(plan, numbers).strip("|").split("|")]
    assert said[1:] == [
        "5",
        "20.0 (≤ 30)",
        "40.0 (≤ 40)",
        "40.0",
        "4.0 (≤ 3)",
        "20.0, 0.5",
        "7, 0",
        "0",
        "2.5, 0.25",
    ]
    assert len(said) == HEAD.splitlines()[0].strip("|").count("|") + 1
    assert numbers["wait_on_slow_lines_ms"]["median"] == 9000
    assert json.loads(json.dumps(numbers)) == numbers | {"plan": numbers["plan"] | {"goals": [30, 40, 3]}}


@pytest.mark.parametrize("count", [1, 2, 19, 20, 21, 100, 1000])
def test_the_percentile_is_numpys_own(count: int) -> None:
    """With the definition that always names one of the waits."""
    waits = np.random.default_rng(count).random(count).tolist()
    assert percentile(waits) == np.percentile(waits, 95, method="inverted_cdf")


def test_without_options_both_presets_are_measured() -> None:
    """An option changes each of them; how many visitors, or how often, makes a crowd of its own."""
    assert plans(arguments().parse_args([])) == [PRESETS["class"], PRESETS["hall"]]
    assert plans(arguments().parse_args(["--preset", "hall"])) == [PRESETS["hall"]]
    quick = plans(arguments().parse_args(["--seconds", "5", "--script-runs"]))
    assert quick == [
        replace(plan, seconds=5, script_runs=True) for plan in (PRESETS["class"], PRESETS["hall"])
    ]
    assert plans(arguments().parse_args(["--visitors", "3"])) == [Plan(visitors=3)]


def test_a_line_counts_its_bytes_and_opens_again_after_the_server_closed_it() -> None:
    """A server of a few lines closes each connection after one answer, without saying so beforehand."""
    said = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nmaps!"
    opened = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal opened
        opened += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said)
        writer.close()

    async def ask_twice() -> list[tuple[bytes, int]]:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            line = HttpLine(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
            replies = []
            for _ in range(2):
                replies.append(await line.ask("/"))
                await asyncio.sleep(0.05)
            await line.close()
        return [(reply.data, reply.received) for reply in replies]

    assert asyncio.run(ask_twice()) == [(b"maps!", len(said))] * 2
    assert opened == 2
