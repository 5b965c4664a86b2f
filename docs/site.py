"""Builds the documents as a site of files: ``make docs``, into ``site/help/``.

It ends with status 1 and one line for each link between the pages that leads nowhere.
"""

import json
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from docs.reference import broken_links  # noqa: E402  the path has to be known first
from viz.ui.browser.modules import help_script  # noqa: E402
from viz.ui.help.contents import FOLDER, INDEX, documents, file_beside, for_programs  # noqa: E402
from viz.ui.help.site import Place, page, searched  # noqa: E402

SITE = ROOT / "site" / "help"
ENDING = ".html"
FIRST = (
    '<!doctype html><meta http-equiv="refresh" content="0; url=help/index.html"><title>Layerglass</title>\n'
)
# Two scripts that need no server: a browser fetches nothing beside a file.
PLACE = Place(
    script='<script defer src="./search.js"></script><script defer src="./help.js"></script>',
    live="http://localhost:8501/",
    ending=ENDING,
    first=f"./{INDEX}{ENDING}",
)


def main(site: Path = SITE) -> int:
    """Write the site, and return 1 if a link in it is broken."""
    shutil.rmtree(site, ignore_errors=True)
    site.mkdir(parents=True)
    for name in documents():
        (site / f"{name}{ENDING}").write_text(str(page(name, PLACE)), encoding="utf-8")
    for name, text in for_programs().items():
        (site / name).write_text(text, encoding="utf-8")
    (site / "help.js").write_text(help_script(), encoding="utf-8")
    passages = json.dumps(searched(PLACE), ensure_ascii=False)
    (site / "search.js").write_text(f"globalThis.helpPassages = {passages};\n", encoding="utf-8")
    for path in FOLDER.rglob("*"):
        name = path.relative_to(FOLDER)
        if file_beside(str(name)):
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, site / name)
    site.with_name("index.html").write_text(FIRST, encoding="utf-8")
    broken = list(broken_links(site))
    print("\n".join(broken) or f"{site / INDEX}{ENDING}: {len(documents())} documents")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
