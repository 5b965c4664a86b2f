"""Attacks on a running server, and what each costs: its time, its memory, another visitor's longest wait."""

import io
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from tests.hostile import pictures, weights_files
from tests.hostile.visitor import Answer, Visitor, ask, bystander
from tests.machine import patience

PATIENCE = patience(60)  # seconds after which an attack counts as endless
LOOK = 0.02  # seconds between two readings of the memory
FIRST = 20  # requests of the other visitor, which find nothing warm yet
Attack = Callable[[Visitor], str]


class Memory(threading.Thread):
    """Watches how much memory a process and its children take together."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.process, self.over = process, threading.Event()
        self.before = self.most = self.now()

    def run(self) -> None:
        """Read the memory until the attack is over."""
        while not self.over.wait(LOOK):
            self.most = max(self.most, self.now())

    def now(self) -> int:
        """Their bytes, private and shared, each counted once."""
        return sum(map(proportional, [self.process, *children(self.process)]))


def children(process: int) -> Iterator[int]:
    """All processes that descend from this one."""
    try:
        own = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
        threads = [
            path.read_text(encoding="ascii").split()
            for path in Path(f"/proc/{process}/task").glob("*/children")
        ]
    except OSError:
        return
    for child in {int(each) for found in (own, *threads) for each in found}:
        yield child
        yield from children(child)


def proportional(process: int) -> int:
    """The memory of a process, with its share of what it shares with others; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) << 10


def weights(data: Callable[[], bytes], name: str = "w.pt") -> Attack:
    """A file of weights, uploaded to its box."""

    def attack(visitor: Visitor) -> str:
        answer = visitor.upload("own_weights", name, data())
        return said(visitor, answer)

    return attack


def picture(data: Callable[[], bytes], name: str) -> Attack:
    """A picture, uploaded to its box."""

    def attack(visitor: Visitor) -> str:
        return said(visitor, visitor.upload("upload", name, data()))

    return attack


def link(text: str) -> Attack:
    """A link with this edit."""

    def attack(visitor: Visitor) -> str:
        visitor.run(f"model=lenet&edit={text}")
        looked = ask(visitor.address, f"/maps/{visitor.subject}/look.json?edit={text}", patience=PATIENCE)
        if looked.status != 200:
            return str(looked.status)
        return "; ".join(notice["text"] for notice in looked.said["notices"])[:90]

    return attack


def frames(count: int) -> Attack:
    """This many live frames at once, each a few bytes long and forty million pixels large."""

    def attack(visitor: Visitor) -> str:
        data, answers = pictures.webp_of_one_colour(12_000, 3_333), list[Answer]()
        path = f"/maps/{visitor.subject}/layer.live"

        def post() -> None:
            answers.append(
                ask(visitor.address, path, "POST", body=data, headers=visitor.proof, patience=PATIENCE)
            )

        threads = [threading.Thread(target=post) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return ", ".join(sorted({str(answer.status) for answer in answers}))

    return attack


def flood(count: int, size: int) -> Attack:
    """This many files of this many bytes, uploaded as pictures and never used."""

    def attack(visitor: Visitor) -> str:
        statuses = [visitor.put(bytes(size), "file.png").status for _ in range(count)]
        return f"{statuses.count(204)} of {count} taken"

    return attack


def said(visitor: Visitor, answer: Answer) -> str:
    """Return the outcome of an upload, in a few words."""
    if answer.status >= 300:
        return f"{answer.status}"
    return "; ".join(visitor.notices())[:90] or "shown"


def of_segments() -> bytes:
    """A JPEG of 20 MB of segments of 4 bytes."""
    return pictures.jpeg(b"\xff\xe2\x00\x02" * 4_990_000)


def of_comments() -> bytes:
    """A GIF of 20 MB of comments of one byte."""
    return pictures.gif(b"\x21\xfe\x01a\x00" * 3_990_000)


def of_runs() -> bytes:
    """A bitmap of 40 million pixels in runs."""
    row = b"\xff\x07" * 24
    return pictures.bmp(8, 1, (row + b"\x00\x00") * 6000 + b"\x00\x01", size=(6120, 6000), colours=256)


def of_large_jpeg() -> bytes:
    """An honest photograph of twelve million pixels, for comparison."""
    small = np.random.default_rng(3).integers(0, 256, (375, 500, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(small).resize((4000, 3000)).save(buffer, "JPEG", quality=90)
    return buffer.getvalue()


RANGES = ",".join(["0-16383"] * 2000)
ATTACKS: dict[str, Attack] = {
    "an honest photograph, for comparison": picture(of_large_jpeg, "photo.jpg"),
    "pickle: memory that nobody has filled": weights(
        lambda: weights_files.archive(
            weights_files.entry(weights_files.call("torch Tensor", *map(weights_files.number, (6, 3, 5, 5))))
        )
    ),
    "pickle: a key of 31 nested tuples": weights(lambda: weights_files.archive(weights_files.nested_key(31))),
    "pickle: a key of 60 nested tuples": weights(lambda: weights_files.archive(weights_files.nested_key(60))),
    "pickle: a call of 25 nested lists": weights(
        lambda: weights_files.archive(weights_files.nested_call(25))
    ),
    "pickles: sixty lists in one archive": weights(lambda: weights_files.many_lists(60, 1_000_000)),
    "weights: 40,000 unknown names": weights(lambda: weights_files.prefixed(40_000, 0), "w.safetensors"),
    "weights: names of a thousand prefixes": weights(
        lambda: weights_files.prefixed(300, 1000), "w.safetensors"
    ),
    "link: an edit of 2,000 ranges": link(f"conv1:zero:{RANGES}"),
    "link: an edit of 6,000 ranges": link(f"conv1:zero:{','.join([RANGES] * 3)}"),
    "JPEG of 4-byte segments, 20 MB": picture(of_segments, "a.jpg"),
    "GIF of one-byte comments, 20 MB": picture(of_comments, "a.gif"),
    "PNG of empty chunks, 20 MB": picture(lambda: pictures.png_of_empty_chunks(b"IDAT"), "a.png"),
    "BMP in runs, 37 megapixels": picture(of_runs, "a.bmp"),
    "WebP of 40 megapixels in a few bytes": picture(
        lambda: pictures.webp_of_one_colour(12_000, 3_333), "a.webp"
    ),
    "eight live frames of 40 megapixels": frames(8),
    "thirty unused files of 50 MB": flood(30, 50_000_000),
}


def measured(attack: Attack, address: str, process: int) -> dict[str, object]:
    """Seconds, megabytes, the longest wait of another visitor, and what became of it."""
    memory = Memory(process)
    with (
        bystander(address, model="lenet") as other,
        Visitor(address, patience=PATIENCE, model="lenet") as visitor,
    ):
        while len(other.waits) < FIRST:  # each of them ends, in a map or in a problem
            time.sleep(0.02)
        other.waits.clear()
        memory.before = memory.most = memory.now()
        memory.start()
        began = time.perf_counter()
        try:
            outcome = attack(visitor)
        except Exception as error:  # noqa: BLE001 - whatever the attack did to the server is the result
            outcome = f"{type(error).__name__}: {error}"[:90]
        seconds = time.perf_counter() - began
        memory.over.set()
        memory.join()
        time.sleep(0.2)
        longest = max([*other.waits, time.perf_counter() - began if not other.waits else 0.0])
    return {
        "seconds": round(seconds, 2),
        "MB": round((memory.most - memory.before) / 1e6),
        "wait": round(longest, 2),
        "outcome": outcome,
    }
