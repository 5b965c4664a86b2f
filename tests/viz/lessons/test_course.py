"""The course's numbers: those of the documents, repeated here, and what follows for other parameters."""

import inspect
import io
from pkgutil import resolve_name

import pytest
import torch
from PIL import Image

from tests.machine import patience
from viz.engine.engine import LocalEngine
from viz.engine.limits import Limits
from viz.errors import RequestError, TooLargeError
from viz.lessons.comparing import line, moves, text
from viz.lessons.course import LESSONS, source
from viz.lessons.line import Line
from viz.lessons.tasks import CanvasTask, LessonTask
from viz.lessons.work import canvas_png, lines

QUARTER, MAPS = "0.25, 0.25, 0.25, 0.25", "(2, 64, 56, 56)"
DOCUMENTS = {
    (0, "names"): {"linear_1": "5, −1", "linear_2": "10", "relu": "10", "relu6": "6", "misspelt": "0"},
    (0, "walked"): {"relu_shape": "(2, 9, 224, 224)", "end_shape": "(2, 9, 1, 1)", "reference_minimum": "0"},
    (1, "conv2"): {"conv2_shape": "(2, 16, 10, 10)", "capture_equals_hook": "0"},
    (1, "stays"): {"growth_removed": "1, 1, 1", "growth_left": "1, 2, 3", "left_without": "8"},
    (3, "watched"): {"hook_on_y": QUARTER, "y_grad": "None", "y_by_capture": QUARTER},
    (3, "doubled"): {"x_gradient": "1, 1, 1, 1", "x_by_hook": "2, 2, 2, 2", "x_by_edit": "2, 2, 2, 2"},
    (3, "nines"): {
        "inputs_tuple": "1",
        "maps_shape": "(1, 2, 2, 2)",
        "map_of_ones": "9, 9, 9, 9",
        "map_of_twos": "18, 18, 18, 18",
        "pooled_maps": "9, 18",
    },
    (4, "product"): {"product_plain": "13, 7, 1", "product_hook": "39, 21, 3", "product_edit": "39, 21, 3"},
    (4, "in_place"): {"sum_hook": "3, 1, 1", "sum_in_place": "101, 101, 101"},
    (4, "pooled"): {"pooled_shape": "(1, 8, 4, 4)"},
    (4, "kinds"): {"kind_gradient": "5"},
}
SLOW = {
    (0, "stack"): {"stack_shape": "(8, 2, 196, 768)", "capture_equals_hook": "0", "capture_equals_hand": "0"},
    (2, "shapes"): {"input_shape": MAPS, "output_shape": MAPS, "result_shape": "(2, 1000)"},
    (2, "gradients"): {"gradient_in_shape": MAPS, "gradient_out_shape": MAPS},
    (2, "changes"): {"input_too_late": "0", "edit_equals_hook": "0"},
}
QUICK = [
    (number, part.name)
    for number, lesson in enumerate(LESSONS)
    for part in lesson.parts
    if (number, part.name) not in SLOW
]


def computed(number: int, part: str, **given: object) -> dict[str, Line]:
    """The lines of a part by their keys."""
    return {each.key: each for each in lines(number, part, given)}


def check(number: int, part: str) -> None:
    """Every line is right, and lines that are in the documents say the same."""
    found = lines(number, part, {})
    assert [each for each in found if not each.right] == []
    expected = (DOCUMENTS | SLOW).get((number, part), {})
    assert {each.key: each.found for each in found if each.key in expected} == expected


@pytest.mark.parametrize(("number", "part"), QUICK)
def test_every_part_gives_the_documents_numbers(number: int, part: str) -> None:
    """With the default parameters."""
    check(number, part)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "part"), SLOW)
def test_the_large_parts_give_the_documents_numbers_too(number: int, part: str) -> None:
    """An encoder of eight layers and ResNet-50, at full size."""
    check(number, part)


def test_other_parameters_give_what_follows_by_hand() -> None:
    """Of x = [5, 5]: dz/dy is a half, dz/dx is 5; a · b at 2 and 3 with a hook that adds 9."""
    watched = computed(3, "watched", value=5, count=2)
    assert watched["hook_on_y"].found == "0.5, 0.5"
    doubled = computed(3, "doubled", value=5, count=2, factor=10)
    assert (doubled["x_gradient"].found, doubled["x_by_hook"].found) == ("5, 5", "50, 50")
    product = computed(4, "product", a=2, b=3, adds=9)
    assert (product["product_plain"].found, product["product_hook"].found) == ("3, 2, 1", "30, 20, 10")
    assert computed(3, "nines", kernel=2)["map_of_twos"].found == ", ".join(["8"] * 9)
    assert computed(1, "stays", runs=2)["growth_left"].found == "1, 2"


