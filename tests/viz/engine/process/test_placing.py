"""Placing of tasks: one station for each model, a second only for visitors who do much beside others."""

import os
import time
from typing import Any

import pytest

from tests.viz.engine.process.test_process_engine import WAIT, begun, view
from tests.viz.subjects import photo, wanted
from viz.engine.process import Patience
from viz.engine.process.placing import LATELY, RESTS, STAYS, StationPlacement
from viz.engine.process.station import PendingTask, Station
from viz.views.one_layer import View

NET, OTHER = ("net", "random"), ("other", "random")


class Here:
    """Stations with a clock of their own, and visitors who are heavy or not as the test says."""

    def __init__(self, most: int = 4, memory: int | None = None) -> None:
        self.later, self.heavy = 0.0, {"eve"}
        self.placing = StationPlacement(most, lambda visitor: visitor in self.heavy, memory, self.clock)

    def clock(self) -> float:
        """Seconds, which a test lets pass."""
        return time.monotonic() + self.later

    def __call__(self, visitor: str, place: tuple[str, str] = NET) -> Station:
        """Return the station of a question."""
        found = self.placing.station(place, visitor)
        found.used = self.clock()
        return found


class Large:
    """Stands for a host that takes much memory."""

    def memory(self) -> int:
        """Bytes."""
        return 200


def test_each_model_has_a_station_as_long_as_there_are_some() -> None:
    """Then they share."""
    here = Here(most=2)
    assert here("ann") is here("bob")
    assert here("ann", OTHER) is not here("ann")
    assert here("ann", ("third", "random")) in here.placing.stations
    assert len(here.placing.stations) == 2


def test_who_does_much_stays_where_nobody_else_is() -> None:
    """A second copy of the model would help nobody."""
    here = Here()
    assert len({here("eve") for _ in range(9)}) == 1
    here("ann", OTHER)
    assert here("eve") is here.placing.stations[0]


def test_who_does_much_beside_others_goes_to_another_station_and_stays_there() -> None:
    """Also when it is little for a while: what has begun there goes on there."""
    here = Here()
    home = here("ann")
    away = here("eve")
    assert away is not home
    assert here("ann") is home
    here.heavy.clear()
    here.later += LATELY + 1
    assert here("eve") is away
    here.later += STAYS + 1
    assert here("eve") is home


def test_all_who_do_much_share_the_second_station() -> None:
    """There is no third copy."""
    here = Here()
    here.heavy |= {"bob"}
    home = here("ann")
    assert here("eve") is here("bob") is not home
    assert len(here.placing.stations) == 2


def test_who_has_the_model_alone_again_is_no_company() -> None:
    """Others count for some seconds after their last question."""
    here = Here()
    home = here("ann")
    here.later += LATELY + 1
    assert here("eve") is home


def test_without_a_station_to_spare_it_goes_on_at_home() -> None:
    """One at which somebody looks at another model is not to spare; one that rests is."""
    here = Here(most=2)
    home, busy = here("ann"), here("bob", OTHER)
    assert here("eve") is home
    here.later += LATELY + 1
    here("ann")
    assert here("eve") is busy
    assert here("bob", OTHER) is busy


def test_questions_about_no_model_stay_together() -> None:
    """They are light, and their answers are kept at one place."""
    here = Here()
    assert here("ann", ("", "")) is here("eve", ("", ""))


def test_a_large_model_is_not_loaded_twice() -> None:
    """The memory of all hosts together has an end."""
    here = Here(memory=8 * 200)
    home = here("ann")
    home.host = Large()  # type: ignore[assignment]
    assert here("eve") is not home
    here = Here(memory=8 * 200 - 1)
    home = here("ann")
    home.host = Large()  # type: ignore[assignment]
    assert here("eve") is home


def test_a_station_without_a_host_keeps_its_models_only_if_somebody_waits() -> None:
    """A visitor who waits is asked again there."""
    here = Here(most=2)
    home, away = here("ann"), here("eve")
    task: Any = None
    away.asked[1] = PendingTask(task, "eve", urgent=True)
    here.placing.leave(away)
    assert here("eve") is away
    away.asked.clear()
    here.placing.leave(away)
    here.placing.leave(home)
    assert here("bob", OTHER) is home


def test_a_station_rests_when_nobody_has_asked_it_for_long_and_no_model_is_there() -> None:
    """One with a model would have to load it again, and the first one is there for who comes next."""
    here = Here()
    first, spare = here.placing.stations[0], here("ann", ("", ""))
    assert spare is first  # the only one, until a model needs one
    net = here("ann")
    here.later += RESTS - 1
    assert not here.placing.rests(spare)
    here.later += 2
    assert here.placing.rests(spare)
    assert not here.placing.rests(net)
    task: Any = None
    spare.asked[1] = PendingTask(task, "eve", urgent=True)
    assert not here.placing.rests(spare)
    assert not Here().placing.rests(Here().placing.stations[0])


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="hosts are copies of a nursery")
def test_answers_from_the_second_process_are_the_same_bit_for_bit() -> None:
    """The engine has two processes then, both with the net."""
    engine = begun(Patience(), hosts=2)
    try:
        picture, first = photo(1), view(engine, 1)
        alone = engine.processes()
        engine._purses.spend(["eve"], 5.0)  # as if she had done much
        task = View(wanted(picture, "second", "counting"), picture)
        again = engine.do(task, visitor="eve").result(WAIT)
        deadline = time.monotonic() + WAIT
        while len(engine.processes()) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert (len(alone), len(engine.processes())) == (1, 2)
        assert again == first
    finally:
        engine.close()
