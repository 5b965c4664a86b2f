"""The quiz: the same for the same seed, its right answers right by plain modules, its wrong ones wrong."""

import io
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
import torch
from PIL import Image

import models
from viz.activations import LayerActivations
from viz.drawing import arranged
from viz.edit_request import EditRequest
from viz.editing import edited
from viz.errors import RequestError
from viz.forward import capture, survey_subject
from viz.inspection import Inspection
from viz.quiz import CHOICES, KINDS, QUESTIONS, SEEDS, Maps, Question, Subjects, question
from viz.samples import sample
from viz.subject import Photo, Subject, photograph

NETS = ("lenet", "photonet")
PHOTOS = {name: photograph(sample(name)) for name in ("cat", "coffee")}
PARTS = [(seed, number) for seed in (1, 2, 77) for number in range(QUESTIONS)]


@cache
def subject(net: str) -> tuple[Subject, LayerActivations]:
    """A bundled net with its trained weights."""
    card = models.describe(net)
    found = Subject(models.load(net), card.preprocessing, card.preprocessing.as_seen, card.classes)
    return found, LayerActivations(found.module, device="cpu")


def about() -> Subjects:
    """Both nets and two photographs."""
    rows = {net: survey_subject(subject(net)[1], subject(net)[0]) for net in NETS}
    return Subjects(rows, {name: photo.fingerprint for name, photo in PHOTOS.items()})


def photo_of(fingerprint: str) -> Photo:
    """The photograph with this content address."""
    return next(photo for photo in PHOTOS.values() if photo.fingerprint == fingerprint)


def ask(wanted: Inspection) -> Maps:
    """What the engine would answer."""
    found, layers = subject(wanted.model)
    with edited(layers, wanted.edits):
        values = capture(
            layers, found, photo_of(wanted.image), [wanted.layer], inputs=wanted.leaf == "inputs"
        )
    return arranged(values[wanted.layer], wanted).maps


@cache
def asked(seed: int, number: int) -> Question:
    """One question, made once for all tests."""
    return question(seed, number, about(), ask)


def by_hand(found: Question, change: Callable[[torch.Tensor], torch.Tensor] | None = None) -> torch.Tensor:
    """What the question's layer returns, by one plain hook of our own on a net of our own."""
    card = models.describe(found.model)
    net = models.load(found.model).eval()
    seen: list[torch.Tensor] = []

    def keep(_: object, __: object, output: torch.Tensor) -> torch.Tensor:
        seen.append((change(output) if change else output).clone())
        return seen[-1]

    net.get_submodule(found.layer).register_forward_hook(keep)
    with torch.no_grad():
        net(card.preprocessing(sample(found.sample)))
    return seen[0][0]


def tiles(png: bytes, columns: int, side: tuple[int, int]) -> list[np.ndarray]:
    """The picture cut into its tiles, in reading order, as colours."""
    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))
    height, width = side
    rows = (pixels.shape[0] + 1) // (height + 1)
    return [
        pixels[row * (height + 1) :, column * (width + 1) :][:height, :width]
        for row in range(rows)
        for column in range(columns)
    ]


@pytest.mark.parametrize(("seed", "number"), PARTS)
def test_a_question_has_one_right_answer_among_four(seed: int, number: int) -> None:
    """The right one is what plain modules return; none of the others is."""
    found = asked(seed, number)
    assert len(set(found.choices)) == len(found.choices) == CHOICES
    value = by_hand(found)
    shape = " × ".join(map(str, value.shape))
    right, wrong = (
        found.choices[found.right],
        [c for place, c in enumerate(found.choices) if place != found.right],
    )
    if found.kind == "shape":
        assert right == shape
        assert shape not in wrong
    elif found.kind == "layer":
        assert (right, found.facts["shape"]) == (found.layer, shape)
        assert found.facts["minimum"] == f"{value.min():.3g}".replace("-", "−")
        rows = {row.name: row for row in about().rows[found.model]}
        assert all(rows[name].shapes[0] != (1, *value.shape) for name in wrong)
    else:
        assert value[int(right)].any()
        assert all(value[int(channel)].any() for channel in wrong)


