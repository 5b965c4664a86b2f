"""Weights read without PyTorch: the same numbers as PyTorch's own, or a refusal, whatever the bytes are."""

import io
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
import torchvision
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing._internal.two_tensor import TwoTensor

import models
from models.own.state_reading import table_of
from models.own.uploaded_state import read_state
from tests.hostile.weights_files import END, HEAD, call, of_2019, storage, tensor
from tests.machine import patience, took_less
from tests.models.uploads import saved, state

CAREFUL = settings(
    deadline=None, database=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
TYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16]
TYPES += [torch.int8, torch.uint8, torch.bool, torch.complex64, torch.complex128]
UNTYPED = [torch.uint16, torch.uint32, torch.uint64, torch.float8_e4m3fn, torch.float8_e5m2]
SHAPES = st.lists(st.integers(0, 4), max_size=4).map(tuple)
WRAPPERS = ["state_dict", "model_state_dict", "model", "net", "weights"]


@st.composite
def tensors(draw: st.DrawFn) -> Tensor:
    """A tensor of any type, whole or a view of a larger one."""
    shape, dtype = draw(SHAPES), draw(st.sampled_from(TYPES + UNTYPED))
    seed = torch.Generator().manual_seed(draw(st.integers(0, 99)))
    value = torch.randint(0, 100, shape, generator=seed).to(dtype)
    match draw(st.sampled_from(["whole", "turned", "every other", "rest"])):
        case "turned":
            return value.permute(tuple(reversed(range(value.dim()))))
        case "every other" if shape:
            return value[..., ::2]
        case "rest" if shape:
            return value[1:]
    return value


@st.composite
def states(draw: st.DrawFn) -> dict[str, Tensor]:
    """A state dict in which some names share one tensor, and some another's numbers."""
    names = st.text("abcd._0é", min_size=1, max_size=8)
    found = draw(st.dictionaries(names, tensors(), min_size=1, max_size=5))
    first = next(iter(found.values()))
    if draw(st.booleans()):
        found["tied"], found["turned"] = first, first.T if first.dim() == 2 else first
    return found


def numbers(value: Tensor) -> bytes:
    """A tensor's own bytes, row by row."""
    return row_by_row(value).view(-1).view(torch.uint8).numpy().tobytes() if value.numel() else b""


def row_by_row(value: Tensor) -> Tensor:
    """A contiguous copy."""
    return value.clone(memory_format=torch.contiguous_format)


def assert_same(found: dict[str, Tensor], expected: dict[str, Tensor]) -> None:
    """Names in their order, types, shapes, and every bit."""
    assert list(found) == list(expected)
    for name, value in found.items():
        assert (value.dtype, value.shape) == (expected[name].dtype, expected[name].shape)
        assert numbers(value) == numbers(expected[name])


@CAREFUL
@given(states(), st.sampled_from([None, *WRAPPERS]), st.booleans(), st.integers(2, 5))
def test_what_pytorch_wrote_is_read_bit_for_bit(
    weights: dict[str, Tensor], wrapper: str | None, legacy: bool, protocol: int
) -> None:
    """In both formats and every protocol, equal to the original and to what PyTorch itself reads."""
    whole = {wrapper: weights, "epoch": 3, "losses": [0.5, None]} if wrapper else weights
    data = saved(whole, legacy=legacy, protocol=protocol)
    found = read_state(data)
    assert_same(found, weights)
    untyped = any(value.dtype in UNTYPED for value in weights.values())
    if protocol == 2 and not (legacy and untyped):  # PyTorch writes these but cannot read them
        theirs: Any = torch.load(io.BytesIO(data), weights_only=True)
        assert_same(found, theirs[wrapper] if wrapper else theirs)
    if "tied" in found:
        first = next(iter(found.values()))
        assert found["tied"].untyped_storage().data_ptr() == first.untyped_storage().data_ptr()


@CAREFUL
@given(st.dictionaries(st.text("abc.", min_size=1, max_size=8), tensors(), min_size=1, max_size=5))
def test_what_safetensors_wrote_is_read_bit_for_bit(weights: dict[str, Tensor]) -> None:
    """Equal to the original and to what the format's library reads; ties in offsets may come in any order."""
    held = {name: row_by_row(value) for name, value in weights.items() if value.dtype != torch.complex128}
    if not held:
        return
    data = safetensors.torch.save(held)
    found, theirs = read_state(data), safetensors.torch.load(data)
    assert_same(dict(sorted(found.items())), dict(sorted(held.items())))
    assert_same(dict(sorted(found.items())), dict(sorted(theirs.items())))


