"""Lines that a program can read, and that repeat nothing of what visitors bring."""

import base64
import io
import json
import logging
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.machine import patience, took_less
from viz import log_form
from viz.log_form import (
    ENDINGS,
    FORM,
    HIDDEN,
    LONGEST,
    OF_A_KIND,
    OF_ALL,
    WINDOW,
    JsonLines,
    LineRateFilter,
    PlainLines,
    form,
    told,
)
from viz.pictures.images import EXTENSIONS as PICTURES

ROOT = Path(__file__).parents[2]
SAID = [
    "cannot identify image file 'grandma in the garden.jpg'",
    'no such file: "C:\\Users\\ann\\grandma.PNG"',
    "grandma.safetensors has no header",
    "bad file (grandma_2.pt): truncated",
    "GET /maps/abc/layer.json?layer=grandma&lang=zh failed",
    f"GET /maps/{'0123456789abcdef' * 4}/layer.json failed for grandma.png",
    f"GET /maps/{'0123456789abcdef0123' * 2}/layer.json failed for grandma.png",
    f"not a picture: {b'grandma and more than nine bytes'!r}",
    f"not a picture: {base64.b64encode(b'grandma' * 30).decode()}",
]


def written(lines: logging.Formatter, message: str, *values: object, **more: object) -> str:
    """Return the text that a logger writes with a form."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(lines)
    logger = logging.Logger("viz.test")  # noqa: LOG001  one that no other test has
    logger.addHandler(handler)
    logger.error(message, *values, **more)  # type: ignore[arg-type]
    return stream.getvalue()


def failure(message: str) -> ValueError:
    """An error that was raised, with its traceback."""
    try:
        raise ValueError(message)  # noqa: TRY301  # that it is raised is the point
    except ValueError as error:
        return error


def test_what_the_boxes_take_is_what_is_hidden() -> None:
    """A file that a visitor brings usually has one of these endings; its name is hidden whatever it is."""
    assert {*PICTURES, "safetensors", "pt", "pth", "ckpt", "bin", "tar", "npz"} <= set(ENDINGS)


@pytest.mark.parametrize("message", SAID)
@pytest.mark.parametrize("lines", [JsonLines(), PlainLines()], ids=["json", "plain"])
def test_what_a_visitor_brought_is_in_no_line(lines: logging.Formatter, message: str) -> None:
    """Neither as the message nor in a traceback; what else was said stays."""
    error = failure(message)
    text = written(lines, "reading failed: %s", message, exc_info=error)
    assert "grandma" not in text.lower()
    assert "0123456789abcdef" not in text
    assert base64.b64encode(b"grandma" * 3).decode() not in text
    assert HIDDEN in text
    assert "reading failed" in text
    assert "ValueError" in text
    assert "test_log_form.py" in text


@pytest.mark.parametrize(
    "text",
    [
        "viz/engine/process/nursery.py, line 12, in main",
        "no layer named 'layer1.0.conv'; did you mean layer1.0.conv1?",
        "the .pt format, e.g. of torch",
        "took 3 s? yes",
        "b'short'",
        "the lab's picture is not what the web's is",
        "0123456789abcdef" * 2,
    ],
)
def test_what_an_operator_needs_stays(text: str) -> None:
    """Files of ours, names of layers, words, numbers."""
    assert told(text) == text


def test_a_record_is_one_line_of_json_whatever_is_in_it() -> None:
    """Its time is that of now, in UTC; the traceback keeps its lines inside a string."""
    before = datetime.now(UTC)
    line = written(
        JsonLines(),
        "page failed,\nreport %s",
        "4f",
        exc_info=failure("“a”\u2028"),
        extra={"error_id": "4f"},
    )
    assert line.endswith("\n")
    assert len(line.split("\n")) == 2
    said = json.loads(line)
    assert list(said) == ["time", "level", "logger", "message", "error_id", "traceback"]
    assert (said["level"], said["logger"], said["error_id"]) == ("error", "viz.test", "4f")
    assert said["message"] == "page failed,\nreport 4f"
    assert said["traceback"].startswith("Traceback (most recent call last):\n")
    assert said["traceback"].endswith("ValueError: “a”\u2028")
    assert -0.002 < (datetime.fromisoformat(said["time"]) - before).total_seconds() < 60


def test_a_record_without_an_error_has_no_field_for_it() -> None:
    """A search for ids finds bugs only."""
    assert list(json.loads(written(JsonLines(), "well"))) == ["time", "level", "logger", "message"]


def test_a_very_long_traceback_keeps_its_end() -> None:
    """It says what went wrong."""
    text = told("x y " * LONGEST + "the end")
    assert len(text) == LONGEST + 1
    assert text.endswith("the end")


@pytest.mark.parametrize(
    "part", ["a.b", "'", "b'", "b'\\'", '"a', "?a", "?a=", "a.png", "/a", "'a.pt\n", "+/=", ".jpg'"]
)
@pytest.mark.parametrize("begin", ["", "'", "b'", "?"])
def test_no_text_takes_long(begin: str, part: str) -> None:
    """A layer's name in a link may have 30,000 characters, of the visitor's choice."""
    start = time.process_time()
    told(begin + part * (LONGEST // len(part)))
    assert took_less(time.process_time() - start, 1.0)


def test_plain_lines_are_as_before_unless_the_operator_asks_for_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other word is no reason to change the form."""
    own = logging.Formatter("%(levelname)s %(message)s")
    monkeypatch.setenv(FORM, "plain")
    assert written(form(own), "well") == "ERROR well\n"
    assert written(form(), "well") == "well\n"
    monkeypatch.setenv(FORM, "JSON")
    assert json.loads(written(form(own), "well"))["message"] == "well"


