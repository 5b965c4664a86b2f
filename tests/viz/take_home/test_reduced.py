"""Files of a layer as one picture: exact numbers, and figures that say what they show."""

import base64
import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from safetensors import safe_open

from viz.errors import LayoutError, RequestError
from viz.findings.values import LayerValues, Leaf
from viz.maps.reduction.drawing import pixels
from viz.maps.reduction.reduce import REDUCTIONS, ReductionRequest, reduce_maps
from viz.pictures.photo import photograph
from viz.request.arrangement import Arrangement, Lattice
from viz.request.inspection import Inspection
from viz.take_home.card import Origin
from viz.take_home.forms import EXPORTS
from viz.take_home.reduced import ReducedPicture, one_picture, reduced_file
from viz.views.reduced.reduced import reduced_facts

MAPS = np.random.default_rng(0).normal(size=(1, 6, 5, 4)).astype(np.float32)
PLACES = Arrangement((1, 6, 5, 4), (2, 3), (1, 5, 4), lattice=Lattice((1.5, 1.5), (4.0, 4.0)))
WANTED = Inspection("picture", "lenet", "random", "block.conv")
PHOTO = photograph(Image.new("RGB", (80, 40), "navy"))
STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "npz": b"PK"}


def values(array: np.ndarray = MAPS, layer_type: str = "Conv2d") -> LayerValues:
    """A layer's values, whose cells have 4 × 4 pixels of an input of 20 × 16."""
    leaf = Leaf(array, str(array.dtype), arrangement=PLACES if array is MAPS else None)
    return LayerValues("block.conv", layer_type, "cpu", ({"output": leaf},), (20, 16))


def one(how: Any = "l2", **more: Any) -> ReducedPicture:
    """Return that layer as one picture."""
    return one_picture(values(), WANTED, ReductionRequest(how), **more)


def over() -> ReducedPicture:
    """Return the same over a photo of which the model sees 32 × 40 pixels from the 24th on."""
    return one(photo=PHOTO, window=(24, 0, 56, 40))


@pytest.mark.parametrize("how", REDUCTIONS)
def test_an_npz_has_the_exact_numbers_and_what_they_are(how: str) -> None:
    """Bit for bit those of ``reduce_maps``, with channels, shares of variance and the card."""
    expected = reduce_maps(MAPS[0], how)
    with np.load(io.BytesIO(reduced_file("npz", one(how), WANTED))) as file:
        found = dict(file)
    assert list(found) == ["values", "channels", "explained", "how", "card"]
    assert found["values"].tobytes() == expected.values.tobytes()
    assert found["values"].shape == expected.values.shape
    assert tuple(found["channels"]) == expected.channels
    assert tuple(found["explained"]) == expected.explained
    assert found["how"] == how
    card = json.loads(str(found["card"]))
    assert (card["layer"], card["reduction"]) == ("block.conv", how)


def test_safetensors_have_the_same_numbers(tmp_path: Any) -> None:
    """And the card in their metadata."""
    path = tmp_path / "one.safetensors"
    path.write_bytes(reduced_file("safetensors", one("pca"), WANTED))
    with safe_open(path, "np") as file:
        np.testing.assert_array_equal(file.get_tensor("values"), reduce_maps(MAPS[0], "pca").values)
        assert json.loads(file.metadata()["card"])["reduction"] == "pca"


def test_numbers_over_a_photo_have_their_boxes_on_it() -> None:
    """By hand: a pixel of the input is two of the photo's, and the first cell begins at the first pixel."""
    with np.load(io.BytesIO(reduced_file("npz", over(), WANTED))) as file:
        assert file["seen"].tolist() == [24, 0, 56, 40]
        assert file["cells"].tolist() == [24, 0, 56, 40]
    under = over().backdrop
    assert under is not None
    assert under.image is PHOTO.image


def test_the_png_has_a_pixel_for_each_value_unless_it_is_a_figure() -> None:
    """Over a photo it always is one."""
    bare = reduced_file("png", one(), WANTED)
    with Image.open(io.BytesIO(bare)) as picture:
        assert picture.size == (4, 5)
        assert np.array_equal(np.asarray(picture), pixels(one().found))
    for large in (reduced_file("png", one(), WANTED, figure=True), reduced_file("png", over(), WANTED)):
        with Image.open(io.BytesIO(large)) as picture:
            assert picture.width > 500


@pytest.mark.parametrize("more", [{"gradient": 1}, {"show": "difference"}])
def test_a_picture_of_signed_values_has_the_colours_of_the_page(
    more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A norm has no negative values, so those alone do not tell that the maps diverge."""
    asked = replace(WANTED, **more)
    page = base64.b64decode(reduced_facts(values(), asked, ReductionRequest("l2")).picture)
    assert reduced_file("png", one(), asked) == page != reduced_file("png", one(), WANTED)
    drawn: list[Any] = []
    monkeypatch.setattr(
        "viz.take_home.reduced.save_figure",
        lambda figure, _: drawn.append(figure.axes[0].images[0].get_array()) or b"",
    )
    reduced_file("png", one(), asked, figure=True)
    with Image.open(io.BytesIO(page)) as picture:
        np.testing.assert_array_equal(drawn[0], np.asarray(picture))


@pytest.mark.parametrize("form", EXPORTS)
@pytest.mark.parametrize("how", REDUCTIONS)
def test_every_form_is_what_its_name_says(form: str, how: str) -> None:
    """The file's first bytes show its form; for safetensors, those after the header's length."""
    start = reduced_file(form, one(how), WANTED)[:9]
    assert start[8:] == b"{" if form == "safetensors" else start.startswith(STARTS[form])


def test_a_figure_says_exactly_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model, the layer and the picture above; formula, channels and range below, as in the array."""
    texts: list[str] = []
    monkeypatch.setattr(
        "viz.take_home.reduced.save_figure",
        lambda figure, _: texts.extend(text.get_text() for text in figure.texts) or b"",
    )
    reduced_file("pdf", one(), WANTED, model="lenet (trained)", origin=Origin(name="cat"))
    said = " ".join(" ".join(texts).split())
    found = reduce_maps(MAPS[0], "l2").values
    assert "lenet (trained) · block.conv · picture cat" in said
    assert "L2 norm over channels: √(Σ x_c²). All 6 channels. " in said
    assert f"5 × 4 values from {found.min():.4g} to {found.max():.4g}. Source: Zagoruyko" in said


def test_tokens_are_reduced_in_their_places() -> None:
    """A class token, then 4 × 5 patches row by row: the norm of each patch's features."""
    tokens = np.random.default_rng(2).normal(size=(1, 21, 8)).astype(np.float32)
    found = one_picture(
        values(tokens, "LayerNorm"),
        WANTED.__class__("p", "m", "r", "l", kind="tokens"),
        ReductionRequest("l2"),
    )
    norms = np.linalg.norm(tokens[0, 1:].astype(np.float64), axis=1)
    np.testing.assert_allclose(found.found.values.ravel(), norms, rtol=1e-6)


def test_a_table_is_refused_because_one_map_holds_all_channels() -> None:
    """The sentence says what the layer returns."""
    table = values(np.zeros((1, 7, 9), np.float32))
    with pytest.raises(LayoutError, match=r"no maps of channels to reduce.*7 tokens \(down\) by 9 features"):
        one_picture(table, WANTED.__class__("p", "m", "r", "l", kind="table"), ReductionRequest("mean"))


def test_what_reduce_maps_refuses_is_refused() -> None:
    """A channel that is not there."""
    with pytest.raises(RequestError, match="no channel 6"):
        one_picture(values(), WANTED, ReductionRequest("mean", channels=(6,)))
