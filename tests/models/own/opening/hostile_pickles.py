"""Pickles made to do harm: each way to name and call a thing, with each thing worth calling."""

import struct
from collections.abc import Iterator

from tests.hostile import weights_files as made
from tests.hostile.weights_files import HEAD, named, text

WEIGHT = made.tensor(made.storage(2), (2,), (1,))
DANGEROUS = """os system|posix system|nt system|os mkdir|os execv|subprocess Popen|subprocess check_output
builtins eval|builtins exec|builtins __import__|builtins compile|builtins open|builtins getattr
builtins setattr|__builtin__ eval|__builtin__ getattr|functools partial|functools reduce
operator attrgetter|operator methodcaller|importlib import_module|torch load|torch.hub load
torch.jit load|torch.serialization load|torch.storage _load_from_bytes|runpy run_path|pickle loads
_pickle loads|marshal loads|types CodeType|types FunctionType|ctypes CDLL|shutil rmtree
socket create_connection|webbrowser open|pty spawn|numpy load|timeit timeit|pdb run|asyncio run
_codecs encode|copyreg _reconstructor|copyreg __newobj__|copyreg add_extension
torch._utils _rebuild_tensor_v2.__globals__|torch._utils _import_dotted_name
torch.nn.modules.module Module.__setstate__|pathlib Path.mkdir|sys exit|os _exit"""


def hostile_pickles(sign: str) -> dict[str, bytes]:
    """Return files of weights by what they try; ``sign`` is the folder that they would make."""
    names = [name for line in DANGEROUS.splitlines() for name in line.split("|")]
    tries = {f"{way}: {name}": listed for name in names for way, listed in _ways(name, sign)}
    files = {way: made.archive(HEAD + listed + b".", _0=bytes(8)) for way, listed in tries.items()}
    old = {f"{way}, 2019": made.of_2019(HEAD + tries[way] + b".") for way in list(tries)[::7]}
    return files | old | {way: made.archive(HEAD + listed) for way, listed in _tricks()}


def _ways(name: str, sign: str) -> Iterator[tuple[str, bytes]]:
    argument = text(sign)
    thing, tupled = named(name), b"(" + argument + b"t"
    module, _, attribute = name.partition(" ")
    yield "called", thing + tupled + b"R"
    yield "called by a name on the stack", text(module) + text(attribute) + b"\x93" + tupled + b"R"
    yield "made", thing + tupled + b"\x81"
    yield "made with keywords", thing + tupled + b"}\x92"
    yield "an instance", b"(" + argument + b"i" + name.replace(" ", "\n").encode() + b"\n"
    yield "an object", b"(" + thing + argument + b"o"
    yield "given a state", thing + b")\x81" + b"}" + text("a") + argument + b"s" + b"b"
    yield "given a state of texts", thing + b")\x81" + argument + b"b"
    yield "remembered", thing + b"q\x000h\x00" + tupled + b"R"
    yield "found inside", named("builtins getattr") + b"(" + thing + text("__call__") + b"tR" + tupled + b"R"
    yield "made partial", named("functools partial") + b"(" + thing + argument + b"tR" + b")R"
    yield "beside weights", b"}" + text("w") + WEIGHT + b"s" + text("x") + thing + tupled + b"Rs"
    yield "in a module", _module(thing + tupled + b"R")
    yield "kept outside", b"(" + text("storage") + thing + text("0") + text("cpu") + b"K\x02tQ"
    yield (
        "a hook of a tensor",
        made.call("torch._utils _rebuild_parameter", WEIGHT, b"\x89", thing + tupled + b"R"),
    )
    yield "what rebuilds", made.call("torch._tensor _rebuild_from_type_v2", thing, thing, tupled, b"}")
    yield "a name", b"}" + thing + tupled + b"R" + b"Ns"


def _module(value: bytes) -> bytes:
    """Instructions for a module with a weight, whose hooks and class are somebody's."""
    parts = b"}" + text("w") + WEIGHT + b"s"
    state = (
        b"}" + text("_parameters") + parts + b"s" + text("_modules") + b"}s" + text("_hooks") + value + b"s"
    )
    return named("__main__ Net") + b")\x81" + state + b"b"


def _tricks() -> Iterator[tuple[str, bytes]]:
    """Yield what no name is needed for: extensions, huge counts, deep nesting, loops, and broken stacks."""
    yield "extension of one byte", b"\x82\x01."
    yield "extension of two bytes", b"\x83\x01\x00."
    yield "extension of four bytes", b"\x84\x01\x00\x00\x00."
    for code in (b"\x8e", b"\x8d", b"\x96"):
        yield f"a count of exabytes, {code.hex()}", code + struct.pack("<Q", 2**62) + b"a."
    for code in (b"B", b"X", b"T", b"\x8b"):
        yield f"a count of gigabytes, {code.hex()}", code + struct.pack("<I", 2**32 - 1) + b"a."
    yield "a frame of exabytes", b"\x95" + struct.pack("<Q", 2**63) + b"N."
    yield "a far place in the memo", b"Nr\xff\xff\xff\xff."
    yield "nothing at that place", b"h\x07."
    for code in (b"(", b"]", b"}", b")"):
        yield f"nested {code.decode()}", code * 100_000 + b"."
        yield f"nested and closed {code.decode()}", b"N" + b"\x85" * 100_000 + b"."
    yield "a list in itself", b"]q\x00h\x00a."
    yield "a dict in itself", b"}q\x00" + text("a") + b"h\x00s."
    yield "a module in itself", _module(b"N") + b"q\x00}" + text("_modules") + b"}" + text("a") + b"h\x00ssb."
    yield "an empty stack", b"."
    yield "a mark that is not there", b"t."
    yield "put into a text", text("a") + b"Na."
    yield "a name of numbers", b"K\x01K\x02\x93."
    yield "a number called", b"K\x01)R."
    yield "a type called", named("collections OrderedDict") + named("collections OrderedDict") + b"R."
    yield "a type given a state", named("collections OrderedDict") + b"}b."
    yield "an unknown protocol", b"\x80\xffN."
    yield "no end", b"N"
