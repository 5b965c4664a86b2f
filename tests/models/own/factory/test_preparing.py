"""Preparation that a factory asks for: grey pictures, other numbers, other shapes, or something else."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor, nn
from torchvision import transforms

from models.errors import OwnModelError
from models.own.factory.function import FunctionPreparation
from models.own.factory.preparing import preparation
from models.own.own_model import OwnModelFamily
from viz.commands.line.subject import activations, tried_out
from viz.pictures.samples import sample
from viz.pictures.subject import Subject

CAT = sample("cat")


def prepared(said: dict[str, Any], size: tuple[int, int] = (28, 28), net: nn.Module | None = None) -> Tensor:
    """Return the input that a factory's model is given of the cat."""
    made: Tensor = preparation(net or nn.Conv2d(3, 4, 3), size, said)(CAT)
    return made


def by_torchvision(*steps: Callable[..., Any]) -> Tensor:
    """The same by torchvision's own steps."""
    made: Tensor = transforms.Compose([*steps, transforms.ToTensor()])(CAT)
    return made.unsqueeze(0)


@pytest.mark.parametrize("said", [{"mean": 0.1307, "std": 0.3081}, {"mean": [0.1307], "std": (0.3081,)}])
def test_a_model_of_one_channel_gets_a_grey_picture(said: dict[str, Any]) -> None:
    """Bit for bit torchvision's, and shown as grey."""
    expected = by_torchvision(transforms.Resize(28), transforms.CenterCrop(28), transforms.Grayscale())
    assert torch.equal(prepared(said), transforms.Normalize(0.1307, 0.3081)(expected))
    found = preparation(nn.Conv2d(1, 4, 3), (28, 28), {"channels": 1})
    red, green, blue = found.as_seen(found(CAT)).split()
    assert (
        red.tobytes()
        == green.tobytes()
        == blue.tobytes()
        == (expected * 255).round().byte().numpy().tobytes()
    )
    assert ", grey" in found.describe()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_the_input_has_the_type_of_the_weights(dtype: torch.dtype) -> None:
    """Unless the factory says another, or they are of several; then it is what it always was."""
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Linear(4, 2))
    usual = prepared({}, net=net)
    assert torch.equal(prepared({}, net=net.to(dtype)), usual.to(dtype))
    assert prepared({"dtype": torch.float32}, net=net).dtype == torch.float32
    net[1].float()
    assert prepared({}, net=net).dtype == torch.float32
    assert prepared({"dtype": str(dtype).removeprefix("torch.")}, net=net).dtype == dtype


def test_a_whole_picture_is_squeezed_to_two_sides() -> None:
    """As ``torchvision.transforms.Resize`` of two lengths; the page knows that all of it is seen."""
    said = {"resize": (32, 256), "mean": [0, 0, 0], "std": [1, 1, 1]}
    found = preparation(nn.Conv2d(3, 4, 3), (32, 256), said)
    assert torch.equal(found(CAT), by_torchvision(transforms.Resize((32, 256))))
    assert tuple(found.window((300, 200))) == (0, 0, 300, 200)
    cut = preparation(nn.Conv2d(3, 4, 3), (20, 200), said)
    assert torch.equal(
        cut(CAT), by_torchvision(transforms.Resize((32, 256)), transforms.CenterCrop((20, 200)))
    )


def tokens(_: Image.Image) -> Tensor:
    """Some tokens, whatever the picture."""
    return torch.tensor([[3, 1, 4, 1, 5]])


def test_a_plain_function_is_enough() -> None:
    """It gets an axis for the batch, and its result is shown from its smallest value to its largest."""
    steps = transforms.Compose([transforms.Resize((20, 30)), transforms.ToTensor()])
    found = preparation(nn.Conv2d(3, 4, 3), (20, 30), {"preprocessing": steps})
    made = found(CAT)
    assert torch.equal(made, steps(CAT).unsqueeze(0))
    stretched = ((made[0] - made.min()) / (made.max() - made.min()) * 255).round().byte()
    assert torch.equal(transforms.PILToTensor()(found.as_seen(made)), stretched)
    assert found.describe() == "prepared by Compose, shown from its smallest value to its largest, or as text"


