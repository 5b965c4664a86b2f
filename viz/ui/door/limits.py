"""Limits for a visitor, an address and all, each with its reason."""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass

from ...catalogue import models
from ...profile.cost import free_memory
from .descriptors import grant, needed, pages_within, requests_within

MEGABYTE = 1_000_000
UPLOADS, SOCKETS, OF_ADDRESS = (
    "LAYERGLASS_UPLOADS_MB",
    "LAYERGLASS_VISITORS",
    "LAYERGLASS_VISITORS_OF_ADDRESS",
)
FREE_SHARE = 4  # visitors' files may take a quarter of the free memory: models and maps need the rest
log = logging.getLogger(__name__)
OF_A_FORM = MEGABYTE  # bytes of a multipart body around its file, as Streamlit allows them


@dataclass(frozen=True)
class DoorLimits:
    """Limits of the door.

    Those of one visitor are tight. Those of one address are wide: a whole class may share it, behind one
    router or proxy. Sizes are in bytes, times in seconds, rates per second.
    """

    query: int = 32_000  # a link with 32 edits of 40 channels each, on both sides, takes 20,000
    path: int = 2_000  # the longest of ours takes 100
    head: int = 32_000  # all headers: a browser sends 1,000, and 8,000 with other pages' cookies of this host
    body: int = 600_000  # of anything but an upload: a frame of the camera has at most 500,000

    picture: int = 20 << 20  # what the page's own box lets through; the decoder refuses beyond 20 MB
    weights: int = (
        512 << 20
    )  # one file of weights, as its box counts; LAYERGLASS_WEIGHTS_MB says another number
    pictures_of_session: int = 4 * (20 << 20)  # the picture, one to compare, the camera's, one that replaces
    weights_of_session: int = (512 << 20) + OF_A_FORM  # one file; the browser deletes it before another
    files_of_session: int = 12  # five boxes, and what replaces their files while that is on its way
    uploads_of_all: int = 2_000 * MEGABYTE  # kept or on their way, of all visitors: LAYERGLASS_UPLOADS_MB
    pictures_reserve: int = 128 * MEGABYTE  # of these, what weights may not fill: a class's photos fit in
    patience: float = 5.0  # seconds to wait for room: a replaced file is deleted at about the same time
    back: float = 5.0  # seconds to wait for a page whose line is lost, as a phone's that was locked

    bodies_of_session: int = 4  # uploads at a time: a person has two hands
    bodies_of_address: int = 100  # a class of fifty uploads together
    bodies_of_all: int = 200  # each holds a connection and a parser
    body_grace: float = 30.0  # seconds: enough for a phone to change its network
    body_rate: int = 8_000  # then, on average: a sixth of a bad mobile line's 50 kB/s

    asked_rate: float = 240.0  # requests of one visitor: a held arrow key makes 56
    asked_burst: int = 1_200  # an overview, the neighbours' prefetch and a resized window, all at once
    asked_at_once: int = 48  # a browser opens 6 connections for each of a visitor's tabs
    address_rate: float = 500.0  # requests of an address without a subject: thirty first pages in ten seconds
    address_burst: int = 8_000  # a page takes 90 files, a class comes at the same minute
    address_at_once: int = 400  # requests of one address under way
    requests: int = 1_100  # of all, with each class's lines; fewer if the system grants few descriptors

    sockets: int = 500  # pages open at a time: a session is 1 MB and more. LAYERGLASS_VISITORS
    sockets_of_address: int = 250  # two lecture halls behind one proxy. LAYERGLASS_VISITORS_OF_ADDRESS
    arrivals_rate: float = 5.0  # new pages of one address: each runs the page's script, 50 ms of CPU time
    arrivals_burst: int = 120  # a class that opens the page, or whose server has restarted
    message: int = 1_500_000  # a frozen camera frame of 500,000 bytes as base64, and the widgets' state
    messages_rate: float = 20.0  # of one page; what comes faster waits: a dragged slider sends 10
    messages_burst: int = 100
    names: int = 16  # files that one message asks to upload

    retry_after: int = 5  # how long to wait after a refusal, unless something better is known


def limits(
    environment: Mapping[str, str] = os.environ, free: int | None = None, descriptors: int | None = None
) -> DoorLimits:
    """Return the limits of this server, by environment and system.

    Args:
        environment: settings by name; one that is not a whole number is ignored.
        free: bytes of memory; by default those that are free now.
        descriptors: how many there are; by default as many as the pages need, or as the system grants.
    """
    weights = models.own.size_limit() // MEGABYTE << 20
    standard = DoorLimits()
    free = free_memory() if free is None else free
    enough = max(free // FREE_SHARE, weights + OF_A_FORM + standard.pictures_reserve)
    asked = pages_asked(environment)
    granted = grant(needed(asked)) if descriptors is None else descriptors
    pages = min(asked, pages_within(granted))
    return DoorLimits(
        weights=weights,
        weights_of_session=weights + OF_A_FORM,
        uploads_of_all=_number(environment, UPLOADS, enough // MEGABYTE) * MEGABYTE,
        requests=min(standard.requests, pages + requests_within(granted)),
        sockets=pages,
        sockets_of_address=_number(environment, OF_ADDRESS, standard.sockets_of_address),
    )


def pages_asked(environment: Mapping[str, str] = os.environ) -> int:
    """Return the number of open pages that the operator wants."""
    return _number(environment, SOCKETS, DoorLimits.sockets)


def warn_of_few_descriptors(environment: Mapping[str, str] = os.environ) -> None:
    """Warn the operator if the system grants fewer pages than asked."""
    asked, granted = pages_asked(environment), grant(0)
    if (pages := pages_within(granted)) < asked:
        log.warning(
            "the system grants %s open files (ulimit -n): at most %s pages can be open; %s need %s",
            f"{granted:,}",
            pages,
            asked,
            f"{needed(asked):,}",
        )


def _number(environment: Mapping[str, str], name: str, otherwise: int) -> int:
    asked = environment.get(name, "")
    return int(asked) if asked.isascii() and asked.isdigit() else otherwise
