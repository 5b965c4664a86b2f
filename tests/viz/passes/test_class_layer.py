"""In which layer a class is looked for: plain hooks find a gradient at its places, and behind it none."""

import torch
from torch import Tensor, nn

from viz.hooks.activations import LayerActivations
from viz.passes.class_layer import NOWHERE, class_layer
from viz.passes.forward import survey_with_layouts
from viz.profile.rows import LayerCall

BUDGET = 1 << 20


def found(model: nn.Module, images: Tensor, target: int = 1, budget: int = BUDGET) -> LayerCall:
    """The layer in which the class is looked for."""
    layers = LayerActivations(model, "cpu")
    rows, known = survey_with_layouts(layers, (images,))
    return class_layer(layers, (images,), rows, known, target, budget)


def gradient_by_hand(model: nn.Module, name: str, images: Tensor, target: int = 1) -> Tensor:
    """The gradient at a layer's output, by a plain hook and ``torch.autograd.grad``."""
    kept: list[Tensor] = []
    hook = model.get_submodule(name).register_forward_hook(lambda *args: kept.append(args[2]))
    score = model(images.clone().requires_grad_())[0, target]
    hook.remove()
    return torch.autograd.grad(score, kept[-1])[0]


class Tokens(nn.Module):
    """Patches with a class token in front, attention by hand; keys are computed last."""

    def __init__(self, *, weighs: bool = True) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.patches = nn.Conv2d(3, 8, 4, 4)
        self.first = nn.Parameter(torch.randn(1, 1, 8))
        self.norm1 = nn.LayerNorm(8)
        self.value, self.query, self.key = (nn.Linear(8, 8) for _ in range(3))
        self.norm2 = nn.LayerNorm(8)
        self.head = nn.Linear(8, 3)
        if not weighs:
            nn.init.zeros_(self.head.weight)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, 16, 16)."""
        tokens = torch.cat([self.first, self.patches(images).flatten(2).transpose(1, 2)], 1)
        before = self.norm1(tokens)
        value, query, key = self.value(before), self.query(before), self.key(before)
        attended = (query @ key.transpose(1, 2)).softmax(-1) @ value
        scores: Tensor = self.head(self.norm2(tokens + attended)[:, 0])
        return scores


class Pooled(nn.Module):
    """Attention by one learned query over all places, whose keys are computed last."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.patches = nn.Conv2d(3, 8, 4, 4)
        self.query = nn.Parameter(torch.randn(1, 1, 8))
        self.value, self.key = nn.Linear(8, 8), nn.Linear(8, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3) of images (N, 3, 16, 16)."""
        tokens = self.patches(images).flatten(2).transpose(1, 2)
        value, key = self.value(tokens), self.key(tokens)
        scores: Tensor = self.head(((self.query @ key.transpose(1, 2)).softmax(-1) @ value)[:, 0])
        return scores


IMAGES = torch.randn(1, 3, 16, 16, generator=torch.Generator().manual_seed(1))


def test_behind_the_places_of_a_class_token_no_class_is_looked_for() -> None:
    """The norm behind the attention has tokens, but only the class token's gradient is not zero."""
    model = Tokens()
    behind, chosen = gradient_by_hand(model, "norm2", IMAGES), found(model, IMAGES)
    assert not behind[:, 1:].any()
    assert behind[:, 0].any()
    assert chosen == LayerCall("key", 0)
    assert gradient_by_hand(model, chosen.layer, IMAGES)[:, 1:].abs().amin() > 0


def test_groups_of_any_size_find_the_same() -> None:
    """A budget of one byte allows one layer for each pass."""
    assert found(Tokens(), IMAGES, budget=1) == found(Tokens(), IMAGES)


def test_means_that_cancel_are_no_weights() -> None:
    """A softmax does not notice what is added to every key, so the gradients at the keys add up to zero."""
    model = Pooled()
    keys = gradient_by_hand(model, "key", IMAGES)
    assert keys.abs().amin() > 1e-7
    torch.testing.assert_close(keys.sum(1), torch.zeros(1, 8), atol=1e-6, rtol=0)
    assert found(model, IMAGES) == LayerCall("value", 0)


def test_where_no_gradient_arrives_anywhere_it_is_the_last_layer_with_maps() -> None:
    """An untrained head of zeros, as in torchvision's transformers: the map is zero, and says so."""
    assert found(Tokens(weighs=False), IMAGES) == LayerCall("norm2", 0)


def test_without_maps_there_is_nowhere_to_look() -> None:
    """Only vectors."""
    model = nn.Sequential(nn.Flatten(), nn.Linear(3 * 16 * 16, 4))
    assert found(model, IMAGES) == NOWHERE


def test_neither_pooled_maps_nor_the_first_of_several_calls_are_chosen() -> None:
    """A convolution that runs twice before a pooling: its second call."""
    twice = nn.Conv2d(3, 3, 3)
    model = nn.Sequential(twice, twice, nn.AdaptiveAvgPool2d(2), nn.Flatten())
    assert found(model, IMAGES) == LayerCall("0", 1)
