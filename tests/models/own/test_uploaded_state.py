"""Weights from a stranger: every kind of file that should be read, and every kind that should not."""

import pickle
import random
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import safetensors.torch
import torch
from torch import Tensor, nn

import models
from models.own.own_weights import read_state
from models.own.state_size import size_limit
from tests.hostile.weights_files import of_2019
from tests.models.own.opening.test_outline import zipped
from tests.models.uploads import (
    Planted,
    claim,
    pickle_in,
    rewritten,
    safetensors_file,
    saved,
    state,
    ten_gigabytes,
)

STATE = {"conv.weight": torch.arange(60.0).view(5, 3, 2, 2), "bn.count": torch.tensor(7)}
PREFIXED = {f"module.{name}": value for name, value in STATE.items()}

GOOD = {
    "safetensors": safetensors.torch.save(STATE),
    "state dict": saved(STATE),
    "state dict of before 2020": saved(STATE, legacy=True),
    "checkpoint": saved({"epoch": 3, "state_dict": STATE, "optimizer": {"state": {}, "lr": 0.1}}),
    "checkpoint of other habits": saved({"model": STATE, "args": {"lr": 0.1}}),
    "DataParallel": saved(PREFIXED),
    "DataParallel, safetensors": safetensors.torch.save(PREFIXED),
    "compiled and parallel": saved({f"_orig_mod.{name}": value for name, value in PREFIXED.items()}),
    "with a note beside the weights": saved({**STATE, "epoch": 3}),
    "checkpoint with an object": saved({"state_dict": STATE, "args": SimpleNamespace(lr=0.1)}),
    "parameters": saved(
        {name: nn.Parameter(value, value.is_floating_point()) for name, value in STATE.items()}
    ),
}


@pytest.mark.parametrize("data", GOOD.values(), ids=GOOD)
def test_every_usual_way_of_saving_weights_is_read(data: bytes) -> None:
    """The same numbers come out of all of them, asking for no gradients."""
    found = read_state(data)
    assert list(found) == list(STATE) or sorted(found) == sorted(STATE)
    assert all(torch.equal(found[name], value) for name, value in STATE.items())
    assert not any(value.requires_grad for value in found.values())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64, torch.complex64])
def test_every_kind_of_number_is_kept(dtype: torch.dtype) -> None:
    """In both formats; what they are converted to is up to the model."""
    numbers = {"weight": torch.arange(6).to(dtype)}
    for data in (safetensors.torch.save(numbers), saved(numbers)):
        assert torch.equal(read_state(data)["weight"], numbers["weight"])


class Net(nn.Module):
    """A whole model, as ``torch.save(model)`` pickles it."""


BAD = {
    "empty": (b"", "is empty"),
    "a text": (b"conv1.weight: 1 2 3 4", "neither a safetensors file nor"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), "neither a safetensors file nor"),
    "safetensors cut short": (GOOD["safetensors"][:-9], "damaged or cut short"),
    "safetensors cut in its header": (GOOD["safetensors"][:40], "damaged or cut short"),
    "three gigabytes in name only": (
        safetensors_file(claim([750_000_000], 3 * 10**9)),
        "damaged or cut short",
    ),
    "a shape that is not its bytes": (safetensors_file(claim([2, 3], 20), bytes(20)), "damaged or cut short"),
    "a shape beyond counting": (safetensors_file(claim([2**40, 2**40], 0)), "damaged or cut short"),
    "bytes before the beginning": (safetensors_file(claim([1], -4), bytes(4)), "damaged or cut short"),
    "an enormous header": ((3 * 10**9).to_bytes(8, "little") + b"{" + bytes(99), "header of 3,000 MB"),
    "a header of nonsense": (safetensors_file([1, 2, 3]).replace(b"[1", b"{1"), "damaged or cut short"),
    "state dict cut short": (GOOD["state dict"][:-200], "damaged or cut short"),
    "old state dict cut short": (GOOD["state dict of before 2020"][:-9], "damaged or cut short"),
    "a list": (saved([torch.zeros(2)]), "no weights by name"),
    "numbers without tensors": (saved({"a": 1.5}), "no weights by name"),
    "a whole model": (saved(Net()), "more than weights (tests.models.own.test_uploaded_state.Net)"),
    "an object beside numbers": (saved({"loss": 0.5, "args": SimpleNamespace()}), "SimpleNamespace"),
    "a harmless pickle": (pickle.dumps({"a": 1.5}), "a pickle that torch.save did not write; nothing in it"),
    "a state dict in a plain pickle": (pickle.dumps(STATE), "a pickle that torch.save did not write"),
    "arrays in a plain pickle": (
        pickle.dumps({"a": np.ones(9)}),
        "a pickle that torch.save did not write; nothing in it was run. Please save model.state_dict() alone",
    ),
    **{
        f"{when}, of protocol {protocol}": (
            saved(STATE, protocol=protocol, legacy=legacy),
            "a PyTorch file of pickle_protocol 0 or 1, which is not read here; save",
        )
        for when, legacy in (("of today", False), ("of before 2020", True))
        for protocol in (0, 1)
    },
    "a sparse tensor": (saved({"a": torch.eye(3).to_sparse()}), "more than weights"),
    "ten gigabytes from a pickle": (
        rewritten(GOOD["state dict"], data=ten_gigabytes()),
        "builtins.bytearray",
    ),
    "ten gigabytes from an old file": (of_2019(ten_gigabytes()), "builtins.bytearray"),
    "ten gigabytes from a plain pickle": (ten_gigabytes(), "nothing in it was run"),
    "a zip bomb": (
        rewritten(saved({"a": torch.zeros(10**6)}), compression=zipfile.ZIP_DEFLATED),
        "would unpack to more than its own",
    ),
    "no PyTorch archive": (rewritten(saved({})).replace(b"data.pkl", b"data.txt"), "torch.save did not"),
    "an archive of Keras": (
        zipped({"config.json": b"{}", "model.weights.h5": b"\x89HDF\r\n\x1a\n"}),
        "a ZIP archive that torch.save did not write, which is not read here; save",
    ),
}


