"""Values of another picture, for edits that put them into layers."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import torch

from ..cache import ByteCache
from ..hooks.activations import LayerActivations
from ..hooks.edits import first_tensor
from ..hooks.records import LayerRecord
from ..pictures.own_donors import donor_photo
from ..pictures.subject import Subject
from ..request.edit_request import EditRequest

MOST_KEPT = 32 << 20  # bytes of donated values that are kept for one model
# For each such edit, the tensor for each call of its layer, in the order of calls.
Donated: TypeAlias = Mapping[EditRequest, tuple[torch.Tensor, ...]]
DonorCache: TypeAlias = ByteCache[tuple[torch.Tensor, ...]]


def donated_cache() -> DonorCache:
    """An empty cache for the values that ``donated`` records in one model."""
    return DonorCache(MOST_KEPT, lambda tensors: sum(tensor.nbytes for tensor in tensors) or 1)


def donated(
    layers: LayerActivations,
    subject: Subject,
    edits: Iterable[EditRequest],
    kept: DonorCache,
    training: int | None = None,
) -> Donated:
    """Return the values of these edits' layers for their donors.

    They come from one pass without edits for each donor. Call it while no edits are in force; inside a block
    of ``training``, with its seed.

    Raises:
        EditError: a layer has no tensor there.
        UnknownLayerError: an edit names no layer of the model.
    """
    swaps = [edit for edit in edits if edit.donor]
    found = {edit: kept.get(_place(edit, training)) for edit in swaps}
    for name in {edit.donor: None for edit, values in found.items() if values is None}:
        new = [edit for edit in swaps if edit.donor == name and found[edit] is None]
        of_inputs = any(edit.of_inputs for edit in new)
        with layers.capture(*(edit.layer for edit in new), inputs=of_inputs) as record:
            layers.run(*subject.arguments(donor_photo(name).image))
        found |= {edit: kept.keep(_place(edit, training), _given(edit, record[edit.layer])) for edit in new}
    return {edit: values for edit, values in found.items() if values is not None}


def _place(edit: EditRequest, training: int | None) -> tuple[str, str, str, int | None]:
    """The key of donated values, by the picture's content, not its name."""
    return (donor_photo(edit.donor).fingerprint, edit.layer, edit.side, training)


def _given(edit: EditRequest, record: LayerRecord) -> tuple[torch.Tensor, ...]:
    return tuple(first_tensor(call.inputs if edit.of_inputs else call.output)[1] for call in record)
