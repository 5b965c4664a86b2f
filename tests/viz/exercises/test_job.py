"""Every exercise with right, wrong, endless, greedy and hostile answers, on real nets."""

import base64
import io
import json
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from tests.machine import took_less
from viz.exercises.asked import RunRequest
from viz.exercises.exercise import Exercise
from viz.exercises.folder import find, served
from viz.exercises.job import AnswerResult, _run, check
from viz.exercises.painting import painted
from viz.exercises.refusal import CodeError
from viz.pictures.samples import sample
from viz.ui.visit.loaders import subject_loader

EXERCISES = served("en")
ENDLESS = (
    "while True:\n    pass\n",
    "def again():\n    again()\nagain()\n",
    "for i in range(10 ** 12):\n    i * i\n",
)
GREEDY = (
    "many = []\nwhile True:\n    many.append(picture.clone())\n",
    "x = 9 ** 9 ** 9\n",
    "torch.zeros(10 ** 11)\n",
)
HOSTILE = (
    "import os\n",
    "net.__class__\n",
    "open('/etc/passwd')\n",
    "'{0.__class__}'.format(net)\n",
    "net.module\n",
)


IMPORTED = """
import sys
from viz.exercises.asked import RunRequest
from viz.exercises.folder import find
from viz.exercises.job import check, ready
from viz.pictures.samples import sample
from viz.ui.visit.loaders import subject_loader
image, load = sample("cat"), subject_loader(print)
ready(load)
before = set(sys.modules)
for name in ("left-half", "catch-a-gradient", "where-it-looks"):
    exercise = find(name, "en")
    for code in (exercise.start, exercise.solution, *(each.code for each in exercise.mistakes)):
        check(load, RunRequest.of(exercise, code), image)
print(*{name.partition(".")[0] for name in set(sys.modules) - before} - {"torch"})
"""


@cache
def load() -> Any:
    """The catalogue's loader; nets are loaded once for all tests."""
    return subject_loader(pytest.fail)


def answered(exercise: Exercise, code: str, picture: str = "cat") -> AnswerResult:
    """Return the verdict on an answer, after a journey as JSON like that to a process."""
    asked = RunRequest.from_plain(json.loads(json.dumps(RunRequest.of(exercise, code).to_plain())))
    return check(load(), asked, sample(picture))


@pytest.fixture(params=EXERCISES, ids=lambda exercise: exercise.id)
def exercise(request: pytest.FixtureRequest) -> Exercise:
    """Each exercise in turn."""
    found: Exercise = request.param
    return found


@pytest.mark.parametrize("picture", ["cat", "chelsea", "astronaut", "checkerboard"])
def test_the_solution_is_right_on_any_picture(exercise: Exercise, picture: str) -> None:
    """And shows equal pictures side by side."""
    from viz.pictures.samples import sample_names

    found = answered(
        exercise, exercise.solution, picture if picture in sample_names() else sample_names()[-1]
    )
    assert [str(each.says) for each in found.problems] == []
    assert found.advice == ""
    for pair in found.pairs:
        assert pair["yours"] == pair["wanted"]
        assert pair["yours"]["png"] or pair["yours"]["text"]


def test_the_beginning_and_each_mistake_are_wrong_and_told_so(exercise: Exercise) -> None:
    """A known mistake is recognised, and gets its own advice; a line of it is within the answer."""
    for mistake in exercise.mistakes:
        found = answered(exercise, mistake.code + "\n# a comment")
        assert found.problems
        assert found.advice == mistake.text
        assert all(0 <= each.line <= mistake.code.count("\n") + 2 for each in found.problems)
    assert answered(exercise, exercise.start).problems


def checked_as(exercise: Exercise) -> tuple[object, ...]:
    """The kind of check that an exercise asks for: of its own text only names, lines and numbers are left."""
    goal, guess = exercise.goal, exercise.goal.guess
    asked = (bool(goal.same), bool(goal.hooks), bool(goal.uses), bool(goal.runs), guess and guess[1])
    return (exercise.net, exercise.gradients, bool(exercise.mistakes), *asked)


