"""What a script must know of a view beyond the view itself: where edits act, and what its numbers are."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

from torch import nn

from ..engine.task import Bench, OnePicture
from ..findings.leaves import chosen_leaf
from ..request.inspection import Inspection
from .code_check import Digest, digest
from .edit_places import EditPlace, edit_places


@dataclass(frozen=True)
class ScriptFacts:
    """What an engine tells a script.

    Attributes:
        digests: of the view's value; of the values before and after the edits, if it shows their difference.
        places: where the edits in force act, as ``edit_places`` says.
        fused: whether the model has attention that passes by its layers unless it is told not to.
    """

    digests: tuple[Digest, ...]
    places: tuple[EditPlace, ...] = ()
    fused: bool = False


class Facts(OnePicture):
    """The task of finding out what the script of a view must know, in one more pass if there are edits."""

    @property
    def key(self) -> Hashable:
        """See ``viz.engine.task.Task``."""
        return ("script facts", *self.wanted.place, self.wanted.call, self.wanted.leaf)

    def ready(self, bench: Bench) -> bool:
        """See ``viz.engine.task.Task``."""
        return not self.wanted.in_force and bench.kept(self.wanted) is not None

    def work(self, bench: Bench) -> ScriptFacts:
        """See ``viz.engine.task.Task``; ``edit_places`` and ``chosen_leaf`` say what is raised."""
        loaded = bench.loaded(self.wanted.model, self.wanted.weights)
        arguments = loaded.subject.arguments(self.photo.image)
        shown = (
            chosen_leaf(bench.captured(side, self.photo, whole=False), side)[1].array
            for side in sides(self.wanted)
        )
        return ScriptFacts(
            tuple(map(digest, shown)),
            edit_places(loaded.layers, arguments, self.wanted.in_force, loaded.known(self.photo)),
            has_fused_attention(loaded.layers.model),
        )


def sides(wanted: Inspection) -> tuple[Inspection, ...]:
    """The requests whose values a script makes: before and after the edits, if their difference is wanted."""
    if wanted.show != "difference":
        return (wanted,)
    return replace(wanted, show="before"), replace(wanted, show="after")


def has_fused_attention(model: nn.Module) -> bool:
    """Return whether PyTorch may compute layers of this model in one piece, past the hooks inside."""
    fused = (nn.MultiheadAttention, nn.TransformerEncoderLayer, nn.TransformerEncoder)
    return any(isinstance(layer, fused) for layer in model.modules())