@pytest.mark.parametrize(("seed", "number"), PARTS)
def test_the_removed_channel_and_no_other_is_one_colour_afterwards(seed: int, number: int) -> None:
    """Read off the pictures: the tile at the place that the explanation names; the others are as before."""
    found = asked(seed, number)
    if found.kind != "channel":
        return
    columns, value = int(found.facts["columns"]), by_hand(found)
    before, after = (tiles(png, columns, tuple(value.shape[1:])) for png in found.pictures)
    removed = int(found.choices[found.right])
    assert (int(found.facts["row"]) - 1) * columns + int(found.facts["column"]) - 1 == removed
    assert len(np.unique(after[removed].reshape(-1, 4), axis=0)) == 1
    assert len(np.unique(before[removed].reshape(-1, 4), axis=0)) > 1
    for choice in found.choices:
        if int(choice) != removed:
            assert np.array_equal(before[int(choice)], after[int(choice)])


def test_the_picture_of_a_layer_is_that_layers_picture() -> None:
    """Larger values are brighter there, in the order of the values by hand."""
    found = next(asked(*part) for part in PARTS if asked(*part).kind == "layer")
    value = by_hand(found)
    first = tiles(found.pictures[0], min(4, len(value)), tuple(value.shape[1:]))[0]
    shown = np.asarray(first, np.int64) @ (65536, 256, 1, 0)
    places = np.argsort(value[0].flatten().numpy(), kind="stable")
    same_colour = {int(code): number for number, code in enumerate(dict.fromkeys(shown.ravel()[places]))}
    ranks = [same_colour[int(code)] for code in shown.ravel()[places]]
    assert ranks == sorted(ranks)


def test_the_same_seed_asks_the_same_questions() -> None:
    """Made anew, from the engine's answers, it is the same to the last pixel; another seed asks others."""
    for number in range(QUESTIONS):
        assert question(77, number, about(), ask) == asked(77, number)
    assert [asked(1, number) for number in range(QUESTIONS)] != [
        asked(2, number) for number in range(QUESTIONS)
    ]


def test_every_quiz_has_two_questions_of_each_kind() -> None:
    """In an order of its own, unless a layer is so silent that a shape is asked instead."""
    for seed in (1, 2, 77):
        kinds = [asked(seed, number).kind for number in range(QUESTIONS)]
        assert {kind: kinds.count(kind) for kind in KINDS} == dict.fromkeys(KINDS, QUESTIONS // len(KINDS))


@pytest.mark.parametrize(("seed", "number"), [(-1, 0), (SEEDS, 0), (0, QUESTIONS), (0, -1)])
def test_there_are_no_other_quizzes(seed: int, number: int) -> None:
    """Refused before anything is computed."""
    with pytest.raises(RequestError, match="a quiz has a seed from 0 to 999999 and 6 questions"):
        question(seed, number, about(), lambda _: pytest.fail("nothing needs to be asked"))


def test_a_layer_of_silent_channels_gives_another_question() -> None:
    """Where fewer than four channels say anything, the shape is asked for."""
    seed = next(s for s in range(50) if asked_kind(s) == "channel")
    found = question(seed, 0, about(), lambda wanted: np.zeros_like(ask(wanted)))
    assert found.kind == "shape"


def asked_kind(seed: int) -> str:
    """The kind of a quiz's first question."""
    return question(seed, 0, about(), ask).kind


def test_edits_of_a_question_are_those_of_the_page() -> None:
    """One channel of the layer itself, set to zero: what a link on the page says as well."""
    wanted: list[Inspection] = []

    def note(request: Inspection) -> Maps:
        wanted.append(request)
        return ask(request)

    seed = next(s for s in range(50) if asked_kind(s) == "channel")
    found = question(seed, 0, about(), note)
    removed = int(found.choices[found.right])
    assert wanted[-1].edits == (EditRequest(found.layer, kind="zero", channels=(removed,)),)
