"""The page's server around Streamlit: its routes, its middleware, its warm-up."""

import asyncio
import gc
import importlib
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import streamlit
from starlette.middleware import Middleware

from .classroom.routes_classroom import classroom_routes
from .classroom.saying import classrooms, watch_classrooms
from .door.door import Door, nowhere
from .door.limits import warn_of_few_descriptors
from .help.routes_help import help_routes
from .operating.log import set_up_server_log
from .operating.moments import note_moments
from .operating.routes_operating import operating_routes
from .stopping import ending_in_time
from .visit.service import engine, warm_up, watch_visits
from .wire.bugs import Bugs
from .wire.headers import SecurityHeaders
from .wire.page_path import PagePath
from .wire.routes.routes import routes
from .wire.routes.routes_assets import asset_routes
from .wire.routes.routes_health import health_routes
from .wire.shell_files import ShellFiles, warm_packs, warm_page

SWITCH_SECONDS = 0.0005  # after which a thread that draws or packs lets those go on that answer; usually 5 ms


@asynccontextmanager
async def warmed_up(_: streamlit.App) -> AsyncIterator[None]:
    """Prepare for visitors at the start; close the engine at the end.

    Visitors are accepted while the first model gets ready.
    """
    set_up_server_log()
    warn_of_few_descriptors()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()  # what was imported, unwalked: little of it is garbage, and walking it takes time
    loop = asyncio.get_running_loop()

    def close() -> None:
        with suppress(RuntimeError):  # the loop may have ended, and their lines with it
            loop.call_soon_threadsafe(classrooms.close)  # they would stay open for good
        engine().close()

    with ending_in_time(close):
        warming = asyncio.create_task(asyncio.to_thread(warm_up))
        await asyncio.to_thread(warm_page)
        preparing = asyncio.create_task(asyncio.to_thread(_prepare_first_visit))
        watches = (watch_visits(), watch_classrooms(), note_moments())
        watching = [asyncio.create_task(each) for each in watches]
        yield
        for each in watching:
            each.cancel()
        await asyncio.to_thread(engine().close)
        await asyncio.gather(warming, preparing)


def _prepare_first_visit() -> None:
    """Prepare a first visit: its scripts and the page's modules."""
    warm_packs()
    importlib.import_module(".page", __package__)


def parts() -> dict[str, Any]:
    """Return the arguments of ``streamlit.App`` beside its script.

    The middleware is listed from the outside in.
    """
    set_up_server_log()
    ours = [
        *routes(),
        *classroom_routes(),
        *asset_routes(),
        *help_routes(),
        *health_routes(),
        *operating_routes(),
    ]
    return {
        "routes": [*ours, *nowhere()],
        "middleware": [Middleware(each) for each in (SecurityHeaders, Bugs, PagePath, Door, ShellFiles)],
        "lifespan": warmed_up,
    }
