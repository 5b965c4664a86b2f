"""Questions of the next hook and of its input: against torch's own hooks, registered by hand."""

from typing import Any

import pytest
import torch
from torch import nn

from tests.viz.quiz.asking import NETS, net_and_input, several, wrong
from viz.quiz import Question
from viz.quiz.order import HOOKS, what_it_sees, which_fires

Fired = list[tuple[str, tuple[int, ...] | None]]


def listen(layer: nn.Module, name: str, log: Fired) -> None:
    """Register torch's four hooks on a layer; each records itself and the shape of what it is given."""

    def note(hook: str, value: Any) -> None:
        first = value[0] if isinstance(value, tuple) else value
        log.append((f"{hook} {name}", None if first is None else tuple(first.shape)))

    layer.register_forward_pre_hook(lambda _, args: note("pre-hook", args))
    layer.register_forward_hook(lambda _, __, output: note("forward hook", output))
    layer.register_full_backward_pre_hook(lambda _, out: note("full backward pre-hook", out))
    layer.register_full_backward_hook(lambda _, into, __: note("full backward hook", into))


def fired(found: Question, names: list[str], *, picture_too: bool) -> Fired:
    """Return the hooks' records on these layers, forward, and backward from the likeliest class."""
    net, picture = net_and_input(found)
    log: Fired = []
    for name in names:
        listen(net.get_submodule(name), name, log)
    scores = net(picture.requires_grad_(picture_too))
    scores[0, scores.argmax()].backward()
    return log


@pytest.mark.parametrize("picture_too", [True, False])
@pytest.mark.parametrize("net", NETS)
def test_the_next_hook_is_the_one_that_torch_fires_next(net: str, picture_too: bool) -> None:
    """With and without a gradient for the picture; the whole order in the explanation is torch's too."""
    for found in several(which_fires, net):
        names = found.facts["layers"].split(", ")
        order = [hook for hook, _ in fired(found, names, picture_too=picture_too)]
        assert list(found.steps) == order
        assert order[order.index(found.facts["fired"]) + 1] == found.choices[found.right]
        assert len(names) == 3
        assert set(wrong(found)) <= set(order) - {found.facts["fired"]}


def test_a_layer_around_others_is_asked_about_where_there_is_one() -> None:
    """That is the point of the question: it opens first and closes last."""
    for found in several(which_fires, "photonet", "patchformer"):
        outer, first, last = found.facts["layers"].split(", ")
        assert first.startswith(f"{outer}.")
        assert last.startswith(f"{outer}.")
        assert found.steps[0] == f"pre-hook {outer}"
        assert found.steps[-1] == f"full backward hook {outer}"


@pytest.mark.parametrize("net", NETS)
def test_a_hook_is_given_the_shape_that_the_answer_says(net: str) -> None:
    """The shape is that of its inputs, its output, or the gradient of either; all four hooks occur."""
    questions = several(what_it_sees, net)
    for found in questions:
        given = dict(fired(found, [found.layer], picture_too=False))
        hook = next(each for each in HOOKS if found.ask == f"sees_{each.replace(' ', '_').replace('-', '_')}")
        assert " × ".join(map(str, given[f"{hook} {found.layer}"] or ())) == found.choices[found.right]
        assert found.choices[found.right] not in wrong(found)
        assert found.facts["inputs"] != found.facts["output"]
    assert len({found.ask for found in questions}) >= 3


def test_gradients_have_the_shape_of_what_they_belong_to() -> None:
    """The explanation is true for the layers that are asked about."""
    for found in several(what_it_sees, "lenet"):
        given = {
            hook.rpartition(" ")[0]: shape for hook, shape in fired(found, [found.layer], picture_too=True)
        }
        assert given["full backward hook"] == given["pre-hook"]
        assert given["full backward pre-hook"] == given["forward hook"]
        assert torch.Size(given["pre-hook"] or ()) != torch.Size(given["forward hook"] or ())