@pytest.mark.parametrize(("number", "part"), [(n, part.name) for n in (1, 3, 4) for part in LESSONS[n].parts])
def test_every_parameter_can_be_changed_and_the_numbers_stay_right(number: int, part: str) -> None:
    """Each parameter at each of its ends, one at a time."""
    for choice in LESSONS[number].choices:
        for value in (choice.values[0], choice.values[-1]):
            found = lines(number, part, {choice.name: value})
            assert [each for each in found if not each.right] == [], (choice.name, value)


def test_a_narrow_encoder_is_stacked_like_the_wide_one() -> None:
    """The last three of eight layers, 96 numbers in a token."""
    found = computed(0, "stack", last=3, width=96)
    assert found["stack_shape"].found == "(3, 2, 196, 96)"
    assert all(each.right for each in found.values())


def test_the_same_part_gives_the_same_numbers_and_leaves_chance_alone() -> None:
    """Random weights come from the lesson's own seed, not from torch's random state."""
    torch.manual_seed(5)
    before = torch.get_rng_state()
    assert lines(4, "kinds", {}) == lines(4, "kinds", {})
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(
    ("part", "given", "words"),
    [("watchd", {}, "has no part 'watchd'"), ("watched", {"count": 10**9}, "count can be 1, 2, 4, 8")],
)
def test_what_a_lesson_does_not_have_is_refused(part: str, given: dict[str, int], words: str) -> None:
    """One sentence says what there is; so a net of any size cannot be requested."""
    with pytest.raises(RequestError, match=words):
        lines(3, part, given)


def test_a_line_is_right_only_when_it_is() -> None:
    """The expected and the found value are compared as they read."""
    assert line("x", [9.0, 18.0], torch.tensor([9.0, 18.0])).right
    assert not line("x", [9.0, 18.0], [9.0, 18.5]).right
    assert not line("x", (1, 2), [1, 2]).right  # a shape is not a list of numbers
    assert not moves("x", 0.0).right
    assert (text((1, 2)), text(-0.5), text([None, 3])) == ("(1, 2)", "−0.5", "None, 3")


def test_all_layers_of_a_net_are_on_one_canvas() -> None:
    """A picture much wider than high: eight heatmaps in a row."""
    picture = Image.open(io.BytesIO(canvas_png("SignalNet")))
    assert picture.width > 4 * picture.height > 400


def test_the_code_that_is_shown_is_the_code_that_runs() -> None:
    """As the interpreter itself finds it, for every part of every lesson."""
    for lesson in LESSONS:
        for part in lesson.parts:
            for function in (part.plain, *([part.ours] if part.ours else [])):
                runs = resolve_name(f"viz.lessons.{function}")
                assert source(function) == inspect.getsource(runs)


def test_a_part_that_takes_too_much_memory_is_refused() -> None:
    """Before it begins; the others go on."""
    engine = LocalEngine(lambda *_: pytest.fail("no model"), device="cpu", limits=Limits(capture=100_000_000))
    try:
        with pytest.raises(TooLargeError, match="this part of the lesson would take about 350 MB"):
            engine.do(LessonTask(0, "stack"), visitor="v").result(patience(60))
        assert engine.do(LessonTask(0, "names"), visitor="v").result(patience(60))
    finally:
        engine.close()


def test_an_engine_does_a_part_once_for_everybody() -> None:
    """Equal tasks have one answer; other parameters have another."""
    engine = LocalEngine(lambda *_: pytest.fail("a lesson needs no model of the catalogue"), device="cpu")
    try:
        asked = LessonTask(3, "watched", (("value", 3),))
        first = engine.do(asked, visitor="a", urgent=False).result(timeout=patience(60))
        again = engine.do(LessonTask(3, "watched", (("value", 3),)), visitor="b", urgent=False).result(
            patience(60)
        )
        assert first is again
        assert (
            engine.do(LessonTask(3, "watched"), visitor="a").result(patience(60)) == first
        )  # 1/n does not depend on x
        assert engine.do(CanvasTask("PictureNet"), visitor="a").result(patience(60))[1:4] == b"PNG"
    finally:
        engine.close()
