"""Descriptors granted to this process; each connection and each page takes some."""

from ...system.limits import raise_open_files

UNBOUNDED = 1 << 20
OWN = 128  # the log, processes for models and readers, files that are read
LEAVING = 3 * 128  # Streamlit keeps 128 sessions that may come back; each has a loop of its own
OF_A_PAGE = 5  # its socket, its session's loop, and the line of a class
_SHARE = 6  # of all of them, a sixth is for requests beside these


def needed(pages: int) -> int:
    """Return the number of descriptors for so many open pages."""
    return (OWN + LEAVING + OF_A_PAGE * pages) * _SHARE // (_SHARE - 1) + 1


def pages_within(granted: int) -> int:
    """Return the number of pages that the descriptors allow, at least one."""
    return max(1, (granted - OWN - LEAVING - requests_within(granted)) // OF_A_PAGE)


def requests_within(granted: int) -> int:
    """Return the number of simultaneous requests that the descriptors allow.

    Lines of classes count with the pages.
    """
    return granted // _SHARE


def grant(wanted: int) -> int:
    """Request so many descriptors of the system, and return the number granted."""
    granted = raise_open_files(wanted)
    return UNBOUNDED if granted is None else granted
