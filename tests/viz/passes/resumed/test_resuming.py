"""Passes that begin in the middle give the numbers of whole ones: tiny nets, each with one hazard."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import ClassVar

import pytest
import torch
from torch import Tensor, nn

import models
from tests.viz import subjects
from viz import LayerActivations
from viz.findings.values import LayerValues
from viz.passes.forward import capture
from viz.passes.loaded import loaded_model, one_pass
from viz.passes.resumed.resuming import ResumedPasses
from viz.passes.resumed.shelf import StageShelf
from viz.passes.resumed.stages import Stages, Way
from viz.pictures.subject import Subject
from viz.request.inspection import Inspection

SIZE = "8 by 8"
PHOTOS = 3


class Counted(nn.Module):
    """A convolution over four channels that counts how often it runs."""

    ran: ClassVar[Counter[str]] = Counter()

    def __init__(self, name: str, given: int = 4) -> None:
        super().__init__()
        self.name, self.conv = name, nn.Conv2d(given, 4, 3, padding=1)

    def forward(self, maps: Tensor) -> Tensor:
        """Return (N, 4, H, W)."""
        self.ran[self.name] += 1
        found: Tensor = self.conv(maps)
        return found


class Chain(nn.Module):
    """Four convolutions one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b, self.c, self.d = Counted("a", 3), Counted("b"), Counted("c"), Counted("d")

    def forward(self, images: Tensor) -> Tensor:
        """Return (N, 4, H, W) of images (N, 3, H, W)."""
        found: Tensor = self.d(self.c(self.b(self.a(images))))
        return found


class Past(Chain):
    """Net whose first output goes past the second and third layer."""

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        first = self.a(images)
        found: Tensor = self.d(self.c(self.b(first)) + first)
        return found


class Added(nn.Module):
    """A convolution, whose input is added to its output."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = Counted("block")

    def forward(self, maps: Tensor) -> Tensor:
        """Return (N, 4, H, W)."""
        found: Tensor = self.conv(maps) + maps
        return found


class Adding(Chain):
    """A block with an operation behind two convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.block = Added()

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        found: Tensor = self.d(self.block(self.b(self.a(images))))
        return found


class WritesIntoInput(Chain):
    """An in-place ReLU between: the second layer's output is not what the third one gets."""

    def __init__(self) -> None:
        super().__init__()
        self.relu = nn.ReLU(inplace=True)

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        found: Tensor = self.d(self.c(self.relu(self.b(self.a(images)))))
        return found


class WritesBehind(Chain):
    """The third layer, which is skipped later, changes what the first one returned and the last one reads."""

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        first = self.a(images)
        second = self.b(first)
        third = self.c(second)
        first.mul_(2)
        found: Tensor = self.d(third + first)
        return found


class Writing(nn.Module):
    """Doubles its input in place, and returns a copy."""

    def forward(self, maps: Tensor) -> Tensor:
        """Return (N, 4, H, W)."""
        return maps.mul_(2).clone()


class LayerWrites(Chain):
    """A layer doubles its input in place; skipping it would leave what goes past it as it was."""

    def __init__(self) -> None:
        super().__init__()
        self.writing = Writing()

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        first = self.a(images)
        found: Tensor = self.d(self.c(self.b(self.writing(first))) + first)
        return found


class Shared(Chain):
    """One ReLU runs after every layer."""

    def __init__(self) -> None:
        super().__init__()
        self.relu = nn.ReLU()

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        for layer in (self.a, self.b, self.c, self.d):
            images = self.relu(layer(images))
        return images


class Deciding(Chain):
    """The values of the first layer decide which way is taken."""

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        first = self.a(images)
        found: Tensor = self.d(self.b(first)) if first.sum() > 0 else self.d(self.c(first))
        return found


class Selecting(nn.Module):
    """Keeps the values above zero."""

    def forward(self, maps: Tensor) -> Tensor:
        """Return (number of them,)."""
        return maps[maps > 0]


