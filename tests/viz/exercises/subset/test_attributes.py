"""No attribute beyond the lists is ever reached: known escapes, and thousands of random programs.

Three witnesses that share nothing with the interpreter: a list of attributes that is written here by hand,
the types of everything that an answer can hold, and Python's own audit events.
"""

import ast
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from torch import Tensor, nn

from tests.viz.exercises.subset.nets import given, ran
from viz.exercises.subset import expressions
from viz.exercises.subset.attributes import TABLES
from viz.exercises.subset.values import (
    Function,
    Handle,
    IndexedValues,
    Layer,
    Namespace,
    NativeFunction,
    NoGradContext,
)
from viz.exercises.subset.walking import AnswerRun, run_answer

BY_HAND = {
    Tensor: """
        abs add_ all amax amin any argmax argmin backward bool clamp clamp_ clone contiguous
        copy_ detach dim div_ exp fill_ flatten flip float grad int item log long max mean
        median min mul_ ndim norm numel permute register_hook relu relu_ requires_grad
        requires_grad_ reshape retain_grad roll round shape sigmoid sign size softmax sqrt
        squeeze std sub_ sum t T tanh tolist topk transpose unsqueeze var view zero_
    """,
    Layer: """
        bias children eval get_submodule groups in_channels in_features inplace kernel_size
        modules named_children named_modules out_channels out_features padding
        register_forward_hook register_forward_pre_hook register_full_backward_hook stride
        training weight
    """,
    list: "append clear pop",
    dict: "clear get items keys setdefault values",
    Handle: "remove",
    IndexedValues: "indices values",
}
OF_TORCH = """
    abs all allclose amax amin any arange argmax argmin cat clamp clone equal exp flatten flip log
    max mean median min no_grad norm ones ones_like relu reshape roll round sigmoid sign softmax
    sqrt squeeze stack std sum tanh tensor topk transpose unsqueeze var where zeros zeros_like
"""
BELOW = {"conv", "relu", "flatten", "fc"}  # the small net's layers
HELD = (bool, int, float, str, type(None), type(...), list, tuple, dict, range, slice, Tensor)
HELD += (Function, Handle, IndexedValues, Layer, Namespace, NativeFunction, NoGradContext)
ESCAPES = (
    "().__class__.__bases__[0].__subclasses__()",
    "''.__class__.__mro__[1].__subclasses__()",
    "net.__class__.__init__.__globals__['__builtins__']",
    "net.conv.__dict__",
    "net.module",
    "net.conv.module.__class__",
    "net.conv._modules",
    "net.conv.forward.__globals__",
    "net.conv.register_forward_hook.call.__globals__",
    "net.conv.register_forward_hook.__self__",
    "net.register_forward_hook.call",
    "net.children().append.__self__",
    "net.state_dict()",
    "net.load_state_dict({})",
    "net.apply(print)",
    "net.to('cuda')",
    "net.register_module('x', net)",
    "torch.load('/etc/passwd')",
    "torch.save(picture, '/tmp/x')",
    "torch.hub.load('a', 'b')",
    "torch.ops.aten.add",
    "torch.os.system('id')",
    "torch.nn.Module",
    "torch.functions",
    "torch.name",
    "torch.serialization",
    "torch.from_file('/etc/passwd', size=9)",
    "torch.utils.cpp_extension",
    "picture.data",
    "picture.numpy()",
    "picture.storage()",
    "picture.untyped_storage()",
    "picture.data_ptr()",
    "picture.grad_fn",
    "picture.apply_(print)",
    "picture.map_(picture, print)",
    "picture.__array_interface__",
    "picture.__reduce_ex__(2)",
    "picture.type('torch.cuda.FloatTensor')",
    "picture.new(10)",
    "picture.set_(picture)",
    "picture.resize_(10 ** 9)",
    "picture.expand(10 ** 9, 3, 8, 8)",
    "picture.repeat(10 ** 9)",
    "'{0.__class__}'.format(net)",
    "'{0.__class__.__init__.__globals__}'.format(net)",
    "'%s' % net",
    "'{}'.format_map({})",
    "f'{net.__class__}'",
    "''.join(['a'])",
    "str.format('{0.__class__}', net)",
    "getattr(net, '__class__')",
    "setattr(net, 'x', 1)",
    "hasattr(net, 'x')",
    "vars(net)",
    "dir(net)",
    "type(net)",
    "type('X', (), {})",
    "object()",
    "super()",
    "isinstance(net, type)",
    "globals()",
    "locals()",
    "eval('1')",
    "exec('x = 1')",
    "compile('1', '', 'eval')",
    "open('/etc/passwd')",
    "input()",
    "breakpoint()",
    "help()",
    "memoryview(b'')",
    "__builtins__",
    "__import__('os').system('id')",
    "__name__",
    "__loader__",
    "print.__self__",
    "print.call.__globals__",
    "print.__globals__",
    "len.__self__.__import__('os')",
    "(lambda: 0).__code__",
    "(lambda: 0).__globals__",
    "(lambda: 0).body",
    "(lambda: 0).scope",
    "def f():\n    pass\nf.__code__ = 1",
    "def f():\n    pass\nx = f.__closure__",
    "def f():\n    yield\nx = f().gi_frame.f_back.f_globals",
    "x = (i for i in [1]).gi_frame",
    "async def f():\n    pass\nx = f().cr_frame",
    "try:\n    1 / 0\nexcept Exception as e:\n    x = e.__traceback__.tb_frame.f_globals",
    "try:\n    1 / 0\nfinally:\n    x = e.__traceback__",
    "with net:\n    pass",
    "with print as x:\n    pass",
    "class A:\n    def __getattr__(self, name):\n        return name",
    "@print\ndef f():\n    pass",
    "import os",
    "from os import system",
    "handle = net.conv.register_forward_hook(lambda m, i, o: None)\nhandle.hook",
    "handle = net.conv.register_forward_hook(lambda m, i, o: None)\nhandle.hooks_dict_ref",
    "handle = net.conv.register_forward_hook(lambda m, i, o: m.module)\nnet(picture)",
    "handle = net.conv.register_forward_hook(lambda m, i, o: m.__class__)\nnet(picture)",
    "picture.max(dim=1).__class__",
    "picture.max(dim=1)._asdict()",
    "[].__class__",
    "{}.__class__",
    "{}.setdefault('a', net).module",
    "{}.setdefault([], 1)",
    "{}.setdefault.__self__",
    "{'a': 1}['__class__']",
    "range(3).__reduce__()",
    "(1).__class__",
    "(1).to_bytes(2)",
    "(1.5).fromhex('1')",
    "None.__class__",
    "True.real",
    "'a'.encode()",
    "'a'.translate({})",
    "[1].sort(key=print)",
    "sorted([1], key=print)",
    "max([1], key=print)",
    "zip.__self__",
    "net.get_submodule('__class__')",
    "net.get_submodule('conv.__class__')",
    "net['__class__']",
    "net[0].__class__",
    "net[-2:].__class__",
    "net[::0]",
    "net['a':]",
    "net[0] = net",
    "net[:2](picture)",
    "list(net)[0].module",
    "for x in net:\n    x.module",
    "for x, y in net.conv:\n    pass",
    "x = net in net",
    "sum(net)",
    "x.y",
    "picture.__setitem__(0, 1)",
    "picture.register_hook(print)",
    "net.conv.register_forward_hook(torch.tensor)",
    "net.__class__ = 3",
    "print.name = 3",
    "picture.requires_grad = True",
    "del net",
    "global __builtins__\n__builtins__ = 3",
    "lambda *a, **k: 1",
    "print(*[1])",
    "match net:\n    case Layer(module=x):\n        pass",
    "type A = net",
)
PARSED = "<unknown>"  # Python's own parser looks for a file of this name when it reports an error
Reached = list[tuple[type, str]]


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> Reached:
    """Every attribute that an answer has reached, at the one place where it can."""
    found: Reached = []
    really: Callable[..., Any] = expressions.attribute

    def noted(session: Any, owner: Any, name: str, written: str) -> Any:
        value = really(session, owner, name, written)
        found.append((type(owner), name))
        return value

    monkeypatch.setattr(expressions, "attribute", noted)
    return found