def with_bad_answers() -> list[Any]:
    """One exercise of each kind of check with every bad answer, and every other exercise with one of them."""
    bad, seen, cases = (*ENDLESS, *GREEDY, *HOSTILE), set(), []
    for number, each in enumerate(EXERCISES):
        answers = (bad[number % len(bad)],) if checked_as(each) in seen else bad
        cases += [pytest.param(each, answer, id=f"{each.id}-{answer}") for answer in answers]
        seen.add(checked_as(each))
    return cases


@pytest.mark.parametrize(("exercise", "bad"), with_bad_answers())
def test_endless_greedy_and_hostile_answers_end_with_a_sentence(exercise: Exercise, bad: str) -> None:
    """Before and inside the solution; soon; and the next answer is judged as if nothing had been."""
    since = time.process_time()
    found = answered(exercise, bad + exercise.solution)
    assert took_less(time.process_time() - since, 5)
    assert [each.line for each in found.problems] != []
    assert all(1 <= each.line <= 3 for each in found.problems)
    assert found.pairs[0]["yours"] is None


def test_an_answer_that_damages_nothing_leaves_the_next_one_right(exercise: Exercise) -> None:
    """Hooks that were left, and values written into the picture, end with the answer."""
    bad = "def hook(layer, inputs, output):\n    return output * 0\n"
    bad += "net.stem.register_forward_hook(hook)\npicture[:] = 0\n"
    assert answered(exercise, bad + exercise.start).problems
    assert not answered(exercise, exercise.solution).problems


def test_advice_is_for_what_goes_wrong_in_the_same_way() -> None:
    """The mistake with the same effect counts if lines are as near to several; none for another effect."""
    exercise = find("leave-out-a-block", "en")
    of_the_tuple = next(each.text for each in exercise.mistakes if each.code.count("return inputs\n"))
    for line, said in (("return (inputs[0],)", of_the_tuple), ("return inputs[0] * 2", "")):
        found = answered(exercise, exercise.solution.replace("return inputs[0]", line))
        assert (bool(found.problems), found.advice) == (True, said)
    assert answered(exercise, exercise.start).advice == ""


def test_tokens_are_drawn_where_their_lineage_puts_them() -> None:
    """A map for each feature, without the token of the answer, in the scale of all that is shown."""
    exercise, kept = find("leave-out-a-block", "en"), []
    subject = load()("patchformer", "pretrained")
    net, (picture,) = subject.module.eval(), subject.arguments(sample("cat"))
    with (
        torch.no_grad(),
        net.blocks[1].register_forward_hook(lambda _, inputs, __: inputs[0]),
        net.blocks[2].register_forward_pre_hook(lambda _, inputs: kept.append(inputs[0])),
    ):
        net(picture)
    (pair,) = answered(exercise, exercise.solution).pairs
    shown = kept[0][0, 1:].T[:16]
    assert (pair["maps"], pair["all"]) == (16, 128)
    assert (pair["vmax"], pair["vmin"]) == pytest.approx(
        (float(shown.abs().max()), -float(shown.abs().max()))
    )


@pytest.mark.parametrize("whole", [False, True])
def test_an_answer_has_the_right_gradient_where_pytorch_alone_misreads_one(whole: bool) -> None:
    """In front of a transformer's tokens, as from two equal pictures, of which PyTorch is right."""
    subject = load()("patchformer", "pretrained")
    net, (picture,) = subject.module.eval(), subject.arguments(sample("cat"))
    code = "net(picture)[0, 3].backward()\nfound = picture.grad"
    found = _run(subject, picture, code, gradients=True, whole=whole).values["found"]
    pair = picture.repeat(2, 1, 1, 1).requires_grad_()
    (both,) = torch.autograd.grad(net(pair)[:, 3].sum(), pair)
    assert torch.allclose(found[0], both[0], rtol=0, atol=1e-4 * float(both.abs().max()))


