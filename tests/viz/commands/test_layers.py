"""The two ways to print a model's layers, on rows made by hand."""

import json

from viz.commands.layers import layers_json, layers_tree
from viz.profile.tree import LayerRow


def row(name: str, *shapes: tuple[int, ...] | None, reason: str | None = None, **more: object) -> LayerRow:
    """A layer that returned these shapes."""
    facts = {"type": "Odd", "detail": "", "parameters": 0, "aliases": (), "order": None, "children": False}
    depth = name.count(".")
    return LayerRow(name=name, depth=depth, calls=len(shapes), shapes=shapes, reason=reason, **facts | more)


def test_a_value_that_is_not_one_tensor_is_null() -> None:
    """Each call has its own entry; a scalar's shape is the empty list, which is not null."""
    [found] = json.loads(layers_json([row("lstm", None, (1, 5), ())]))
    assert found["shapes"] == [None, [1, 5], []]
    assert found["calls"] == 3


def test_a_layer_that_did_not_run_has_its_reason_and_no_shapes() -> None:
    """In JSON and in words."""
    layer = row("head.aux", reason="it is used only in training")
    [found] = json.loads(layers_json([layer]))
    assert (found["shapes"], found["reason"]) == ([], "it is used only in training")
    assert layers_tree([layer]).endswith("no output: it is used only in training")


def test_a_model_without_layers_is_an_empty_list() -> None:
    """It is still valid JSON."""
    assert json.loads(layers_json([])) == []


def test_shapes_are_said_once_where_all_calls_agree() -> None:
    """Three equal calls show one shape, two different ones show both."""
    equal, different = layers_tree([row("a", (1, 2), (1, 2), (1, 2)), row("b", (1, 2), None)]).splitlines()[
        1:
    ]
    assert equal.count("1 × 2") == 1
    assert different.endswith("1 × 2, no single tensor")


def test_a_shared_layer_shows_its_other_name() -> None:
    """One row, both names."""
    assert "  blocks.0 = head" in layers_tree([row("blocks.0", (1, 2), aliases=("head",))])


def test_numbers_stand_under_each_other() -> None:
    """Parameters end in one column, with commas between thousands."""
    lines = layers_tree([row("a", (1,), parameters=7), row("b", (1,), parameters=1234567)]).splitlines()
    ends = {
        line.rindex(number) + len(number) for line, number in zip(lines[1:], ("7", "1,234,567"), strict=True)
    }
    assert ends == {lines[0].index("parameters") + len("parameters")}
