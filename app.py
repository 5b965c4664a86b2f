"""Layerglass: start it with ``make run`` (or ``streamlit run app.py``).

Streamlit loads this file once to find the server, and again as the page, for every visitor's every change.
"""

import os

# Else PyTorch's threads spin while they wait, and take the processor from who works. Read at its import.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit
from starlette.middleware import Middleware
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz.ui.door.door import Door, nowhere
from viz.ui.page import draw_page
from viz.ui.visit.service import engine, warm_up, watch_visits
from viz.ui.wire.headers import SecurityHeaders
from viz.ui.wire.routes import routes


@asynccontextmanager
async def warmed_up(_: streamlit.App) -> AsyncIterator[None]:
    """Open the doors once the first screen's model is loaded; close the engine with the server."""
    await asyncio.to_thread(warm_up)
    watching = asyncio.create_task(watch_visits())
    yield
    watching.cancel()
    engine().close()


if get_script_run_ctx(suppress_warning=True) is None:
    app = streamlit.App(
        __file__,
        routes=[*routes(), *nowhere()],
        middleware=[Middleware(SecurityHeaders), Middleware(Door)],
        lifespan=warmed_up,
    )
else:
    draw_page()
