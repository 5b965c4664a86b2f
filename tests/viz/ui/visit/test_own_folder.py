"""A visitor's own pictures to look through: bounded, and gone with the visit."""

import pytest

from viz.errors import RequestError
from viz.ui.visit import own_folder
from viz.ui.visit.own_folder import OwnFolder
from viz.ui.visit.visit import Visit


def test_a_picture_is_called_by_its_content_and_kept_once() -> None:
    """Two files with the same bytes are one, under the first one's name."""
    folder = OwnFolder()
    assert folder.add("a.png", b"one") == folder.add("b.png", b"one") != folder.add("c.png", b"two")
    assert [each.name for each in folder.files.values()] == ["a.png", "c.png"]
    assert folder.bytes == 6


def test_a_visit_has_bounded_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """In number, in bytes, and all visits together; what is there stays."""
    folder = OwnFolder()
    folder.add("a.png", b"one")
    for name, bound in (("MOST_PICTURES", 1), ("BYTES_HELD", 5), ("BYTES_OF_ALL", 5)):
        with monkeypatch.context() as patched:
            patched.setattr(own_folder, name, bound)
            with pytest.raises(RequestError):
                folder.add("b.png", b"two")
    assert folder.bytes == 3


def test_they_end_with_the_visit() -> None:
    """Nothing of them is left."""
    visit = Visit("session")
    visit.folder.add("a.png", b"one")
    visit.end()
    assert visit.folder.files == {}
