"""Optimised pictures on the real page: started, stopped, gone on with, kept beside another channel's."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from skimage import data as samples

from tests.browser.pictures import photo, png
from tests.browser.serving import serving
from tests.browser.steps import choose_in_tree, click_tile, expect_calm, go, maps, pixels, settle
from tests.browser.test_accessibility import expect_no_violations
from tests.browser.test_phone import SIDEWAYS, SMALL, on_phone, tap
from tests.browser.typefaces import EVERY_TYPEFACE
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

NET = {"model": "photonet", "layer": "stage1.1.conv1"}
QUICK = {"model": "lenet", "layer": "conv2"}
STEPS, MANY = 256, 12  # of a picture; the pictures of the folder
FINISHED = f"Finished after {STEPS} steps."
AFTER = """([said, steps]) => {
    const found = document.querySelector("[data-part=optimised]");
    const [bar, status] = [found.querySelector("progress"), found.querySelector("[role=status]")];
    return bar.value !== steps || status.innerText !== said;
}"""
UNNAMED = """each => [...each.querySelectorAll("button, select, progress, meter, img")]
    .filter((part) => part.checkVisibility())
    .filter((part) => !(part.ariaLabel || part.alt || part.labels?.length || part.textContent.trim()))
    .map((part) => part.outerHTML.slice(0, 90))"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a folder of noise and of scikit-image's pictures."""
    home = tmp_path_factory.mktemp("server")
    folder = tmp_path_factory.mktemp("pictures")
    fill(folder)
    settings = {"LAYERGLASS_PICTURES": str(folder), "LAYERGLASS_FOLDERS": str(home / "folders")}
    with serving(home, settings=settings) as address:
        yield address


def fill(folder: Path) -> None:
    """Write the folder's pictures."""
    taken = ("astronaut", "coffee", "rocket", "brick")
    for seed in range(MANY - len(taken)):
        (folder / f"noise-{seed}.png").write_bytes(png(photo(seed)))
    for name in taken:
        Image.fromarray(getattr(samples, name)()).convert("RGB").save(folder / f"{name}.jpg")


def section(page: Page) -> Locator:
    """The section beside the channel, opened."""
    found = page.locator("[data-part=optimised]")
    expect(found).to_be_visible()
    if not found.evaluate("each => each.open"):
        found.locator("summary").click()
    return found


def start(found: Locator) -> Locator:
    """The button that starts, stops, and goes on."""
    return found.locator(".lg-optimised-start")


def box(found: Locator, name: str) -> Locator:
    """One of the two boxes."""
    return found.get_by_role("combobox", name=name, exact=True)


def status(found: Locator) -> Locator:
    """Return the status that is shown once nothing runs."""
    return found.get_by_role("status")


def steps_of(found: Locator) -> int:
    """Return the number of steps that the bar shows."""
    return int(found.locator("progress").evaluate("bar => bar.value"))


def wait_for_steps(page: Page, more_than: int) -> None:
    """Wait until the bar shows more steps."""
    until(page, "least => document.querySelector('.lg-optimised progress').value > least", arg=more_than)


def expect_finished(found: Locator) -> None:
    """Wait until all steps are done: not for so many seconds, but for as long as more of them come."""
    while (said := status(found).inner_text()) != FINISHED:
        until(found.page, AFTER, arg=[said, steps_of(found)])


def contrast(seen: np.ndarray) -> float:
    """Return the spread of a picture's pixels (height, width, 4): it starts as faint noise."""
    return float(seen[:, :, :3].astype(float).std())


