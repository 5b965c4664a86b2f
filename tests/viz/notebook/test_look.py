"""A model of a notebook's cell: its numbers, both ways of choosing, and what stays as it was."""

import base64
import copy
import gc
import io
import json
import re
import weakref
from collections import UserDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import traitlets
from PIL import Image
from torch import Tensor, nn

import layerglass as lg
import models
from models.errors import OwnModelError, UnknownModelError
from viz.errors import ImageError, RequestError, UnknownLayerError
from viz.notebook.answering import answer
from viz.request.look import look_from_query

CHANNELS = 8


class Net(nn.Module):
    """A net with a norm that training mode changes."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, CHANNELS, 3, stride=2)
        self.norm = nn.BatchNorm2d(CHANNELS)
        self.conv2 = nn.Conv2d(CHANNELS, 4, 3)
        self.fc = nn.Linear(4, 5)

    def forward(self, x: Tensor) -> Tensor:
        """Return five logits."""
        return self.fc(self.conv2(self.norm(self.conv1(x)).relu()).mean((2, 3)))


class Tokens(nn.Module):
    """A net that takes no picture, but whole numbers and a mask."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(50, 8)
        self.out = nn.Linear(8, 4)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the mean of the words that the mask leaves."""
        return self.out(self.embed(ids) * mask.unsqueeze(-1)).mean(1)


@pytest.fixture
def net() -> nn.Module:
    """A net in evaluation mode, the same each time."""
    torch.manual_seed(0)
    return Net().eval()


@pytest.fixture
def images() -> Tensor:
    """One picture as the net takes it."""
    return torch.rand(1, 3, 33, 33, generator=torch.Generator().manual_seed(1))


def by_hook(model: nn.Module, name: str, *arguments: object) -> np.ndarray:
    """Return the layer's output by a plain hook, without the batch."""
    kept: list[Tensor] = []
    layer = model.get_submodule(name)
    handle = layer.register_forward_hook(lambda *given: kept.append(given[2].detach().clone()))
    with torch.no_grad():
        model(*arguments)
    handle.remove()
    return kept[0][0].numpy()


def test_the_values_are_those_of_a_plain_hook(net: nn.Module, images: Tensor) -> None:
    """Of the layer, and of one channel of it."""
    view = lg.look(net, images, layer="conv2")
    np.testing.assert_array_equal(view.values, by_hook(net, "conv2", images))
    view.channel = 3
    np.testing.assert_array_equal(view.values, by_hook(net, "conv2", images)[3])


def test_a_model_in_training_mode_is_shown_in_it_and_stays_as_it_is(net: nn.Module, images: Tensor) -> None:
    """Mode, buffers, gradients, hooks and the random state are those from before."""
    net.train()
    called: list[object] = []
    net.norm.register_forward_hook(lambda *_: called.append(1))
    net(images).sum().backward()
    before, grads = copy.deepcopy(net.state_dict()), [each.grad.clone() for each in net.parameters()]
    state, hooks = torch.get_rng_state(), [len(each._forward_hooks) for each in net.modules()]
    called.clear()
    view = lg.look(net, images, layer="norm")
    shown = view.values
    view.html()
    assert torch.equal(state, torch.get_rng_state())
    assert all(torch.equal(before[name], value) for name, value in net.state_dict().items())
    assert all(torch.equal(one, each.grad) for one, each in zip(grads, net.parameters(), strict=True))
    assert [len(each._forward_hooks) for each in net.modules()] == hooks
    assert all(each.training for each in net.modules())
    assert all(each.requires_grad for each in net.parameters())
    np.testing.assert_allclose(shown, by_hook(net, "norm", images), atol=1e-6)
    assert called


