"""Known layouts on their way through passes: values, gradients, Grad-CAM, edits, what is kept of a model."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.viz.subjects import photo, prepare, subject, wanted
from viz import LayerActivations
from viz.errors import EditError
from viz.findings.edit_checks import channel_axis, check_edits
from viz.passes.ablation import plan_ablation
from viz.passes.loaded import LoadedModel, loaded_model, one_pass, several
from viz.request.arrangement import Arrangement, first_known
from viz.request.edit_request import edits_from
from viz.views.drawing import arranged, draw_view


class Stage(nn.Module):
    """A convolution with its five channels last, on six by eight cells: nothing but places tells."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.conv = nn.Conv2d(3, 5, (3, 1))

    def forward(self, images: Tensor) -> Tensor:
        """Return (N, 6, 8, 5) of images (N, 3, 8, 8)."""
        return self.conv(images).permute(0, 2, 3, 1)


class Flat(nn.Module):
    """A convolution with more channels than places, as (N, C, H·W): by its shape they might be tokens."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.conv, self.flat = nn.Conv2d(3, 48, 2, 2), nn.Flatten(2)

    def forward(self, images: Tensor) -> Tensor:
        """Return (N, 48) of images."""
        return self.flat(self.conv(images)).mean(2)


class Unroll(nn.Module):
    """Maps with channels last as tokens from the last to the first."""

    def forward(self, maps: Tensor) -> Tensor:
        """Return (N, H·W, C)."""
        return maps.flatten(1, 2).flip(1)


class Net(nn.Module):
    """A stage, unrolled tokens, and class scores."""

    def __init__(self) -> None:
        super().__init__()
        self.stage, self.unroll, self.passes = Stage(), Unroll(), 0
        self.norm, self.head = nn.LayerNorm(5), nn.Linear(5, 3)
        self.also = self.norm

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 3)."""
        self.passes += 1
        scores: Tensor = self.head(self.norm(self.unroll(self.stage(images))).mean(1))
        return scores


@pytest.fixture
def loaded() -> LoadedModel:
    """The net as an engine keeps it."""
    made = subject(Net())
    return loaded_model(made, LayerActivations(made.module, "cpu"))


def maps_of(loaded: LoadedModel, layer: str, **more: object) -> np.ndarray:
    """Return the maps that a view of a layer draws."""
    asked = wanted(photo(1), layer, **more)
    return np.asarray(arranged(one_pass(loaded, asked, photo(1), whole=False)[layer], asked).maps)


def by_hand() -> np.ndarray:
    """Return the stage's output, channels first."""
    with torch.no_grad():
        found: np.ndarray = Net().stage.conv(prepare(photo(1).image))[0].numpy()
    return found


def test_values_are_drawn_by_channel_row_and_column(loaded: LoadedModel) -> None:
    """Channels last with fewer channels than sides, and tokens from the last to the first."""
    np.testing.assert_allclose(maps_of(loaded, "stage"), by_hand(), rtol=1e-5)
    np.testing.assert_allclose(maps_of(loaded, "unroll"), by_hand(), rtol=1e-5)
    np.testing.assert_allclose(maps_of(loaded, "norm", leaf="inputs"), by_hand(), rtol=1e-5)


def test_a_layer_is_known_under_each_of_its_names(loaded: LoadedModel) -> None:
    """One module, two names."""
    assert np.array_equal(maps_of(loaded, "also"), maps_of(loaded, "norm"))
    assert first_known(loaded.known(photo(1)), "also", 0)


def test_a_view_says_whether_its_layout_is_known_or_guessed(loaded: LoadedModel) -> None:
    """Also in its facts; a layout that the visitor chose is not known."""
    asked = wanted(photo(1), "unroll")
    values = one_pass(loaded, asked, photo(1), whole=False)["unroll"]
    views = [draw_view(values, each) for each in (asked, replace(asked, kind="table"))]
    assert [(view.kind, view.known, view.facts().known) for view in views] == [
        ("placed", True, True),
        ("table", False, False),
    ]
    assert views[0].kinds == views[1].kinds
    assert "arrangement" not in views[0].facts().__struct_fields__


class Attention(nn.Module):
    """Attention of 16 patches to each other, passed through what does nothing; then class scores."""

    def __init__(self) -> None:
        super().__init__()
        self.patches, self.softmax, self.drop = nn.Conv2d(3, 2, 2, stride=2), nn.Softmax(-1), nn.Identity()

    def forward(self, images: Tensor) -> Tensor:
        """Return scores (N, 16) of images (N, 3, 8, 8)."""
        tokens = self.patches(images).flatten(2).transpose(1, 2)[:, None]
        weights: Tensor = self.drop(self.softmax(tokens @ tokens.transpose(2, 3)))
        return weights.mean((1, 2))


@pytest.mark.parametrize("layer", ["softmax", "drop"])
def test_a_table_of_tokens_by_tokens_is_never_said_to_lie_on_the_picture(layer: str) -> None:
    """Drawn in whatever way; one query's keys are patches, which do, and so do the convolution's maps."""
    made = subject(Attention())
    attending = loaded_model(made, LayerActivations(made.module, "cpu"))
    asked = wanted(photo(1), layer)
    values = one_pass(attending, asked, photo(1), whole=False)[layer]
    offered = draw_view(values, asked).kinds
    assert {"attention", "attention-query", "maps", "channels-last"} <= set(offered)
    lying = [kind for kind in offered if draw_view(values, replace(asked, kind=kind)).facts().on_picture]
    assert lying == ["attention-query"]
    maps = one_pass(attending, wanted(photo(1), "patches"), photo(1), whole=False)["patches"]
    assert draw_view(maps, wanted(photo(1), "patches")).facts().on_picture


