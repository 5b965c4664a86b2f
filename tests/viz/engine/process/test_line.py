"""A line carries values as they are, and each picture once."""

import select
import socket
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from tests.machine import patience
from tests.viz.subjects import photo, wanted
from viz.engine.process import line as lines
from viz.engine.process.line import Line
from viz.errors import RequestError, TooLargeError
from viz.pictures.photo import cropped, photograph
from viz.sentences import Sentence
from viz.views.one_layer import View


@pytest.fixture
def ends() -> Iterator[tuple[Line, Line]]:
    """Both ends of a line."""
    ours, theirs = (Line(end) for end in socket.socketpair())
    yield ours, theirs
    for each in (ours, theirs):
        each.close()


def sent(ends: tuple[Line, Line], *message: object) -> tuple[object, ...]:
    """Return the message that arrives; a thread sends, since a system holds little that nobody reads yet."""
    ours, theirs = ends
    sender = threading.Thread(target=ours.send, args=message)
    sender.start()
    try:
        return theirs.receive()
    finally:
        sender.join()


def test_arrays_arrive_as_they_were(ends: tuple[Line, Line]) -> None:
    """Of any kind, any size, and with any order of their axes."""
    whole = np.random.default_rng(3).normal(size=(7, 1000, 301)).astype(np.float32)
    for array in (whole, whole[::2, :, 5:1], whole.T, np.array([]), np.array(3.5), whole[0] > 0):
        (_, found) = sent(ends, "array", array)
        assert isinstance(found, np.ndarray)
        assert found.dtype == array.dtype
        assert np.array_equal(found, array)


def test_a_picture_travels_once_and_is_the_same_one_for_every_task(
    ends: tuple[Line, Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part of it is named by itself, and finds its whole."""
    large = photograph(Image.effect_noise((900, 700), 80).convert("RGB"))
    part = cropped(large, "10,20,300,200")
    written, write = list[int](), ends[0]._write

    def counted(parts: list[memoryview]) -> None:
        written.append(sum(part.nbytes for part in parts))
        write(parts)

    monkeypatch.setattr(ends[0], "_write", counted)
    tasks = [View(wanted(each, layer), each) for each in (large, part, large) for layer in ("first", "relu")]
    found = [sent(ends, "do", task)[1] for task in tasks]
    assert found == tasks
    assert len({id(each.photo) for each in found if each.photo.crop is None}) == 1  # type: ignore[attr-defined]
    assert found[2].photo.whole is found[0].photo  # type: ignore[attr-defined]
    assert sorted(written)[:-2] == [size for size in sorted(written) if size < 2000]
    assert len(written) == len(tasks) + 2


def test_pictures_beyond_the_limit_are_forgotten_and_sent_again(
    ends: tuple[Line, Line], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other end never keeps more, and never misses one."""
    monkeypatch.setattr(lines, "PICTURES", 3 * 8 * 8 * 3)
    pictures = [photo(seed) for seed in range(6)]
    for picture in (*pictures, *reversed(pictures), *pictures):
        (_, task) = sent(ends, "do", View(wanted(picture), picture))
        assert task.photo.image.tobytes() == picture.image.tobytes()  # type: ignore[attr-defined]
    assert len(ends[1]._had) <= 4


def test_an_error_keeps_its_sentence(ends: tuple[Line, Line]) -> None:
    """So that it can still be said in another language."""
    for error in (
        RequestError("there is no channel {channel}.", channel=7),
        TooLargeError("It is too large."),
    ):
        (_, found) = sent(ends, "failed", error)
        assert type(found) is type(error)
        assert isinstance(str(found), Sentence)
        assert str(found).to_plain() == str(error).to_plain()  # type: ignore[attr-defined]


def test_who_listens_is_told_that_the_other_end_has_gone(ends: tuple[Line, Line]) -> None:
    """Whichever end hung up."""
    ends[0].close()
    with pytest.raises((EOFError, OSError)):
        ends[1].receive()
    with pytest.raises((EOFError, OSError)):
        ends[0].receive()


def test_short_messages_go_between_the_frames_of_long_ones(ends: tuple[Line, Line]) -> None:
    """A visitor who waits for a map does not wait for another's file; both arrive as they were."""
    ours, theirs = ends
    whole = np.random.default_rng(5).integers(0, 256, (64, 1 << 20), dtype=np.uint8)
    senders = [threading.Thread(target=ours.send, args=each) for each in (("file", whole), ("map", 7))]
    senders[0].start()
    until = time.monotonic() + patience(60)
    while select.select([], [ours._end], [], 0)[
        1
    ]:  # the system holds less than a frame for one that reads not
        assert time.monotonic() < until
        time.sleep(0.001)
    senders[1].start()
    while not ours._short:
        time.sleep(0.001)
    assert theirs.receive() == ("map", 7)
    kind, found = theirs.receive()
    for sender in senders:
        sender.join()
    assert kind == "file"
    np.testing.assert_array_equal(found, whole)


def test_many_threads_may_send_messages_of_any_length(ends: tuple[Line, Line]) -> None:
    """Each arrives once and whole, also those that are empty or end where a frame does."""
    ours, theirs = ends
    lengths = [0, 1, lines._PART - 1, lines._PART, lines._PART + 1, 3 * lines._PART, 5_000_001]

    def send(number: int) -> None:
        for length in lengths:
            ours.send(number, np.full(length, number, np.uint8), np.empty(0))

    senders = [threading.Thread(target=send, args=(number,)) for number in range(4)]
    for sender in senders:
        sender.start()
    found = [theirs.receive() for _ in range(4 * len(lengths))]
    for sender in senders:
        sender.join()
    for number in range(4):
        mine = [array for each, array, _ in found if each == number]  # type: ignore[misc]
        assert [array.size for array in mine] == lengths  # type: ignore[attr-defined]
        assert all((array == number).all() for array in mine)  # type: ignore[attr-defined]
    assert theirs._arriving == {}
