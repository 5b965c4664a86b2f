"""Known layouts, against values that say themselves where on the picture they come from."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.viz.receptive.hazards import (
    HAZARDS,
    SIDE,
    Moved,
    Stage,
    coordinates,
    tokens,
    unrolled,
    windows,
)
from viz import LayerActivations
from viz.maps.layout import Layout, arrange, kinds
from viz.receptive.places.known import known_arrangements
from viz.receptive.places.placings import placings
from viz.request.arrangement import NOTHING_KNOWN, Arrangement


def known(net: nn.Module, images: Tensor, layer: str = "0", call: int = 0) -> Arrangement | None:
    """Return the known layout of a layer's output."""
    return known_arrangements(LayerActivations(net, "cpu"), images)[layer, call]["output"]


def drawn(layer: nn.Module, images: Tensor) -> Layout:
    """Return a layer's output for a picture, laid out as it is known."""
    found = known(nn.Sequential(layer), images)
    name, size = type(layer).__name__, (images.shape[-2], images.shape[-1])
    return arrange(layer(images).numpy(), layer_type=name, image_size=size, arrangement=found)


@pytest.mark.parametrize("name", HAZARDS)
def test_every_value_is_drawn_where_it_comes_from(name: str) -> None:
    """The first two channels say their own row and column, wherever the layer has carried them."""
    layer, channels, kind = HAZARDS[name]
    layout = drawn(layer, coordinates(channels=channels))
    assert (layout.kind, layout.known) == (kind, True)
    assert np.array_equal(layout.maps[:2], coordinates()[0, :2])


@pytest.mark.parametrize("name", HAZARDS)
def test_no_layout_leads_across_the_picture_unless_its_values_sit_there(name: str) -> None:
    """Of all layouts that a visitor may choose: the first two channels say each cell's own row and column."""
    layer, channels, _ = HAZARDS[name]
    images = coordinates(channels=channels)
    found, values = known(nn.Sequential(layer), images), layer(images).numpy()
    for kind in kinds(values.shape, type(layer).__name__, (SIDE, SIDE), arrangement=found):
        layout = arrange(values, kind=kind, image_size=(SIDE, SIDE), arrangement=found)
        in_place = layout.maps.shape[1:] == (SIDE, SIDE) and np.array_equal(layout.maps[:2], images[0, :2])
        assert in_place or not layout.leads_across, kind
        assert layout.leads_across or not layout.known, kind


def test_a_video_with_channels_last_is_drawn_frame_by_frame() -> None:
    """Its third channel says the frame."""
    frames = [torch.cat([coordinates(8, 2), torch.full((1, 1, 8, 8), float(time))], 1) for time in range(6)]
    video = torch.stack(frames, 2)  # (1, 3, 6, 8, 8)
    layer = Stage(lambda x: x.permute(0, 2, 3, 4, 1))
    found = known(nn.Sequential(layer), video)
    layout = arrange(layer(video).numpy(), index=4, image_size=(8, 8), arrangement=found)
    assert (layout.kind, layout.slices, layout.known) == ("volume-last", 6, True)
    assert np.array_equal(layout.maps, frames[4][0])


def test_tokens_of_a_video_are_sorted_by_frame_row_and_column() -> None:
    """Frames, rows and columns are one axis of tokens here, in some order."""
    frames = [torch.cat([coordinates(4, 2), torch.full((1, 1, 4, 4), float(time))], 1) for time in range(3)]
    layer, video = Stage(unrolled), torch.stack(frames, 2)
    layout = arrange(layer(video).numpy(), index=2, arrangement=known(nn.Sequential(layer), video))
    assert (layout.kind, layout.slices) == ("placed", 3)
    assert np.array_equal(layout.maps, frames[2][0])


class Attention(nn.Module):
    """Attention over tokens, as one function or by hand, and what becomes of its matrix."""

    def __init__(self, *, fused: bool) -> None:
        super().__init__()
        self.qkv, self.matrix, self.fused = nn.Linear(5, 15), nn.Dropout(), fused

    def forward(self, value: Tensor) -> Tensor:
        """Return tokens (N, T, 5), each a mixture of all."""
        query, key, mixed = self.qkv(value).chunk(3, -1)
        if self.fused:
            return nn.functional.scaled_dot_product_attention(query[:, None], key[:, None], mixed[:, None])[
                :, 0
            ]
        return self.matrix((query @ key.transpose(1, 2)).softmax(-1)) @ mixed


@pytest.mark.parametrize("fused", [True, False])
def test_attention_leaves_each_token_in_the_place_of_its_query(fused: bool) -> None:
    """Every token sees the whole picture now; its order is still that of the tokens in front."""
    net = nn.Sequential(Stage(unrolled), Attention(fused=fused), nn.LayerNorm(5))
    before = known(net, coordinates(), "0")
    assert before is not None
    assert before.order == known(net, coordinates(), "1").order == known(net, coordinates(), "2").order  # type: ignore[union-attr]


