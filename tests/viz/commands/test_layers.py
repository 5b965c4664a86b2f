"""The two ways to print a model's layers, on rows made by hand."""

import json

import pytest
from torch import Tensor, nn

from tests.viz.subjects import subject
from viz import LayerActivations
from viz.commands.layers import layer_layouts, layers_json, layers_tree
from viz.passes.forward import survey_subject
from viz.profile.rows import LayerRow


def row(name: str, *shapes: tuple[int, ...] | None, reason: str | None = None, **more: object) -> LayerRow:
    """A layer that returned these shapes."""
    facts = {"type": "Odd", "detail": "", "parameters": 0, "aliases": (), "ends": (), "children": False}
    depth = name.count(".")
    return LayerRow(name=name, depth=depth, calls=len(shapes), shapes=shapes, reason=reason, **facts | more)


def test_a_value_that_is_not_one_tensor_is_null() -> None:
    """Each call has its own entry; a scalar's shape is the empty list, which is not null."""
    [found] = json.loads(layers_json([row("lstm", None, (1, 5), ())], {}))
    assert found["shapes"] == [None, [1, 5], []]
    assert found["calls"] == 3


def test_a_layer_that_did_not_run_has_its_reason_and_no_shapes() -> None:
    """In JSON and in words."""
    layer = row("head.aux", reason="it is used only in training")
    [found] = json.loads(layers_json([layer], {}))
    assert (found["shapes"], found["reason"]) == ([], "it is used only in training")
    assert layers_tree([layer], {}).endswith("no output: it is used only in training")


def test_a_model_without_layers_is_an_empty_list() -> None:
    """It is still valid JSON."""
    assert json.loads(layers_json([], {})) == []


def test_shapes_are_said_once_where_all_calls_agree() -> None:
    """Three equal calls show one shape, two different ones show both."""
    equal, different = layers_tree(
        [row("a", (1, 2), (1, 2), (1, 2)), row("b", (1, 2), None)], {}
    ).splitlines()[1:]
    assert equal.count("1 × 2") == 1
    assert different.endswith("1 × 2, no single tensor")


def test_a_shared_layer_shows_its_other_name() -> None:
    """One row, both names."""
    assert "  blocks.0 = head" in layers_tree([row("blocks.0", (1, 2), aliases=("head",))], {})


def test_numbers_stand_under_each_other() -> None:
    """Parameters end in one column, with commas between thousands."""
    lines = layers_tree([row("a", (1,), parameters=7), row("b", (1,), parameters=1234567)], {}).splitlines()
    ends = {
        line.rindex(number) + len(number) for line, number in zip(lines[1:], ("7", "1,234,567"), strict=True)
    }
    assert ends == {lines[0].index("parameters") + len("parameters")}


def test_a_layout_is_said_with_whether_it_is_known() -> None:
    """A net that keeps its channels last, one that is pooled to a matrix, and a layer that did not run."""

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv, self.last, self.fold = nn.Conv2d(3, 5, 1), nn.Identity(), nn.Unflatten(1, (5, 1, 1, 1))

        def forward(self, images: Tensor) -> Tensor:
            found: Tensor = self.fold(self.last(self.conv(images).permute(0, 2, 3, 1)).mean((1, 2)))
            return found[:, :, :, 0]

    made = subject(Net())
    layers = LayerActivations(made.module, "cpu")
    rows = (*survey_subject(layers, made), row("aux", reason="it is used only in training"))
    layouts = layer_layouts(layers, made, rows)
    assert layouts["conv"] == ("maps", True)
    assert layouts["last"] == ("channels-last", True)
    assert [found["layout"] for found in json.loads(layers_json(rows, layouts))][1:] == [
        {"kind": "channels-last", "known": True},
        {"kind": "volume", "known": True},
        None,
    ]
    assert "channels-last, known" in layers_tree(rows, layouts)


def test_a_layer_with_sixty_names_and_shapes_stays_on_its_line() -> None:
    """Three of each, and how many more there are; JSON has every shape."""
    shapes = [(1, size) for size in range(60)]
    shared = row("act", *shapes, aliases=tuple(f"block{at}.act" for at in range(59)))
    line = layers_tree([shared], {}).splitlines()[1]
    assert line.startswith("act = block0.act = block1.act = … (57 more)")
    assert line.endswith("1 × 0, 1 × 1, 1 × 2, … (57 more)")
    assert len(line) < 160
    [found] = json.loads(layers_json([shared], {}))
    assert found["shapes"] == [list(shape) for shape in shapes]


@pytest.mark.parametrize("width", [160, 120, 80])
def test_the_tree_fits_into_the_terminal(width: int) -> None:
    """Names stay whole, and so do shapes; a reason and settings of any length are cut at an ellipsis."""
    reason = "it is used only in training, " * 9
    rows = [
        row("encoder.block", (1, 64, 56, 56), detail="3 -> 64, kernel 7 x 7, stride 2, no bias " * 4),
        row("head", reason=reason),
    ]
    lines = layers_tree(rows, {}, width).splitlines()
    assert max(map(len, lines)) <= width
    assert lines[1].startswith("  encoder.block  ")
    assert "…" in lines[1]
    assert lines[1].endswith("1 × 64 × 56 × 56")
    assert "no output: it is" in lines[2]
    assert lines[2].endswith("…")
    assert len(layers_tree(rows, {}).splitlines()[2]) > 250
