"""The names of a run's pictures, as they were when it began."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from viz.exemplars.sources import names
from viz.exemplars.sources.names import NumberedPictures, names_into

NAMES = st.lists(st.binary(min_size=1, max_size=9).filter(lambda name: 0 not in name), max_size=20)


@given(NAMES, st.integers(0, 20), st.integers(1, 30))
def test_names_come_back_with_their_numbers(
    tmp_path_factory: object, found: list[bytes], done: int, part: int
) -> None:
    """Also such as are no text, and wherever the parts end in which the file is read."""
    path = Path(tmp_path_factory.mktemp("names")) / "names"  # type: ignore[attr-defined]
    texts = [name.decode(errors="surrogateescape") for name in found]
    with names_into(path) as add:
        for name in texts:
            add(name)
    before, names._AT_ONCE = names._AT_ONCE, part
    try:
        assert list(NumberedPictures(path, done)) == list(enumerate(texts))[done:]
    finally:
        names._AT_ONCE = before


def test_a_picture_that_is_lost_comes_with_its_reason(tmp_path: Path) -> None:
    """Beside its name, where another one's bytes would stand."""
    with names_into(tmp_path / "names") as add:
        add("a.png")
        add("b.png")
    numbered = NumberedPictures(tmp_path / "names", lost={1: "it has ended"})
    assert list(numbered) == [(0, "a.png"), (1, "b.png", "it has ended")]