def test_a_matrix_of_queries_and_keys_is_attention_by_whatever_name() -> None:
    """A dropout returns it here, and its sides are those of the picture."""
    net = nn.Sequential(Stage(tokens), Attention(fused=False))
    found = known(net, coordinates(), "1.matrix")
    layout = arrange(np.zeros((1, 1, 64, 64), np.float32)[0], layer_type="Dropout", arrangement=found)
    assert (layout.kind, layout.known) == ("attention", True)


class Words(nn.Module):
    """Ten words through an encoder."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.encoder = nn.Embedding(20, 8), nn.TransformerEncoderLayer(8, 2, batch_first=True)

    def forward(self, numbers: Tensor) -> Tensor:
        """Return (1, 10, 8)."""
        value: Tensor = self.encoder(self.words(numbers))
        return value


class Queries(nn.Module):
    """A decoder's queries, each of which sees the whole picture, as in a DETR."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.queries = nn.Parameter(torch.rand(1, count, 5))
        self.decoder, self.boxes = nn.TransformerDecoderLayer(5, 1, batch_first=True), nn.Linear(5, 4)

    def forward(self, images: Tensor) -> Tensor:
        """Return (1, queries, 4)."""
        boxes: Tensor = self.boxes(self.decoder(self.queries, tokens(images)))
        return boxes


class Head(nn.Module):
    """Two grids of candidates one behind the other, as a YOLO puts them: (1, 5, 80)."""

    def forward(self, images: Tensor) -> Tensor:
        """Return channels by candidates."""
        return torch.cat([images.flatten(2), nn.functional.avg_pool2d(images, 2).flatten(2)], 2)


@pytest.mark.parametrize(
    ("net", "given"),
    [
        (Words(), torch.arange(10)[None]),
        (Queries(10), coordinates()),
        (Queries(100), coordinates()),
        (nn.Sequential(Head(), nn.Identity()), coordinates()),
    ],
    ids=["words", "ten queries", "a hundred queries", "candidates"],
)
def test_what_lies_on_no_picture_is_drawn_whole(net: nn.Module, given: Tensor) -> None:
    """No word, query or candidate is left out, and none is given a row and a column of a square."""
    layers = LayerActivations(net.eval(), "cpu")
    found, size = known_arrangements(layers, given), (given.shape[-2], given.shape[-1])
    with layers.capture() as record:
        layers.run(given)
    for name in layers.names:
        if not record[name] or name.startswith("decoder.multihead"):
            continue
        value = record[name].output
        value = (value[0] if isinstance(value, tuple) else value).numpy()
        arrangement = found[name, 0].get("output")
        layout = arrange(value, layer_type=layers.kind(name), image_size=size, arrangement=arrangement)
        assert layout.maps.size == value[0].size, name
        assert 1 in layout.maps.shape, name


class Denoiser(nn.Module):
    """Takes a picture, and at which step of many it is."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Conv2d(3, 2, 3, padding=1)

    def forward(self, images: Tensor, step: Tensor) -> Tensor:
        """Return (1, 2, height, width)."""
        maps: Tensor = self.layer(images) + step.float()[:, None, None, None]
        return maps


def test_a_step_beside_the_picture_is_no_picture() -> None:
    """As for a net that takes noise away: its maps lie where they do without it."""
    given = (torch.rand(1, 3, 6, 5), torch.tensor([10]))
    [found] = placings(LayerActivations(Denoiser(), "cpu"), given).values()
    assert found.status == "known"


def test_a_residual_keeps_its_places_beside_a_branch_that_has_lost_them() -> None:
    """Global context is added to every token, on either side."""

    class Context(nn.Module):
        def forward(self, value: Tensor) -> Tensor:
            return value.mean(1, keepdim=True).expand_as(value) + value

    order = known(nn.Sequential(Stage(unrolled), Context()), coordinates(), "1")
    assert order == known(nn.Sequential(Stage(unrolled)), coordinates())


def test_nothing_has_a_place_after_a_pooling_of_all() -> None:
    """Vectors and maps of one value are what they are; more axes stay a guess."""
    net = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(5, 16), nn.Unflatten(1, (4, 4)))
    found = known_arrangements(LayerActivations(net, "cpu"), coordinates())
    kinds = []
    for layer, shape in (("0", (1, 5, 1, 1)), ("1", (1, 5)), ("2", (1, 16)), ("3", (1, 4, 4))):
        arrangement = found[layer, 0]["output"]
        assert arrangement == Arrangement(shape)
        layout = arrange(np.zeros(shape, np.float32), arrangement=arrangement)
        kinds.append((layout.kind, layout.known))
    assert kinds == [("maps", True), ("vector", True), ("vector", True), ("table", False)]


def test_windows_keep_the_middle_of_what_they_see() -> None:
    """Strided, dilated, transposed and pooled windows, enlarging, padding: rows and columns stay apart."""
    layers = [
        nn.Conv2d(5, 4, 3, stride=2, padding=1),
        nn.ConvTranspose2d(4, 3, 2, stride=2),
        nn.ZeroPad2d((1, 2, 0, 3)),
        nn.AvgPool2d(2),
        nn.AdaptiveAvgPool2d((4, 3)),
        nn.Upsample(scale_factor=2),
        nn.Upsample(scale_factor=3, mode="bilinear"),
        nn.Conv2d(3, 2, 4, dilation=2),
    ]
    found = known_arrangements(LayerActivations(nn.Sequential(*layers), "cpu"), coordinates(16))
    kept = [found[str(place), 0]["output"] for place in (0, 1, 3, 4, 5, 6, 7)]
    assert all(one is not None and one.places == (2, 3) for one in kept)


def test_padding_has_no_place_and_is_left_out() -> None:
    """A border of zeros around the picture belongs to no pixel of it."""
    layout = drawn(nn.ZeroPad2d(2), coordinates())
    assert layout.kind == "placed"
    assert np.array_equal(layout.maps[:2], coordinates()[0, :2])


def test_inputs_and_operations_are_known_as_outputs_are() -> None:
    """The second layer's input is known, and so is the output of an addition outside layers."""

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = Stage(unrolled), nn.Linear(5, 3)

        def forward(self, value: Tensor) -> Tensor:
            return self.second(self.first(value) + 1)

    found = known_arrangements(LayerActivations(Net(), "cpu"), coordinates())
    order = found["first", 0]["output"]
    assert order is not None
    assert order.order
    assert found["second", 0]["inputs[0]"] == found["› add", 0]["output"] == order


