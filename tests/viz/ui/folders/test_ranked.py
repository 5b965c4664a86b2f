"""Ranks of pictures, spreads of numbers and unusual channels: by sorting and by hand."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.viz.ui.folders.test_store import CALLS, peaks
from viz.errors import RequestError
from viz.exemplars.looked import Channels
from viz.ui.folders.ranked import by_chance, order_of, spread_of, unusual, value_in
from viz.ui.folders.store import Store

NUMBERS = st.lists(st.floats(-5, 5, width=32) | st.just(float("nan")), max_size=30)


@given(NUMBERS)
def test_the_order_is_that_of_sorting_with_the_first_of_equals_first(values: list[float]) -> None:
    """Without NaN, and no more than nine."""
    array = np.array(values, np.float32)
    sound = [place for place, value in enumerate(values) if value == value]  # noqa: PLR0124
    assert order_of(array) == sorted(sound, key=lambda place: (-array[place], place))[:9]
    assert order_of(array, least=True) == sorted(sound, key=lambda place: (array[place], place))[:9]


@given(NUMBERS)
def test_every_finite_number_is_in_one_bin(values: list[float]) -> None:
    """Between the least and the most of them."""
    array = np.array(values, np.float32)
    finite = array[np.isfinite(array)]
    spread = spread_of(array)
    assert (spread is None) == (not len(finite))
    if spread is not None:
        assert (spread.low, spread.high, sum(spread.counts)) == (finite.min(), finite.max(), len(finite))


def test_a_channel_far_above_the_others_pictures_comes_first(tmp_path: Path) -> None:
    """Its score is its distance from the mean in standard deviations; of the whole model it is first too."""
    store, here = Store(tmp_path), peaks(100)
    with store.writing():
        for number in range(40):
            store.add(f"{number}.png", (8, 8), peaks(number))
    values = np.array([peaks(number).maximum for number in range(40)], np.float64)
    here.maximum[:] = values.mean(0)
    here.maximum[1] = values[:, 1].max() + 3
    in_layer, in_model = unusual(store, here, "first", 0)
    assert (
        [(each.layer, each.channel) for each in in_layer]
        == [("first", 1)]
        == [(each.layer, each.channel) for each in in_model]
    )
    expected = (here.maximum[1] - values[:, 1].mean()) / values[:, 1].std()
    assert in_layer[0].score == pytest.approx(expected)
    assert in_layer[0].above == 40
    assert value_in(here, "first", 0, 1, "maximum") == in_layer[0].value
    assert value_in(here, "none", 0, 1, "mean") is None


def test_few_pictures_say_nothing_about_what_is_usual(tmp_path: Path) -> None:
    """Nor do a nearly constant channel's tiny changes: they count by what its layer usually varies."""
    store = Store(tmp_path)
    with store.writing():
        for number in range(4):
            store.add(f"{number}.png", (8, 8), peaks(number))
    here = peaks(100)
    here.maximum[:] = 50
    assert unusual(store, here, "first", 0) == ((), ())
    with store.writing():
        for number in range(4, 30):
            odd = peaks(number)
            odd.maximum[0] = 1e-6 * number
            store.add(f"{number}.png", (8, 8), odd)
    here.maximum[:] = 0
    here.maximum[0] = 1e-3
    found, _ = unusual(store, here, CALLS[0].layer, 0)
    assert [each.channel for each in found if each.channel == 0] == []


@pytest.mark.parametrize(("pictures", "channels"), [(5, 40), (20, 400)])
def test_noise_has_an_unusual_channel_in_one_picture_of_twenty(
    pictures: int, channels: int, tmp_path: Path
) -> None:
    """Of 400 pictures of noise beside 20 folders of it; the score's bound is what decides."""
    calls, found = (Channels("first", 0, channels),), 0
    for at in range(20):
        store = Store(tmp_path / str(at))
        with store.writing():
            for number in range(pictures):
                store.add(f"{number}.png", (8, 8), peaks(1000 * at + number, calls))
        found += sum(
            bool(unusual(store, peaks(10**6 + 20 * at + other, calls), "first", 0)[0]) for other in range(20)
        )
    assert found / 400 == pytest.approx(0.05, abs=0.035)


@pytest.mark.parametrize("damage", ["none", "a NaN", "a small number off"])
def test_one_of_the_folders_own_pictures_is_compared_with_the_others(damage: str, tmp_path: Path) -> None:
    """Beside itself, of 12 pictures none is more than 3.4 deviations above the mean, however odd it is."""
    store, alone = Store(tmp_path / "all"), Store(tmp_path / "others")
    odd = peaks(11)
    odd.maximum[1] = 60
    with store.writing(), alone.writing():
        for number in range(11):
            store.add(f"{number}.png", (8, 8), peaks(number))
            alone.add(f"{number}.png", (8, 8), peaks(number))
        odd.maximum[2] = np.nan if damage == "a NaN" else 1e-4
        store.add("odd.png", (8, 8), odd)
    odd.maximum[2] += 1e-6 * (damage == "a small number off")  # as in a batch of another size
    (mine,), _ = unusual(store, odd, "first", 0)
    (expected,), _ = unusual(alone, odd, "first", 0)
    assert mine.score == pytest.approx(expected.score, rel=1e-6)
    assert mine.score > by_chance(11, 3)


def test_a_capture_of_some_layers_is_compared_in_those(tmp_path: Path) -> None:
    """The picture on screen was looked at in all layers: scores are those of the same layer among all."""
    whole, some = Store(tmp_path / "whole"), Store(tmp_path / "some")
    with whole.writing(), some.writing():
        for number in range(20):
            found = peaks(number)
            whole.add(f"{number}.png", (8, 8), found)
            last = slice(CALLS[0].channels, None)
            parts = (found.maximum[last], found.mean[last], found.row[last], found.column[last])
            some.add(f"{number}.png", (8, 8), found._replace(calls=CALLS[1:], **_named(parts)))
    here = peaks(100)
    here.maximum[:] = 50
    expected, _ = unusual(whole, here, "second", 0)
    assert len(expected) == CALLS[1].channels
    in_layer, in_model = unusual(some, here, "second", 0)
    assert in_layer == expected
    assert {each.layer for each in in_model} == {"second"}
    assert unusual(some, here, "first", 0)[0] == ()
    with pytest.raises(RequestError, match="in other layers"):
        unusual(some, here._replace(calls=(Channels("third", 0, 5),)), "third", 0)


def _named(parts: tuple[np.ndarray, ...]) -> dict[str, np.ndarray]:
    return dict(zip(("maximum", "mean", "row", "column"), parts, strict=True))
