import gc
import weakref

import pytest
import torch
from torch import nn

from tests.viz.nets import Reused
from tests.viz.receptive.oracles import Through
from viz import LayerActivations
from viz.errors import CallError, RequestError, UnknownLayerError
from viz.receptive import Field, all_receptive_fields, receptive_field, receptive_fields
from viz.receptive.boxes import picture_boxes
from viz.receptive.lineage import Lineage


def _edges(field: Field) -> tuple[int, int, int, int]:
    return field.top, field.left, field.bottom, field.right


def _through(function: object, stem: nn.Module | None = None) -> LayerActivations:
    return LayerActivations(Through(function, stem), "cpu")  # type: ignore[arg-type]


def test_a_cell_of_a_convolution_sees_its_window_clipped_to_the_picture() -> None:
    """Kernel 3, stride 2, padding 1: rows 2y − 1 to 2y + 1."""
    layers = _through(torch.relu, nn.Conv2d(3, 4, 3, stride=2, padding=1))
    images = torch.rand(1, 3, 8, 10)
    inside = receptive_field(layers, images, "end", 0, (0, 1, 2, 3))
    assert _edges(inside) == (3, 5, 6, 8)
    assert (inside.whole, inside.cause) == (False, "")
    assert _edges(receptive_field(layers, images, "stem", 0, (0, 3, 0, 0))) == (0, 0, 2, 2)


def test_every_call_of_a_reused_layer_has_its_own_fields() -> None:
    """The three calls of one ReLU see the picture before, after and around another convolution."""
    net = Reused()
    net.conv2 = nn.Conv2d(3, 3, 3, padding=1)
    layers, images = LayerActivations(net, "cpu"), torch.rand(1, 3, 8, 8)
    boxes = [_edges(receptive_field(layers, images, "relu", call, (0, 0, 4, 4))) for call in range(3)]
    assert boxes == [(4, 4, 5, 5), (3, 3, 6, 6), (3, 3, 6, 6)]
    together = all_receptive_fields(layers, images)
    assert [_edges(together["relu", call]["output"].at((0, 0, 4, 4))) for call in range(3)] == boxes
    with pytest.raises(CallError):
        receptive_field(layers, images, "relu", 3, (0, 0, 4, 4))


@pytest.mark.parametrize(
    ("function", "cause"),
    [
        (lambda x: x.mean((2, 3)), "pooling"),
        (lambda x: x * x.mean((2, 3), keepdim=True).sigmoid(), "pooling"),
        (lambda x: torch.nn.functional.adaptive_max_pool2d(x, 1), "pooling"),
        (lambda x: torch.nn.functional.linear(x.flatten(1), torch.ones(2, 192)), "linear"),
        (lambda x: torch.nn.functional.scaled_dot_product_attention(*[x.flatten(2).mT] * 3), "attention"),
        (lambda x: (x.flatten(2) @ x.flatten(2).mT).softmax(-1) @ x.flatten(2), "linear"),
        (lambda x: torch.nn.functional.group_norm(x, 1), "normalisation"),
        (lambda x: torch.fft.fft2(x).real, "_fft_c2c"),
        (lambda x: torch.nn.functional.conv2d(x, torch.ones(1, 3, 15, 15), padding=7), ""),
    ],
)
def test_a_field_of_the_whole_picture_says_what_joined_all_places(function: object, cause: str) -> None:
    """The first step that joins everything is named, also when others follow; growing windows are not."""
    images = torch.rand(1, 3, 8, 8)
    fields = receptive_fields(_through(function), images, "end")
    field = fields.at((0,) * len(fields.shape))
    assert (*_edges(field), field.whole, field.cause) == (0, 0, 8, 8, True, cause)
    assert field.note.startswith("The whole picture: ")


