"""Alignment of calls, on calls made by hand."""

from viz.comparison.events import Event
from viz.comparison.matching import aligned, by_name, plain_name, prefixes


def calls(*said: str) -> list[Event]:
    """Calls of layers, each said as ``name kind``."""
    return [Event(name, kind=kind, shape=(1, 4)) for name, kind in (each.split() for each in said)]


def test_equal_nets_are_aligned_call_by_call() -> None:
    """The ends need no search, and meet."""
    net = calls("a Conv", "b ReLU", "c Conv")
    assert aligned(net, net, {}) == [(0, 0), (1, 1), (2, 2)]
    assert aligned(net, net[:1], {}) == [(0, 0), (1, None), (2, None)]
    assert aligned([], net[:1], {}) == [(None, 0)]


def test_a_name_outweighs_a_class_where_nothing_is_moved() -> None:
    """An activation of another class in the same place."""
    assert aligned(calls("a Conv", "b ReLU"), calls("a Conv", "b GELU"), {}) == [(0, 0), (1, 1)]


def test_branches_in_another_order_find_each_other() -> None:
    """By name and class, since no alignment crosses itself."""
    one, two = calls("left Conv", "right Linear"), calls("right Linear", "left Conv")
    assert aligned(one, two, {}) == [(0, 1), (1, 0)]


def test_unlike_layers_stand_alone() -> None:
    """The same shape does not make a pair of a convolution and a softmax of another name."""
    assert set(aligned(calls("a Conv"), calls("z Softmax"), {})) == {(0, None), (None, 0)}


def test_a_path_in_front_of_all_names_is_taken_off() -> None:
    """On either side; the module that the path names is then the model itself."""
    inner, outer = ["", "conv", "block.fc"], ["", "net", "net.model", "net.model.conv", "net.model.block.fc"]
    assert prefixes(inner, outer) == ("", "net.model.")
    assert prefixes(outer, inner) == ("net.model.", "")
    assert prefixes(inner, inner) == ("", "")
    assert [plain_name(name, "net.model.") for name in outer[2:]] == ["", "conv", "block.fc"]
    assert plain_name("", "net.model.") not in inner


def test_values_are_matched_by_name_in_the_order_of_the_net() -> None:
    """A file's own order means nothing."""
    values, net = calls("c ?", "a ?", "z ?"), calls("a Conv", "b ReLU", "c Conv")
    assert by_name(values, net, {}) == [(1, 0), (None, 1), (0, 2), (2, None)]
    assert by_name(values, net, {"z": "b"}) == [(1, 0), (2, 1), (0, 2)]


def test_a_match_by_hand_outweighs_a_layer_of_that_name() -> None:
    """The other layer may run before it or after."""
    net, values = calls("conv1 Conv", "conv2 Conv"), calls("conv2 Conv")
    assert (0, 0) in by_name(net, values, {"conv1": "conv2"})
    assert (1, 0) in by_name(net[::-1], values, {"conv1": "conv2"})
