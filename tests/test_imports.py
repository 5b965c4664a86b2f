"""Rules that import-linter cannot see: parts of packages, and calls. The rooms' rule is in pyproject.toml."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "viz").rglob("*.py")), *sorted((ROOT / "models").rglob("*.py"))]
PYPLOT = {"pyplot", "pylab", "matplotlib.pyplot", "matplotlib.pylab"}
HOOK = re.compile("register.*hook")
# Of the catalogue, what imports PyTorch; and who may use it: what works where models are.
WITH_PYTORCH = {"describe", "download", "families", "is_ready", "load", "names", "needs", "representatives"}
WITH_PYTORCH |= {"own.compare", "own.load_with", "own.outlines", "own.tensors"}
WITH_PYTORCH |= {"own.fits_of", "own.fitted_model"}
WITH_MODELS = {"viz.ui.visit.loaders", "viz.ui.visit.catalogue.fetching", "viz.ui.visit.catalogue.work"}


def module_name(path: Path) -> str:
    """The dotted name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def trees() -> dict[str, ast.Module]:
    """Every source, parsed once: only where a test asks, since each run collects this file."""
    return {module_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


def imports(module: str) -> Iterator[str]:
    """Every name that a source imports, wherever in the file."""
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def attributes(module: str) -> set[str]:
    """Every name after a dot in a module's source."""
    return {node.attr for node in ast.walk(trees()[module]) if isinstance(node, ast.Attribute)}


def names_in(module: str) -> set[str]:
    """Every name in a module's source, after a dot or not: functions may be imported by their names."""
    plain = {node.id for node in ast.walk(trees()[module]) if isinstance(node, ast.Name)}
    return plain | attributes(module)


def test_pyplot_is_nowhere() -> None:
    """Its current figure is shared by all threads: a chart could reach the wrong visitor."""
    words = {module: attributes(module) | set(imports(module)) for module in trees()}
    assert [module for module, found in words.items() if found & PYPLOT] == []


def test_hooks_are_registered_in_one_place() -> None:
    """Of modules and optimisers in ``viz.hooks.activations``, of tensors and nodes in ``viz.hooks.values``.

    The course is about plain hooks, so its lessons register them too; and so do visitors, in answers to
    exercises, which end in a process of their own.
    """
    ours = [module for module in trees() if not module.startswith("viz.lessons")]
    hooks = {module: {name for name in names_in(module) if HOOK.fullmatch(name)} for module in ours}
    assert {module: found for module, found in hooks.items() if found} == {
        "viz.exercises.subset.layers": {
            "register_forward_pre_hook",
            "register_forward_hook",
            "register_full_backward_hook",
        },
        "viz.exercises.subset.tensors": {"register_hook"},
        "viz.hooks.activations": {
            "register_forward_pre_hook",
            "register_forward_hook",
            "register_optimizer_step_pre_hook",
            "register_optimizer_step_post_hook",
        },
        "viz.hooks.values.gradients": {"register_hook"},
        "viz.hooks.values.norms": {"register_prehook"},
    }


def test_methods_of_a_model_are_watched_in_one_place() -> None:
    """By ``viz.hooks.witness``, which puts everything back; the lessons are about plain hooks."""
    watching = {"setprofile", "getprofile", "_forward_pre_hooks", "_forward_hooks"}
    ours = [module for module in trees() if not module.startswith("viz.lessons")]
    found = {module: attributes(module) & watching for module in ours}
    assert {module for module, names in found.items() if names} == {"viz.hooks.witness"}


def of_the_catalogue(module: str) -> set[str]:
    """Return the names that a module uses of ``models``: ``names``, ``own.compare``."""
    used = (ast.unparse(node) for node in ast.walk(trees()[module]) if isinstance(node, ast.Attribute))
    return {name.removeprefix("models.") for name in used if name.startswith("models.")}


def test_the_page_asks_the_catalogue_only_where_models_are() -> None:
    """Everywhere else it asks ``viz.ui.visit.catalogue.known``, which asks the engine."""
    page = [module for module in trees() if module.startswith("viz.ui")]
    assert {module for module in page if of_the_catalogue(module) & WITH_PYTORCH} == WITH_MODELS


def test_a_room_has_a_sentence_and_few_files() -> None:
    """At most fifteen, and a first line that says what belongs in it."""
    rooms = {path.parent for path in SOURCES if path.parent != ROOT}
    silent = [room for room in rooms if not ast.get_docstring(ast.parse((room / "__init__.py").read_text()))]
    assert silent == []
    crowded = {str(room.relative_to(ROOT)): len(list(room.glob("*.py"))) - 1 for room in rooms}
    assert {room for room, files in crowded.items() if files > 15} == set()
