"""viz/maps/layout.py: asymmetrical shapes in batches, so that any mistaken axis shows."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from viz.errors import LayoutError, RequestError
from viz.maps.layout import Layout, arrange, kinds
from viz.request.arrangement import Arrangement


def numbered(*shape: int) -> NDArray[np.float32]:
    """An array in which every value is different."""
    return np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


def test_feature_maps_are_one_row_of_the_batch() -> None:
    """A view, and never a neighbour's values."""
    value = numbered(3, 4, 5, 7)
    layout = arrange(value, row=2, layer_type="Conv2d")
    assert np.array_equal(layout.maps, value[2])
    assert np.shares_memory(layout.maps, value)
    assert (layout.kind, layout.rows, layout.slices) == ("maps", 3, 1)
    assert layout.axes == ("channel", "height", "width")


def test_only_maps_as_the_layer_returned_them_are_plain() -> None:
    """Of all others it is said what became of the value."""
    assert arrange(numbered(1, 4, 5, 7), layer_type="Conv2d").plain
    assert not arrange(numbered(1, 5, 7, 30), layer_type="LayerNorm").plain
    assert not arrange(numbered(1, 2, 2, 4, 5, 7), kind="maps").plain
    assert not arrange(numbered(1, 4, 5, 7) * 1j, kind="phase").plain


def test_a_value_without_a_batch_has_one_row() -> None:
    """Channels are not taken for pictures."""
    layout = arrange(numbered(4, 5, 7), layer_type="Conv2d")
    assert (layout.maps.shape, layout.rows) == ((4, 5, 7), 1)


def test_channels_in_the_last_axis_become_maps() -> None:
    """Value by value, for the second row."""
    value = numbered(2, 5, 7, 30)
    maps = arrange(value, row=1, layer_type="LayerNorm").maps
    assert maps.shape == (30, 5, 7)
    assert all(maps[c, y, x] == value[1, y, x, c] for c, y, x in np.ndindex(maps.shape))


@pytest.mark.parametrize("front", [0, 1, 2, 5])
def test_tokens_lie_where_their_patches_were(front: int) -> None:
    """On a grid of 4 by 6, behind class and register tokens."""
    value = numbered(2, front + 24, 3)
    layout = arrange(value, kind="tokens", row=1, image_size=(64, 96))
    assert layout.maps.shape == (3, 4, 6)
    for feature, y, x in np.ndindex(layout.maps.shape):
        assert layout.maps[feature, y, x] == value[1, front + 6 * y + x, feature]


@pytest.mark.parametrize(
    "shape", [(2, 10, 6), (100, 1, 6), (1, 84, 21), (7, 2, 6), (2, 3, 26, 26), (1, 2, 3, 4, 5)]
)
@pytest.mark.parametrize(
    "layer_type", ["", "Linear", "EncoderBlock", "LSTM", "Softmax", "Conv1d", "Attention"]
)
def test_a_guess_leaves_nothing_out(shape: tuple[int, ...], layer_type: str) -> None:
    """All rows and slices together hold every number: words, queries and a detector's head among them."""
    value = numbered(*shape)
    first = arrange(value, layer_type=layer_type)
    every = [
        arrange(value, layer_type=layer_type, row=row, index=index).maps
        for row in range(first.rows)
        for index in range(first.slices)
    ]
    assert np.array_equal(np.sort(np.concatenate(every, axis=None)), value.ravel())


def test_a_choice_says_what_it_leaves_out_and_no_more() -> None:
    """Nobody knows whether the first token is a class token."""
    note = arrange(numbered(1, 10, 3), kind="tokens").description
    assert note.endswith("; 1 token in front is left out, so that the others make a grid")
    assert "5 tokens in front are left out" in arrange(numbered(1, 21, 3), kind="tokens").description


