"""Our addresses below the operator's path for the page (``server.baseUrlPath``)."""

from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from ..browser.modules import ASSETS

HEALTH = "/health"
COUNTS, OPERATOR = "/metrics", "/operator"
DOCUMENTS = "/help"
OURS = ("/maps/", f"/{ASSETS}/", HEALTH, COUNTS, OPERATOR, DOCUMENTS)


def page_path() -> str:
    """Return the page's path, such as ``"/glass"``; empty without one."""
    said = str(config.get_option("server.baseUrlPath")).strip("/")
    return f"/{said}" if said else ""


class PagePath:
    """ASGI middleware that removes the page's path from our addresses.

    Streamlit's own addresses keep it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on without the page's path."""
        above = page_path()
        if above and scope["type"] == "http":
            path = scope["path"].removeprefix(above)
            if path.startswith(OURS):
                scope = {**scope, "path": path, "raw_path": scope["raw_path"].removeprefix(above.encode())}
        await self._app(scope, receive, send)
