"""Model files of every kind: what they are, and the tensors, modules, settings and classes in them."""

import io
import json
import random
import sys
import warnings
import zipfile
from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace

import pytest
import safetensors.torch
import torch
from torch import Tensor, nn

from models.own.opening.libraries import library_of
from models.own.opening.module_tree import ModuleRow
from models.own.opening.outline import FileOutline, outline_from_plain, outline_of
from models.own.uploaded_state import tensors
from tests.models.uploads import saved


class Net(nn.Module):
    """A model as theses save it whole: with settings, names of classes, and a part that is there twice."""

    class Block(nn.Module):
        """A class inside a class, which older pickles name by a call of getattr."""

        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv2d(3, 4, 3)

        def forward(self, flow: Tensor) -> Tensor:
            """Return the convolution's output."""
            return self.conv(flow)

    def __init__(self) -> None:
        super().__init__()
        self.yaml = {"nc": 3, "backbone": [[-1, 1, "Conv", [64, 3, 2]]]}
        self.names = {0: "cat", 1: "dog", 2: "owl"}
        self.hyper = SimpleNamespace(lr=0.1)
        self.first = self.Block()
        self.again = self.first
        self.head = nn.Linear(4, 3)

    def forward(self, flow: Tensor) -> Tensor:
        """Return three scores."""
        return self.head(self.first(flow).mean((2, 3)))


def script(net: nn.Module) -> bytes:
    """Return a TorchScript file, traced."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such files are still in use
        torch.jit.save(torch.jit.trace(net.eval(), torch.zeros(1, 3, 8, 8)), file)
    return file.getvalue()


def exported(net: nn.Module) -> bytes:
    """Return a file of torch.export."""
    file = io.BytesIO()
    torch.export.save(torch.export.export(net.eval(), (torch.zeros(1, 3, 8, 8),)), file)
    return file.getvalue()


def zipped(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a folder's files as a ZIP."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return file.getvalue()


def shards(state: dict[str, Tensor]) -> dict[str, bytes]:
    """Return two shards with an index and a configuration, named as transformers names them."""
    halves = [dict(list(state.items())[at::2]) for at in range(2)]
    files = [f"model-{at + 1:05}-of-00002.safetensors" for at in range(2)]
    where = {name: file for file, half in zip(files, halves, strict=True) for name in half}
    index = {"metadata": {"total_size": 1}, "weight_map": where}
    config = {
        "architectures": ["Net"],
        "transformers_version": "5.0",
        "id2label": {"0": "cat", "1": "dog", "2": "owl"},
    }
    packed = {file: safetensors.torch.save(half) for file, half in zip(files, halves, strict=True)}
    listed = {"model.safetensors.index.json": index, "config.json": config}
    return packed | {name: json.dumps(value).encode() for name, value in listed.items()}


def held(found: tuple[FileOutline, bytes]) -> dict[str, Tensor]:
    """Return an outline's tensors."""
    return tensors(found[1], found[0].table)


@pytest.mark.parametrize("legacy", [False, True])
def test_a_pickled_module_is_told_without_its_class(legacy: bool) -> None:
    """Its tree, settings and classes are those of the module that was saved; numbers are its state dict's."""
    net = Net()
    found = outline_of(saved({"epoch": 3, "model": None, "ema": net}, legacy=legacy))
    outline = found[0]
    assert outline.kind == "pickled module"
    named = {name: type(part) for name, part in net.named_modules()}
    assert [row.name for row in outline.tree] == list(named)
    assert [row.type for row in outline.tree] == [
        f"{kind.__module__}.{kind.__qualname__}" for kind in named.values()
    ]
    assert outline.classes == ("cat", "dog", "owl")
    assert outline.settings["module"]["yaml"] == net.yaml
    assert outline.settings["checkpoint"] == {"epoch": 3, "model": None}
    assert outline.settings["module"]["hyper"] == "<types.SimpleNamespace>"
    values = held(found)
    unique = {
        f"ema/{name}": value for name, value in net.state_dict().items() if not name.startswith("again")
    }
    assert values.keys() == unique.keys()
    assert all(torch.equal(values[name], value) for name, value in unique.items())


def test_exported_programs_give_their_weights() -> None:
    """A TorchScript file and a .pt2 hold the numbers of the net that was traced, under its names."""
    net = Net()
    state = {name: value for name, value in net.state_dict().items() if not name.startswith("again")}
    for kind, data in (("TorchScript", script(net)), ("torch.export", exported(net))):
        found = outline_of(data)
        assert (found[0].kind, found[0].problem) == (kind, "")
        values = held(found)
        assert all(torch.equal(values[name], value) for name, value in state.items() if name in values)
        assert {name for name in state if "head" in name} <= values.keys()
    rows = outline_of(script(net))[0].tree
    assert {row.name for row in rows} >= {"", "first", "first.conv", "head"}


