"""Visitors' own pictures as donors: known by content, gone when nobody holds them, right bit for bit."""

import gc
from collections.abc import Iterator

import numpy as np
import pytest
import torch
from PIL import Image

from tests.machine import patience
from tests.viz.subjects import Counting, Shelf, photo, prepare, wanted
from viz.engine.engine import LocalEngine
from viz.errors import RequestError
from viz.pictures.own_donors import is_own_picture, own_name, own_picture, shelved
from viz.pictures.photo import Photo, photograph
from viz.request.edit_request import edits_from
from viz.request.inspection import Inspection
from viz.views.one_layer import Values

WAIT = patience(120)


@pytest.fixture
def engine() -> Iterator[LocalEngine]:
    """An engine for the tiny nets."""
    engine = LocalEngine(Shelf(), device="cpu")
    yield engine
    engine.close()


def copied(picture: Photo) -> Photo:
    """Another object with the same pixels, as a second visitor's upload of the same file."""
    return photograph(Image.frombytes("RGB", picture.image.size, picture.image.tobytes()))


def values(engine: LocalEngine, request: Inspection, picture: Photo) -> np.ndarray:
    """The layer's output as the engine captures it."""
    array: np.ndarray = (
        engine.do(Values(request, picture), visitor="ann").result(WAIT).call(0)["output"].array
    )
    return array


def test_a_picture_is_known_by_its_content() -> None:
    """The same pixels have one name and are one object, other pixels have another; samples are none."""
    mine = shelved(photo(1))
    assert shelved(copied(mine)) is mine
    assert own_picture(own_name(mine)) is mine
    assert own_name(photo(2)) != own_name(mine) == own_name(copied(mine))
    assert is_own_picture(own_name(mine))
    assert not any(map(is_own_picture, ("", "cat", "own_", own_name(mine)[:-1], own_name(mine).upper())))


def test_a_picture_is_gone_with_the_last_who_holds_it() -> None:
    """Then using it gives one sentence; before that, either of two holders is enough."""
    first = shelved(copied(photo(3)))
    second = shelved(copied(photo(3)))
    name = own_name(first)
    del first
    gc.collect()
    assert own_picture(name) is second
    del second
    gc.collect()
    with pytest.raises(RequestError, match="upload it again"):
        own_picture(name)


@pytest.mark.parametrize("channels", [(1, 2), ()])
def test_the_values_are_those_that_the_other_picture_has_itself(
    engine: LocalEngine, channels: tuple[int, ...]
) -> None:
    """Bit for bit what the engine captures for it; the other channels, and later layers, follow from that."""
    other, picture = shelved(copied(photo(4))), photo(5)
    listed = ",".join(map(str, channels)) or "all"
    edits = edits_from(f"first:swap:{listed}:{own_name(other)}")
    found = values(engine, wanted(picture, "first", edits=edits), picture)
    expected = values(engine, wanted(picture, "first"), picture).copy()
    donor = values(engine, wanted(other, "first"), other)
    expected[:, channels or slice(None)] = donor[:, channels or slice(None)]
    assert found.tobytes() == expected.tobytes()
    with torch.no_grad():
        net = Counting()
        maps = net.first(prepare(picture.image))
        maps[:, channels or slice(None)] = net.first(prepare(other.image))[:, channels or slice(None)]
        later = net.second(maps.relu()).numpy()
    found = values(engine, wanted(picture, "second", edits=edits), picture)
    np.testing.assert_allclose(found, later, rtol=1e-4, atol=1e-6)


def test_an_edit_by_a_picture_that_nobody_holds_is_one_sentence(engine: LocalEngine) -> None:
    """Knowing its name does not help; the next request is answered."""
    picture = photo(6)
    edits = edits_from(f"first:swap:1:own_{'0' * 32}")
    with pytest.raises(RequestError, match="no longer here"):
        values(engine, wanted(picture, "first", edits=edits), picture)
    assert values(engine, wanted(picture, "first"), picture).any()