def test_tokens_before_the_batch_are_laid_out_alike() -> None:
    """The same maps as from the transposed value; one picture where nothing says that they are patches."""
    value = numbered(1, 17, 3)
    turned, order = value.swapaxes(0, 1), tuple(range(1, 17))
    known = arrange(turned, arrangement=Arrangement(turned.shape, (0,), (1, 4, 4), order))
    assert (known.kind, known.rows) == ("sequence-first", 1)
    assert np.array_equal(known.maps, arrange(value, kind="tokens").maps)
    assert "the class token in front is left out" in known.description
    assert np.array_equal(arrange(turned).maps, value)


def test_a_grid_is_not_offered_where_nothing_lies_on_the_picture() -> None:
    """Queries of a decoder, of which each has seen all of it."""
    assert "tokens" in kinds((1, 100, 6))
    assert "tokens" not in kinds((1, 100, 6), arrangement=Arrangement((1, 100, 6)))
    assert "attention-query" not in kinds((1, 3, 26, 26), arrangement=Arrangement((1, 3, 26, 26)))


def test_tokens_that_make_no_grid_are_one_picture() -> None:
    """Tokens down, features to the right."""
    value = numbered(2, 7, 5)
    layout = arrange(value, row=1)
    assert layout.kind == "table"
    assert np.array_equal(layout.maps, value[1][None])
    with pytest.raises(LayoutError, match="7 tokens make no grid"):
        arrange(value, kind="tokens")


def test_attention_has_a_map_per_head() -> None:
    """Queries down, keys to the right; or one query's keys on the grid of patches."""
    value = numbered(2, 3, 26, 26)
    layout = arrange(value, row=1, layer_type="MultiheadAttention")
    assert (layout.kind, layout.axes) == ("attention", ("head", "query token", "key token"))
    assert np.array_equal(layout.maps, value[1])
    one = arrange(value, row=1, kind="attention-query", index=9)
    assert (one.maps.shape, one.slices) == ((3, 5, 5), 26)
    assert one.maps[2, 3, 4] == value[1, 2, 9, 1 + 3 * 5 + 4]


def test_numbers_without_places_are_one_square_each() -> None:
    """Each square keeps its channel number."""
    value = numbered(2, 9)
    layout = arrange(value, row=1)
    assert layout.maps.shape == (9, 1, 1)
    assert layout.has_channels
    assert np.array_equal(layout.maps.ravel(), value[1])
    assert arrange(np.float32(3)).maps.tolist() == [[[3.0]]]


def test_numbers_without_places_can_be_one_bar() -> None:
    """In their order, from left to right."""
    value = numbered(2, 9)
    layout = arrange(value, row=1, kind="bar")
    assert layout.axes == ("the only one", "one value", "feature")
    assert not layout.has_channels
    assert np.array_equal(layout.maps, value[1][None, None])
    assert {"vector", "bar"} <= set(kinds((2, 9)))


def test_signals_are_one_picture_of_channels_by_time() -> None:
    """The picture is that of the row that was asked for."""
    value = numbered(2, 4, 9)
    assert np.array_equal(arrange(value, row=1, layer_type="Conv1d").maps, value[1][None])


def test_a_volume_is_cut_along_its_depth() -> None:
    """At the slice that was asked for, with or without a batch."""
    value = numbered(2, 3, 4, 5, 7)
    layout = arrange(value, row=1, index=2)
    assert np.array_equal(layout.maps, value[1, :, 2])
    assert (layout.slices, layout.rows) == (4, 2)
    assert np.array_equal(arrange(value[1], layer_type="Conv3d", index=3).maps, value[1, :, 3])


def test_complex_values_have_a_magnitude_and_a_phase() -> None:
    """Both as real maps, each of which says which it is."""
    value = np.array([[[[3 + 4j, -2]]]])
    assert arrange(value).maps.tolist() == [[[5.0, 2.0]]]
    assert arrange(value).description == f"The magnitude of: {arrange(value.real).description}"
    phase = arrange(value, kind="phase")
    assert phase.description == f"The phase of: {arrange(value.real).description}"
    assert phase.kind == "phase"
    assert phase.maps[0, 0, 1] == pytest.approx(np.pi)
    assert "phase" in kinds(value.shape, dtype="complex64")
    assert "phase" not in kinds(value.shape, dtype="float32")
    with pytest.raises(LayoutError, match="phase"):
        arrange(value.real, kind="phase")


