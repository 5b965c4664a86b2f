"""The server's log in one form, Streamlit's and uvicorn's records included."""

import logging

from streamlit import logger as streamlits

from ...log_form import LineRateFilter, form, set_up_log
from ..door.uploads import names_kept


def set_up_server_log() -> None:
    """Give every logger that writes by itself our form.

    It is safe to call again once there are more of them. Streamlit sets up a logger when its module is
    imported, some of them late, so those to come are caught as well.
    """
    set_up_log(names_kept)
    for each in list(logging.root.manager.loggerDict.values()):
        if isinstance(each, logging.Logger):
            _reform(each)
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    if streamlits.setup_formatter is not _set_up:
        streamlits.setup_formatter = _set_up


_streamlits_own = streamlits.setup_formatter


def _set_up(logger: logging.Logger) -> None:
    _streamlits_own(logger)
    _reform(logger)


def _is_news(record: logging.LogRecord) -> bool:
    """Return whether a record is not uvicorn's note on refused websockets."""
    return record.msg != "ASGI callable returned without completing handshake."


def _reform(logger: logging.Logger) -> None:
    for handler in logger.handlers:
        if type(handler) is logging.StreamHandler:
            ours = form(handler.formatter)
            if type(handler.formatter) is not type(ours):
                handler.setFormatter(ours)
                handler.addFilter(LineRateFilter())
