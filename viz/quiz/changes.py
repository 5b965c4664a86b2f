"""Questions about the edit that changed a ReLU's maps.

The edit is of the layer in front of the ReLU.

Every choice is really run: an edit is offered only if its maps can be told from those of the right one.
"""

import random

import numpy as np

from ..profile.rows import LayerRow
from ..request.edit_request import EditRequest
from .question import CHOICES, Question
from .scene import MOST_TILES, Maps, Scene, drawn

SMALLEST = 5  # values on a side
SEEN, STEP = 0.03, 0.1  # maps differ if this share of values differs by this share of their range
NOISY, CUT = 1.0, 0.25  # the noise in standard deviations, the cut as a share of the largest value


def which_edit(chance: random.Random, scene: Scene) -> Question | None:
    """Question about an edit, from a ReLU's maps before and after it."""
    pairs = [pair for pair in scene.pairs("ReLU") if min((pair[0].shapes[0] or (0,))[2:]) >= SMALLEST]
    if not pairs:
        return None
    row, after = chance.choice(pairs)
    if not scene.follows(row, after):
        return None
    edits = _edits(row, scene.maps(row.name), chance.randrange(1000))
    before = scene.maps(after.name)[:MOST_TILES]
    made = [(edit, scene.maps(after.name, edits=(edit,))[:MOST_TILES]) for edit in edits]
    chance.shuffle(made)
    for right, maps in made:
        others = [edit for edit, other in made if edit != right and _differ(maps, other, before)]
        if len(others) >= CHOICES - 1 and _differ(maps, before, before):
            return _asked(chance, scene, (row, after), [right, *others[: CHOICES - 1]], (before, maps))
    return None


def _edits(row: LayerRow, maps: Maps, seed: int) -> list[EditRequest]:
    """Five edits of all channels, scaled to the layer's values."""
    noise = float(f"{NOISY * float(maps.std()):.2g}")
    cut = float(f"{CUT * float(np.abs(maps).max()):.2g}")
    return [
        EditRequest(row.name, kind="zero"),
        EditRequest(row.name, kind="scale", amount=-1.0),
        EditRequest(row.name, kind="mean"),
        EditRequest(row.name, kind="noise", amount=noise, seed=seed),
        EditRequest(row.name, kind="clamp", amount=cut),
    ]


def _differ(one: Maps, other: Maps, before: Maps) -> bool:
    """Return whether an eye can distinguish two edits' maps.

    The scale is that of the maps before.
    """
    reach = float(max(before.max(), one.max(), other.max()) - before.min())
    return reach > 0 and float(np.mean(np.abs(one - other) > STEP * reach)) >= SEEN


def _asked(
    chance: random.Random,
    scene: Scene,
    pair: tuple[LayerRow, LayerRow],
    edits: list[EditRequest],
    maps: tuple[Maps, Maps],
) -> Question:
    right, (row, after), (before, changed) = edits[0], pair, maps
    chance.shuffle(edits)
    # One scale for both, because their colours must be comparable.
    scale = (float(min(before.min(), changed.min())), float(max(before.max(), changed.max())))
    pictures = (drawn(before, "before", scale=scale), drawn(changed, "after", scale=scale))
    texts = [f"{edit.kind}:{edit.amount:g}" for edit in edits]
    facts = {
        "after": after.name,
        "amount": f"{right.amount:g}",
        "edit": right.text,
        "shown": str(len(before)),
        "channels": str((after.shapes[0] or (0, 0))[1]),
    }
    return scene.question(
        "edit", row, texts, edits.index(right), why=f"edit_{right.kind}", pictures=pictures, facts=facts
    )
