"""``diverge``, as somebody types it: where two nets part on a picture."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

import models
from tests.models.own.formats.test_onnx_file import messages
from tests.viz.comparison.faults import trained
from viz.__main__ import main
from viz.pictures.samples import sample

OWN = f"{__name__}:own"
OTHERWISE = f"{__name__}:otherwise"


def own() -> tuple[nn.Module, dict[str, Any]]:
    """A model of somebody's own, with its preparation."""
    return trained(), {"input_size": 12, "mean": (0.5,) * 3, "std": (0.5,) * 3}


def otherwise() -> tuple[nn.Module, dict[str, Any]]:
    """The same model, prepared for with another mean."""
    return trained(), {"input_size": 12, "mean": (0.4,) * 3, "std": (0.5,) * 3}


def miscompiled() -> tuple[nn.Module, dict[str, Any]]:
    """The same model, compiled by a backend that adds a constant."""

    def wrong(graph: Callable[..., Any], _inputs: Any) -> Callable[..., Any]:
        return lambda *given: tuple(each + 0.5 for each in graph(*given))

    model, facts = own()
    return torch.compile(model, backend=wrong), facts  # type: ignore[return-value]


@pytest.fixture
def values() -> dict[str, Tensor]:
    """LeNet's outputs for the sample, by calling its layers one after the other."""
    value, found = models.describe("lenet").preprocessing(sample("cat")), {}
    with torch.no_grad():
        for name, layer in models.load("lenet").named_children():
            value = found[name] = layer(value).clone()
    return found


@pytest.fixture
def wrong_weights(tmp_path: Path) -> Path:
    """LeNet's weights, of which one convolution's are others."""
    state = {name: value.clone() for name, value in models.load("lenet").state_dict().items()}
    state["conv2.weight"] *= 1.1
    save_file(state, tmp_path / "wrong.safetensors")
    return tmp_path / "wrong.safetensors"


def diverge(*words: object, image: str = "sample:cat") -> int:
    """The exit status of one comparison."""
    a, b, *more = map(str, words)
    return main(["diverge", a, b, image, *more])


def test_a_net_agrees_with_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0, a line for each layer with exactly the names of the contract, and none is first."""
    assert diverge("lenet", "lenet", "--json") == 0
    printed = capsys.readouterr()
    rows = [json.loads(line) for line in printed.out.splitlines()]
    names = [name for name, _ in models.load("lenet").named_children()]
    assert [row["layer"] for row in rows] == [row["other"] for row in rows] == [*names, ""]
    assert all(
        list(row)
        == [
            "layer",
            "other",
            "shape",
            "max_abs",
            "max_rel",
            "cosine",
            "outside",
            "made_here",
            "first",
            "reason",
        ]
        for row in rows
    )
    assert not any(row["first"] or row["outside"] or row["made_here"] for row in rows)
    assert printed.err.startswith("The two agree: none of 13 layers")


def test_weights_of_a_file_part_where_they_are_others(
    wrong_weights: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1, and the sentence at the end of the table names the layer."""
    report = wrong_weights.with_suffix(".md")
    assert diverge("lenet", f"lenet={wrong_weights}", "--markdown", report) == 1
    assert "| **conv2** |" in report.read_text(encoding="utf-8")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines if line.startswith(">")] == ["conv2"]
    assert lines[-1].startswith("The two part at conv2: given the same input, ")
    assert diverge("lenet", f"lenet={wrong_weights}", "--tolerance", "100") == 0


