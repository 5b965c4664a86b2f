"""The file that needs nothing else, read without a browser; ``tests/browser/test_take_home.py`` opens it."""

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from viz.answers.offline import DrawnSheet, OfflineFile, OfflineSheet
from viz.findings.values import LayerValues, Leaf
from viz.request.inspection import Inspection
from viz.take_home.album import Sheet, sheets_of
from viz.take_home.standalone import POLICY, SideFacts, smallest_first, standalone_page
from viz.ui.browser.modules import BROWSER, offline_script
from viz.ui.locale.words import FILE_WORDS, file_words

HOSTILE = '</script><script>alert(1)</script>&"<!--'
ENGLISH = file_words("en")
SCRIPT = offline_script()
MODULES = [
    *(BROWSER / f"offline/{name}.js" for name in ("offline", "file_colours")),
    *(BROWSER / f"maps/{name}.js" for name in ("figures", "mosaic", "shape")),
]


def sheet(array: np.ndarray, name: str = "conv", **more: Any) -> Sheet:
    """One layer that returned this."""
    values = LayerValues(name, "Conv2d", "cpu", ({"output": Leaf(array, str(array.dtype))},))
    return next(sheets_of(values, Inspection("picture", "net", "random", name, **more)))


def noise(*shape: int) -> np.ndarray:
    """Numbers of both signs."""
    return np.random.default_rng(0).normal(size=(1, *shape)).astype(np.float32)


def file_of(sheets: list[Sheet], **more: Any) -> bytes:
    """The file, as the page writes it."""
    return standalone_page(sheets, **{"title": "net", "words": ENGLISH, "script": SCRIPT} | more)


def data(page: bytes) -> dict[str, Any]:
    """Return the file's data for its script; all of it is what its structs say, and nothing more."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.decode(), re.DOTALL)
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    msgspec.convert(read | {"sheets": []}, OfflineFile)
    for each in read["sheets"]:
        msgspec.convert(each, DrawnSheet if "png" in each else OfflineSheet)
    return read


def test_the_file_holds_the_values_and_the_limits_of_each_tile() -> None:
    """Bit for bit, with one range each where channels have their own."""
    array = noise(5, 4, 3)
    found = data(file_of([sheet(array, scale="channel", order="mean")]))
    (one,) = found["sheets"]
    order = np.argsort(-array[0].mean((1, 2)), kind="stable")
    assert one["order"] == order.tolist()
    values = np.frombuffer(base64.b64decode(one["values"]), "<f4").reshape(5, 4, 3)
    np.testing.assert_array_equal(values, array[0, order])
    reach = abs(array[0]).max((1, 2))[order]
    np.testing.assert_allclose(one["high"], reach, rtol=1e-5)
    np.testing.assert_allclose(one["each"]["mean"], array[0].mean((1, 2))[order], rtol=1e-4, atol=1e-6)


def test_the_file_opens_on_what_was_looked_at() -> None:
    """The second call of a layer, and the channel, which need not be the first map; else the first of all."""
    values = LayerValues(
        "relu", "ReLU", "cpu", tuple({"output": Leaf(noise(3, 2, 2), "float32")} for _ in "ab")
    )
    sheets = [sheet(noise(2, 2, 2)), *sheets_of(values, Inspection("picture", "net", "random", "relu"))]
    found = data(file_of(sheets, beside=SideFacts(layer="relu", call=1, channel=2)))
    assert (found["first"], found["channel"], found["sheets"][2]["name"]) == (2, 2, "relu (2/2)")
    assert data(file_of(sheets, beside=SideFacts(layer="left.out")))["first"] == 0


def test_the_file_says_what_was_guessed_and_what_its_layers_do() -> None:
    """Only the types of layer that are in the file are explained."""
    kinds = {"Conv2d": "Slides windows.", "ReLU": "Cuts off."}
    beside = SideFacts(top=[("cat", 0.75), ("dog", 0.25)], untrained=True, kinds=kinds)
    found = data(file_of([sheet(noise(2, 2, 2))], beside=beside))
    assert found["top"] == [{"label": "cat", "share": 0.75}, {"label": "dog", "share": 0.25}]
    assert found["untrained"] is True
    assert found["kinds"] == {"Conv2d": "Slides windows."}


def test_nothing_is_loaded_from_anywhere() -> None:
    """The file has no address in it, imports nothing, and has a policy that forbids loading."""
    page = file_of([sheet(noise(2, 3, 3))], beside=SideFacts(seen=b"png")).decode()
    assert POLICY in page
    assert not re.findall(
        r"https?:|//\w+\.\w|@import|src=[\"'](?!data:)|href=|fetch\(|^import", page, re.MULTILINE
    )


def test_names_cannot_break_out_of_the_file() -> None:
    """Neither a layer's name nor the title can."""
    page = file_of([sheet(noise(1, 2, 2), name=HOSTILE)], title=HOSTILE)
    assert page.decode().count("</script>") == 2
    assert "<script>alert" not in page.decode()
    assert data(page)["sheets"][0]["name"] == HOSTILE


def test_what_is_not_finite_is_plain_json() -> None:
    """NaN and infinities are counted; without a finite value, the limits are null."""
    array = np.array([[[[np.nan, np.inf], [-np.inf, np.nan]]]], np.float32)
    (one,) = data(file_of([sheet(array)]))["sheets"]
    assert (one["figures"]["nan"], one["figures"]["minimum"], one["each"]["mean"]) == (2, None, [None])


def test_the_smallest_layers_are_written_in_full() -> None:
    """As many as there is room for."""
    sheets = [sheet(noise(channels, 10, 10)) for channels in (4, 1, 3, 2)]
    assert smallest_first(sheets, 600) == {1, 3, 2}
    assert smallest_first(sheets, 50) == set()


def test_the_script_uses_words_that_exist_and_no_word_is_idle() -> None:
    """The file holds only the words that its script uses."""
    said = "".join(path.read_text("utf-8") for path in MODULES if path.stem in {"offline", "figures"})
    assert set(re.findall(r"\bwords\.(\w+)", said)) == set(FILE_WORDS)


def _without_comments(text: str) -> Iterator[str]:
    """The lines that are neither empty nor only a comment, without the comments beside their code."""
    inside = False
    for line in text.splitlines():
        code_follows = "*/" in line and not line.rstrip().endswith("*/")
        inside = inside or (line.lstrip().startswith("/**") and not code_follows)
        if line.strip() and not inside and not line.lstrip().startswith("//"):
            yield re.sub(r"/\*\* .*? \*/ |\s+// [^\"'`]*$", "", line)
        inside = inside and "*/" not in line


def test_numbers_and_shapes_are_written_as_on_the_page() -> None:
    """By the page's own functions: the file has the lines of the modules that its script reaches.

    Comments are left out of it, and the indentation.
    """
    lines = [line.strip() for path in MODULES for line in _without_comments(path.read_text("utf-8"))]
    own = [line.removeprefix("export ") for line in lines if not line.startswith("import ")]
    written = [
        line.strip()
        for line in SCRIPT.splitlines()
        if line and not re.match(r"const m\d|const \{.*\} = m\d|return \{.*\}; \}\)", line)
    ]
    assert "export function readable(number) {" in lines
    assert sorted(written) == sorted(own)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_file_speaks_its_readers_language(language: str) -> None:
    """It also tells screen readers its language."""
    words = file_words(language)
    page = file_of([sheet(noise(1, 2, 2))], words=words, language=language)
    assert f'<html lang="{language}">' in page.decode()
    assert data(page)["words"] == words
