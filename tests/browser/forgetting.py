"""A server that soon forgets who has left, and waiting until it has."""

import time
from contextlib import AbstractContextManager
from pathlib import Path

from tests.browser.serving import serving
from tests.hostile.visitor import ask
from tests.machine import patience

AWAY = 5.0  # seconds that a page is away at least: it then tries less and less often to come back
HURRIED = """
import sys
from viz.ui.visit import service, visit
visit.GRACE_SECONDS, service.LOOK_SECONDS = {grace}, 0.5
from streamlit.web.cli import main
sys.argv = ["streamlit", "run", "app.py", *sys.argv[1:]]
main()
"""


def hurried(grace: str) -> tuple[str, str]:
    """Return how to start a server with this grace, which looks every half second who has left."""
    return "-c", HURRIED.format(grace=grace)


def forgetful(home: Path, **settings: str) -> AbstractContextManager[str]:
    """A server that keeps a page without a connection for a second, and its visit for two."""
    start = hurried("visit.SESSION_SECONDS + 1")
    return serving(home, start, settings={"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1"} | settings)


def expect_forgotten(server: str, path: str) -> None:
    """Wait until nothing is at an address any more: the visit has ended."""
    began = time.monotonic()
    while ask(server, path).status != 410 or time.monotonic() < began + AWAY:
        assert time.monotonic() < began + patience(60)
        time.sleep(0.5)
