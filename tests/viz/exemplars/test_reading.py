"""Files into a model's input, in order, whoever reads them."""

import multiprocessing
import os
import signal
from pathlib import Path

import pytest
import torch
from torch import nn

from tests.viz.exemplars.folders import noise
from tests.viz.subjects import prepare, subject
from viz.exemplars.listing import pictures
from viz.exemplars.reading import PreparedPicture, prepared, usual_readers
from viz.pictures.images import read_image


def read(folder: Path, workers: int) -> list[PreparedPicture]:
    """Every picture of a folder."""
    return list(prepared(folder, subject(nn.Identity()), list(enumerate(pictures(folder))), workers))


@pytest.mark.parametrize("workers", [0, 2])
def test_pictures_come_in_order_as_the_model_takes_them(tmp_path: Path, workers: int) -> None:
    """The same numbers as from reading each by hand, also from other processes."""
    found = read(noise(tmp_path, 9), workers)
    assert [each.path for each in found] == list(pictures(tmp_path))
    assert [each.number for each in found] == list(range(9))
    for each in found:
        (images,) = each.arguments
        assert torch.equal(images, prepare(read_image((tmp_path / each.path).read_bytes())))
        assert (each.size, each.problem) == ((8, 8), "")


@pytest.mark.parametrize("workers", [0, 1])
def test_what_cannot_be_read_says_why(tmp_path: Path, workers: int) -> None:
    """One sentence for each, and the good one comes as well."""
    noise(tmp_path, 2)
    (tmp_path / "a.png").write_bytes(b"GIF89a")
    (tmp_path / "b.png").symlink_to("nowhere")
    (tmp_path / "c.png").write_bytes(bytes(21_000_000))
    found = {each.path: each.problem for each in read(tmp_path, workers)}
    assert "damaged" in found["a.png"]
    assert found["b.png"] == "no such file or directory"
    assert "at most 20 MB" in found["c.png"]
    assert found["0001.png"] == ""


def test_a_folder_is_not_read_as_a_file(tmp_path: Path) -> None:
    """As one that could not be listed and can be now."""
    (tmp_path / "below").mkdir()
    (found,) = prepared(tmp_path, subject(nn.Identity()), [(0, "below")], 0)
    assert found.problem == "this is no file"


def test_a_model_that_prepares_badly_is_said(tmp_path: Path) -> None:
    """Its own words, or at least the name of the error."""

    def broken(_: object) -> torch.Tensor:
        raise KeyError

    noise(tmp_path, 1)
    own = subject(nn.Identity())
    (found,) = prepared(tmp_path, type(own)(own.module, broken, own.as_seen), [(0, "below/0000.png")], 0)
    assert found.problem == "KeyError"


def test_a_reader_leaves_signals_to_the_process_that_began_it(tmp_path: Path) -> None:
    """A terminal sends Ctrl-C, and a scheduler the end, to all processes."""
    found = prepared(noise(tmp_path, 40), subject(nn.Identity()), list(enumerate(pictures(tmp_path))), 1)
    next(found)
    (reader,) = multiprocessing.active_children()
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(reader.pid or 0, number)
    assert len(list(found)) == 39


def test_some_processors_are_left_to_the_model() -> None:
    """At least one, and no more than four processes read."""
    assert 0 <= usual_readers() <= 4
