"""All modules as one do what each does alone, and errors point to the line of the module."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from viz.ui.browser.bundle import bundle, script, source_map
from viz.ui.browser.modules import ALONE, BROWSER, BUNDLE, files

DEFINED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)
NAMED = re.compile(r"^(?:(?:async )?function|class|const|let) (\w+)", re.MULTILINE)
NODE = Path(sys.executable).with_name("node")
MODULES = {
    "main.js": """import { add as plus, Counter } from "./tools/add.js";
import {
  NAME,
} from "./tools/name.js";

export default function ({ by }) {
  const counter = new Counter();
  counter.by(plus(by, 1));
  return `${NAME} ${counter.count}`;
}
export async function later() {
  return NAME;
}
""",
    "tools/add.js": """import { NAME } from "./name.js";
// export function notOne() {}
export function add(one, other) { return one + other; }
export class Counter {
  count = 0;

  by(step) { this.count += step; }
}
export const fail = () => { throw new Error(NAME); };
""",
    "tools/name.js": 'export const NAME = "name";\nconst hidden = 1; // stays\n',
}
RUN = """
import { modules } from "./bundle.js";
const { default: main, later } = modules["main.js"];
const names = ([path, made]) => [path, Object.keys(made).sort()];
const exported = Object.fromEntries(Object.entries(modules).map(names));
let stack = "";
try { modules["tools/add.js"].fail(); } catch (error) { stack = error.stack; }
console.log(JSON.stringify({ said: main({ by: 2 }), later: await later(), exported, stack }));
"""


def _run(folder: Path) -> dict[str, object]:
    (folder / "run.mjs").write_text(RUN)
    (folder / "package.json").write_text('{"type": "module"}')
    node = [str(NODE), "--enable-source-maps", str(folder / "run.mjs")]
    done = subprocess.run(node, capture_output=True, text=True, check=True, timeout=60)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_bundle_exports_what_its_modules_export(tmp_path: Path) -> None:
    """Renamed imports, a default, classes and asynchronous functions; what is not exported stays inside."""
    (tmp_path / "bundle.js").write_text(bundle(MODULES))
    found = _run(tmp_path)
    assert found["said"] == "name 3"
    assert found["later"] == "name"
    assert found["exported"] == {
        "main.js": ["default", "later"],
        "tools/add.js": ["Counter", "add", "fail"],
        "tools/name.js": ["NAME"],
    }


def test_a_script_runs_a_module_with_what_it_reaches() -> None:
    """It imports and exports nothing; a module that is not reached is not in it."""
    modules = MODULES | {"begin.js": 'import { add } from "./tools/add.js";\nconsole.log(add(1, 2));\n'}
    text = script(modules, "begin.js")
    done = subprocess.run(
        [str(NODE), "--input-type=module"], input=text, capture_output=True, text=True, check=True
    )
    assert done.stdout == "3\n"
    assert text.count("(() => {\n") == 3
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)


def test_an_error_is_said_at_its_line_of_its_module(tmp_path: Path) -> None:
    """Node reads the map as browsers do."""
    (tmp_path / "bundle.js").write_text(bundle(MODULES))
    (tmp_path / "bundle.js.map").write_text(source_map(MODULES))
    (line,) = (n for n, text in enumerate(MODULES["tools/add.js"].splitlines(), 1) if "throw" in text)
    assert f"tools/add.js:{line}:" in str(_run(tmp_path)["stack"])


@pytest.mark.parametrize(
    "text", ['import all from "./b.js";', 'import "./b.js";', "export { a };", "export let a = 1;"]
)
def test_a_statement_that_is_not_known_is_refused(text: str) -> None:
    """It would otherwise be left out, and missed only in the browser."""
    with pytest.raises(ValueError, match="cannot bundle"):
        bundle({"a.js": text, "b.js": ""})


def test_modules_that_import_each_other_are_refused() -> None:
    """There is no order in which each finds the other."""
    cycle = {"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}
    with pytest.raises(ValueError, match="cycle"):
        bundle(cycle)


def test_the_page_gets_every_module() -> None:
    """In one file, by its path."""
    text = files()[BUNDLE].decode()
    for path in BROWSER.rglob("*.js"):
        named = path.relative_to(BROWSER).as_posix()
        assert (f'"{named}": m' in text) != (named in ALONE)


def test_nothing_is_defined_on_the_offline_page_that_the_page_offers() -> None:
    """What other modules export is imported from them; a second definition drifts from the first."""
    offered = {
        name
        for path in BROWSER.rglob("*.js")
        if path.parent.name != "offline"
        for name in DEFINED.findall(path.read_text("utf-8"))
    }
    own = set(NAMED.findall((BROWSER / "offline" / "offline.js").read_text("utf-8")))
    assert {"readable", "percent", "filled", "shapeText", "fitted"} <= offered
    assert {"show", "mapFacts"} <= own
    assert own & offered == set()
