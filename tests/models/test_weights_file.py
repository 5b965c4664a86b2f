"""Files of weights, whole and otherwise."""

import io
import pickle
import random
from pathlib import Path

import pytest
import torch

import models
from models.weights_file import read_state_dict

STATE = {"conv.weight": torch.arange(60.0).view(5, 3, 2, 2), "bn.count": torch.tensor(7)}


def saved(state: object, *, legacy: bool = False) -> bytes:
    """Return the bytes that ``torch.save`` writes, as it does today or as it did before 2020."""
    file = io.BytesIO()
    torch.save(state, file, _use_new_zipfile_serialization=not legacy)
    return file.getvalue()


@pytest.mark.parametrize("legacy", [False, True])
def test_both_kinds_of_files_are_read(legacy: bool, tmp_path: Path) -> None:
    """Some of torchvision's files are of the old kind."""
    path = tmp_path / "weights.pth"
    path.write_bytes(saved(STATE, legacy=legacy))
    state = read_state_dict(path)
    assert list(state) == list(STATE)
    assert all(torch.equal(state[key], value) for key, value in STATE.items())


@pytest.mark.parametrize("legacy", [False, True])
def test_a_file_cut_short_or_altered_is_damaged_whatever_the_place(legacy: bool, tmp_path: Path) -> None:
    """Two hundred files, each broken in another place: our own error, or a file that could be read."""
    content, path, chance = saved(STATE, legacy=legacy), tmp_path / "weights.pth", random.Random(0)
    for _ in range(100):
        place = chance.randrange(len(content) - 1)
        for broken in (content[:place], content[:place] + chance.randbytes(9) + content[place + 9 :]):
            path.write_bytes(broken)
            try:
                read_state_dict(path)
            except models.WeightsDamagedError as error:
                assert str(path) in str(error)  # noqa: PT017  # either outcome is fine, another error is not


@pytest.mark.parametrize("other", [[1, 2], {"a": 1}, torch.zeros(3), {"a": {"b": torch.zeros(1)}}, None])
def test_a_file_of_something_else_is_refused(other: object, tmp_path: Path) -> None:
    """The file can be read, but does not hold weights by name."""
    path = tmp_path / "weights.pth"
    path.write_bytes(saved(other))
    with pytest.raises(models.WeightsDamagedError, match="something else"):
        read_state_dict(path)


def test_a_bare_pickle_is_refused(tmp_path: Path) -> None:
    """Even one of harmless values is refused, and without a warning."""
    path = tmp_path / "weights.pth"
    path.write_bytes(pickle.dumps({"a": 1.0}))
    with pytest.raises(models.WeightsDamagedError):
        read_state_dict(path)
