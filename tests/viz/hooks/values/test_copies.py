"""Copies of a value are what it was, whatever container it came in and whatever happens to it later."""

import functools
from collections import OrderedDict, UserDict, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple, Self

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils import _pytree as pytree

from tests.viz.aliasing import Does, Net
from viz.errors import CallError
from viz.hooks.activations import LayerActivations
from viz.hooks.values.copies import UnkeptPart, copy_of, kept
from viz.hooks.values.structure import leaves, map_tensors


class Slots:
    """An object without a ``__dict__``."""

    __slots__ = ("__hidden", "value")

    def __init__(self, value: torch.Tensor) -> None:
        self.value = value
        self.__hidden = value * 2


class Holds:
    """An object that can be called, and holds a tensor."""

    def __init__(self, value: torch.Tensor) -> None:
        self.value = value

    def __call__(self) -> torch.Tensor:
        return self.value


class OwnMapping(Mapping):
    """A mapping of one's own, around a dict."""

    def __init__(self, items: dict[str, torch.Tensor]) -> None:
        self.items_inside = items

    def __getitem__(self, key: str) -> torch.Tensor:
        return self.items_inside[key]

    def __setitem__(self, key: str, value: torch.Tensor) -> None:
        self.items_inside[key] = value

    def __iter__(self) -> Iterator[str]:
        return iter(self.items_inside)

    def __len__(self) -> int:
        return len(self.items_inside)


class Pair(tuple[Any, ...]):  # noqa: SLOT001  (it has a name)
    """A tuple whose constructor takes its parts apart, and which has a name."""

    def __new__(cls, first: Any, second: Any, name: str) -> Self:
        made = super().__new__(cls, (first, second))
        made.name = name
        return made


class Few(frozenset[Any]):
    """A set whose constructor takes its parts apart, and a name."""

    def __new__(cls, name: str, *parts: Any) -> Self:
        made = super().__new__(cls, parts)
        made.name = name
        return made


class Many(list[Any]):
    """A list that cannot be made without a name."""

    def __new__(cls, name: str, *_: Any) -> Self:
        made = super().__new__(cls)
        made.name = name
        return made

    def __init__(self, name: str, *parts: Any) -> None:
        del name
        super().__init__(parts)


class Turns(deque[Any]):
    """A queue of three whose constructor takes its parts apart, after a name."""

    def __init__(self, name: str, *parts: Any) -> None:
        super().__init__(parts, 3)
        self.name = name


class Table(dict[str, Any]):
    """A dict that cannot be made without a name."""

    def __new__(cls, name: str, **_: Any) -> Self:
        made = super().__new__(cls)
        made.name = name
        return made

    def __init__(self, name: str, **parts: Any) -> None:
        del name
        super().__init__(parts)


class Ordered(OrderedDict[str, Any]):
    """An ordered dict that cannot be made without a name."""

    def __init__(self, name: str, **parts: Any) -> None:
        super().__init__(parts)
        self.name = name


class Filled(defaultdict[str, Any]):
    """A dict with a default that cannot be made without a name."""

    def __init__(self, name: str, **parts: Any) -> None:
        super().__init__(list, parts)
        self.name = name


class Fields(NamedTuple):
    """Two tensors by name."""

    first: torch.Tensor
    second: torch.Tensor


class NamedFields(Fields):
    """They have a name together, too."""

    name = ""


def named_fields(x: torch.Tensor) -> NamedFields:
    """Two tensors that are called n."""
    made = NamedFields(x, x * 3)
    made.name = "n"
    return made


@dataclass(frozen=True)
class Finished:
    """A dataclass that works something out of its field."""

    value: torch.Tensor

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", self.value * 2)
        object.__setattr__(self, "name", "n")


@dataclass
class FinishedInSlots(Slots):
    """A dataclass on top of an object without a ``__dict__``."""

    field: torch.Tensor

    def __post_init__(self) -> None:
        Slots.__init__(self, self.field * 3)
        self.name = "n"


OWN: dict[str, Callable[[torch.Tensor], Any]] = {
    "Pair": lambda x: Pair(x, x * 3, "n"),
    "Many": lambda x: Many("n", x, x * 3),
    "Turns": lambda x: Turns("n", x, x * 3),
    "Table": lambda x: Table("n", a=x, b=[x * 3]),
    "Ordered": lambda x: Ordered("n", b=x, a=x * 3),
    "Filled": lambda x: Filled("n", a=x),
    "NamedFields": named_fields,
    "Finished": Finished,
    "FinishedInSlots": FinishedInSlots,
}


