"""Operations without a layer: named after whose code called them, in the order in which they ran."""

import pytest
import torch
import torch.nn.functional as F  # noqa: N812  its usual name
import torchvision
from PIL import Image
from torch import nn
from torchvision.models.feature_extraction import create_feature_extractor

from viz.hooks.activations import LayerActivations
from viz.hooks.functional import plain_name
from viz.passes.forward import capture, survey_subject
from viz.pictures.photo import photograph
from viz.pictures.subject import Subject
from viz.profile.tree import survey


class SourceLeNet(nn.Module):
    """A LeNet whose activations and poolings are functions, as tutorials write it."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 6, 5), nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Scores (N, 10) for images (N, 3, 32, 32)."""
        out = F.max_pool2d(F.relu(self.conv1(images)), 2)
        out = F.max_pool2d(F.relu(self.conv2(out)), 2)
        out = F.relu(self.fc1(out.view(out.size(0), -1)))
        return self.fc3(F.relu(self.fc2(out)))


def subject_of(model: nn.Module, size: int) -> Subject:
    """The model with an input of fixed random numbers, whatever the picture."""
    images = torch.randn(1, 3, size, size, generator=torch.Generator().manual_seed(3))
    return Subject(model.eval(), lambda _: images, lambda _: Image.new("RGB", (size, size)))


PHOTO = photograph(Image.new("RGB", (8, 8)))


def test_every_function_of_a_net_without_activation_layers_is_listed_in_order() -> None:
    """Four activations, two poolings and a view, between the layers that they follow."""
    rows = survey(LayerActivations(SourceLeNet(), device="cpu"), torch.zeros(2, 3, 32, 32), operations=True)
    assert [row.name for row in rows] == [
        *("conv1", "› relu", "› max_pool2d", "conv2", "› relu 2", "› max_pool2d 2", "› view"),
        *("fc1", "› relu 3", "fc2", "› relu 4", "fc3"),
    ]
    shapes = {row.name: row.shapes for row in rows}
    assert shapes["› max_pool2d 2"] == ((2, 16, 5, 5),)
    assert shapes["› view"] == ((2, 400),)


def test_a_layer_that_runs_twice_has_one_row_for_each_of_its_operations() -> None:
    """Its second call makes the same operations again: they have two calls, and keep their names."""

    class Block(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            """Two activations, and a write into the second one."""
            out = F.relu(F.relu(x) - 1)
            out[..., 0] = x.sum()
            return out

    block = Block()
    net = nn.Sequential(block, block)
    rows = survey(LayerActivations(net, device="cpu"), torch.zeros(1, 3), operations=True)
    names = ["0", "0 › relu", "0 › sub", "0 › relu 2", "0 › setitem"]
    assert [(row.name, row.calls) for row in rows] == [(name, 2) for name in names]
    assert rows[-1].shapes == ((1, 3), (1, 3))


def test_the_values_of_an_operation_equal_the_function_called_by_hand() -> None:
    """Activation and pooling of the first convolution, bit for bit."""
    net = SourceLeNet()
    subject = subject_of(net, 32)
    layers = LayerActivations(net, device="cpu")
    with torch.no_grad():
        relu = F.relu(net.conv1(subject.prepare(PHOTO.image)))
        pooled = F.max_pool2d(relu, 2)
    found = capture(layers, subject.arguments(PHOTO.image), ["› relu"])["› relu"]
    torch.testing.assert_close(torch.from_numpy(found.calls[0]["output"].array.copy()), relu, rtol=0, atol=0)
    found = capture(layers, subject.arguments(PHOTO.image), ["› max_pool2d"])["› max_pool2d"]
    torch.testing.assert_close(
        torch.from_numpy(found.calls[0]["output"].array.copy()), pooled, rtol=0, atol=0
    )


def test_an_addition_in_place_is_kept_as_it_was_before_the_next_layer_overwrote_it() -> None:
    """ResNet adds in place and its ReLU then overwrites the sum; tracing on copies is the oracle."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        net = torchvision.models.resnet18(weights=None).eval()
    subject = subject_of(net, 64)
    found = capture(LayerActivations(net, device="cpu"), subject.arguments(PHOTO.image), ["layer1.0 › add"])[
        "layer1.0 › add"
    ]
    block = create_feature_extractor(net, {"layer1.0.bn2": "branch", "maxpool": "identity"})
    with torch.no_grad():
        apart = block(subject.prepare(PHOTO.image))
        branch = net.layer1[0].bn2(
            net.layer1[0].conv2(torch.relu(net.layer1[0].bn1(net.layer1[0].conv1(apart["identity"]))))
        )
    expected = branch + apart["identity"]
    assert (expected < 0).any()  # so that the later ReLU would show
    torch.testing.assert_close(torch.from_numpy(found.calls[0]["output"].array.copy()), expected)


def test_what_happens_inside_a_layer_of_torch_is_not_listed_again() -> None:
    """A convolution calls conv2d: that is the layer itself."""
    net = nn.Sequential(nn.Conv2d(3, 2, 1), nn.ReLU(), nn.Flatten())
    rows = survey(LayerActivations(net, device="cpu"), torch.zeros(1, 3, 4, 4), operations=True)
    assert [row.name for row in rows] == ["0", "1", "2"]


def test_operations_are_listed_only_when_asked_for() -> None:
    """The default tree holds layers alone."""
    layers = LayerActivations(SourceLeNet(), device="cpu")
    rows = survey_subject(layers, subject_of(layers.model, 32))
    assert not [row.name for row in rows if "›" in row.name]


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (torch.Tensor.__iadd__, "add"),
        (torch.Tensor.add_, "add"),
        (torch.Tensor.__rsub__, "sub"),
        (torch.Tensor.__rdiv__, "div"),
        (F.relu, "relu"),
    ],
)
def test_an_operator_is_called_what_it_does(function: object, name: str) -> None:
    """In place or reflected, an addition is an addition."""
    assert plain_name(function) == name


def test_a_failing_pass_leaves_no_hook_and_no_name_behind() -> None:
    """The next pass starts from the model's own code again."""
    net = SourceLeNet()
    layers = LayerActivations(net, device="cpu")
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        survey(layers, torch.zeros(1, 3, 40, 40), operations=True)
    assert not any(layer._forward_hooks or layer._forward_pre_hooks for layer in net.modules())
    rows = survey(layers, torch.zeros(1, 3, 32, 32), operations=True)
    assert rows[1].name == "› relu"
