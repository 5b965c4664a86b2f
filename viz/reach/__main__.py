"""``python -m viz.reach HOST PORT`` says where a class finds the page, before ``make run`` starts it."""

import sys

from .announced import announcement


def main(arguments: list[str]) -> int:
    """Print it; nothing if only this machine reaches the page."""
    host, port = arguments
    print(announcement(host, int(port)), end="", flush=True)  # noqa: T201  for the terminal
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