def test_places_that_the_picture_itself_decides_are_not_known() -> None:
    """A token goes where the values say, so the next picture has another order."""
    layer = Moved(lambda x: tokens(x)[:, tokens(x)[0].sum(-1).argsort(descending=True)])
    assert known(nn.Sequential(layer), coordinates()) in {None, Arrangement((1, 64, 5))}


def test_cells_that_share_a_place_make_no_layout() -> None:
    """Twice the same tokens: nothing says which of the two belongs on the picture."""
    layer = Stage(lambda x: torch.cat([tokens(x), tokens(x)], 1))
    assert known(nn.Sequential(layer), coordinates()) is None


def test_a_write_into_a_part_keeps_the_places_of_the_rest() -> None:
    """In-place operations on a view, as relative positions are added to attention."""

    def written(value: Tensor) -> Tensor:
        changed = unrolled(value).clone()
        changed[:, 3:] += 1
        return changed

    net = nn.Sequential(Stage(unrolled)), nn.Sequential(Stage(written))
    assert known(net[0], coordinates()) == known(net[1], coordinates())


def test_the_windows_of_a_batch_are_put_together_again() -> None:
    """A linear layer on windows, as in every block of a Swin transformer."""
    net = nn.Sequential(Stage(windows), nn.Linear(5, 7))
    found = known(net, coordinates(), "1")
    assert found is not None
    assert (found.places, found.grid, found.channels, found.batch) == ((0, 1), (1, SIDE, SIDE), (2,), None)


def test_a_model_that_cannot_be_followed_is_one_of_which_nothing_is_known() -> None:
    """Its own error comes when it is run for a view."""

    class Broken(nn.Module):
        def forward(self, value: Tensor) -> Tensor:
            raise ZeroDivisionError(value.shape)

    assert known_arrangements(LayerActivations(Broken(), "cpu"), coordinates()) == NOTHING_KNOWN


def test_a_guess_that_places_contradict_is_drawn_without_places() -> None:
    """Attention with its heads in the last axis looks like channels last, but its columns are keys."""

    class HeadsLast(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.heads = nn.Linear(4, 4)

        def forward(self, images: Tensor) -> Tensor:
            tokens = images.flatten(2).transpose(1, 2).unflatten(2, (4, 2)).transpose(1, 2)
            mixed: Tensor = self.heads((tokens @ tokens.transpose(2, 3)).permute(0, 2, 3, 1))
            return mixed

    layers, images = LayerActivations(HeadsLast(), "cpu"), coordinates(channels=8)
    found = placings(layers, images)["heads", 0]
    assert (found.status, found.pixels) == ("guessed", None)
    told = known(HeadsLast(), images, "heads")
    assert told is not None
    assert told.elsewhere
    layout = arrange(np.zeros(told.shape), layer_type="Linear", image_size=(8, 8), arrangement=told)
    assert (layout.kind, layout.axes, layout.known) == ("channels-last", ("channel", "row", "column"), False)
    assert "no places on the picture" in str(layout.description)