def four_deep(value: torch.Tensor) -> object:
    """An object in an object, and so on."""
    return SimpleNamespace(a=SimpleNamespace(b=SimpleNamespace(c=SimpleNamespace(d=[value]))))


MAKERS: dict[str, Callable[[torch.Tensor], Any]] = {
    "tuple": lambda x: (x, x + 1),
    "list": lambda x: [x, [x + 1]],
    "deque": lambda x: deque([x, x + 1], maxlen=2),
    "set": lambda x: {x},
    "frozenset": lambda x: frozenset([x]),
    "slots": Slots,
    "callable": Holds,
    "partial": lambda x: functools.partial(torch.add, x, other=x + 1),
    "four deep": four_deep,
    "keys view": lambda x: {"a": x}.values(),
    "items view": lambda x: OrderedDict(a=x).items(),
    "parameter list": lambda x: nn.ParameterList([nn.Parameter(x)]),
    "parameter dict": lambda x: nn.ParameterDict({"a": nn.Parameter(x)}),
    "NumPy array": lambda x: x.numpy(),
    "NumPy arrays": lambda x: {"boxes": x.numpy(), "names": np.array(["a"])},
    "user dict": lambda x: UserDict(a=x),
    "own mapping": lambda x: OwnMapping({"a": x}),
    "own set": lambda x: Few("n", x),
    **OWN,
}


def numbers(value: Any) -> dict[str, list[Any]]:
    """Every leaf's values, by its path."""
    return {path: tensor.tolist() for path, tensor in leaves(value).items()}


def overwrite(value: Any) -> None:
    """Write into the memory of every leaf."""
    with torch.no_grad():
        for tensor in leaves(value).values():
            tensor.fill_(-1)


@pytest.mark.parametrize("name", MAKERS)
def test_a_container_is_kept_as_it_was_returned(rows: torch.Tensor, name: str) -> None:
    """Although the model overwrites everything in it after the layer has returned."""

    def run(net: Net, x: torch.Tensor) -> torch.Tensor:
        overwrite(net.layer(x.clone()))
        return x

    layers = LayerActivations(Net(run, layer=Does(MAKERS[name])), device="cpu")
    with layers.capture("layer") as record:
        layers.run(rows)
    expected = numbers(MAKERS[name](rows.clone()))
    assert expected
    assert numbers(record["layer"].output) == expected


@pytest.mark.parametrize("name", MAKERS)
def test_a_container_is_kept_as_it_was_given(rows: torch.Tensor, name: str) -> None:
    """Although the layer overwrites everything in it."""
    layers = LayerActivations(
        Net(lambda net, x: net.layer(MAKERS[name](x.clone())) or x, layer=Does(overwrite)), device="cpu"
    )
    with layers.capture("layer", inputs=True) as record:
        layers.run(rows)
    assert numbers(record["layer"].inputs[0]) == numbers(MAKERS[name](rows.clone()))


def test_a_cache_that_was_empty_when_given_is_kept_empty(rows: torch.Tensor) -> None:
    """The entries that the layer, or the next one, puts into it come later."""

    def fill(cache: SimpleNamespace, x: torch.Tensor) -> torch.Tensor:
        cache.keys.append(x)
        cache.last = x
        cache.by_name["a"] = x
        return x

    def run(net: Net, x: torch.Tensor) -> torch.Tensor:
        cache = SimpleNamespace(keys=[], by_name={}, last=None)
        net.layer(cache, x)
        return net.layer(cache, x)

    layers = LayerActivations(Net(run, layer=Does(fill)), device="cpu")
    with layers.capture("layer", inputs=True) as record:
        layers.run(rows)
    first, second = (call.inputs[0] for call in record["layer"])
    assert (first.keys, first.by_name, first.last) == ([], {}, None)
    assert (len(second.keys), list(second.by_name)) == (1, ["a"])


