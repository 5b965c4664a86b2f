"""Bugs: the visitor and the log get the same number."""

import logging
from collections.abc import Callable
from functools import wraps
from secrets import token_hex
from typing import ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, StopException

from ...answers.message import Notice
from ...catalogue import models
from ...errors import VizError
from ..locale.translated import translated
from ..locale.words import say

REPORTING = "questions#i-found-a-bug-or-a-typo-where-do-i-report-it"
CONTROL = (RerunException, StopException)  # how Streamlit itself ends a run
_MOST_KEPT = 3
_GIVEN = ParamSpec("_GIVEN")
log = logging.getLogger(__name__)


def reported(what: str, error: BaseException) -> Notice:
    """Log a bug, and return the sentence with its number."""
    return Notice(say(_language(), "bug", error_id=numbered(what, error)), REPORTING)


def numbered(what: str, error: BaseException) -> str:
    """Log a bug's traceback, and return its number there."""
    number = token_hex(4)
    log.error("%s failed, report %s", what, number, exc_info=error, extra={"error_id": number})
    return number


def guarded(callback: Callable[_GIVEN, None]) -> Callable[_GIVEN, None]:
    """Return a widget's callback with its failures kept for the page.

    Streamlit calls it before the page's script, so the page could not catch what it raises.
    """

    @wraps(callback)
    def hear(*args: _GIVEN.args, **kwargs: _GIVEN.kwargs) -> None:
        try:
            callback(*args, **kwargs)
        except CONTROL:
            raise
        except (VizError, models.ModelError) as error:
            _keep(Notice(translated(str(error), _language()), error.document))
        except BaseException as error:  # noqa: BLE001  also what would end the thread
            _keep(reported("callback", error))

    return hear


def callback_faults() -> list[Notice]:
    """Return a sentence for each callback's failure since the last run.

    Each is returned only once.
    """
    kept: list[Notice] = st.session_state.pop("callback_faults", [])
    return kept


def _keep(notice: Notice) -> None:
    st.session_state["callback_faults"] = [*callback_faults(), notice][-_MOST_KEPT:]


def _language() -> str:
    return str(st.session_state.get("lang") or "en")
