"""``lens``: a capture's findings about its classes and layers."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
from tqdm import tqdm

from ..errors import RequestError
from ..exemplars.finished.card import Card, card_of
from ..lens.capture import Capture, innermost, read_capture
from ..lens.chance import SAME, chance_cka, pairs_of, pictures_needed
from ..lens.figures import heat_pages, probe_figure, similarity_figure
from ..lens.labels import labels_for
from ..lens.lens import Lens, lens, similarity
from ..lens.similarity import Matrix
from ..lens.tables import alike_table, channels_table, classes_table, layers_table, similarity_table
from ..maps.figures import save_figure
from ..sentences import Sentence, counted
from .files import write_whole

_CLASSES_SAID = 12


def through_lens(folder: Path, labels: Path | None, against: Path | None, out: Path | None) -> Iterator[str]:
    """Yield a capture's findings as lines, and write tables and figures.

    Args:
        folder: the capture's.
        labels: see ``labels_for``.
        against: the folder of another capture, to compare layers with.
        out: a folder for tables and figures.

    Raises:
        RequestError: one of them cannot be read or written.
    """
    card, capture = card_of(folder), read_capture(folder)
    other = (card_of(against), read_capture(against)) if against else None
    if out:
        _make(out)
    named = labels_for(capture.pictures, folder, labels)
    with tqdm(total=len(capture.calls), unit="layer", desc=card.model) as bar:
        found = lens(capture, named, bar.update)
    yield from said_of(found, capture, card)
    paths = written(found, capture, card, out) if out else []
    if out and found.compared:
        yield _sample_said(found.compared, pairs_of(len(capture.calls)))
    if other:
        matrix, pictures = similarity(capture, other[1])
        yield from ("", *said_of_pair(matrix, pictures, capture, *other))
        titles = Sentence("{one} (up) and {two} (across)", one=card.model, two=other[0].model)
        paths += written_pair(matrix, pictures, capture, other[1], titles, out) if out else []
    yield from map(str, paths)


def said_of(found: Lens, capture: Capture, card: Card) -> list[str]:
    """Return the findings as lines: the classes, then each layer."""
    lines: list[str] = [
        Sentence(
            "{model}, {weights} weights: {pictures}, {layers}, {channels}",
            model=card.model,
            weights=card.weights,
            pictures=counted("one picture", "{count} pictures", count=len(capture.pictures)),
            layers=counted("one layer", "{count} layers", count=len(capture.calls)),
            channels=counted("one channel", "{count} channels", count=capture.starts[-1]),
        )
    ]
    if not card.complete:
        lines.append(Sentence("the run was stopped before its last picture"))
    if found.labels.enough:
        lines.append(_classes_said(found))
    lines += found.labels.remarks
    if found.labels.enough and found.split is None:
        lines.append(
            Sentence(
                "no class but one has the five different pictures that a probe needs, so no layer is probed"
            )
        )
    return [*lines, "", *_rows(found)]


def said_of_pair(matrix: Matrix, pictures: int, capture: Capture, card: Card, other: Capture) -> list[str]:
    """Return lines on the layers of two captures that are most alike."""
    lines: list[str] = [
        Sentence(
            "compared with {model}, {weights} weights, on {pictures}: the layer that is most like each, by "
            "the unbiased estimate of linear CKA, which can pass 1",
            model=card.model,
            weights=card.weights,
            pictures=counted("one picture", "{count} pictures", count=pictures),
        )
    ]
    pairs = pairs_of(*matrix.shape)
    lines.append(_sample_said(pictures, pairs))
    if chance_cka(pictures, pairs) >= SAME:
        return lines
    width = max(len(each.layer) for each in capture.calls)
    for number in innermost(capture.calls):
        row = np.where(matrix[number] > chance_cka(pictures, pairs), matrix[number], np.nan)
        if np.isfinite(row).any():
            best = int(np.nanargmax(row))
            lines.append(
                f"{capture.calls[number].layer:{width}}  {row[best]:5.2f}  {other.calls[best].layer}"
            )
    return lines


def _sample_said(pictures: int, pairs: int) -> str:
    chance = chance_cka(pictures, pairs)
    if chance >= SAME:
        return Sentence(
            "how alike layers are is not told of {count} different pictures: among so many pairs, chance "
            "alone can make two layers look the same; it takes {needed}",
            count=pictures,
            needed=pictures_needed(pairs),
        )
    return Sentence(
        "how alike layers are is told of {count} different pictures, where chance alone rarely makes any two "
        "more alike than {chance}",
        count=pictures,
        chance=f"{chance:.2f}",
    )


def written(found: Lens, capture: Capture, card: Card, out: Path) -> list[Path]:
    """Write tables and figures of a capture; returns their paths.

    Raises:
        RequestError: they cannot be written.
    """
    title = f"{card.model}, {card.weights}"
    files = {
        "layers.csv": _csv(layers_table(found)),
        "channels.parquet": _parquet(channels_table(found)),
        "alike.parquet": _parquet(alike_table(capture)),
    }
    table = classes_table(found)
    if table is not None:
        files |= {"classes.parquet": _parquet(table), "classes.pdf": heat_pages(found, title)}
    if found.split:
        files["probes.png"] = save_figure(probe_figure(found, title), "png")
    if found.similarity is not None:
        pairs = pairs_of(len(capture.calls))
        files |= _of_pair("similarity", found.similarity, (capture, capture), title, (found.compared, pairs))
    return _all_written(out, files)


def written_pair(
    matrix: Matrix, pictures: int, capture: Capture, other: Capture, title: str, out: Path
) -> list[Path]:
    """Write the similarity of two captures' layers, and return the paths.

    Raises:
        RequestError: they cannot be written.
    """
    sample = pictures, pairs_of(*matrix.shape)
    return _all_written(out, _of_pair("against", matrix, (capture, other), title, sample))


def _of_pair(
    name: str, matrix: Matrix, both: tuple[Capture, Capture], title: str, sample: tuple[int, int]
) -> dict[str, bytes]:
    """Table and figure of a matrix; none where chance alone makes it."""
    chance = chance_cka(*sample)
    if chance >= SAME:
        return {}
    capture, other = both
    rows, columns = innermost(capture.calls), innermost(other.calls)
    left, right = [capture.calls[each] for each in rows], [other.calls[each] for each in columns]
    shown = np.where(matrix <= chance, 0, matrix)[np.ix_(rows, columns)]
    figure = similarity_figure(shown, left, right, f"{title}\n{_sample_said(*sample)}")
    table = similarity_table(matrix, capture.calls, other.calls, sample[0], chance)
    return {f"{name}.csv": _csv(table), f"{name}.png": save_figure(figure, "png")}


def _rows(found: Lens) -> Iterator[str]:
    width = max(len(each.call.layer) for each in found.layers)
    probe = next((each.probe for each in found.layers if each.probe), None)
    head = f"{'layer':{width}}  channels  dead  redundant"
    yield head + (f"  separates the classes (chance {probe.chance:.1%})" if probe else "")
    for each in found.layers:
        spare = "?" if each.spare is None else each.spare
        line = f"{each.call.layer:{width}}  {each.call.channels:8}  {int(each.dead.sum()):4}  {spare:>9}"
        if each.probe:
            line += f"  {each.probe.accuracy:6.1%} ({each.probe.low:.1%} to {each.probe.high:.1%})"
        yield line
    if any(each.spare is None for each in found.layers):
        yield "?: too few different pictures to tell which channels are redundant"


def _classes_said(found: Lens) -> str:
    counts = found.labels.counts
    said = [
        f"{name} {count}" for name, count in zip(found.labels.classes[:_CLASSES_SAID], counts, strict=False)
    ]
    more = " …" if len(counts) > _CLASSES_SAID else ""
    return Sentence("{count} classes: {classes}", count=len(counts), classes=", ".join(said) + more)


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(
            "cannot write {name}: {problem}", name=out, problem=(error.strerror or str(error)).lower()
        ) from error


def _all_written(out: Path, files: dict[str, bytes]) -> list[Path]:
    for name, data in files.items():
        write_whole(out / name, data)
    return [out / name for name in files]


def _csv(table: pa.Table) -> bytes:
    file = BytesIO()
    pyarrow.csv.write_csv(table, file)
    return file.getvalue()


def _parquet(table: pa.Table) -> bytes:
    file = BytesIO()
    pq.write_table(table, file, compression="zstd", store_schema=False)
    return file.getvalue()
