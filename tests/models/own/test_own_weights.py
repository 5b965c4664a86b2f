"""A visitor's own weights in a model of the catalogue: the report is right, and so is the model."""

import copy
from collections.abc import Callable

import pytest
import torch
import torchvision
from torch import Tensor
from torch.nn import functional

import models
from models.own.own_weights import compare, load_with
from models.own.state_reading import table_of
from models.own.uploaded_state import outlines
from models.own.weights_report import MisshapenWeight, WeightsReport
from tests.models.uploads import saved, state

State = dict[str, Tensor]


def without(*names: str) -> State:
    """LeNet's weights, some left out."""
    return {name: value for name, value in state().items() if name not in names}


def by_hand(weights: State, pictures: Tensor) -> Tensor:
    """Return LeNet's output with these weights, by functions alone."""
    flow = pictures
    for name in ("conv1", "conv2"):
        flow = functional.conv2d(flow, weights[f"{name}.weight"], weights[f"{name}.bias"]).clamp_min(0)
        flow = functional.max_pool2d(flow, 2)
    flow = flow.flatten(1)
    for name in ("fc1", "fc2", "fc3"):
        flow = flow @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
        flow = flow if name == "fc3" else flow.clamp_min(0)
    return flow


def test_a_report_needs_no_numbers() -> None:
    """The outlines of a file's table are enough, also for a tensor that is a view of others."""
    weights = {
        **without("fc3.bias"),
        "fc4": torch.zeros(2, dtype=torch.complex64),
        "seen": state()["fc1.weight"].T,
    }
    weights["conv1.bias"] = torch.zeros(3, dtype=torch.int64)
    drawn = outlines(table_of(saved(weights)))
    assert all(value.is_meta for value in drawn.values())
    assert compare("lenet", drawn) == compare("lenet", weights)


def test_a_plain_net_is_compared_with_its_quantised_like() -> None:
    """Its convolutions lack the bias that a quantised layer asks for by name when it loads."""
    plain = torchvision.models.mobilenet_v2(weights=None).state_dict()
    report = compare("quantized_mobilenet_v2", plain)
    assert not report.fits
    assert any(name.endswith(".scale") for name in report.missing)


def test_a_model_that_insists_on_a_version_takes_weights_without_one() -> None:
    """As MNASNet does: a file that was read has numbers and names, and no versions of layers."""
    plain = dict(torchvision.models.mnasnet0_5(weights=None).state_dict())
    assert compare("mnasnet0_5", plain).fits
    held = load_with("mnasnet0_5", plain).state_dict()
    assert all(torch.equal(held[name], value) for name, value in plain.items())


def test_weights_that_fit_make_the_model() -> None:
    """Its output is what its formula gives with the file's numbers."""
    report = compare("lenet", state())
    assert report == WeightsReport("lenet", tuple(state()))
    assert report.fits
    net, pictures = load_with("lenet", state()), torch.rand(2, 3, 32, 32)
    torch.testing.assert_close(net(pictures), by_hand(state(), pictures), rtol=1e-4, atol=1e-3)
    assert not net.training
    assert not any(weight.requires_grad for weight in net.parameters())


CASES: dict[
    str, tuple[Callable[[], State], tuple[tuple[str, ...], tuple[str, ...], tuple[MisshapenWeight, ...]]]
] = {
    "missing": (lambda: without("fc3.bias", "conv1.weight"), (("conv1.weight", "fc3.bias"), (), ())),
    "unexpected": (lambda: {**state(), "fc4.weight": torch.zeros(2)}, ((), ("fc4.weight",), ())),
    "of another shape": (
        lambda: {**state(), "fc3.weight": torch.zeros(100, 84), "fc3.bias": torch.tensor(1.0)},
        (
            (),
            (),
            (
                MisshapenWeight("fc3.weight", "100 × 84", "10 × 84"),
                MisshapenWeight("fc3.bias", "one number", "10"),
            ),
        ),
    ),
    "complex numbers": (
        lambda: {**state(), "fc3.bias": torch.zeros(10, dtype=torch.complex64)},
        ((), (), (MisshapenWeight("fc3.bias", "complex 10", "10"),)),
    ),
}


