"""Card of a run: whether another may go on with it, and which weights it had."""

import hashlib
import json

import pytest
import torch
from torch import nn

from viz.errors import RequestError
from viz.exemplars.card import Request, as_dict, check_same, torch_version, weights_digest

REQUEST = Request("1", "2.15", "cpu", "net", "random", "ab", "as is", ("a", "b"), 9, 100, "cd")


def test_the_same_request_may_go_on() -> None:
    """Also as a file has it."""
    check_same(json.loads(json.dumps(as_dict(REQUEST))), REQUEST, "out")


@pytest.mark.parametrize("name", [name for name in as_dict(REQUEST) if name != "layers"])
def test_whatever_differs_is_said(name: str) -> None:
    """The old value and the new one."""
    with pytest.raises(
        RequestError, match=f"^the run in out and .* their .*, 777 there and {getattr(REQUEST, name)} here:"
    ):
        check_same({**as_dict(REQUEST), name: 777}, REQUEST, "out")


def test_long_lists_of_layers_are_cut_short() -> None:
    """The sentence stays one that can be read."""
    other = {**as_dict(REQUEST), "layers": [f"layer{number}" for number in range(300)]}
    with pytest.raises(RequestError, match=r"their layers, layer0, .*… there and a, b here") as refused:
        check_same(other, REQUEST, "out")
    assert len(str(refused.value)) < 250


def test_the_digest_is_that_of_names_types_shapes_and_numbers() -> None:
    """By the same rule from scratch; every weight and every buffer counts."""
    net = nn.Sequential(nn.Conv2d(1, 1, 1), nn.BatchNorm2d(1))
    digest = hashlib.sha256()
    for name, value in net.state_dict().items():
        digest.update(f"{name} {value.dtype} {tuple(value.shape)} ".encode() + value.numpy().tobytes())
    first = weights_digest(net)
    assert first == digest.hexdigest()
    assert torch_version() == torch.__version__
    with torch.no_grad():
        net[1].running_mean += 1
    assert weights_digest(net) != first
