"""Files that a visitor takes home: the numbers as they were, and figures that open."""

import io
import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from safetensors import safe_open

from viz.errors import CallError, RequestError
from viz.findings.values import LayerValues, Leaf
from viz.pictures.photo import cropped, photograph
from viz.pictures.samples import sample
from viz.request.edit_request import edits_from
from viz.request.inspection import Inspection
from viz.take_home.captions import captions
from viz.take_home.card import Origin, origin_of
from viz.take_home.exports import export
from viz.take_home.forms import EXPORTS
from viz.take_home.overview_figure import overview_figure
from viz.views.overview import thumbnail, thumbnail_facts, thumbnail_png

MAPS = np.random.default_rng(0).normal(size=(1, 3, 5, 4)).astype(np.float32)
STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "npz": b"PK"}
PROJECT = Path(__file__).parents[3] / "pyproject.toml"
HEAD = 8  # bytes of a safetensors file that say how long its header is


def values(*calls: dict[str, Any]) -> LayerValues:
    """A layer's values, given as arrays by their paths for each call."""
    leaves = [{path: Leaf(array, str(array.dtype)) for path, array in call.items()} for call in calls]
    return LayerValues("block.conv", "Conv2d", "cpu", tuple(leaves))


def wanted(**more: Any) -> Inspection:
    """The request for that layer."""
    return Inspection("picture", "lenet", "random", "block.conv", **more)


def arrays(found: LayerValues, **more: Any) -> dict[str, np.ndarray]:
    """Return the arrays that NumPy reads from the file."""
    with np.load(io.BytesIO(export("npz", found, wanted(**more)))) as file:
        return dict(file)


@pytest.mark.parametrize("form", EXPORTS)
def test_every_form_is_what_its_name_says(form: str) -> None:
    """The file's first bytes show its form; for safetensors, those after the header's length."""
    start = export(form, values({"output": MAPS}), wanted())[: HEAD + 1]
    assert start[HEAD:] == b"{" if form == "safetensors" else start.startswith(STARTS[form])


def test_numbers_that_safetensors_lacks_are_refused_with_another_way() -> None:
    """Complex numbers of double precision."""
    with pytest.raises(RequestError, match="complex128: download them as NPZ"):
        export("safetensors", values({"output": MAPS.astype(np.complex128)}), wanted())


def test_the_numbers_are_those_that_the_layer_returned() -> None:
    """Bit for bit, with their dtype and the batch's row, under the path of each tensor."""
    mask = np.array([[True, False]])
    found = arrays(values({"output[0]": MAPS, "output[1]['mask/left']": mask}))
    assert list(found) == ["output[0]", "output[1]['mask/left']", "card"]
    np.testing.assert_array_equal(found["output[0]"], MAPS)
    assert found["output[1]['mask/left']"].dtype == np.bool_


def test_the_numbers_are_those_of_the_call() -> None:
    """We ask for the second call, whose numbers differ from the first's."""
    found = arrays(values({"output": MAPS}, {"output": MAPS + 1}), call=1)
    np.testing.assert_array_equal(found["output"], MAPS + 1)
    with pytest.raises(CallError, match="no call 3"):
        arrays(values({"output": MAPS}, {"output": MAPS}), call=2)


def test_numbers_say_what_they_are_to_readers_without_layerglass(tmp_path: Path) -> None:
    """NumPy reads the card without pickle, safetensors as metadata: both say what was asked for."""
    edits = edits_from("block.conv:scale:0:-2;fc:gradient.zero")
    asked = wanted(call=1, edits=edits, training=7)
    found, words = values({"output": MAPS}, {"output": MAPS + 1}), "short side resized to 32"
    part = cropped(photograph(sample("cat")), "40,0,200,200")
    for form in ("npz", "safetensors"):
        (tmp_path / f"maps.{form}").write_bytes(export(form, found, asked, origin=origin_of(part, words)))
    with np.load(tmp_path / "maps.npz", allow_pickle=False) as file:
        card = json.loads(str(file["card"]))
    with safe_open(tmp_path / "maps.safetensors", "np") as file:
        assert json.loads(file.metadata()["card"]) == card
        np.testing.assert_array_equal(file.get_tensor("output"), MAPS + 1)
    assert (card["model"], card["weights"], card["layer"]) == ("lenet", "random", "block.conv")
    assert (card["call"], card["calls"], card["mode"]) == (2, 2, "training, seed 7")
    assert (card["picture"], card["crop"]) == (photograph(sample("cat")).fingerprint, "40,0,200,200")
    assert card["preprocessing"] == words
    assert card["edits"] == ["block.conv:scale:0:-2"]  # an edit of gradients is not in force here
    assert card["layerglass"] == tomllib.loads(PROJECT.read_text("utf-8"))["project"]["version"]


def test_the_card_says_whether_numbers_are_before_the_edits_or_their_difference() -> None:
    """Before them none is in force."""
    edits, found = edits_from("block.conv:zero:0"), values({"output": MAPS})
    before, difference = (
        json.loads(str(arrays(found, edits=edits, show=show)["card"])) for show in ("before", "difference")
    )
    assert before["edits"] == []
    assert difference["edits"] == ["block.conv:zero:0"]
    assert (before["shows"], difference["shows"]) == ("values", "difference, after − before the edits")