class Events:
    """Python's own audit events while it is on; a hook of ``sys`` cannot be taken away."""

    WATCHED = (
        "exec",
        "import",
        "open",
        "os.",
        "subprocess.",
        "socket.",
        "ctypes.",
        "object.__",
        "code.__new__",
    )

    def __init__(self) -> None:
        self.on, self.seen = False, list[str]()
        sys.addaudithook(self.note)

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Keep what is worth it."""
        if self.on and event.startswith(self.WATCHED) and arguments[:1] != (PARSED,):
            self.seen.append(f"{event} {arguments!r:.200}")


@pytest.fixture(scope="module")
def events() -> Events:
    """One listener; what PyTorch imports for itself has been imported before."""
    ran(
        "x = net(picture)\nx.max().item()\n"
        "y = picture[:, [0]] + torch.zeros(2, 3)\npicture[picture > 0]\n"
        "print(y, nope)"
    )
    ran("with torch.no_grad():\n    x = net(picture)\npicture.clone().requires_grad_().sum().backward()")
    return Events()


def allowed(owner: type, name: str) -> bool:
    """Return whether the list that is written here has the name."""
    if owner is Namespace:
        return name in OF_TORCH.split()
    return name in BY_HAND.get(owner, "").split() or (owner is Layer and name in BELOW)


def held(value: Any, depth: int = 0) -> Iterator[Any]:
    """A value and all that it holds."""
    yield value
    if depth > 6:
        return
    if isinstance(value, dict):
        for each in (*value, *value.values()):
            yield from held(each, depth + 1)
    elif isinstance(value, list | tuple):
        for each in value[:50]:
            yield from held(each, depth + 1)


def watched(code: str, events: Events) -> AnswerRun:
    """Run an answer while Python's events are kept; making the net is none of its doing."""
    names = given()
    events.seen.clear()
    events.on = True
    try:
        return run_answer(code, names)
    finally:
        events.on = False


