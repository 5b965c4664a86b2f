"""Check or update ``models/zoo/torchvision_files.json`` by the installed torchvision.

``python -m tools.torchvision_files`` checks: it fails if the file says something else. ``--update`` writes
it, after another release was pinned in ``constraints.txt``.
"""

import argparse
import json
import sys
from importlib.metadata import version

from models.zoo.torchvision_files import KEPT
from models.zoo.torchvision_zoo import asked_files


def kept_text() -> str:
    """The file's text, a line for each model."""
    lines = (f"    {json.dumps(model)}: {json.dumps(file)}" for model, file in asked_files().items())
    files, release = ",\n".join(lines), version("torchvision").partition("+")[0]
    return f'{{\n  "torchvision": "{release}",\n  "files": {{\n{files}\n  }}\n}}\n'


def main() -> None:
    """Check the file, or write it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--update", action="store_true", help="write the file")
    text = kept_text()
    if parser.parse_args().update:
        KEPT.write_text(text, encoding="utf-8")
    elif KEPT.read_text(encoding="utf-8") != text:
        sys.exit(f"{KEPT.name} is of another torchvision: python -m tools.torchvision_files --update")


if __name__ == "__main__":
    main()
