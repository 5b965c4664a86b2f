"""Subjects of a visit on one server: another finds them by the token alone, for as long as the visit goes on.

Two servers are two ``SharedVisits`` here, of which one knows no visit of this process; what they keep
together are the ``Leases`` of the keeper. ``tests/hostile/test_two_servers.py`` has real servers and a real
cluster.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import safetensors.torch
from PIL import Image

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

from tests.models.uploads import state
from viz.engine.engine_protocol import LeasedGroup
from viz.engine.ray.leases import Leases
from viz.errors import BusyError
from viz.pictures.own_donors import own_name
from viz.pictures.photo import Photo, cropped, photograph
from viz.ui.door.who import visitor_of
from viz.ui.visit import sharing
from viz.ui.visit.own_weights import own_weights
from viz.ui.visit.sharing import FRESH, SILENT, STALE, UNUSED, SharedVisits
from viz.ui.visit.visit import SubjectEntry, Visit, find_anywhere, find_subject, share_with

pytestmark = [pytest.mark.usefixtures("first"), pytest.mark.ray]

SECRET = b"a secret of all servers"
LEASE = 100.0


@dataclass
class Together:
    """Stand-in for the cluster that keeps the servers' leases.

    Attributes:
        now: the time.
        asked: how many words it has heard.
        gone: whether it does not answer.
    """

    most: int = 10_000_000
    now: float = 1000.0
    asked: int = 0
    gone: bool = False
    leases: Leases = field(init=False)

    def __post_init__(self) -> None:
        """Begin with nothing; a keeper that has ended is replaced in the same way."""
        self.leases = Leases(self.most, lambda: self.now)

    def _hear(self) -> Leases:
        self.asked += 1
        if self.gone:
            raise BusyError("nobody answers.")
        return self.leases

    def keep(self, group: str, name: str, data: bytes, seconds: float | None = None) -> bool:
        """See ``SharedStore``."""
        return self._hear().keep(group, name, data, len(data), seconds)

    def find(self, name: str, known: int = 0) -> LeasedGroup | None:
        """See ``SharedStore``."""
        return self._hear().find(name, known)

    def read(self, place: Any) -> bytes:
        """See ``SharedStore``."""
        self._hear()
        return bytes(place)

    def renew(self, groups: Collection[str], seconds: float) -> list[str]:
        """See ``SharedStore``."""
        return self._hear().renew(groups, seconds)

    def drop(self, group: str, names: Collection[str]) -> None:
        """See ``SharedStore``."""
        self._hear().drop(group, names)

    def end(self, groups: Collection[str]) -> None:
        """See ``SharedStore``."""
        self._hear().end(groups)

    def server(self, *, here: bool = False) -> SharedVisits:
        """Another server; the one that is ``here`` has the visits of this process."""
        more: dict[str, Any] = {} if here else {"visits": list}
        return SharedVisits(lambda: self, SECRET, LEASE, clock=lambda: self.now, **more)


@pytest.fixture
def together() -> Together:
    """A keeper with nothing in it yet."""
    return Together()


@pytest.fixture
def first(together: Together) -> Iterator[SharedVisits]:
    """The server that has the visits of this process."""
    server = together.server(here=True)
    share_with(server)
    yield server
    share_with(None)


def noise(seed: int) -> Photo:
    """A picture of its own."""
    return photograph(
        Image.fromarray(np.random.default_rng(seed).integers(0, 256, (30, 40, 3), dtype=np.uint8))
    )


def shows(entry: SubjectEntry | None, photo: Photo) -> bool:
    """Return whether an entry is about these very pixels, under this name."""
    return entry is not None and (entry.photo.fingerprint, entry.photo.image.tobytes()) == (
        photo.fingerprint,
        photo.image.tobytes(),
    )


def test_another_server_finds_a_subject_by_its_token(together: Together) -> None:
    """With its model, weights and layers, the visitor, and what edits can take values from."""
    visit, second = Visit("session"), together.server()
    visit.pictures.hold(noise(2), "mine.png")
    visit.pictures.hold(noise(3), "mine.png")
    entry = visit.subject(noise(1), "lenet", "random", ())
    found = second.find(entry.token)
    assert shows(found, noise(1))
    assert found is not None
    assert (found.model, found.weights, found.rows, found.visitor) == ("lenet", "random", (), visit.visitor)
    held = [(name, each.file, each.number) for name, each in found.pictures.newest_first()]
    assert held == [(own_name(noise(3)), "mine.png", 2), (own_name(noise(2)), "mine.png", 1)]
    asked = together.asked
    assert second.known(entry.token) is second.find(entry.token) is found
    assert together.asked == asked


def test_this_server_finds_its_own_without_asking(together: Together) -> None:
    """As it does alone; nothing is told twice either."""
    visit = Visit("session")
    entry = visit.subject(noise(1), "lenet", "random", ())
    asked = together.asked
    assert find_subject(entry.token) is find_anywhere(entry.token) is entry
    assert visit.subject(noise(1), "lenet", "random", ()) is entry
    assert together.asked == asked


def test_a_part_of_a_picture_is_found_as_that_part(together: Together) -> None:
    """The whole lies there once, however many parts are looked at."""
    visit, second, whole = Visit("session"), together.server(), noise(1)
    parts = [cropped(whole, text) for text in ("1,2,20,10", "3,4,9,9")]
    for part in parts:
        found = second.find(visit.subject(part, "lenet", "random", ()).token)
        assert shows(found, part)
        assert found is not None
        assert found.photo.original.fingerprint == whole.fingerprint
    assert together.leases.bytes < 2 * len(whole.image.tobytes())


def test_a_part_counts_in_the_memory_that_another_servers_visit_takes_here(together: Together) -> None:
    """Beside the whole that it is of."""
    visit, second, whole = Visit("session"), together.server(), noise(1)
    part = cropped(whole, "1,2,20,10")
    assert shows(second.find(visit.subject(part, "lenet", "random", ()).token), part)
    sizes = [len(each.image.tobytes()) for each in (whole, part)]
    assert [each.bytes for each in second._borrowed.values()] == [sum(sizes)]


def test_a_forged_token_is_asked_for_nowhere(together: Together) -> None:
    """Not even a name that is there, with another signature."""
    visit, second = Visit("session"), together.server()
    token = visit.subject(noise(1), "lenet", "random", ()).token
    asked = together.asked
    for forged in (token[:-1] + ("0" if token[-1] != "0" else "1"), token[:32] * 2, token[:32], "", "x" * 64):
        assert second.find(forged) is None
    assert together.asked == asked
    assert second.find(token)


def test_nobody_with_another_secret_finds_anything(together: Together) -> None:
    """Though both look in the same place."""
    token = Visit("session").subject(noise(1), "lenet", "random", ()).token
    assert SharedVisits(lambda: together, b"another secret, as long", LEASE, list).find(token) is None


def test_a_visit_that_has_ended_is_gone_everywhere_and_leaves_nothing(
    first: SharedVisits, together: Together
) -> None:
    """A server that has found the subject before forgets it within two seconds."""
    visit, second = Visit("session"), together.server()
    token = visit.subject(noise(1), "lenet", "random", ()).token
    assert second.find(token)
    visit.end()
    first.tend()
    assert together.leases.bytes == 0
    together.now += FRESH + 0.1
    assert second.known(token) is second.find(token) is find_anywhere(token) is None
    assert together.server().find(token) is None


def test_a_visit_that_nobody_holds_any_more_ends_too(first: SharedVisits, together: Together) -> None:
    """Streamlit drops a session's state, and says nothing."""
    visit = Visit("session")
    token = visit.subject(noise(1), "lenet", "random", ()).token
    del visit
    first.tend()
    assert together.leases.bytes == 0
    assert together.server().find(token) is None


