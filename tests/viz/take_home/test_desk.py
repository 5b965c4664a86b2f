"""The desk of a figure: titles, row names and the part of a photo that models saw."""

import numpy as np
import pytest
from PIL import Image

from viz.errors import RequestError
from viz.pictures.photo import Photo, photograph
from viz.take_home.desk import heads_of, photo_panel, row_names


def photo() -> Photo:
    """A picture of 8 × 6 pixels, each different."""
    return photograph(Image.fromarray(np.arange(8 * 6 * 3, dtype=np.uint8).reshape(6, 8, 3)))


@pytest.mark.parametrize(
    ("names", "heads"),
    [
        ([("lenet", "conv1"), ("lenet", "conv2")], ["conv1", "conv2"]),
        ([("lenet", "conv1"), ("photonet", "conv1")], ["lenet", "photonet"]),
        ([("lenet", "conv1"), ("photonet", "stem")], ["lenet · conv1", "photonet · stem"]),
        ([("lenet", "conv1")], ["lenet · conv1"]),
    ],
)
def test_a_title_says_what_differs_between_the_columns(
    names: list[tuple[str, str]], heads: list[str]
) -> None:
    """Both are said where both do, and beside nothing to differ from."""
    assert heads_of(names) == heads


def test_titles_are_as_many_as_columns_and_in_letters_of_the_font() -> None:
    """The letter that the font lacks is named."""
    names = [("lenet", "conv1"), ("lenet", "conv2")]
    assert heads_of(names, ["edges", "shapes"]) == ["edges", "shapes"]
    with pytest.raises(RequestError, match="1 titles for 2"):
        heads_of(names, ["edges"])
    with pytest.raises(RequestError, match="no letter '形'"):
        heads_of(names, ["edges", "形"])


def test_rows_are_named_if_there_are_several() -> None:
    """A name that the font may lack stands as a number."""
    assert row_names(["cat"]) == []
    assert row_names(["cat", "", "dog"]) == ["cat", "picture 2", "dog"]


def test_beside_bare_maps_stands_the_part_that_all_models_saw() -> None:
    """The whole photo where they saw several parts, none that is known, or more than there is."""
    whole = photo()
    seen = photo_panel("picture cat", whole, [(1.0, 0.0, 7.0, 6.0)] * 2, over=False)
    assert seen.what == "the part of picture cat that the models saw"
    assert np.array_equal(np.asarray(seen.image), np.asarray(whole.image)[:, 1:7])
    for windows in (
        [(1.0, 0.0, 7.0, 6.0), (0.0, 0.0, 6.0, 6.0)],
        [(1.0, 0.0, 7.0, 6.0), ()],
        [(-1.0, 0.0, 9.0, 6.0)],
    ):
        found = photo_panel("picture cat", whole, windows, over=False)
        assert (found.what, found.image) == ("picture cat", whole.image)
    assert photo_panel("picture cat", whole, [(1.0, 0.0, 7.0, 6.0)], over=True).image is whole.image