@pytest.mark.parametrize("name", sorted(set(MAKERS) - {"set", "frozenset"} - {n for n in MAKERS if " " in n}))
def test_what_is_kept_has_the_containers_own_type(rows: torch.Tensor, name: str) -> None:
    """A set becomes a tuple, because a path needs an order; views and parameter lists become plain ones."""
    value = MAKERS[name](rows)
    assert type(kept(value)) is type(value)
    assert kept(value) is not value


@pytest.mark.parametrize("name", OWN)
def test_a_class_with_a_constructor_of_its_own_is_rebuilt_with_all_that_it_has(
    rows: torch.Tensor, name: str
) -> None:
    """In records and in inputs of a run, past its constructor: the oracle is a value made anew."""
    expected = OWN[name](rows * 2)
    for found in (kept(OWN[name](rows * 2)), map_tensors(OWN[name](rows), lambda tensor: tensor * 2)):
        assert (type(found), found.name) == (type(expected), "n")
        assert numbers(found) == numbers(expected)
        assert getattr(found, "maxlen", None) == getattr(expected, "maxlen", None)
        assert getattr(found, "default_factory", None) == getattr(expected, "default_factory", None)


def test_a_set_of_ones_own_is_rebuilt_past_its_constructor(rows: torch.Tensor) -> None:
    """With its parts, not with a set of them."""
    found = map_tensors(Few("n", rows), lambda tensor: tensor * 2)
    assert (type(found), found.name, len(found)) == (Few, "n", 1)
    assert torch.equal(next(iter(found)), rows * 2)


def test_a_list_of_ones_own_without_tensors_is_copied_past_its_constructor() -> None:
    """And so is a dict."""
    for value in (Many("n", 1), Table("n", a=1), Ordered("n", a=1), Filled("n", a=1), Turns("n", 1)):
        found = map_tensors(value, torch.neg)
        assert (found, found.name) == (value, "n")


def test_a_deque_keeps_its_bound_and_an_object_its_hidden_slot(rows: torch.Tensor) -> None:
    """Everything that is not a tensor stays."""
    assert kept(MAKERS["deque"](rows)).maxlen == 2
    assert list(leaves(kept(Slots(rows)))) == ["output._Slots__hidden", "output.value"]


def test_what_shares_an_object_shares_it_in_the_copy(rows: torch.Tensor) -> None:
    """A net of objects is copied once, and a ring is no endless loop."""
    shared = SimpleNamespace(value=rows)
    ring = SimpleNamespace(left=shared, right=shared)
    shared.owner = ring
    copied = kept(ring)
    assert copied.left is copied.right
    assert copied.left is not shared
    assert list(leaves(ring)) == ["output.left.value"]


class Registered:
    """A container of which PyTorch's pytree knows more than its attributes say."""

    __slots__ = ()
    store: dict[int, torch.Tensor] = {}  # noqa: RUF012  (hidden on purpose)


def test_a_container_that_pytree_knows_is_walked_by_pytree(rows: torch.Tensor) -> None:
    """As libraries register their own."""
    pytree.register_pytree_node(
        Registered,
        lambda value: ([value.store[0]], None),
        lambda parts, _: SimpleNamespace(registered=parts[0]),
    )
    Registered.store[0] = rows
    try:
        assert list(leaves(Registered())) == ["output[0]"]
        copied = kept(Registered())
        rows.fill_(0)
        assert not copied.registered.eq(0).any()
    finally:
        pytree._deregister_pytree_node(Registered)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda x: (part for part in x), "a generator cannot be kept: looking into it would use it up"),
        (lambda x: map(torch.neg, x), "a map cannot be kept"),
        (lambda x: lambda: x, "the function <lambda> holds tensors that cannot be kept"),
        (lambda x: lambda: [x], "the function <lambda> holds tensors"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_words(rows: torch.Tensor, make: Any, said: str) -> None:
    """The model goes on undisturbed; only reading that record fails."""

    def run(net: Net, x: torch.Tensor) -> torch.Tensor:
        found = net.layer(x)
        return torch.stack(list(found)) if isinstance(found, Iterator) else x

    layers = LayerActivations(Net(run, layer=Does(make), other=nn.Identity()), device="cpu")
    with layers.capture() as record:
        assert layers.run(rows).shape == rows.shape
    with pytest.raises(CallError, match=said):
        _ = record["layer"].output
    assert isinstance(kept((rows, make(rows)))[1], UnkeptPart)


def test_a_function_without_tensors_is_kept_as_it_is() -> None:
    """So are numbers, words, modules and types."""
    number = 3
    for value in (lambda: number, print, "words", 3, None, nn.Identity(), torch.float32, torch.Size([1])):
        assert kept(value) is value


class Counts(nn.Module):
    """Counts its calls through an array on the memory of what it returns: a buffer, a part of it, or none."""

    def __init__(self, part: Callable[[torch.Tensor], torch.Tensor], *, view: bool) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(2, 4)[:1] if view else torch.zeros(2, 4))
        self.array, self.part = self.count.numpy(), part

    def forward(self, _: torch.Tensor) -> torch.Tensor:
        self.array += 1
        return self.part(self.count)