@pytest.mark.parametrize("length", [128, 384, 896])
def test_a_safetensors_file_that_begins_like_a_pickle_is_read(length: int) -> None:
    """Its first byte is part of the header's length; in one file of thirty-two, it could begin a pickle."""
    header = b'{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'.ljust(length)
    data = length.to_bytes(8, "little") + header + torch.ones(2).numpy().tobytes()
    assert data.startswith(b"\x80")
    assert torch.equal(read_state(data)["a"], torch.ones(2))


SMALL = {
    "archive": saved(state()),
    "archive of protocol 4": saved({"state_dict": {"a.b": torch.arange(6.0).view(2, 3).T}}, protocol=4),
    "of 2019": saved({"a": torch.arange(6.0), "b": torch.ones(2, 2).half()}, legacy=True),
    "safetensors": safetensors.torch.save({"a": torch.arange(6.0), "b": torch.ones(2, 2).half()}),
}
CODES = b"(.0NJKMGXUCB)tal]}esuhqjrcRbQiod\x80\x81\x82\x85\x86\x87\x88\x89\x8a\x8b\x8c\x93\x94\x95\x96"


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """A good file with bits turned, bytes put in or taken out, and perhaps cut off."""
    data = bytearray(draw(st.sampled_from(list(SMALL.values()))))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, min(len(data), 1500) - 1) | st.integers(0, len(data) - 1))
        match draw(st.sampled_from(["turn", "put", "take", "cut"])):
            case "turn":
                data[place] ^= 1 << draw(st.integers(0, 7))
            case "put":
                data[place:place] = bytes(draw(st.lists(st.sampled_from(CODES), max_size=4)))
            case "take":
                del data[place : place + draw(st.integers(1, 9))]
            case "cut" if place > 99:
                del data[place:]
    return bytes(data)


@pytest.mark.slow
@settings(CAREFUL, max_examples=1000)
@given(broken())
def test_a_broken_file_is_refused_or_holds_its_own_bytes(data: bytes) -> None:
    """It takes at most a second of processor time; each storage that we get is in the file as it is."""
    start = time.process_time()
    try:
        found = read_state(data)
    except models.OwnWeightsError:
        found = {}
    assert took_less(time.process_time() - start, 1)
    for value in found.values():
        held = value.untyped_storage()
        assert bytes(held.tolist()) in data  # none of these files has booleans


@pytest.mark.slow
@pytest.mark.parametrize("name", ["resnet18", "densenet121", "mobilenet_v3_small", "vit_b_32", "swin_t"])
def test_whole_models_come_back_exactly(name: str) -> None:
    """In all three formats, with their untrained weights, in the order of the model."""
    weights = dict(torchvision.models.get_model(name, weights=None).state_dict())
    for data in (saved(weights), saved(weights, legacy=True)):
        assert_same(read_state(data), weights)
    found = read_state(safetensors.torch.save(weights))
    assert_same({each: found[each] for each in weights}, weights)


def test_python_2_wrote_its_dicts_as_pairs() -> None:
    """It also wrote texts as bytes, and counted its memo from one; such files from 2017 are still in use."""
    value = tensor(storage(4), (4,), (1,))
    pairs = b"](]q\x01(U\x06weight" + value + b"ee"
    listed = HEAD + call("collections OrderedDict", pairs) + END
    four = torch.arange(4.0)
    data = of_2019(listed, ("0",), (4).to_bytes(8, "little") + four.numpy().tobytes())
    assert torch.equal(read_state(data)["weight"], four)
    theirs: Any = torch.load(io.BytesIO(data), weights_only=True)
    assert torch.equal(theirs["weight"], four)


def test_the_reader_does_without_pytorch() -> None:
    """The reader's files import only Python's standard library; its package's ``__init__`` is not run."""
    root = Path(models.__file__).parent
    code = (
        "import sys, types\n"
        f"package = types.ModuleType('models'); package.__path__ = [{str(root)!r}]\n"
        "sys.modules['models'] = package\n"
        "from models.own.state_reading import table_of\n"
        "table_of(sys.stdin.buffer.read())\n"
        "assert not {'torch', 'numpy', 'safetensors'} & set(sys.modules)\n"
    )
    for data in SMALL.values():
        subprocess.run([sys.executable, "-c", code], input=data, check=True, timeout=patience(60))


def test_a_conjugated_tensor_is_not_read_as_another() -> None:
    """Its file holds the original numbers and a mark to conjugate them."""
    with pytest.raises(models.OwnWeightsError, match="conjugated"):
        table_of(saved({"a": torch.ones(2, dtype=torch.complex64).conj()}))


