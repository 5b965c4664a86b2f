"""Speed of the page in Chromium, compared with a bare Streamlit page.

Run it as ``python bench/page.py [--rounds N]``; it prints rows for ``bench/RESULTS.md``. A time begins with
the event that the browser gave the page and ends with the first frame after the new maps are in the
document, decoded. A flip is made once the neighbours are fetched. A pick is made by a visitor who has not
seen the layer, on a server that has. An upload is a photo that the server has not seen. Hovering ends when
its mark and text are in the document and laid out: the page's work, without the wait for the next frame.
"""

import argparse
import re
import sys
import tempfile
import zlib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.browser.chromium import ADVICE, find
from tests.browser.pictures import jpeg, photo
from tests.browser.serving import serving
from tests.browser.steps import box_of, settle, subject, upload, visit

SEEDS = count(1000)
BARE = ("-m", "streamlit", "run", "bench/bare_page.py")
UNTRAINED = {"model": "resnet50", "weights": "random"}
RESNET50 = UNTRAINED | {"layer": "layer1.1.conv2"}
POINTED_MS = 200  # less than a hand needs from reaching a row to the click
SLOW_LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
FIRST_MAPS = """new MutationObserver(() => {
    if (!window.firstMaps && document.querySelector(".lg-maps")) window.firstMaps = performance.now();
}).observe(document, { subtree: true, childList: true });"""
UNFOLD = """layer => {
    const row = document.querySelector(`[data-part=tree] li[data-name="${layer}"]`);
    const above = (each) => each.parentElement.closest("li");
    for (let up = above(row); up; up = above(up)) up.setAttribute("aria-expanded", "true");
}"""
LAYERS = (
    *("maxpool", "layer1.0.bn2", "layer1.1.conv2", "layer1.2.bn3", "layer2.0.conv1", "layer2.1.relu"),
    *("layer2.2.conv3", "layer2.3.bn1", "layer3.0.conv2", "layer3.1.bn3", "layer3.2.conv1", "layer3.3.relu"),
    *("layer3.4.conv3", "layer3.5.bn2", "layer4.0.conv1", "layer4.1.conv2", "layer4.2.bn3", "avgpool"),
)
# Notes when the visitor acts; an event's time stamp is on the clock of performance.now().
WATCH = """
const note = (event) => { window.acted = event.timeStamp; };
addEventListener("keydown", (event) => { if (event.key === "Enter") note(event); }, true);
addEventListener("click", (event) => { if (event.target.closest("[data-part=tree]")) note(event); }, true);
addEventListener("change", (event) => { if (event.target.type === "file") note(event); }, true);
"""
AWAIT = """selector => { window.shown = new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`${selector} did not come`)), 60000);
    const look = () => {
        if (!document.querySelector(selector)) return;
        seen.disconnect();
        requestAnimationFrame(() => done(performance.now() - window.acted));
    };
    const seen = new MutationObserver(look);
    seen.observe(document, { subtree: true, childList: true, attributes: true });
}); }"""
FLIP = """async key => {
    const at = () => JSON.stringify(document.querySelector(".lg-maps").dataset); // the layer and its call
    const before = at(), start = performance.now();
    document.querySelector(".lg-viewer").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const prefetched = at() !== before;
    while (at() === before && performance.now() - start < 10000) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return [performance.now() - start, prefetched];
}"""

HOVER = """async rounds => {
    const frame = document.querySelector(".lg-frame"), map = frame.querySelector("img");
    const said = document.querySelector(".lg-status"), box = map.getBoundingClientRect(), times = [];
    for (let turn = 0; turn < rounds; turn += 1) {
        await new Promise(requestAnimationFrame);
        const clientX = box.left + box.width * ((turn * 0.37) % 1);
        const clientY = box.top + box.height * ((turn * 0.61) % 1);
        const before = said.textContent, start = performance.now();
        map.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true }));
        document.querySelector(".lg-hovered").getBoundingClientRect();
        if (said.textContent !== before) times.push(performance.now() - start);
    }
    return times;
}"""


@dataclass(frozen=True)
class FirstVisit:
    """Times, requests and bytes of a first visit, until its maps.

    ``paint`` and ``maps`` are milliseconds; ``size`` is bytes on the line.
    """

    paint: float
    maps: float
    requests: int
    size: int