def test_a_server_that_dies_leaves_its_visits_until_the_lease_is_over(
    first: SharedVisits, together: Together
) -> None:
    """Until then others answer for them, and say that somebody should take them over."""
    visit, second = Visit("session"), together.server()
    token = visit.subject(noise(1), "lenet", "random", ()).token
    first.tend()
    for seconds, moving in ((0, False), (SILENT + 1, True)):
        together.now += seconds
        found = second.find(token)
        assert found is not None
        assert found.moving == moving
    together.now += LEASE
    assert second.find(token) is None
    assert together.leases.bytes == 0


def test_a_server_that_lives_keeps_its_visits(first: SharedVisits, together: Together) -> None:
    """However long they last."""
    visit, second = Visit("session"), together.server()
    token = visit.subject(noise(1), "lenet", "random", ()).token
    for _ in range(50):
        together.now += 10
        first.tend()
    found = second.find(token)
    assert found is not None
    assert not found.moving


def test_a_visit_whose_page_is_elsewhere_is_renewed_once_it_is_back(
    first: SharedVisits, together: Together
) -> None:
    """Meanwhile another server may take it over; its own has it for as long as it keeps the session."""
    visit, second = Visit("session"), together.server()
    token = visit.subject(noise(1), "lenet", "random", ()).token
    for away_since, moving in ((None, False), (1.0, True), (None, False)):
        visit.away_since = away_since
        together.now += SILENT + 1
        first.tend()
        found = second.find(token)
        assert found is not None
        assert found.moving == moving
    assert find_subject(token)