class Measuring(Chain):
    """Net of a layer whose number of values depends on the picture, and the last layer's input on it."""

    def __init__(self) -> None:
        super().__init__()
        self.selecting = Selecting()

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        first = self.a(images)
        many = self.selecting(first).shape[0]
        found: Tensor = self.d(self.c(self.b(first)) + many)
        return found


class Counts(Chain):
    """Its output depends on how often it has run."""

    times = 0

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        self.times += 1
        found: Tensor = self.d(self.c(self.b(self.a(images)))) + self.times
        return found


class Several(Chain):
    """A layer returns a pair."""

    def __init__(self) -> None:
        super().__init__()
        self.pair = Pairing()

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        left, right = self.pair(self.b(self.a(images)))
        found: Tensor = self.d(self.c(left + right))
        return found


class Pairing(nn.Module):
    """Splits maps in two."""

    def forward(self, maps: Tensor) -> tuple[Tensor, Tensor]:
        """Return the maps, and half of them."""
        return maps, maps / 2


class Noting(Counted):
    """Notes what it returned where a later layer reads it, behind the model's back."""

    noted: Tensor

    def forward(self, maps: Tensor) -> Tensor:
        """See ``Counted``."""
        self.noted = super().forward(maps)
        return self.noted


class ReadsNotes(Chain):
    """The last layer gets what the first one noted of the picture that it saw last."""

    def __init__(self) -> None:
        super().__init__()
        self.a = Noting("a", 3)

    def forward(self, images: Tensor) -> Tensor:
        """See ``Chain``."""
        third = self.c(self.b(self.a(images)))
        found: Tensor = self.d(third + self.a.noted)
        return found


HAZARDS = [
    Chain, Past, WritesIntoInput, WritesBehind, LayerWrites, Shared, Deciding, Measuring, Several, ReadsNotes
]  # fmt: skip


def image(number: int) -> Tensor:
    """A picture (1, 3, 8, 8)."""
    return torch.randn(1, 3, 8, 8, generator=torch.Generator().manual_seed(number))


class Asked:
    """A model that is asked for its layers, of several pictures, from the middle where that goes."""

    def __init__(self, made: Callable[[], nn.Module], most: int = 1 << 20) -> None:
        torch.manual_seed(0)
        self.layers = LayerActivations(made(), "cpu")
        self.shelf = StageShelf(most)
        self.resuming = ResumedPasses(self.layers, self.shelf)
        self.resuming.prepare(SIZE, (image(0),))

    def ran(self, photo: int) -> list[str]:
        """The layers that run for a picture."""
        with self.layers.capture() as record:
            self.layers.run(image(photo))
        return [name for name in self.layers.names if len(record[name])]

    def kept(self, photo: int) -> set[str]:
        """The stages that are kept of a picture."""
        return {*self.shelf.of((self.resuming._owner, SIZE, photo), self.layers.names)}

    @property
    def stages(self) -> Stages:
        """The model's."""
        return self.resuming._stages[SIZE]

    def taking(self, photo: int, layer: str) -> Callable[[], dict[str, LayerValues]]:
        """Return a function that makes a pass which ends with the layer's last call."""
        with self.layers.capture(layer) as record:
            self.layers.run(image(photo))
        until = layer, len(record[layer]) - 1
        return lambda: capture(self.layers, (image(photo),), (layer,), until)

    def plainly(self, photo: int, layer: str) -> dict[str, LayerValues]:
        """From a whole pass, with whatever edits are in force."""
        return self.taking(photo, layer)()

    def whole(self, photo: int) -> dict[str, LayerValues]:
        """All layers of a picture, as an engine records them ahead, after another picture."""
        self.layers.run(image(PHOTOS))
        names = self.layers.select()
        return self.resuming.whole(SIZE, photo, lambda: capture(self.layers, (image(photo),), names))

    def until(self, photo: int, layer: str, *edited: str) -> dict[str, LayerValues]:
        """As an engine asks, after another picture."""
        take = self.taking(photo, layer)
        self.layers.run(image(PHOTOS))
        return self.resuming.until(SIZE, photo, layer, edited, take)


