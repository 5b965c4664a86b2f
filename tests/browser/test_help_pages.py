"""The documents at ``/help/``: found from the page, searched, read on every screen."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page, expect

from docs.site import main
from tests.browser.steps import arrive, notices, upload
from tests.browser.test_accessibility import AXE, RULES
from tests.browser.waiting import until
from viz.request.views import VIEWS
from viz.ui.help.rendering import place_of

MANY_ROWS = 20  # of a table that has a box to find them
SILENT = "encoder.layers.encoder_layer_0.self_attention.out_proj"  # a layer that the model never calls

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("why is my map blank", "Why is a map blank, or black after a ReLU?"),
        ("which layer for a heatmap", "Which layer for a Grad-CAM heatmap?"),
        ("nginx", "How do I set up nginx with TLS?"),
    ],
)
def test_a_question_is_answered_by_the_search(page: Page, server: str, question: str, answer: str) -> None:
    """In one's own words; the slash leads there, and Enter to the first of those found."""
    page.goto(f"{server}/help/")
    page.keyboard.press("/")
    page.keyboard.type(question)
    first = page.locator(".found a").first
    expect(first).to_contain_text(answer)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"#{place_of(answer)}$"))
    expect(page.get_by_role("heading", name=answer)).to_be_in_viewport()


def test_the_box_keeps_the_focus_while_what_was_found_is_clicked(page: Page, server: str) -> None:
    """Safari focuses no link that is pressed, and without a focus in it the search is put away."""
    page.goto(f"{server}/help/colours")
    page.get_by_role("searchbox", name="Search the help").fill("nginx")
    page.locator(".found a").first.hover()
    page.mouse.down()
    expect(page.get_by_role("searchbox", name="Search the help")).to_be_focused()
    page.mouse.up()
    page.wait_for_url(re.compile("nginx"))


def test_what_is_nowhere_is_said(page: Page, server: str) -> None:
    """With what to do; Escape puts the answers away."""
    page.goto(f"{server}/help/colours")
    page.get_by_role("searchbox", name="Search the help").fill("zzyzx")
    expect(page.locator(".found")).to_contain_text("Try fewer, or others")
    page.keyboard.press("Escape")
    expect(page.locator(".found")).to_be_hidden()


def test_the_help_leads_from_a_view_to_its_document_and_back_to_a_look(page: Page, server: str) -> None:
    """In a tab of its own; "show me" opens the very look at this server."""
    arrive(page, server, model="lenet", layer="conv2", view="gradients")
    page.get_by_role("button", name="Keys and help").click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Help with this view").click()
    there = opened.value
    expect(there).to_have_url(f"{server}/help/{VIEWS['gradients'].help}")
    look = there.get_by_role("link", name=re.compile("^Show me")).first
    assert (look.get_attribute("href") or "").startswith("../?")
    look.click()
    until(there, "document.querySelector('.lg-stage[data-subject]') !== null")


def test_a_file_that_cannot_be_read_leads_to_the_document_about_files(page: Page, server: str) -> None:
    """From the sentence about it."""
    arrive(page, server)
    upload(page, "notes.png", b"no picture", "image/png")
    with page.expect_popup() as opened:
        notices(page).get_by_role("link", name="More").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("What happens to your files")


@pytest.mark.parametrize(
    ("look", "place", "heading"),
    [
        ({"layer": "conv2", "view": "gradients"}, ".lg-method-said", "Which method should I choose?"),
        ({"view": "figure"}, ".lg-figure-note", "How do I make a figure of several layers or models?"),
        (
            {"layer": "conv2", "channel": "5", "view": "unit", "edit": "conv2:zero:5"},
            ".lg-unit-note",
            "Why is a map blank, or black after a ReLU?",
        ),
        (
            {"layer": "conv1", "view": "compare", "with_layer": "conv2"},
            "[data-side=difference] .lg-side-reason",
            "Can I compare the colours of A and B?",
        ),
        (
            {"model": "vit_b_16", "weights": "random", "layer": SILENT},
            ".lg-reason",
            "Why does a layer show nothing?",
        ),
    ],
)
def test_a_sentence_of_the_page_leads_to_its_heading(
    page: Page, server: str, look: dict[str, str], place: str, heading: str
) -> None:
    """In a tab of its own, at the very heading that says more."""
    arrive(page, server, **{"model": "lenet", **look})
    with page.expect_popup() as opened:
        page.locator(place).get_by_role("link", name="More").click()
    expect(opened.value).to_have_url(re.compile(f"#{place_of(heading)}$"))
    expect(opened.value.get_by_role("heading", name=heading)).to_be_in_viewport()


