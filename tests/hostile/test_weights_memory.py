"""No byte of one visitor's picture is in another visitor's weights, whatever their file asks for."""

import json

import pytest
import torch

import models
from models.own.uploaded_state import read_state
from tests.hostile.weights_files import (
    archive,
    call,
    entry,
    named,
    number,
    numbers,
    of_2019,
    storage,
    tensor,
    text,
)
from tests.hostile.weights_files import safetensors as listed

PIXELS = b"pixels-of-A:"
PICTURE = PIXELS * 50_432  # 605,184 bytes, as large as the position embedding of vit_b_16
SHAPE = (1, 197, 768)
COUNT = 197 * 768
FEW = bytes(range(16))  # four numbers, which are all that these files hold
MANY, FEWER = 200, 20

HOOKS = call("collections OrderedDict")
UNTYPED = storage(COUNT * 4, "torch.storage UntypedStorage")
ROWS = (numbers(*SHAPE), numbers(COUNT, 768, 1))
REST = (number(0), *ROWS, b"\x89", HOOKS)


def gap(start: int, stop: int) -> bytes:
    """A safetensors file whose tensors begin or end outside its bytes."""
    entry_of = {"dtype": "F32", "shape": list(SHAPE), "data_offsets": [start, stop]}
    return listed(json.dumps({"weight": entry_of}), FEW)


MORE = "more than weights"
UNTRUE = "damaged or cut short"
CALLS: dict[str, tuple[bytes, str]] = {
    "a tensor of a shape": (call("torch Tensor", *map(number, SHAPE)), "(torch.Tensor)"),
    "a float tensor of a shape": (call("torch FloatTensor", *map(number, SHAPE)), "(torch.FloatTensor)"),
    "an empty tensor": (call("torch empty", numbers(*SHAPE)), "(torch.empty)"),
    "a storage of a size": (call("torch FloatStorage", number(COUNT)), "(torch.FloatStorage)"),
    "an untyped storage": (call("torch.storage UntypedStorage", number(COUNT * 4)), "UntypedStorage"),
    "a tensor's own storage": (call("torch.Tensor untyped_storage", tensor(storage(4), (4,), (1,))), MORE),
    "a parameter of nothing": (
        call("torch._utils _rebuild_parameter", call("torch Size", numbers(*SHAPE)), b"\x89", HOOKS),
        UNTRUE,
    ),
    "a meta tensor": (
        call("torch._utils _rebuild_meta_tensor_no_storage", named("torch float32"), *ROWS, b"\x89"),
        "_rebuild_meta_tensor_no_storage",
    ),
    "a quantised tensor": (
        call("torch._utils _rebuild_qtensor", storage(4, "torch QInt32Storage"), *REST),
        "_rebuild_qtensor",
    ),
    "a sparse tensor": (
        call("torch._utils _rebuild_sparse_tensor", named("torch sparse_coo"), numbers(*SHAPE)),
        "_rebuild_sparse_tensor",
    ),
    "a wrapper": (
        call("torch._utils _rebuild_wrapper_subclass", named("torch Tensor"), *ROWS),
        "_rebuild_wrapper_subclass",
    ),
    "an array": (
        call("numpy.core.multiarray _reconstruct", named("numpy ndarray"), numbers(*SHAPE), text("f")),
        "numpy.core.multiarray._reconstruct",
    ),
    "an array of bytes": (call("builtins bytearray", number(COUNT * 4)), "builtins.bytearray"),
    "an object without arguments": (named("torch FloatStorage") + b")\x81", MORE),
    "more numbers than its part": (tensor(storage(COUNT), SHAPE, (COUNT, 768, 1)), UNTRUE),
    "more numbers than its storage": (tensor(storage(4), SHAPE, (COUNT, 768, 1)), UNTRUE),
    "steps beyond the storage": (tensor(storage(4), (4,), (2**20,)), UNTRUE),
    "steps beyond counting": (tensor(storage(4), (4,), (2**62,)), UNTRUE),
    "a step backwards": (tensor(storage(4), (4,), (-1,)), UNTRUE),
    "a beginning before the first": (tensor(storage(4), (4,), (1,), -4), UNTRUE),
    "a beginning behind the last": (tensor(storage(4), (4,), (1,), 1), UNTRUE),
    "an axis of less than nothing": (tensor(storage(4), (-4, -1), (1, 1)), UNTRUE),
    "numbers repeated from four": (tensor(storage(4), SHAPE, (0, 0, 1)), UNTRUE),
    "the same number again and again": (tensor(storage(4), SHAPE, (0, 0, 0)), "share the same bytes"),
    "another type than the storage's": (tensor(storage(4, "torch DoubleStorage"), (4,), (1,)), UNTRUE),
    "bytes seen as doubles": (
        call("torch._utils _rebuild_tensor_v3", UNTYPED, *REST, named("torch float64")),
        UNTRUE,
    ),
    "a state with a storage": (
        tensor(storage(4), (4,), (1,)) + storage(4) + number(0) + numbers(4) + numbers(1) + b"\x87b",
        "(objects)",
    ),
}
FILES = {
    **{f"{name}, archive": (archive(entry(code), _0=FEW), says) for name, (code, says) in CALLS.items()},
    **{
        f"{name}, 2019": (
            of_2019(entry(code), ("0",) * (b"tQ" in code), (4).to_bytes(8, "little") + FEW),
            says,
        )
        for name, (code, says) in CALLS.items()
    },
    "bytes behind the file": (gap(0, COUNT * 4), UNTRUE),
    "bytes before the file": (gap(-COUNT * 4, 0), UNTRUE),
    "a gap in front": (gap(8, 16), UNTRUE),
    "a storage of nothing": (archive(entry(tensor(storage(0), SHAPE, (1, 1, 1))), _0=b""), UNTRUE),
    "a storage that is not there": (archive(entry(tensor(storage(4), (4,), (1,)))), UNTRUE),
    "a storage cut off": (
        of_2019(entry(tensor(storage(COUNT), SHAPE, (COUNT, 768, 1))), ("0",), COUNT.to_bytes(8, "little")),
        UNTRUE,
    ),
}