def test_edits_change_the_layers_behind_them(net: nn.Module, images: Tensor) -> None:
    """As a plain hook does that sets two channels to zero; one that cannot be is refused."""

    def without(_: nn.Module, __: object, output: Tensor) -> Tensor:
        return output.index_fill(1, torch.tensor([0, 3]), 0)

    view = lg.look(net, images, layer="conv2", edits="conv1:zero:0,3")
    handle = net.conv1.register_forward_hook(without)
    np.testing.assert_array_equal(view.values, by_hook(net, "conv2", images))
    handle.remove()
    with pytest.raises(lg.EditError):
        lg.look(net, images, edits="conv1:zero:8")


def test_layer_channel_and_look_follow_each_other(net: nn.Module, images: Tensor) -> None:
    """A choice in Python is in the text that the page reads, and the other way round."""
    view = lg.look(net, images)
    assert (view.layer, view.channel) == ("conv1", None)
    view.layer, view.channel = "conv2", 2
    assert look_from_query(view.look)[0].layer == "conv2"
    assert look_from_query(view.look)[0].channel == 2
    view.look = "layer=norm&channel=5&view=layers"
    assert (view.layer, view.channel) == ("norm", 5)
    view.layer = "fc"
    assert look_from_query(view.look)[0].view == "layers"


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("layer", "conv9", UnknownLayerError),
        ("look", "layer=conv9", UnknownLayerError),
        ("look", "view=nothing", RequestError),
        ("channel", -1, traitlets.TraitError),
    ],
)
def test_what_cannot_be_chosen_changes_nothing(
    net: nn.Module, images: Tensor, name: str, value: object, error: type[Exception]
) -> None:
    """One sentence, and the view is as it was."""
    view = lg.look(net, images, layer="conv2", channel=1)
    before = view.layer, view.channel, view.look
    with pytest.raises(error):
        setattr(view, name, value)
    assert (view.layer, view.channel, view.look) == before


def test_a_picture_is_a_path_an_array_or_pillows(net: nn.Module, tmp_path: Path) -> None:
    """All three of one picture give the same numbers."""
    picture = Image.effect_noise((40, 30), 80).convert("RGB")
    picture.save(tmp_path / "a picture.png")
    given = (picture, tmp_path / "a picture.png", str(tmp_path / "a picture.png"), np.asarray(picture))
    found = [lg.look(net, each, input_size=32, layer="conv1").values for each in given]
    assert all(np.array_equal(found[0], each) for each in found[1:])
    assert found[0].shape == (CHANNELS, 15, 15)


def test_a_model_may_take_words_and_several_inputs() -> None:
    """The arguments are given as a tuple."""
    model = Tokens().eval()
    ids, mask = torch.tensor([[3, 1, 4, 1, 5]]), torch.ones(1, 5)
    view = lg.look(model, (ids, mask), layer="out")
    np.testing.assert_array_equal(view.values[:, 0].T, by_hook(model, "out", ids, mask))


def test_two_models_are_shown_beside_each_other(net: nn.Module, images: Tensor) -> None:
    """Each side has the numbers of its own plain hook, of the same input; both are forgotten together."""
    torch.manual_seed(7)
    other = Net().eval()
    view = lg.look(net, images, layer="conv2", against=other)
    beside = _asked(view, "other.json")
    assert (view.look.split("&")[0], beside["chosen"]["with_sample"], beside["notices"]) == (
        "view=compare",
        "same",
        [],
    )
    pair = _asked(view, "pair.json", f"with={beside['subject']}")
    for side, model in (("left", net), ("right", other)):
        expected = by_hook(model, "conv2", images)
        statistics = pair[side]["statistics"]
        assert statistics["minimum"] == pytest.approx(expected.min(), rel=1e-4)
        assert statistics["maximum"] == pytest.approx(expected.max(), rel=1e-4)
    names = models.names("handed")
    view.close()
    assert len(names) - len(models.names("handed")) == 2
    before = models.names("handed")
    with pytest.raises(RequestError, match=r"a model is a torch\.nn\.Module, and this is a str"):
        lg.look(net, images, against="resnet18")
    with pytest.raises(OwnModelError, match="cannot be copied"):
        lg.look(net, images, against=Uncopied().eval())
    assert models.names("handed") == before


