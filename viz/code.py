"""An inspection → a standalone script of plain PyTorch hooks that makes exactly this view."""

import ast

from viz.code_drawing import draw_lines, map_lines
from viz.code_gradient import gradient_lines
from viz.code_model import Card, input_lines, model_lines, packages
from viz.errors import RequestError
from viz.functional import is_operation
from viz.inspection import Inspection, LayerView
from viz.sentences import said

__all__ = ["Card", "script"]

_WHOLE_NUMBERS = ("quint8", "qint8", "qint32")
_NOT_IN_NUMPY = ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")


def script(
    wanted: Inspection,
    view: LayerView,
    card: Card,
    *,
    image_path: str = "picture.png",
    values_path: str = "values.npy",
    maps_path: str = "maps.png",
) -> str:
    """Return a Python script that captures, saves and draws one call of one layer.

    The array in ``values_path`` equals the captured one bit for bit on the processor, with the same versions
    and the same number of threads; half precision is widened to float32 and quantised values are dequantised,
    as in a view.

    Args:
        wanted: what was asked for.
        view: what came of it; its layout and its scale go into the script.
        card: the model's card.
        image_path: the picture that the script reads.
        values_path: where the script saves the layer's whole value, as an array of NumPy.
        maps_path: where the script draws the maps.

    Raises:
        RequestError: the view cannot be made by a hook or with weights that everyone has; the message says
            why.
    """
    _check_wanted(wanted, view)
    parts = (
        _head(wanted, view, card),
        [f"image = ImageOps.exif_transpose(Image.open({image_path!r})).convert('RGB')", *input_lines(card)],
        [*model_lines(card, wanted.weights), "model.eval()"],
        _hook_lines(view) if wanted.gradient is None else gradient_lines(view, wanted.gradient),
        [f"values = calls[{view.call}]{_as_array(view)}", f"np.save({values_path!r}, values)"],
        [*map_lines(view), *draw_lines(view, maps_path)],
    )
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _check_wanted(wanted: Inspection, view: LayerView) -> None:
    if is_operation(wanted.layer):
        raise RequestError(said("code_operation", layer=wanted.layer))
    if wanted.gradient is not None and view.leaf != "output":
        raise RequestError(said("code_gradient"))
    if wanted.edits and wanted.show != "before":
        raise RequestError(said("code_edits"))


def _head(wanted: Inspection, view: LayerView, card: Card) -> list[str]:
    others = packages(card)
    what = "feature maps" if wanted.gradient is None else "gradients"
    title = f"{view.layer} of {card.title}".replace("\\", " ").replace('"', " ")
    return [
        f'"""The {what} of {title}, captured with a plain PyTorch hook.',
        "",
        f"Call {view.call + 1} of {view.calls}; shape {view.shape}, {view.dtype}. Made by Layerglass.",
        "The picture that it reads is offered for download beside it.",
        '"""',
        "",
        *(f"import {name}" for name in sorted({"numpy as np", "torch", *others})),
        "from matplotlib.figure import Figure",
        "from PIL import Image, ImageOps",
    ]


def _hook_lines(view: LayerView) -> list[str]:
    path = _checked_path(view.leaf)
    given = path.startswith("inputs")
    return [
        "calls = []",
        "",
        "",
        *(_pre_hook(path) if given else _hook(path)),
        "",
        "",
        f"layer = model.get_submodule({view.layer!r})",
        f"handle = layer.register_forward_{'pre_' if given else ''}hook(keep, with_kwargs=True)",
        "torch.backends.mha.set_fastpath_enabled(False)  # the fused path of attention passes by its layers",
        "with torch.no_grad():",
        "    model(*arguments)",
        "handle.remove()",
    ]


def _hook(path: str) -> list[str]:
    return [
        "def keep(layer, args, kwargs, output):",
        '    """Keep a copy: layers after this one may write into its output."""',
        f"    calls.append({path}.detach().clone())",
    ]


def _pre_hook(path: str) -> list[str]:
    by_name = path.startswith(("inputs['", 'inputs["'))
    return [
        "def keep(layer, args, kwargs):",
        '    """Keep a copy, before the layer writes into its input."""',
        f"    inputs = {'kwargs' if by_name else 'args'}",
        f"    calls.append({path}.detach().clone())",
    ]


def _as_array(view: LayerView) -> str:
    if view.dtype in _WHOLE_NUMBERS:
        return ".dequantize().numpy()"
    return ".float().numpy()" if view.dtype in _NOT_IN_NUMPY else ".numpy()"


def _checked_path(path: str) -> str:
    """Return a leaf's path, which becomes a part of the script, if it is nothing but steps into a value.

    Raises:
        RequestError: it is something else; a link that someone made up must not become code.
    """
    try:
        tree: ast.AST = ast.parse(path, mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise RequestError(f"{path!r} is not the path of a tensor.") from error
    while isinstance(tree, ast.Attribute | ast.Subscript):
        if isinstance(tree, ast.Subscript) and not isinstance(tree.slice, ast.Constant):
            raise RequestError(f"the step to {path!r} cannot be written in a script.")
        tree = tree.value
    if not isinstance(tree, ast.Name) or tree.id not in ("output", "inputs"):
        raise RequestError(f"{path!r} is not the path of a tensor.")
    return path
