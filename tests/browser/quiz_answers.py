"""The right answer to the quiz's question on screen, from its words, its pixels and plain torch."""

import re
from collections.abc import Callable

import numpy as np
from playwright.sync_api import Page

from tests.browser.steps import pixels
from tests.viz.quiz.asking import passed
from tests.viz.quiz.test_changes import drawn, maps_after
from tests.viz.quiz.test_channels import shown, without
from tests.viz.quiz.test_fates import fate
from tests.viz.quiz.test_gates import NEUTRAL
from tests.viz.quiz.test_layers import as_maps, sizes
from tests.viz.quiz.test_order import fired
from viz.pictures.samples import sample_names, sample_title
from viz.quiz import Question

DARKEST = (68, 1, 84)  # zero behind a ReLU
EDITS = {
    "set them to zero": "zero:0",
    "change their sign": "scale:-1",
    "each channel becomes its mean": "mean:0",
}
GIVEN = {
    "args[0]": "pre-hook",
    "output": "forward hook",
    "grad_output[0]": "full backward pre-hook",
    "grad_input[0]": "full backward hook",
}


def right_answer(page: Page) -> str:
    """The right choice, found without the quiz's code."""
    text = page.locator(".lg-quiz p").nth(1).inner_text()
    for words, answer in ANSWERS.items():
        if words in text:
            return answer(page, text, about(page, text))
    raise AssertionError(text)


def about(page: Page, text: str) -> Question:
    """What the question's words say about net, picture, layer and choices."""
    model = page.locator(".lg-quiz strong").first.inner_text()
    names = page.locator(".lg-quiz code").all_inner_texts()
    choices = page.locator(".lg-quiz-choices button").all_inner_texts()
    sample = next((name for name in sample_names() if f"“{sample_title(name)}”" in text), "cat")
    facts = {"after": names[1] if len(names) > 1 else "", "layers": ", ".join(names)}
    return Question("", model, sample, names[0] if names else "", "", tuple(choices), 0, "", "", facts=facts)


def layer(_: Page, text: str, found: Question) -> str:
    """The only choice whose maps have the size in the question."""
    values = passed(found)
    said = re.search(r"(\d+ × \d+) values", text)
    count = re.search(r"of (\d+), each|each of (\d+) heads|in each of (\d+)", text)
    assert said is not None, text
    heads = [number for number in (count.groups() if count else ()) if number]
    fitting = [
        choice
        for choice in found.choices
        if (maps := as_maps(found, values[choice])) is not None
        and sizes(maps.shape[1:]) == said[1]
        and (not heads or str(len(maps)) == heads[0])
    ]
    (answer,) = fitting
    return answer


def shape(_: Page, __: str, found: Question) -> str:
    """What the layer returns."""
    return sizes(passed(found)[found.layer].shape[1:])


def channel(page: Page, _: str, found: Question) -> str:
    """The channel whose removal makes the difference that is shown."""
    lost = pixels(page.locator(".lg-quiz-pictures img").first)
    far = [(shown(without(found, int(choice))) != lost).mean() for choice in found.choices]
    return found.choices[int(np.argmin(far))]


def edit(page: Page, _: str, found: Question) -> str:
    """The edit that makes the maps that are shown; noise, whose seed is unknown, if no other edit does."""
    after = pixels(page.locator(".lg-quiz-pictures img").nth(1))
    before = passed(found)[found.facts["after"]][0][:16].numpy()
    for choice in found.choices:
        code = EDITS.get(choice) or f"clamp:{choice.partition('±')[2]}"
        if choice != "add noise":
            maps = edited(found, code)
            scale = (float(min(before.min(), maps.min())), float(max(before.max(), maps.max())))
            differs = (drawn(maps, scale) != after).any(axis=2)
            if differs[after[..., 3] > 0].mean() < 0.001:  # browsers lose the colour of what is transparent
                return choice
    return "add noise"


def edited(found: Question, code: str) -> np.ndarray:
    """The maps behind the ReLU with an edit."""
    facts = dict(found.facts) | {"edit": f"{found.layer}:zero"}
    question = Question("", found.model, found.sample, found.layer, "", (), 0, "", "", facts=facts)
    return maps_after(question, code)


def fires(page: Page, _: str, found: Question) -> str:
    """The hook that torch fires after the one that is named."""
    hook, _, name = page.locator(".lg-quiz strong").nth(1).inner_text().partition(" of ")
    order = [said for said, _ in fired(found, found.facts["layers"].split(", "), picture_too=True)]
    following = order[order.index(f"{hook} {name}") + 1]
    kind, _, owner = following.rpartition(" ")
    return f"{kind} of {owner}"


def sees(page: Page, _: str, found: Question) -> str:
    """What torch passes to that hook."""
    name = page.locator(".lg-quiz code").nth(1).inner_text()
    given = dict(fired(found, [found.layer], picture_too=True))
    return " × ".join(map(str, given[f"{GIVEN[name]} {found.layer}"] or ()))


def same(_: Page, text: str, found: Question) -> str:
    """The layer whose gradient ends up as the question says."""
    asked = "same" if "stay as it was" in text else "zero"
    (answer,) = [choice for choice in found.choices if fate(found, choice) == asked]
    return answer


def gate(page: Page, _: str, found: Question) -> str:
    """The gradient with the smallest share where the ReLU let nothing through."""
    through, *candidates = (pixels(image) for image in page.locator(".lg-quiz-pictures img").all())
    shut = (through[..., :3] == DARKEST).all(axis=2)
    strays = [(candidate[..., :3] != NEUTRAL).any(axis=2)[shut].sum() for candidate in candidates]
    return found.choices[int(np.argmin(strays))]


ANSWERS: dict[str, Callable[[Page, str, Question], str]] = {
    "Which layer": layer,
    "What comes out?": shape,
    "was removed?": channel,
    "What does the hook do": edit,
    "Which of these four is next?": fires,
    "What shape has": sees,
    "does the gradient stay as it was?": same,
    "is the gradient then zero everywhere?": same,
    "Which one belongs to the channel": gate,
}