def test_it_sharpens_stops_keeps_what_is_there_and_goes_on(page: Page, server: str) -> None:
    """Four pictures: their pixels change with the steps; nothing changes after a stop, and no script runs."""
    go(page, server, **NET, channel="3")
    runs = page.evaluate("() => document.documentElement.dataset.scriptRuns")
    found = section(page)
    box(found, "How many").select_option("four")
    expect(found.locator("figure")).to_have_count(0)
    start(found).click()
    expect(start(found)).to_have_text("Stop")
    expect(found.locator("figure img")).to_have_count(4)
    image = found.locator("figure img").first
    first, seen = pixels(image), steps_of(found)
    wait_for_steps(page, seen)
    start(found).click()
    expect(start(found)).to_have_text("Go on")
    expect(status(found)).to_contain_text("Stopped after")
    expect(found.locator("progress")).to_be_hidden()
    stopped, said = pixels(image), status(found).inner_text()
    assert not np.array_equal(stopped, first)
    page.wait_for_timeout(1500)
    assert np.array_equal(pixels(image), stopped)
    assert status(found).inner_text() == said
    start(found).click()
    expect_finished(found)
    assert not np.array_equal(pixels(image), stopped)
    assert contrast(pixels(image)) > contrast(first)
    expect(start(found)).to_be_hidden()
    assert page.evaluate("() => document.documentElement.dataset.scriptRuns") == runs
    expect_calm(page)


def test_the_picture_excites_its_channel_more_than_the_visitors(page: Page, server: str) -> None:
    """By what the caption says, and by what the page shows of the channel."""
    go(page, server, **QUICK, channel="5")
    found = section(page)
    start(found).click()
    expect_finished(found)
    said = found.locator("figcaption span").inner_text().replace("−", "-").split()
    value, own = float(said[2].rstrip(",")), float(said[-1])
    assert value > 2 * abs(own)


def test_without_a_folder_it_says_what_one_would_show(page: Page, server: str) -> None:
    """No other test has an untrained net look through the server's samples."""
    go(page, server, **QUICK, weights="random", channel="5")
    found = section(page)
    start(found).click()
    expect_finished(found)
    expect(found).to_contain_text("Once a folder of pictures was looked through")


