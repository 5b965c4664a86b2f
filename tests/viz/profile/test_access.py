"""Expressions for layers: each is evaluated, and is the layer of that name."""

import pytest
from torch import nn
from torchvision.models import densenet121, resnet18, vit_b_16

from viz.profile.access import expression


@pytest.mark.parametrize("make", [resnet18, densenet121, vit_b_16])
def test_every_expression_is_the_layer(make: object) -> None:
    """Of every layer of three models; none of these needs more than dots and indices."""
    assert callable(make)
    model = make()
    names = [name for name, _ in model.named_modules()]
    assert len(names) > 60
    for name in names:
        written = expression(model, name)
        assert eval(written, {"model": model}) is model.get_submodule(name)
        assert "get_submodule" not in written


def test_what_neither_a_dot_nor_an_index_reaches_is_reached_by_name() -> None:
    """A number in a dict, a hole in a sequence, a keyword; and a sequence counts from its beginning."""
    holes = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid())
    del holes[1]
    holes.add_module("2", nn.GELU())
    net = nn.ModuleDict({"7": nn.ReLU(), "holes": holes, "if": nn.ReLU(), "good": nn.Sequential(nn.ReLU())})
    for name, _ in net.named_modules():
        written = expression(net, name, "net")
        assert eval(written, {"net": net}) is net.get_submodule(name)
    assert expression(net, "7", "net") == "net.get_submodule('7')"
    assert expression(net, "if", "net") == "net.get_submodule('if')"
    assert expression(net, "good.0", "net") == "net.good[0]"