class TrafficCounter:
    """Counter of a page's requests and bytes over time.

    Compressed messages of sockets count compressed.
    """

    def __init__(self, line: CDPSession) -> None:
        self._asked: dict[str, float] = {}
        self._came: list[tuple[float, int]] = []
        self._packed: dict[str, Any] = {}
        line.on("Network.requestWillBeSent", self._ask)
        line.on("Network.dataReceived", lambda said: self._take(said, said["encodedDataLength"]))
        line.on(
            "Network.responseReceived", lambda said: self._take(said, said["response"]["encodedDataLength"])
        )
        line.on("Network.webSocketHandshakeResponseReceived", self._open)
        line.on("Network.webSocketFrameReceived", self._tell)

    def until(self, milliseconds: float) -> tuple[int, int]:
        """Return the requests and the bytes up to this time.

        The time counts from the first request.
        """
        end = min(self._asked.values()) + milliseconds / 1000
        requests = sum(when <= end for when in self._asked.values())
        return requests, sum(size for when, size in self._came if when <= end)

    def _ask(self, said: dict[str, Any]) -> None:
        if not said["request"]["url"].startswith(("blob:", "data:")):
            self._asked[said["requestId"]] = said["timestamp"]

    def _take(self, said: dict[str, Any], size: float) -> None:
        if said["requestId"] in self._asked:
            self._came.append((said["timestamp"], int(size)))

    def _open(self, said: dict[str, Any]) -> None:
        self._asked[said["requestId"]] = said["timestamp"]
        heads = {name.lower(): value for name, value in said["response"]["headers"].items()}
        if "permessage-deflate" in heads.get("sec-websocket-extensions", ""):
            self._packed[said["requestId"]] = zlib.compressobj(wbits=-12)

    def _tell(self, said: dict[str, Any]) -> None:
        frame = said["response"]
        text = frame["payloadData"].encode() if frame["opcode"] == 1 else b64decode(frame["payloadData"])
        if packing := self._packed.get(said["requestId"]):
            text = packing.compress(text) + packing.flush(zlib.Z_SYNC_FLUSH)
        self._take(said, len(text))


@dataclass(frozen=True)
class FirstVisits:
    """Table of first visits: medians of the page and bare Streamlit."""

    own: list[FirstVisit]
    bare: list[FirstVisit]

    def __str__(self) -> str:
        lines = [
            "",
            "| until the first maps | first paint ms | maps ms | requests | kB |",
            "|---|---|---|---|---|",
        ]
        for name, visits in (("Layerglass", self.own), ("bare Streamlit", self.bare)):
            middle = [
                median(getattr(each, what) for each in visits) for what in ("paint", "maps", "requests")
            ]
            size = median(each.size for each in visits) / 1000
            lines.append(f"| {name} | {middle[0]:.0f} | {middle[1]:.0f} | {middle[2]:.0f} | {size:.0f} |")
        return "\n".join(lines)


@dataclass(frozen=True)
class Row:
    """One line of the table, with all times in milliseconds.

    ``bare`` is measured in turns with ``times``.
    """

    what: str
    goal: float
    times: list[float]
    bare: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        slow = quantiles(self.times, n=20)[-1]
        ratios = [own / bare for own, bare in zip(self.times, self.bare, strict=False)]
        beside = f"{median(self.bare):.0f} | {median(ratios):.2f}" if ratios else "– | –"
        return f"| {self.what} | {median(self.times):.1f} | {slow:.1f} | {self.goal:.0f} | {beside} |"


def flips(page: Page, server: str, rounds: int, **view: str) -> list[float]:
    """Return milliseconds of flips to neighbours that were fetched ahead."""
    visit(page, server, **view)
    times: list[float] = []
    for turn in range(rounds):
        page.wait_for_load_state("networkidle")
        settle(page)
        page.wait_for_timeout(500)
        milliseconds, prefetched = page.evaluate(FLIP, "ArrowRight" if turn % 16 < 8 else "ArrowLeft")
        if prefetched:
            times.append(milliseconds)
    return times


def hovers(page: Page, server: str, rounds: int) -> list[float]:
    """Return milliseconds of moves from one map to another.

    Moves that stay on a map do nothing, and are not counted.
    """
    visit(page, server, **RESNET50)
    page.wait_for_load_state("networkidle")
    return [float(milliseconds) for milliseconds in page.evaluate(HOVER, rounds)]


def pick(page: Page, layer: str) -> float:
    """Return milliseconds from choosing a layer in its box to its maps."""
    settle(page)
    page.wait_for_timeout(400)
    field = box_of(page, "layer")
    field.click()
    field.fill(layer)
    named = re.compile(rf"^{re.escape(layer)}(,|$)")  # the stage's box says more of a layer than its name
    page.get_by_role("option", name=named).first.wait_for()
    page.evaluate(AWAIT, f'.lg-maps[data-layer="{layer}"]')
    page.keyboard.press("Enter")
    return float(page.evaluate("window.shown"))


def point(page: Page, layer: str, rest: float) -> float:
    """Return milliseconds from the click on a tree's row to its maps.

    The pointer rests on the row for ``rest`` milliseconds before.
    """
    settle(page)
    page.wait_for_timeout(400)
    row = page.locator(f'[data-part=tree] li[data-name="{layer}"] > .lg-line')
    page.evaluate(UNFOLD, layer)
    row.scroll_into_view_if_needed()
    page.evaluate(AWAIT, f'.lg-maps[data-layer="{layer}"]')
    row.hover()
    page.wait_for_timeout(rest)
    page.mouse.down()
    page.mouse.up()
    return float(page.evaluate("window.shown"))


def warm(chromium: Browser, server: str) -> None:
    """Look at the layers, so that the server has their values."""
    with visiting(chromium) as page:
        visit(page, server, **UNTRAINED)
        for layer in LAYERS:
            point(page, layer, 0)


