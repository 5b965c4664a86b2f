"""Memory, processor, graphics card, disk, and where files are kept."""

import os
import shutil
import tempfile
from pathlib import Path

from ...engine.engine_protocol import USUAL
from ...profile.cost import known_memory
from ...sentences import Sentence, counted
from ...system.processes import usable_processors
from .facts import Fact

ENOUGH_MEMORY, ENOUGH_DISK = 2.0, 2.0  # GB: the page with its first model; a large model's weights
_GIGABYTE = 1e9


def memory(free: float | None = None) -> Fact:
    """Return how much memory is free, in gigabytes."""
    if free is None:
        known = known_memory()
        if known is None:
            return Fact(name="memory", grade="good", said=Sentence("free memory is not known here"))
        free = known / _GIGABYTE
    said = Sentence("{free} GB of memory are free", free=f"{free:.1f}")
    if free >= ENOUGH_MEMORY:
        return Fact(name="memory", grade="good", said=said)
    advice = Sentence(
        "Close other programs: the page and its first model take about {most} GB.",
        most=f"{ENOUGH_MEMORY:.0f}",
    )
    return Fact(name="memory", grade="lacking", said=said, advice=advice)


def processor() -> Fact:
    """Return the number of processor cores that may be used."""
    said = counted("one processor core", "{count} processor cores", count=usable_processors())
    return Fact(name="processor", grade="good", said=said)


def engine(usual: str = USUAL) -> Fact:
    """Return where models run on this system if nobody chooses."""
    if usual == "process":
        said = Sentence("models run in processes of their own, which are replaced if they fail")
    else:
        said = Sentence("models run in the page's own process: if one fails, the page may end with it")
    return Fact(name="engine", grade="good", said=said)


def folder(name: str, path: Path, setting: str) -> Fact:
    """Return whether files can be kept in a folder.

    It need not be there: it is made once it is needed.
    """
    there = _existing(path)
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError:
        return Fact(
            name=name,
            grade="lacking",
            said=Sentence("no file can be written in {folder}", folder=there),
            advice=Sentence("Set {setting} to a folder that you may write to.", setting=setting),
        )
    return Fact(name=name, grade="good", said=Sentence("files can be kept in {folder}", folder=path))


def disk(path: Path, free: float | None = None) -> Fact:
    """Return how many gigabytes of disk are free for a folder."""
    free = shutil.disk_usage(_existing(path)).free / _GIGABYTE if free is None else free
    said = Sentence("{free} GB of disk are free at {folder}", free=f"{free:.1f}", folder=path)
    if free >= ENOUGH_DISK:
        return Fact(name="disk", grade="good", said=said)
    advice = Sentence("Make room: the weights of a large model take {most} GB.", most=f"{ENOUGH_DISK:.0f}")
    return Fact(name="disk", grade="lacking", said=said, advice=advice)


def weights_folder() -> Path:
    """Return the folder below which PyTorch keeps weights. Source: ``torch.hub.get_dir``."""
    return Path(os.environ.get("TORCH_HOME") or _caches() / "torch").expanduser() / "hub"


def results_folder() -> Path:
    """Return the folder below which passes over pictures are kept."""
    return Path(os.environ.get("LAYERGLASS_FOLDERS") or _caches() / "layerglass" / "folders")


def _caches() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _existing(path: Path) -> Path:
    """Return the folder, or the nearest one around it that is there."""
    around = (path.absolute(), *path.absolute().parents)
    return next(each for each in around if os.path.isdir(each))  # noqa: PTH112  # ``is_dir`` may raise
