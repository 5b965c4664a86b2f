"""Facts for a view's script: places of edits, digests of numbers."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from ..engine.task import Bench, OnePicture
from ..request.inspection import Inspection
from .code_check import Digest
from .edit_place import EditPlace


@dataclass(frozen=True)
class ScriptFacts:
    """Facts from an engine for a view's script.

    Attributes:
        digests: of the view's value; of the values before and after the edits, if it shows their difference.
        places: where the edits in force act, as ``edit_places`` says.
        fused: whether the model has attention that passes by its layers unless it is told not to.
        overwritten: whether the layer writes into what it is given where a gradient is shown.
        misread: whether PyTorch alone misreads a gradient at a norm on the way.
    """

    digests: tuple[Digest, ...]
    places: tuple[EditPlace, ...] = ()
    fused: bool = False
    overwritten: bool = False
    misread: bool = False


class Facts(OnePicture[ScriptFacts]):
    """The task of computing a script's facts.

    It takes one more pass for edits or a gradient.
    """

    done_by = "script.work:facts"

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        return ("script facts", *self.wanted.place, self.wanted.call, self.wanted.leaf)

    def ready(self, bench: Bench) -> bool:
        """See ``viz.engine.task.Task``."""
        needs_a_pass = self.wanted.in_force or self.wanted.gradient is not None
        return not needs_a_pass and bench.kept(self.wanted) is not None


def sides(wanted: Inspection) -> tuple[Inspection, ...]:
    """Return the requests whose values a script makes.

    They are before and after the edits, if their difference is wanted.
    """
    if wanted.show != "difference":
        return (wanted,)
    return replace(wanted, show="before"), replace(wanted, show="after")
