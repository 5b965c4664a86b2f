"""An inspection as a standalone script of plain PyTorch hooks.

The script makes exactly this view.
"""

from collections.abc import Sequence

from ..errors import RequestError
from ..pictures.own_donors import is_own_picture
from ..pictures.photo import Crop
from ..request.inspection import Inspection, LayerView
from .code_check import check_lines, tolerance
from .code_donors import donor_imports, donor_lines, is_donated, prepared_lines
from .code_drawing import draw_lines, map_lines, stretched_imports
from .code_edits import edit_imports, edit_said
from .code_hooks import hook_lines, run_lines
from .code_inputs import input_lines, picture_lines, reads_picture
from .code_model import Card, import_lines, is_repeated, mode_said, model_lines
from .code_operations import check_operations, operation_imports
from .edit_place import EditPlace
from .script_facts import ScriptFacts

__all__ = ["Card", "script"]


def script(
    wanted: Inspection,
    view: LayerView,
    card: Card,
    facts: ScriptFacts,
    *,
    image_path: str = "picture.png",
    values_path: str = "values.npy",
    maps_path: str = "maps.png",
    crop: Crop | None = None,
) -> str:
    """Return a script that captures, saves, draws and checks a layer's call.

    The array in ``values_path`` equals the captured one bit for bit, with the same versions and as many
    threads; half precision is widened to float32 and quantised values are dequantised, as in a view. At
    last a line says whether they are the numbers of the view (see ``viz.script.code_check``).

    Args:
        wanted: what is wanted.
        view: the answer; its layout and its scale go into the script.
        card: the model's card.
        facts: what ``Facts`` finds out for the same request.
        image_path: the picture that the script reads.
        values_path: where the script saves the layer's whole value, as an array of NumPy.
        maps_path: where the script draws the maps.
        crop: the part of that picture that the model is given.

    Raises:
        RequestError: the view cannot be made with a hook, or needs weights that not everyone has.
    """
    _check_wanted(wanted, places := facts.places)
    parts = (  # in the order of a reader's questions
        ["\n".join([*_head(wanted, view, card, places), "", *_hooks(wanted, view, facts)]).rstrip("\n")],
        ["", *_model(wanted, card, facts)],
        _picture_lines(picture_lines(image_path, crop), card, places),
        [*donor_lines(wanted, places), *run_lines(wanted, view, places), f"np.save({values_path!r}, values)"],
        [*map_lines(view), *draw_lines(view, maps_path)],
        _check_lines(wanted, view, card, facts),
    )
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _hooks(wanted: Inspection, view: LayerView, facts: ScriptFacts) -> list[str]:
    return hook_lines(wanted, view, facts.places, overwritten=facts.overwritten)


def _model(wanted: Inspection, card: Card, facts: ScriptFacts) -> list[str]:
    repeated = is_repeated(wanted)
    return model_lines(wanted, card, fused=facts.fused, repeated=repeated, misread=facts.misread)


def _picture_lines(read: list[str], card: Card, places: Sequence[EditPlace]) -> list[str]:
    inputs = input_lines(card.preprocessing, card.id)
    return [
        *(read if reads_picture(card.preprocessing) else []),
        *(prepared_lines(inputs) if is_donated(places) else inputs),
    ]


def _check_lines(wanted: Inspection, view: LayerView, card: Card, facts: ScriptFacts) -> list[str]:
    names = ("before", "after") if wanted.show == "difference" else ("values",)
    named = list(zip(names, facts.digests, strict=True))
    allowed = tolerance(card, view.dtype, view.device, backward=wanted.gradient is not None)
    return check_lines(named, allowed, is_complex=view.dtype.startswith("complex"))


def _check_wanted(wanted: Inspection, places: Sequence[EditPlace]) -> None:
    check_operations(wanted)
    if any(is_own_picture(edit.donor) for edit in wanted.in_force):
        raise RequestError(
            "A script takes another picture's values from samples only: undo the edit, or show "
            "the maps before."
        )
    in_force = {(edit.layer, edit.kind) for edit in wanted.in_force}
    if in_force != {(place.edit.layer, place.edit.kind) for place in places}:
        raise ValueError("a script needs the places of just those edits that are in force in its view")


def _head(wanted: Inspection, view: LayerView, card: Card, places: Sequence[EditPlace]) -> list[str]:
    what = "feature maps" if wanted.gradient is None else "gradients"
    title = f"{view.layer} of {card.title}".replace("\\", " ").replace('"', " ")
    return [
        f'"""The {what} of {title}, captured with a plain PyTorch hook.',
        "",
        f"Call {view.call + 1} of {view.calls}; shape {view.shape}, {view.dtype}. Made by Layerglass.",
        *mode_said(wanted.training, view.device),
        *_edits_said(wanted),
        *(["The picture that it reads comes with it."] if reads_picture(card.preprocessing) else []),
        '"""',
        "",
        *import_lines(card, edit_imports(places), stretched_imports(view.colormap)),
        *operation_imports(view.layer),
        *donor_imports(places),
    ]


def _edits_said(wanted: Inspection) -> list[str]:
    """Return lines about the edits in force; none without edits."""
    if not wanted.in_force:
        return []
    shown = "After minus before these edits:" if wanted.show == "difference" else "With these edits:"
    return [shown, *(f"- {edit_said(edit)}" for edit in wanted.in_force)]