GREY = transforms.Compose([transforms.Grayscale(), transforms.Resize((28, 28)), transforms.ToTensor()])
PLANES: dict[str, Callable[[Image.Image], Any]] = {
    "(1, H, W)": GREY,
    "(H, W)": lambda picture: GREY(picture)[0],
    "an array (H, W)": lambda picture: np.asarray(picture.convert("L").resize((28, 28))) / 255,
    "an array (1, H, W) that is turned": lambda picture: GREY(picture).numpy()[:, ::-1],
    "a batch": lambda picture: GREY(picture)[None],
    "an array in a tuple": lambda picture: (GREY(picture)[None].numpy(),),
}


def mnist(*before: nn.Module) -> nn.Module:
    """A net for grey pictures, perhaps with something before it."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        return nn.Sequential(
            *before,
            nn.Conv2d(1, 6, 5),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(4),
            nn.Flatten(),
            nn.Linear(96, 10),
        )


@pytest.mark.parametrize("before", [(), (nn.BatchNorm2d(1),)], ids=["alone", "after a norm"])
@pytest.mark.parametrize("plane", PLANES.values(), ids=PLANES)
def test_a_grey_plane_is_one_picture_for_a_net_of_pictures(
    plane: Callable[[Image.Image], Any], before: tuple[nn.Module, ...]
) -> None:
    """Equal to the net's call by hand, on the same plane in the shape that its convolution asks for."""
    net, raw = mnist(*before).eval(), plane(CAT)
    raw = raw[0] if isinstance(raw, tuple) else raw
    by_hand = raw if isinstance(raw, Tensor) else torch.tensor(raw.copy()).float()
    made = preparation(net, (28, 28), {"preprocessing": plane})(CAT)
    assert torch.equal(net(*(made if isinstance(made, tuple) else (made,))), net(by_hand.view(1, 1, 28, 28)))


class Spectral(nn.Module):
    """A net of a sound (channels, samples), or of spectrograms (batch, mels, time)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.norm, self.net = nn.BatchNorm2d(channels), nn.Sequential(nn.Conv2d(channels, 4, 3), nn.ReLU())
        self.head = nn.Linear(4, 2)

    def forward(self, given: Tensor) -> Tensor:
        """Make pictures of what is given, as such nets do, and run convolutions."""
        if given.dim() == 2:
            window = torch.hann_window(64)
            pictures = torch.stft(given, 64, window=window, return_complex=True).abs().unsqueeze(0)
        else:
            pictures = given.unsqueeze(1)
        return self.head(self.net(self.norm(pictures)).mean((2, 3)))


SPECTRAL: dict[str, tuple[int, tuple[int, ...]]] = {
    "one spectrogram": (1, (1, 20, 50)),
    "a sound of two channels": (2, (2, 900)),
}


@pytest.mark.parametrize(("channels", "shape"), SPECTRAL.values(), ids=SPECTRAL)
def test_a_net_that_makes_pictures_itself_gets_what_the_function_made(
    channels: int, shape: tuple[int, ...]
) -> None:
    """Equal to its call by hand; the trial leaves it in its mode, with its numbers as they were."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(6)
        net, sound = Spectral(channels), torch.rand(shape)
    before = {name: value.clone() for name, value in net.state_dict().items()}
    made = preparation(net, (28, 28), {"preprocessing": lambda _: sound})(CAT)
    assert net.training
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())
    assert torch.equal(net.eval()(made), net(sound))


@pytest.mark.parametrize("plane", [PLANES["(1, H, W)"], PLANES["(H, W)"]])
def test_a_net_of_nothing_but_convolutions_gets_a_batch(plane: Callable[[Image.Image], Any]) -> None:
    """It would take a picture alone too, and its channels would look like a batch."""
    made = preparation(nn.Conv2d(1, 6, 5), (28, 28), {"preprocessing": plane})(CAT)
    assert torch.equal(made, GREY(CAT)[None])


