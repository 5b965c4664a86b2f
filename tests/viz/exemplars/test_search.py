"""A whole run, beside brute force; stopped, killed, resumed; with bad pictures, odd layers and full disks."""

import json
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image
from torch import Tensor, nn

from tests.machine import patience
from tests.viz.exemplars.folders import Small, noise, outputs, request_of, rows, search_of, searched
from viz.errors import CaptureError, RequestError
from viz.exemplars.listing import pictures
from viz.exemplars.search import exemplars

ROOT = Path(__file__).parents[3]
LAYERS = ("first", "relu", "second")
FILES = ("exemplars.parquet", "maxima.parquet", "pictures.parquet")


def test_the_nine_strongest_are_those_of_brute_force(tmp_path: Path) -> None:
    """500 pictures, every channel of every call held in memory: pictures, values and places are the same."""
    folder, net = noise(tmp_path / "pictures", 500), Small()
    outcome = searched(folder, tmp_path / "out", net)
    assert (outcome.done, outcome.complete, outcome.channels) == (500, True, 5 + 5 + 4 + 4)
    held = outputs(folder, net, LAYERS)
    order = list(pictures(folder))
    expected = []
    for layer in LAYERS:
        for call in (0, 1) if layer == "relu" else (0,):
            maps = np.stack([held[picture, layer, call] for picture in order])
            flat = maps.reshape(*maps.shape[:2], -1)
            for channel in range(maps.shape[1]):
                best = sorted(range(500), key=lambda n: (-flat[n, channel].max(), n))[:9]
                for rank, number in enumerate(best):
                    row, column = divmod(int(flat[number, channel].argmax()), maps.shape[-1])
                    value = float(flat[number, channel].max())
                    expected.append((layer, call, channel, rank, order[number], value, row, column))
    names = ("layer", "call", "channel", "rank", "picture", "value", "row", "column")
    found = [tuple(row[name] for name in names) for row in rows(tmp_path / "out" / "exemplars.parquet")]
    assert found == expected


def test_maxima_has_every_channel_of_every_picture(tmp_path: Path) -> None:
    """Read with pandas alone; the types are those that are promised, and the numbers those of plain hooks."""
    folder, net = noise(tmp_path / "pictures", 7), Small()
    searched(folder, tmp_path / "out", net)
    table = pd.read_parquet(tmp_path / "out" / "maxima.parquet")
    assert list(table.columns) == [
        *("picture", "layer", "call", "channel", "maximum", "mean", "row", "column")
    ]
    assert {
        name: str(table[name].dtype) for name in ("call", "channel", "maximum", "mean", "row", "column")
    } == {
        **dict.fromkeys(("call", "channel", "row", "column"), "int32"),
        **dict.fromkeys(("maximum", "mean"), "float32"),
    }
    held = outputs(folder, net, LAYERS)
    assert len(table) == 7 * 18
    for line in table.itertuples():
        maps = held[line.picture, line.layer, line.call][line.channel]
        assert line.maximum == maps.max() == maps[line.row, line.column]
        assert line.mean == pytest.approx(maps.mean(), abs=1e-6)


def test_the_card_says_what_the_numbers_depend_on(tmp_path: Path) -> None:
    """Also how many channels each call has."""
    folder = noise(tmp_path / "pictures", 3)
    searched(folder, tmp_path / "out", Small(), "second", top=2)
    card = json.loads((tmp_path / "out" / "card.json").read_bytes())
    assert card["layers"] == ["second"]
    assert card["channels"] == [{"layer": "second", "type": "Conv2d", "call": 0, "channels": 4}]
    assert (card["top"], card["pictures"], card["done"], card["complete"]) == (2, 3, 3, True)
    assert len(card["weights_sha256"]) == 64
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["card.json", *FILES]


def test_of_equal_pictures_the_first_ones_are_kept(tmp_path: Path) -> None:
    """Every picture is the same, so all ranks are ties."""
    folder = noise(tmp_path / "pictures", 12)
    one = next(folder.glob("*.png")).read_bytes()
    for path in folder.rglob("*.png"):
        path.write_bytes(one)
    searched(folder, tmp_path / "out", Small(), "first", top=3)
    first = list(pictures(folder))[:3]
    kept = rows(tmp_path / "out" / "exemplars.parquet")
    assert [row["picture"] for row in kept] == first * 5


