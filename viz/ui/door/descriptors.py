"""How many descriptors the system grants this process; each connection and each page takes some."""

import sys

UNBOUNDED = 1 << 20
OWN = 128  # the log, processes for models and readers, files that are read
LEAVING = 3 * 128  # Streamlit keeps 128 sessions that may come back; each has a loop of its own
OF_A_PAGE = 5  # its socket, its session's loop, and the line of a class
_SHARE = 6  # of all of them, a sixth is for requests beside these


def needed(pages: int) -> int:
    """Return how many descriptors a server with so many open pages takes."""
    return (OWN + LEAVING + OF_A_PAGE * pages) * _SHARE // (_SHARE - 1) + 1


def pages_within(granted: int) -> int:
    """Return how many pages may be open, of so many descriptors; at least one."""
    return max(1, (granted - OWN - LEAVING - requests_within(granted)) // OF_A_PAGE)


def requests_within(granted: int) -> int:
    """Return how many requests may be under way, of so many descriptors, beside the lines of classes."""
    return granted // _SHARE


def grant(wanted: int) -> int:
    """Ask the system for so many descriptors, and return how many there are."""
    if sys.platform == "win32":
        return UNBOUNDED
    import resource  # noqa: PLC0415  # Windows has none

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = UNBOUNDED if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < min(wanted, most):
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, most), hard))
        soft = min(wanted, most)
    return UNBOUNDED if soft == resource.RLIM_INFINITY else soft