def test_a_bad_hook_inside_the_solution_is_told_with_its_line() -> None:
    """As when a student changes one line of it."""
    exercise = find("keep-maps", "en")
    code = exercise.solution.replace('kept["maps"] = output', 'kept["maps"] = output.nothing')
    (line,) = (number for number, text in enumerate(code.splitlines(), 1) if "nothing" in text)
    assert [each.line for each in answered(exercise, code).problems] == [line]


def test_maps_beside_each_other_have_one_scale() -> None:
    """So that equal colours are equal numbers; against plain arithmetic on the pixels."""
    import torch

    ramp = torch.arange(16.0).reshape(1, 1, 4, 4)
    pair = painted("x", ramp, ramp * 2)
    assert (pair.vmin, pair.vmax) == (0.0, 30.0)
    pixels = []
    for drawn in (pair.yours, pair.wanted):
        assert drawn is not None
        image = Image.open(io.BytesIO(base64.b64decode(drawn.png))).convert("RGB")
        pixels.append(np.asarray(image).reshape(-1, 3)[:: image.width * image.height // 16])
    assert (np.asarray(pixels[0][14]) == np.asarray(pixels[1][7])).all()


def test_maps_without_a_sign_beside_others_with_one_have_the_same_colours() -> None:
    """Zeros have the colour of zero, and the scale that is said is the one that is drawn."""
    import torch

    signed = torch.tensor([[[[-1.0, 0.0], [2.0, 4.0]]]])
    pair = painted("x", signed * 0, signed)
    assert (pair.vmin, pair.vmax) == (-4.0, 4.0)
    pixels = []
    for drawn in (pair.yours, pair.wanted):
        assert drawn is not None
        image = Image.open(io.BytesIO(base64.b64decode(drawn.png))).convert("RGB")
        pixels.append(image.getpixel((image.width * 3 // 4, image.height // 4)))
    assert pixels[0] == pixels[1]


def test_maps_of_another_shape_have_a_scale_of_their_own() -> None:
    """Beside values a thousand times larger, those that were asked for would be all of one colour."""
    import torch

    wanted = torch.arange(16.0).reshape(1, 1, 4, 4)
    pair = painted("x", torch.full((1, 1, 2, 2), 1e4), wanted)
    assert (pair.vmin, pair.vmax) == (None, None)
    assert pair.wanted == painted("x", wanted, wanted).wanted


def test_rows_of_numbers_are_one_map() -> None:
    """Not a batch, of which the first row alone would be seen; a single row stays what a layer returned."""
    import torch

    table = torch.arange(12.0).reshape(3, 4)
    pair = painted("x", table, table.flip(0))
    assert (pair.maps, pair.all, pair.vmin, pair.vmax) == (1, 1, 0.0, 11.0)
    assert pair.yours is not None
    assert pair.yours.width * 3 == pair.yours.height * 4
    assert painted("x", table[:1], table[:1]).all == 4


def test_an_exercise_whose_own_solution_fails_is_an_error_of_its_teacher() -> None:
    """It says so, and blames no student."""
    plain = RunRequest.of(find("keep-maps", "en"), "x = 1").to_plain() | {"solution": "1 / 0"}
    with pytest.raises(CodeError, match="own solution"):
        check(load(), RunRequest.from_plain(plain), sample("cat"))


def test_an_answer_imports_no_library_that_was_not_ready() -> None:
    """A process lives for one answer: whoever checks one would wait for the import each time."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert done.stdout.split() == []


def test_a_list_of_shapes_is_written_whole_with_a_line_for_each() -> None:
    """Nine of them are what one exercise asks for: none may be left out."""
    shapes = [(1, side, side) for side in range(9)]
    pair = painted("shapes", shapes, [1, 2, 3])
    assert pair.yours is not None
    assert pair.yours.text.splitlines() == [f"{side}: (1, {side}, {side})" for side in range(9)]
    assert pair.wanted is not None
    assert pair.wanted.text == "[1, 2, 3]"
