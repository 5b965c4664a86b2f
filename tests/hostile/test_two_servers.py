"""Two real servers on a real cluster: what a visitor has at one of them, the other answers for."""

import io
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from urllib.parse import quote

import numpy as np
import pytest
import safetensors.torch

from tests.machine import patience

pytest.importorskip("ray", reason="Ray is optional: pip install -r requirements-ray.txt")

import ray

from tests.browser import serving as server
from tests.browser.oracle import lenet_outputs
from tests.browser.pictures import photo, png
from tests.browser.serving import serving
from tests.hostile.server_process import process_of
from tests.hostile.visitor import Answer, Visitor, ask
from tests.models.uploads import state
from viz.engine.ray.keeping import SPACE
from viz.ui.visit.tokens import keeper_name, signed_token

pytestmark = [pytest.mark.slow, pytest.mark.ray]

SECRET = "a secret of both servers"
KEPT = 4  # seconds that a session without a page is kept
GONE = 50.0  # seconds after which a visit has ended everywhere, and the leases of a killed server are over
START = (*server.START, "--server.disconnectedSessionTTL", str(KEPT))
SAME_BYTES = (
    "layer.json?layer=conv1",
    "layer.png?layer=conv2",
    "values?layer=conv2&channel=3",
    "tree.json",
    "seen.png",
    "photo.jpg",
    "prediction.json",
    "overview.json",
    "classes.json",
    "look.json?layer=conv2&colormap=magma",
    "layer.png?layer=conv1&view=gradients",
    "channel.png?layer=conv1&channel=1",
)


@dataclass
class Servers:
    """Two of them, by their addresses."""

    first: str
    second: str

    def both(self, path: str) -> tuple[Answer, Answer]:
        """Return the answers of both servers."""
        return ask(self.first, path), ask(self.second, path)


@pytest.fixture(scope="module")
def settings(ray_cluster: dict[str, str]) -> dict[str, str]:
    """A cluster that both servers join, and the secret that they share."""
    return {
        **ray_cluster,
        "LAYERGLASS_ENGINE": "ray",
        "LAYERGLASS_REPLICA_CPUS": "1",
        "LAYERGLASS_SECRET": SECRET,
    }