def expect_nothing_beyond(code: str, reached: Reached, events: Events) -> bool:
    """Run an answer before the three witnesses; return whether it ran to its end."""
    found = watched(code, events)
    assert [each for each in reached if not allowed(*each)] == [], code
    assert [type(each) for each in held(dict(found.values)) if type(each) not in HELD] == [], code
    assert events.seen == [], code
    assert not any(isinstance(each, nn.Module) for each in held(dict(found.values)))
    reached.clear()
    return found.error is None


def test_the_lists_are_those_that_are_written_here() -> None:
    """A name that is added to a list is added here as well, after thinking twice; none of them is private."""
    assert {kind: sorted(names) for kind, names in TABLES.items()} == {
        kind: sorted(names.split()) for kind, names in BY_HAND.items()
    }
    torch = expressions.NAMES["torch"]
    assert isinstance(torch, Namespace)
    assert sorted(torch.functions) == sorted(OF_TORCH.split())
    assert not [name for names in TABLES.values() for name in names if name.startswith("_")]


@pytest.mark.parametrize("code", ESCAPES)
def test_known_escapes_end_with_a_sentence(code: str, reached: Reached, events: Events) -> None:
    """Each is refused, whichever way; what it had reached until then is on the list."""
    assert not expect_nothing_beyond(code, reached, events)