@pytest.mark.parametrize("view", [False, True])
@pytest.mark.parametrize("part", [lambda count: count, lambda count: count[:, :2]])
@pytest.mark.parametrize("repeatable", [False, True])
def test_a_write_through_an_array_reaches_no_copy(
    rows: torch.Tensor, part: Callable[[torch.Tensor], torch.Tensor], *, repeatable: bool, view: bool
) -> None:
    """The array goes on being that of the buffer, as without a capture."""
    net = Net(
        lambda net, x: net.layer(x) * 1 + net.layer(x).sum() + x.sum() * 0, layer=Counts(part, view=view)
    )
    layers = LayerActivations(net, device="cpu", repeatable=repeatable)
    with layers.capture("layer", inputs=True) as record:
        layers.run(rows)
        layers.run(rows)
    expected = [1, 2, 1, 2] if repeatable else [1, 2, 3, 4]
    assert [float(call.output.max()) for call in record["layer"]] == expected
    with torch.no_grad():
        net.layer.count.add_(1)
    assert np.array_equal(net.layer.array, net.layer.count.numpy())


def test_a_write_into_the_array_of_ones_own_input_reaches_no_copy() -> None:
    """Nor does one into the array of what a layer has made."""
    x = torch.zeros(2, 4)
    arrays = [x.numpy()]

    def run(net: Net, x: torch.Tensor) -> torch.Tensor:
        made = net.first(x)
        arrays.append(made.numpy())
        arrays[-1][:] = 5
        return net.second(made)

    model = Net(run, first=Does(lambda x: x + 1), second=nn.Identity())
    with torch.no_grad(), LayerActivations(model, device="cpu").capture(inputs=True) as record:
        model(x)
        for array in arrays:
            array[:] = 9
    assert [float(record[name].inputs[0].max()) for name in record] == [0, 5]


def test_a_copy_shares_memory_until_somebody_writes() -> None:
    """Into the original, into a view of it, or into the copy."""
    for write in (lambda o, _: o.add_(1), lambda o, _: o[:2].add_(1), lambda _, c: c.add_(1)):
        original = torch.arange(4.0)
        before, copied = original.clone(), copy_of(original)
        assert torch._C._is_cow_tensor(copied)
        write(original, copied)
        assert torch.equal(copied if torch.equal(original, before) is False else original, before)


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor")
@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.from_numpy(np.arange(4.0)),
        lambda: torch.arange(8.0).view(2, 4).t()[1:],
        lambda: torch.arange(4.0).expand(2, 4),
        lambda: torch.eye(3).to_sparse(),
        lambda: torch.quantize_per_tensor(torch.arange(4.0), 0.1, 0, torch.qint8),
        lambda: torch.arange(4).to(torch.complex64).conj(),
        lambda: torch.empty(0),
        lambda: torch.zeros(2, 3, 4, 5).to(memory_format=torch.channels_last),
        lambda: nn.Parameter(torch.arange(4.0)),
        lambda: torch.arange(4.0, requires_grad=True) * 2,
        lambda: torch.empty(3, device="meta"),
    ],
)
def test_tensors_of_every_layout_are_copied(make: Callable[[], torch.Tensor]) -> None:
    """With their type, shape and strides, and without their graph."""
    tensor = make()
    copied = copy_of(tensor)
    assert (copied.dtype, copied.shape, copied.layout) == (tensor.dtype, tensor.shape, tensor.layout)
    assert not copied.requires_grad
    if copied.layout is torch.strided and not copied.is_meta:
        plain = [
            each.detach().dequantize() if each.is_quantized else each.detach() for each in (copied, tensor)
        ]
        assert torch.equal(*plain)