def test_the_door_counts_a_borrowed_subject_for_its_visitor(together: Together) -> None:
    """Once it was found; a token that leads nowhere counts for the network address."""
    visit, second = Visit("session"), together.server()
    token = visit.subject(noise(1), "lenet", "random", ()).token
    share_with(second)
    scope = {"path": f"/maps/{token}/layer.png"}
    assert find_anywhere(token) is visit.subjects[0]
    visit.end()
    assert visitor_of(scope) is None
    assert find_anywhere(token)
    assert visitor_of(scope) == visit.visitor


def test_no_visitor_gets_anything_of_another(together: Together) -> None:
    """The same picture and file name, or different ones: each token leads to its own visit alone."""
    second, visits = together.server(), [Visit("ann"), Visit("bob")]
    for number, visit in enumerate(visits):
        visit.pictures.hold(noise(10 + number), "mine.png")
    tokens = [
        visit.subject(noise(number), "lenet", "random", ()).token for number, visit in enumerate(visits)
    ]
    same = [visit.subject(noise(5), "lenet", "random", ()).token for visit in visits]
    assert len({*tokens, *same}) == 4
    for number, visit in enumerate(visits):
        for token, seed in ((tokens[number], number), (same[number], 5)):
            found = second.find(token)
            assert shows(found, noise(seed))
            assert found is not None
            assert found.visitor == visit.visitor
            assert [name for name, _ in found.pictures.newest_first()] == [own_name(noise(10 + number))]


def test_a_picture_that_comes_later_is_found_too(together: Together) -> None:
    """And one that the visit has given up is gone."""
    visit, second = Visit("session"), together.server()
    token = visit.subject(noise(0), "lenet", "random", ()).token
    assert second.find(token)
    for seed in range(1, 8):
        visit.pictures.hold(noise(seed), "mine.png")
        visit.subject(noise(0), "lenet", "random", ())
    together.now += FRESH + 0.1
    found = second.find(token)
    assert found is not None
    assert [each.number for _, each in found.pictures.newest_first()] == [7, 6, 5, 4, 3]
    assert together.leases.bytes < 7 * len(noise(0).image.tobytes())


