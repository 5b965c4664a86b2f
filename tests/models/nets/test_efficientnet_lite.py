"""EfficientNet-Lite0: its numbers are those of timm's, step by step, and every step can be looked at."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
from PIL import Image
from skimage import data
from torch import Tensor, nn

import models
from models.nets.bundled import Add
from models.nets.efficientnet_lite import STAGES, EfficientNetLite0, InvertedResidual

PICTURES = {"cat": data.chelsea, "coffee": data.coffee}


@pytest.fixture(scope="module")
def net() -> nn.Module:
    """The net with its trained weights."""
    return models.load("efficientnet_lite0")


@pytest.fixture(scope="module")
def theirs(net: nn.Module) -> nn.Module:
    """The net of timm with the same weights: its entries stand in the same order."""
    import timm

    made: nn.Module = timm.create_model("tf_efficientnet_lite0")
    ours, names = net.state_dict().values(), list(made.state_dict())
    made.load_state_dict(dict(zip(names, ours, strict=True)))
    return made.eval().requires_grad_(requires_grad=False)


def pairs() -> Iterator[tuple[str, str]]:
    """The names of the same step here and in timm, whose activations belong to its normalisations."""
    yield "stem", "bn1"
    for stage, each in enumerate(STAGES):
        steps = ["expand", "depthwise", "project"] if each.expansion > 1 else ["depthwise", "project"]
        for block in range(each.blocks):
            here, there = f"stage{stage + 1}.block{block + 1}", f"blocks.{stage}.{block}"
            yield here, there
            yield from ((f"{here}.{step}", f"{there}.bn{place}") for place, step in enumerate(steps, 1))
    yield "head.relu", "bn2"
    yield "head.flatten", "global_pool"
    yield "head.fc", "classifier"


@contextmanager
def outputs(net: nn.Module) -> Iterator[dict[str, Tensor]]:
    """Yield each layer's output in the block, by its name, as plain hooks see it."""
    seen: dict[str, Tensor] = {}
    handles = [
        module.register_forward_hook(lambda _m, _i, out, name=name: seen.update({name: out.clone()}))
        for name, module in net.named_modules()
    ]
    yield seen
    for handle in handles:
        handle.remove()


def prepared(picture: str) -> Tensor:
    """The net's input for a photograph, or for noise."""
    if picture == "noise":
        return torch.randn(1, 3, 224, 224, generator=torch.Generator().manual_seed(0))
    made: Tensor = models.describe("efficientnet_lite0").preprocessing(Image.fromarray(PICTURES[picture]()))
    return made


@pytest.mark.parametrize("picture", ["cat", "coffee", "noise"])
def test_every_step_of_every_block_is_that_of_timm(net: nn.Module, theirs: nn.Module, picture: str) -> None:
    """The stem, three steps and the sum of sixteen blocks, and the head: to 1e-5 of the largest value."""
    with outputs(net) as ours, outputs(theirs) as others:
        net(prepared(picture))
        theirs(prepared(picture))
    compared = list(pairs())
    assert len(compared) == 1 + 4 * 16 - 1 + 3
    for here, there in compared:
        assert ours[here].shape == others[there].shape
        off = (ours[here] - others[there]).abs().max() / others[there].abs().max()
        assert off <= 1e-5, f"{here} is off by {off:.1g} of {there}"


def test_a_larger_picture_gives_the_numbers_of_timm_too(net: nn.Module, theirs: nn.Module) -> None:
    """320 pixels by 256: each side is a multiple of 32."""
    images = torch.randn(2, 3, 320, 256, generator=torch.Generator().manual_seed(1))
    assert torch.allclose(net(images), theirs(images), atol=1e-5)


@pytest.mark.parametrize(("kernel", "border"), [(3, (0, 1)), (5, (1, 2))])
def test_the_border_of_a_halving_step_is_wider_at_the_end(kernel: int, border: tuple[int, int]) -> None:
    """As "SAME" of TensorFlow pads an even side: what is missing is split, and the odd pixel comes last."""
    step = next(
        module.depthwise
        for module in EfficientNetLite0().modules()
        if isinstance(module, InvertedResidual)
        and module.depthwise.conv.stride == (2, 2)
        and module.depthwise.conv.kernel_size == (kernel, kernel)
    )
    padded = step.pad(torch.ones(1, 1, 8, 8))[0, 0]
    before, after = border
    rows = padded.any(dim=1).nonzero().flatten().tolist()
    columns = padded.any(dim=0).nonzero().flatten().tolist()
    assert rows == columns == list(range(before, before + 8))
    assert padded.shape == (before + 8 + after, before + 8 + after)


def test_every_layer_runs_exactly_once_and_writes_over_no_other() -> None:
    """Each name on the page has one picture, which nothing later changes."""
    net, calls = EfficientNetLite0().eval(), []
    handles = [
        module.register_forward_hook(lambda *_, name=name: calls.append(name))
        for name, module in net.named_modules()
        if name
    ]
    net(torch.zeros(1, 3, 32, 32))
    for handle in handles:
        handle.remove()
    assert sorted(calls) == sorted(name for name, _ in net.named_modules() if name)
    assert not any(getattr(module, "inplace", False) for module in net.modules())


def test_names_say_what_a_step_does() -> None:
    """A block that widens, one that does not, and one that adds nothing."""
    net = EfficientNetLite0()
    assert list(dict(net.named_children())) == ["stem", *(f"stage{n}" for n in range(1, 8)), "head"]
    assert list(dict(net.stage1.block1.named_children())) == ["depthwise", "project"]
    assert list(dict(net.stage2.block1.named_children())) == ["expand", "depthwise", "project"]
    assert list(dict(net.stage2.block2.named_children())) == ["expand", "depthwise", "project", "add"]
    assert sum(isinstance(module, Add) for module in net.modules()) == 9


def test_a_block_adds_its_input() -> None:
    """With the last normalisation set to zero, nothing else is left of it."""
    block = EfficientNetLite0().eval().stage2.block2
    nn.init.zeros_(block.project.bn.weight)
    maps = torch.randn(1, 24, 4, 4)
    assert torch.equal(block(maps), maps)