def test_fewer_pictures_than_ranks_are_all_kept(tmp_path: Path) -> None:
    """There is no row for a rank without a picture."""
    searched(noise(tmp_path / "pictures", 2), tmp_path / "out", Small(), "first")
    assert [row["rank"] for row in rows(tmp_path / "out" / "exemplars.parquet")] == [0, 1] * 5


def test_processes_beside_this_one_change_nothing(tmp_path: Path) -> None:
    """The files are the same, byte for byte."""
    folder, net = noise(tmp_path / "pictures", 30), Small()
    searched(folder, tmp_path / "alone", net)
    search = search_of(folder, tmp_path / "helped", net, workers=2)
    exemplars(search, request_of(search))
    for name in FILES:
        assert (tmp_path / "alone" / name).read_bytes() == (tmp_path / "helped" / name).read_bytes()


class Poisoned(nn.Module):
    """Channel 1 is NaN for every picture, channel 2 at one place if the picture is bright there."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Identity()

    def forward(self, images: Tensor) -> Tensor:
        """Return the images (N, 3, H, W) with NaN."""
        images = images.clone()
        images[:, 1] = torch.nan
        images[:, 2][images[:, 2] > 0.99] = torch.nan
        found: Tensor = self.layer(images)
        return found


def test_a_nan_excites_nothing(tmp_path: Path) -> None:
    """It stands in the maxima, where the NaN is, and no picture is kept for it."""
    folder = noise(tmp_path / "pictures", 40)
    searched(folder, tmp_path / "out", Poisoned(), top=40)
    kept = defaultdict(set)
    for row in rows(tmp_path / "out" / "exemplars.parquet"):
        kept[row["channel"]].add(row["picture"])
        assert np.isfinite(row["value"])
    table = pd.read_parquet(tmp_path / "out" / "maxima.parquet")
    sound = table[table.maximum.notna()]
    assert {channel: set(group.picture) for channel, group in sound.groupby("channel")} == kept
    assert (len(kept[0]), len(kept[1])) == (40, 0)
    assert 0 < len(kept[2]) < 40


class Choosy(nn.Module):
    """Fails on pictures whose first pixel is bright; of others, the layer runs twice if it is green."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Conv2d(3, 2, 1)

    def forward(self, images: Tensor) -> Tensor:
        """Return maps (N, 2, H, W)."""
        if images[0, 0, 0, 0] > 0.8:
            raise ZeroDivisionError("too bright")
        maps: Tensor = self.layer(images)
        if images[0, 1, 0, 0] > 0.6:
            maps = self.layer(images * 2)
        return maps


def test_a_model_that_fails_or_differs_on_some_pictures_is_asked_the_others(tmp_path: Path) -> None:
    """Failures are listed with the model's own words; calls that only some pictures have are all there."""
    folder, net = noise(tmp_path / "pictures", 60), Choosy()
    outcome = searched(folder, tmp_path / "out", net, top=2)
    failed = dict(outcome.unreadable)
    assert 0 < len(failed) < 30
    assert set(failed.values()) == {"ZeroDivisionError: too bright"}
    table = pd.read_parquet(tmp_path / "out" / "maxima.parquet")
    assert len(table[table.call == 0]) == 2 * (60 - len(failed))
    assert 0 < len(table[table.call == 1]) < len(table[table.call == 0])
    assert len(rows(tmp_path / "out" / "exemplars.parquet")) == 2 * 2 * 2