def test_what_is_only_guessed_is_not_said_to_lie_on_the_picture(loaded: LoadedModel) -> None:
    """The same maps, once nothing is known of their places."""
    asked = wanted(photo(1), "stage")
    values = one_pass(loaded, asked, photo(1), whole=False)["stage"]
    assert draw_view(values, asked).on_picture
    leaves = {path: replace(leaf, arrangement=None) for path, leaf in values.calls[0].items()}
    assert not draw_view(replace(values, calls=(leaves,)), asked).on_picture


def test_a_grad_cam_has_the_shape_and_the_order_of_the_maps(loaded: LoadedModel) -> None:
    """The same by hand: the gradient's mean over places weighs each channel."""
    images, net = prepare(photo(1).image), Net()
    maps = net.stage.conv(images).detach().requires_grad_()
    net.head(net.norm(net.unroll(maps.permute(0, 2, 3, 1))).mean(1))[0, 2].backward()
    assert maps.grad is not None
    cam = torch.relu((maps.grad.mean((2, 3), keepdim=True) * maps).sum(1))[0].detach().numpy()
    for layer in ("stage", "unroll"):
        asked = wanted(photo(1), layer, gradient=2)
        found = one_pass(loaded, asked, photo(1), whole=False)[layer]
        np.testing.assert_allclose(found.cams[0].array, cam, rtol=1e-4, atol=1e-9)
        np.testing.assert_allclose(arranged(found, asked).maps, maps.grad[0], rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize("layer", ["stage", "unroll"])
def test_an_edit_changes_the_channel_that_is_drawn(loaded: LoadedModel, layer: str) -> None:
    """Channel 3 of five, and no other; also where maps of eight channels were guessed."""
    found = maps_of(loaded, layer, edits=edits_from(f"{layer}:zero:3"))
    expected = by_hand()
    expected[3] = 0
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    with pytest.raises(EditError, match="no channel 5"):
        maps_of(loaded, layer, edits=edits_from(f"{layer}:zero:5"))


def test_a_difference_is_drawn_where_its_sides_are(loaded: LoadedModel) -> None:
    """Zero but in the channel that was removed."""
    asked = wanted(photo(1), "unroll", edits=edits_from("stage:zero:0"), show="difference")
    found = arranged(several(loaded, asked, photo(1), ["unroll"])["unroll"], asked).maps
    np.testing.assert_allclose(found[0], -by_hand()[0], rtol=1e-5)
    assert not found[1:].any()


def test_an_ablation_removes_the_channels_that_are_drawn(loaded: LoadedModel) -> None:
    """Five of them, along the last axis."""
    known = first_known(loaded.known(photo(1)), "stage", 0)
    arguments = (prepare(photo(1).image),)
    plan = plan_ablation(loaded.layers, arguments, "stage", arrangement=known)
    assert (plan.channels, plan.axis) == (5, -1)


def test_channels_in_several_axes_cannot_be_edited_one_by_one() -> None:
    """Heads and features of tokens are drawn as one row of channels."""
    arrangement = Arrangement((1, 2, 9, 4), (2,), (1, 3, 3))
    with pytest.raises(EditError, match="several axes"):
        channel_axis((1, 2, 9, 4), "Identity", (6, 6), arrangement)


@pytest.mark.parametrize("times", [1, 2])
def test_each_channel_by_the_known_layout_may_be_edited(times: int) -> None:
    """Before the model runs and as it runs, at the survey's size and at another one."""
    made = subject(Flat())
    rows = loaded_model(made, LayerActivations(made.module, "cpu")).rows
    other = replace(made, prepare=lambda image: torch.cat([prepare(image)] * times, 3))
    loaded = LoadedModel(other, LayerActivations(made.module, "cpu"), rows)
    check_edits(edits_from("flat:zero:47"), rows)
    plain, edited = maps_of(loaded, "flat"), maps_of(loaded, "flat", edits=edits_from("flat:zero:47"))
    assert edited.shape == plain.shape
    assert plain[47].any()
    assert not edited[47].any()
    with pytest.raises(EditError, match="there is no channel 48: flat has 48, from 0 to 47"):
        check_edits(edits_from("flat:zero:48"), rows)


def test_layouts_take_no_pass_of_their_own_at_the_size_of_the_survey(loaded: LoadedModel) -> None:
    """The survey's pass tells them; a view is one pass, and another view one more."""
    assert loaded.subject.module.passes == 1 + 2
    maps_of(loaded, "stage")
    maps_of(loaded, "norm", edits=edits_from("stage:zero:0"))
    assert loaded.subject.module.passes == 3 + 2  # two see whether looking changes anything


def test_an_input_of_another_size_takes_one_pass_more_and_is_kept(loaded: LoadedModel) -> None:
    """Here the picture's preparation lets through twice the size."""
    large = replace(loaded.subject, prepare=lambda image: torch.cat([prepare(image)] * 2, 3))
    other = LoadedModel(large, loaded.layers, loaded.rows)
    before = loaded.subject.module.passes
    for _ in range(3):
        maps_of(other, "stage")
    assert loaded.subject.module.passes == before + 4 + 2  # two see whether looking changes anything
    assert maps_of(other, "stage").shape == (5, 6, 16)