def pointed(chromium: Browser, server: str, rounds: int, rest: float) -> list[float]:
    """Picks in the tree by a visitor whose browser has nothing yet."""
    with visiting(chromium) as page:
        visit(page, server, **UNTRAINED)
        return [point(page, layer, rest) for layer in LAYERS[:rounds]]


def picks(chromium: Browser, server: str, bare: Page, rounds: int) -> tuple[list[float], list[float]]:
    """Return milliseconds of picks in the box, and on the bare page.

    The visitor's browser has nothing yet.
    """
    with visiting(chromium) as page:
        visit(page, server, **UNTRAINED)
        pairs = [(pick(page, layer), pick(bare, f"layer{n + 5}")) for n, layer in enumerate(LAYERS[:rounds])]
    return [own for own, _ in pairs], [other for _, other in pairs]


def send(page: Page, seed: int, selector: str) -> float:
    """Return milliseconds from choosing a photo to the selector's element."""
    settle(page)
    page.wait_for_timeout(400)
    page.evaluate(AWAIT, selector)
    upload(page, f"{seed}.jpg", _photo(seed))
    return float(page.evaluate("window.shown"))


def uploads(page: Page, bare: Page, rounds: int) -> tuple[list[float], list[float]]:
    """The first pair warms the upload itself, and is not counted."""
    pairs = []
    for _ in range(rounds + 1):
        seed = next(SEEDS)
        own = send(page, seed, f'.lg-maps[data-layer]:not([data-address*="{subject(page)}"])')
        pairs.append((own, send(bare, seed, f'.lg-maps[data-bytes="{len(_photo(seed))}"]')))
    return [own for own, _ in pairs[1:]], [other for _, other in pairs[1:]]


def first_visit(chromium: Browser, address: str) -> FirstVisit:
    """Measure a first visit on a slow line, until its maps."""
    with visiting(chromium) as page:
        line = page.context.new_cdp_session(page)
        carried = TrafficCounter(line)
        page.add_init_script(FIRST_MAPS)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", SLOW_LINE)
        page.goto(address, wait_until="commit")
        page.locator(".lg-maps").first.wait_for()
        seen, shown = (float(when) for when in page.evaluate(f"[{PAINTED}, window.firstMaps]"))
        return FirstVisit(seen, shown, *carried.until(shown))


def _photo(seed: int) -> bytes:
    return jpeg(photo(seed, (640, 480)))


@contextmanager
def visiting(chromium: Browser) -> Iterator[Page]:
    """A fresh visitor's page, with the script that takes the times."""
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    context.add_init_script(WATCH)
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def measured(chromium: Browser, rounds: int) -> Iterator[Row | FirstVisits]:
    """The table's lines, each as soon as it is measured."""
    with ExitStack() as stack:
        homes = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(2)]
        server, other = stack.enter_context(serving(homes[0])), stack.enter_context(serving(homes[1], BARE))
        bare, page = stack.enter_context(visiting(chromium)), stack.enter_context(visiting(chromium))
        bare.goto(other)
        bare.locator(".lg-maps").wait_for()
        yield Row("flip to a prefetched neighbour, photonet", 16, flips(page, server, 2 * rounds))
        yield Row(
            "flip to a prefetched neighbour, ResNet-50", 16, flips(page, server, 2 * rounds, **RESNET50)
        )
        yield Row("hover over a map, ResNet-50", 8, hovers(page, server, 20 * rounds))
        warm(chromium, server)
        yield Row("pick in the box, at once, ResNet-50", 16, *picks(chromium, server, bare, rounds))
        yield Row("pick in the tree, at once, ResNet-50", 16, pointed(chromium, server, rounds, 0))
        yield Row(
            "pick in the tree, pointed at, ResNet-50", 16, pointed(chromium, server, rounds, POINTED_MS)
        )
        yield Row("upload to first maps, photonet", 500, *uploads(page, bare, rounds))
        visit(page, server, **RESNET50)
        yield Row("upload to first maps, ResNet-50", 500, *uploads(page, bare, rounds))
        visits = [(first_visit(chromium, server), first_visit(chromium, other)) for _ in range(3)]
        own, streamlits = ([pair[side] for pair in visits] for side in (0, 1))
        times = ([visit.maps for visit in each] for each in (own, streamlits))
        yield Row("first visit on a line of 1.6 Mbit/s, 150 ms", 10_000, *times)
        yield FirstVisits(own, streamlits)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="How fast the page answers.")
    parser.add_argument(
        "--rounds", type=int, default=16, help="measurements in each row; flips are twice as many"
    )
    rounds, path = parser.parse_args().rounds, find()
    if path is None:
        sys.exit(ADVICE)
    print("| what | median ms | 19 of 20 under ms | goal ms | bare Streamlit ms | ratio |")
    print("|---|---|---|---|---|---|")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for row in measured(chromium, rounds):
            print(row, flush=True)
        chromium.close()


if __name__ == "__main__":
    main()
