"""Lines of Python that run a model with hooks.

The hooks keep one layer's values, and make the edits before it.
"""

import ast
from collections.abc import Sequence

from ..errors import RequestError
from ..layer_names import is_operation
from ..request.inspection import Inspection, LayerView
from .code_donors import recorder_lines
from .code_edits import edit_hooks, edit_lines
from .code_gradient import MEMORY, gradient_keep, gradient_run
from .code_model import begin_lines, is_repeated
from .code_operations import layer_line, operation_hook, operation_keep
from .edit_place import EditPlace

_WHOLE_NUMBERS = ("quint8", "qint8", "qint32")
_NOT_IN_NUMPY = ("float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")


def hook_lines(
    wanted: Inspection, view: LayerView, places: Sequence[EditPlace], *, overwritten: bool = False
) -> list[str]:
    """Return the lines that define the layer's hook and the edits'.

    ``overwritten`` says whether the gradient that is shown is at memory into which the layer writes.

    Raises:
        RequestError: a hook cannot reach the value or an edit.
    """
    path = _checked_path(view.leaf)
    return [
        "calls = []",
        *["", ""],
        *(MEMORY if overwritten or any(place.overwritten for place in places) else []),
        *_kept(wanted, view, path, overwritten=overwritten),
        *["", ""],
        *edit_lines(places),
        *recorder_lines(places),
    ]


def _kept(wanted: Inspection, view: LayerView, path: str, *, overwritten: bool) -> list[str]:
    if is_operation(view.layer):
        return operation_keep(view.layer, path)
    return _keep(path) if wanted.gradient is None else gradient_keep(path, overwritten=overwritten)


def run_lines(wanted: Inspection, view: LayerView, places: Sequence[EditPlace]) -> list[str]:
    """Return the lines that run ``model``, and leave ``values``.

    They run it on ``arguments``; ``values`` is one layer's array. A difference leaves ``before`` and
    ``after`` as well.
    """
    keywords = ", with_kwargs=True" if _by_name(view.leaf) else ""
    keep = f"layer.register_forward_{'pre_' if view.leaf.startswith('inputs') else ''}hook(keep{keywords})"
    keep = operation_hook(view.layer) if is_operation(view.layer) else keep
    forward, backward = edit_hooks(places)
    run = _pass_lines() if wanted.gradient is None else gradient_run(wanted.gradient)
    run = [*begin_lines(wanted.training, repeated=is_repeated(wanted)), *run]
    value = f"calls[{view.call}]{as_array(view)}"
    layer, edited = layer_line(view.layer), [*forward, keep, *backward]
    if wanted.show != "difference":
        return [layer, *hooked_lines(edited, run), "", f"values = {value}"]
    if view.dtype.startswith(("int", "uint", "bool")):
        value += ".astype(np.float64)"  # as in a view: otherwise some types have no negative difference
    return [
        *[layer, "", "# The model as it is:", *hooked_lines([keep], run)],
        *[f"before = {value}", "calls.clear()"],
        *["", "# The model with the edits:", *hooked_lines(edited, run)],
        *["", f"after = {value}", "values = after - before"],
    ]


def hooked_lines(hooks: list[str], run: list[str]) -> list[str]:
    """Return the lines of one run with hooks.

    The hooks are removed as soon as the forward pass is over.
    """
    forward = next(place for place, line in enumerate(run) if "model(*arguments)" in line) + 1
    if len(hooks) == 1:
        return [f"handle = {hooks[0]}", *run[:forward], "handle.remove()", *run[forward:]]
    return [
        "handles = [  # hooks of one layer run in the order in which they are registered",
        *(f"    {hook}," for hook in hooks),
        "]",
        *run[:forward],
        *["for handle in handles:", "    handle.remove()"],
        *run[forward:],
    ]


def _pass_lines() -> list[str]:
    return ["with torch.no_grad():", "    model(*arguments)"]


def _keep(path: str) -> list[str]:
    if not path.startswith("inputs"):
        return [
            "def keep(layer, args, output):",
            '    """Keep a copy: layers after this one may write into its output."""',
            f"    calls.append({path}.detach().clone())",
        ]
    name = "kwargs" if _by_name(path) else "args"
    return [
        f"def keep(layer, {'args, kwargs' if _by_name(path) else 'args'}):",
        '    """Keep a copy, before the layer writes into its input."""',
        f"    calls.append({name}{path.removeprefix('inputs')}.detach().clone())",
    ]


def _by_name(path: str) -> bool:
    """Return whether a layer is given this value by a name."""
    return path.startswith(("inputs['", 'inputs["'))


def as_array(view: LayerView) -> str:
    """Return the suffix that makes an array of a tensor.

    It depends on the view's type, such as ``.numpy()``.
    """
    if view.dtype in _WHOLE_NUMBERS:
        return ".dequantize().numpy()"
    return ".float().numpy()" if view.dtype in _NOT_IN_NUMPY else ".numpy()"


def _checked_path(path: str) -> str:
    """Return a leaf's path, if it consists of steps alone.

    Raises:
        RequestError: it is something else; a link that someone made up must not become code.
    """
    try:
        tree: ast.AST = ast.parse(path, mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise RequestError("{path} is not the path of a tensor.", path=repr(path)) from error
    while isinstance(tree, ast.Attribute | ast.Subscript):
        if isinstance(tree, ast.Subscript) and not isinstance(tree.slice, ast.Constant):
            raise RequestError("the step to {path} cannot be written in a script.", path=repr(path))
        tree = tree.value
    if not isinstance(tree, ast.Name) or tree.id not in ("output", "inputs"):
        raise RequestError("{path} is not the path of a tensor.", path=repr(path))
    return path