@pytest.fixture(autouse=True)
def nothing_ran() -> Iterator[None]:
    """Count from zero."""
    Counted.ran.clear()
    yield
    Counted.ran.clear()


def is_same(one: dict[str, LayerValues], other: dict[str, LayerValues]) -> bool:
    """Return whether every number of every call is the same."""
    pairs = [(one[name].calls, other[name].calls) for name in one]
    return all(
        len(ours) == len(theirs)
        and all(
            mine.keys() == its.keys()
            and all((mine[path].array == its[path].array).all() and not mine[path].problem for path in mine)
            for mine, its in zip(ours, theirs, strict=True)
        )
        for ours, theirs in pairs
    )


@pytest.mark.parametrize("made", HAZARDS)
def test_every_layer_has_the_numbers_of_a_whole_pass(made: type[nn.Module]) -> None:
    """Of every picture, whatever was asked before, and also when it is asked for again."""
    asked, alone = Asked(made), Asked(made)
    for _, number in product(range(2), range(PHOTOS)):
        ran = alone.ran(number)
        for layer in (*ran, *reversed(ran)):
            assert is_same(asked.until(number, layer), alone.plainly(number, layer)), (number, layer)


@pytest.mark.parametrize("made", HAZARDS)
def test_every_layer_has_the_numbers_of_a_whole_pass_once_all_were_shown_ahead(made: type[nn.Module]) -> None:
    """Pictures of which every layer was recorded show the ways of the next ones."""
    asked, alone = Asked(made), Asked(made)
    for number in range(100, 110):
        recorded = asked.whole(number)
        for layer in alone.ran(number):
            assert is_same({layer: recorded[layer]}, alone.plainly(number, layer)), (number, layer)
    for number in range(PHOTOS):
        ran = alone.ran(number)
        for layer in (*ran, *reversed(ran)):
            assert is_same(asked.until(number, layer), alone.plainly(number, layer)), (number, layer)


def test_what_was_shown_ahead_is_not_shown_to_anybody_who_waits() -> None:
    """The first question for a layer runs that layer alone, and none of a pass of zeros or a whole one."""
    asked = Asked(Chain)
    for photo in range(4):
        asked.whole(photo)
    take = asked.taking(1, "d")
    Counted.ran.clear()
    found = asked.resuming.until(SIZE, 1, "d", (), take)
    assert Counted.ran == {"d": 1}
    assert is_same(found, asked.plainly(1, "d"))


def test_layers_before_the_stage_do_not_run_again() -> None:
    """Once it has been shown for a picture, the next one begins at the stage."""
    asked = Asked(Chain)
    for photo in (1, 2):
        asked.until(photo, "c")
    asked.until(1, "d")
    take = asked.taking(2, "d")
    Counted.ran.clear()
    found = asked.resuming.until(SIZE, 2, "d", (), take)
    assert Counted.ran == {"d": 1}
    assert is_same(found, asked.plainly(2, "d"))


def test_an_operation_has_the_numbers_of_a_whole_pass_and_runs_its_own_layer_alone() -> None:
    """The addition of a block, for a second picture."""
    asked = Asked(Adding)
    for photo in (1, 2):
        asked.until(photo, "block")
    assert is_same(asked.until(1, "block › add"), asked.plainly(1, "block › add"))
    take = asked.taking(2, "block › add")
    Counted.ran.clear()
    found = asked.resuming.until(SIZE, 2, "block › add", (), take)
    assert Counted.ran == {"block": 1}
    assert is_same(found, asked.plainly(2, "block › add"))


