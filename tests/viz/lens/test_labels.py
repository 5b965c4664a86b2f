"""Labels: by folders, by a file, and what is said when they do not match."""

from pathlib import Path

import pytest

from viz.errors import RequestError
from viz.lens.labels import by_folder, labels_for, labels_in, labels_of

PICTURES = ("cat/1.png", "cat/below/2.png", "dog/3.png", "4.png")


def test_the_first_folder_is_the_class() -> None:
    """A picture outside of all folders has none, and that is said."""
    found = by_folder(PICTURES)
    assert (found.classes, found.numbers.tolist(), found.counts.tolist()) == (
        ("cat", "dog"),
        [0, 0, 1, -1],
        [2, 1],
    )
    assert found.remarks == ("one picture of 4 without a class, such as 4.png",)
    assert by_folder(PICTURES[:3]).remarks == ()


def test_one_class_is_too_few_and_that_is_said() -> None:
    """Of a flat folder too."""
    assert by_folder(["1.png", "2.png"]).remarks[0].startswith("0 classes, and two are needed")
    one = by_folder(["a/1.png", "a/2.png"])
    assert not one.enough
    assert one.remarks[0].startswith("one class, and two are needed")


def test_a_file_says_the_classes(tmp_path: Path) -> None:
    """In any order of columns, with Windows's paths and a byte order mark; what does not match is told."""
    file = tmp_path / "any.csv"
    file.write_text(
        "label,note,picture\nold,,cat/1.png\nnew,,./cat\\below\\2.png\n,,4.png\nnew,,gone.png\n", "utf-8-sig"
    )
    found = labels_for(PICTURES, tmp_path, file)
    assert (found.classes, found.numbers.tolist()) == (("new", "old"), [1, 0, -1, -1])
    assert found.remarks == (
        "2 pictures of 4 without a class, such as dog/3.png, 4.png",
        "one label of pictures that the capture lacks, such as gone.png",
    )


def test_a_file_beside_the_capture_comes_before_folders(tmp_path: Path) -> None:
    """It is called labels.csv."""
    assert labels_for(PICTURES, tmp_path).classes == ("cat", "dog")
    (tmp_path / "labels.csv").write_text("picture,label\n4.png,a\ndog/3.png,b\n")
    assert labels_for(PICTURES, tmp_path).classes == ("a", "b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("picture,class\n1,2\n", "has no column label"),
        ("", "has no column picture or label"),
        (
            "picture,label\nno.png,a\nnever.png,b\n",
            r"none of 2 labels .* has no.png, never.png, the capture cat/1",
        ),
        ("picture,label\n", "none of 0 labels"),
        ("picture,label\n4.png,a\n4.png,b\n", "gives 4.png two labels, a and b"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    """With examples of both sides where nothing matches."""
    file = tmp_path / "labels.csv"
    file.write_text(text)
    with pytest.raises(RequestError, match=said):
        labels_for(PICTURES, tmp_path, file)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Not there, a folder, a picture, a field without end."""
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    (tmp_path / "long.csv").write_text(f"picture,label\n{'x' * 200_000},y\n")
    for name in ("gone.csv", ".", "picture.png", "long.csv"):
        with pytest.raises(RequestError, match=r"cannot read .* as a table of labels") as refused:
            labels_for(PICTURES, tmp_path, tmp_path / name)
        assert str(tmp_path.parent) not in str(refused.value)


def test_a_table_may_name_less_of_a_path_where_that_is_clear() -> None:
    """Its own name, or some folders before it; where it could be two pictures, it is none."""
    paths = ("pets/cats/1.png", "pets/dogs/1.png", "pets/dogs/2.png", "2.png", "3.png")
    said = {"cats/1.png": "a", "1.png": "b", "dogs/2.png": "c", "2.png": "d", "gone/3.png": "e"}
    assert labels_of(paths, said) == ["a", "", "c", "d", ""]
    assert labels_of(paths, {"1.png": "b", "pets/dogs/1.png": "f"}) == ["", "f", "", "", ""]


def test_many_columns_in_few_lines_take_no_time() -> None:
    """Fifty thousand columns times as many lines would be billions of values: only two columns are read."""
    wide = "picture,label," + ",".join(map(str, range(50_000)))
    said = labels_in("\n".join([wide, *("x" for _ in range(50_000)), "a.png,b"]).encode(), "labels.csv")
    assert said == {"a.png": "b"}


@pytest.mark.parametrize("head", ["picture, label", "Picture,Label", " LABEL ,note,Picture", "Picture;Label"])
def test_a_table_from_a_spreadsheet_is_read(head: str) -> None:
    """Capitals and blanks do not count in its first line; Excel separates by semicolons in some countries."""
    mark = ";" if ";" in head else ","
    line = {"picture": "a.png", "label": "b", "note": "c"}
    values = mark.join(line[name.strip().lower()] for name in head.split(mark))
    assert labels_in(f"{head}\n{values}\n".encode(), "labels.csv") == {"a.png": "b"}
