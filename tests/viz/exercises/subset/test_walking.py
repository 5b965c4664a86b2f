"""The subset does what Python does: each piece of code is also run by Python itself, and compared."""

import pytest
import torch
from torch import Tensor, nn

from tests.viz.exercises.subset.nets import ran, small_net, small_picture, whole
from viz.exercises.subset.session import layers_of
from viz.exercises.subset.walking import run_answer

SAME = {
    "sums": "x = 1 + 2 * 3 - 4 / 2\ny = 7 // 2, 7 % 3, -7 // 2, 2 ** 5, 2 ** -1, 0.5 ** 2, +3, -x",
    "texts": "x = 'a' + 'b'\ny = 'b' in x, x == 'ab', x[0], len(x)",
    "comparisons": "x = 1 < 2 < 3, 1 < 3 < 2, 1 == 1.0, 3 != 4, 2 >= 2, None is None, picture is not None",
    "logic": "x = True and 0 or 5\ny = not x, x if x else 3, [] or 2",
    "lists": "x = [1, 2]\nx.append(3)\nx += [4]\nx[0] = 9\ny = x[1:3], x[-1], len(x), 3 in x, x.pop(), x",
    "dicts": "x = {'a': 1}\nx['b'] = 2\ny = x.get('c', 7), 'a' in x, list(x.keys()), list(x.items()), len(x)",
    "lists in a dict": "x = {}\nx.setdefault('a', []).append(1)\nx.setdefault('a', []).append(2)\n"
    "y = x['a'], x.setdefault('b'), len(x)",
    "unpacking": "a, (b, c) = 1, (2, 3)\nx = [a, b, c]\na = b = 5",
    "loops": "x = []\nfor i in range(5):\n    if i == 1:\n        continue\n"
    "    if i == 4:\n        break\n    x.append(i)",
    "whiles": "n = 0\nwhile True:\n    n += 1\n    if n > 6:\n        break",
    "functions": "def f(a, b):\n    c = a * b\n    return c + 1\nx = f(2, 3)\ny = (lambda a: a + x)(1)",
    "nested": "def f(n):\n    def g(m):\n        return m + n\n    return g(1)\nx = f(2)",
    "recursion": "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nx = f(6)",
    "globals": "x = 1\ndef f():\n    global x\n    x = 2\nf()",
    "locals": "x = 1\ndef f():\n    x = 2\n    return x\ny = f()",
    "finally": "x = []\ndef f():\n    try:\n        return 1\n    finally:\n        x.append(2)\ny = f()",
    "finally wins": "def f():\n    try:\n        return 1\n    finally:\n        return 2\ny = f()",
    "enumerate": "x = []\nfor i, each in enumerate(['a', 'b']):\n    x.append((i, each))",
    "zip": "x = list(zip([1, 2], ['a', 'b']))\n"
    "y = sum([1, 2]), max(3, 4), min([5, 2]), sorted([3, 1]), round(2.567, 1)",
    "numbers": "x = int(2.7), float(3), abs(-2), bool(0), tuple([1, 2]), list((3,))",
    "slices": "x = picture[0, :, 2:4, ::2]\n"
    "y = picture[..., 0], picture[0, 1, 2, 3].item(), picture[:, None].shape",
    "written slices": "x = picture.clone()\nx[:, 1] = 0\nx[0, 0, 2:4] += 1\nx[x < 0] = 5",
    "chosen": "x = picture[:, [2, 0]]\ny = picture[picture > 0]\nz = picture[0, torch.tensor([1, 1])]",
    "sums of tensors": "x = picture * 2 + 1 - picture / 3\n"
    "y = (picture > 0).sum().item(), -picture, picture ** 2",
    "in place": "x = picture.clone()\ny = x\ny *= 2\ny -= 1\nz = torch.equal(x, y)",
    "new memory": "x = picture.clone()\ny = x\ny = y * 2\nz = torch.equal(x, y)",
    "methods": "x = picture.mean(dim=(2, 3), keepdim=True)\n"
    "y = picture.flatten().argmax().item(), picture.relu().max()",
    "largest": "v, i = picture.flatten().topk(3)\nx = picture.max(dim=1).values\n"
    "y = picture.max(dim=1).indices",
    "shapes": "x = picture.reshape(3, 64).t().shape\n"
    "y = picture.permute(0, 2, 3, 1).shape, picture.view(-1).shape",
    "torch": "x = torch.cat([picture, picture], dim=1)\n"
    "y = torch.stack([picture[0], picture[0]]), torch.zeros(2, 3)\n"
    "z = torch.where(picture > 0, picture, 0), torch.zeros_like(picture), torch.arange(4)\n"
    "w = torch.tensor([[1, 2], [3, 4]])",
    "softmax": "x = net(picture).softmax(dim=1)\ny = torch.softmax(net(picture), 1)",
    "children": "x = [0]\nfor name, layer in net.named_children():\n"
    "    x.append(name)\ny = net.get_submodule('fc').out_features",
    "numbers of layers": "x = net.conv.kernel_size, net.conv.in_channels, net[0].stride\n"
    "y = net.fc.weight.sum().item()",
    "a row of layers": "x = [len(net), net[-1].out_features]\n"
    "for layer in net[1:]:\n    x.append(layer.training)\nfor layer in net:\n    x.append(layer.training)\n"
    "y = list(net)[0].stride, [net[-2:][1].in_features], len(net[::2])",
    "a hook": "kept = {}\ndef hook(module, inputs, output):\n"
    "    kept['in'] = inputs[0]\n    kept['out'] = output\n"
    "handle = net.conv.register_forward_hook(hook)\nx = net(picture)\n"
    "handle.remove()\nnet(picture * 2)\ny = kept['in'], kept['out']",
    "an editing hook": "def hook(module, inputs, output):\n    output = output.clone()\n"
    "    output[:, 2] = 0\n    return output\n"
    "handle = net.conv.register_forward_hook(hook)\nx = net(picture)\nhandle.remove()\ny = net(picture)",
    "a pre-hook": "def hook(module, inputs):\n    return (inputs[0] * 2,)\n"
    "handle = net.fc.register_forward_pre_hook(hook)\n"
    "x = net(picture)\nhandle.remove()",
    "a block": "def hook(module, inputs, output):\n    return output * 0\n"
    "with net.conv.register_forward_hook(hook) as handle:\n"
    "    x = net(picture)\ny = net(picture)",
    "gradients": "kept = []\ndef keep(grad):\n    kept.append(grad)\n"
    "    return grad * 2\ndef hook(module, inputs, output):\n"
    "    output.register_hook(keep)\npicture = picture.clone().requires_grad_()\n"
    "with net.conv.register_forward_hook(hook):\n"
    "    net(picture).sum().backward()\nx = picture.grad\ny = kept[0]",
    "a backward hook": "kept = []\ndef hook(module, grad_input, grad_output):\n"
    "    kept.append(grad_output[0])\n"
    "with net.fc.register_full_backward_hook(hook):\n    net(picture).sum().backward()\nx = kept[0]",
    "without gradients": "with torch.no_grad():\n    x = net(picture)\n"
    "y = x.requires_grad, net(picture).requires_grad",
}


