"""Near misses of beginners, which exercises do not have, get a sentence that says what to write."""

import pytest

from tests.viz.exercises.subset.nets import ran
from viz.exercises import near_misses
from viz.exercises.subset.attributes import TABLES
from viz.exercises.subset.expressions import NAMES

TRIED = {
    "kept = {}\nkept.append(picture)": '`kept` is a dict. Store under a name: `kept["maps"] = output`.',
    "x = picture.copy()": "A tensor's copy is called `.clone()`: write `picture.clone()`.",
    "x = picture.numpy()": "Tensors stay tensors here.",
    "x = picture.data": "`picture.detach()`",
    "x = picture.cpu()": "leave `.cpu()` out",
    "x = (picture,)\nx.shape": "The tensor is `x[0]`",
    "x = [picture]\nx.clone()": "A tensor in it is `x[0]`",
    "x = [picture]\nx.length": "`len(x)`",
    "x = []\nx.add(1)": "`x.append(value)`",
    "net.conv.output": "keeps nothing of what it computes",
    "net.forward(picture)": "`.forward()` would pass its hooks by",
    "net.conv.remove()": "removed by its handle",
    "h = net.conv.register_forward_hook(lambda a, b, c: None)\nh.close()": "`h.remove()`",
    "torch.randn(3)": "Nothing here is random",
    "np.mean(picture)": "There is no NumPy here",
    "model(picture)": "The net is called `net` here",
    "x = true": "with a capital letter",
    "print(output)": "Only inside the hook",
    "x = picture.sum().item < 3": "not called, for want of brackets",
}


@pytest.mark.parametrize(("code", "said"), TRIED.items(), ids=[repr(code) for code in TRIED])
def test_what_beginners_try_says_what_to_write_instead(code: str, said: str) -> None:
    """In the words of what they wrote."""
    assert said in str(ran(code).error)


def test_nothing_that_is_there_has_advice_to_write_something_else() -> None:
    """Advice for a name that works would never be heard, or a type's name is misspelled."""
    kinds = {kind.__name__: names for kind, names in TABLES.items()} | {"tuple": {}, "Namespace": {}}
    for kind, names in near_misses._SAID.items():
        assert kind in kinds
        assert not set(names) & set(kinds[kind])
    assert not set(near_misses._NAMES) & {*NAMES, "net", "picture", "classes"}


def test_what_nobody_has_thought_of_gets_no_advice() -> None:
    """The list of what there is follows then."""
    assert near_misses.of_attribute("Tensor", "x", "frobnicate") is None
    assert near_misses.of_name("frobnicate") is None
