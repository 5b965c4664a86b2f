"""A real server's faults in its log: the visitor's number, the traceback, and nothing that was brought."""

import io
import json
import logging
import re
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image
from streamlit import logger as streamlits

from tests.browser.serving import serving
from tests.hostile.visitor import Visitor, ask
from viz.log_form import FORM, JsonLines
from viz.ui.operating.log import set_up_server_log

# The real server and page, but for two bugs, each of which quotes what the visitor brought.
BROKEN = """
import streamlit
import viz.ui.page
from starlette.routing import Route
from streamlit.runtime.scriptrunner import get_script_run_ctx
from viz.ui import server
from viz.ui.choose.choose_files import held_file

async def answer(request):
    raise ValueError(f"no answer to {request.url}")

def draw(subject):
    held = held_file("upload")
    if held:
        raise ValueError(f"no luck with {held.name}, {held.getvalue()[:50]}")

if get_script_run_ctx(suppress_warning=True) is None:
    parts = server.parts()
    parts["routes"].insert(0, Route("/maps/broken", answer))
    app = streamlit.App(__file__, **parts)
else:
    viz.ui.page.draw_seen = draw
    viz.ui.page.draw_page()
"""
NUMBER = re.compile(r"report ([0-9a-f]{8})")


def picture() -> bytes:
    """A photo as its file."""
    written = io.BytesIO()
    Image.effect_noise((40, 30), 50).convert("RGB").save(written, "JPEG")
    return written.getvalue()


def faults(home: Path, **settings: str) -> tuple[list[str], str]:
    """The numbers that a visitor with a photo has read, from the page and from an answer; and the log."""
    script = home / "broken.py"
    script.write_text(BROKEN, encoding="utf-8")
    start = ("-m", "streamlit", "run", str(script))
    sentences: list[str] = []
    with (
        suppress(RuntimeError),  # there are tracebacks in the log, as there should be
        serving(home, start, settings=settings) as address,
        Visitor(address, model="lenet") as visitor,
    ):
        visitor.upload("upload", "telltale photo.jpg", picture())
        sentences += visitor.notices()
        found = ask(address, "/maps/broken?layer=telltale_query")
        assert found.status == 500
        sentences.append(found.said["error"])
    numbers = [number for said in sentences for number in NUMBER.findall(said)]
    return numbers, (home / "log.txt").read_text(encoding="utf-8")


@pytest.mark.slow
def test_real_faults_are_lines_of_json_that_tell_nothing_of_the_visitor(tmp_path: Path) -> None:
    """Every line of the log, Streamlit's and uvicorn's too; each fault once, with its number."""
    numbers, log = faults(tmp_path, **{FORM: "json"})
    lines = [json.loads(line) for line in log.splitlines()]
    bugs = {line["error_id"]: line for line in lines if "error_id" in line}
    assert len(numbers) == 2
    assert list(bugs) == numbers
    assert all("ValueError" in bug["traceback"] and "broken.py" in bug["traceback"] for bug in bugs.values())
    assert [line for line in lines if "traceback" in line] == list(bugs.values())
    assert "telltale" not in log
    assert "JFIF" not in log


@pytest.mark.slow
def test_real_faults_in_plain_text_have_the_number_and_nothing_else_of_the_visitor(tmp_path: Path) -> None:
    """As it is without a setting; one line and a traceback for each."""
    numbers, log = faults(tmp_path)
    assert NUMBER.findall(log) == numbers
    assert len(numbers) == log.count("Traceback (most recent call last)") == 2
    assert "telltale" not in log
    assert "JFIF" not in log


def test_loggers_that_streamlit_sets_up_later_have_the_form_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of its modules are imported when a visitor first needs them."""
    monkeypatch.setenv(FORM, "json")
    monkeypatch.setattr(streamlits, "_loggers", dict(streamlits._loggers))
    before = {each: list(each.handlers) for each in [logging.getLogger()]}
    forms = [
        (handler, handler.formatter)
        for each in list(logging.root.manager.loggerDict.values())
        if isinstance(each, logging.Logger)
        for handler in each.handlers
    ]
    try:
        set_up_server_log()
        later = streamlits.get_logger("streamlit.of_a_test")
        (handler,) = later.handlers
        assert isinstance(handler.formatter, JsonLines)
    finally:
        for root, handlers in before.items():
            root.handlers = handlers
        for one, formatter in forms:
            one.setFormatter(formatter)