@pytest.mark.parametrize(("data", "expected"), BAD.values(), ids=BAD)
def test_what_is_no_file_of_weights_is_one_clear_sentence(data: bytes, expected: str) -> None:
    """It names what is wrong, and reveals nothing about this machine."""
    with pytest.raises(models.OwnWeightsError) as refusal:
        read_state(data)
    sentence = str(refusal.value)
    assert expected in sentence
    assert sentence.endswith((".", "safetensors"))
    assert "\n" not in sentence
    assert "/" not in sentence


@pytest.mark.parametrize("protocol", [0, 2, 4])
@pytest.mark.parametrize("legacy", [False, True])
def test_code_in_a_pickle_is_never_run(protocol: int, legacy: bool, tmp_path: Path) -> None:
    """It would create a folder. Alone or inside a checkpoint it is refused; beside weights it is left out."""
    sign = tmp_path / "it-was-run"
    evil = Planted(sign)
    assert pickle.loads(pickle.dumps(evil)) is None
    assert sign.is_dir(), "the plant itself works"
    sign.rmdir()
    for value in (evil, {"state_dict": evil}):
        for data in (pickle.dumps(value, protocol), saved(value, legacy=legacy, protocol=max(2, protocol))):
            with pytest.raises(models.OwnWeightsError, match=r"nothing in it was run|damaged|neither"):
                read_state(data)
    found = read_state(saved({**STATE, "note": evil}, legacy=legacy, protocol=max(2, protocol)))
    assert list(found) == list(STATE)
    assert all(torch.equal(found[name], value) for name, value in STATE.items())
    assert not sign.exists()


def test_a_tensor_that_claims_more_numbers_than_there_are_gets_none_of_this_machines_memory() -> None:
    """The archive holds four numbers, the pickle claims 4096: the memory beyond is somebody else's."""
    archive = saved({"a": torch.arange(4.0)})
    for old, new in ((b"K\x04t", b"M\x00\x10t"), (b"K\x04\x85", b"M\x00\x10\x85")):
        lie = pickle_in(archive).replace(old, new)
        assert lie != pickle_in(archive)
        with pytest.raises(models.OwnWeightsError, match="damaged"):
            read_state(rewritten(archive, data=lie))


def test_a_file_beyond_the_limit_is_refused_before_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit comes from an argument or the environment, where a value that is not a number is ignored."""
    with pytest.raises(models.OwnWeightsError, match="more than the 512 MB"):
        read_state(_OfSize(b"{}"))
    monkeypatch.setenv("LAYERGLASS_WEIGHTS_MB", "3")
    with pytest.raises(models.OwnWeightsError, match="more than the 3 MB"):
        read_state(bytes(3_000_001))
    with pytest.raises(models.OwnWeightsError, match="neither"):
        read_state(bytes(3_000_000))
    monkeypatch.setenv("LAYERGLASS_WEIGHTS_MB", "many")
    assert size_limit() == 512_000_000


class _OfSize(bytes):
    """Bytes whose length says that they would fill the memory."""

    def __len__(self) -> int:
        return 3 * 10**9


@pytest.mark.parametrize("kind", ["safetensors", "state dict", "state dict of before 2020"])
def test_a_file_broken_anywhere_is_read_or_refused(kind: str) -> None:
    """Three hundred files, each broken in another place: our own error, or tensors of the right kind."""
    whole, chance = saved(state()) if kind == "state dict" else GOOD[kind], random.Random(1)
    for _ in range(100):
        place = chance.randrange(len(whole))
        for broken in (
            whole[:place],
            whole[:place] + chance.randbytes(7) + whole[place + 7 :],
            whole[place:],
        ):
            try:
                found = read_state(broken)
            except models.OwnWeightsError:
                continue
            assert all(isinstance(value, Tensor) for value in found.values())
