"""Names that beginners try, each with the way to write it here.

``{owner}`` is the text before the dot, as it was written.
"""

from collections.abc import Mapping

from ..sentences import Sentence

_LENGTH = Sentence("`len({owner})` says how many there are.")
_ONE_OF_LIST = Sentence("`{owner}` is a list. A tensor in it is `{owner}[0]`, the newest `{owner}[-1]`.")
_ONE_OF_TUPLE = Sentence("`{owner}` is a tuple, even with one tensor in it. The tensor is `{owner}[0]`.")
_ONE_OF_DICT = Sentence(
    '`{owner}` is a dict. Take out what is stored under a name, such as `{owner}["maps"]`.'
)
_STORE = Sentence('`{owner}` is a dict. Store under a name: `{owner}["maps"] = output`.')
_ALREADY = Sentence("Everything is on the processor here: leave `.{name}()` out.")
_BY_HANDLE = Sentence(
    "A hook is removed by its handle: `handle = layer.register_forward_hook(hook)`, later `handle.remove()`."
)
_BY_APPEND = Sentence("`{owner}` is a list. Put something at its end by `{owner}.append(value)`.")
_NO_MAPS = Sentence(
    "`{owner}` is a layer, and keeps nothing of what it computes. A hook is handed that, as its `output`."
)
_HANDED = Sentence("`{owner}` is a layer, not what it returned. That is the hook's third value, `output`.")
_PLAIN = Sentence("Tensors stay tensors here. `.tolist()` makes plain numbers, and `.clone()` a copy.")
_NO_CHANCE = Sentence(
    "Nothing here is random, so that answers can be compared: use `torch.zeros` or `torch.ones`."
)
_FINISH = Sentence("To take a hook away, write `{owner}.remove()`.")

