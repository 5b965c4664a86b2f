"""Lines of Python that change a model while it runs.

The hooks are those of a view with edits.
"""

import re
import textwrap
from collections.abc import Sequence

from ..errors import RequestError
from ..pictures.samples import sample_file
from ..request.edit_request import EditRequest
from .edit_place import EditPlace

_WIDTH = 100  # columns of a wrapped list
_INLINE = 40  # characters of channels written where they are used; longer lists have a line of their own
_ONE_STEP = re.compile(r"(output|inputs)\[(-?\d+|'\w+')\]")
_FEW = 2  # channels that are listed; a longer run is a slice


def edit_imports(places: Sequence[EditPlace]) -> list[str]:
    """Return the edits' imports from the standard library."""
    files = any(sample_file(place.edit.donor) for place in places if place.edit.donor)
    lines = ["from importlib.resources import files"] if files else []
    lines += ["from itertools import count"] if any(place.edit.call is not None for place in places) else []
    return lines


def edit_lines(places: Sequence[EditPlace]) -> list[str]:
    """Return the lines that define one hook for each edit.

    Raises:
        RequestError: a layer keeps its tensor where a script of a few lines cannot reach it.
    """
    return [
        line for number, place in enumerate(places) for line in _defined(place, edit_name(number, places))
    ]


def edit_hooks(places: Sequence[EditPlace]) -> tuple[list[str], list[str]]:
    """Return the expressions that register the edits' hooks.

    Those of the first list come before the hook of the layer on screen, those of the second after it. A
    gradient passes hooks in the other direction, so those that change one are registered last, the first of
    them last of all.
    """
    named = [(place.edit, edit_name(number, places)) for number, place in enumerate(places)]
    forward = [_registered(edit, name) for edit, name in named if not edit.backward]
    backward = [_registered(edit, name) for edit, name in named if edit.backward]
    return forward, backward[::-1]


def edit_said(edit: EditRequest) -> str:
    """Return one edit in words, such as ``conv1: channels 3, 17 removed``."""
    layer = _SIDES[edit.side].format(layer=edit.layer)
    layer = layer if edit.call is None else f"{layer} (call {edit.call + 1})"
    done = _SAID[edit.kind].format(amount=f"{edit.amount:g}", donor=edit.donor)
    return docstring_text(f"{layer}: {_channels_said(edit)} {done}")


def _channels_said(edit: EditRequest) -> str:
    listed = edit.listed.replace(",", ", ")
    if not edit.channels:
        return "all of it"
    if len(edit.channels) == 1:
        return f"channel {listed}"
    return f"channels {listed}" if len(listed) <= _INLINE else f"{len(edit.channels)} channels"


_SIDES = {
    "output": "{layer}",
    "inputs": "the input of {layer}",
    "gradient": "the gradient at {layer}",
    "inputs_gradient": "the gradient at the input of {layer}",
}
_SAID = {
    "zero": "set to zero",
    "scale": "times {amount}",
    "mean": "frozen to the mean",
    "noise": "with noise of ±{amount}",
    "clamp": "cut off at ±{amount}",
    "swap": "taken from the picture {donor!r}",
}


def edit_name(number: int, places: Sequence[EditPlace]) -> str:
    """Return the name of an edit's hook, counted from 0."""
    return "edit" if len(places) == 1 else f"edit_{number + 1}"


def _registered(edit: EditRequest, name: str) -> str:
    pre = "pre_" if edit.of_inputs else ""
    return f"model.get_submodule({edit.layer!r}).register_forward_{pre}hook({name})"


def _defined(place: EditPlace, name: str) -> list[str]:
    """Return the lines of one hook."""
    if place.edit.backward:
        return [*_heading(place, name), *_on_gradient(place, name), "", ""]
    source, returned = unpacked(place)
    body = [*_changed(place, source, name), f"return {returned}"]
    return [*_heading(place, name), *(f"    {line}" for line in body), "", ""]


def _heading(place: EditPlace, name: str) -> list[str]:
    """Return the lines with which a hook begins."""
    edit = place.edit
    given = "layer, args" if edit.of_inputs else "layer, args, output"
    return [
        *([] if edit.call is None else [f"runs_of_{name} = count(1)", "", ""]),
        f"def {name}({given}):",
        f'    """{edit_said(edit)}."""',
        *_only_call(edit, name),
    ]


def _on_gradient(place: EditPlace, name: str) -> list[str]:
    """Return the body of a hook that changes a gradient."""
    source, returned = unpacked(place)
    flowing = [
        f"    value = ({source} if {source}.requires_grad else {source}.detach().requires_grad_()).clone()",
        "    value.register_hook(change)",
        f"    return {returned}",
    ]
    return [
        *([] if place.edit.call is None else [""]),
        "    def change(gradient):",
        *(f"        {line}" for line in _changed(place, "gradient", name)),
        *["        return value", ""],
        *([f"    hook_memory({source}, change)"] if place.overwritten else flowing),
    ]


