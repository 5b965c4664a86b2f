"""Lines of Python that keep an operation's output.

A mode sees functions; hooks show whose code runs.
"""

from ..errors import RequestError
from ..layer_names import called_function, calling_layer, is_operation, spellings
from ..request.inspection import Inspection

_CLASS = """\
class Keep(TorchFunctionMode):
    \"\"\"Keeps what a function returns in the code of one layer, not in that of the layers inside it.\"\"\"

    def __init__(self, layer, names, turn):
        super().__init__()
        self.layer, self.names, self.turn = layer, names, turn
        self.running, self.called, self.handles = [], 0, []
        for each in model.modules():
            self.handles.append(each.register_forward_pre_hook(self.begin))
            self.handles.append(each.register_forward_hook(self.end))
        self.__enter__()

    def begin(self, layer, args):
        self.running.append(layer)
        self.called = 0 if layer is self.layer else self.called

    def end(self, layer, args, output):
        self.running.pop()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {{}}))
        if self.running[-1:] == [self.layer] and function.__name__.strip("_") in self.names:
            self.called += 1
            if self.called == self.turn:
                {output}
                calls.append({path}.detach().clone())
        return result

    def remove(self):
        self.__exit__(None, None, None)
        for handle in self.handles:
            handle.remove()"""


_OUTPUT = "output = args[0] if result is None else result  # an assignment returns nothing"
_FUSED = ("scaled_dot_product_attention", "multi_head_attention_forward")
SOFTMAX_OF = """\
def softmax_of(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False
):
    \"\"\"Makes again what scaled_dot_product_attention keeps to itself.\"\"\"
    key = key.repeat_interleave(query.shape[-3] // key.shape[-3], -3) if enable_gqa else key
    scores = query * ((1 / query.shape[-1]) ** 0.5 if scale is None else scale) @ key.transpose(-2, -1)
    mask = torch.ones_like(scores, dtype=torch.bool).tril() if is_causal else attn_mask
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else scores + mask
    return torch._safe_softmax(scores, -1)"""
_SOFTMAX = """\
def softmax_in(function, args, kwargs, result):
    \"\"\"Returns the softmax that a function makes, also if it is attention in one piece.\"\"\"
    if function.__name__ == "scaled_dot_product_attention":
        return softmax_of(*args, **kwargs)
    if function.__name__ == "multi_head_attention_forward":
        each_head = {"need_weights": True, "average_attn_weights": False, "training": False}
        return function(*args, **(kwargs | each_head))[1]
    return result


"""


def check_operations(wanted: Inspection) -> None:
    """Check that a short script can show the view's operations.

    Raises:
        RequestError: one is edited, or is shown with edits, as its input or as its gradient.
    """
    edited = next((edit.layer for edit in wanted.in_force if is_operation(edit.layer)), None)
    if edited:
        raise RequestError(
            "The edit of {layer} cannot be written in a short script, because no hook reaches an operation: "
            "undo it, or show the maps before.",
            layer=edited,
        )
    if is_operation(wanted.layer) and (wanted.in_force or wanted.of_inputs or wanted.gradient is not None):
        raise RequestError(
            "A script shows only what {layer} returns in the model without edits, for it is an operation: "
            "choose that view.",
            layer=wanted.layer,
        )


def operation_imports(layer: str) -> list[str]:
    """Return the import of an operation's script; none for a layer."""
    return ["from torch.overrides import TorchFunctionMode"] if is_operation(layer) else []


def operation_keep(operation: str, path: str) -> list[str]:
    """Return the lines of a class that keeps an operation's tensor.

    ``path`` leads to the tensor in the operation's output.
    """
    if not _is_softmax(operation):
        return _CLASS.format(path=path, output=_OUTPUT).splitlines()
    output = "output = softmax_in(function, args, kwargs or {}, result)"
    return [
        *SOFTMAX_OF.splitlines(),
        "",
        "",
        *_SOFTMAX.splitlines(),
        *_CLASS.format(path=path, output=output).splitlines(),
    ]


def operation_hook(operation: str) -> str:
    """Return the expression that begins to keep an operation's output.

    Its value has ``remove``, as a hook's handle has.
    """
    function, _, turn = called_function(operation).partition(" ")
    names = (*spellings(function), *(_FUSED if _is_softmax(operation) else ()))
    return f"Keep(layer, {names!r}, {int(turn) if turn.isdecimal() else 1})"


def _is_softmax(operation: str) -> bool:
    return called_function(operation).partition(" ")[0] == "softmax"


def layer_line(name: str) -> str:
    """Return the line that finds the layer, or the operation's caller."""
    return f"layer = model.get_submodule({calling_layer(name) if is_operation(name) else name!r})"
