"""The file that needs nothing else, read without a browser; ``tests/browser/test_take_home.py`` opens it."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import viz
from viz.passes.forward import LayerValues, Leaf
from viz.request.inspection import Inspection
from viz.take_home.album import Sheet, sheets_of
from viz.take_home.standalone import POLICY, smallest_first, standalone_page
from viz.ui.locale.words import FILE_WORDS, file_words

HOSTILE = '</script><script>alert(1)</script>&"<!--'
ENGLISH = file_words("en")


def sheet(array: np.ndarray, name: str = "conv", **more: Any) -> Sheet:
    """One layer that returned this."""
    values = LayerValues(name, "Conv2d", "cpu", ({"output": Leaf(array, str(array.dtype))},))
    return next(sheets_of(values, Inspection("picture", "net", "random", name, **more)))


def noise(*shape: int) -> np.ndarray:
    """Numbers of both signs."""
    return np.random.default_rng(0).normal(size=(1, *shape)).astype(np.float32)


def data(page: bytes) -> dict[str, Any]:
    """What stands in the file for its script."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.decode(), re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


def test_the_file_holds_the_values_and_the_limits_of_each_tile() -> None:
    """Bit for bit, with one range each where channels have their own."""
    array = noise(5, 4, 3)
    found = data(standalone_page([sheet(array, scale="channel", order="mean")], title="net", words=ENGLISH))
    (one,) = found["sheets"]
    order = np.argsort(-array[0].mean((1, 2)), kind="stable")
    assert one["order"] == order.tolist()
    values = np.frombuffer(base64.b64decode(one["values"]), "<f4").reshape(5, 4, 3)
    np.testing.assert_array_equal(values, array[0, order])
    reach = abs(array[0]).max((1, 2))[order]
    np.testing.assert_allclose(one["high"], reach, rtol=1e-5)
    np.testing.assert_allclose(one["each"]["mean"], array[0].mean((1, 2))[order], rtol=1e-4, atol=1e-6)


def test_nothing_is_loaded_from_anywhere() -> None:
    """The file has no address in it, and a policy that forbids loading."""
    page = standalone_page([sheet(noise(2, 3, 3))], title="net", words=ENGLISH, seen=b"png").decode()
    assert POLICY in page
    assert not re.findall(r"https?:|//\w+\.\w|@import|src=[\"'](?!data:)|href=", page)


def test_names_cannot_break_out_of_the_file() -> None:
    """Neither a layer's name nor the title can."""
    page = standalone_page([sheet(noise(1, 2, 2), name=HOSTILE)], title=HOSTILE, words=ENGLISH)
    assert page.decode().count("</script>") == 2
    assert "<script>alert" not in page.decode()
    assert data(page)["sheets"][0]["name"] == HOSTILE


def test_what_is_not_finite_is_plain_json() -> None:
    """NaN and infinities are counted; without a finite value, the limits are null."""
    array = np.array([[[[np.nan, np.inf], [-np.inf, np.nan]]]], np.float32)
    (one,) = data(standalone_page([sheet(array)], title="net", words=ENGLISH))["sheets"]
    assert (one["figures"]["nan"], one["figures"]["minimum"], one["each"]["mean"]) == (2, None, [None])


def test_the_smallest_layers_are_written_in_full() -> None:
    """As many as there is room for."""
    sheets = [sheet(noise(channels, 10, 10)) for channels in (4, 1, 3, 2)]
    assert smallest_first(sheets, 600) == {1, 3, 2}
    assert smallest_first(sheets, 50) == set()


def test_the_script_uses_words_that_exist_and_no_word_is_idle() -> None:
    """The file holds only the words that its script uses."""
    script = (Path(viz.__file__).parent / "take_home" / "standalone.js").read_text("utf-8")
    assert set(re.findall(r"\bwords\.(\w+)", script)) == set(FILE_WORDS)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_file_speaks_its_readers_language(language: str) -> None:
    """It also tells screen readers its language."""
    words = file_words(language)
    page = standalone_page([sheet(noise(1, 2, 2))], title="net", words=words, language=language)
    assert f'<html lang="{language}">' in page.decode()
    assert data(page)["words"] == words
