"""The files that visits hold, kept or on their way."""

import asyncio

import pytest
from starlette.formparsers import MultiPartParser

from tests.hostile.visitor import form
from viz.pictures.headers.formats import begins_like_a_picture
from viz.ui.door.limits import DoorLimits
from viz.ui.door.refusal import Refusal
from viz.ui.door.uploads import FilesKept, Uploads, file_beginning, has_begun, keep_in_memory

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 100
SMALL = DoorLimits(
    picture=2_000_000,
    weights=5_000_000,
    pictures_of_session=4_000_000,
    weights_of_session=6_000_000,
    uploads_of_all=20_000_000,
    pictures_reserve=3_000_000,
    files_of_session=3,
    patience=0.3,
)


def _refusal(kept: FilesKept, size: int, *, picture: bool = False, session: str = "ada") -> str:
    """The key of the sentence for one more file, or nothing if it is let in."""
    uploads = Uploads(SMALL, lambda: kept)
    try:
        with uploads.coming(session, picture=picture) as upload:
            asyncio.run(upload.room(size))
            upload.meet(size)
    except Refusal as refusal:
        return refusal.key
    return ""


@pytest.mark.parametrize(
    ("kept", "size", "picture", "refusal"),
    [
        ({}, 5_000_000, False, ""),
        ({}, 6_100_000, False, "weights"),
        ({}, 3_100_000, True, "picture"),
        ({"ada": {"1": b"0" * 3_000_000}}, 2_000_000, False, ""),
        ({"ada": {"1": b"0" * 3_000_000}}, 4_000_000, False, "kept"),
        ({"ada": {"1": b"0" * 6_000_000}}, 2_000_000, True, ""),
        ({"ada": {"1": PNG, "2": PNG, "3": PNG}}, 10, False, "kept"),
        ({"eve": {"1": b"0" * 14_000_000}}, 4_000_000, False, "full"),
        ({"eve": {"1": b"0" * 16_000_000}}, 2_000_000, True, ""),
        ({"eve": {"1": b"0" * 19_000_000}}, 2_000_000, True, "full"),
    ],
)
def test_a_file_comes_in_where_there_is_room_for_its_kind(
    kept: FilesKept, size: int, picture: bool, refusal: str
) -> None:
    """Each file, those of a visit and those of all have limits; weights leave room for pictures."""
    assert _refusal(kept, size, picture=picture) == refusal


def test_files_on_their_way_count_as_those_that_are_kept() -> None:
    """They count until they have arrived or failed."""
    uploads = Uploads(SMALL, dict)
    with uploads.coming("ada", picture=False) as first:
        first.meet(4_000_000)
        with uploads.coming("ada", picture=False) as second, pytest.raises(Refusal, match="as many files"):
            second.meet(4_000_000)
    assert not uploads._coming


def test_a_file_that_is_replaced_makes_room_in_time() -> None:
    """The browser deletes the old one while it sends the new one."""
    kept = {"ada": {"1": b"0" * 6_000_000}}

    async def replace() -> None:
        with Uploads(SMALL, lambda: kept).coming("ada", picture=False) as upload:
            asyncio.get_running_loop().call_later(0.1, kept.clear)
            await upload.room(5_000_000)

    asyncio.run(replace())


def test_a_form_that_does_not_begin_with_a_file_is_refused() -> None:
    """It is refused at once if it begins with a field, or with an endless head."""
    whole, _ = form("a.png", PNG)
    assert not has_begun(whole[:20])
    assert has_begun(whole)
    assert begins_like_a_picture(file_beginning(whole))
    assert has_begun(b"x" * 9_000)
    for wrong in (b"x" * 20_000, whole.replace(b"filename", b"fylename"), b""):
        with pytest.raises(Refusal, match="does not look like a file"):
            file_beginning(wrong)


def test_no_upload_is_ever_rolled_over_to_a_file() -> None:
    """The form parser's own limit is beyond any upload."""
    keep_in_memory()
    assert MultiPartParser.spool_max_size > 1 << 50