def test_a_file_from_the_other_kind_of_machine_is_refused() -> None:
    """In both formats, which say so in different ways."""
    archive = saved({"a": torch.ones(2)})
    old = pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2)
    old += pickle.dumps({"little_endian": False}, 2)
    for data in (archive.replace(b"little", b"biggie"), old):
        with pytest.raises(models.OwnWeightsError, match="opposite byte order"):
            table_of(data)


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("key", [torch.nn.Linear, ("a", 1), torch.float32, (torch.nn.Linear, None), b"a"])
def test_entries_with_other_keys_are_left_out(key: object, legacy: bool) -> None:
    """Lightning before 1.5 kept its callbacks by their types; the weights beside them are read."""
    weights = state()
    data = saved({"callbacks": {key: {"best": torch.ones(2)}}, "state_dict": weights}, legacy=legacy)
    assert_same(read_state(data), weights)


def subclass_tensor() -> Tensor:
    """Return a tensor of a wrapper class, which has no numbers of its own."""
    return TwoTensor(torch.ones(2), torch.ones(2))


ODD: dict[str, Callable[[], Tensor]] = {
    "a wrapper": subclass_tensor,
    "a sparse parameter": lambda: torch.nn.Parameter(torch.eye(3).to_sparse()),
    "a parameter without numbers": lambda: torch.nn.Parameter(torch.empty(2, device="meta")),
    "a parameter of a wrapper": lambda: torch.nn.Parameter(subclass_tensor()),
    "a conjugated one": lambda: torch.ones(2, dtype=torch.complex64).conj(),
    "a negated one": lambda: torch.ones(2, dtype=torch.complex64).conj().imag,
    "a quantised one": lambda: torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8),
    "one quantised by channel": lambda: torch.quantize_per_channel(
        torch.ones(2, 2), torch.ones(2), torch.zeros(2), 0, torch.quint8
    ),
    "one of a type without arithmetic": lambda: torch.zeros(2, dtype=torch.uint8).view(torch.bits8),
}


@pytest.mark.filterwarnings("ignore:.*quantize.*:UserWarning", "ignore:TypedStorage:UserWarning")
@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
def test_a_tensor_that_cannot_be_read_leaves_the_others(make: Callable[[], Tensor], legacy: bool) -> None:
    """Those whose numbers are not what is stored are left out; alone, they are named."""
    weights = state()
    assert_same(read_state(saved({"odd": make(), **weights}, legacy=legacy)), weights)
    with pytest.raises(models.OwnWeightsError, match="more than weights"):
        table_of(saved({"odd": make()}, legacy=legacy))


def test_a_type_of_number_that_is_not_known_leaves_the_others() -> None:
    """In a safetensors file, whose numbers lie one after the other; alone, it is named."""
    data = safetensors.torch.save({"odd": torch.ones(2), "w": torch.ones(2, dtype=torch.int32)})
    assert_same(read_state(data.replace(b'"F32"', b'"F9X"')), {"w": torch.ones(2, dtype=torch.int32)})
    alone = safetensors.torch.save({"odd": torch.ones(2)})
    with pytest.raises(models.OwnWeightsError, match=r"more than weights \(F9X\)"):
        table_of(alone.replace(b'"F32"', b'"F9X"'))


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize(
    "value", [torch.arange(3.0).expand(2, 3), torch.arange(4.0).unfold(0, 2, 1), torch.ones(1).expand(4)]
)
def test_a_tensor_that_repeats_numbers_is_written_out(value: Tensor, legacy: bool) -> None:
    """Its rows are its own, so that one may change; the file has room for so many."""
    expected = {"repeated": value, **state()}
    found = read_state(saved(expected, legacy=legacy))
    assert_same(found, expected)
    found["repeated"][0] = 7
    assert torch.equal(found["repeated"][1:], value[1:])


def test_tensors_that_repeat_more_numbers_than_the_file_has_bytes_are_refused() -> None:
    """Each of them alone has room in it; together they have not."""
    most = len(saved({"a": torch.ones(1)})) // 4
    first, second = torch.ones(1).expand(most), torch.zeros(1).expand(most)
    assert list(read_state(saved({"a": first}))) == ["a"]
    with pytest.raises(models.OwnWeightsError, match="numbers of b share the same bytes"):
        read_state(saved({"a": first, "b": second}))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"GGUF\x03\0\0\0{" + bytes(15), "a GGUF file, which is not read here"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n", "a pointer of Git LFS"),
        (b"\x89HDF\r\n\x1a\n" + bytes(9), "an HDF5 file, such as Keras writes, which"),
        (b"\x93NUMPY\x01\0" + bytes(9), "a NumPy array, which"),
        (b"<!DOCTYPE html><title>Sign in</title>", "a web page, which"),
        (b"<HTML></HTML>", "a web page, which"),
    ],
)
def test_a_file_of_a_known_other_format_is_refused_by_its_name(data: bytes, said: str) -> None:
    """Its ending does not count."""
    with pytest.raises(models.OwnWeightsError, match=said):
        table_of(data)
