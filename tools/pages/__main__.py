"""Checks or writes the documents that are made from the code: ``make pages``."""

import argparse
import sys

from tools.pages.all_pages import DOCS, made


def main() -> int:
    """Check the documents, or write them; return the exit status.

    Without ``--update`` it is 1 if a document is not as the code has it.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.pages", description=__doc__)
    parser.add_argument("--update", action="store_true", help="write what differs")
    update = parser.parse_args().update
    old = [name for name, text in made().items() if _text(name) != text]
    for name in old if update else ():
        path = DOCS / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(made()[name], encoding="utf-8")
    if old and not update:
        print(f"{', '.join(old)}: not as the code has it; run make pages", file=sys.stderr)
        return 1
    return 0


def _text(name: str) -> str:
    path = DOCS / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


if __name__ == "__main__":
    sys.exit(main())
