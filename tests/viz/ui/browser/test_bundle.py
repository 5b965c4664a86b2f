"""All modules as two files do what each does alone, and errors point to the line of the module."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine import patience
from viz.ui.browser.bundle import BUNDLE, LATER, bundles, script
from viz.ui.browser.modules import ALONE, BROWSER, files, version

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
  const { shout } = await import("./views/shout.js");
  return shout();
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
    "views/shout.js": """import { fail } from "../tools/add.js";
import { LOUD } from "./loud.js";
/** @type {import("../tools/add.js").Counter} */
export const counter = null;
export function shout() { return LOUD; }
export function failLater() { fail(); }
export function failHere() {
  throw new Error(LOUD);
}
""",
    "views/loud.js": 'import { NAME } from "../tools/name.js";\nexport const LOUD = NAME.toUpperCase();\n',
    "tools/name.js": 'export const NAME = "name";\nconst hidden = 1; // stays\n',
}
RUN = """
import { modules } from "./bundle.js";
const { default: main, later } = modules["main.js"];
const said = [main({ by: 2 }), await later()];
const { modules: rest } = await import("./later.js");
const names = ([path, made]) => [path, Object.keys(made).sort()];
const exported = [modules, rest].map((all) => Object.fromEntries(Object.entries(all).map(names)));
function stackOf(act) {
  try { act(); } catch (error) { return error.stack; }
}
const { failLater, failHere } = rest["views/shout.js"];
console.log(JSON.stringify({ said, exported, stacks: [failLater, failHere].map(stackOf) }));
"""


def _written(folder: Path) -> None:
    for name, text in bundles(MODULES).items():
        (folder / name).write_text(text)
    (folder / "package.json").write_text('{"type": "module"}')


def _run(folder: Path, script: str) -> dict[str, object]:
    _written(folder)
    (folder / "run.mjs").write_text(script)
    node = [str(NODE), "--enable-source-maps", str(folder / "run.mjs")]
    done = subprocess.run(node, capture_output=True, text=True, check=True, timeout=patience(60))
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_two_files_export_what_their_modules_export(tmp_path: Path) -> None:
    """Renamed imports, a default, classes and asynchronous functions; what is not exported stays inside."""
    found = _run(tmp_path, RUN)
    assert found["said"] == ["name 3", "NAME"]
    assert found["exported"] == [
        {
            "main.js": ["default", "later"],
            "tools/add.js": ["Counter", "add", "fail"],
            "tools/name.js": ["NAME"],
        },
        {"views/loud.js": ["LOUD"], "views/shout.js": ["counter", "failHere", "failLater", "shout"]},
    ]


def test_comments_behind_code_are_left_out_but_nothing_within_a_text() -> None:
    """A first visit need not fetch them."""
    texts = ("`a; // b`;", "'c, // d';", "'e /** @type f */';")
    code = (
        f"export const one = {texts[0]} // no letter",
        f"export const two = {texts[1]}",
        "export const three = 3; // no reader's letter",
        "export function four() { try { return 4; } catch { /* no letter */ } }",
        "export const five = /** @type {{no: letter}} */ ([5]);",
        f"export const six = {texts[2]}",
    )
    made = bundles({"one.js": "\n".join(code) + "\n"})
    assert "letter" not in made[BUNDLE]
    assert all(text in made[BUNDLE] for text in texts)
    assert "catch { }" in made[BUNDLE]
    assert "five = ([5]);" in made[BUNDLE]


def test_what_comes_later_comes_also_if_the_line_was_gone_at_first(tmp_path: Path) -> None:
    """The second try asks at another address: a browser may remember that the first was not there."""
    found = _run(
        tmp_path,
        """
import { rename } from "node:fs/promises";
import { modules } from "./bundle.js";
const { later } = modules["main.js"];
const place = new URL("./later.js", import.meta.url), away = new URL("./away.js", import.meta.url);
await rename(place, away);
const failed = await later().catch(() => "no line");
await rename(away, place);
console.log(JSON.stringify({ said: [failed, await later(), await later()] }));
""",
    )
    assert found["said"] == ["no line", "NAME", "NAME"]


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


def test_a_script_has_what_it_fetches_later_too() -> None:
    """A frame in a notebook has no server to fetch it from."""
    begin = 'const find = async () => (await import("./views/loud.js")).LOUD;\nfind().then(console.log);\n'
    text = script(MODULES | {"begin.js": begin}, "begin.js")
    done = subprocess.run(
        [str(NODE), "--input-type=module"], input=text, capture_output=True, text=True, check=True
    )
    assert done.stdout == "NAME\n"


def test_an_error_is_said_at_its_line_of_its_module(tmp_path: Path) -> None:
    """In either file; Node reads the maps as browsers do."""
    stacks = _run(tmp_path, RUN)["stacks"]
    assert isinstance(stacks, list)
    for stack, path in zip(stacks, ("tools/add.js", "views/shout.js"), strict=True):
        (line,) = (n for n, text in enumerate(MODULES[path].splitlines(), 1) if "throw" in text)
        assert f"{path}:{line}:" in stack


def test_what_is_fetched_later_is_nothing_that_is_there_at_once() -> None:
    """The words would promise a smaller first visit; and nothing of the second file fetches more."""
    begin = 'import { a } from "./a.js";\nconst all = async () => await import("./a.js");'
    with pytest.raises(ValueError, match="cannot bundle"):
        bundles({"begin.js": begin, "a.js": "export const a = 1;"})


@pytest.mark.parametrize(
    "text", ['import all from "./b.js";', 'import "./b.js";', "export { a };", "export let a = 1;"]
)
def test_a_statement_that_is_not_known_is_refused(text: str) -> None:
    """It would otherwise be left out, and missed only in the browser."""
    with pytest.raises(ValueError, match="cannot bundle"):
        bundles({"a.js": text, "b.js": ""})


def test_modules_that_import_each_other_are_refused() -> None:
    """There is no order in which each finds the other."""
    cycle = {"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}
    with pytest.raises(ValueError, match="cycle"):
        bundles(cycle)


def test_the_page_gets_every_module() -> None:
    """In one of two files, by its path."""
    texts = [files()[name].decode() for name in (BUNDLE, LATER)]
    for path in BROWSER.rglob("*.js"):
        named = path.relative_to(BROWSER).as_posix()
        assert sum(f'"{named}": m' in text for text in texts) == (named not in ALONE)


def test_every_process_makes_the_same_files() -> None:
    """Or a page that outlives its server would have code of two versions, each with a state of its own."""
    script = "from viz.ui.browser.modules import version; print(version())"
    made = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=BROWSER.parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert made == {version()}


def test_nothing_is_defined_on_the_offline_page_that_the_page_offers() -> None:
    """The functions that other modules export are imported; a second definition drifts from the first."""
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


@pytest.mark.parametrize(
    "text",
    ["`one\n  two`", "`one ${`a\n  b`}`", '"one"'],
    ids=["over lines", "within another", "on one line"],
)
def test_indentation_goes_but_for_that_within_a_text(text: str) -> None:
    """Scripts are sent without it; a text over several lines is what it was."""
    module = f"export function said() {{\n  return {text};\n}}\n"
    joined = bundles({"one.js": module})[BUNDLE]
    assert (f"return {text};" in joined) is True
    assert ("\n  return" in joined) is ("\n" in text)
