"""Attribution for a class as a standalone script of plain PyTorch.

The script computes, draws and checks it.
"""

from ...errors import RequestError
from ...pictures.photo import Crop
from ...request.inspection import Inspection, LayerView
from ...request.method import KINDS, OF_LAYERS, Method
from ..code_check import check_lines, digest, tolerance
from ..code_drawing import stretched_imports
from ..code_edits import docstring_text
from ..code_gradient import MEMORY, gradient_keep
from ..code_inputs import input_lines, picture_lines, reads_picture
from ..code_model import Card, import_lines, mode_said, model_lines
from ..code_operations import check_operations
from .attention import IMPORTS as ATTENTION_IMPORTS
from .facts import AttributionFacts, target_of
from .lines import METHODS, LinesRequest


def attribution_script(
    method: Method,
    wanted: Inspection,
    card: Card,
    facts: AttributionFacts,
    view: LayerView | None = None,
    *,
    image_path: str = "picture.png",
    values_path: str = "values.npy",
    maps_path: str = "maps.png",
    crop: Crop | None = None,
) -> str:
    """Return a script that computes, saves, draws and checks an attribution.

    Args:
        method: with its settings.
        wanted: what is wanted; its gradient is the class.
        card: the model's card.
        facts: what ``Attribute`` finds out for the same request and method.
        view: a view of ``facts.layer``, for a method that has one.
        image_path: the picture that the script reads.
        values_path: where the script saves the values, as an array of NumPy.
        maps_path: where the script draws them.
        crop: the part of that picture that the model is given.

    Raises:
        RequestError: no class is wanted, or no script can do it: edits, operations, weights of one's own.
    """
    target, how = _checked(method.name, wanted), METHODS[method.name]
    asked = LinesRequest(wanted, target, facts, view, how.repeated, method)
    allowed = tolerance(card, facts.dtype, facts.device, backward=True)
    parts = (
        _head(method.name, asked, card),
        model_lines(wanted, card, fused=facts.fused, repeated=how.repeated, misread=facts.misread),
        [*_read(card, image_path, crop), *input_lines(card.preprocessing, card.id)],
        [*how.run(asked), f"np.save({values_path!r}, values)"],
        how.draw(asked, how.title.format(layer=wanted.layer, target=target), maps_path),
        check_lines([("values", digest(facts.values))], allowed, is_complex=False, whose="Layerglass"),
    )
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _checked(method: str, wanted: Inspection) -> int:
    """Return the class, if a script can compute an attribution for it."""
    target = target_of(method, wanted)
    if wanted.in_force:
        raise RequestError("A script says what counts for a class in the model without edits: undo them.")
    if method in OF_LAYERS:
        check_operations(wanted)
    return target


def _head(method: str, asked: LinesRequest, card: Card) -> list[str]:
    how = METHODS[method]
    title = how.title.format(layer=asked.wanted.layer, target=asked.target)
    return [
        f'"""{docstring_text(title)} in {docstring_text(card.title)}, with plain PyTorch.',
        "",
        *how.said.splitlines(),
        f"Source: {how.source}.",
        "",
        "Classes are counted from 0, and the score of one is what the model returns. Made by Layerglass.",
        *mode_said(asked.wanted.training, asked.facts.device),
        *(["The picture that it reads comes with it."] if reads_picture(card.preprocessing) else []),
        '"""',
        "",
        *import_lines(
            card,
            ["from itertools import pairwise"] if method == "conductance" else [],
            stretched_imports(asked.shown.colormap) if method == "conductance" else [],
        ),
        *(ATTENTION_IMPORTS if KINDS[method].attention else []),
        *(_hook(asked) if method in OF_LAYERS else []),
    ]


def _read(card: Card, path: str, crop: Crop | None) -> list[str]:
    return picture_lines(path, crop) if reads_picture(card.preprocessing) else []


def _hook(asked: LinesRequest) -> list[str]:
    keep = gradient_keep(asked.shown.leaf, outputs=True, overwritten=asked.facts.overwritten)
    memory = MEMORY if asked.facts.overwritten else []
    return ["", "calls, outputs = [], []", "", "", *memory, *keep, ""]
