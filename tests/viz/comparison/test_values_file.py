"""Files of captured values: their arrays by name, and one sentence for each that cannot be."""

import io
import zipfile

import numpy as np
import pytest
import torch
from safetensors.torch import save

from viz.comparison.values_file import read_values
from viz.errors import RequestError


def packed(**arrays: np.ndarray) -> bytes:
    """An NPZ file."""
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def test_arrays_are_found_by_their_names() -> None:
    """In both forms."""
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    for name, data in (
        ("a.npz", packed(conv=values)),
        ("a.safetensors", save({"conv": torch.tensor(values)})),
    ):
        assert np.array_equal(read_values(name, data)["conv"], values)


BROKEN = {
    "nothing": b"",
    "an archive that is cut off": packed(conv=np.ones(100))[:-30],
    "an archive without its directory": packed(conv=np.ones(100))[:60] + bytes(200),
    "a text": b"hello",
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_cannot_be_read_gets_one_sentence(what: str) -> None:
    """For both endings."""
    for name in ("values.npz", "values.safetensors"):
        with pytest.raises(RequestError, match="holds no captured values"):
            read_values(name, BROKEN[what])


def test_an_array_that_memory_cannot_hold_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file may unpack to many gigabytes; the archive says how many before any is unpacked."""
    monkeypatch.setattr("viz.comparison.values_file.free_memory", lambda: 1000)
    with pytest.raises(RequestError, match="GB are free"):
        read_values("values.npz", packed(conv=np.zeros(10_000)))
    with zipfile.ZipFile(io.BytesIO(packed(conv=np.zeros(10)))) as archive:
        assert archive.namelist() == ["conv.npy"]
