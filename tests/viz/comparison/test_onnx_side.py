"""ONNX exports beside the nets that they were made from, by both of PyTorch's exporters."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import models
from tests.viz.comparison.faults import folded, pictures, trained, with_fault
from viz import divergence
from viz.__main__ import main
from viz.comparison.onnx_side import OnnxSide
from viz.errors import RequestError
from viz.hooks.records import leaves
from viz.pictures.samples import sample

REASON = "ONNX is optional: pip install -r requirements-onnx.txt"
onnx = pytest.importorskip("onnx", reason=REASON)
onnxruntime = pytest.importorskip("onnxruntime", reason=REASON)
Export = Callable[[nn.Module, torch.Tensor], str]
NETS = {"lenet": "pretrained", "photonet": "pretrained", "resnet18": "random"}
pytestmark = pytest.mark.filterwarnings("ignore")  # torch.onnx's own


@pytest.fixture(params=["names", "metadata"])
def exported(request: pytest.FixtureRequest, tmp_path: Path) -> Export:
    """Exports a net; one exporter writes scopes into names, the other into metadata, and weights apart."""
    if request.param == "metadata":
        pytest.importorskip("onnxscript", reason="torch's newer exporter needs it: pip install onnxscript")

    def export(net: nn.Module, x: torch.Tensor) -> str:
        path = str(tmp_path / "net.onnx")
        torch.onnx.export(net, (x,), path, dynamo=request.param == "metadata", verbose=False)
        return path

    return export


@pytest.mark.parametrize("name", NETS)
def test_an_export_agrees_with_its_net_to_1e_5(name: str, exported: Export) -> None:
    """In every layer, but convolutions whose norm the exporter has folded in: their norm is compared.

    Without oneDNN, whose kernels add up in an order that depends on the processor.
    """
    net, x = models.load(name, NETS[name]), models.describe(name).preprocessing(sample("cat"))
    with torch.backends.mkldnn.flags(enabled=False):
        found = divergence(net, exported(net, x), x, tolerance=1e-5)
    assert found.first is None
    lone = [row.layer for row in found if row.other is None]
    assert all(isinstance(net.get_submodule(layer or ""), nn.Conv2d) for layer in lone)
    assert {str(row.reason).split(" with ")[0] for row in found if row.other is None} <= {"compared together"}
    assert len(found) - len(lone) >= sum(not isinstance(layer, nn.Conv2d) for layer in net.modules())
    assert None not in {row.outside for row in found if row.layer not in lone}


@pytest.mark.parametrize("fault", ["an epsilon", "a bad scale", "another resize mode", "a transposed weight"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_fault_before_the_export_is_found_behind_it(fault: str, swapped: bool, exported: Export) -> None:
    """At the layer, or at the norm that was folded into it, whichever side is the export."""
    net, wrong, layer = with_fault(fault)
    sides = (net, exported(wrong, pictures()))
    found = divergence(*(reversed(sides) if swapped else sides), pictures())
    assert found.first is not None
    allowed = {layer, {"block.conv1": "block.bn1", "block.bn1": "block.conv1"}.get(layer, layer)}
    assert {found.first.layer, found.first.other} & allowed
    assert [row.layer for row in found if row.made_here] == [found.first.layer]


def test_values_are_those_of_onnxruntime_and_numpy(exported: Export) -> None:
    """The output of the whole file, without any change to it."""
    net, x = folded(trained()), pictures()
    path = exported(net, x)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    [theirs] = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    with torch.no_grad():
        ours = net(x).numpy()
    row = next(row for row in divergence(net, path, x, tolerance=0.0) if row.layer == "")
    assert row.max_abs == pytest.approx(np.abs(ours.astype(np.float64) - theirs).max(), abs=1e-7)


def test_the_command_takes_a_model_and_its_export(
    exported: Export, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 0 for its own export, 1 for another net's, 2 where no side prepares the picture."""
    net, x = models.load("lenet"), models.describe("lenet").preprocessing(sample("cat"))
    wrong = copy.deepcopy(net)
    wrong.conv2.weight.data *= 1.1
    path = exported(net, x)
    assert main(["diverge", "lenet", path, "sample:cat"]) == 0
    assert main(["diverge", path, "lenet", "sample:cat"]) == 0
    assert main(["diverge", path, path, "sample:cat"]) == 2
    assert main(["diverge", "lenet", exported(wrong, x), "sample:cat"]) == 1
    printed = capsys.readouterr()
    assert "The two part at conv2" in printed.out
    assert "does not say how a picture is prepared" in printed.err