def test_a_model_that_differs_from_run_to_run_runs_whole() -> None:
    """Its outputs are never the same twice, so no stage is shown to be right."""
    asked = Asked(Counts)
    for photo in (1, 2, 3):
        asked.until(photo, "")
        asked.until(photo, "d")
    Counted.ran.clear()
    asked.until(3, "d")
    assert Counted.ran["d"] >= 1


def test_an_edit_behind_the_stage_is_met_and_one_before_it_too() -> None:
    """The stage that goes on is the one before the first edit; nothing under an edit is kept."""
    asked = Asked(Chain)
    for photo in (1, 2):
        asked.until(photo, "d")
        for edited in ("b", "c", "d", "a"):
            with asked.layers.edit(edited, output=lambda maps: maps * 0.5):
                found, whole = asked.until(photo, "d", edited), asked.plainly(photo, "d")
            assert is_same(found, whole), (photo, edited)
            assert not is_same(found, asked.plainly(photo, "d")), (photo, edited)
        assert is_same(asked.until(photo, "c"), asked.plainly(photo, "c"))


def test_two_pictures_and_two_models_are_kept_apart() -> None:
    """Although the models share the place where stages are kept, and both call a picture 1."""
    one = Asked(Chain)
    other = Asked(Past)
    other.resuming = ResumedPasses(other.layers, one.shelf)
    other.resuming.prepare(SIZE, (image(0),))
    for asked, photo in product((one, other), (1, 2)):
        for layer in ("a", "b", "c", "d"):
            asked.until(photo, layer)
            assert is_same(asked.until(photo, layer), asked.plainly(photo, layer))


def test_what_a_layer_noted_of_one_picture_never_reaches_another() -> None:
    """A pass that skips the layer would read the notes of whoever came before."""
    asked = Asked(ReadsNotes)
    for number in (1, 2):  # the notes are this picture's, by luck
        asked.until(number, "c")
        asked.resuming.until(SIZE, number, "d", (), asked.taking(number, "d"))
    assert is_same(asked.until(1, "d"), asked.plainly(1, "d"))


def test_a_place_without_room_keeps_nothing_and_answers() -> None:
    """Every pass is a whole one then."""
    asked = Asked(Chain, most=100)
    for _ in range(2):
        assert is_same(asked.until(1, "d"), asked.plainly(1, "d"))
    assert not asked.kept(1)


def test_what_a_layer_writes_into_a_stage_is_written_into_a_copy() -> None:
    """Although it had not done so when the stage was kept."""

    class NowAndThen(Chain):
        """Its last layer writes into its input if it is told to."""

        writes = False

        def forward(self, images: Tensor) -> Tensor:
            """See ``Chain``."""
            third = self.c(self.b(self.a(images)))
            found: Tensor = self.d(third.mul_(2) if self.writes else third)
            return found

    asked = Asked(NowAndThen)
    for photo in (1, 2):
        asked.until(photo, "d")
        asked.until(photo, "d")
    asked.layers.model.writes = True  # type: ignore[assignment]
    for _ in range(3):
        assert is_same(asked.until(2, "d"), asked.plainly(2, "d"))


def test_another_way_through_the_model_is_found_out() -> None:
    """A dark picture takes one that reads what is not kept; the bright one took another."""

    class ByInput(Chain):
        """Its last layer gets what the first one returned, or the third one."""

        def __init__(self) -> None:
            super().__init__()
            self.relu, self.last = nn.ReLU(inplace=True), nn.Identity()

        def forward(self, images: Tensor) -> Tensor:
            """See ``Chain``."""
            first = self.a(images)
            third = self.c(self.b(self.relu(first)))
            found: Tensor = self.last(third if images.mean() > 0 else first)
            return found

    asked = Asked(ByInput)
    bright, dark = sorted(range(10), key=lambda number: image(number).mean(), reverse=True)[:: 10 - 1]
    for number in (bright, bright, dark):
        asked.until(number, "c")
        assert is_same(asked.until(number, "last"), asked.plainly(number, "last")), number
    way = Way("c", frozenset("c"), "last", edited=False)
    assert way in asked.stages.proven & asked.stages.refused


