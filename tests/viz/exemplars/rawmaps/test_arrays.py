"""All arrays of a run: their names, and that nothing in a name leads elsewhere."""

from pathlib import Path

import numpy as np
import pytest
import zarr

from viz.errors import RequestError
from viz.exemplars.looked import PictureResult, RawMaps
from viz.exemplars.rawmaps.arrays import Arrays, Kind


@pytest.mark.parametrize(
    ("layer", "name"),
    [
        ("layer1.0.conv1", "layer1.0.conv1-1-2x3x4"),
        ("layer1.0 › add", "layer1.0 %E2%80%BA add-1-2x3x4"),
        ("../../etc", "..%2F..%2Fetc-1-2x3x4"),
        ("", "_-1-2x3x4"),
    ],
)
def test_an_array_is_named_after_layer_call_and_shape(layer: str, name: str) -> None:
    """A name is one of a file: what leads elsewhere is written in another way."""
    assert Kind(layer, 1, (2, 3, 4)).name == name


def maps(number: int, *sides: tuple[int, int]) -> PictureResult:
    """Return a seen picture whose layer returned maps of these sides, full of the picture's number."""
    kept = (RawMaps("a", call, np.full((2, *side), number, np.float32)) for call, side in enumerate(sides))
    return PictureResult(number, f"{number}.png", maps=tuple(kept))


def test_each_call_and_shape_has_an_array_of_its_own(tmp_path: Path) -> None:
    """Row n of each is picture n; of a picture that had no such call, or another shape, it is NaN."""
    arrays = Arrays(tmp_path, 3, half=False)
    for seen in (maps(0, (3, 3)), maps(1, (5, 2)), maps(2, (3, 3), (3, 3))):
        arrays.add(seen)
    arrays.settle(3)
    arrays.finish(3, complete=True)
    assert arrays.kinds == [Kind("a", 0, (2, 3, 3)), Kind("a", 0, (2, 5, 2)), Kind("a", 1, (2, 3, 3))]
    group = zarr.open_group(tmp_path / "maps.zarr", mode="r")
    found = {name: array[:][:, 0, 0, 0] for name, array in group.arrays()}
    assert sorted(found) == ["a-0-2x3x3", "a-0-2x5x2", "a-1-2x3x3"]
    assert np.array_equal(found["a-0-2x3x3"], [0, np.nan, 2], equal_nan=True)
    assert np.array_equal(found["a-0-2x5x2"], [np.nan, 1, np.nan], equal_nan=True)
    assert np.array_equal(found["a-1-2x3x3"], [np.nan, np.nan, 2], equal_nan=True)


def test_where_nothing_is_kept_there_is_no_folder(tmp_path: Path) -> None:
    """As in every run without raw maps."""
    arrays = Arrays(tmp_path, 3, half=False)
    arrays.add(PictureResult(0, "0.png"))
    arrays.settle(1)
    arrays.publish(1)
    arrays.finish(1, complete=True)
    arrays.leave()
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """In one sentence, with the folder."""
    (tmp_path / "unfinished").touch()
    with pytest.raises(RequestError, match=r"cannot write .*maps\.zarr: not a directory"):
        Arrays(tmp_path, 3, half=False).add(maps(0, (3, 3)))