NAMES = (
    "net",
    "picture",
    "torch",
    "x",
    "y",
    "f",
    "print",
    "len",
    "range",
    "list",
    "sum",
    "max",
    "str",
    "classes",
)
NAMES += (
    "__builtins__",
    "__import__",
    "getattr",
    "type",
    "eval",
    "exec",
    "open",
    "object",
    "globals",
    "vars",
)
ATTRIBUTES = tuple({name for names in (*BY_HAND.values(), OF_TORCH) for name in names.split()} | BELOW)
STRANGE = (
    "__class__",
    "__dict__",
    "__globals__",
    "__subclasses__",
    "__init__",
    "__code__",
    "__self__",
    "_modules",
)
STRANGE += (
    "module",
    "call",
    "functions",
    "hook",
    "scope",
    "body",
    "format",
    "data",
    "grad_fn",
    "numpy",
    "storage",
)
STRANGE += (
    "register_buffer",
    "state_dict",
    "apply",
    "forward",
    "load",
    "save",
    "hub",
    "ops",
    "os",
    "name",
    "where",
)
STRANGE += (
    "gi_frame",
    "tb_frame",
    "f_globals",
    "mro",
    "real",
    "encode",
    "join",
    "children",
    "session",
    "used",
)
CONSTANTS: tuple[Any, ...] = (
    0,
    1,
    -1,
    2,
    3,
    0.5,
    10**9,
    "a",
    "__class__",
    "conv",
    "{0.__class__}",
    None,
    True,
    ...,
)


