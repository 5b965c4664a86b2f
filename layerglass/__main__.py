"""``python -m layerglass``: the command ``layerglass``."""

import sys

from .viz.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
