"""Our addresses below the path at which an operator has put the page (``server.baseUrlPath``)."""

from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from ..browser.modules import ASSETS

HEALTH = "/health"
COUNTS, OPERATOR = "/metrics", "/operator"
OURS = ("/maps/", f"/{ASSETS}/", HEALTH, COUNTS, OPERATOR)


def page_path() -> str:
    """Return the page's path, such as ``"/glass"``; empty if it has its host for itself."""
    said = str(config.get_option("server.baseUrlPath")).strip("/")
    return f"/{said}" if said else ""


class PagePath:
    """ASGI middleware that takes the path off our addresses; Streamlit knows its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on as if the page stood at the top of its host."""
        above = page_path()
        if above and scope["type"] == "http":
            path = scope["path"].removeprefix(above)
            if path.startswith(OURS):
                scope = {**scope, "path": path, "raw_path": scope["raw_path"].removeprefix(above.encode())}
        await self._app(scope, receive, send)
