"""An operator's model is what the factory makes anew; a copy is made of one that it keeps, whole or not."""

import copy
import dis
import sys
from collections import Counter
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional

import models
from models.errors import OwnModelError
from models.own.factory import copies
from models.own.factory.copies import copied, parts_of
from models.own.own_weights import compare, load_with
from tests.models.own.factory import hard_to_copy
from tests.models.own.factory.hard_to_copy import PICTURE, plain
from viz.hooks.activations import LayerActivations


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """The factory that the test's parameter names, as the operator's own model."""
    name: str = request.node.callspec.params["factory"]
    monkeypatch.setenv("LAYERGLASS_MODEL", f"{hard_to_copy.__name__}:{name}")
    return name


NORMED = ("weight_normed", "spectral_normed", "parametrised", "pruned")
MADE = (*NORMED, "keeping", "locked", "part_scripted", "lazy_run_once", "patched", "hooked")
OTHER = {name: value + 1 for name, value in plain().state_dict().items()}


def by_hand(weights: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return the output of ``plain`` with these weights, by functions alone."""
    flow = functional.conv2d(PICTURE, weights["0.weight"], weights["0.bias"]).tanh()
    return flow.mean((2, 3)) @ weights["4.weight"].T + weights["4.bias"]


@pytest.mark.parametrize("factory", MADE)
def test_a_model_that_its_factory_makes_anew_is_not_copied(factory: str) -> None:
    """It computes what it computes in the operator's own code, all its layers are seen, and nothing warns."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        expected = getattr(hard_to_copy, factory)().eval()(PICTURE)
    net, again = models.load(factory), models.load(factory)
    torch.testing.assert_close(net(PICTURE), expected)
    assert not any(weight.requires_grad for weight in net.parameters())
    assert parts_of(net).isdisjoint(parts_of(again))


@pytest.mark.parametrize("factory", ["patched", "hooked", "the_same", "PATCHED"])
def test_the_layers_that_functions_of_a_model_call_are_its_own(factory: str) -> None:
    """A function is not copied with its model: it would call layers that nobody looks at."""
    layers = LayerActivations(models.load(factory))
    with layers.capture() as record:
        layers.run(PICTURE)
    assert all(len(record[name]) for name in ("0", "1", "2", "3", "4"))


@pytest.mark.parametrize("factory", ["patched", "PLAIN", "new_head"])
def test_weights_that_are_put_in_are_computed_with(factory: str) -> None:
    """A function in place of ``forward`` uses them, and a body that the factory keeps goes on as it was."""
    body = "0.{}" if factory == "new_head" else "{}"
    given = {(name if name[0] == "4" else body.format(name)): value for name, value in OTHER.items()}
    given = {
        name.replace("4.", "1.") if factory == "new_head" else name: each for name, each in given.items()
    }
    before = by_hand(hard_to_copy.PLAIN.state_dict())
    assert compare(factory, given).fits
    torch.testing.assert_close(load_with(factory, given)(PICTURE), by_hand(OTHER))
    fresh = models.load(factory, "random")(PICTURE)
    assert not torch.allclose(fresh, before)
    torch.testing.assert_close(hard_to_copy.PLAIN(PICTURE), before)


@pytest.mark.parametrize("factory", ["weight_normed", "parametrised", "pruned", "part_scripted"])
def test_weights_that_no_layer_initialises_are_not_called_untrained(factory: str) -> None:
    """A layer's method writes into what is computed, so that the trained numbers would stay."""
    with pytest.raises(models.WeightsUnavailableError, match="cannot start over"):
        models.load(factory, "random")


@pytest.mark.parametrize(
    ("factory", "why"),
    [
        ("WITH_LOCK", "cannot pickle"),
        ("PATCHED", "calls the model itself"),
        ("FIRST_MADE", "calls the model itself"),
        ("the_same", ""),
    ],
)
def test_a_kept_model_that_cannot_be_copied_is_refused_other_weights(factory: str, why: str) -> None:
    """Its own can be looked at; others would change the operator's object, or nothing that runs."""
    kept = models.load(factory)
    before = {name: value.clone() for name, value in kept.state_dict().items()}
    for put_in in (lambda: models.load(factory, "random"), lambda: load_with(factory, OTHER, partial=True)):
        with pytest.raises(OwnModelError, match=f"can have no other weights: .*{why}.* that makes it anew"):
            put_in()
    assert all(torch.equal(before[name], value) for name, value in kept.state_dict().items())


@pytest.mark.parametrize("factory", ["meta"])
def test_a_model_without_numbers_is_refused_in_a_sentence(factory: str) -> None:
    """Before anything is computed with it."""
    with pytest.raises(OwnModelError, match=r"'0\.weight' has no numbers \(it is on the meta device\)"):
        models.describe(factory)


@pytest.mark.parametrize("factory", ["plain"])
@pytest.mark.parametrize("part", [lambda net: net[0], lambda net: net[0].weight], ids=["layer", "weight"])
def test_a_copy_is_whole_or_none(factory: str, part: Callable[[nn.Module], object]) -> None:
    """Functions of libraries are no reason against one; what reaches a part of the model is, however far."""
    net = getattr(hard_to_copy, factory)()
    net.squash, net.calls = functional.relu, {"add": torch.add, "as": [lambda images: images]}
    twin = copied(net).model
    assert twin is not None
    assert parts_of(twin).isdisjoint(parts_of(net))
    reached = part(net)
    net.calls = {"far": [lambda: reached]}
    assert copied(net).model is None


REACHING = ("with_function", "with_class", "with_generator", "with_object", "Calling")


@pytest.mark.parametrize("factory", [*REACHING, "InMethod", "InPlaceOfPyTorchs", "InItsMaking"])
def test_code_that_reaches_the_model_on_any_way_is_found(factory: str) -> None:
    """The copy that Python makes goes on computing with the model itself, as one sees by changing that."""
    net = getattr(hard_to_copy, factory)()
    twin, last = copy.deepcopy(net), hard_to_copy.REACHED[4].bias
    before = twin(PICTURE)
    with torch.no_grad():
        last += 1
    assert not torch.equal(twin(PICTURE), before)
    assert copied(net).why.endswith("calls the model itself")


@pytest.mark.parametrize("factory", ["plain"])
def test_code_is_read_once_for_all_layers(factory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of a model of many layers does not take that many times as long."""
    read, instructions = Counter[object](), dis.get_instructions

    def counted(code: Any) -> Any:
        read[code] += 1
        return instructions(code)

    def forward(images: torch.Tensor) -> torch.Tensor:
        return functional.relu(images)

    copies._names.cache_clear()
    monkeypatch.setattr(dis, "get_instructions", counted)
    net = nn.Sequential(*(getattr(hard_to_copy, factory)() for _ in range(3)))
    for layer in net.modules():
        layer.forward = forward
    assert copied(net).model is not None
    assert read[forward.__code__] == 1


@pytest.mark.parametrize("factory", ["hooked"])
def test_the_layer_that_calls_the_model_is_named(factory: str) -> None:
    """The innermost one, of all that lead there."""
    net = nn.Sequential(nn.Sequential(getattr(hard_to_copy, factory)()))
    assert copied(net).why == "0.0.0 has a function or class that calls the model itself"


THEIRS = """
from torch import nn
from tests.models.own.factory.hard_to_copy import plain

net = plain()


class OfClass(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = net

    def forward(self, images):
        return net(images)


def by_function():
    made = nn.Module()
    made.layers, made.forward = net, lambda images: net(images)
    return made
"""


@pytest.mark.parametrize("place", ["site-packages/of_an_operator.py", "profile.py"])
@pytest.mark.parametrize("factory", ["by_function", "OfClass"])
def test_an_operators_own_code_is_no_library(
    factory: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is installed, and whatever its file is called: Python has a ``profile`` too."""
    file = tmp_path / place
    file.parent.mkdir(exist_ok=True)
    file.write_text(THEIRS)
    found = spec_from_file_location(file.stem, file)
    assert found is not None
    assert found.loader is not None
    theirs = module_from_spec(found)
    monkeypatch.setitem(sys.modules, file.stem, theirs)
    found.loader.exec_module(theirs)
    assert copied(getattr(theirs, factory)()).why.endswith("calls the model itself")


@pytest.mark.parametrize("factory", ["Keeper.net"])
def test_a_model_that_a_class_keeps_is_found(factory: str) -> None:
    """By its class, which another module names, in place of ``forward``; without that, it is copied."""
    net: nn.Module = attrgetter(factory)(hard_to_copy)
    assert copied(net).model is not None
    net.forward = lambda images: hard_to_copy.Keeper.net[:4](images).mean()  # type: ignore[method-assign]
    why = copied(net).why
    del net.forward
    assert why.endswith("calls the model itself")


@pytest.mark.parametrize("factory", ["STEPPING", "COLLECTED"])
def test_what_no_call_of_a_model_runs_is_no_reason_against_a_copy(factory: str) -> None:
    """A copy with other weights computes with them, and the model goes on as it was."""
    kept = getattr(hard_to_copy, factory)
    before = by_hand(kept.layers.state_dict())
    given = {f"layers.{name}": value for name, value in OTHER.items()}
    torch.testing.assert_close(load_with(factory, given)(PICTURE), by_hand(OTHER))
    torch.testing.assert_close(kept(PICTURE), before)


@pytest.mark.parametrize("factory", ["NAMED"])
def test_an_attribute_of_the_models_own_name_is_no_reason_against_a_copy(factory: str) -> None:
    """Only ``self`` has it: the copy computes with the weights that it is given."""
    given = {f"NAMED.{name}": value for name, value in OTHER.items()}
    torch.testing.assert_close(load_with(factory, given)(PICTURE), by_hand(OTHER))
