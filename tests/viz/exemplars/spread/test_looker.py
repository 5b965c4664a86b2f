"""An actor, made in this process: it looks at pictures as the run itself does, and refuses another model."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch

from tests.viz.exemplars.folders import Small, noise, request_of, search_of
from viz.errors import RequestError
from viz.exemplars.card import Request
from viz.exemplars.listing import pictures
from viz.exemplars.looking import PassOptions, looking
from viz.exemplars.reading import prepared
from viz.exemplars.search import Search
from viz.exemplars.spread.errand import Errand
from viz.exemplars.spread.looker import BLOCK, SEEN, Looker, packed, unpacked

LOADER = "tests.viz.exemplars.spread.hazards:load"


def errand_of(search: Search, request: Request) -> Errand:
    """Return the errand of an actor for this run."""
    wanted = PassOptions(search.chosen, statistics=True, maps=search.chosen[:1])
    return Errand(LOADER, request, search.folder, wanted)


def test_an_actor_sees_what_the_run_itself_sees(tmp_path: Path) -> None:
    """Every number of it, also of a picture whose name is no text and of one that cannot be read."""
    folder = noise(tmp_path / "pictures", 6)
    (folder / "0001.png").rename(os.fsdecode(os.fsencode(folder) + b"/\xff.png"))
    (folder / "bad.png").touch()
    search = search_of(folder, tmp_path / "out", Small())
    request = request_of(search, thumbnails=16)
    errand = errand_of(search, request)
    paths = list(pictures(folder))
    rows = [list(range(7)), [os.fsencode(path) for path in paths]]
    block = pa.table([pa.array(each) for each in rows], schema=BLOCK)
    table = Looker(errand)(block)
    assert table.schema == SEEN
    with looking(search.layers, errand.wanted) as look:
        own = [look(each) for each in prepared(folder, search.subject, enumerate(paths), 0, 16)]
    for data, expected in zip(table["seen"], own, strict=True):
        seen = unpacked(data.as_py())
        assert packed(seen) == packed(unpacked(packed(expected)))
        for mine, its in zip(seen.maps, expected.maps, strict=True):
            assert np.array_equal(mine.values, its.values)
    assert [each.problem != "" for each in own].count(True) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"torch": "1.0"}, f"{torch.__version__} there, 1.0 here"),
        ({"weights_sha256": "ab"}, "there, ab here"),
    ],
)
def test_a_machine_with_another_model_is_refused(tmp_path: Path, change: dict[str, str], said: str) -> None:
    """Its numbers would not be those of this run."""
    search = search_of(noise(tmp_path / "pictures", 1), tmp_path / "out", Small())
    with pytest.raises(RequestError, match=f"another PyTorch or other weights .*{said}".replace("+", r"\+")):
        Looker(errand_of(search, replace(request_of(search), **change)))


def test_settings_and_paths_are_there_when_the_model_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As somebody's own model needs them."""
    monkeypatch.delenv("LAYERGLASS_OWN_NAME", raising=False)
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "layerglass_own_loader.py").write_text(
        "import os\n"
        "from tests.viz.exemplars.spread import hazards\n"
        "def load(model, weights):\n"
        "    return hazards.load(os.environ['LAYERGLASS_OWN_NAME'], weights)\n"
    )
    search = search_of(noise(tmp_path / "pictures", 1), tmp_path / "out", Small())
    errand = replace(
        errand_of(search, request_of(search)),
        loader="layerglass_own_loader:load",
        paths=(str(tmp_path / "own"),),
        settings=(("LAYERGLASS_OWN_NAME", "small"),),
    )
    Looker(errand)
    assert os.environ.pop("LAYERGLASS_OWN_NAME") == "small"
