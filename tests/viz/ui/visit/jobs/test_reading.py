"""Visitors' files through the reading processes: the same pictures and weights, and room for all visitors."""

import pytest
import safetensors.torch
import torch
from PIL import Image
from torch import nn

from models import OwnWeightsError
from models.own.uploaded_state import tensors
from tests.browser.pictures import photo as noise
from tests.browser.pictures import png
from tests.models.own.opening.test_outline import exported, script, shards, zipped
from tests.models.uploads import saved
from viz.errors import ImageError, RequestError
from viz.pictures.images import read_image
from viz.pictures.photo import cropped, photograph
from viz.ui.visit.jobs import reading
from viz.ui.visit.jobs.reading import crop_photo, read_photo, read_weights


@pytest.mark.parametrize("mode", ["RGB", "L", "RGBA", "1", "P"])
def test_a_picture_is_the_one_that_is_read_in_the_page(mode: str) -> None:
    """Its pixels are the same, and so is its content address."""
    data = png(noise(4).convert(mode))
    assert read_photo(data, "ann") == photograph(read_image(data))


def test_a_bad_picture_says_what_it_would_say_in_the_page() -> None:
    """In the same words, which are also there in Chinese."""
    for data in (b"", b"Shopping list", b"\x89PNG\r\n\x1a\nx"):
        with pytest.raises(ImageError) as here:
            read_image(data)
        with pytest.raises(ImageError) as there:
            read_photo(data, "ann")
        assert str(here.value) == str(there.value)


def test_weights_are_the_ones_in_the_file_bit_for_bit() -> None:
    """We read a file of today's format and one with an unusual type."""
    state = {"a": torch.randn(3, 4), "b": torch.arange(5, dtype=torch.bfloat16)}
    data = safetensors.torch.save(state)
    found = tensors(*read_weights(data, "ann"))
    assert all(torch.equal(found[name], value) for name, value in state.items())
    with pytest.raises(OwnWeightsError, match="neither a safetensors file"):
        read_weights(b"a text", "ann")


def test_weights_come_out_of_whole_modules_programs_and_shards() -> None:
    """Numbers are those of the net that was saved, under its names, in each of four forms."""
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.LazyLinear(2))
    net(torch.zeros(1, 3, 8, 8))
    state = net.state_dict()
    for data in (saved({"ema": net}, legacy=True), script(net), exported(net), zipped(shards(state))):
        held, table = read_weights(data, "ann")
        found = {name.removeprefix("ema/"): value for name, value in tensors(held, table).items()}
        assert found.keys() == state.keys()
        assert all(torch.equal(found[name], value) for name, value in state.items())


def test_pictures_of_all_visitors_have_a_bound_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that nobody holds any longer makes room for the next."""
    monkeypatch.setattr(reading, "most_of_all", lambda: 3 * (100 * 100 * 3))
    monkeypatch.setattr(reading, "_living", type(reading._living)())
    files = [png(Image.new("RGB", (100, 100), colour)) for colour in ("red", "green", "blue", "white")]
    held = [read_photo(data, f"visitor {place}") for place, data in enumerate(files[:3])]
    with pytest.raises(ImageError, match="try later"):
        read_photo(files[3], "ann")
    del held[0]
    assert read_photo(files[3], "ann").image.size == (100, 100)


def test_crops_count_among_the_pictures_of_all_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal crops of two visitors are two; of a sample, too. All of a picture is the picture."""
    monkeypatch.setattr(reading, "most_of_all", lambda: 2 * (100 * 50 * 3))
    monkeypatch.setattr(reading, "_living", type(reading._living)())
    sample = photograph(Image.new("RGB", (100, 100)))
    held = [crop_photo(sample, "0,10,100,50") for _ in range(2)]
    assert held == [cropped(sample, "0,10,100,50")] * 2
    with pytest.raises(RequestError, match="this crop has to wait: try later"):
        crop_photo(sample, "0,0,3,3")
    with pytest.raises(ImageError, match="try later"):
        read_photo(png(Image.new("RGB", (9, 9))), "ann")
    assert crop_photo(sample, "0,0,100,100") is sample
    del held[0]
    assert crop_photo(sample, "0,0,3,3").image.size == (3, 3)


def test_reading_what_takes_too_much_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures and weights each have their own sentence."""
    monkeypatch.setattr(reading, "PICTURE", reading.Bounds(1, 1_000_000))
    with pytest.raises(ImageError, match="more time or memory than is allowed: save it again"):
        read_photo(png(Image.new("RGB", (3000, 3000))), "ann")
    state = {"a": torch.zeros(10_000_000)}
    monkeypatch.setattr("viz.reader.bounds.WEIGHTS_MEMORY", -3 * 40_000_000)
    with pytest.raises(OwnWeightsError, match="more time or memory than is allowed"):
        read_weights(safetensors.torch.save(state), "ann")
