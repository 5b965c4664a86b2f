"""Named tensors anywhere in a pickle, found by structure.

A tensor's name is its way from the outside in: ``teacher/module.conv1.weight``. Dicts and lists are joined by
"/", modules and the parts of a module by ".", as a state dict would join them.
"""

from collections.abc import Container, Iterator, Mapping
from itertools import takewhile

from .pickled import UnmadeObject
from .pickled_weights import PickledTensor

__all__ = ["WRAPPERS", "endings", "likely_place", "named_tensors"]

_OF_A_MODULE = ("_parameters", "_buffers", "_modules")
_NOT_SAVED = "_non_persistent_buffers_set"
_LONGEST_WAY = 500  # characters; a longer name than this is refused in any case
# Attributes under which DataParallel, torch.compile, FSDP and checkpointing keep a model, or a part of one.
WRAPPERS = ("module", "_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module")
_Part = tuple[str, bool, object]


def named_tensors(contents: object) -> dict[str, PickledTensor]:
    """Return all named tensors, in their order.

    A container that is there twice counts once.
    """
    found: dict[str, PickledTensor] = {}
    seen: set[int] = set()
    waiting: list[_Part] = [("", False, contents)]
    while waiting:
        name, in_module, value = waiting.pop()
        if isinstance(value, PickledTensor):
            found.setdefault(name, value)
        elif id(value) not in seen and len(name) <= _LONGEST_WAY:
            seen.add(id(value))
            waiting.extend(reversed(list(_parts(name, value, in_module=in_module))))
    return found


def likely_place(names: Mapping[str, object]) -> str:
    """Return the prefix of the largest state dict's names.

    That is the container with the most tensors, the first of equals, and what ``WRAPPERS`` put before every
    name in it.
    """
    containers: dict[str, list[str]] = {}
    for name in names:
        containers.setdefault(name[: name.rfind("/") + 1], []).append(name)
    place, inside = max(containers.items(), key=lambda each: len(each[1]), default=("", [""]))
    first, last = min(inside), max(inside)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    end = len(place)
    while found := next((f"{each}." for each in WRAPPERS if first[:shared].startswith(f"{each}.", end)), ""):
        end += len(found)
    return first[:end]


def endings(name: str, parts: int, wrappers: Container[str] = WRAPPERS) -> Iterator[tuple[int, str]]:
    """Yield where ends of a name begin, and these without wrappers.

    A part that is a wrapper's begins none: it belongs to what is before a model's names.

    Args:
        name: what a file calls a tensor.
        parts: the most that an end may have, apart from wrappers.
        wrappers: the parts that are left out.
    """
    end, stop = "", len(name)
    while parts and stop >= 0:
        start = max(name.rfind(".", 0, stop), name.rfind("/", 0, stop)) + 1
        if not end or name[start:stop] not in wrappers:
            end = name[start : stop + 1] + end
            parts -= 1
            yield start, end
        stop = start - 1


def _parts(name: str, value: object, *, in_module: bool) -> Iterator[_Part]:
    """Yield a container's parts, with names.

    A tensor in a list has no name and is left out.
    """
    before = f"{name}{'.' if in_module else '/'}" if name else ""
    if isinstance(value, list | tuple):
        held = ((str(at), each) for at, each in enumerate(value) if not isinstance(each, PickledTensor))
        yield from ((before + key, False, each) for key, each in held)
    elif isinstance(value, Mapping):
        yield from ((before + key, False, each) for key, each in value.items())
    elif isinstance(value, UnmadeObject):
        yield from ((before + key, True, each) for key, each in _attributes(value.items))


def _attributes(items: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield an object's attributes, or a module's tensors and parts.

    A module's state dict leaves out buffers that are not persistent.
    """
    if isinstance(items.get("_modules"), Mapping):
        skipped = items.get(_NOT_SAVED)
        names = skipped.items if isinstance(skipped, UnmadeObject) else {}
        for group in _OF_A_MODULE:
            held = items.get(group)
            parts = held.items() if isinstance(held, Mapping) else ()
            yield from (part for part in parts if group != "_buffers" or part[0] not in names)
    else:
        yield from items.items()
