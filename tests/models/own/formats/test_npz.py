"""NumPy's archives of arrays: the same numbers as NumPy's own reader, or a refusal."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import models
from models.own.state_reading import table_of
from models.own.uploaded_state import read_state
from tests.models.uploads import rewritten

FLOATS = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
ARRAYS: dict[str, Any] = {
    "conv.weight": FLOATS,
    "turned": np.asfortranarray(FLOATS),
    "one number": np.float64(0.5),
    "nothing": np.ones((0, 3), np.int64),
    **{f"of {dtype}": FLOATS[0].astype(dtype) for dtype in (bool, "u1", "i1", "i2", "u4", "f2", "c8", "c16")},
}


def npz(write: Callable[..., None] = np.savez, **arrays: Any) -> bytes:
    """Return what NumPy writes."""
    file = io.BytesIO()
    write(file, **arrays)
    return file.getvalue()


def test_arrays_are_read_bit_for_bit() -> None:
    """Of every type and order, equal to what NumPy reads."""
    data = npz(**ARRAYS)
    found, theirs = read_state(data), np.load(io.BytesIO(data))
    assert sorted(found) == sorted(theirs.files)
    for name, value in found.items():
        assert torch.equal(value, torch.from_numpy(theirs[name]))
        assert value.numpy().dtype == theirs[name].dtype


def test_what_are_no_numbers_of_ours_are_left_out() -> None:
    """Objects, which NumPy pickles, texts, records, and dates."""
    others: dict[str, Any] = {
        "objects": np.array([{}, None], dtype=object),
        "texts": np.array(["a"]),
        "records": np.zeros(2, [("a", "f4")]),
        "dates": np.array(["2020-02-02"], "M8[D]"),
        "opposite texts": np.array(["a"], ">U1"),
    }
    assert list(read_state(npz(**others, w=FLOATS))) == ["w"]
    with pytest.raises(models.OwnWeightsError, match="no weights by name"):
        table_of(npz(**others))


BAD = {
    "compressed": (npz(np.savez_compressed, w=FLOATS), "a compressed .npz file.*; save"),
    "cut short": (npz(w=FLOATS)[:-30], "damaged or cut short"),
    "no array": (rewritten(npz(w=FLOATS), w=bytes(200)), "damaged or cut short"),
    "an empty part": (rewritten(npz(w=FLOATS), w=b""), "damaged or cut short"),
    "a longer line than the part": (
        rewritten(npz(w=FLOATS), w=b"\x93NUMPY\x01\0\xff\xff" + bytes(99)),
        "damaged or cut short",
    ),
    "of the opposite byte order": (npz(w=FLOATS, v=FLOATS.astype(">f4")), "opposite byte order; save"),
    "of it alone": (npz(v=np.arange(3, dtype=">i2")), "opposite byte order; save"),
    "more numbers than there are": (
        npz(w=FLOATS).replace(b"(2, 3, 4)", b"(9, 9, 9)"),
        "damaged or cut short",
    ),
}


@pytest.mark.parametrize(("data", "expected"), BAD.values(), ids=BAD)
def test_what_cannot_be_read_is_refused_in_a_sentence(data: bytes, expected: str) -> None:
    """Nothing beyond the part is read."""
    with pytest.raises(models.OwnWeightsError, match=expected):
        table_of(data)
