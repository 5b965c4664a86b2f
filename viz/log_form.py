"""Form of the log: plain text or JSON, without visitors' data.

An error's message may quote anything: a file's name, an address, bytes of a picture. What looks like one of
these is taken out of every line, whoever wrote it.
"""

import json
import logging
import os
import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from time import monotonic
from typing import Any

FORM, AS_JSON = "LAYERGLASS_LOG", "json"
LONGEST = 20_000  # characters of a message, or of a traceback: its end says what went wrong
HIDDEN = "…"
WINDOW, OF_A_KIND, OF_ALL = 60.0, 20, 400  # seconds; lines in that time: of one kind, and of all
ENDINGS = (
    *("png", "jpg", "jpeg", "jpe", "jfif", "webp", "gif", "bmp", "avif", "heic", "heif", "tif", "tiff"),
    *("safetensors", "pt", "pth", "ckpt", "bin", "tar", "npz"),
)
_FILES = rf"\.(?:{'|'.join(ENDINGS)})"
# Each goes through a text once, whatever is in it: what a visitor chose may be 30,000 characters long.
_WHAT_VISITORS_BRING = (
    re.compile(r"(?<!\w)b(?:'(?:[^'\\\n]|\\.){9,}+'?|\"(?:[^\"\\\n]|\\.){9,}+\"?)"),  # bytes
    re.compile(r"(?<![\w+/])[\w+/]{120,}+={0,2}"),  # as base64
    re.compile(r"(?<![0-9a-zA-Z])(?:[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-zA-Z])"),  # a subject's token
    re.compile(r"(?<=\?)[\w.%~+-]++=[^\s'\"<>]*"),  # what follows the ? of an address
)
_WORDS = re.compile(r"(?<=')[^'\n]++(?=')|(?<=\")[^\"\n]++(?=\")|[^\s'\"/\\:,;()<>]++")
_NAME = re.compile(rf"[^.\s]{_FILES}(?!\w)", re.IGNORECASE)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_NUMBERS = re.compile(r"[0-9a-f]*\d[0-9a-f]*")
_BEGINNING = 200  # characters of a message that say of which kind it is
_LEFT_OUT = "(more of them are left out for a minute)"
_names: Callable[[], Iterable[str]] = tuple


def told(text: str) -> str:
    """Return the text without visitors' own data, and not too long.

    Names of their files, queries and bytes are hidden.
    """
    for name in sorted(_names(), key=len, reverse=True):  # whole words: a file may be called e
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", HIDDEN, text, flags=re.ASCII)
    if len(text) > LONGEST:
        text = f"{HIDDEN}{text[-LONGEST:]}"
    for kind in _WHAT_VISITORS_BRING:
        text = kind.sub(HIDDEN, text)
    return _WORDS.sub(_unless_a_name, text)


def _unless_a_name(word: re.Match[str]) -> str:
    """Return a word, or ``…`` if it names a file."""
    return HIDDEN if _NAME.search(word[0]) else word[0]


def in_one_piece(text: str) -> str:
    """Return the text with control characters shown and further lines indented.

    So no line of it looks like a record.
    """
    return _shown(text).replace("\n", "\n    ")


def _shown(text: str) -> str:
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class LineRateFilter(logging.Filter):
    """Filter that lets through so many lines a minute.

    The limits are for one kind of line and for all; the last line before a limit announces it. Lines are of
    one kind that come from one place: a traceback's end, or a message but for its numbers.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock, self._since = clock, clock()
        self._seen: Counter[tuple[object, ...]] = Counter()
        self._all = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """See ``logging.Filter``."""
        if (now := self._clock()) - self._since >= WINDOW:
            self._since, self._all = now, 0
            self._seen.clear()
        kind = _kind(record)
        if self._seen[kind] >= OF_A_KIND or self._all >= OF_ALL:
            return False
        self._seen[kind] += 1
        self._all += 1
        if self._seen[kind] == OF_A_KIND or self._all == OF_ALL:
            record.msg, record.args = f"{record.getMessage()} {_LEFT_OUT}", ()
        return True


def _kind(record: logging.LogRecord) -> tuple[object, ...]:
    trace = record.exc_info[2] if isinstance(record.exc_info, tuple) else None
    if trace is None:
        return record.name, record.levelno, _NUMBERS.sub("", record.getMessage()[:_BEGINNING])
    while trace.tb_next is not None:
        trace = trace.tb_next
    return record.name, record.levelno, trace.tb_frame.f_code.co_filename, trace.tb_lineno


class PlainLines(logging.Formatter):
    """A record as another formatter, or a plain one, writes it."""

    def __init__(self, other: logging.Formatter | None = None) -> None:
        super().__init__()
        self._other = other or logging.Formatter()

    def format(self, record: logging.LogRecord) -> str:
        """See ``logging.Formatter``."""
        return in_one_piece(told(self._other.format(record)))


class JsonLines(logging.Formatter):
    """A record as one line of JSON.

    It has time, level, logger and message; ``error_id`` and ``traceback`` if there are any.
    """

    def format(self, record: logging.LogRecord) -> str:
        """See ``logging.Formatter``."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said: dict[str, Any] = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": told(record.getMessage()),
        }
        if error_id := getattr(record, "error_id", ""):
            said["error_id"] = error_id
        if record.exc_info and record.exc_info[0]:
            said["traceback"] = told(self.formatException(record.exc_info))
        return _shown(json.dumps(said, ensure_ascii=False))


def wants_json(environment: Mapping[str, str] = os.environ) -> bool:
    """Check whether the operator wants JSON: ``LAYERGLASS_LOG=json``."""
    return environment.get(FORM, "").lower() == AS_JSON


def form(other: logging.Formatter | None = None) -> logging.Formatter:
    """Return the formatter that the operator wants.

    Plain lines come as from the other formatter.
    """
    return JsonLines() if wants_json() else PlainLines(other)


def set_up_log(names: Callable[[], Iterable[str]] | None = None) -> None:
    """Give every record of this process the form that the operator wants.

    What ends a thread or the process is a record too.

    Without a handler of their own, Python prints warnings and worse; the same are printed in either form.

    Args:
        names: those of the files that visitors have brought; asked for each line.
    """
    global _names  # noqa: PLW0603  a process has one log
    _names = names or _names
    root = logging.getLogger()
    if not any(isinstance(each.formatter, JsonLines | PlainLines) for each in root.handlers):
        handler = logging.StreamHandler()
        handler.setLevel(logging.WARNING)
        root.addHandler(handler)
        handler.setFormatter(form())
        handler.addFilter(LineRateFilter())
    logging.captureWarnings(capture=wants_json())
    sys.excepthook = _end  # Python's own writes all of a traceback, with whatever a visitor brought in it
    threading.excepthook = lambda left: _log_end(left.exc_type, left.exc_value, left.exc_traceback)


def _end(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        _log_end(kind, error, trace)


def _log_end(kind: type[BaseException], error: BaseException | None, trace: Any) -> None:
    if error is not None and not issubclass(kind, SystemExit):
        logging.getLogger(__name__).critical("a thread or a process ended", exc_info=(kind, error, trace))