def plain(value: object) -> object:
    """Values as lists and numbers; of a tensor its shape as well."""
    if isinstance(value, Tensor):
        return [list(value.shape), value.detach().double().flatten().tolist()]
    if isinstance(value, torch.Size):
        return plain(tuple(value))
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value


@pytest.mark.parametrize("code", SAME.values(), ids=SAME)
def test_the_subset_makes_what_python_makes(code: str) -> None:
    """The same names with the same values, bit for bit."""
    found = ran(code)
    assert found.error is None, str(found.error)
    expected = whole(code)
    compared = [
        name
        for name, value in found.values.items()
        if plain(value) is not value or type(value) in (int, float, str, bool)
    ]
    assert compared
    for name in compared:
        assert plain(found.values[name]) == plain(expected[name]), name


ENDLESS = {
    "a loop": "while True:\n    pass",
    "a long range": "for i in range(10 ** 12):\n    pass",
    "loops in loops": "for i in range(1000):\n    for j in range(1000):\n        x = i * j",
    "recursion": "def f(n):\n    return f(n + 1)\nf(0)",
    "mutual recursion": "def f():\n    g()\ndef g():\n    f()\nf()",
    "a hook that runs the net": "def h(m, i, o):\n    net(picture)\nnet.conv.register_forward_hook(h)\n"
    "net(picture)",
    "many runs": "for i in range(100000):\n    net(picture)",
    "many hooks": "def h(m, i, o):\n    pass\nfor i in range(1000):\n    net.conv.register_forward_hook(h)",
    "a sum": "x = sum(range(10 ** 10))",
    "a list": "x = list(range(10 ** 10))",
    "a search": "x = 1.5 in range(10 ** 10)",
    "printing": "while True:\n    print(1)",
    "finally": "while True:\n    try:\n        break\n    finally:\n        while True:\n            pass",
}
GREEDY = {
    "a power": "x = 2 ** 10 ** 9",
    "a power of powers": "x = 9 ** 9 ** 9 ** 9",
    "squares": "x = 3\nwhile True:\n    x = x * x",
    "a text": "x = 'ab'\nwhile True:\n    x = x + x",
    "a list": "x = [1]\nwhile True:\n    x = x + x",
    "a list in place": "x = [1]\nwhile True:\n    x += x",
    "appending": "x = []\nwhile True:\n    x.append(x)",
    "a tuple": "x = (1,)\nwhile True:\n    x = x + x",
    "a tensor": "x = torch.zeros(10 ** 6, 10 ** 6)",
    "a negative shape": "x = torch.zeros(-1)",
    "many tensors": "x = []\nwhile True:\n    x.append(torch.zeros(1000, 1000))",
    "broadcasting": "x = torch.zeros(3000, 1) + torch.zeros(1, 3000)",
    "choosing": "x = picture[:, [0] * 3]\n",
    "choosing often": "i = torch.zeros(1000).long()\nx = torch.zeros(1000, 1000)[i]\n"
    "y = x[:, i]\nz = torch.stack([y, y, y, y, y])",
    "joining": "x = picture\nwhile True:\n    x = torch.cat([x, x])",
    "a range tensor": "x = torch.arange(10 ** 9)",
    "bounds that spread": "a = torch.zeros(4000, 1)\nx = a.clamp(min=torch.zeros(1, 4000))",
    "a sum over nothing": "x = torch.zeros(0).reshape(0, 10 ** 8).sum(0)",
    "nothing of a large shape": "x = torch.zeros(0, 10 ** 9)",
    "rounding": "x = round(5, -(10 ** 9))",
    "a dict by defaults": "x = {}\nwhile True:\n    x.setdefault(len(x), 1)",
    "a dict": "x = {}\ni = 0\nwhile True:\n    x[i] = i\n    i += 1",
}


