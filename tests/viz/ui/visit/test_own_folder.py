"""A visitor's own pictures to look through: bounded, and gone with the visit."""

import pytest

from viz.errors import RequestError
from viz.ui.visit import own_folder
from viz.ui.visit.own_folder import OwnFolder
from viz.ui.visit.visit import Visit


def taken(folder: OwnFolder) -> int:
    """The memory that a folder's pictures take."""
    return sum(each.bytes for each in folder.files.values())


def test_a_picture_is_called_by_its_content_and_kept_once() -> None:
    """Two files with the same bytes are one, under the first one's name."""
    folder = OwnFolder()
    assert folder.add("a.png", b"one") == folder.add("b.png", b"one") != folder.add("c.png", b"two")
    assert [each.name for each in folder.files.values()] == ["a.png", "c.png"]
    assert taken(folder) == 6


def test_a_visit_has_bounded_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """In number, in bytes, and all visits together; what is there stays."""
    folder = OwnFolder()
    folder.add("a.png", b"one")
    for name, bound in (("MOST_PICTURES", 1), ("BYTES_HELD", 5), ("BYTES_OF_ALL", 5)):
        with monkeypatch.context() as patched:
            patched.setattr(own_folder, name, bound)
            with pytest.raises(RequestError):
                folder.add("b.png", b"two")
    assert taken(folder) == 3


def test_a_picture_is_shown_with_the_folder_that_it_was_in() -> None:
    """The whole path is kept, because a table of labels may name it."""
    folder = OwnFolder()
    name = folder.add("pets/cats/a.png", b"one")
    assert (folder.files[name].name, folder.files[name].path) == ("cats/a.png", "pets/cats/a.png")


def test_labels_count_among_the_bytes_and_a_later_table_adds_to_them() -> None:
    """A picture that it names gets another class, one that it does not name keeps its own."""
    folder = OwnFolder()
    for file, data in (("a.png", b"one"), ("b.png", b"two"), ("c.png", b"three")):
        folder.add(file, data)
    assert folder.label({"a.png": "cat", "b.png": "dog", "z.png": "none"}) == 2
    assert folder.label({"b.png": "wolf"}) == 1
    assert [each.label for each in folder.files.values()] == ["cat", "wolf", ""]
    assert taken(folder) == len(b"onetwothree") + len("catwolf")


def test_labels_have_room_only_where_pictures_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one visit, and in all together; those that were there stay."""
    folder = OwnFolder()
    folder.add("a.png", b"one")
    folder.label({"a.png": "cat"})
    for name in ("BYTES_HELD", "BYTES_OF_ALL"):
        with monkeypatch.context() as patched:
            patched.setattr(own_folder, name, 8)
            with pytest.raises(RequestError):
                folder.label({"a.png": "elephant"})
    assert [each.label for each in folder.files.values()] == ["cat"]


def test_a_reload_takes_them_over_and_they_still_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The visit before may end; what is left of the room for all visits is what they leave."""
    before, after = OwnFolder(), OwnFolder()
    before.add("a.png", b"one")
    after.take_over(before)
    before.clear()
    assert ([each.path for each in after.files.values()], taken(after)) == (["a.png"], 3)
    monkeypatch.setattr(own_folder, "_living", {after, other := OwnFolder()})
    monkeypatch.setattr(own_folder, "BYTES_OF_ALL", 5)
    with pytest.raises(RequestError):
        other.add("b.png", b"two")


def test_pictures_that_two_visits_share_after_a_reload_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in memory once; an equal file that another visitor brings takes room of its own."""
    before, after, other = OwnFolder(), OwnFolder(), OwnFolder()
    monkeypatch.setattr(own_folder, "_living", {before, after, other})
    monkeypatch.setattr(own_folder, "BYTES_OF_ALL", 9)
    before.add("a.png", b"one")
    after.take_over(before)
    after.label({"a.png": "cat"})
    other.add("a.png", bytes(bytearray(b"one")))
    with pytest.raises(RequestError):
        other.add("b.png", b"two")


def test_they_end_with_the_visit() -> None:
    """Nothing of them is left, nor of their labels."""
    visit = Visit("session")
    visit.folder.add("a.png", b"one")
    visit.folder.label({"a.png": "cat"})
    visit.end()
    assert visit.folder.files == {}
