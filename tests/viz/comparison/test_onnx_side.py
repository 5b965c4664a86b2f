"""ONNX exports beside the nets that they were made from, by both of PyTorch's exporters."""

import copy
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import models
from tests.viz.comparison.faults import folded, pictures, trained, with_fault
from viz import divergence
from viz.__main__ import main
from viz.errors import RequestError
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


def test_a_file_that_is_no_net_is_refused(tmp_path: Path) -> None:
    """In one line, whatever the libraries say."""
    (tmp_path / "bad.onnx").write_bytes(b"\xff\xff nothing")
    with pytest.raises(RequestError, match=r"bad\.onnx cannot be run"):
        divergence(trained(), tmp_path / "bad.onnx", pictures())
