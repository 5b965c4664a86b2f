import base64
import re
from io import BytesIO

import numpy as np
import pytest
import torch
from PIL import Image
from torch import nn

from tests.viz.nets import Plain
from viz.hooks.activations import LayerActivations
from viz.hooks.records import Call, LayerRecord
from viz.maps.mosaic import render_mosaic
from viz.representations.html import MOST_BYTES, MOST_ROWS, html_of

PICTURE = re.compile(r'src="data:image/png;base64,([^"]+)"')
ROW = re.compile(r"<tr>(<td.*?)</tr>")


def shown(value: object) -> str:
    """The HTML that a notebook asks a value for."""
    return value._repr_html_()


def pixels(html: str) -> list[np.ndarray]:
    """The pictures of a table (height, width, 4)."""
    files = [base64.b64decode(found) for found in PICTURE.findall(html)]
    return [np.asarray(Image.open(BytesIO(file)).convert("RGBA")) for file in files]


def test_a_record_is_a_table_with_a_row_and_the_maps_of_each_layer(images: torch.Tensor) -> None:
    """Name, class and shape of four layers; the picture is that of the first input's maps side by side."""
    model = Plain()
    layers = LayerActivations(model, "cpu")
    with layers.capture() as record:
        layers.run(images)
    html = shown(record)
    rows = [re.sub(r"<[^>]*>", " ", row).split(maxsplit=2) for row in ROW.findall(html)]
    assert [row[:2] for row in rows] == [[name, type(each).__name__] for name, each in model.named_children()]
    assert rows[0][2].strip() == "(2, 4, 6, 6)"
    with torch.no_grad():
        by_hand = model.conv1(images)[0].numpy()
    expected = Image.open(BytesIO(render_mosaic(by_hand, columns=4).png)).convert("RGBA")
    assert np.array_equal(pixels(html)[0], np.asarray(expected))


def test_names_of_others_cannot_become_elements(images: torch.Tensor) -> None:
    """A layer whose name and class are HTML is shown as text; so is a call that returned text."""
    evil = type("<script>alert(1)</script>", (nn.Identity,), {})
    model = nn.Sequential()
    model.add_module("<img src=x onerror=alert(1)>", evil())
    layers = LayerActivations(model, "cpu")
    with layers.capture() as record:
        layers.run(images)
    word = LayerRecord("<b onclick=x>")
    word.append(Call("</td><script>x</script>"))
    for value in (record, record[0], layers, word, word[0], Call({"<i>": torch.ones(2)})):
        html = PICTURE.sub("", shown(value))
        assert set(re.findall(r"<(\w+)", html)) <= {
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
            "img",
            "b",
            "p",
        }
        assert "onerror=alert(1)>" not in html
        assert "<b onclick" not in html
        assert "<script" not in html


def test_a_large_record_stays_within_its_bounds() -> None:
    """1,500 layers of noise, which no compression shrinks: rows and bytes of pictures end where they say."""
    layers = LayerActivations(nn.Sequential(*(nn.Identity() for _ in range(1500))), "cpu")
    with layers.capture() as record:
        layers.run(torch.randn(1, 8, 64, 64))
    html = shown(record)
    assert len(ROW.findall(html)) == MOST_ROWS
    assert "… and 500 more" in html
    assert len(pixels(html)) > 50
    assert sum(len(base64.b64decode(found)) for found in PICTURE.findall(html)) <= MOST_BYTES
    assert len(html) < 2_500_000


def test_what_cannot_be_drawn_has_a_row_without_a_picture() -> None:
    """Words, nothing at all, no numbers: the table is there."""
    record = LayerRecord("odd")
    for output in ("word", None, torch.ones(0, 3), torch.ones(2, 2, device="meta")):
        record.append(Call(output))
    html = shown(record)
    assert len(ROW.findall(html)) == 4
    assert pixels(html) == []


def test_tensors_of_every_sort_have_a_row() -> None:
    """Sparse, complex and half ones are drawn; nested ones have no shape and no picture."""
    nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged)
    record = LayerRecord("sorts")
    for output in (
        torch.rand(2, 3, 4).to_sparse(),
        torch.rand(1, 3, 4, dtype=torch.complex64),
        torch.rand(1, 3, 4).half(),
        nested,
    ):
        record.append(Call(output))
    html = shown(record)
    assert len(ROW.findall(html)) == 4
    assert len(pixels(html)) == 3
    assert "nested" in repr(record)


def test_the_tree_has_the_shapes_of_a_record_that_is_still_held(images: torch.Tensor) -> None:
    """They are forgotten with it: layers hold no values."""
    layers = LayerActivations(Plain(), "cpu")
    assert "conv1  Conv2d" in repr(layers)
    with layers.capture("conv1") as record:
        layers.run(images)
    assert "(2, 4, 6, 6)" in repr(layers)
    assert "(2, 4, 6, 6)" in shown(layers)
    del record
    assert "(2, 4, 6, 6)" not in repr(layers)


@pytest.mark.parametrize("count", [3, 5000])
def test_plain_text_is_one_screen(count: int) -> None:
    """Of records, layers and calls, however many there are; lines are not wider than a terminal, by far."""
    layers = LayerActivations(nn.Sequential(*(nn.Sequential(nn.ReLU()) for _ in range(count))), "cpu")
    with layers.capture() as record:
        layers.run(torch.ones(1, 2))
    many = LayerRecord("many")
    for _ in range(count):
        many.append(Call([torch.ones(1, 2)] * count))
    for value in (layers, record, many, many[0]):
        assert len(repr(value).splitlines()) <= 42
        assert len(repr(value)) < 4000


def test_a_row_of_text_says_how_often_a_layer_ran() -> None:
    """A layer that runs twice, and one that never does."""
    twice = nn.ReLU()
    layers = LayerActivations(nn.Sequential(twice, nn.Flatten(), twice), "cpu")
    with layers.capture() as record:
        layers.run(torch.ones(1, 2, 3), until=("1"))
        assert repr(record) == "Record of 2 layers\n  0  (1, 2, 3)\n  1  (1, 6)"
        layers.run(torch.ones(1, 2, 3))
    assert repr(record).splitlines()[1] == "  0  (1, 2, 3); (1, 2, 3); (1, 6)"


def test_other_values_are_their_text() -> None:
    """Escaped too."""
    assert html_of("<b>") == "<pre>&#x27;&lt;b&gt;&#x27;</pre>"