def test_shards_are_one_state_dict() -> None:
    """In a ZIP, packed or not, in a folder inside or not; the configuration names classes and library."""
    state = Net().state_dict()
    files = shards({name: value.clone() for name, value in state.items()})
    for data in (
        zipped(files),
        zipped(files, zipfile.ZIP_STORED),
        zipped(
            {f"mine/{name}": data for name, data in files.items()} | {"__MACOSX/mine/._a.safetensors": b"?"}
        ),
    ):
        found = outline_of(data)
        assert (found[0].kind, found[0].problem, len(found[0].files)) == ("safetensors", "", 2)
        values = held(found)
        assert values.keys() == state.keys()
        assert all(torch.equal(values[name], value) for name, value in state.items())
        assert found[0].classes == ("cat", "dog", "owl")
        library = library_of(found[0].tree, found[0].settings["config"])
        assert library is not None
        assert library.package == "transformers"


STATE = {"conv.weight": torch.arange(60.0).view(5, 3, 2, 2)}
WHOLE = shards({"a": torch.ones(2), "b": torch.ones(3)})
BAD = {
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(99), "something else", "neither"),
    "a text": (b"hello", "something else", "neither"),
    "nothing": (b"", "something else", "empty"),
    "an archive of texts": (zipped({"a.txt": b"hello"}), "something else", "did not write"),
    "a state dict cut short": (saved(STATE)[:-100], "something else", "damaged"),
    "safetensors cut short": (safetensors.torch.save(STATE)[:-9], "safetensors", "damaged"),
    "5 GB in name only": (
        b'\x48\0\0\0\0\0\0\0{"a":{"dtype":"F32","shape":[1250000000],"data_offsets":[0,5000000000]}}'[:80],
        "safetensors",
        "damaged",
    ),
    "a .pt2 with half its list": (
        exported(Net()).replace(b'"path_name"', b'"half_name"'),
        "torch.export",
        "damaged",
    ),
    "a missing shard": (
        zipped({name: data for name, data in WHOLE.items() if "00002-of" not in name}),
        "something else",
        "1 of them are missing: model-00002-of-00002.safetensors",
    ),
    "an index that is no JSON": (
        zipped(WHOLE | {"model.safetensors.index.json": b"{"}),
        "something else",
        "damaged",
    ),
    "a ZIP that unpacks to more than its own": (
        zipped({"a.safetensors": bytes(200_000_000)}),
        "something else",
        "would unpack to more than",
    ),
    "ONNX cut short": (b"\x08\x08\x12\x07pytorch\x3a\xff\xff\xff\x7f", "ONNX", "damaged"),
}


@pytest.mark.parametrize(("data", "kind", "says"), BAD.values(), ids=BAD)
def test_what_cannot_be_read_has_a_sentence(data: bytes, kind: str, says: str) -> None:
    """The kind is said as far as the format is certain; the sentence names what is wrong."""
    outline = outline_of(data)[0]
    assert outline.kind == kind
    assert says in outline.problem
    assert "\n" not in outline.problem
    assert not outline.table.tensors