def test_a_class_token_sees_nothing_before_attention_and_everything_after() -> None:
    """The first token comes from the weights; patches see their own pixels."""
    token = torch.rand(1, 1, 5)

    def embedded(x: torch.Tensor) -> torch.Tensor:
        return torch.cat([token, x.flatten(2).mT], 1)

    layers = _through(embedded, nn.Conv2d(3, 5, 4, stride=4))
    images = torch.rand(1, 3, 8, 8)
    nothing = receptive_field(layers, images, "end", 0, (0, 0, 1))
    assert (*_edges(nothing), nothing.whole) == (0, 0, 0, 0, False)
    assert "does not depend" in nothing.note
    assert _edges(receptive_field(layers, images, "end", 0, (0, 2, 1))) == (0, 4, 4, 8)
    layers.model.end = nn.TransformerEncoderLayer(5, 1, 8, batch_first=True)
    assert receptive_field(layers, images, "end", 0, (0, 0, 1)).cause == "attention"


def test_a_leaf_of_a_structured_output_is_chosen_by_its_path() -> None:
    """A layer that returns a dictionary of two tensors."""
    layers = _through(lambda x: {"near": x, "far": x.mean((2, 3))})
    images = torch.rand(1, 3, 4, 4)
    assert receptive_field(layers, images, "end", 0, (0, 0, 1, 1)).bottom == 2
    assert receptive_field(layers, images, "end", 0, (0, 0), leaf="output['far']").whole
    with pytest.raises(RequestError, match=r"output\['near'\]"):
        receptive_field(layers, images, "end", 0, (0, 0), leaf="output['else']")


def test_pictures_in_a_list_have_no_batch_axis() -> None:
    """Torchvision's detection models take such lists."""
    layers = _through(torch.stack)
    field = receptive_field(layers, [torch.rand(3, 4, 6)], "end", 0, (0, 2, 3, 5))
    assert _edges(field) == (3, 5, 4, 6)


def test_wrong_cells_layers_and_pictures_are_refused_in_a_sentence() -> None:
    """A cell of another shape, a layer that does not exist, and something that is not a picture."""
    layers, images = _through(torch.relu), torch.rand(1, 3, 4, 4)
    for cell in ((0, 0, 0), (0, 3, 0, 0), (0, 0, 0, -1)):
        with pytest.raises(RequestError, match=r"\(1, 3, 4, 4\)"):
            receptive_field(layers, images, "end", 0, cell)
    with pytest.raises(UnknownLayerError):
        receptive_fields(layers, images, "middle")
    with pytest.raises(RequestError, match="picture"):
        receptive_fields(layers, "a picture", "end")


def test_tracing_changes_nothing_and_leaves_nothing_behind() -> None:
    """The output is what it would be, other tensors are not followed, and the mode is off afterwards."""
    layers, images = _through(torch.relu, nn.Conv2d(3, 4, 3)), torch.rand(1, 3, 8, 8)
    before = layers.run(images)
    fields = receptive_fields(layers, images, "end")
    assert torch.equal(layers.run(images), before)
    assert fields.shape == before.shape
    assert torch.utils._python_dispatch._get_current_dispatch_mode() is None


def test_memory_that_is_freed_and_used_again_is_not_mistaken_for_the_picture() -> None:
    """The lineage holds no tensor alive, and knows a new one at an old address as new."""
    lineage = Lineage()
    for _ in range(600):
        tensor = torch.rand(1, 3, 4, 4)
        assert lineage.get(tensor) is None
        lineage.put(tensor, picture_boxes(tensor.shape))
        assert lineage.get(tensor) is not None
    gone = weakref.ref(tensor)
    del tensor
    gc.collect()
    assert gone() is None
    assert len(lineage) < 300


def test_a_model_of_two_pictures_is_called_with_both() -> None:
    """A tuple means several arguments; a cell's box encloses what it sees in either picture."""
    net = Through(torch.relu)
    net.forward = lambda left, right: net.end(left + right.roll(2, 3))  # type: ignore[method-assign]
    field = receptive_field(
        LayerActivations(net, "cpu"), (torch.rand(1, 3, 4, 6), torch.rand(1, 3, 4, 6)), "end", 0, (0, 0, 1, 3)
    )
    assert _edges(field) == (1, 1, 2, 4)


def test_operations_without_a_layer_have_fields_too() -> None:
    """A functional pooling, by its name in the tree."""
    layers = _through(lambda x: torch.nn.functional.max_pool2d(x, 2))
    found = all_receptive_fields(layers, torch.rand(1, 3, 4, 4), operations=True)
    assert _edges(found["› max_pool2d", 0]["output"].at((0, 0, 1, 0))) == (2, 0, 4, 2)
