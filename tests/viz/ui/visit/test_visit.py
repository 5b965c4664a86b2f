"""A visit's addresses: unguessable, its own, and gone when it is over."""

import gc
import re
from dataclasses import replace

import pytest
from PIL import Image

from viz.errors import RequestError
from viz.pictures.photo import Photo, photograph
from viz.request.inspection import Inspection
from viz.ui.visit.visit import (
    GRACE_SECONDS,
    MAP_SETS_KEPT,
    LayerCalls,
    Visit,
    end_abandoned_visits,
    find_map_set,
)

LAYERS = (LayerCalls("conv1", 1), LayerCalls("relu1", 2))


def test_a_map_set_is_found_under_its_token(visit: Visit, photo: Photo, wanted: Inspection) -> None:
    """Its token reveals nothing about the picture or the model."""
    map_set = visit.map_set(photo, wanted, LAYERS)
    assert find_map_set(map_set.token) is map_set
    assert re.fullmatch("[0-9a-f]{40}", map_set.token)
    assert find_map_set(map_set.token[:-1]) is None
    assert find_map_set("") is None


def test_equal_requests_have_one_map_set(visit: Visit, photo: Photo, wanted: Inspection) -> None:
    """Another layer or call of the same picture is the same map set; another picture or colour is not."""
    map_set = visit.map_set(photo, wanted, LAYERS)
    assert visit.map_set(photo, replace(wanted, layer="relu1", call=1), LAYERS) is map_set
    assert visit.map_set(photo, replace(wanted, colormap="hot"), LAYERS).token != map_set.token
    other = photograph(Image.new("RGB", (3, 3)))
    assert visit.map_set(other, replace(wanted, image=other.fingerprint), LAYERS).token != map_set.token


def test_two_visitors_never_share_a_token(photo: Photo, wanted: Inspection) -> None:
    """Photo, model and colours are the same, but the secret is different."""
    visits = [Visit("one"), Visit("two")]
    tokens = {visit.map_set(photo, wanted, LAYERS).token for visit in visits}
    assert len(tokens) == 2


def test_only_the_newest_books_are_kept(visit: Visit, photo: Photo, wanted: Inspection) -> None:
    """The map set used longest ago goes first, and can be opened again under its old token."""
    columns = range(MAP_SETS_KEPT + 1)
    tokens = [visit.map_set(photo, replace(wanted, columns=count), LAYERS).token for count in columns]
    gc.collect()
    assert find_map_set(tokens[0]) is None
    assert all(find_map_set(token) for token in tokens[1:])
    assert visit.map_set(photo, replace(wanted, columns=0), LAYERS).token == tokens[0]
    assert find_map_set(tokens[0])


def test_addresses_die_with_the_visit(photo: Photo, wanted: Inspection) -> None:
    """Once the session forgets the visit nothing else keeps its map sets."""
    visit = Visit("session")
    token = visit.map_set(photo, wanted, LAYERS).token
    del visit
    gc.collect()
    assert find_map_set(token) is None


def test_a_visit_that_was_left_ends_after_its_grace(photo: Photo, wanted: Inspection) -> None:
    """It does not end at once: a visitor who lost the connection comes back to the same session."""
    left, here = Visit("left"), Visit("here")
    gone, kept = (visit.map_set(photo, wanted, LAYERS).token for visit in (left, here))
    for now in (100.0, 100.0 + GRACE_SECONDS):
        end_abandoned_visits(lambda session: session == "here", now)
        assert find_map_set(gone)
    end_abandoned_visits(lambda session: session == "here", 101.0 + GRACE_SECONDS)
    assert find_map_set(gone) is None
    assert find_map_set(kept)


def test_coming_back_starts_the_grace_anew(visit: Visit, photo: Photo, wanted: Inspection) -> None:
    """Away, here again, away again: only the last absence counts."""
    token = visit.map_set(photo, wanted, LAYERS).token
    end_abandoned_visits(lambda _: False, 0.0)
    end_abandoned_visits(lambda _: True, GRACE_SECONDS)
    end_abandoned_visits(lambda _: False, GRACE_SECONDS + 1)
    end_abandoned_visits(lambda _: False, GRACE_SECONDS + 2)
    assert find_map_set(token)


def test_a_page_that_does_not_exist_is_refused(visit: Visit, photo: Photo, wanted: Inspection) -> None:
    """A page beyond the last one has no request behind it."""
    map_set = visit.map_set(photo, wanted, LAYERS)
    assert map_set.inspection(1, 1, columns=3) == replace(wanted, layer="relu1", call=1, columns=3)
    for page in (2, -1, 10**30):
        with pytest.raises(RequestError, match="layer that the model does not have"):
            map_set.inspection(page, 0)
