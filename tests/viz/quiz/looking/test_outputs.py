"""Question of a layer's output: against plain modules, and the settings that torch has for them."""

import re

import pytest
import torch
from torch import nn

from tests.viz.quiz.asking import EASY_NETS, net_and_input, several, wrong
from viz.quiz import Question
from viz.quiz.looking.outputs import which_output

ASKED = {
    nn.MaxPool2d: "output_pool",
    nn.Linear: "output_linear",
    nn.Flatten: "output_flatten",
    nn.ReLU: "output_relu",
    nn.ReLU6: "output_relu6",
    nn.BatchNorm2d: "output_batchnorm2d",
}


def around(found: Question) -> tuple[nn.Module, torch.Size, torch.Size]:
    """The question's layer, and the shapes of what goes in and comes out, without the batch."""
    net, picture = net_and_input(found)
    layer, seen = net.get_submodule(found.layer), list[torch.Size]()
    layer.register_forward_hook(lambda _, args, output: seen.extend([args[0].shape[1:], output.shape[1:]]))
    with torch.no_grad():
        net(picture)
    return layer, seen[0], seen[1]


def sizes(lengths: torch.Size) -> str:
    """``6 × 28 × 28``."""
    return " × ".join(map(str, lengths))


@pytest.mark.parametrize("net", EASY_NETS)
def test_the_right_shape_is_what_comes_out(net: str) -> None:
    """No other choice has it; the question says what goes in."""
    for found in several(which_output, net):
        _, given, returned = around(found)
        assert found.choices[found.right] == sizes(returned) == found.facts["shape"]
        assert sizes(returned) not in wrong(found)
        assert found.facts["given"] == sizes(given)


@pytest.mark.parametrize("net", EASY_NETS)
def test_the_words_say_what_the_layer_is(net: str) -> None:
    """Each type has a sentence of its own; a convolution's says its filters, window, step and border."""
    for found in several(which_output, net):
        layer, given, _ = around(found)
        if not isinstance(layer, nn.Conv2d):
            assert found.ask == ASKED[type(layer)]
            continue
        assert found.ask == ("output_conv_padded" if layer.padding != (0, 0) else "output_conv")
        said = [int(found.facts[name]) for name in ("filters", "ins", "kernel", "stride", "padding", "side")]
        settings = (layer.kernel_size[0], layer.stride[0], layer.padding[0])
        assert said == [layer.out_channels, layer.in_channels, *settings, given[1]]
        assert layer.groups == 1
        assert layer.dilation == (1, 1)


def test_the_explanation_can_be_worked_out() -> None:
    """The sums that it names have the result that it names."""
    for found in several(which_output, *EASY_NETS):
        facts = found.facts
        if found.why.startswith("output_conv"):
            side, padding, kernel, stride, out = (
                int(facts[name]) for name in ("side", "padding", "kernel", "stride", "out")
            )
            assert (side + 2 * padding - kernel) // stride + 1 == out
            assert facts["shape"] == f"{facts['filters']} × {out} × {out}"
        if found.why == "output_flatten":
            lengths = [int(length) for length in re.findall(r"\d+", facts["product"])]
            assert str(torch.Size(lengths).numel()) == facts["shape"]
        if found.why == "output_pool":
            assert facts["shape"].startswith(
                f"{facts['channels']} × {int(facts['side']) // int(facts['kernel'])}"
            )
        if found.why == "output_same":
            assert facts["shape"] == facts["given"]


def test_every_sentence_is_asked() -> None:
    """Over the nets that easy questions are about."""
    asked = {found.ask for found in several(which_output, *EASY_NETS, photos=("cat", "rocket"))}
    assert asked >= {*ASKED.values(), "output_conv", "output_conv_padded"} - {"output_relu6"}


def test_an_easy_convolution_slides_and_has_few_filters() -> None:
    """Nobody works out 1,152 filters of 1 × 1 in their head."""
    found = [each for each in several(which_output, *EASY_NETS) if each.ask.startswith("output_conv")]
    assert found
    assert all(int(each.facts["kernel"]) > 1 and int(each.facts["filters"]) <= 64 for each in found)
