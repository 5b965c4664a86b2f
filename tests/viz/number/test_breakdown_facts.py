import json
import math

import msgspec
import pytest
import torch
from torch import nn

from viz import LayerActivations
from viz.answers.message import as_json, as_plain
from viz.number.breakdown import break_down
from viz.number.breakdown_facts import breakdown_facts, json_number
from viz.request.inspection import Inspection


def _facts(net: nn.Sequential, images: torch.Tensor, place: tuple[int, int, int], **more: object) -> dict:
    layers, last = LayerActivations(net, "cpu"), str(len(net) - 1)
    wanted = Inspection("", "net", "random", last, **more)  # type: ignore[arg-type]
    found = breakdown_facts(break_down(layers, (images,), wanted, place))
    assert msgspec.json.decode(as_json(found), type=type(found)) == found
    return json.loads(json.dumps(as_plain(found), allow_nan=False))


def test_the_facts_of_a_convolution_add_up_to_its_number() -> None:
    """Channels with the largest share first; the patch of the first one is shown."""
    net, images = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1)), torch.rand(1, 3, 6, 8)
    facts = _facts(net, images, (2, 5, 7))
    value = float(net(images).detach()[0, 2, 5, 7])
    channels, (bias,) = facts["channels"], facts["numbers"]
    shares = [abs(share) for share in channels["total"]]
    assert shares == sorted(shares, reverse=True)
    assert bias["name"] == "bias"
    assert sum(channels["total"]) + bias["value"] == pytest.approx(value)
    patch = facts["patch"]
    products = [a * b for a, b in zip(patch["values"], patch["weights"], strict=True)]
    assert (patch["channel"], pytest.approx(sum(products))) == (channels["channel"][0], channels["total"][0])
    assert facts["box"] == {"top": 4, "left": 6, "bottom": 6, "right": 8}
    assert facts["size"] == {"height": 6, "width": 8}
    assert facts["formula"] == "Σ over 3 channels and 9 places: input × weight + bias"
    assert facts["value"] == value
    assert facts["agrees"]


def test_the_terms_of_a_linear_layer_stand_in_columns() -> None:
    """Row by row value times weight is the product; with the rest and the bias they are the number."""
    net, inputs = nn.Sequential(nn.Linear(300, 4)), torch.rand(1, 300)
    facts, weights = _facts(net, inputs, (2, 0, 0)), net[0].weight.detach()[2]
    terms, (bias,) = facts["terms"], facts["numbers"]
    assert terms["value"] == [float(inputs[0, place]) for place in terms["place"]]
    assert terms["weight"] == [float(weights[place]) for place in terms["place"]]
    pairs = zip(terms["value"], terms["weight"], strict=True)
    assert terms["product"] == pytest.approx([value * weight for value, weight in pairs])
    assert sorted(terms["product"], key=abs, reverse=True) == terms["product"]
    assert len(terms["product"]) + facts["others"]["count"] == 300
    whole = sum(terms["product"]) + facts["others"]["total"] + bias["value"]
    assert whole == pytest.approx(float(net(inputs).detach()[0, 2]), rel=1e-5)


def test_what_json_has_no_number_for_is_said_in_text() -> None:
    """Infinity through a ReLU, NaN through a mean."""
    images = torch.tensor([[[[math.inf, math.nan], [0.0, 1.0]]]])
    assert _facts(nn.Sequential(nn.ReLU()), images, (0, 0, 0))["value"] == "∞"
    pooled = _facts(nn.Sequential(nn.AvgPool2d(2)), images, (0, 0, 0))
    assert (pooled["value"], pooled["total"], pooled["agrees"]) == ("NaN", "NaN", True)
    assert pooled["patch"]["values"] == ["∞", "NaN", 0.0, 1.0]
    assert json_number(-math.inf) == "−∞"


def test_a_layer_without_arithmetic_has_its_field_and_a_reason() -> None:
    """The reason is a sentence."""
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Sequential(nn.ReLU()))
    facts = _facts(net, torch.rand(1, 3, 6, 6), (0, 1, 1))
    assert (facts["kind"], *facts["box"].values()) == ("", 1, 1, 4, 4)
    assert facts["reason"] == "Sequential is made of other layers; they are explained one by one: 0."
