"""Outlines of model files: kind, tensors, modules, settings; nothing is run.

>>> from models.own.opening.outline import outline_of
>>> outline_of(Path("yolov8n.pt").read_bytes())[0].kind
'pickled module'
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from ...errors import OwnWeightsError
from ...sentences import Sentence
from ..formats.exported import is_exported
from ..formats.onnx_file import nodes_of
from ..state_archive import names_in
from ..state_reading import ZIP, FileContents, format_of, is_script, read_contents
from ..state_refusals import ARCHIVE, ONNX, SAFETENSORS, readable
from ..state_table import StateTable, checked, from_plain
from .module_tree import ModuleRow, class_names, main_module, module_rows, plain_settings
from .package import is_package, read_package

__all__ = ["FileOutline", "outline_from_plain", "outline_of"]

STATE_DICT, SAFE, MODULE, SCRIPT = "state dict", "safetensors", "pickled module", "TorchScript"
EXPORTED, GRAPH, OTHER = "torch.export", "ONNX", "something else"
_NOTHING = StateTable((), ())
_MOST_NODES = 20_000
_HYPER_PARAMETERS = ("hyper_parameters", "hparams", "args", "config")


@dataclass(frozen=True)
class FileOutline:
    """A model file without its numbers, as plain values.

    Attributes:
        kind: ``state dict``, ``safetensors``, ``pickled module``, ``TorchScript``, ``torch.export``,
            ``ONNX`` or ``something else``.
        table: its tensors, and where their numbers are.
        tree: its modules, or an ONNX graph's operations.
        classes: the names of the classes that it states.
        settings: what else it says: under ``module``, ``checkpoint`` and ``config``.
        files: the names of the files of weights, if it is a folder.
        problem: why it cannot be read, in a sentence.
    """

    kind: str
    table: StateTable = _NOTHING
    tree: tuple[ModuleRow, ...] = ()
    classes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    problem: str = ""

    def to_plain(self) -> dict[str, Any]:
        """Return the outline as values for JSON; ``outline_from_plain`` makes it one again."""
        said = self.problem.to_plain() if isinstance(self.problem, Sentence) else self.problem
        return {**vars(self), "table": self.table.to_plain(), "problem": said}


def outline_from_plain(plain: Mapping[str, Any], size: int) -> FileOutline:
    """Return the outline that another process found, after checking its table.

    Args:
        plain: what ``to_plain`` returned there, through JSON.
        size: the bytes that its table is about.

    Raises:
        OwnWeightsError: the table is not one of so many bytes.
    """
    told = plain["problem"]
    return FileOutline(
        plain["kind"],
        from_plain(plain["table"], size),
        tuple(ModuleRow(*row) for row in plain["tree"]),
        tuple(plain["classes"]),
        plain["settings"],
        tuple(plain["files"]),
        told if isinstance(told, str) else Sentence.from_plain(told),
    )


def outline_of(data: bytes) -> tuple[FileOutline, bytes]:
    """Return a file's outline, and the bytes of its table.

    For a folder these are the bytes of its files, one after another.
    """
    kind = OTHER
    try:
        with readable(ARCHIVE):
            names = names_in(data) if data.startswith(ZIP) else ()
            kind = _certain_kind(data, names)
            if is_package(names):
                return _of_package(data)
        contents = read_contents(data)
        with readable(ARCHIVE):
            return _outline(contents, data, kind), data
    except OwnWeightsError as error:
        return FileOutline(kind, problem=str(error)), b""


def _certain_kind(data: bytes, names: Collection[str]) -> str:
    """Return the kind that a file's format alone decides."""
    if is_exported(names):
        return EXPORTED
    if names:
        return SCRIPT if is_script(names) else OTHER
    found = format_of(data) if data else ""
    if found == SAFETENSORS:
        return SAFE
    return GRAPH if found == ONNX else OTHER


def _of_package(data: bytes) -> tuple[FileOutline, bytes]:
    found = read_package(data)
    checked(found.contents.table, len(found.data))
    kind = SAFE if found.files[0].endswith(".safetensors") else OTHER
    outline = _outline(found.contents, found.data, kind)
    said = plain_settings(found.config)
    classes = class_names(found.config) or outline.classes
    settings = {**outline.settings, "config": said} if said else outline.settings
    return replace(outline, classes=classes, settings=settings, files=found.files), found.data


def _outline(contents: FileContents, data: bytes, kind: str) -> FileOutline:
    held = contents.pickled
    module = main_module(held)
    if kind == OTHER:
        kind = MODULE if module else STATE_DICT
    nodes = (ModuleRow(*node) for node in islice(nodes_of(data), _MOST_NODES)) if kind == GRAPH else ()
    said = {
        "module": plain_settings(module) if module and kind == MODULE else {},
        "checkpoint": plain_settings(held) if held is not module else {},
    }
    return FileOutline(
        kind,
        contents.table,
        module_rows(module) if module else tuple(nodes),
        class_names(module, held, *_hyper_parameters(held)),
        {place: settings for place, settings in said.items() if settings},
    )


def _hyper_parameters(held: object) -> Iterator[object]:
    if isinstance(held, Mapping):
        yield from (held[word] for word in _HYPER_PARAMETERS if word in held)