def swapped(value: object, odd: object, place: Iterator[int]) -> object:
    """Return JSON's value with something odd at a place, counted down as values are gone through."""
    if next(place) == 0:
        return odd
    if isinstance(value, dict):
        return {name: swapped(each, odd, place) for name, each in value.items()}
    return [swapped(each, odd, place) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("odd", [None, -1, 2**70, "a", [], {}, [[]], True], ids=repr)
def test_lists_with_anything_anywhere_are_read_or_refused(odd: object) -> None:
    """Each value of a .pt2's list, a folder's index and its configuration is another in turn."""
    whole = shards({"a": torch.ones(2), "b": torch.ones(3)})
    small = nn.Sequential(nn.Conv2d(3, 1, 1, bias=False))
    program = exported(small)
    with zipfile.ZipFile(io.BytesIO(program)) as parts:
        name = next(each for each in parts.namelist() if each.endswith("weights_config.json"))
        files = {each: parts.read(each) for each in parts.namelist()}
    for inside, listed in ((files, name), (whole, "model.safetensors.index.json"), (whole, "config.json")):
        value = json.loads(inside[listed])
        for place in range(40):
            strange = json.dumps(swapped(value, odd, count(place, -1))).encode()
            outline = outline_of(zipped(inside | {listed: strange}, zipfile.ZIP_STORED))[0]
            json.dumps(outline.to_plain(), allow_nan=False)
            assert outline.problem or outline.table.tensors


@pytest.mark.parametrize("seed", range(3))
def test_a_broken_archive_is_read_or_refused(seed: int) -> None:
    """Bytes are turned, left out or cut off anywhere in a ZIP, a .pt2 and a pickled module."""
    draw = random.Random(seed)
    for whole in (
        zipped(shards({"a": torch.ones(2), "b": torch.ones(3)})),
        saved(Net()),
        saved(Net(), legacy=True),
    ):
        for _ in range(150):
            data = bytearray(whole)
            for _ in range(draw.randint(1, 3)):
                at = draw.randrange(len(data))
                data[at : at + draw.randint(0, 2)] = draw.randbytes(draw.randint(0, 2))
            outline = outline_of(bytes(data[: draw.choice([len(data), at])]))[0]
            json.dumps(outline.to_plain(), allow_nan=False)


def test_an_outline_passes_through_json() -> None:
    """It comes back equal, its sentence too."""
    for data in (saved(Net()), b"hello", zipped(shards({"a": torch.ones(2), "b": torch.ones(3)}))):
        outline, body = outline_of(data)
        plain = json.loads(json.dumps(outline.to_plain(), allow_nan=False))
        assert outline_from_plain(plain, len(body)) == outline


def test_only_packages_that_are_known_here_are_named_to_install() -> None:
    """A stranger's name may be a trap in a package index; looking for a library imports nothing."""
    imported = set(sys.modules)
    known = library_of(
        [
            ModuleRow("", "torch.nn.DataParallel"),
            ModuleRow("module", "ultralytics.nn.tasks.SegmentationModel"),
        ]
    )
    assert known is not None
    assert (known.name, known.package) == ("ultralytics", "ultralytics")
    trap = library_of([ModuleRow("", "ultralytlcs.nn.Model")])
    assert trap is not None
    assert (trap.package, trap.installed) == ("", False)
    assert library_of([ModuleRow("", "torch.nn.modules.linear.Linear")]) is None
    assert set(sys.modules) == imported


def test_classes_of_a_torchscript_file_are_told_by_their_library() -> None:
    """TorchScript writes a name of its own in front of each class."""
    rows = [
        ModuleRow("", "__torch__.torch.nn.modules.container.Sequential"),
        ModuleRow("0", "__torch__.timm.models.Net"),
    ]
    found = library_of(rows)
    assert found is not None
    assert found.name == "timm"
    assert library_of(rows[:1]) is None


def test_names_in_a_package_may_begin_with_a_dot() -> None:
    """As some programs write them."""
    plain = shards({"a": torch.ones(2), "b": torch.ones(3)})
    outline, _ = outline_of(zipped({f"./{name}": data for name, data in plain.items()}))
    assert not outline.problem
    assert len(outline.table.tensors) == 2


def test_shards_that_are_pickled_are_one_state_dict() -> None:
    """Before safetensors, transformers wrote ``pytorch_model-….bin`` and an index."""
    state = {name: value.clone() for name, value in Net().state_dict().items()}
    halves = [dict(list(state.items())[at::2]) for at in range(2)]
    files = [f"pytorch_model-{at + 1:05}-of-00002.bin" for at in range(2)]
    where = {name: file for file, half in zip(files, halves, strict=True) for name in half}
    packed = {file: saved(half) for file, half in zip(files, halves, strict=True)}
    listed = {"pytorch_model.bin.index.json": json.dumps({"weight_map": where}).encode()}
    other = {"training_args.bin": saved({"lr": 0.1})}
    found = outline_of(zipped(packed | listed | other))
    assert (found[0].problem, sorted(found[0].files)) == ("", files)
    assert_equal(held(found), state)
    safe = {"model.safetensors": safetensors.torch.save({"a": torch.ones(2)})}
    assert held(outline_of(zipped(packed | listed | safe))).keys() == {"a"}


def test_weights_are_preferred_to_other_pickles_beside_them() -> None:
    """``training_args.bin`` holds the settings of transformers' trainer."""
    state = {"a": torch.ones(2)}
    found = outline_of(zipped({"training_args.bin": saved({"lr": 0.1}), "pytorch_model.bin": saved(state)}))
    assert (found[0].problem, found[0].files) == ("", ("pytorch_model.bin",))
    assert_equal(held(found), state)


class Buffered(nn.Module):
    """Two buffers, one of which its state dict leaves out."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 2, 3)
        self.register_buffer("kept", torch.ones(2))
        self.register_buffer("counted", torch.ones(3), persistent=False)


@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize("legacy", [False, True])
def test_a_pickled_module_has_the_tensors_of_its_state_dict(legacy: bool, protocol: int) -> None:
    """Buffers that are not persistent are no weights."""
    net = nn.Sequential(Buffered())
    assert_equal(held(outline_of(saved(net, legacy=legacy, protocol=protocol))), net.state_dict())


def test_names_of_an_archive_may_be_in_an_old_code_page() -> None:
    """A ZIP without the mark for UTF-8 has names in code page 437."""
    state = {"a": torch.ones(2)}
    data = zipped({"model.safetensors": safetensors.torch.save(state), "notes-u.txt": b"-"})
    found = outline_of(data.replace(b"notes-u", b"notes-\x81"))
    assert not found[0].problem
    assert_equal(held(found), state)


def assert_equal(found: dict[str, Tensor], expected: dict[str, Tensor]) -> None:
    """Check that two state dicts have the same names and numbers."""
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], value) for name, value in expected.items())