def test_each_of_two_models_gets_keywords_by_its_own_names() -> None:
    """In the order of its own forward; none is asked about, however little memory a question needs."""

    class Turned(Tokens):
        def forward(self, mask: Tensor, more: Tensor | None = None, ids: Tensor | None = None) -> Tensor:
            assert more is None
            return super().forward(ids, mask)

    one, other = Tokens().eval(), Turned().eval()
    ids, mask = torch.tensor([[3, 1, 4, 1, 5]]), torch.tensor([[1.0, 1, 0, 0, 1]])
    with pytest.MonkeyPatch.context() as settings:
        settings.setenv("LAYERGLASS_ASK_MB", "1")
        view = lg.look(one, {"ids": ids, "mask": mask}, layer="out", against=other)
        pair = _asked(view, "pair.json", f"with={_asked(view, 'other.json')['subject']}")
    expected = by_hook(other, "out", mask, None, ids)
    assert pair["right"]["statistics"]["maximum"] == pytest.approx(expected.max(), rel=1e-4)


def test_of_two_models_modes_are_mixed_and_faults_raised_as_of_one(net: nn.Module, images: Tensor) -> None:
    """The second is looked at as closely as the first."""
    with pytest.warns(UserWarning, match="shown in evaluation mode"):
        view = lg.look(net, images, against=Net().train())
    assert "training" not in view.look
    held = models.names("handed")
    with pytest.raises(RuntimeError):
        lg.look(net, images, against=nn.Sequential(nn.Linear(7, 2)).eval())
    assert models.names("handed") == held


class Uncopied(nn.Module):
    """A net that refuses a copy."""

    def __deepcopy__(self, memo: object) -> "Uncopied":
        raise TypeError("no copy")

    def __getstate__(self) -> object:
        raise TypeError("no copy")


def _asked(view: lg.LookView, question: str, more: str = "") -> dict[str, Any]:
    """Return an answer about the look of a view."""
    found = answer(f"maps/{view._entry.token}/{question}?{view.look}&{more}").result()
    assert found.status == 200, found.body
    told: dict[str, Any] = json.loads(found.body)
    return told


def test_arguments_may_be_given_by_their_names() -> None:
    """In any order, as a tokenizer does; what stands between them has its default."""

    class Masked(Tokens):
        def forward(
            self, ids: Tensor, scale: float = 2.0, mask: Tensor | None = None, *, twice: bool = False
        ) -> Tensor:
            """Multiply the words' mean."""
            assert not twice
            return super().forward(ids, mask) * scale

    model = Masked().eval()
    ids, mask = torch.tensor([[3, 1, 4, 1, 5]]), torch.tensor([[1.0, 1, 0, 0, 1]])
    view = lg.look(model, UserDict(mask=mask, ids=ids), layer="out")
    np.testing.assert_array_equal(view.values[:, 0].T, by_hook(model, "out", ids, 2.0, mask))
    with pytest.raises(
        RequestError, match="does not take these arguments: missing a required argument: 'ids'"
    ):
        lg.look(model, {"words": ids})
    with pytest.raises(RequestError, match="takes twice by keyword only"):
        lg.look(model, {"ids": ids, "mask": mask, "twice": True})


@pytest.mark.parametrize(
    ("image", "said"),
    [
        (7, "a tuple or dict of its arguments; this one is of type int"),
        ("no such file.png", "No such file"),
        (b"no picture", "PNG"),
        (np.zeros((4, 4, 3)), r"of uint8; this one is \(4, 4, 3\) of float64"),
        (np.zeros((0, 4, 3), np.uint8), r"\(0, 4, 3\)"),
    ],
)
def test_what_is_no_picture_gets_one_sentence(net: nn.Module, image: object, said: str) -> None:
    """And nothing is left in the catalogue."""
    held = models.names("handed")
    with pytest.raises(ImageError, match=said):
        lg.look(net, image)
    assert models.names("handed") == held