@pytest.mark.parametrize("net", [nn.Linear(28, 2), nn.Conv1d(28, 2, 3), nn.Identity()])
def test_what_has_one_in_front_is_a_batch_for_other_nets(net: nn.Module) -> None:
    """One sequence of 28 steps or channels, and nothing put in front of it; nor of a net's noise."""
    found = preparation(net, (28, 28), {"preprocessing": GREY})(CAT)
    assert torch.equal(found, GREY(CAT))
    noise = preparation(mnist(), (28, 28), {"preprocessing": lambda _: torch.ones(1, 100)})(CAT)
    assert noise.shape == (1, 100)


def test_numbers_that_are_no_fractions_keep_their_type() -> None:
    """Tokens in an array are tokens; fractions become the model's own."""
    found = preparation(nn.Embedding(9, 2), (1, 5), {"preprocessing": lambda _: np.array([[3, 1, 4]])})(CAT)
    assert torch.equal(found, torch.tensor([[3, 1, 4]]))
    halves = preparation(nn.Linear(3, 2).half(), (1, 5), {"preprocessing": lambda _: np.ones((1, 3))})(CAT)
    assert torch.equal(halves, torch.ones(1, 3).half())


NO_INPUT: dict[str, Callable[[Image.Image], Any]] = {
    "Image": transforms.Resize((28, 28)),
    "NoneType": lambda _: None,
    "array of object": lambda _: np.array([None]),
}


@pytest.mark.parametrize(("kind", "function"), NO_INPUT.items(), ids=NO_INPUT)
def test_what_is_no_input_is_refused_in_a_sentence(kind: str, function: Callable[[Image.Image], Any]) -> None:
    """It says what came and what to do, and is the whole message where a command tries the model out."""
    found = preparation(mnist(), (28, 28), {"preprocessing": function})
    subject = Subject(mnist(), found, found.as_seen)
    with pytest.raises(OwnModelError, match=f"^preprocessing returned no tensor but .* kind {kind}; end it"):
        tried_out(activations(subject), subject, "mnist")


def test_what_is_no_picture_is_shown_as_text() -> None:
    """Different tokens are different pictures, none of them black."""
    found = preparation(nn.Embedding(9, 2), (1, 5), {"preprocessing": tokens})
    first, other, words = (
        found.as_seen(each) for each in (found(CAT), torch.tensor([[2, 7, 1]]), ("a cat", None))
    )
    assert len({first.tobytes(), other.tobytes(), words.tobytes()}) == 3
    for picture in (first, other, words):
        assert picture.convert("L").getextrema() == (0, 255)
        assert sum(picture.convert("L").histogram()[200:]) > picture.width * picture.height / 2


@pytest.mark.parametrize(
    "inputs", [torch.full((1, 3, 4, 4), 2.0), torch.full((1, 1, 4, 4), torch.nan), (), {}]
)
def test_every_result_has_a_picture(inputs: Any) -> None:
    """One value everywhere, no number, nothing."""
    assert FunctionPreparation(tokens).as_seen(inputs).mode == "RGB"


WRONG = {
    "channels must be 1, for grey, or 3": {"channels": 4},
    "one number": {"channels": 1, "mean": [0.5, 0.5, 0.5]},
    "dtype must be one of": {"dtype": "int8"},
    "must be a function of a picture": {"preprocessing": 3},
    "does not fit": {"resize": (20, 20)},
}


@pytest.mark.parametrize(("reason", "said"), WRONG.items(), ids=WRONG)
def test_what_cannot_be_met_is_refused_in_a_sentence(
    reason: str, said: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a picture is prepared."""
    place = f"{__name__}:made_{list(WRONG).index(reason)}"
    monkeypatch.setitem(globals(), place.partition(":")[2], lambda: (nn.Conv2d(3, 2, 1), said))
    monkeypatch.setenv("LAYERGLASS_MODEL", place)
    with pytest.raises(OwnModelError, match=reason):
        OwnModelFamily().describe("")
