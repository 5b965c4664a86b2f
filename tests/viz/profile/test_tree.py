"""The survey: every layer with its shapes, and a reason for each that did not run."""

import pytest
import torch
from torch import nn

from tests.viz.nets import Conv1D, Fails, Plain, Returns, Reused, Shared, Silent, Structured, hook_count
from viz.hooks.activations import LayerActivations
from viz.profile.rows import LayerRow, first_layer
from viz.profile.tree import survey


def surveyed(model: nn.Module, *inputs: torch.Tensor) -> dict[str, LayerRow]:
    """Return the rows of a model by name."""
    return {row.name: row for row in survey(LayerActivations(model, device="cpu"), *inputs)}


def test_a_row_says_what_a_layer_is_and_what_it_returned(images: torch.Tensor) -> None:
    """Name, type, settings, parameters, shape and place, in definition order."""
    rows = surveyed(
        nn.Sequential(nn.Sequential(nn.Conv2d(3, 4, 3, stride=2), nn.ReLU()), nn.Flatten()), images
    )
    assert list(rows) == ["0", "0.0", "0.1", "1"]
    assert rows["0.0"] == LayerRow(
        name="0.0",
        type="Conv2d",
        detail="3→4, 3×3, stride 2",
        parameters=4 * 3 * 3 * 3 + 4,
        depth=1,
        calls=1,
        shapes=((2, 4, 3, 3),),
        aliases=(),
        reason=None,
        ends=(0,),
        children=False,
    )
    assert (rows["0"].parameters, rows["0"].children, rows["0"].depth) == (112, True, 0)
    assert [row.order for row in rows.values()] == [2, 0, 1, 3]


def test_every_call_of_a_reused_layer_has_its_shape(images: torch.Tensor) -> None:
    """Three calls, three shapes, and their places among the calls of all layers."""
    rows = surveyed(Reused(), images)
    assert (rows["relu"].calls, rows["relu"].shapes) == (3, ((2, 3, 8, 8),) * 3)
    assert {name: row.ends for name, row in rows.items()} == {"conv1": (0,), "relu": (1, 3, 4), "conv2": (2,)}


def test_a_shared_layer_is_one_row_with_its_other_names(rows: torch.Tensor) -> None:
    """Its number of calls counts those under any of its names."""
    (row,) = surveyed(Shared(), rows).values()
    assert (row.name, row.aliases, row.calls) == ("encode", ("decode",), 2)


def test_a_shape_is_given_where_the_output_is_one_tensor(rows: torch.Tensor) -> None:
    """Structures have none."""
    found = surveyed(Structured(), rows)
    assert found["bare"].shapes == ((2, 4),)
    assert [found[name].shapes for name in ("pair", "table", "nothing")] == [(None,)] * 3


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("main", None),
        ("aux", "the model did not call it, which its code does only in training"),
        ("aux.0", "it is part of aux: the model did not call it, which its code does only in training"),
        ("weight_only", "the model gave its weight to matmul() and never called it"),
        ("bypassed", "its forward() was called directly, which bypasses every hook"),
        ("inner.table", "the model gave its weight to matmul() and never called it"),
        ("sum", "its add() was called directly, which bypasses every hook"),
        ("never", "the model ran and never called it"),
        ("blocks", "it only holds other layers or weights and is never called itself"),
        ("blocks.0", None),
        ("steps", "layers in it ran, such as steps.0, and its own forward() did not"),
        ("steps.1", None),
    ],
)
def test_a_layer_that_did_not_run_has_a_reason(rows: torch.Tensor, name: str, reason: str | None) -> None:
    """Told from what the pass was seen to do; see test_uncalled.py for each kind of evidence."""
    row = surveyed(Silent(), rows)[name]
    assert row.reason == reason
    assert (row.order is None) == (row.calls == 0) == (reason is not None) == (row.evidence is not None)


def test_attention_uses_its_output_projection_by_weight_only(rows: torch.Tensor) -> None:
    """It was seen to go into torch's own function; the fused path, which would silence more, is off."""
    encoder = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    found = surveyed(nn.TransformerEncoder(encoder, 2, enable_nested_tensor=False), rows[:, None])
    silent = {name: row.reason for name, row in found.items() if row.reason}
    assert silent == {
        "layers": "it only holds other layers or weights and is never called itself",
    } | {
        f"layers.{number}.self_attn.out_proj": f"layers.{number}.self_attn gave its weight to "
        "multi_head_attention_forward() and never called it"
        for number in range(2)
    }


