"""A table of weights: through JSON and back, and what another process may not claim with one."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import torch

import models
from models.own.state_reading import table_of
from models.own.state_table import ITEM_BYTES, StateTable, from_plain
from models.own.uploaded_state import tensors
from tests.models.uploads import saved
from viz.ui.locale.translated import translated

DATA = saved({"a": torch.arange(6.0).view(2, 3), "b": torch.arange(4)})
FIRST, SECOND = "storages", "tensors"


def plain() -> Any:
    """The table of a small file, as another process sends it."""
    return json.loads(json.dumps(table_of(DATA).to_plain()))


def test_a_table_comes_through_json_as_it_was() -> None:
    """The table that comes back makes the same tensors."""
    table = from_plain(plain(), len(DATA))
    assert table == table_of(DATA)
    assert torch.equal(tensors(DATA, table)["a"], torch.arange(6.0).view(2, 3))


def put(value: object, *path: str | int) -> Callable[[Any], None]:
    """A change of a plain table."""

    def change(table: Any) -> None:
        for step in path[:-1]:
            table = table[step]
        table[path[-1]] = value

    return change


LIES: dict[str, Callable[[Any], None]] = {
    "a storage before the file": put(-4, FIRST, 0, 0),
    "a storage behind the file": put(len(DATA) + 4, FIRST, 0, 1),
    "a storage that ends before it begins": put(0, FIRST, 0, 1),
    "two storages at one place": lambda table: table[FIRST].__setitem__(1, [*table[FIRST][0][:2], "int32"]),
    "a storage of parts of numbers": lambda table: put(table[FIRST][0][0] + 3, FIRST, 0, 1)(table),
    "a storage at half a byte": lambda table: put(float(table[FIRST][0][0]), FIRST, 0, 0)(table),
    "a storage at true": put(True, FIRST, 0, 0),
    "a type of no numbers": put("Tensor", FIRST, 0, 2),
    "a type that is a list": put([], FIRST, 0, 2),
    "a storage of two fields": put([0, 4], FIRST, 0),
    "no storages": lambda table: table.pop(FIRST),
    "a tensor of no storage": put(2, SECOND, 0, 1),
    "a tensor of a storage from behind": put(-1, SECOND, 0, 1),
    "a beginning before the storage": put(-1, SECOND, 0, 2),
    "a beginning behind it": put(1, SECOND, 0, 2),
    "a shape beyond it": put([3, 3], SECOND, 0, 3),
    "a shape of texts": put(["2", "3"], SECOND, 0, 3),
    "a shape that is a number": put(6, SECOND, 0, 3),
    "a shape beyond counting": lambda table: (
        put([0, 2**40, 2**40], SECOND, 0, 3)(table) or put([1, 1, 1], SECOND, 0, 4)(table)
    ),
    "more axes than steps": put([2, 3, 1], SECOND, 0, 3),
    "steps backwards": put([-3, 1], SECOND, 0, 4),
    "steps beyond it": put([4, 1], SECOND, 0, 4),
    "one place for a million numbers": lambda table: (
        put([1000, 1000], SECOND, 0, 3)(table) or put([0, 0], SECOND, 0, 4)(table)
    ),
    "one name for two tensors": put("b", SECOND, 0, 0),
    "a name that is a number": put(3, SECOND, 0, 0),
    "a name without end": put("n" * 501, SECOND, 0, 0),
    "a name that cannot be shown": put("a\nb", SECOND, 0, 0),
    "half a character": put("\ud800", SECOND, 0, 0),
    "a tensor without a name": put([0, 0, [1], [1]], SECOND, 0),
    "tensors without end": lambda table: put(table[SECOND] * 25_001, SECOND)(table),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_table_that_lies_is_refused(lie: Callable[[Any], None]) -> None:
    """In one sentence, which can be said in Chinese."""
    told = plain()
    lie(told)
    with pytest.raises(models.OwnWeightsError) as refusal:
        from_plain(told, len(DATA))
    assert translated(str(refusal.value), "zh") != str(refusal.value)


@pytest.mark.parametrize("told", [None, [], "table", {}, {FIRST: 3, SECOND: []}, {FIRST: [], SECOND: [None]}])
def test_what_is_no_table_is_refused(told: object) -> None:
    """Anything else that another process may send."""
    with pytest.raises(models.OwnWeightsError, match="damaged"):
        from_plain(told, len(DATA))


def test_a_table_of_another_file_makes_no_tensors() -> None:
    """Its sizes are checked again before memory is reserved."""
    with pytest.raises(models.OwnWeightsError, match="damaged"):
        tensors(DATA[:300], table_of(DATA))
    assert tensors(b"", StateTable((), ())) == {}


def test_every_type_of_number_is_one_of_pytorchs() -> None:
    """Each takes as many bytes as in PyTorch."""
    for name, size in ITEM_BYTES.items():
        dtype = getattr(torch, name)
        assert isinstance(dtype, torch.dtype)
        assert dtype.itemsize == size