class Programs:
    """Random programs: mostly of what is allowed, so that they come far, and of everything else."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.tame = False  # whether this program says nothing that is refused before it runs

    def program(self) -> str:
        """Return a program's text."""
        self.tame = self.random.random() < 0.7
        body = [self.statement(2) for _ in range(self.random.randint(1, 4))]
        return ast.unparse(ast.fix_missing_locations(ast.Module(body=body, type_ignores=[])))

    def statement(self, depth: int) -> ast.stmt:
        """Return a statement of any kind."""
        kinds = [self.assignment] * 6 + [self.expression_alone] * 4
        if depth:
            kinds += [self.function, self.branch, self.loop, self.block, self.guarded, self.stranger]
        return self.random.choice(kinds)(depth)

    def body(self, depth: int) -> list[ast.stmt]:
        return [self.statement(depth - 1) for _ in range(self.random.randint(1, 3))]

    def name(self) -> str:
        return self.random.choice(NAMES[:14] if self.tame else NAMES)

    def attribute_name(self) -> str:
        found = self.random.choice(STRANGE if self.random.random() < 0.2 else ATTRIBUTES)
        return found.strip("_") if self.tame else found

    def assignment(self, _: int) -> ast.stmt:
        target: ast.expr = ast.Name(self.random.choice("xyf"), ast.Store())
        if self.random.random() < 0.2:
            target = ast.Subscript(self.value(1), self.value(1), ast.Store())
        if not self.tame and self.random.random() < 0.05:
            target = ast.Attribute(self.value(1), self.attribute_name(), ast.Store())
        if self.random.random() < 0.15:
            return ast.AugAssign(target, ast.Mult(), self.value(3))
        return ast.Assign([target], self.value(3))

    def expression_alone(self, _: int) -> ast.stmt:
        return ast.Expr(self.value(4))

    def function(self, depth: int) -> ast.stmt:
        parameters = [ast.arg(name) for name in self.random.choice([(), ("x",), ("m", "i", "o"), ("m", "i")])]
        arguments = ast.arguments([], parameters, None, [], [], None, [])
        body = [*self.body(depth), ast.Return(self.value(2))]
        return ast.FunctionDef(name="f", args=arguments, body=body, decorator_list=[])

    def branch(self, depth: int) -> ast.stmt:
        return ast.If(self.value(2), self.body(depth), self.body(depth))

    def loop(self, depth: int) -> ast.stmt:
        return ast.For(ast.Name("x", ast.Store()), self.value(2), self.body(depth), [])

    def block(self, depth: int) -> ast.stmt:
        return ast.With([ast.withitem(self.value(3), ast.Name("y", ast.Store()))], self.body(depth))

    def guarded(self, depth: int) -> ast.stmt:
        return ast.Try(self.body(depth), [], [], self.body(depth))

    def stranger(self, depth: int) -> ast.stmt:
        """One that is never allowed."""
        found = [
            ast.Import([ast.alias("os")]),
            ast.Delete([ast.Name("x", ast.Del())]),
            ast.Raise(self.value(1)),
        ]
        found.append(ast.ClassDef(name="x", bases=[], keywords=[], body=self.body(depth), decorator_list=[]))
        return (
            self.random.choice(found)
            if not self.tame and self.random.random() < 0.3
            else self.assignment(depth)
        )

    def value(self, depth: int) -> ast.expr:
        """Return an expression of any kind."""
        if depth <= 0 or self.random.random() < 0.15:
            return self.leaf()
        kinds = (
            [self.attribute] * 5 + [self.call] * 5 + [self.place] * 2 + [self.sum, self.listed, self.other]
        )
        return self.random.choice(kinds)(depth - 1)

    def leaf(self) -> ast.expr:
        if self.random.random() < 0.3:
            return ast.Constant(self.random.choice(CONSTANTS))
        return ast.Name(
            self.name() if self.random.random() < 0.3 else self.random.choice(NAMES[:3]), ast.Load()
        )

    def attribute(self, depth: int) -> ast.expr:
        """One that its owner has, more often than not: a program ends with its first mistake."""
        if self.random.random() < 0.7:
            owner = self.random.choice(("net", "picture", "picture", "torch"))
            known = {"net": (*BY_HAND[Layer].split(), *BELOW), "picture": BY_HAND[Tensor].split()}
            name = self.random.choice(known.get(owner, OF_TORCH.split()))
            return ast.Attribute(ast.Name(owner, ast.Load()), name, ast.Load())
        return ast.Attribute(self.value(depth), self.attribute_name(), ast.Load())

    def call(self, depth: int) -> ast.expr:
        given = [self.value(depth - 1) for _ in range(self.random.choice((0, 0, 1, 1, 2)))]
        named = [ast.keyword("dim", self.leaf())] if self.random.random() < 0.1 else []
        return ast.Call(self.value(depth), given, named)

    def place(self, depth: int) -> ast.expr:
        return ast.Subscript(self.value(depth), self.value(depth - 1), ast.Load())

    def sum(self, depth: int) -> ast.expr:
        sign = self.random.choice((ast.Add, ast.Mult, ast.Pow, ast.Mod, ast.FloorDiv))()
        return ast.BinOp(self.value(depth), sign, self.value(depth))

    def listed(self, depth: int) -> ast.expr:
        return self.random.choice((ast.List, ast.Tuple))([self.value(depth), self.value(depth)], ast.Load())

    def other(self, depth: int) -> ast.expr:
        arguments = ast.arguments([], [ast.arg("m"), ast.arg("i"), ast.arg("o")], None, [], [], None, [])
        found = [
            ast.Lambda(arguments, self.value(depth)),
            ast.IfExp(self.leaf(), self.value(depth), self.leaf()),
        ]
        found.append(ast.Compare(self.value(depth), [ast.Eq()], [self.value(depth)]))
        if not self.tame and self.random.random() < 0.1:
            found.append(ast.JoinedStr([ast.FormattedValue(self.value(depth), -1)]))
        return self.random.choice(found)


@pytest.mark.parametrize("seed", range(8))
def test_no_random_program_reaches_an_attribute_beyond_the_lists(
    seed: int, reached: Reached, events: Events
) -> None:
    """Some hundred programs a seed; a third come far enough to reach what is listed."""
    programs, far = Programs(seed), 0
    for _ in range(400):
        code = programs.program()
        before = len(reached)
        found = watched(code, events)
        far += len(reached) > before
        assert [each for each in reached if not allowed(*each)] == [], code
        assert [type(each) for each in held(dict(found.values)) if type(each) not in HELD] == [], code
        assert events.seen == [], code
    assert far > 130, (far, "these programs reach nothing, so they show nothing")
    assert len(set(reached)) > 80, len(set(reached))
