"""The right answer to the quiz's question on screen, from its words, its pixels and plain torch."""

import re
from collections.abc import Callable, Sequence

import numpy as np
import torch
from playwright.sync_api import Locator, Page
from torch.nn.functional import max_pool2d

from tests.browser.steps import pixels
from tests.viz.quiz.asking import net_and_input, passed
from tests.viz.quiz.looking.test_outlines import likeness
from tests.viz.quiz.looking.test_values import numbers
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
    text = page.locator(".lg-quiz-text").inner_text()
    for words, answer in ANSWERS.items():
        if words in text:
            return answer(page, text, about(page, text))
    raise AssertionError(text)


def choices_on(page: Page) -> list[str]:
    """Return the names of the choices."""
    return page.locator(".lg-quiz-choices .lg-choice").all_text_contents()


def maps_on(page: Page) -> list[Locator]:
    """The pictures of the choices."""
    return page.locator(".lg-quiz-choices img").all()


def about(page: Page, text: str) -> Question:
    """Return the question's net, picture, layer and choices as its words name them."""
    model = page.locator(".lg-quiz strong").first.inner_text()
    names = page.locator(".lg-quiz code").all_inner_texts()
    choices = choices_on(page)
    told = text + " ".join(page.locator(".lg-quiz-pictures figcaption").all_inner_texts())
    sample = next((name for name in sample_names() if f"“{sample_title(name)}”" in told), "cat")
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
    """Return the shape of the layer's output."""
    return sizes(passed(found)[found.layer].shape[1:])


def channel(page: Page, _: str, found: Question) -> str:
    """The channel whose removal makes the difference that is shown."""
    lost = pixels(page.locator(".lg-quiz-pictures img").first)
    numbers = [int(choice.removeprefix("channel ")) for choice in found.choices]
    far = [(shown(without(found, number)) != lost).mean() for number in numbers]
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
    """Return the shape that torch passes to that hook."""
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
    through = pixels(page.locator(".lg-quiz-pictures img"))
    candidates = [pixels(image) for image in maps_on(page)]
    shut = (through[..., :3] == DARKEST).all(axis=2)
    strays = [(candidate[..., :3] != NEUTRAL).any(axis=2)[shut].sum() for candidate in candidates]
    return found.choices[int(np.argmin(strays))]


def photo(page: Page, _: str, found: Question) -> str:
    """The photo whose maps have the colours that are shown, rank for rank."""
    shown_maps = tiles(pixels(page.locator(".lg-quiz-pictures img")))
    names = {sample_title(name): name for name in sample_names()}
    fits = []
    for choice in found.choices:
        maps = passed(Question("", found.model, names[choice], found.layer, "", (), 0, "", ""))[found.layer][
            0
        ]
        fits.append(min(max(alike(tile, one) for one in maps) for tile in shown_maps))
    return found.choices[int(np.argmax(fits))]


def tiles(mosaic: np.ndarray) -> list[np.ndarray]:
    """Four maps, two in a row, with one pixel between them."""
    side = mosaic.shape[0] // 2
    return [mosaic[top : top + side, left : left + side] for top in (0, side + 1) for left in (0, side + 1)]


def alike(tile: np.ndarray, one: torch.Tensor) -> float:
    """Return the correlation of a tile's green, or its red, with a map: for any colormap of the page."""
    colours, values = tile[..., :3].astype(float), one.flatten().numpy()
    shades = (colours[..., 1], colours[..., 0] - colours[..., 2])
    fits = [abs(np.corrcoef(shade.ravel(), values)[0, 1]) for shade in shades if shade.std() and values.std()]
    return max(fits, default=0.0)


def outlines(page: Page, _: str, found: Question) -> str:
    """The map that has most colour where the picture that the net was given is steep."""
    given = net_and_input(found)[1][0].mean(0)
    strength = [np.ptp(pixels(image)[..., :3].astype(float), axis=2) for image in maps_on(page)]
    fits = [likeness(torch.from_numpy(each).float(), given) for each in strength]
    return found.choices[int(np.argmax(fits))]


def depth(page: Page, text: str, found: Question) -> str:
    """The map with the fewest values, or with the most."""
    sizes_shown = [pixels(image).shape[0] for image in maps_on(page)]
    return found.choices[int(np.argmin(sizes_shown) if "deepest" in text else np.argmax(sizes_shown))]


def written(rows: Sequence[Sequence[str]]) -> torch.Tensor:
    """Rows of numbers as they are written, as a tensor."""
    return numbers(tuple(map(tuple, rows)))


def given_on(page: Page) -> torch.Tensor:
    """The numbers that are shown with the question."""
    return written([row.split(", ") for row in said_of(page).split("; ")])


def said_of(page: Page) -> str:
    """Return the numbers' label for screen readers."""
    return page.locator(".lg-quiz-given [role=img]").get_attribute("aria-label") or ""


def counted(_: Page, found: Question, right: torch.Tensor) -> str:
    """The choice with these numbers."""
    (answer,) = [
        choice
        for choice in found.choices
        if torch.equal(written([row.split(", ") for row in choice.split("; ")]), right)
    ]
    return answer


def relu(page: Page, _: str, found: Question) -> str:
    """Return the choice with torch's ReLU of the numbers that are shown."""
    return counted(page, found, given_on(page).relu())


def pool(page: Page, _: str, found: Question) -> str:
    """The same with windows of 2 × 2."""
    return counted(page, found, max_pool2d(given_on(page)[None], 2)[0])


ANSWERS: dict[str, Callable[[Page, str, Question], str]] = {
    "Which picture was it?": photo,
    "picture's outlines": outlines,
    "Which of them is from the": depth,
    "These nine numbers": relu,
    "These numbers go into": pool,
    "Which layer": layer,
    "What comes out?": shape,
    "Which shape comes out?": shape,
    "was removed?": channel,
    "What does the hook do": edit,
    "Which of these four is next?": fires,
    "What shape has": sees,
    "does the gradient stay as it was?": same,
    "is the gradient then zero everywhere?": same,
    "Which one belongs to the channel": gate,
}