def test_names_that_are_known_are_hidden_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words between which nobody else could tell where the name begins; the longest name goes first."""
    monkeypatch.setattr(log_form, "_names", lambda: ["garden.jpg", "grandma in the garden.jpg"])
    assert told("no luck with grandma in the garden.jpg") == f"no luck with {HIDDEN}"


def test_short_names_leave_no_holes_in_other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A visitor whose files are called e, a and 1 hides no report's number from the operator."""
    monkeypatch.setattr(log_form, "_names", lambda: ["e", "a", "1", "(x)", "猫"])
    assert told("page failed, report 4f1a2b3c") == "page failed, report 4f1a2b3c"
    assert (
        told("no luck with e, 'a', (x) and 图片猫不能读")
        == f"no luck with {HIDDEN}, '{HIDDEN}', {HIDDEN} and 图片{HIDDEN}不能读"
    )


SCRIPT = """
import logging, threading, warnings
from viz.log_form import set_up_log
set_up_log()
set_up_log()
logging.getLogger("a").info("silent")
logging.getLogger("a").warning("heard")
warnings.warn("odd")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
raise RuntimeError("the end")
"""


def test_whatever_a_process_says_has_the_form() -> None:
    """Records once each, warnings, and what ends a thread or the process; exit codes stay."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env={FORM: "json", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=patience(60),
    )
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["level"], line["logger"]) for line in lines] == [
        ("warning", "a"),
        ("warning", "py.warnings"),
        ("critical", "viz.log_form"),
        ("critical", "viz.log_form"),
    ]
    assert "ZeroDivisionError" in lines[2]["traceback"]
    assert lines[3]["traceback"].endswith("RuntimeError: the end")
    assert done.returncode == 1


def test_what_ends_a_process_is_bounded_in_plain_lines_too() -> None:
    """Python's own traceback would be all of it, with the visitor's query."""
    text = "raise RuntimeError('\\n'.join(['GET /x?photo=secret'] * 10_000))"
    done = subprocess.run(
        [sys.executable, "-c", f"from viz.log_form import set_up_log\nset_up_log()\n{text}"],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=patience(60),
    )
    assert done.returncode == 1
    assert "GET /x" in done.stderr
    assert "secret" not in done.stderr
    assert len(done.stderr) < 3 * LONGEST


class Clock:
    """Seconds that pass when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def _bounded(clock: Clock) -> tuple[logging.Logger, io.StringIO]:
    """A logger whose lines are bounded, and what it has written."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(LineRateFilter(clock))
    handler.setFormatter(PlainLines())
    logger = logging.Logger("viz.test")  # noqa: LOG001  one that no other test has
    logger.addHandler(handler)
    return logger, stream


def test_a_line_that_repeats_is_written_some_times_a_minute() -> None:
    """Any numbers may be in it, and any words of an error from one place; another line comes through."""
    clock = Clock()
    logger, stream = _bounded(clock)
    for number in range(5_000):
        logger.error("page failed, report %08x", number)
        logger.error("failed", exc_info=failure(f"of {number}"))
    logger.error("something else")
    lines = stream.getvalue().splitlines()
    assert len([line for line in lines if "page failed" in line]) == OF_A_KIND
    assert len([line for line in lines if "ValueError: of" in line]) == OF_A_KIND
    assert len([line for line in lines if "left out for a minute" in line]) == 2
    assert lines[-1] == "something else"
    clock.now += WINDOW
    logger.error("page failed, report 12345678")
    assert stream.getvalue().endswith("page failed, report 12345678\n")


def test_lines_of_many_kinds_are_bounded_together() -> None:
    """As those of somebody who chooses what is in them."""
    logger, stream = _bounded(Clock())
    for number in range(5_000):
        logger.error("of kind %s", f"{number:b}".translate({48: "x", 49: "y"}))
    assert len(stream.getvalue().splitlines()) == OF_ALL


@pytest.mark.parametrize("lines", [JsonLines(), PlainLines()], ids=["json", "plain"])
def test_no_text_in_a_record_looks_like_another_record(lines: logging.Formatter) -> None:
    """Neither a newline in it begins a line, nor does a control reach the operator's terminal."""
    forged = "http://evil\nviz.ui.visit.faults page failed\r\x1b[2J\u2028\x85"
    text = written(lines, "origin %s", forged, exc_info=failure(forged))
    assert not [line for line in text.splitlines() if line.startswith("viz.ui.visit")]
    assert not set(text) & set("\r\x1b\u2028\x85")