@pytest.mark.parametrize("code", [*ENDLESS.values(), *GREEDY.values()], ids=[*ENDLESS, *GREEDY])
@pytest.mark.timeout(20)
def test_what_takes_too_much_ends_with_a_sentence_and_a_line(code: str) -> None:
    """Long before the process that runs it meets its limits; no hook is left, and no tensor was made."""
    found = ran(code)
    assert found.error is not None
    assert 1 <= found.error.line <= code.count("\n") + 1
    assert len(str(found.error)) > 10


def test_rows_of_a_tensor_are_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rows of four are twelve values, not as many as the longest list may have."""
    code = "row = [1, 2, 3, 4]\nx = torch.tensor([row, row, row])"
    monkeypatch.setattr("viz.exercises.subset.session.LARGEST_TENSOR", 12)
    assert ran(code).error is None
    monkeypatch.setattr("viz.exercises.subset.session.LARGEST_TENSOR", 11)
    assert "larger than an exercise needs" in str(ran(code).error)


class Twice(nn.Module):
    """A layer with two outputs, each a border larger than its input."""

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor]:
        padded = nn.functional.pad(images, (1, 1, 1, 1))
        return padded, padded


@pytest.mark.parametrize("layer", [nn.ZeroPad2d(1), Twice()], ids=["one", "two"])
def test_what_a_layer_returns_is_counted(layer: nn.Module, monkeypatch: pytest.MonkeyPatch) -> None:
    """A border of one around a 3 by 3 makes 25 values; it could have a border of its own again and again."""
    given = {"layer": layers_of(layer), "picture": torch.zeros(1, 1, 3, 3)}
    monkeypatch.setattr("viz.exercises.subset.session.LARGEST_TENSOR", 25)
    assert run_answer("x = layer(picture)", given).error is None
    monkeypatch.setattr("viz.exercises.subset.session.LARGEST_TENSOR", 24)
    assert "larger than an exercise needs" in str(run_answer("x = layer(picture)", given).error)


def test_half_a_character_is_no_text() -> None:
    """Nothing that goes to the page could hold it; escapes of whole characters are fine."""
    for code in (r"print('\ud800')", r"x = {'\udfff': 1}", r"net['\ud83d']"):
        assert "half a character" in str(ran(code).error)
    assert ran(r"print('\u00e9 \U0001f600')").printed == ("é 😀",)


def test_hooks_end_with_the_run_whatever_happens() -> None:
    """Also if the code stops early; those that were left are told, with their lines."""
    net = small_net()
    code = "def h(m, i, o):\n    pass\nnet.conv.register_forward_hook(h)\nnet.fc.register_forward_pre_hook(h)"
    found = run_answer(code, {"net": layers_of(net), "picture": small_picture()})
    assert "2 parameters" not in str(found.error)
    assert [(handle.where, handle.line) for handle in found.left] == [("conv", 3)]
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in net.modules())


MISTAKES = {
    "x = torch.cat([])": ("this list is empty", 1),
    "x = nothing": ("Nothing is named `nothing`", 1),
    "x = 1\ny = x.shape": ("There is no `.shape` of a whole number", 2),
    "net.conv.register_forward_hook(print)": ("takes a function", 1),
    "def h(x):\n    pass\nnet.conv.register_forward_hook(h)": ("has 1 parameters", 3),
    "def h(m, i, o):\n    return 3\nnet.conv.register_forward_hook(h)\nnet(picture)": (
        "returned a whole number",
        4,
    ),
    "def h(m, i, o):\n    return o.shap\nnet.conv.register_forward_hook(h)\nnet(picture)": ("`.shap`", 2),
    "x = picture + torch.zeros(5)": ("do not fit together", 1),
    "x = 0\ndef f():\n    x += 1\nf()": ("global x", 3),
    "x = {}\ny = x['a']": ("nothing under `'a'`", 2),
    "x = []\ny = x[0]": ("no place 0", 2),
    "1 / 0": ("ZeroDivisionError", 1),
    "if picture > 0:\n    pass": (".any()", 1),
    "net.nothing(picture)": ("`.nothing`", 1),
    "net.get_submodule('conv.x')": ("no layer `x`", 1),
    "net(3)": ("runs on tensors", 1),
    "x = picture.reshape(7)": ("RuntimeError", 1),
    "picture.copy_('x')": ("cannot take a text", 1),
    "x = 'a' * 9": ("no meaning", 1),
    "x = picture['a']": ("whole numbers and slices", 1),
    "return 3": ("belongs into a function", 1),
    "x = 3\nx()": ("Only a function", 2),
    "for x in net.conv:\n    pass": ("can be gone through here; this is a layer", 1),
    "a, b = picture": ("this is a tensor", 1),
    "x = net.conv[0]": ("no such place in a layer", 1),
    "x = net[9]": ("no place 9", 1),
    "x = net['conv']": ("no such place", 1),
    "a, b = [1]": ("1 value does not fit 2 names", 1),
    "x = [1]\ny = x[1]": ("this holds 1 value.", 2),
    "a, b = 1, 2, 3": ("3 values do not fit 2 names", 1),
}


@pytest.mark.parametrize(("code", "said"), MISTAKES.items(), ids=[repr(code[:40]) for code in MISTAKES])
def test_a_mistake_is_told_in_words_with_its_line(code: str, said: tuple[str, int]) -> None:
    """The innermost line: also if the mistake is in a hook, which PyTorch calls."""
    found = ran(code)
    assert found.error is not None
    assert said[0] in str(found.error)
    assert found.error.line == said[1]


def test_printing_shows_values_and_nothing_else() -> None:
    """Short, without addresses; what a name stands for is said in words."""
    found = ran(
        "def f(a):\n    return a\n"
        "print(1, 'a', [1.5, 'b'], None, f, net.conv, picture[0, 0, 0, :2] * 0 + 1, print)\n"
        "print(picture)"
    )
    assert found.printed[0] == "1 a [1.5, 'b'] None function f conv (Conv2d) tensor([1, 1]) function print"
    assert found.printed[1].startswith("tensor of shape (1, 3, 8, 8), values ")


def test_weights_that_an_answer_changes_are_a_copy() -> None:
    """The net that the next run gets is the net as it was."""
    assert ran("x = net.conv.weight\nx *= 0\nbefore = net(picture)").values["before"].abs().sum() > 0
    code = "net.conv.weight[:] = 0\ny = net(picture)"
    assert torch.equal(ran(code).values["y"], small_net()(small_picture()))
