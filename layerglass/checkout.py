"""Names in this package for a checkout's ``viz`` and ``models``.

In a checkout both stand beside it. A second copy of a module would have classes of its own, which no
``isinstance`` or ``except`` takes for the first ones. So ``layerglass.viz.errors`` is the very module
``viz.errors``. The wheel leaves this file out.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_PREFIX = f"{__package__}."
_OURS = {"viz", "models"}


class _OtherName(Loader):
    """Gives a module that has been imported another name."""

    def __init__(self, name: str) -> None:
        self._module = import_module(name)
        self._spec = self._module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module; Python will write this spec into it."""
        del spec
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back; it has run already."""
        module.__spec__ = self._spec


class _Finder(MetaPathFinder):
    """Finds ``layerglass.viz…`` and ``layerglass.models…``."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a name of ours, or None for others."""
        del path, target
        name = fullname.removeprefix(_PREFIX)
        if name == fullname or name.partition(".")[0] not in _OURS:
            return None
        return ModuleSpec(fullname, _OtherName(name))


def enter() -> None:
    """Let Python find packages beside this one under names inside it."""
    sys.meta_path.insert(0, _Finder())
