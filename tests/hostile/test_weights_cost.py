"""A small file of weights takes little time and memory, whatever it says."""

import json
import struct
import time
import tracemalloc
from collections.abc import Callable

import pytest
import safetensors.torch
import torch

import models
from models.own.own_weights import compare
from models.own.uploaded_state import read_state
from tests.hostile import weights_files as made
from tests.machine import took_less

MEGABYTE = 1_000_000
MARKS = 200_000


def reading(data: bytes) -> tuple[float, str]:
    """The processor's seconds that reading takes, and the sentence if it is refused."""
    start = time.process_time()
    try:
        read_state(data)
    except models.OwnWeightsError as refusal:
        return time.process_time() - start, str(refusal)
    return time.process_time() - start, ""


def peak(data: bytes) -> int:
    """The bytes of memory that reading takes at most, as Python counts them."""
    tracemalloc.start()
    try:
        reading(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def repeated(code: bytes, count: int) -> bytes:
    """An archive whose list repeats one instruction."""
    return made.archive(made.HEAD + code * count + b"N.")


def reused_axes() -> bytes:
    """A hundred thousand tensors of one shape of 64 axes, which is written once."""
    shape = made.numbers(*[1] * 64) + b"q\x00"
    part = made.storage(1) + b"q\x01"
    code = made.named("torch._utils _rebuild_tensor") + b"q\x02"
    once = b"h\x02(h\x01K\x00h\x00h\x00tR"
    return made.archive(made.HEAD + shape + part + code + once * 100_000 + b".", _0=bytes(4))


def reused_pairs() -> bytes:
    """Five thousand dicts of one list of five thousand pairs."""
    pair = made.text("a") + b"N\x86q\x00"
    code = made.HEAD + pair + b"](" + b"h\x00" * 5000 + b"e\x85q\x01"
    return made.archive(code + (made.named("collections OrderedDict") + b"h\x01R") * 5000 + b".")


def crowded(count: int) -> bytes:
    """This many tensors, each of all the numbers of one storage of four megabytes."""
    part = made.storage(MEGABYTE) + b"q\x00"
    code = b"".join(
        made.text(f"w{at}")
        + made.named("torch._utils _rebuild_tensor")
        + b"(h\x00K\x00"
        + made.number(MEGABYTE)
        + b"\x85K\x01\x85tR"
        for at in range(count)
    )
    return made.archive(made.HEAD + part + b"}(" + code + b"u.", _0=bytes(4 * MEGABYTE))


NAMES = "far more names than weights have"
BROKEN = "damaged or cut short"
FILES: dict[str, tuple[Callable[[], bytes], float, float, str]] = {  # maker, seconds, megabytes, sentence
    "a nested key": (lambda: made.archive(made.nested_key(60)), 0.5, 2, "neither text nor number"),
    "a nested key, 2019": (lambda: made.of_2019(made.nested_key(60)), 0.5, 2, "neither text nor number"),
    "a nested call": (lambda: made.archive(made.nested_call(60)), 0.5, 2, BROKEN),
    "a nested call, 2019": (lambda: made.of_2019(made.nested_call(60)), 0.5, 2, BROKEN),
    "keys that hash alike": (lambda: made.archive(made.colliding_keys(30_000)), 3, 20, "no weights by name"),
    "sixty lists": (lambda: made.many_lists(60, 100_000), 1, 9, "no weights by name"),
    "a padded directory": (lambda: made.padded_directory(300), 1, 30, BROKEN),
    "a thousand prefixes": (lambda: made.prefixed(300, 1000), 1, 12, "more than 500 characters"),
    "prefixes without end": (lambda: made.prefixed(1, 1_090_000), 1, 32, "more than 500 characters"),
    "seventy prefixes": (lambda: made.prefixed(2000, 70), 2, 12, ""),
    "a far place in the memo": (lambda: repeated(b"Nr\xff\xff\xff\x7f", 9), 0.5, 2, BROKEN),
    "a long memo": (lambda: repeated(b"Nr" + struct.pack("<I", 1_499_000), 9), 0.5, 40, "no weights by name"),
    "lists in lists": (lambda: made.archive(made.HEAD + b"]" * MARKS + b"a" * 9000 + b"."), 3, 40, ""),
    "marks in marks": (lambda: repeated(b"(", MARKS), 3, 40, "no weights by name"),
    "tuples in tuples": (lambda: made.archive(made.HEAD + b")" + b"\x85" * MARKS + b"."), 3, 40, ""),
    "steps without end": (lambda: repeated(b"N", 3_000_000), 5, 60, NAMES),
    "axes without end": (reused_axes, 5, 60, NAMES),
    "pairs without end": (reused_pairs, 5, 30, NAMES),
    "views of one storage": (lambda: crowded(10_000), 3, 40, ""),
    "a deep header": (lambda: made.safetensors("{" + '"a":[' * 50_000), 0.5, 10, BROKEN),
    "a header of lists": (
        lambda: made.safetensors('{"a":[' + "[]," * 2_600_000 + "[]]}"),
        1,
        18,
        "50,000 parts",
    ),
    "a header of names": (
        lambda: made.safetensors("{" + '"a":{},' * 100_000 + '"a":{}}'),
        1,
        9,
        "50,000 parts",
    ),
    "a long number": (lambda: made.safetensors('{"a":' + "9" * 5000 + "}"), 0.5, 2, BROKEN),
}


@pytest.mark.parametrize(("file", "seconds", "megabytes", "says"), FILES.values(), ids=FILES)
def test_no_small_file_takes_the_processor_or_the_memory(
    file: Callable[[], bytes], seconds: float, megabytes: float, says: str
) -> None:
    """Its cost is bounded, and if it is refused, the sentence says what is wrong."""
    data = file()
    taken, sentence = reading(data)
    assert took_less(taken, seconds)
    assert says in sentence
    assert len(sentence) < 300
    assert peak(data) < megabytes * MEGABYTE


@pytest.mark.slow
def test_thousands_of_unknown_names_are_compared_at_once() -> None:
    """Forty thousand names in a file of three megabytes, also for nets with many layers."""
    one = torch.zeros(1)
    state = {f"features.denseblock1.strange{at}.weight": one.clone() for at in range(40_000)}
    start = time.process_time()
    found = read_state(safetensors.torch.save(state))
    reports = [compare(model, found) for model in ("lenet", "densenet121", "vit_b_16")]
    assert took_less(time.process_time() - start, 8)
    assert [len(report.unexpected) for report in reports] == [40_000] * 3
    assert not any(report.fitting for report in reports)
    assert json.dumps(reports[0].missing).count("conv1.weight") == 1


def test_strange_names_hide_none_that_fit() -> None:
    """Among thousands of them the model's own weights are found; missing batch counts do not matter."""
    whole = models.load("resnet18", "random").state_dict()
    given = {name: value for name, value in whole.items() if "num_batches" not in name}
    report = compare("resnet18", {**{f"x{at}": torch.zeros(1) for at in range(9000)}, **given})
    assert (len(report.fitting), len(report.unexpected)) == (len(given), 9000)
    assert (report.missing, report.misshapen) == ((), ())
