"""Pictures that have an address; files on disk have one too, so that both ways can be compared."""

from pathlib import Path

import pytest
from torch import nn

from tests.viz.exemplars.folders import Small, contents, noise, request_of, search_of
from tests.viz.subjects import subject
from viz.errors import RequestError
from viz.exemplars.listing import Place, entries, listed, pictures, place_of
from viz.exemplars.reading import prepared
from viz.exemplars.search import exemplars
from viz.exemplars.sources.bucket import Bucket


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pictures and other files, with names whose order is not that of their letters alone."""
    made = noise(tmp_path / "pictures", 12)
    for name in ("below.png", "below-a.png", "below/.hidden.png", ".away/a.png", "labels.csv", "text.jpg"):
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_bytes(b"no picture")
    return made


def test_a_place_is_a_folder_or_has_an_address() -> None:
    """By the mark that no path has."""
    assert place_of("photos/2024") == Path("photos/2024")
    assert place_of("s3://bucket/photos") == Bucket("s3://bucket/photos")


def test_files_are_listed_as_those_of_a_folder_are(folder: Path) -> None:
    """In the same order, without hidden ones, with the same sizes: it counts as the same pictures."""
    place = Bucket(f"file://{folder}")
    assert list(entries(place)) == [each._replace(modified=0) for each in entries(folder)]
    assert listed(place) == listed(folder)
    assert listed(Bucket(f"file://{folder}/")) == listed(folder)


def test_secrets_of_an_address_are_not_said() -> None:
    """The text behind the question mark, or before the bucket, may be a key; the card gets none."""
    for address in ("s3://bucket/a@b?secret_key=abc", "s3://name:abc@bucket/a@b", "s3://bucket/a@b"):
        assert str(Bucket(address)) == "s3://bucket/a@b"


@pytest.mark.parametrize("address", ["file:///there/is/none", "nothing://at/all"])
def test_a_place_that_cannot_be_listed_is_said(address: str) -> None:
    """In one line."""
    with pytest.raises(RequestError, match=f"^cannot list {address}: ") as refused:
        listed(Bucket(address))
    assert "\n" not in str(refused.value)


def test_pictures_are_read_ahead_in_order(folder: Path) -> None:
    """By threads; what cannot be read is said there too."""
    place = Bucket(f"file://{folder}")
    for workers in (0, 2):
        found = list(prepared(place, subject(nn.Identity()), enumerate(pictures(place)), workers))
        assert [(each.number, each.path) for each in found] == list(enumerate(pictures(folder)))
        assert [each.path for each in found if each.problem] == ["below-a.png", "below.png", "text.jpg"]
    (folder / "0001.png").unlink()
    (gone,) = prepared(place, subject(nn.Identity()), [(0, "0001.png")], 0)
    assert "no such file" in gone.problem.lower()


def test_a_run_over_an_address_is_that_over_the_folder(folder: Path, tmp_path: Path) -> None:
    """But for the address in the card, byte for byte."""
    found = []
    places: tuple[Place, ...] = (folder, Bucket(f"file://{folder}"))
    for number, place in enumerate(places):
        search = search_of(folder, tmp_path / str(number), Small())
        request = request_of(search, pictures_sha256=listed(place).digest)
        exemplars(type(search)(**{**vars(search), "folder": place}), request)
        found.append(contents(tmp_path / str(number)))
    for name in ("exemplars.parquet", "maxima.parquet", "pictures.parquet"):
        assert found[0][name] == found[1][name]
    assert (
        found[0]["card.json"].replace(str(folder).encode(), f"file://{folder}".encode())
        == found[1]["card.json"]
    )
