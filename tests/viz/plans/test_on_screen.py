"""Parts of a view that tell answers: found where the page's style sheet does not hide them."""

from collections.abc import Sequence

import pytest

from viz.course.alone import Alone
from viz.course.found import StepResult
from viz.plans.on_screen import PARTS, SHEET, parts_shown, screens_checked
from viz.plans.plan import Plan
from viz.plans.reading import plan_from

NUMBER = "guess: 0 to 100 within 5\nanswer: 36"
WORDS = "answer: dog\n\n- dog\n- deer"


def plan(look: str, asked: str = NUMBER, code: str = "print(36)") -> Plan:
    """A plan of one step with this look."""
    head, _, choices = asked.partition("\n\n")
    text = (
        f"# T\nnet: lenet\npicture: cat\n\n## S\nlook: {look}\nminutes: 4\n{head}\n\n"
        f"```python\n{code}\n```\n\n? Q?\n{choices}\n\n! W."
    )
    return plan_from(text, "t", "en/1-t.md")


def said(asked: Plan, screen: str = "{}", error: str = "", sheet: str = "") -> list[str]:
    """Return the faults that are found if this is on screen."""

    def each(wanted: Sequence[Alone]) -> list[StepResult]:
        assert [(net, picture) for net, _, picture in wanted] in ([], [("lenet", "cat.png")])
        return [StepResult(printed=(screen,), error=error) for _ in wanted]

    return screens_checked([asked], lambda name: f"{name}.png", each, sheet)


def shown(figures: list[float], named: list[str], listed: list[float]) -> str:
    """Return the line that the run of a screen prints."""
    return str({"figures": figures, "named": named, "listed": listed})


def test_the_page_hides_every_part_that_tells() -> None:
    """By the rule of the sheet that is served; a rule that leaves one out shows it."""
    assert parts_shown(SHEET.read_text("utf-8")) == set()
    assert parts_shown("") == set(PARTS)
    rule = ".lg-untold :is(.lg-event, .lg-classes) { visibility: hidden; }"
    assert parts_shown(rule) == {".lg-figures", ".lg-side-facts", ".lg-memory", ".lg-hooks-said"}


@pytest.mark.parametrize(
    ("figures", "found"), [([36.0], True), ([22.5, 36], True), ([35.0], False), ([], False)]
)
def test_a_figure_that_is_the_answer_is_found(figures: list[float], found: bool) -> None:
    """To the digit that the plan writes: what is near by chance tells nothing."""
    for look in ("layer=fc", "layer=fc&view=compare"):
        assert bool(said(plan(look), shown(figures, [], []))) is found


def test_what_rounds_to_zero_says_none_to_nobody() -> None:
    """A mean of 0.04 above the maps is no answer to how many; a zero is."""
    none = NUMBER.replace("36", "0")
    assert said(plan("layer=fc", none), shown([0.04], [], [])) == []
    assert len(said(plan("layer=fc", none), shown([0.0], [], []))) == 1


def test_a_list_by_score_tells_of_its_own_words_and_numbers() -> None:
    """Of a word it lacks it does not tell which is right."""
    words = ["cat", "deer", "dog"]
    assert len(said(plan("layer=fc", WORDS), shown([], words, []))) == 1
    assert said(plan("layer=fc", WORDS.replace("deer", "nothing")), shown([], words, [])) == []
    assert len(said(plan("layer=fc"), shown([], words, [36.2]))) == 1


def test_the_view_of_hooks_tells_of_hooks_alone() -> None:
    """A question whose answer a hook makes; another one it does not answer."""
    hooked = "net.conv1.register_forward_hook(print)\nprint(36)"
    [wrong] = said(plan("layer=conv1&view=hooks", code=hooked), shown([], [], []))
    assert wrong.startswith("en/1-t.md:5: the view of hooks says")
    assert said(plan("layer=conv1&view=hooks"), shown([], [], [])) == []
    assert said(plan("layer=conv1&view=layers", code=hooked), shown([36], [], [])) == []


def test_a_screen_that_cannot_be_made_is_a_fault() -> None:
    """Rather than one that tells nothing."""
    assert said(plan("layer=fc"), error="E") == ["en/1-t.md:5: its screen cannot be made: E"]