def test_a_model_that_cannot_be_shown_leaves_nothing_behind(net: nn.Module, images: Tensor) -> None:
    """No module, no such layer, one that fails with this input, and one that cannot be copied."""
    held = models.names("handed")
    with pytest.raises(RequestError, match=r"torch\.nn\.Module, and this is a function"):
        lg.look(by_hook, images)
    with pytest.raises(UnknownLayerError):
        lg.look(net, images, layer="nothing")
    with pytest.raises(OwnModelError, match="names"):
        lg.look(net, images, names=["a"])
    with pytest.raises(RuntimeError, match="7 channels"):
        lg.look(net, torch.rand(1, 7, 8, 8))
    net.kept = (each for each in [])
    with pytest.raises(OwnModelError, match="cannot be copied"):
        lg.look(net, images)
    assert models.names("handed") == held


def test_the_code_makes_the_same_numbers_where_the_model_is(
    net: nn.Module,
    images: Tensor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The script takes the notebook's model and arguments by their names."""
    monkeypatch.chdir(tmp_path)
    view = lg.look(net, images, layer="conv2")
    exec(compile(view.code(), "code.py", "exec"), {"model": net, "given": (images,)})
    assert "The same numbers as in the view" in capsys.readouterr().out
    np.testing.assert_array_equal(np.load("values.npy")[0], view.values)


def test_the_page_to_take_home_and_the_widget_ask_no_server(net: nn.Module, images: Tensor) -> None:
    """Neither names an address of another host to load anything from."""
    view = lg.look(net, images)
    for text in (view.html(), view._esm):
        assert re.findall(r'(?:src|href)=\\?["\']?https?://', text) == []
        assert re.findall(r'(?:fetch|import)\(["\'`]https?://', text) == []


def test_a_view_that_is_closed_forgets_its_model(net: nn.Module, images: Tensor) -> None:
    """The copy's memory is free again; each model of a class has a name of its own."""
    one, two = lg.look(net, images), lg.look(net, images)
    names = [each._entry.model for each in (one, two)]
    assert len(set(names)) == len(names)
    assert set(names) <= set(models.names("handed"))
    shown = weakref.ref(models.load(names[0]))
    assert one.values.shape == two.values.shape
    one.close()
    gc.collect()
    assert shown() is None
    with pytest.raises(UnknownModelError):
        models.load(names[0])
    assert two.values.size
    two.close()


def test_a_model_of_mixed_modes_says_how_it_is_shown(net: nn.Module, images: Tensor) -> None:
    """A frozen norm in a model that is trained: no pass of ours is quite that."""
    net.train().norm.eval()
    with pytest.warns(UserWarning, match="all are shown in evaluation mode"):
        view = lg.look(net, images, layer="norm")
    np.testing.assert_allclose(view.values, by_hook(net.eval(), "norm", images), atol=1e-6)


def test_what_was_given_may_change_afterwards(net: nn.Module, images: Tensor) -> None:
    """The numbers stay those of the call."""
    wanted = by_hook(net, "conv2", images)
    view = lg.look(net, images, layer="conv1")
    images.mul_(2)
    view.layer = "conv2"
    np.testing.assert_array_equal(view.values, wanted)


def test_a_channel_that_is_not_there_is_refused(net: nn.Module, images: Tensor) -> None:
    """Another layer begins without one, as on the page."""
    view = lg.look(net, images, layer="conv1", channel=7)
    view.layer = "conv2"
    assert view.channel is None
    view.channel = 4
    with pytest.raises(RequestError, match="conv2 has 4 channels, counted from 0: there is no channel 4"):
        _ = view.values


def test_a_notebook_without_widgets_has_the_picture(net: nn.Module, images: Tensor) -> None:
    """It is there as soon as the cell has ended."""
    data, _ = lg.look(net, images, layer="conv2")._repr_mimebundle_()
    found = re.search(
        r'alt="Feature maps of conv2 of Net-\d+" src="data:image/png;base64,([^"]+)"', data["text/html"]
    )
    assert found
    assert Image.open(io.BytesIO(base64.b64decode(found[1]))).size > (2, 2)