@pytest.fixture(scope="module")
def servers(settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Both of them."""
    homes = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    with (
        serving(homes[0], START, settings=settings) as first,
        serving(homes[1], START, settings=settings) as second,
    ):
        yield Servers(first, second)


def bytes_kept() -> int:
    """Return the number of bytes that the cluster keeps of all visits."""
    keeper = ray.get_actor(keeper_name(SECRET.encode()), SPACE)
    return int(ray.get(keeper.kept.remote())[1])


def shows(answer: Answer, seed: int) -> bool:
    """Return whether the answer has the values of LeNet's first layer for the picture with this seed."""
    found = np.load(io.BytesIO(answer.data))
    maps = found[next(name for name in found.files if found[name].ndim >= 3)]
    return bool(np.allclose(maps.squeeze(), lenet_outputs(photo(seed))["conv1"].squeeze(), 1e-4, 1e-5))


def test_both_servers_answer_with_the_same_bytes(servers: Servers) -> None:
    """Whichever is asked first, for a picture that only one of them was given."""
    with Visitor(servers.first, model="lenet") as ann:
        assert ann.upload("upload", "mine.png", png(photo(1))).status == 204
        for path in SAME_BYTES:
            first, second = servers.both(f"/maps/{ann.subject}/{path}")
            assert (first.status, second.status) == (200, 200), path
            assert first.data == second.data, path
        for address in (servers.second, servers.first):
            answer = ask(address, f"/maps/{ann.subject}/export.npz?layer=conv1")
            assert shows(answer, 1)


def test_questions_that_are_spread_over_both_are_all_answered(servers: Servers) -> None:
    """None of them takes the place of a newer one that another server was asked."""
    with Visitor(servers.first, model="lenet") as ann:
        ann.upload("upload", "mine.png", png(photo(2)))
        for number in range(20):
            assert (
                ask(servers.first, f"/maps/{ann.subject}/layer.png?layer=conv1&columns={number}").status
                == 200
            )
        turns = cycle((servers.second, servers.first))
        for number, address in zip(range(40), turns, strict=False):
            answer = ask(address, f"/maps/{ann.subject}/layer.png?layer=conv2&columns={number}")
            assert answer.status == 200, (number, answer.data[:200])


def test_a_comparison_goes_from_one_server_to_the_other(servers: Servers) -> None:
    """Each question of it at another one: the other side, its maps, an edit with an own picture's values."""
    with Visitor(servers.first, model="lenet") as ann:
        for seed in (3, 4):
            ann.upload("upload", f"{seed}.png", png(photo(seed)))
        choices = ask(servers.second, f"/maps/{ann.subject}/other.json?lang=en").said["choices"][
            "with_sample"
        ]
        own = next(each["name"] for each in choices if each["label"] == "3.png")
        other = ask(servers.second, f"/maps/{ann.subject}/other.json?lang=en&with_sample={own}").said[
            "subject"
        ]
        first, second = servers.both(f"/maps/{ann.subject}/pair.left.png?layer=conv1&with={other}")
        assert (first.status, second.status) == (200, 200)
        assert first.data == second.data
        donated = [
            answer.data
            for answer in servers.both(
                f"/maps/{ann.subject}/layer.png?layer=conv2&edit={quote(f'conv1:swap:0:{own}')}"
            )
        ]
        plain = ask(servers.first, f"/maps/{ann.subject}/layer.png?layer=conv2").data
        assert donated[0] == donated[1] != plain


def test_own_weights_are_loaded_for_another_server(servers: Servers) -> None:
    """The replica asks whichever server has asked it."""
    with Visitor(servers.first, model="lenet") as ann:
        ann.upload("upload", "mine.png", png(photo(5)))
        before = ask(servers.first, f"/maps/{ann.subject}/layer.png?layer=conv1").data
        ann.upload("own_weights", "mine.safetensors", safetensors.torch.save(state(5)))
        answer, other = (
            ask(servers.second, f"/maps/{ann.subject}/layer.png?layer=conv1"),
            ask(servers.first, f"/maps/{ann.subject}/layer.png?layer=conv1"),
        )
        assert answer.status == other.status == 200
        assert answer.data == other.data != before


def test_no_server_gives_anything_for_a_token_that_it_has_not_made(servers: Servers) -> None:
    """Altered, forged under another secret, or well made for a visit that there is not: all are unknown."""
    with Visitor(servers.first, model="lenet") as ann:
        ann.upload("upload", "mine.png", png(photo(6)))
        token = ann.subject
        altered = token[:-1] + ("0" if token[-1] != "0" else "1")
        forged = signed_token(b"not the secret of them", "visit", "about")
        unknown = signed_token(SECRET.encode(), "visit", "about")
        for wrong in (altered, token[:32], token[:40], token[32:] + token[:32], forged, unknown):
            answers = servers.both(f"/maps/{wrong}/layer.png?layer=conv1")
            assert {answer.status for answer in answers} == {410}
            assert answers[0].data == answers[1].data
        assert [each.status for each in servers.both(f"/maps/{token}/tree.json")] == [200, 200]


def test_two_visitors_at_two_servers_never_see_each_other(servers: Servers) -> None:
    """Same file name, same model: asked in turns at both, each gets the values of its own picture."""
    with Visitor(servers.first, model="lenet") as ann, Visitor(servers.second, model="lenet") as bob:
        for seed, visitor in ((7, ann), (8, bob)):
            visitor.upload("upload", "mine.png", png(photo(seed)))
        assert ann.subject != bob.subject
        for _ in range(5):
            for seed, visitor in ((7, ann), (8, bob)):
                for answer in servers.both(f"/maps/{visitor.subject}/export.npz?layer=conv1"):
                    assert shows(answer, seed)
        pair = servers.both(f"/maps/{ann.subject}/pair.json?layer=conv1&with={bob.subject}")
        assert [each.status for each in pair] == [422, 422]
        theirs = ask(servers.first, f"/maps/{bob.subject}/other.json?lang=en").said["choices"]["with_sample"]
        own = next(each["name"] for each in theirs if each["label"] == "mine.png")
        taken = servers.both(f"/maps/{ann.subject}/layer.png?layer=conv2&edit={quote(f'conv1:swap:0:{own}')}")
        assert [each.status for each in taken] == [422, 422]


def test_a_visit_that_has_ended_is_gone_at_both_and_leaves_nothing(servers: Servers) -> None:
    """A page that was closed, and whose session Streamlit has forgotten."""
    with Visitor(servers.first, model="lenet") as ann:
        ann.upload("upload", "mine.png", png(photo(9)))
        path = f"/maps/{ann.subject}/tree.json"
        assert [each.status for each in servers.both(path)] == [200, 200]
    until = time.monotonic() + patience(GONE)
    while _is_there(servers, path) and time.monotonic() < until:
        time.sleep(1)
    assert bytes_kept() == 0
    assert [each.status for each in servers.both(path)] == [410, 410]


def _is_there(servers: Servers, path: str) -> bool:
    return bytes_kept() > 0 or any(each.status != 410 for each in servers.both(path))


def test_a_killed_server_s_visitors_have_their_maps_until_the_lease_is_over(
    servers: Servers, settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Afterwards nothing of them is left anywhere."""
    with serving(tmp_path_factory.mktemp("third"), START, settings=settings) as third:
        ann = Visitor(third, model="lenet")
        ann.upload("upload", "mine.png", png(photo(10)))
        path = f"/maps/{ann.subject}/export.npz?layer=conv1"
        os.kill(int(process_of(third).name), signal.SIGKILL)
        for address in (servers.second, servers.first):
            assert shows(ask(address, path), 10)
        until = time.monotonic() + patience(GONE)
        while ask(servers.second, path).status == 200 and time.monotonic() < until:
            time.sleep(1)
        assert [each.status for each in servers.both(path)] == [410, 410]
        assert bytes_kept() == 0