_SAID: Mapping[str, Mapping[str, Sentence]] = {
    "Tensor": {
        "copy": Sentence("A tensor's copy is called `.clone()`: write `{owner}.clone()`."),
        "deepcopy": Sentence("A tensor's copy is called `.clone()`: write `{owner}.clone()`."),
        "data": Sentence(
            "Write `{owner}.detach()` for the numbers without gradients, and `{owner}.clone()` for a copy."
        ),
        **dict.fromkeys(("numpy", "asarray"), _PLAIN),
        **dict.fromkeys(("cpu", "cuda", "to"), _ALREADY),
        **dict.fromkeys(
            ("append", "extend"), Sentence("`{owner}` is one tensor. Collect several in a list: `kept = []`.")
        ),
        **dict.fromkeys(
            ("len", "length"), Sentence("`len({owner})` counts the first axis, `{owner}.numel()` all values.")
        ),
        "register_forward_hook": Sentence(
            "`register_forward_hook` is a layer's. A tensor has `register_hook`."
        ),
        "remove": _BY_HANDLE,
        "items": Sentence("One number is taken out by `.item()`, without an s."),
        "reverse": Sentence("A tensor is turned around by `.flip(axis)`, such as `{owner}.flip(2)`."),
        "astype": Sentence("Write `{owner}.float()` or `{owner}.int()`."),
    },
    "Layer": {
        **dict.fromkeys(("output", "outputs", "activation", "activations", "result", "maps"), _NO_MAPS),
        **dict.fromkeys(("shape", "clone", "detach", "mean", "max", "min", "flip"), _HANDED),
        "forward": Sentence(
            "Call it like a function, `{owner}(picture)`: `.forward()` would pass its hooks by."
        ),
        "register_hook": Sentence("`register_hook` is a tensor's. A layer has `register_forward_hook`."),
        "register_pre_hook": Sentence("Its whole name is `register_forward_pre_hook`."),
        "register_backward_hook": Sentence(
            "Write `register_full_backward_hook`: the shorter one is out of use."
        ),
        **dict.fromkeys(("remove", "remove_hook", "unregister", "remove_forward_hook"), _BY_HANDLE),
        **dict.fromkeys(("cpu", "cuda", "to"), _ALREADY),
        "name": Sentence(
            "A layer does not know its name: `net.named_children()` gives names with their layers."
        ),
    },
    "list": {
        **dict.fromkeys(("add", "push", "extend", "insert", "put"), _BY_APPEND),
        "remove": Sentence(
            "To take hooks away, remove each: `for handle in {owner}:` and below it `handle.remove()`."
        ),
        "items": Sentence(
            "`{owner}` is a list: go through it by `for each in {owner}:`, with places by `enumerate`."
        ),
        **dict.fromkeys(
            ("keys", "values", "get"), Sentence("`{owner}` is a list. Its items have places: `{owner}[0]`.")
        ),
        "copy": Sentence("A list's copy is `list({owner})`; the tensors in it are still the same ones."),
        **dict.fromkeys(
            ("clone", "detach", "shape", "mean", "max", "min", "flip", "relu", "sum"), _ONE_OF_LIST
        ),
        **dict.fromkeys(("len", "length", "size", "count"), _LENGTH),
    },
    "tuple": {
        **dict.fromkeys(
            ("append", "add", "insert"),
            Sentence("`{owner}` is a tuple, which cannot grow. A list can: `[]`."),
        ),
        **dict.fromkeys(
            ("clone", "detach", "shape", "mean", "max", "min", "flip", "relu", "sum"), _ONE_OF_TUPLE
        ),
        **dict.fromkeys(("copy", "clamp", "zero_", "mul_", "item", "tolist", "numpy"), _ONE_OF_TUPLE),
        **dict.fromkeys(("len", "length", "size", "count"), _LENGTH),
    },
    "dict": {
        **dict.fromkeys(("append", "add", "push", "put", "extend", "insert", "update", "set"), _STORE),
        **dict.fromkeys(
            ("clone", "detach", "shape", "mean", "max", "min", "flip", "relu", "sum"), _ONE_OF_DICT
        ),
        **dict.fromkeys(("len", "length", "size", "count"), _LENGTH),
    },
    "Handle": dict.fromkeys(("delete", "close", "unregister", "detach", "remove_hook", "clear"), _FINISH),
    "Namespace": {
        "nn": Sentence("The layers are in `net` already, and `torch.nn` is not part of these exercises."),
        "copy": Sentence("A tensor's copy is `torch.clone(x)`, or `x.clone()`."),
        **dict.fromkeys(("rand", "randn", "randint", "empty"), _NO_CHANCE),
        **dict.fromkeys(
            ("from_numpy", "as_tensor", "Tensor"), Sentence("Write `torch.tensor([1, 2])`, of plain numbers.")
        ),
        "concat": Sentence("Write `torch.cat`, or `torch.stack` for a new axis."),
    },
}
_NAMES: Mapping[str, Sentence] = {
    **dict.fromkeys(
        ("np", "numpy"),
        Sentence("There is no NumPy here: `torch` has the same functions, such as `torch.mean`."),
    ),
    **dict.fromkeys(
        ("nn", "F"), Sentence("The layers are in `net` already. Functions are methods: `output.relu()`.")
    ),
    "plt": Sentence("What you give the asked name to is drawn below: no `plt` is needed."),
    **dict.fromkeys(("model", "network"), Sentence("The net is called `net` here.")),
    **dict.fromkeys(("image", "img"), Sentence("Your picture is called `picture` here.")),
    **dict.fromkeys(
        ("device", "cuda"), Sentence("Everything is on the processor here: no device is needed.")
    ),
    **dict.fromkeys(
        ("true", "false", "none"), Sentence("Python writes `True`, `False` and `None` with a capital letter.")
    ),
    "handle": Sentence("No handle yet: `handle = layer.register_forward_hook(hook)` makes one."),
    **dict.fromkeys(
        ("inputs", "output"),
        Sentence(
            "Only inside the hook, which is handed it, has this a value: keep it there, in a list or a dict."
        ),
    ),
    "self": Sentence("There is no `self` here: write the layer's own name, such as `net.stem`."),
}


def of_attribute(kind: str, owner: str, name: str) -> Sentence | None:
    """Return help for anyone who wrote ``owner.name``.

    None if there is no help.

    Args:
        kind: the name of the owner's type, such as ``Tensor`` or ``dict``.
        owner: the text before the dot, as it was written.
        name: the name after it.
    """
    said = _SAID.get(kind, {}).get(name)
    return Sentence(said, owner=owner, name=name) if said and owner else None


def of_name(name: str) -> Sentence | None:
    """Return help on a name that means nothing here.

    None if there is no help.
    """
    return _NAMES.get(name)
