"""Addresses that ask for what does not exist: one sentence for each thing, and a page that works."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    arrive,
    choose,
    chosen,
    expect_calm,
    expect_more,
    expect_one_sentence,
    maps,
    notices,
    press,
    settle,
    visit,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VIEW = {"model": "lenet", "weights": "pretrained", "layer": "conv2", "sample": "cat"}
IN_VAIN = [
    ("model", "lennet", "did you mean lenet"),
    ("model", "**lenet** [x](https://example.org)", "**lenet** [x](https://example.org)"),
    ("model", "m" * 5000, "m" * 80),
    ("layer", "conv9", "did you mean"),
    ("layer", "<script>document.title='hit'</script>", "<script>"),
    ("layer", "\N{RIGHT-TO-LEFT OVERRIDE}层\N{COLLISION SYMBOL}", "层\N{COLLISION SYMBOL}"),
    ("call", "2", "call=2"),
    ("call", "0", "call=0"),
    ("call", "\N{SUPERSCRIPT TWO}", "call=\N{SUPERSCRIPT TWO}"),
    ("channel", "16", "channel=16"),
    ("channel", "-1", "channel=-1"),
    ("channel", "9" * 5000, "channel=999"),
    ("row", "-1", "row=-1"),
    ("index", "999999", "index=999999"),
    ("show", "difference!", "did you mean difference"),
    ("weights", "best", "weights=best"),
    ("colormap", "jett", "colormap=jett"),
    ("scale", "logarithmic", "scale=logarithmic"),
    ("order", "random", "order=random"),
    ("sample", "../../etc/passwd", "sample=../../etc/passwd"),
    ("lang", "fr", "lang=fr"),
    ("view", "$x^2$", "view=$x^2$"),
]
# What the browser does when the visitor goes back or forward to an address.
GO_TO = "address => { history.pushState({}, '', address); dispatchEvent(new PopStateEvent('popstate')); }"


def test_each_thing_that_does_not_exist_gets_one_sentence(page: Page, server: str) -> None:
    """The model, layer and picture on screen stay; the sentence repeats the request as plain text."""
    visit(page, server, **VIEW)
    for name, value, says in IN_VAIN:
        page.evaluate(GO_TO, f"{server}/?{urlencode(VIEW | {name: value})}")
        expect_one_sentence(page, says)
        settle(page)
        maps(page, "conv1" if name == "layer" else "conv2").wait_for()
        assert chosen(page, "model") == "lenet · ready"
        assert page.title() == "Layerglass"
        page.evaluate(GO_TO, f"{server}/?{urlencode(VIEW)}")
        expect(notices(page)).to_have_count(0)


def test_arriving_on_a_bad_address_shows_the_first_screen(page: Page, server: str) -> None:
    """Several bad things at once: a sentence for each, maps as usual, and a corrected address."""
    visit(
        page, server, model="resnet5000", colormap="?", sample="", lang="xx" * 3000, unknown="x", channel="a"
    )
    expect(notices(page)).to_have_count(5)
    assert chosen(page, "model") == "efficientnet_lite0 · ready"
    assert "resnet5000" not in page.url
    choose(page, "model", "lenet")
    maps(page, "conv1").wait_for()
    settle(page)
    expect_calm(page)


def test_a_sentence_about_the_address_leads_to_its_document(page: Page, server: str) -> None:
    """Those of the subject and of the look; each stays as it is, unread, while the look changes."""
    visit(page, server, **VIEW | {"sample": "dog", "order": "best"})
    of_subject, of_look = (page.locator(".lg-notice").filter(has_text=part) for part in ("dog", "best"))
    expect_more(of_subject, "address#the-subject")
    expect_more(of_look, "address#the-look")
    of_look.evaluate("each => { each.isFirst = true; }")
    press(page, "ArrowDown")
    page.wait_for_url("**channel=**")
    settle(page)
    assert of_look.evaluate("each => each.isFirst")
    with page.expect_popup() as opened:
        of_look.get_by_role("link").press("Enter")
    expect(opened.value.get_by_role("heading", name="The look", exact=True)).to_be_in_viewport()


def test_weights_that_cannot_be_had_are_said_with_a_way_out(page: Page, server: str) -> None:
    """Without a network there is one sentence, and the layer that was asked for, untrained."""
    arrive(page, server, model="resnet50", weights="pretrained", layer="layer1.0.conv1")
    maps(page, "layer1.0.conv1").wait_for()
    expect_one_sentence(page, "resnet50")
    assert " untrained" in page.locator(".lg-facts").inner_text()
    assert "weights=random" in page.url


def test_weights_that_cannot_be_had_leave_the_view_as_it_is(page: Page, server: str) -> None:
    """Maps, tree and picture stay, and are not even built again; the next choice works."""
    visit(page, server, model="lenet", layer="conv2")
    page.locator(".lg-viewer").evaluate("each => { each.dataset.mine = 'yes'; }")
    choose(page, "model", "resnet50")
    expect(page.locator(".st-key-refused")).to_contain_text("resnet50 are not available, so lenet stays")
    expect_more(
        page.locator(".st-key-refused"), "without-internet#what-does-a-visitor-see-if-weights-are-missing"
    )
    settle(page)
    assert chosen(page, "model") == "lenet · ready"
    expect(page.locator(".lg-viewer[data-mine=yes]")).to_have_count(1)
    expect(maps(page, "conv2")).to_be_visible()
    assert "model=lenet" in page.url
    choose(page, "model", "photonet")
    maps(page, "stem.conv").wait_for()
    settle(page)
    expect_calm(page)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"row": "5"}, "no batch row 5"),
        ({"index": "5"}, "no slice 5"),
        ({"kind": "phase"}, "only complex values have a phase"),
        ({"leaf": "output[3]", "kind": "volume"}, "conv2 returned no 'output[3]'"),
    ],
)
def test_a_layer_that_cannot_be_drawn_as_the_address_says_is_drawn_as_usual(
    page: Page, server: str, asked: dict[str, str], says: str
) -> None:
    """It has maps, choices and the reason; the reason disappears with another choice or another layer."""
    visit(page, server, **VIEW, **asked)
    expect(page.locator(".lg-note")).to_contain_text("shown as usual: ")
    expect(page.locator(".lg-note")).to_contain_text(says)
    page.locator(".lg-options select").last.select_option("volume")
    expect(page.locator(".lg-note")).not_to_contain_text("as usual")
    expect(page.locator(".lg-options input[type=range]")).to_be_visible()
    expect_calm(page)


def test_a_channel_that_only_the_drawn_layer_can_deny_is_said_beside_its_maps(
    page: Page, server: str
) -> None:
    """The layer's axes are ambiguous. Another channel ends this sentence; the page's other ones stay."""
    visit(page, server, **VIEW | {"layer": "fc1", "order": "best"}, channel="5000")
    note = page.locator(".lg-note")
    expect(page.locator(".lg-channel-title")).to_have_text(re.compile(r"^channel \d+$"))
    shown = int(page.locator(".lg-channel-title").inner_text().removeprefix("channel "))
    expect(note).to_contain_text(f"channel=5000, which does not exist. Showing {shown}.")
    page.wait_for_timeout(1500)  # time for everything that the browser sends to the page by itself
    expect_one_sentence(page, "order=best")
    press(page, "ArrowDown")
    expect(note).not_to_contain_text("channel=5000")
    page.wait_for_url(f"**channel={shown + 1}**")
    visit(page, server, **VIEW | {"layer": "fc1"}, channel="5000", lang="zh")
    expect(note).to_contain_text("channel=5000 不存在")
