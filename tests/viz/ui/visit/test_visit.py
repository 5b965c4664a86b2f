"""A visit's addresses: unguessable, its own, and gone when it is over."""

import gc
import re

from PIL import Image

from viz.pictures.photo import Photo, photograph
from viz.ui.visit.visit import (
    GRACE_SECONDS,
    SUBJECTS_KEPT,
    SubjectEntry,
    Visit,
    end_abandoned_visits,
    find_subject,
    open_visits,
)


def entry(visit: Visit, photo: Photo, model: str = "lenet", weights: str = "pretrained") -> SubjectEntry:
    """A picture in a model, which no test here runs."""
    return visit.subject(photo, model, weights, ())


def test_a_subject_is_found_under_its_token(visit: Visit, photo: Photo) -> None:
    """Its token reveals nothing about the picture or the model."""
    found = entry(visit, photo)
    assert find_subject(found.token) is found
    assert re.fullmatch("[0-9a-f]{40}", found.token)
    assert find_subject(found.token[:-1]) is None
    assert find_subject("") is None


def test_equal_subjects_have_one_token(visit: Visit, photo: Photo) -> None:
    """Another picture, another model and other weights have another one."""
    found = entry(visit, photo)
    assert entry(visit, photo) is found
    other = photograph(Image.new("RGB", (3, 3)))
    others = (entry(visit, other), entry(visit, photo, "resnet18"), entry(visit, photo, weights="random"))
    assert len({found.token, *(each.token for each in others)}) == 4


def test_two_visitors_never_share_a_token(photo: Photo) -> None:
    """Photo and model are the same, but the secret is different."""
    visits = [Visit("one"), Visit("two")]
    tokens = {entry(visit, photo).token for visit in visits}
    assert len(tokens) == 2


def test_only_the_newest_subjects_are_kept(visit: Visit, photo: Photo) -> None:
    """The one used longest ago goes first, and can be opened again under its old token."""
    tokens = [entry(visit, photo, f"model {number}").token for number in range(SUBJECTS_KEPT + 1)]
    gc.collect()
    assert find_subject(tokens[0]) is None
    assert all(find_subject(token) for token in tokens[1:])
    assert entry(visit, photo, "model 0").token == tokens[0]
    assert find_subject(tokens[0])


def test_addresses_die_with_the_visit(photo: Photo) -> None:
    """Once the session forgets the visit nothing else keeps its subjects."""
    visit = Visit("session")
    token = entry(visit, photo).token
    del visit
    gc.collect()
    assert find_subject(token) is None


def test_a_visit_that_was_left_ends_after_its_grace(photo: Photo) -> None:
    """It does not end at once: a visitor who lost the connection comes back to the same session."""
    left, here = Visit("left"), Visit("here")
    gone, kept = (entry(visit, photo).token for visit in (left, here))
    for now in (100.0, 100.0 + GRACE_SECONDS):
        end_abandoned_visits(lambda session: session == "here", now)
        assert find_subject(gone)
    end_abandoned_visits(lambda session: session == "here", 101.0 + GRACE_SECONDS)
    assert find_subject(gone) is None
    assert find_subject(kept)


def test_a_visit_lasts_as_long_as_its_session_is_kept(visit: Visit, photo: Photo) -> None:
    """An operator may keep sessions for an hour, for laptops that sleep; then their pictures stay as well."""
    token = entry(visit, photo).token
    for now in (0.0, 3600.0):
        end_abandoned_visits(lambda _: False, now, kept=3600.0)
        assert find_subject(token)
    end_abandoned_visits(lambda _: False, 3611.0, kept=3600.0)
    assert find_subject(token) is None


def test_coming_back_starts_the_grace_anew(visit: Visit, photo: Photo) -> None:
    """Away, here again, away again: only the last absence counts."""
    token = entry(visit, photo).token
    end_abandoned_visits(lambda _: False, 0.0)
    end_abandoned_visits(lambda _: True, GRACE_SECONDS)
    end_abandoned_visits(lambda _: False, GRACE_SECONDS + 1)
    end_abandoned_visits(lambda _: False, GRACE_SECONDS + 2)
    assert find_subject(token)


def test_a_visit_counts_until_it_has_ended_and_again_if_its_page_comes_back(photo: Photo) -> None:
    """A laptop that was asleep for an hour runs the page's script again."""
    before, visit = open_visits(), Visit("of a sleeper")
    entry(visit, photo)
    assert open_visits() == before + 1
    visit.end()
    assert open_visits() == before
    entry(visit, photo)
    assert open_visits() == before + 1