def test_own_weights_come_along_if_a_subject_has_them(together: Together) -> None:
    """They are read again from the same bytes; of weights that nobody looks at, nothing is told."""
    visit, second = Visit("session"), together.server()
    visit.own = own_weights(safetensors.torch.save(state(1)))
    before = visit.subject(noise(1), "lenet", "random", ())
    assert together.leases.bytes < len(visit.own.data)
    entry = visit.subject(noise(1), "lenet", visit.own.id, ())
    data, digest = visit.own.data, visit.own.digest
    assert second.find(before.token)
    found = second.find(entry.token)
    assert found is not None
    borrowed = found.visit()
    assert isinstance(borrowed, sharing.BorrowedVisit)
    assert borrowed.own is not None
    assert (borrowed.own.data, borrowed.own.digest) == (data, digest)


def test_another_server_adds_the_other_side_of_a_comparison(first: SharedVisits, together: Together) -> None:
    """All servers find it then, the visit's own too; it ends with the visit."""
    visit, second = Visit("session"), together.server()
    entry = visit.subject(noise(1), "lenet", "random", ())
    found = second.find(entry.token)
    assert found is not None
    stay = found.visit()
    assert stay is not None
    beside = stay.beside(found, noise(2), "photonet", "random", ())
    assert beside is not None
    assert (beside.visitor, stay.beside(found, noise(2), "photonet", "random", ())) == (visit.visitor, beside)
    assert shows(together.server().find(beside.token), noise(2))
    here = find_anywhere(beside.token)
    assert shows(here, noise(2))
    assert here in visit.subjects
    assert visit.subject(noise(2), "photonet", "random", ()).token == beside.token
    visit.end()
    first.tend()
    assert stay.beside(found, noise(3), "photonet", "random", ()) is None
    assert together.leases.bytes == 0


def test_without_room_only_its_own_server_has_a_visit(first: SharedVisits, together: Together) -> None:
    """Once there is room, it is told."""
    together.leases = Leases(1000, lambda: together.now)
    visit, second = Visit("session"), together.server()
    token = visit.subject(noise(1), "lenet", "random", ()).token
    assert find_subject(token)
    assert second.find(token) is None
    together.__post_init__()
    first.tend()
    assert shows(second.find(token), noise(1))


def test_a_keeper_that_has_lost_everything_is_told_again(first: SharedVisits, together: Together) -> None:
    """Its machine may have gone; what had ended before, comes back nowhere."""
    visit, ended, second = Visit("session"), Visit("ended"), together.server()
    tokens = [each.subject(noise(1), "lenet", "random", ()).token for each in (visit, ended)]
    ended.end()
    together.__post_init__()
    first.tend()
    assert [shows(second.find(token), noise(1)) for token in tokens] == [True, False]


def test_while_the_cluster_is_silent_what_is_here_is_answered_for_a_minute(
    first: SharedVisits, together: Together
) -> None:
    """The visit's own server needs no cluster for it; and it tells it all once it can."""
    visit, second = Visit("session"), together.server()
    token = visit.subject(noise(1), "lenet", "random", ()).token
    assert second.find(token)
    together.gone = True
    first.tend()
    late = visit.subject(noise(2), "lenet", "random", ()).token
    assert find_anywhere(late)
    together.now += FRESH + 1
    assert shows(second.find(token), noise(1))
    assert second.find(late) is None
    together.now += STALE
    assert second.find(token) is None
    together.gone = False
    first.tend()
    assert shows(second.find(late), noise(2))


def test_what_nobody_asks_for_is_put_away(
    first: SharedVisits, together: Together, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a minute, or when others need the room; it is found again when somebody asks."""
    second, visits = together.server(), [Visit("ann"), Visit("bob")]
    tokens = [each.subject(noise(1), "lenet", "random", ()).token for each in visits]
    assert all(map(second.find, tokens))
    together.now += UNUSED + 1
    first.tend()
    second.tend()
    assert not second._borrowed
    monkeypatch.setattr(sharing, "MOST", 5000)
    assert all(map(second.find, tokens))
    assert list(second._borrowed) == [visits[1].key]
    assert second.find(tokens[0])
