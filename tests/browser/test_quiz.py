"""The quiz, played by somebody who knows: answers from plain modules and from the pixels on screen."""

import re
from collections.abc import Callable

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect
from torch import nn

import models
from tests.browser.steps import address, arrive, expect_calm, pixels, settle
from viz.samples import sample

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTIONS = 6


def shapes(model: str) -> dict[str, str]:
    """What each layer of a bundled net returns for a picture, by hooks of our own: ``16 × 10 × 10``."""
    net, found = models.load(model).eval(), {}

    def listen(name: str, layer: nn.Module) -> None:
        def note(_: object, __: object, output: torch.Tensor) -> None:
            found[name] = " × ".join(str(side) for side in output.shape[1:])

        layer.register_forward_hook(note)

    for name, layer in net.named_modules():
        if name:
            listen(name, layer)
    with torch.no_grad():
        net(models.describe(model).preprocessing(sample("cat")))
    return found


def right_answer(page: Page) -> str:
    """The answer to the question on screen, without the quiz's help."""
    text = page.locator(".st-key-quiz p").nth(1).inner_text()
    model = page.locator(".st-key-quiz strong").first.inner_text()
    choices = page.locator(".st-key-quiz_choices button").all_inner_texts()
    if "Which channel was removed?" in text:
        return removed_channel(page, choices)
    found = shapes(model)
    if "What comes out?" in text:
        return found[page.locator(".st-key-quiz code").first.inner_text()]
    said = re.search(r"the first \d+ of (\d+), each of (\d+ × \d+) values", text)
    assert said is not None, text
    (layer,) = [choice for choice in choices if found[choice] == " × ".join(said.groups())]
    return layer


def removed_channel(page: Page, choices: list[str]) -> str:
    """The one choice whose tile differs between the two pictures."""
    before, after = (pixels(image) for image in page.locator(".st-key-quiz_pictures img").all())
    gaps = np.flatnonzero((before[..., 3] == 0).all(axis=0))  # transparent columns lie between tiles
    columns = len(gaps) + 1
    side = before.shape[1] if not len(gaps) else int(gaps[0])
    ys, xs = np.nonzero((before != after).any(axis=2))
    channels = {int(y) // (side + 1) * columns + int(x) // (side + 1) for y, x in zip(ys, xs, strict=True)}
    (channel,) = channels
    assert str(channel) in choices
    return str(channel)


def play(page: Page) -> None:
    """Answer the question on screen, and see that it was right."""
    page.locator(".st-key-quiz_choices button").first.wait_for()
    settle(page)
    answer = right_answer(page)
    page.locator(".st-key-quiz_choices").get_by_role("button", name=answer, exact=True).click()
    expect(page.locator(".lg-answers .lg-answer")).to_have_text(f"✓ {answer}")
    expect(page.locator(".st-key-quiz")).to_contain_text("Right.")
    expect(page.locator(".st-key-quiz_choices")).to_have_count(0)


@pytest.mark.parametrize("seed", ["77", "4711"])
def test_who_knows_gets_every_answer_right(page: Page, server: str, seed: str) -> None:
    """A whole quiz, question by question, to its result."""
    arrive(page, server, model="lenet", layer="conv2", view="quiz", seed=seed)
    for number in range(1, QUESTIONS + 1):
        expect(page.locator(".st-key-quiz")).to_contain_text(f"Question {number} of 6 · {number - 1} right")
        play(page)
        page.locator(".st-key-quiz_next button").click()
    expect(page.get_by_role("heading", name="6 of 6 right.")).to_be_visible()
    assert (address(page)["seed"], address(page)["layer"]) == (seed, "conv2")
    expect_calm(page)


def test_a_wrong_answer_is_explained_and_does_not_count(page: Page, server: str) -> None:
    """The right one is marked beside it; there is no second try."""
    arrive(page, server, view="quiz", seed="78")
    page.locator(".st-key-quiz_choices button").first.wait_for()
    answer = right_answer(page)
    wrong = next(c for c in page.locator(".st-key-quiz_choices button").all_inner_texts() if c != answer)
    page.locator(".st-key-quiz_choices").get_by_role("button", name=wrong, exact=True).click()
    expect(page.locator(".lg-answers .lg-chosen")).to_have_text(f"✗ {wrong}")
    expect(page.locator(".lg-answers .lg-answer")).to_have_text(f"✓ {answer}")
    expect(page.locator(".st-key-quiz")).to_contain_text(f"Not quite: you chose {wrong}.")
    page.locator(".st-key-quiz_next button").click()
    expect(page.locator(".st-key-quiz")).to_contain_text("Question 2 of 6 · 0 right")


def test_a_class_gets_the_same_quiz(visitor: Callable[..., Page], server: str) -> None:
    """Two visitors with one address: the same pictures and choices; on a phone nothing is too wide."""
    first = arrive(visitor(), server, view="quiz", seed="4711")
    phone = visitor(viewport={"width": 375, "height": 800}, is_mobile=True)
    second = arrive(phone, server, view="quiz", seed="4711", lang="zh")
    seen = []
    for page in (first, second):
        page.locator(".st-key-quiz_choices button").first.wait_for()
        settle(page)
        pictures = [image.get_attribute("src") for image in page.locator(".st-key-quiz_pictures img").all()]
        seen.append((pictures, page.locator(".st-key-quiz_choices button").all_inner_texts()))
    assert seen[0] == seen[1]
    expect(second.locator(".st-key-quiz")).to_contain_text("测验编号 4711")
    assert second.evaluate("document.scrollingElement.scrollWidth") <= 375