class Halves(nn.Module):
    """Two parts of the channels."""

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        return x.chunk(2, 1)


class Largest(nn.Module):
    """The three largest values of each row, and their places."""

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        values, places = x.topk(3)
        return values, places


class Shifted(nn.Module):
    """An operator whose last value is wrong."""

    def __init__(self, operator: nn.Module) -> None:
        super().__init__()
        self.operator = operator

    def forward(self, x: Tensor) -> Any:
        *values, last = leaves(self.operator(x)).values()
        return *values, last + 1


class Around(nn.Module):
    """A layer, and an operator with several values, which are returned."""

    def __init__(self, operator: nn.Module) -> None:
        super().__init__()
        self.act, self.operator = nn.Tanh(), operator

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        return tuple(leaves(self.operator(self.act(x))).values())


OPERATORS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "Split": (Halves, (2, 6, 4)),
    "TopK": (Largest, (2, 9)),
    "MaxPool": (lambda: nn.MaxPool2d(2, return_indices=True), (2, 3, 8, 8)),
    "LSTM": (lambda: nn.LSTM(5, 4), (3, 2, 5)),
    "GRU": (lambda: nn.GRU(5, 4), (3, 2, 5)),
}


def around(operator: str) -> tuple[Around, Tensor]:
    """The net of an operator, and an input."""
    make, size = OPERATORS[operator]
    torch.manual_seed(4)
    return Around(make()).eval(), torch.randn(size, generator=torch.Generator().manual_seed(6))


def named(path: str) -> str:
    """The operator's name in a file, or the model's, which has the same values, if it is lost."""
    data = Path(path).read_bytes()
    return "operator" if b"/operator/" in data or b"'operator'" in data else ""


@pytest.mark.parametrize("operator", OPERATORS)
def test_all_values_of_an_operator_are_those_of_pytorch(operator: str, exported: Export) -> None:
    """Each of what a plain hook sees is among what the file's layer returns, to 1e-5."""
    net, x = around(operator)
    path = exported(net, x)
    layer, seen = named(path), []
    with torch.no_grad(), net.operator.register_forward_hook(lambda *each: seen.append(each[2])):
        net(x)
    expected = list(leaves(seen).values())
    found = list(leaves(OnnxSide(path, x).keep([layer])[layer, 0].output).values())
    assert len(found) == len(expected) >= 2
    for value in expected:
        assert any(
            each.shape == value.shape and torch.allclose(each.double(), value.double(), atol=1e-5)
            for each in found
        )
    table = divergence(net, path, x, tolerance=1e-5)
    assert table.first is None
    assert [row.outside for row in table if row.other == layer] == [0]
    assert {row.reason for row in table if row.other is None} <= {"no value of the file is named after it"}


@pytest.mark.parametrize("operator", OPERATORS)
def test_a_fault_in_the_last_value_of_an_operator_is_found(operator: str, exported: Export) -> None:
    """Of several values, none is left out."""
    net, x = around(operator)
    wrong = copy.deepcopy(net)
    wrong.operator = Shifted(wrong.operator)
    path = exported(wrong, x)
    found = divergence(path, net, x, tolerance=1e-5).first
    assert found is not None
    assert (found.layer, found.other) == (named(path), named(path))


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_a_value_that_nothing_else_uses_is_not_compared(kept: int, exported: Export) -> None:
    """The file has no output for it, whichever it is; the others still have their counterparts."""

    class Part(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.operator, self.act = nn.LSTM(5, 4), nn.Tanh()

        def forward(self, x: Tensor) -> Tensor:
            values = list(leaves(self.operator(x)).values())
            acted: Tensor = self.act(values[kept])
            return acted

    torch.manual_seed(4)
    net, x = Part().eval(), torch.randn(3, 2, 5, generator=torch.Generator().manual_seed(6))
    found = divergence(net, exported(net, x), x, tolerance=1e-5)
    assert found.first is None
    assert [row.layer for row in found if row.outside is not None] == ["operator", "act", ""]


def test_a_file_that_is_no_net_is_refused(tmp_path: Path) -> None:
    """In one line, whatever the libraries say."""
    (tmp_path / "bad.onnx").write_bytes(b"\xff\xff nothing")
    with pytest.raises(RequestError, match=r"bad\.onnx cannot be run"):
        divergence(trained(), tmp_path / "bad.onnx", pictures())