def leave_a_picture_behind() -> None:
    """Fill memory with a visitor's picture, as bytes and as a tensor, and give it back."""
    picture = bytearray(PICTURE)
    pixels = torch.frombuffer(picture, dtype=torch.uint8).clone()
    del picture, pixels


def stolen(file: bytes) -> tuple[int, str]:
    """Return the number of the picture's bytes in a file's tensors, and the sentence if it is refused."""
    leave_a_picture_behind()
    try:
        found = read_state(file)
    except models.OwnWeightsError as refusal:
        return 0, str(refusal)
    values = b"".join(value.contiguous().view(torch.uint8).numpy().tobytes() for value in found.values())
    return values.count(PIXELS) * len(PIXELS), ""


@pytest.mark.parametrize(("file", "says"), FILES.values(), ids=FILES)
def test_no_file_of_weights_brings_another_visitors_picture(file: bytes, says: str) -> None:
    """Not a byte of a picture freed just before; files that ask for memory outright try two hundred times."""
    tries = MANY if says in ("(torch.Tensor)", "(torch.FloatTensor)") else FEWER
    found = [stolen(file) for _ in range(tries)]
    assert sum(count for count, _ in found) == 0
    assert all(says in sentence for _, sentence in found)


def test_what_is_read_has_only_the_files_bytes() -> None:
    """Views, empty tensors and tensors that share a storage: each number is one of the file's four."""
    parts = (
        tensor(storage(4), (2, 2), (1, 2)),
        tensor(storage(4), (2,), (2,), 1),
        tensor(storage(4), (0, 9), (9, 1)),
    )
    code = b"}(" + b"".join(text(f"w{at}") + part for at, part in enumerate(parts)) + b"u"
    four = torch.frombuffer(bytearray(FEW), dtype=torch.float32)
    for file in (
        archive(b"\x80\x02" + code + b".", _0=FEW),
        of_2019(b"\x80\x02" + code + b".", ("0",), (4).to_bytes(8, "little") + FEW),
    ):
        leave_a_picture_behind()
        found = read_state(file)
        assert torch.equal(found["w0"], four.view(2, 2).T)
        assert torch.equal(found["w1"], four[1::2])
        assert found["w2"].shape == (0, 9)
        assert {each.untyped_storage().nbytes() for each in found.values()} == {16}