@pytest.mark.parametrize("width", [390, 768, 1366, 1920])
def test_a_document_fits_every_screen(page: Page, server: str, width: int) -> None:
    """Long tables and code scroll by themselves; a phone's contents open when they are wanted."""
    page.set_viewport_size({"width": width, "height": 800})
    for name in ("settings", "gallery", "api"):
        page.goto(f"{server}/help/{name}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.get_by_role("link", name="Read the colours")).to_be_visible(visible=width > 760)


def test_the_rows_of_a_long_table_are_found_by_their_words(page: Page, server: str) -> None:
    """All words, in any order; short tables have no box, and an emptied box shows every row again."""
    page.goto(f"{server}/help/models-table")
    tables = [page.locator("main table").nth(number) for number in range(page.locator("main table").count())]
    sizes = [table.locator("tbody tr").count() for table in tables]
    boxes = page.get_by_placeholder(re.compile(r"^Find in these \d+ rows$"))
    long = [size for size in sizes if size >= MANY_ROWS]
    assert 0 < boxes.count() == len(long) < len(sizes)
    box, table = boxes.first, tables[sizes.index(long[0])]
    box.fill("SEGMENTATION resnet50")
    shown = table.locator("tbody tr:visible td:first-child").all_inner_texts()
    assert shown == ["deeplabv3_resnet50", "fcn_resnet50"]
    expect(page.locator(".filter [role=status]").first).to_have_text(f"2 of {long[0]} rows")
    box.fill("zzyzx")
    expect(page.locator(".filter [role=status]").first).to_have_text(f"0 of {long[0]} rows")
    box.fill(" ")
    expect(table.locator("tbody tr:visible")).to_have_count(long[0])


@pytest.mark.parametrize("screen", ["light", "dark", "phone"])
@pytest.mark.parametrize(
    "name", ["", "colours", "settings", "gallery", "hooks.zh", "models-table", "strangers"]
)
def test_a_document_keeps_the_rules_of_accessibility(page: Page, server: str, name: str, screen: str) -> None:
    """Those that axe-core can check, contrast among them; the results of a search lie over the document."""
    page.emulate_media(color_scheme="dark" if screen == "dark" else "light")
    if screen == "phone":
        page.set_viewport_size({"width": 390, "height": 740})
    page.goto(f"{server}/help/{name}")
    page.evaluate(AXE_SCRIPT)
    for part in (":root", ".search"):
        found = AxeResults(
            page.evaluate(AXE, [{"include": [part]}, {"runOnly": RULES, "resultTypes": ["violations"]}])
        )
        assert found.violations_count == 0, found.generate_report()
        page.get_by_role("searchbox", name="Search the help").fill("grey maps")
        expect(page.locator(".found a").first).to_be_visible()


def test_the_keys_go_through_what_was_found_and_back(page: Page, server: str) -> None:
    """Arrows walk, Escape goes back to the question, and what is hidden takes no Enter."""
    page.goto(f"{server}/help/colours")
    page.keyboard.press("/")
    page.keyboard.type("grey")
    expect(page.locator(".found a").nth(1)).to_be_visible()
    expect(page.locator("[role=status]")).to_contain_text("passages found")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".found a").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("searchbox", name="Search the help")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server}/help/colours")


def test_a_site_of_files_is_searched_without_a_server(page: Page, tmp_path: Path) -> None:
    """Opened from a disk, where browsers fetch nothing."""
    assert main(tmp_path / "help") == 0
    page.goto((tmp_path / "help" / "index.html").as_uri())
    page.get_by_role("searchbox", name="Search the help").fill("why is a map grey")
    page.locator(".found a").first.click()
    page.wait_for_url(re.compile(r"colours\.html#why-is-a-map-grey$"))
