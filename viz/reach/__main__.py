"""``python -m viz.reach HOST PORT`` says where the page will be, before ``make run`` starts it."""

import sys

from ..errors import RequestError
from .announced import first_words
from .listening import check_address, port_of


def main(arguments: list[str]) -> int:
    """Print the page's address, or why it cannot be there."""
    host, port = arguments
    try:
        check_address(host, number := port_of(port))
    except RequestError as error:
        print(f"make run: {error}", file=sys.stderr)  # noqa: T201  for the terminal
        return 2
    print(first_words(host, number), end="", flush=True)  # noqa: T201  for the terminal
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
