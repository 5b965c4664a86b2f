"""Files that visitors upload, counted for each visit and for all.

Bytes that are kept count, and those on their way. Streamlit keeps what is uploaded until its session ends or
the browser deletes it, whether or not the page ever uses it. Nothing is ever written to a file: the form
parser's limit for that is set beyond any upload.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from starlette.formparsers import MultiPartParser
from streamlit import runtime

from ...pictures.headers.formats import MAGIC, begins_like_a_picture
from .limits import MEGABYTE, OF_A_FORM, DoorLimits
from .refusal import Refusal

HEAD_END, LONGEST_HEAD = b"\r\n\r\n", 8_000  # of a form's part: name, file name, type
LOOK_AGAIN = 0.1
FilesKept = dict[str, dict[str, bytes]]


def keep_in_memory() -> None:
    """Keep every upload in memory, never in a temporary file."""
    MultiPartParser.spool_max_size = 1 << 62


def kept_by_streamlit() -> FilesKept:
    """Return the files that Streamlit holds now, by session."""
    if not runtime.exists():
        return {}
    sessions = getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {})
    return {
        session: {file_id: file.data for file_id, file in list(files.items())}
        for session, files in list(sessions.items())
    }


def names_kept() -> list[str]:
    """Return the names of the files that Streamlit holds now."""
    if not runtime.exists():
        return []
    sessions = getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {})
    return [file.name for files in list(sessions.values()) for file in list(files.values()) if file.name]


def has_begun(seen: bytes) -> bool:
    """Return whether enough of a form arrived to read its file's beginning."""
    end = seen.find(HEAD_END)
    return len(seen) > LONGEST_HEAD + MAGIC or (end >= 0 and len(seen) >= end + len(HEAD_END) + MAGIC)


def file_beginning(seen: bytes) -> bytes:
    """Return the first bytes of the file that a form begins with.

    Raises:
        Refusal: the form does not begin with a file.
    """
    head, end, file = seen[: LONGEST_HEAD + len(HEAD_END)].partition(HEAD_END)
    if not end or b"filename=" not in head:
        raise Refusal(400, "form")
    return file[:MAGIC]


@dataclass(frozen=True)
class _Kind:
    """Limits in bytes for a kind of file."""

    name: str
    picture: bool
    each: int
    session: int
    all: int


class Uploads:
    """The bytes of uploads, kept and on their way, with their limits."""

    def __init__(self, limits: DoorLimits, kept: Callable[[], FilesKept] = kept_by_streamlit) -> None:
        self._limits, self._kept = limits, kept
        self._coming: Counter[tuple[str, str]] = Counter()  # bytes on their way, by session and kind
        most = limits.uploads_of_all
        self._kinds = {
            True: _Kind("picture", True, limits.picture, limits.pictures_of_session, most),
            False: _Kind(
                "weights",
                False,
                limits.weights,
                limits.weights_of_session,
                max(0, most - limits.pictures_reserve),
            ),
        }

    @contextmanager
    def coming(self, session: str, *, picture: bool) -> Iterator["IncomingUpload"]:
        """Count an upload while it is on its way.

        Afterwards either Streamlit keeps it or it is gone.
        """
        upload = IncomingUpload(self, session, self._kinds[picture])
        try:
            yield upload
        finally:
            self._coming[(session, upload.kind.name)] -= upload.size
            if self._coming[(session, upload.kind.name)] <= 0:
                del self._coming[(session, upload.kind.name)]

    def check(self, session: str, kind: _Kind, more: int) -> None:
        """Raise Refusal if ``more`` bytes of a kind are too many.

        They may be too many for a session, or for all of them.
        """
        kept = self._kept()
        files = kept.get(session, {}).values()
        own = [data for data in files if begins_like_a_picture(data[:MAGIC]) is kind.picture]
        held = sum(map(len, own)) + self._coming[(session, kind.name)] + more
        if held > kind.session or len(files) >= self._limits.files_of_session:
            raise Refusal(413, "kept")
        # A form of several parts may begin with one kind and hold the other; the sum of both catches that.
        of_both = sum(self._coming[(session, each.name)] for each in self._kinds.values())
        if sum(map(len, files)) + of_both + more > sum(each.session for each in self._kinds.values()):
            raise Refusal(413, "kept")
        everything = sum(len(data) for files in kept.values() for data in files.values())
        if everything + self._coming.total() + more > kind.all:
            raise Refusal(503, "full", retry_after=60)

    async def room(self, session: str, kind: _Kind, size: int) -> None:
        """Wait a moment for room for a file.

        The file that it replaces is deleted at about the same time.

        Raises:
            Refusal: there is none.
        """
        until = monotonic() + self._limits.patience
        while True:
            try:
                return self.check(session, kind, size)
            except Refusal:
                if monotonic() >= until:
                    raise
            await asyncio.sleep(LOOK_AGAIN)

    def came(self, session: str, kind: _Kind, size: int) -> None:
        """Count bytes that arrived."""
        self._coming[(session, kind.name)] += size


class IncomingUpload:
    """One upload on its way."""

    def __init__(self, uploads: Uploads, session: str, kind: _Kind) -> None:
        self._uploads, self._session, self.kind = uploads, session, kind
        self.size = 0

    async def room(self, declared: int) -> None:
        """Raise Refusal if an upload is too large or has no room."""
        self._each(declared)
        await self._uploads.room(self._session, self.kind, declared)

    def meet(self, size: int) -> None:
        """Count bytes that arrived; raise Refusal once they are too many."""
        self._each(self.size + size)
        before, self.size = self.size, self.size + size
        self._uploads.came(self._session, self.kind, size)
        if self.size // MEGABYTE > before // MEGABYTE:  # summing is slow when many files are kept
            self._uploads.check(self._session, self.kind, 0)

    def _each(self, size: int) -> None:
        if size > self.kind.each + OF_A_FORM:
            raise Refusal(413, self.kind.name, most=f"{self.kind.each // MEGABYTE:,}")
