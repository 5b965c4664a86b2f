"""A figure's columns and pictures, from the look's text."""

import pytest

from viz.errors import RequestError
from viz.request.figure import MOST_COLUMNS, FigureColumn, columns_in, pictures_in


def test_columns_are_models_weights_layers_and_calls() -> None:
    """A name may have what separates them, percent-encoded, as the browser writes it."""
    text = "lenet:pretrained:conv2;timm%2Fresnet18:random:layer1.0%20%E2%80%BA%20add@2;a%3Ab:random:c%3Bd%40e"
    assert columns_in(text) == (
        FigureColumn("lenet", "pretrained", "conv2", 0),
        FigureColumn("timm/resnet18", "random", "layer1.0 › add", 1),
        FigureColumn("a:b", "random", "c;d@e", 0),
    )


@pytest.mark.parametrize(
    "text", ["", ";", "lenet", "lenet:own:conv2", "lenet:random:", "a:random:b@0", "a:random:b:c"]
)
def test_what_cannot_be_a_column_is_named(text: str) -> None:
    """Of none at all it is said how many there may be."""
    with pytest.raises(
        RequestError, match="1 to 8 columns" if not text.strip(";") else "as a column of a figure"
    ):
        columns_in(text)


def test_there_are_a_few_columns_and_pictures() -> None:
    """As many as a person looks at."""
    columns = ["lenet:pretrained:conv1"] * MOST_COLUMNS
    assert len(columns_in(";".join(columns))) == MOST_COLUMNS
    with pytest.raises(RequestError, match="1 to 8 columns"):
        columns_in(";".join([*columns, columns[0]]))
    assert pictures_in("") == ()
    assert pictures_in("cat,coffee") == ("cat", "coffee")
    with pytest.raises(RequestError, match="1 to 4 pictures"):
        pictures_in("cat,coffee,brick,grass,coins")