def test_the_keyboard_alone_does_it_all(page: Page, server: str) -> None:
    """From the heading on: open, another number, start, stop, go on, keep; the focus is never lost."""
    go(page, server, **NET, channel="4")
    found = page.locator("[data-part=optimised]")
    found.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(box(found, "How")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(box(found, "How many")).to_have_value("four")
    page.keyboard.press("Tab")
    expect(start(found)).to_be_focused()
    page.keyboard.press("Enter")
    expect(found.locator("figure")).to_have_count(4)
    page.keyboard.press("Enter")
    expect(start(found)).to_have_text("Go on")
    page.keyboard.press("Space")
    expect_finished(found)
    keep = found.locator("[data-act=keep]")
    expect(keep).to_be_focused()
    page.keyboard.press("Enter")
    expect(keep).to_have_attribute("aria-pressed", "true")
    expect(keep).to_be_focused()
    assert "channel=4" in page.url
    expect(maps(page, NET["layer"])).to_be_visible()


def test_another_channel_stands_beside_it_while_it_sharpens(page: Page, server: str) -> None:
    """Kept over a change of channel and of layer, where it says its layer; put away again."""
    go(page, server, **NET, channel="6")
    found = section(page)
    start(found).click()
    expect_finished(found)
    picture = pixels(found.locator("figure img"))
    found.locator("[data-act=keep]").click()
    expect(found.locator("figure")).to_have_count(1)
    click_tile(page, 8)
    page.wait_for_url("**channel=8**")
    expect(start(found)).to_have_text("Start")
    kept = found.locator(".lg-optimised-kept")
    expect(kept.locator("strong")).to_have_text("Channel 6")
    start(found).click()
    expect(found.locator("figure")).to_have_count(2)
    drop = found.locator("[data-act=drop]")
    drop.focus()
    expect_finished(found)
    expect(drop).to_be_focused()
    expect(found.locator("figure strong").first).to_have_text("Channel 8")
    assert np.array_equal(pixels(kept.locator("img")), picture)
    choose_in_tree(page, "stage1.1.conv2")
    page.wait_for_url("**layer=stage1.1.conv2**")
    settle(page)
    expect(kept.locator("strong")).to_have_text("stage1.1.conv1 · Channel 6")
    drop.click()
    expect(kept).to_have_count(0)


def test_a_cell_and_the_way_from_a_kept_channel_have_pictures_of_their_own(page: Page, server: str) -> None:
    """They are offered once a number is taken apart, and once another channel's picture is kept."""
    go(page, server, **QUICK, channel="6")
    found = section(page)
    expect(found.get_by_role("combobox", name="What for")).to_be_hidden()
    start(found).click()
    expect_finished(found)
    found.locator("[data-act=keep]").click()
    click_tile(page, 8)
    page.wait_for_url("**channel=8**")
    page.locator("canvas.lg-large").click(position={"x": 40, "y": 40})
    expect(page.locator(".lg-number header h3 code")).to_be_visible()
    for aim, title in (("cell", "Channel 8 · row"), ("minus", "Channel 8 · without channel 6")):
        box(found, "What for").select_option(aim)
        start(found).click()
        expect_finished(found)
        expect(found.locator("figure strong").first).to_contain_text(title)
    box(found, "What for").select_option("cell")
    expect(found.locator("figure strong").first).to_contain_text("Channel 8 · row")
    page.locator(".lg-number-close").click()
    expect(box(found, "What for")).to_have_value("channel")


def test_another_channel_stops_the_work_and_the_first_is_still_there(page: Page, server: str) -> None:
    """Nothing is asked for a channel that has left the screen; back on it, the picture is as it was."""
    go(page, server, **NET, channel="10")
    found = section(page)
    box(found, "How many").select_option("four")
    start(found).click()
    expect(found.locator("figure")).to_have_count(4)
    click_tile(page, 12)
    page.wait_for_url("**channel=12**")
    expect(found.locator("figure")).to_have_count(0)
    expect(start(found)).to_have_text("Start")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(1200)
    assert not [url for url in asked if "optimised.json" in url]
    click_tile(page, 10)
    expect(found.locator("figure")).to_have_count(4)
    expect(start(found)).to_have_text("Go on")


def test_another_way_stops_the_work_and_has_a_picture_of_its_own(page: Page, server: str) -> None:
    """From the visitor's picture there is one only, and it starts from that."""
    go(page, server, **NET, channel="14")
    found = section(page)
    start(found).click()
    expect(found.locator("figure")).to_have_count(1)
    box(found, "How").select_option("own")
    expect(start(found)).to_have_text("Start")
    expect(box(found, "How many")).to_be_hidden()
    expect(found.locator("figure")).to_have_count(0)
    start(found).click()
    expect_finished(found)


def test_contrasts_like_a_photographs_are_a_way_of_their_own(page: Page, server: str) -> None:
    """Its waves are as strong as 1/frequency says, the other way's are not; one channel back it stands."""
    go(page, server, **QUICK, channel="3")
    found = section(page)
    start(found).click()
    expect_finished(found)
    assert deviation(pixels(found.locator("figure img"))) > 0.5
    box(found, "How").select_option(label="contrasts like a photograph's")
    expect(found.locator("figure")).to_have_count(0)
    with page.expect_request(lambda asked: "optimised.json" in asked.url) as asking:
        start(found).click()
    assert "way=maco" in asking.value.url
    expect_finished(found)
    picture = pixels(found.locator("figure img"))
    assert deviation(picture) < 0.1
    click_tile(page, 9)
    page.wait_for_url("**channel=9**")
    expect(start(found)).to_have_text("Start")
    expect(box(found, "How")).to_have_value("maco")
    page.go_back()
    page.wait_for_url("**channel=3**")
    expect_finished(found)
    assert np.array_equal(pixels(found.locator("figure img")), picture)


def deviation(seen: np.ndarray) -> float:
    """Return the deviation of a grey picture's waves (height, width, 4) from strengths of 1 / frequency.

    The half of all waves that comes nearest is looked at: 8 bits round the weakest ones.
    """
    values = (seen[:, :, 0].astype(float) + 0.5) / 256
    height, width = values.shape
    strengths = np.abs(np.fft.rfft2(np.log(values / (1 - values)))[:, 1 : width // 2])
    across = np.fft.rfftfreq(width)[1 : width // 2]
    law = np.log(strengths * np.hypot(np.fft.fftfreq(height)[:, None], across))
    return float(np.median(np.abs(law - np.median(law))))


@pytest.mark.parametrize(
    "look",
    [
        {"model": "patchformer", "layer": "blocks.1.attention.softmax"},
        {"model": "signalnet", "layer": "features.0", "sample": "chirp"},
        {**NET, "view": "gradients"},
    ],
    ids=lambda look: str(look["model"]),
)
def test_it_is_not_offered_where_no_picture_can_be_found(
    page: Page, server: str, look: dict[str, str]
) -> None:
    """Beside attention weights, beside a net that hears, and beside a gradient."""
    go(page, server, **look, channel="0")
    page.locator(".lg-stage img[data-layer]").first.wait_for()
    expect(page.locator(".lg-channel-title").first).to_be_visible()
    expect(page.locator("[data-part=optimised]")).to_be_hidden()


CARD_AS_ITS_PARTS = """() => {
    const shown = (part) => Boolean(document.querySelector(part)?.checkVisibility());
    const parts = ["exemplars", "optimised"].map((name) => shown(`[data-part=${name}]`));
    return shown(".lg-unit-wanted") === parts.some(Boolean);
}"""


def test_a_units_page_without_both_has_no_empty_card(page: Page, server: str) -> None:
    """A net that hears has no optimised pictures; the card stands only if exemplars do."""
    go(page, server, model="signalnet", layer="features.0", sample="chirp", channel="1", view="unit")
    expect(page.locator(".lg-unit-map canvas")).to_be_visible()
    settle(page)
    until(page, CARD_AS_ITS_PARTS)


def test_a_units_page_compares_it_with_exemplars(page: Page, served: str) -> None:
    """Both stand open; the finished picture is compared, and the layer's panel has the section once."""
    go(page, served, **NET, channel="3", view="unit")
    found = page.locator("[data-part=optimised]")
    expect(found).to_have_js_property("open", value=True)
    exemplars = page.locator("[data-part=exemplars]")
    exemplars.get_by_role("button", name="Look through").click()
    expect(exemplars.locator(".lg-exemplar").first).to_be_visible()
    expect(exemplars).to_contain_text(f"Pictures looked through: {MANY}")
    start(found).click()
    expect_finished(found)
    expect(found).to_contain_text(f"of {MANY} pictures of the folder")
    beside = found.locator("meter").or_(
        found.locator(".lg-optimised-disagrees")
    )  # chance makes much of so few
    expect(beside).to_be_visible()
    expect(found).not_to_contain_text("Once a folder")
    page.keyboard.press("u")
    expect(maps(page, NET["layer"])).to_be_visible()
    assert found.count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ["layer", "unit"])
def test_it_keeps_the_rules(looker: Callable[..., Page], served: str, view: str, scheme: str) -> None:
    """While it runs, and finished, with the pictures of a folder to compare with on the unit's page."""
    page = go(looker(color_scheme=scheme), served, **NET, channel="16", view=view)
    found = section(page)
    box(found, "How many").select_option("four")
    start(found).click()
    expect(found.locator("figure")).to_have_count(4)
    assert found.evaluate(UNNAMED) == []
    expect_finished(found)
    assert found.evaluate(UNNAMED) == []
    expect_no_violations(page)


def test_who_wants_no_motion_sees_the_first_picture_and_the_last(
    looker: Callable[..., Page], server: str
) -> None:
    """The steps are counted; the picture does not move before the end."""
    page = go(looker(reduced_motion="reduce"), server, **NET, channel="18")
    found = section(page)
    box(found, "How many").select_option("four")
    start(found).click()
    image = found.locator("figure img").first
    expect(image).to_be_visible()
    first, seen = pixels(image), steps_of(found)
    wait_for_steps(page, seen)
    assert np.array_equal(pixels(image), first)
    expect_finished(found)
    assert not np.array_equal(pixels(image), first)


@EVERY_TYPEFACE
@pytest.mark.parametrize("view", ["layer", "unit"])
def test_a_phone_has_room_for_it(looker: Callable[..., Page], server: str, view: str) -> None:
    """Nothing scrolls sideways, nothing is too small for a finger, and the picture fits the screen."""
    page = on_phone(looker, 360, 640)
    seen: dict[str, Any] = {"channel": "20"} if view == "unit" else {}
    go(page, server, **NET, view=view, lang="zh", **seen)
    if view == "layer":
        tap(page)
    found = section(page)
    start(found).tap()
    expect(status(found)).to_have_text(f"{STEPS} 步后完成。")
    assert page.evaluate(SIDEWAYS) == [0, 0]
    assert page.evaluate(SMALL, 44) == []
    size = found.locator("figure img").bounding_box()
    assert size
    assert 200 < size["width"] <= 360
