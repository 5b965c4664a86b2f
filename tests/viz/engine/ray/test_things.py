"""Things that a page sends along are in a replica as long as a task needs them."""

import pytest

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

from viz.engine.ray.things import NotSentError, Things
from viz.errors import RequestError, VizError

pytestmark = pytest.mark.ray


def test_what_is_not_there_is_asked_for_and_what_is_refused_stays_refused() -> None:
    """Asking for it is no error of ours, of which an answer could be made and kept."""
    things = Things()
    with pytest.raises(NotSentError) as caught:
        things.ask("weights", "mine")
    assert caught.value.thing == ("weights", "mine")
    assert not isinstance(caught.value, VizError)
    with things.held({("weights", "mine"): 7, ("weights", "gone"): RequestError("It is gone.")}):
        assert things.ask("weights", "mine") == 7
        with pytest.raises(RequestError, match="gone"):
            things.ask("weights", "gone")


def test_a_thing_is_there_until_the_last_task_that_brought_it_ends() -> None:
    """Two tasks may bring the same."""
    things, sent = Things(), {("weights", "mine"): 7}
    with things.held(sent):
        with things.held(dict(sent)):
            assert things.ask("weights", "mine") == 7
        assert things.ask("weights", "mine") == 7
    with pytest.raises(NotSentError):
        things.ask("weights", "mine")