def test_weights_may_come_from_an_onnx_file(
    wrong_weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Behind a model's name it is a file of weights, not a net of its own."""
    path, made = tmp_path / "wrong.onnx", messages()
    graph = made["Graph"](name="net")
    for name, value in load_file(wrong_weights).items():
        graph.initializer.add(
            name=name, dims=list(value.shape), data_type=1, raw_data=value.numpy().tobytes()
        )
    path.write_bytes(made["Model"](ir_version=8, producer_name="any", graph=graph).SerializeToString())
    assert diverge("lenet", f"lenet={path}") == 1
    assert "The two part at conv2: given the same input, " in capsys.readouterr().out
    assert diverge(f"lenet={path}", f"lenet={wrong_weights}") == 0


def test_a_file_of_values_may_have_the_mark_of_weights_in_its_name(
    values: dict[str, Tensor], tmp_path: Path
) -> None:
    """A file of the whole name is meant."""
    save_file(values, tmp_path / "epoch=3.safetensors")
    assert diverge(tmp_path / "epoch=3.safetensors", "lenet") == 0


@pytest.mark.parametrize("ending", ["npz", "safetensors"])
def test_values_captured_elsewhere_take_a_net_s_place(
    ending: str, values: dict[str, Tensor], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of plain calls agree; one that is changed is the first."""
    path = tmp_path / f"values.{ending}"
    for change, status in ((0, 0), (1, 1)):
        values["pool2"] += change
        if ending == "npz":
            np.savez(path, **{name: value.numpy() for name, value in values.items()})
        else:
            save_file(values, path)
        assert diverge(path, "lenet", "--json") == status
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["layer"] for row in rows if row["first"]] == ["pool2"]


def test_untrained_weights_and_half_precision_have_names(capsys: pytest.CaptureFixture[str]) -> None:
    """Untrained nets are the same each time; half precision is one in a thousand away."""
    assert diverge("lenet@random", "lenet@random") == 0
    assert diverge("lenet", "lenet@random") == 1
    assert diverge("lenet", "float16:lenet") == 1
    assert diverge("lenet", "float16:lenet", "--tolerance", "0.05,0.01") == 0
    assert "The two part at conv1" in capsys.readouterr().out


def test_two_models_of_one_s_own_are_given_their_own_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    """Another preparation is said to be the cause, and no layer."""
    assert diverge(OWN, OWN, "--match", "conv=conv") == 0
    assert diverge(OWN, OTHERWISE) == 1
    assert "The two are given different inputs" in capsys.readouterr().out


def test_a_compiled_model_of_one_s_own_runs_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    """A fault of its compiler is in its output, which is all that can be seen of it."""
    assert diverge(OWN, f"{__name__}:miscompiled") == 1
    assert "The two part at the model's output: given the same input, 100.00%" in capsys.readouterr().out
    torch._dynamo.reset()


def test_what_cannot_be_compared_ends_with_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says why: no such model, file, number, layer, values, and nothing in common."""
    (tmp_path / "bad.npz").write_bytes(b"no archive")
    np.savez(tmp_path / "pickled.npz", conv1=np.array([{}], dtype=object))
    np.savez(tmp_path / "other.npz", elsewhere=np.zeros(3))
    np.savez(tmp_path / "empty.npz")
    cases: list[tuple[list[object], str]] = [
        (["lenet", "lenot"], "no model named 'lenot'"),
        (["lenet", "lenet=nowhere.pt"], "cannot read nowhere.pt"),
        (["lenet", tmp_path / "none.npz"], "cannot read"),
        (["lenet", tmp_path / "bad.npz"], "holds no captured values"),
        (["lenet", tmp_path / "pickled.npz"], "holds no captured values"),
        (["lenet", tmp_path / "empty.npz"], "it is empty"),
        (["lenet", tmp_path / "other.npz"], "no layer of the one corresponds"),
        (["lenet", "lenet", "--markdown", tmp_path / "no folder" / "report.md"], "there is no folder"),
        (["lenet", "lenet", "--match", "conv1"], "write LAYER=OTHER"),
        (["lenet", "lenet", "--match", "conv9=conv1"], "no layer named 'conv9' ran"),
        (["lenet", "lenet", "--tolerance=-1"], "a tolerance is a number from 0"),
    ]
    for words, why in cases:
        assert diverge(*words) == 2
        [line] = capsys.readouterr().err.splitlines()
        assert why in line
    with pytest.raises(SystemExit) as ended:
        diverge("lenet", "lenet", "--tolerance", "much")
    assert ended.value.code == 2