def _only_call(edit: EditRequest, name: str) -> list[str]:
    if edit.call is None:
        return []
    return [
        f"    if next(runs_of_{name}) != {edit.call + 1}:",
        "        return None  # another call of this layer stays as it is",
    ]


def unpacked(place: EditPlace) -> tuple[str, str]:
    """Return expressions for the changing tensor, and for the new whole.

    The new whole has ``value`` in the tensor's place.

    Raises:
        RequestError: a layer keeps its tensor where a script of a few lines cannot reach it.
    """
    if place.path == "output":
        return "output", "value"
    found = _ONE_STEP.fullmatch(place.path)
    if found is None or place.container not in ("tuple", "list", "dict", "OrderedDict"):
        raise RequestError(
            "The edit of {layer} cannot be written in a short script, because what it changes "
            "lies inside other values ({path}): undo it, or show the maps before.",
            layer=place.edit.layer,
            path=place.path,
        )
    whole, step = found[1].replace("inputs", "args"), found[2]
    if place.container in ("dict", "OrderedDict"):
        return f"{whole}[{step}]", f"{{**{whole}, {step}: value}}"
    front = f"*{whole}[:{step}], " if step != "0" else ""
    rest = f"{front}value, *{whole}[{int(step) + 1}:]"
    return f"{whole}[{step}]", f"[{rest}]" if place.container == "list" else f"({rest})"


def _changed(place: EditPlace, source: str, name: str) -> list[str]:
    """Return the lines that make ``value`` from the tensor ``source``."""
    edit = place.edit
    # the other picture's calls, in their order, or only the one that is meant
    given = f"given_to_{name}" + (".pop(0)" if edit.call is None else f"[{edit.call}]")
    if not edit.channels:
        return [*_prepared(place, source), f"value = {_whole(edit, source, given)}"]
    listed = _listed(edit.channels)
    channels = [] if len(listed) <= _INLINE else _wrapped(listed)
    at = _index(place, "channels" if channels else listed)
    return [*_prepared(place, source), *channels, f"value = {source}.clone()", _partly(edit, at, given)]


def _prepared(place: EditPlace, source: str) -> list[str]:
    """Return the lines that make the change's noise or means."""
    edit, batch = place.edit, place.batch
    if edit.kind == "mean":
        others = tuple(axis for axis in range(place.ndim) if axis not in (batch, place.axis))
        means = f"{source}.mean({others}, keepdim=True)" if others else source
        return [f"means = {means}.expand_as({source})"]
    if edit.kind != "noise":
        return []
    drawn = f"torch.randn({source}.shape, generator=generator)"
    if batch == 1:
        drawn = f"torch.randn({source}.transpose(0, 1).shape, generator=generator).transpose(0, 1)"
    return [
        f"generator = torch.Generator().manual_seed({edit.seed})  # the same noise in every run",
        f"noise = ({drawn} * {edit.amount!r}).to({source})",
    ]


def _whole(edit: EditRequest, source: str, given: str) -> str:
    return {
        "zero": f"torch.zeros_like({source})",
        "scale": f"{source} * {edit.amount!r}",
        "mean": "means.clone()",
        "noise": f"{source} + noise",
        "clamp": f"{source}.clamp({-abs(edit.amount)!r}, {abs(edit.amount)!r})",
        "swap": given,
    }[edit.kind]


def _partly(edit: EditRequest, at: str, given: str) -> str:
    return {
        "zero": f"value{at} = 0",
        "scale": f"value{at} *= {edit.amount!r}",
        "mean": f"value{at} = means{at}",
        "noise": f"value{at} += noise{at}",
        "clamp": f"value{at} = value{at}.clamp({-abs(edit.amount)!r}, {abs(edit.amount)!r})",
        "swap": f"value{at} = {given}{at}",
    }[edit.kind]


def _index(place: EditPlace, channels: str) -> str:
    """Return the index of these channels on the edit's axis.

    It is ``[:, 3]`` on axis 1, and ``[..., 3]`` on the last.
    """
    if place.axis == place.ndim - 1:
        return f"[..., {channels}]"
    return f"[{':, ' * place.axis}{channels}]"


def _listed(channels: Sequence[int]) -> str:
    """Return channels as an index: a number, a slice, or a list."""
    first, last = channels[0], channels[-1]
    if len(channels) == 1:
        return str(first)
    if len(channels) > _FEW and last - first == len(channels) - 1:
        return f"{first}:{last + 1}"
    return str(list(channels))


def _wrapped(listed: str) -> list[str]:
    lines = textwrap.wrap(listed.strip("[]"), _WIDTH)
    return ["channels = [", *(f"    {line}" for line in lines), "]"]


def docstring_text(text: str) -> str:
    """Return a text that may stand in a docstring."""
    return " ".join(text.replace("\\", " ").replace('"', " ").split())