def test_what_was_shown_with_more_kept_is_shown_again_with_less() -> None:
    """Here, a layer that is not kept stands for a number of values, which is not this picture's."""
    asked = Asked(Measuring)
    for number in (1, 2):
        asked.until(number, "d")
        asked.until(number, "d")
    kept = asked.kept(2)
    asked.shelf._kept.drop(((asked.resuming._owner, SIZE, 2), "selecting"))
    assert asked.kept(2) == kept - {"selecting"} != kept
    assert is_same(asked.until(2, "d"), asked.plainly(2, "d"))


def passed_stages(made: type[nn.Module]) -> list[str]:
    """Return the stages kept of a picture for which the second layer was asked for, and then the last one."""
    asked = Asked(made)
    for number in (1, 2, 3):
        asked.until(number, "b")
        asked.until(number, "d")
    return sorted(asked.kept(3))


def test_stages_on_the_way_are_kept_once_they_were_shown_to_be_the_same() -> None:
    """The next pass goes on from them; what differs from run to run is left out."""

    class Idle(Chain):
        """Nobody reads what its third layer returns, which is another number each time."""

        def forward(self, images: Tensor) -> Tensor:
            """See ``Chain``."""
            second = self.b(self.a(images))
            self.c(second + torch.randn(()))
            found: Tensor = self.d(second)
            return found

    assert [name for name in passed_stages(Chain) if "." not in name] == ["a", "b", "c"]
    assert [name for name in passed_stages(Idle) if "." not in name] == ["a", "b"]


def test_a_model_that_refuses_zeros_has_no_stages_and_answers() -> None:
    """Stages are found with zeros as the input."""

    class Refusing(Chain):
        """Divides by the brightest value."""

        def forward(self, images: Tensor) -> Tensor:
            """See ``Chain``."""
            if not images.any():
                raise ZeroDivisionError
            return super().forward(images)

    asked = Asked(Refusing)
    assert is_same(asked.until(1, "d"), asked.plainly(1, "d"))
    assert not asked.kept(1)


def test_an_error_of_the_model_comes_through() -> None:
    """From the middle as from the beginning."""

    class Failing(Chain):
        """Fails for a dark picture, in the end."""

        def forward(self, images: Tensor) -> Tensor:
            """See ``Chain``."""
            found: Tensor = super().forward(images)
            if images.mean() < -100:
                raise ZeroDivisionError("too dark")
            return self.a(found[:, :3])  # type: ignore[no-any-return]

    asked = Asked(Failing)

    def take() -> dict[str, LayerValues]:
        return capture(asked.layers, (image(1) - 1000,), ("a",), ("a", 1))

    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="too dark"):
            asked.resuming.until(SIZE, 1, "a", (), take)


def test_a_resnet_has_the_numbers_of_whole_passes() -> None:
    """Layers of every kind and depth, of three pictures in turn, asked for as an engine asks."""
    card = models.describe("resnet18")
    made = Subject(models.load("resnet18", "random"), card.preprocessing, card.preprocessing.as_seen)
    loaded = loaded_model(made, LayerActivations(made.module, "cpu"))
    names = [name for name in loaded.layers.names if loaded.calls(name)][::5]
    assert {"Conv2d", "BatchNorm2d", "ReLU", "BasicBlock"} <= {loaded.layers.kind(name) for name in names}
    for picture, name in product(map(subjects.photo, (1, 2, 3)), reversed(names)):
        wanted = Inspection(picture.fingerprint, "resnet18", "random", name)
        until = name, loaded.calls(name) - 1
        whole = capture(loaded.layers, loaded.inputs.of(picture), (name,), until)
        assert is_same(one_pass(loaded, wanted, picture, whole=False), whole), name
    (stages,) = loaded.resuming._stages.values()
    assert len(stages.proven) > len(names) // 2