@pytest.mark.parametrize(("made", "expected"), CASES.values(), ids=CASES)
def test_what_does_not_fit_is_reported_by_name(
    made: Callable[[], State], expected: tuple[tuple[str, ...], tuple[str, ...], tuple[MisshapenWeight, ...]]
) -> None:
    """It is refused in one sentence with the counts, unless a part is enough."""
    report = compare("lenet", made())
    assert (report.missing, report.unexpected, report.misshapen) == expected
    assert not report.fits
    missing, unexpected, misshapen = map(len, expected)
    with pytest.raises(
        models.OwnWeightsError,
        match=f"{missing} missing, {unexpected} unexpected, {misshapen} of another shape",
    ):
        load_with("lenet", made())


def test_a_part_is_taken_and_the_rest_stays_untrained() -> None:
    """Every number is either the file's or that of untrained weights."""
    given = {**without("conv2.weight"), "fc3.weight": torch.zeros(100, 84), "stray": torch.zeros(1)}
    net, untrained = load_with("lenet", given, partial=True), models.load("lenet", "random").state_dict()
    for name, value in net.state_dict().items():
        expected = untrained[name] if name in ("conv2.weight", "fc3.weight") else given[name]
        assert torch.equal(value, expected), name


def test_weights_of_another_net_are_refused_even_in_part() -> None:
    """Nothing fits, so there is nothing to go on with."""
    assert not compare("photonet", state()).fitting
    with pytest.raises(models.OwnWeightsError, match="0 fit"):
        load_with("photonet", state(), partial=True)


def test_neither_the_file_nor_the_random_numbers_are_changed() -> None:
    """A visitor's file can be used for the next model, and nobody else's numbers depend on it."""
    given, before = state(), torch.get_rng_state()
    kept = copy.deepcopy(given)
    net = load_with("lenet", given)
    with torch.no_grad():
        for weight in net.parameters():
            weight.zero_()
    assert all(torch.equal(given[name], kept[name]) for name in kept)
    assert torch.equal(torch.get_rng_state(), before)


def test_half_precision_is_widened() -> None:
    """The model computes in its own precision, with the file's numbers."""
    halves = {name: value.half() for name, value in state().items()}
    net = load_with("lenet", halves)
    assert all(torch.equal(value, halves[name].float()) for name, value in net.state_dict().items())


@pytest.mark.parametrize("counted", [True, False])
def test_a_count_of_batches_is_not_missed(counted: bool) -> None:
    """Files from before 2018 have none, and evaluation does not need it."""
    whole = models.load("resnet18", "random").state_dict()
    given = {name: value for name, value in whole.items() if counted or "num_batches" not in name}
    assert compare("resnet18", given).fits
    assert load_with("resnet18", given) is not None


def test_names_of_older_versions_are_known() -> None:
    """Torchvision's own files of vision transformers name two layers otherwise than its code does."""
    today = torchvision.models.vit_b_32().state_dict()
    old = {
        name.replace("mlp.0", "mlp.linear_1").replace("mlp.3", "mlp.linear_2"): v for name, v in today.items()
    }
    assert set(old) != set(today)
    assert compare("vit_b_32", old).fits
    wrong = {name: value[:3] if "linear_1.bias" in name else value for name, value in old.items()}
    assert not compare("vit_b_32", wrong).fits


def test_a_model_that_needs_its_numbers_while_it_is_made_is_compared_too() -> None:
    """RegNet looks at them in its constructor."""
    given = torchvision.models.regnet_x_400mf(num_classes=10).state_dict()
    report = compare("regnet_x_400mf", given)
    assert [each.name for each in report.misshapen] == ["fc.weight", "fc.bias"]
    assert (report.missing, report.unexpected) == ((), ())


def test_an_unknown_model_is_said_so() -> None:
    """The sentence is the catalogue's own."""
    with pytest.raises(models.UnknownModelError, match="did you mean lenet"):
        compare("lenett", state())