def test_a_figure_names_model_and_layer() -> None:
    """In words, as text."""
    figure = export("svg", values({"output": MAPS}), wanted()).decode()
    assert "lenet" in figure
    assert "block.conv" in figure
    assert "training" not in figure
    assert "training mode, seed 7" in export("svg", values({"output": MAPS}), wanted(training=7)).decode()


EDITED = {"edits": edits_from("block.conv:zero:0")}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, ""),
        (EDITED | {"show": "before"}, " · original, before the edits"),
        (EDITED, " · edited: block.conv:zero:0"),
        (EDITED | {"show": "difference"}, " · difference, edited minus original: block.conv:zero:0"),
        ({"training": 7}, " · training mode, seed 7"),
    ],
)
def test_a_figure_says_what_it_shows(more: dict[str, Any], said: str) -> None:
    """Model, layer, call, picture, and how: no two of these figures have the same title."""
    origin = Origin("0123456789abcdef", "40,0,200,200", name="cat.png")
    found, asked = values({"output": MAPS}, {"output": MAPS}), wanted(call=1, **more)
    figure = export("svg", found, asked, origin=origin, model="lenet (untrained)").decode()
    lines = re.findall("<!-- (.*) -->", figure)
    title = f"lenet (untrained) · block.conv, call 2 of 2 · picture cat.png, part 40,0,200,200{said}"
    assert title in " ".join(lines)
    assert "picture 01234567 ·" in f"{' · '.join(captions(asked, replace(origin, name='', crop='')))} ·"


@pytest.mark.parametrize(("dtype", "said"), [(np.complex64, "3 × 4, magnitudes"), (np.float32, "3 × 4")])
def test_all_layers_say_which_maps_are_magnitudes(dtype: type, said: str) -> None:
    """A complex value has no colour of its own: on the page, in its data, and on the figure."""
    given = np.zeros((1, 3, 4), dtype)
    given[0, 1, 2] = -3
    found = thumbnail(values({"output": given}), wanted())
    assert found.magnitudes == thumbnail_facts(found).magnitudes == np.iscomplexobj(given)
    assert overview_figure([found]).axes[0].get_title().endswith(f"\n{said}")
    if found.magnitudes:
        assert (found.map.min(), found.map.max()) == (0, 3)


@pytest.mark.parametrize("colormap", ["auto", "auto-on-dark", "hot"])
@pytest.mark.parametrize("limits", [None, (-3.0, 9.0)])
def test_all_layers_have_the_colours_of_the_page(colormap: str, limits: tuple[float, float] | None) -> None:
    """NaN is magenta, and a place behind the last single value transparent, by the name of any colormap."""
    odd = MAPS.copy()
    odd[0, :, 1, 2] = np.nan
    thumbs = [thumbnail(values({"output": array}), wanted()) for array in (odd, np.arange(7.0)[None])]
    figure = overview_figure(thumbs, colormap=colormap, limits=limits)
    for axes, thumb in zip(figure.axes, thumbs, strict=False):
        with Image.open(io.BytesIO(thumbnail_png(thumb, colormap, limits))) as page:
            np.testing.assert_array_equal(axes.images[0].get_array(), np.asarray(page.convert("RGBA")))


def test_a_figure_names_the_tensor_that_was_chosen() -> None:
    """Of a layer that returns two."""
    found = values({"output[0]": MAPS, "output[1]": MAPS})
    assert (
        "block.conv, output[1] · picture picture" in export("svg", found, wanted(leaf="output[1]")).decode()
    )


def test_the_same_request_gives_the_same_file() -> None:
    """No dates, no random names: two figures can be compared."""
    for form in EXPORTS:
        first, second = (export(form, values({"output": MAPS}), wanted()) for _ in range(2))
        assert first == second


def test_a_figure_follows_the_wishes() -> None:
    """Another colormap, another scale: another figure; an unknown one is refused."""
    found = values({"output": MAPS})
    plain = export("png", found, wanted())
    assert export("png", found, wanted(colormap="hot")) != plain
    assert export("png", found, wanted(scale="channel")) != plain
    with pytest.raises(RequestError, match="colormap"):
        export("png", found, wanted(colormap="virids"))


def test_a_figure_says_percentiles_only_where_they_clip() -> None:
    """Of values that nearly all are zero both are zero, and the colours span all values."""
    sparse = np.zeros((1, 2, 10, 10), np.float32)
    sparse[0, 1, 3, 4] = 5
    dense = np.random.default_rng(1).normal(size=sparse.shape)
    for array, said in ((dense, True), (sparse, False)):
        figure = export("svg", values({"output": array}), wanted(scale="clipped")).decode()
        assert ("99th percentile" in " ".join(re.findall("<!-- (.*) -->", figure))) == said


def test_a_figure_says_that_its_colours_are_stretched() -> None:
    """They are not those that a reader expects between the ends of the bar."""
    for colormap, said in (("auto_root", True), ("viridis", False)):
        figure = export("svg", values({"output": MAPS}), wanted(colormap=colormap)).decode()
        assert ("square root of the distance" in " ".join(re.findall("<!-- (.*) -->", figure))) == said


def test_an_unknown_form_is_refused() -> None:
    """The error lists the known forms."""
    with pytest.raises(RequestError, match="png"):
        export("tiff", values({"output": MAPS}), wanted())


def test_a_png_figure_opens() -> None:
    """Larger than the maps, which have one pixel for each value."""
    with Image.open(io.BytesIO(export("png", values({"output": MAPS}), wanted()))) as figure:
        figure.load()
        assert figure.width > 100
