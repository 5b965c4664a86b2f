"""Files of weights matched with the catalogue: however they were saved, and the model that comes of it."""

from collections.abc import Callable
from typing import Any

import pytest
import safetensors.torch
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

import models
from models.own.opening.fitting import fits_of, fitted_model
from models.own.opening.outline import outline_of
from models.own.uploaded_state import outlines, tensors
from tests.models.own.opening.test_outline import script, shards, zipped
from tests.models.uploads import saved, state


def net() -> nn.Module:
    """LeNet with weights of its own."""
    made = models.load("lenet", "random")
    made.load_state_dict(state())
    return made


def prefixed(prefix: str) -> dict[str, Tensor]:
    """The state dict with a prefix before each name."""
    return {prefix + name: value for name, value in state().items()}


def trained() -> dict[str, Any]:
    """An optimiser's state after one step, which holds tensors of the weights' shapes."""
    made = net()
    for weight in made.parameters():
        weight.requires_grad_()
    optimiser = torch.optim.Adam(made.parameters())
    made(torch.rand(1, 3, 32, 32)).sum().backward()
    optimiser.step()
    return optimiser.state_dict()


SAVED: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "state dict": (lambda: saved(state()), "state dict", ""),
    "of before 2020": (lambda: saved(state(), legacy=True), "state dict", ""),
    "DataParallel": (lambda: saved(nn.DataParallel(net()).state_dict()), "state dict", "module."),
    "compiled": (lambda: saved(torch.compile(net()).state_dict()), "state dict", "_orig_mod."),
    "under model.": (lambda: saved(prefixed("model.")), "state dict", "model."),
    "under net.": (lambda: saved(prefixed("net.")), "state dict", "net."),
    "averaged": (lambda: saved(AveragedModel(net()).state_dict()), "state dict", "module."),
    "Lightning": (
        lambda: saved({"state_dict": prefixed("model."), "optimizer_states": [trained()], "epoch": 3}),
        "state dict",
        "state_dict/model.",
    ),
    "an average beside an optimiser": (
        lambda: saved({"ema": prefixed("module."), "optimizer": trained(), "step": 7}),
        "state dict",
        "ema/module.",
    ),
    "deep inside": (lambda: saved({"a": {"b": [{"c": state()}]}}), "state dict", "a/b/0/c/"),
    "a whole model": (lambda: saved(net()), "pickled module", ""),
    "a whole model in parallel": (
        lambda: saved({"model": nn.DataParallel(net())}),
        "pickled module",
        "model/module.",
    ),
    "safetensors": (lambda: safetensors.torch.save(state()), "safetensors", ""),
    "shards": (lambda: zipped(shards(state())), "safetensors", ""),
}


@pytest.mark.parametrize(("file", "kind", "place"), SAVED.values(), ids=SAVED)
def test_however_weights_were_saved_their_model_is_found(
    file: Callable[[], bytes], kind: str, place: str
) -> None:
    """The model comes first, all fits, and its scores are those of the net that was saved."""
    outline, data = outline_of(file())
    assert (outline.kind, outline.problem) == (kind, "")
    best = fits_of(outlines(outline.table))[0]
    assert (best.report.model, best.report.place, best.share, best.classes) == ("lenet", place, 1, 10)
    pictures = torch.rand(2, 3, 32, 32)
    made = fitted_model(best, tensors(data, outline.table))
    assert torch.equal(made(pictures), net()(pictures))


def other_head(classes: int) -> dict[str, Tensor]:
    """LeNet's weights with another number of classes."""
    return state() | {"fc3.weight": torch.randn(classes, 84), "fc3.bias": torch.randn(classes)}


def test_a_head_of_other_classes_is_read_off_and_taken_over() -> None:
    """Seven scores, as the last layer's formula gives; only the head's two tensors do not fit."""
    weights = other_head(7)
    best = fits_of(weights)[0]
    assert (best.report.model, best.classes, best.untrained) == ("lenet", 7, ())
    assert best.share == pytest.approx(8 / 10)
    pictures, made = torch.rand(2, 3, 32, 32), fitted_model(best, weights)
    features: list[Tensor] = []
    with torch.no_grad():
        made.get_submodule("fc3").register_forward_pre_hook(lambda _, inputs: features.append(inputs[0]))
        scores = made(pictures)
    torch.testing.assert_close(scores, features[0] @ weights["fc3.weight"].T + weights["fc3.bias"])


def test_a_head_whose_parts_disagree_is_not_taken_over() -> None:
    """Ten rows and seven biases make no layer; the model runs, with a last layer of its own."""
    weights = state() | {"fc3.bias": torch.ones(7)}
    best = fits_of(weights)[0]
    assert (best.heads, best.untrained) == ((), ("fc3.bias",))
    assert fitted_model(best, weights)(torch.rand(1, 3, 32, 32)).shape == (1, 10)


def test_what_is_missing_is_named_and_untrained() -> None:
    """The model still opens; the names are the report's."""
    weights = {name: value for name, value in state().items() if name != "fc3.bias"}
    best = fits_of(weights | {"strange": torch.ones(1)})[0]
    assert (best.report.missing, best.report.unexpected, best.untrained) == (
        ("fc3.bias",),
        ("strange",),
        ("fc3.bias",),
    )
    assert best.share == pytest.approx(9 / 11)
    assert best.opens


@pytest.mark.parametrize("name", ["resnet18", "mobilenet_v3_small"])
def test_models_of_torchvision_are_found_among_their_like(name: str) -> None:
    """Another number of classes does not hide them; larger ones of the family come after."""
    weights = models.load(name, "random").state_dict()
    head = max(weights, key=lambda each: weights[each].shape[:1] == (1000,) and weights[each].dim())
    names = [each.report.model for each in fits_of({**weights, head: weights[head][:5]})]
    assert names[0] == name
    assert len(names) > 1


def test_weights_of_no_model_fit_none() -> None:
    """Names that no model of the catalogue has, though a shape may agree."""
    assert fits_of({"blocks.strange.weight": torch.ones(6, 3, 5, 5), "b": torch.ones(6)}) == ()


def test_torchscript_of_a_model_is_found() -> None:
    """Its attributes are the model's own names."""
    outline, data = outline_of(script(net_for_tracing()))
    assert outline.kind == "TorchScript"
    best = fits_of(outlines(outline.table))[0]
    assert (best.report.model, best.share) == ("lenet", 1)
    assert torch.equal(tensors(data, outline.table)["conv1.weight"], state()["conv1.weight"])


def net_for_tracing() -> nn.Module:
    """LeNet behind a resizing of its input, which has no weights and no name."""
    made = net()
    made.register_forward_pre_hook(lambda _, inputs: (nn.functional.interpolate(inputs[0], (32, 32)),))
    return made