def test_unreadable_pictures_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    """Text, nothing, half a picture, links to nowhere and to itself, a pipe: none is waited for, or fatal."""
    folder = noise(tmp_path / "pictures", 5)
    whole = next(folder.glob("*.png")).read_bytes()
    (folder / "text.jpg").write_text("no picture")
    (folder / "nothing.png").write_bytes(b"")
    (folder / "half.png").write_bytes(whole[: len(whole) // 2])
    (folder / "gone.png").symlink_to("nowhere.png")
    (folder / "self.png").symlink_to("self.png")
    os.mkfifo(folder / "pipe.png")
    outcome = searched(folder, tmp_path / "out", Small(), "first")
    bad = ["gone.png", "half.png", "nothing.png", "pipe.png", "self.png", "text.jpg"]
    assert [path for path, _ in outcome.unreadable] == bad
    assert all(reason for _, reason in outcome.unreadable)
    card = json.loads((tmp_path / "out" / "card.json").read_bytes())
    assert [each["picture"] for each in card["unreadable"]] == bad
    assert len(rows(tmp_path / "out" / "maxima.parquet")) == 5 * 5


def test_a_folder_in_which_nothing_can_be_read_is_refused(tmp_path: Path) -> None:
    """With the first reason; nothing is left behind."""
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(CaptureError, match=r"none of the 1 pictures .*text file"):
        searched(tmp_path, tmp_path / "out", Small())
    assert not list((tmp_path / "out").iterdir())


def test_a_stopped_run_has_what_is_done_and_can_go_on(tmp_path: Path) -> None:
    """After the second half, the files are those of a run in one go, byte for byte."""
    folder, net = noise(tmp_path / "pictures", 20), Small()
    searched(folder, tmp_path / "whole", net, top=3)
    turns = iter([False] * 7 + [True])
    outcome = searched(folder, tmp_path / "out", net, top=3, stopping=lambda: next(turns))
    assert (outcome.done, outcome.complete) == (8, False)
    assert len(rows(tmp_path / "out" / "maxima.parquet")) == 8 * 18
    assert not json.loads((tmp_path / "out" / "card.json").read_bytes())["complete"]
    done: list[int] = []
    outcome = searched(folder, tmp_path / "out", net, top=3, resume=True, advance=done.append)
    assert (done[0], outcome.done, outcome.complete) == (8, 20, True)
    for name in (*FILES, "card.json"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
    assert len(list((tmp_path / "out").iterdir())) == 4


KILLED = """
import sys, time
from pathlib import Path
from tests.viz.exemplars.folders import Small, request_of, search_of
from viz.exemplars.search import exemplars

folder, out, seconds = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
search = search_of(folder, out, Small(), workers=1, most_seconds=seconds)
def advance(done):
    print(done, flush=True)
    time.sleep(0.01)
exemplars(search, request_of(search), resume=True, advance=advance)
"""


def killed_after(count: int, folder: Path, out: Path, seconds: float) -> None:
    """A run in a process of its own, which is killed after so many pictures."""
    command = [sys.executable, "-c", KILLED, str(folder), str(out), str(seconds)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= count:
                process.send_signal(signal.SIGKILL)
                break
    assert process.returncode == -signal.SIGKILL


@pytest.mark.slow
def test_a_killed_run_goes_on_with_equal_results(tmp_path: Path) -> None:
    """Killed twice, once between two files, and once before anything was saved again."""
    folder, out, net = noise(tmp_path / "pictures", 90), tmp_path / "out", Small()
    killed_after(25, folder, out, 0.03)
    assert (out / "unfinished" / "kept.parquet").exists()
    killed_after(50, folder, out, 60)
    done: list[int] = []
    searched(folder, out, net, resume=True, advance=done.append)
    assert 0 < done[0] < 50
    searched(folder, tmp_path / "whole", net)
    for name in (*FILES, "card.json"):
        assert (tmp_path / "whole" / name).read_bytes() == (out / name).read_bytes()


def test_a_process_that_is_killed_is_said_and_blamed_on_no_picture(tmp_path: Path) -> None:
    """As by a system that is out of memory; what was saved is kept, and the run goes on."""
    folder, out, net = noise(tmp_path / "pictures", 60), tmp_path / "out", Small()
    search = search_of(folder, out, net, workers=1, most_seconds=0)

    def advance(done: int) -> None:
        if done == 20:
            (copy,) = multiprocessing.active_children()
            copy.kill()
            copy.join()

    with pytest.raises(RequestError, match="a process that looks at pictures has ended"):
        exemplars(search, request_of(search), advance=advance)
    done: list[int] = []
    outcome = searched(folder, out, net, resume=True, advance=done.append)
    assert (outcome.complete, outcome.unreadable) == (True, ())
    assert done[0] >= 19
    searched(folder, tmp_path / "whole", net)
    assert (tmp_path / "whole" / FILES[0]).read_bytes() == (out / FILES[0]).read_bytes()


class Fatal(Small):
    """Ends a copy of this process that shows it a white picture, as a system that is out of memory does."""

    def __init__(self) -> None:
        super().__init__()
        self.home = os.getpid()

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, H, W)."""
        if images.min() > 0.99 and os.getpid() != self.home:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().forward(images)


def test_a_picture_that_ends_its_process_twice_is_left_out(tmp_path: Path) -> None:
    """It is listed with the reason, and all others are looked at."""
    folder, out, net = noise(tmp_path / "pictures", 30), tmp_path / "out", Fatal()
    Image.new("RGB", (8, 8), "white").save(folder / "0010-white.png")
    search = search_of(folder, out, net, workers=2)
    with pytest.raises(RequestError, match="leaves a picture out at which that happens again"):
        exemplars(search, request_of(search))
    outcome = exemplars(search, request_of(search), resume=True)
    ((left_out, reason),) = outcome.unreadable
    assert (outcome.complete, outcome.done, left_out) == (True, 31, "0010-white.png")
    assert "has ended twice" in reason
    seen = {row["picture"] for row in rows(out / "maxima.parquet")}
    assert seen == set(pictures(folder)) - {"0010-white.png"}
    assert not (out / "unfinished").exists()


def test_a_folder_that_loses_pictures_during_a_run_is_counted_as_it_was(tmp_path: Path) -> None:
    """Those that are gone are listed as unreadable, and every other one keeps its number."""
    folder, out, net = noise(tmp_path / "pictures", 12), tmp_path / "out", Small()
    before = list(pictures(folder))

    def advance(done: int) -> None:
        if done == 2:
            shutil.rmtree(folder / "below")
            (folder / before[4]).unlink()

    outcome = searched(folder, out, net, advance=advance)
    gone = [name for name in before if not (folder / name).exists()]
    assert len(gone) == 5
    assert (outcome.complete, outcome.done, outcome.pictures) == (True, 12, 12)
    assert outcome.unreadable == tuple((name, "no such file or directory") for name in gone)
    listed_rows = rows(out / "pictures.parquet")
    assert [(row["number"], row["picture"]) for row in listed_rows] == list(enumerate(before))


def test_a_folder_that_has_changed_before_a_run_is_refused(tmp_path: Path) -> None:
    """Between the count and the run: the card would say what is not so."""
    folder = noise(tmp_path / "pictures", 3)
    search = search_of(folder, tmp_path / "out", Small())
    request = request_of(search)
    (folder / "0001.png").unlink()
    with pytest.raises(RequestError, match="have changed while they were listed"):
        exemplars(search, request)


def test_going_on_with_another_request_is_refused(tmp_path: Path) -> None:
    """Each with what differs; the files stay as they are."""
    folder, out = noise(tmp_path / "pictures", 6), tmp_path / "out"
    turns = iter([False, True])
    searched(folder, out, Small(), "first", stopping=lambda: next(turns))
    before = (out / "maxima.parquet").read_bytes()
    other = Small()
    with torch.no_grad():
        other.first.bias += 1
    search = search_of(folder, out, Small(), "first")
    for word, change in (
        ("their model, small there and large here", {"model": "large"}),
        ("their device, cpu there and cuda here", {"device": "cuda"}),
        ("their number of pictures for each channel, 9 there and 3 here", {"top": 3}),
    ):
        with pytest.raises(RequestError, match=word):
            exemplars(search, request_of(search, **change), resume=True)
    with pytest.raises(RequestError, match="their layers, first there and second here"):
        searched(folder, out, Small(), "second", resume=True)
    with pytest.raises(RequestError, match="their weights \\(SHA-256\\)"):
        searched(folder, out, other, "first", resume=True)
    noise(folder, 7)
    with pytest.raises(RequestError, match="their number of pictures in the folder, 6 there and 7 here"):
        searched(folder, out, Small(), "first", resume=True)
    assert (out / "maxima.parquet").read_bytes() == before


def test_another_folder_with_as_many_pictures_is_noticed(tmp_path: Path) -> None:
    """By the sizes of files of the same names; the same folder at another place is the same."""
    folder, out, turns = noise(tmp_path / "pictures", 6), tmp_path / "out", iter([True])
    searched(folder, out, Small(), "first", stopping=lambda: next(turns))
    other = noise(tmp_path / "other", 6)
    (other / "0001.png").write_bytes((other / "0001.png").read_bytes() + b"more")
    with pytest.raises(RequestError, match="their pictures in the folder"):
        searched(other, out, Small(), "first", resume=True)
    assert searched(folder.rename(tmp_path / "moved"), out, Small(), "first", resume=True).complete


def test_a_complete_run_is_not_run_again(tmp_path: Path) -> None:
    """With --resume it is done already; without, its files are not written over."""
    folder, out = noise(tmp_path / "pictures", 6), tmp_path / "out"
    first = searched(folder, out, Small(), "first")
    written = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    done: list[int] = []
    assert searched(folder, out, Small(), "first", resume=True, advance=done.append) == first
    with pytest.raises(RequestError, match="has another run's files: --resume goes on with it"):
        searched(folder, out, Small(), "first")
    assert done == []
    assert {path: path.stat().st_mtime_ns for path in out.iterdir()} == written


FULL = """
import resource, sys
from pathlib import Path
from tests.viz.exemplars.folders import Small, request_of, search_of
from viz.errors import RequestError
from viz.exemplars.search import exemplars

folder, out = map(Path, sys.argv[1:])
search = search_of(folder, out, Small(), most_seconds=0)
def advance(done):
    if done == 5:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    exemplars(search, request_of(search), advance=advance)
except RequestError as error:
    print(error)
"""


def test_a_full_disk_is_said_and_what_was_done_is_kept(tmp_path: Path) -> None:
    """A file may suddenly have a thousand bytes only; with room again, the run goes on."""
    folder, out = noise(tmp_path / "pictures", 12), tmp_path / "out"
    command = [sys.executable, "-c", FULL, str(folder), str(out)]
    said = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=patience(120)
    ).stdout
    assert said.startswith("cannot write ")
    assert said.endswith(": file too large\n")
    assert not list(out.rglob("*.partial"))
    done: list[int] = []
    searched(folder, out, Small(), resume=True, advance=done.append)
    assert done[0] >= 4
    searched(folder, tmp_path / "whole", Small())
    for name in FILES:
        assert (tmp_path / "whole" / name).read_bytes() == (out / name).read_bytes()


def test_the_results_may_lie_among_the_pictures(tmp_path: Path) -> None:
    """They are not looked at, whatever lies there."""
    folder = noise(tmp_path, 3)
    out = folder / "results"
    out.mkdir()
    (out / "sheet.png").write_bytes((folder / "0001.png").read_bytes())
    assert searched(folder, out, Small(), "first").pictures == 3


@pytest.mark.slow
def test_memory_does_not_grow_with_the_pictures(tmp_path: Path) -> None:
    """Ten times as many pictures, saved as often, take no more than a few MB more."""
    folder = noise(tmp_path / "pictures", 100)
    for number in range(900):
        (folder / f"again{number:04}.png").hardlink_to(folder / f"{3 * (number % 30) + 1:04}.png")
    most: dict[int, int] = {}

    def advance(done: int) -> None:
        if done in (200, 1000):
            most[done] = int(Path("/proc/self/statm").read_bytes().split()[1]) * resource.getpagesize()

    search = search_of(folder, tmp_path / "out", Small(), most_rows=500)
    begun = time.monotonic()
    exemplars(search, request_of(search), advance=advance)
    assert most[1000] - most[200] < 30e6, time.monotonic() - begun