def test_a_layer_of_code_that_cannot_be_read_still_has_a_reason(rows: torch.Tensor) -> None:
    """A class made at run time has no source."""
    unread = type("Unread", (nn.Module,), {"forward": eval("lambda self, x: x")})()
    unread.spare = nn.Linear(4, 4)
    assert surveyed(unread, rows)["spare"].reason == "the model ran and never called it"


@pytest.mark.filterwarnings(
    "ignore:.*torch.jit.script.*:FutureWarning", "ignore:.*torch.jit.script.*:DeprecationWarning"
)
def test_a_scripted_layer_has_a_reason(rows: torch.Tensor) -> None:
    """It ran, but hooks cannot see it."""
    found = surveyed(nn.Sequential(nn.ReLU(), torch.jit.script(nn.Sequential(nn.Linear(4, 4)))), rows)
    assert {found[name].reason for name in ("1", "1.0")} == {
        "TorchScript compiled it, and compiled layers take no hooks"
    }
    assert {found[name].evidence for name in ("1", "1.0")} == {"scripted"}


@pytest.mark.parametrize(
    ("layer", "detail"),
    [
        (
            nn.Conv2d(4, 8, (3, 1), stride=(2, 1), groups=4, dilation=2),
            "4→8, 3×1, stride 2×1, dilation 2, groups 4",
        ),
        (nn.MaxPool2d(2), "2×2, stride 2"),
        (nn.LPPool2d(2, (1, 3)), "1×3, stride 1×3"),
        (nn.LPPool2d(2, 3), "3×3, stride 3"),
        (nn.LPPool2d(2, 3, stride=2), "3×3, stride 2"),
        (nn.Conv2d(1, 2, 3, padding=1), "1→2, 3×3, stride 1, padding 1"),
        (nn.Conv2d(1, 2, 3, padding="same"), "1→2, 3×3, stride 1, padding same"),
        (nn.Conv1d(1, 2, 5), "1→2, 5, stride 1"),
        (nn.Linear(4, 2), "4→2"),
        (nn.BatchNorm2d(7), "7"),
        (nn.ReLU(), ""),
        (nn.Dropout(0.5), "p=0.5, inplace=False"),
        (Returns(abs), ""),
    ],
)
def test_settings_are_said_in_a_few_words(layer: nn.Module, detail: str) -> None:
    """Those that tell layers of one class apart."""
    model = nn.ModuleDict({"layer": layer})
    model.forward = lambda x: x
    assert surveyed(model, torch.ones(1))["layer"].detail == detail


def test_a_survey_leaves_no_hooks_and_lets_the_models_error_through(rows: torch.Tensor) -> None:
    """After success and after failure."""
    model, broken = Plain(), Fails()
    surveyed(model, torch.rand(1, 3, 8, 8))
    with pytest.raises(RuntimeError, match="mat1"):
        surveyed(broken, rows)
    assert hook_count(model) == hook_count(broken) == 0


def test_a_layer_is_a_convolution_by_its_window_and_not_by_its_name() -> None:
    """The page opens on a convolution; GPT-2's Conv1D is none."""
    net = nn.Sequential(nn.LayerNorm(4), Conv1D(6, 4), nn.Unflatten(1, (1, 6)), nn.Conv1d(1, 2, 3))
    rows = survey(LayerActivations(net, "cpu"), torch.zeros(1, 4))
    assert [row.name for row in rows if row.convolves] == ["3"]
    assert first_layer(rows) == "3"
    assert first_layer(rows[:2]) == "0"


def test_a_block_around_one_convolution_is_opened_and_a_whole_net_is_not() -> None:
    """Their names do not matter: a ConvNeXt of transformers has its first convolution further inside."""
    block = type("ConvBlock", (nn.Sequential,), {})(nn.Conv2d(3, 2, 3), nn.BatchNorm2d(2))
    for layers, opened in (([block], "0"), ([block, nn.Conv2d(2, 2, 1)], "0.0")):
        net = nn.Sequential(type("ConvNet", (nn.Sequential,), {})(*layers))
        rows = survey(LayerActivations(net, "cpu"), torch.zeros(1, 3, 8, 8))
        assert first_layer(rows) == opened
