"""Operations on quantised values, in the form of plain ones.

So rules need to know only one form.
"""

from collections.abc import Mapping
from typing import Any

Words = tuple[str, dict[str, Any]]


def plain_words(name: str, arguments: Mapping[str, Any]) -> Words:
    """Return the name and arguments of the corresponding plain operation.

    Args:
        name: an operation of torch's namespace ``quantized``.
        arguments: what it is given, by name; weights come packed with the settings of their layer.
    """
    if name.startswith("conv") and "qaccum" not in arguments:
        return "convolution", _convolution(arguments)
    if name.startswith("linear"):
        return "linear", {"input": arguments["X"]}
    if name.startswith("cat"):
        return "cat", {"tensors": arguments["qx"], "dim": arguments["dim"]}
    return name, dict(arguments)


def _convolution(arguments: Mapping[str, Any]) -> dict[str, Any]:
    packed = arguments["packed_weight"]
    settings = {name: getattr(packed, name)() for name in ("stride", "padding", "dilation", "groups")}
    transposed = bool(packed.transpose())
    return {"input": arguments["qx"], "weight": packed.unpack()[0], "transposed": transposed, **settings}