@pytest.mark.parametrize("dtype", [np.bool_, np.int64, np.float16, np.uint8])
def test_any_real_dtype_is_arranged_as_it_is(dtype: type[np.generic]) -> None:
    """No conversion, no copy."""
    value = np.ones((2, 3, 4, 5), dtype=dtype)
    assert arrange(value).maps.dtype == dtype


SHAPES = [(), (9,), (2, 9), (2, 17, 3), (2, 7, 3), (26, 2, 3), (2, 3, 4, 5), (2, 3, 26, 26), (2, 3, 4, 5, 7)]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_kind_that_is_offered_can_be_drawn(shape: tuple[int, ...]) -> None:
    """Three axes of maps, and a sentence about them; the best guess comes first."""
    offered = kinds(shape)
    assert offered[0] == arrange(numbered(*shape)).kind
    assert len(set(offered)) == len(offered)
    for kind in offered:
        layout: Layout = arrange(numbered(*shape), kind=kind)
        assert layout.kind == kind
        assert layout.maps.ndim == 3
        assert layout.description


@pytest.mark.parametrize("shape", [(2, 0, 3), (1, 2, 0, 4, 5, 6)])
def test_a_value_that_cannot_be_drawn_says_why(shape: tuple[int, ...]) -> None:
    """No layout is offered for it."""
    assert kinds(shape) == ()
    with pytest.raises(LayoutError, match="nothing in it"):
        arrange(np.zeros(shape))


def test_a_value_with_many_axes_becomes_maps_of_its_last_two() -> None:
    """For example the blocks of a cosine transform: (batch, rows, columns, colours, 8, 8)."""
    blocks = numbered(2, 3, 4, 3, 5, 6)
    layout = arrange(blocks, row=1)
    assert kinds(blocks.shape) == (layout.kind,) == ("maps",)
    assert layout.maps.shape == (36, 5, 6)
    np.testing.assert_array_equal(layout.maps[(2 * 4 + 1) * 3 + 2], blocks[1, 2, 1, 2])
    assert "3 × 4 × 3" in layout.description


def test_words_are_no_numbers() -> None:
    """Refused with the type that they have."""
    with pytest.raises(LayoutError, match="no numbers"):
        arrange(np.array(["a"]))


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"row": 2}, "no batch row 2: this value has rows 0 to 1"),
        ({"row": -1}, "no batch row -1"),
        ({"index": 4}, "no slice 4"),
        ({"index": -1}, "no slice -1"),
        ({"kind": "pie"}, "no kind of layout named 'pie'"),
    ],
)
def test_what_is_not_there_is_refused(request_: dict[str, object], words: str) -> None:
    """The error says what there is."""
    with pytest.raises(RequestError, match=words):
        arrange(numbered(2, 3, 4, 5, 7), **request_)  # type: ignore[arg-type]


def test_a_value_without_slices_has_the_first_one_alone() -> None:
    """An index that chooses nothing is refused, not ignored."""
    arrange(numbered(1, 2, 3, 3), index=0)
    with pytest.raises(RequestError, match="no slice 1: this value has slices 0 to 0"):
        arrange(numbered(1, 2, 3, 3), index=1)


def test_a_kind_that_does_not_suit_the_shape_is_refused() -> None:
    """The error lists those that do."""
    with pytest.raises(LayoutError, match="cannot be drawn as 'volume'; possible: vector"):
        arrange(numbered(2, 3), kind="volume")


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor")
@pytest.mark.parametrize(
    "make",
    [
        lambda maps: maps.to_sparse(),
        lambda maps: torch.quantize_per_tensor(maps, 0.1, 0, torch.quint8),
        lambda maps: maps.to("meta"),
    ],
)
def test_tensors_that_are_no_arrays_are_refused(make: Callable[[torch.Tensor], torch.Tensor]) -> None:
    """In the words that any other value is refused in."""
    with pytest.raises(LayoutError, match="must be an array of numbers"):
        arrange(make(torch.rand(1, 2, 3, 3)))
