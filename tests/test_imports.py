"""The import rule of the house, read from the source: who may import whom, and who may import what."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "viz").rglob("*.py")), *sorted((ROOT / "models").rglob("*.py"))]

# room: the rooms that it may import from
MAY_IMPORT = {
    "app": {"viz.ui"},
    "viz.ui": {"viz.ui", "viz", "models"},
    "viz.__main__": {"viz", "models"},
    "viz": {"viz"},
    "models": {"models"},
}
PYPLOT = {"pyplot", "pylab", "matplotlib.pyplot", "matplotlib.pylab"}
HOOK = re.compile("register.*hook")
WEB = {"streamlit", "starlette", "uvicorn"}
# Drawing works on arrays, so that it is as good for a remote engine's answers as for tensors of this process.
WITHOUT_TORCH = (
    *("maps.colour", "pictures.containers", "errors", "maps.figures"),
    *("maps.guess", "pictures.images", "request.inspection", "maps.layout"),
    *("maps.mosaic", "maps.png", "pictures.samples", "maps.statistics"),
    *("maps.tiling", "engine.worker"),
)


def module_name(path: Path) -> str:
    """The dotted name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


TREES = {module_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


def imports(module: str) -> Iterator[str]:
    """Every module that a source imports, wherever in the file; ``from a import b`` is a.b if that is one."""
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively; say the whole name"
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in TREES else str(node.module) for name in full)


def room(module: str) -> str:
    """The room of the house that a module belongs to; nothing for modules from elsewhere."""
    rooms = [name for name in MAY_IMPORT if module == name or module.startswith(f"{name}.")]
    return max(rooms, key=len, default="")


def test_rooms_import_only_downwards() -> None:
    """``app`` → ``viz.ui`` → ``viz``; the page and the command line also know the models; nobody looks up."""
    strangers = [
        f"{module} imports {name}"
        for module in TREES
        for name in imports(module)
        if room(name) and room(name) not in MAY_IMPORT[room(module)]
    ]
    assert strangers == []


def test_only_the_page_knows_the_web() -> None:
    """Everything else works in a notebook, a test and on the command line."""
    others = [module for module in TREES if room(module) not in {"app", "viz.ui"}]
    assert [module for module in others if WEB & outermost(imports(module))] == []


def outermost(names: Iterable[str]) -> set[str]:
    """The packages that the modules are part of."""
    return {name.partition(".")[0] for name in names}


def attributes(module: str) -> set[str]:
    """Every name after a dot in a module's source."""
    return {node.attr for node in ast.walk(TREES[module]) if isinstance(node, ast.Attribute)}


def test_pyplot_is_nowhere() -> None:
    """Its current figure is shared by all threads: a chart could reach the wrong visitor."""
    words = {module: attributes(module) | set(imports(module)) for module in TREES}
    assert [module for module, found in words.items() if found & PYPLOT] == []


def test_hooks_are_registered_in_one_place() -> None:
    """Module hooks in ``viz.hooks.activations``; tensor hooks in ``viz.hooks.gradients``.

    The course is about plain hooks, so its lessons register them too.
    """
    ours = [module for module in TREES if not module.startswith("viz.lessons")]
    hooks = {module: {name for name in attributes(module) if HOOK.fullmatch(name)} for module in ours}
    assert {module: found for module, found in hooks.items() if found} == {
        "viz.hooks.activations": {"register_forward_pre_hook", "register_forward_hook"},
        "viz.hooks.gradients": {"register_hook"},
    }


def reached(module: str) -> set[str]:
    """All that a module imports, itself or through other modules of ours; the package's front door aside."""
    found: set[str] = set()
    new = set(imports(module))
    while new:
        found |= new
        new = {name for ours in new & set(TREES) - {"viz"} for name in imports(ours)} - found
    return found


@pytest.mark.parametrize("module", WITHOUT_TORCH)
def test_drawing_needs_no_torch(module: str) -> None:
    """Not even through another module of ours."""
    assert not {"torch", "torchvision", "safetensors"} & outermost(reached(f"viz.{module}"))


def test_every_source_file_is_looked_at() -> None:
    """The list above is not empty by mistake, and knows the rooms."""
    assert {room(name) for name in TREES} == set(MAY_IMPORT)
    assert set(imports("viz.hooks.activations")) >= {"torch", "viz.errors"}
