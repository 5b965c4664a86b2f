"""Names of weights on the page: the catalogue's, the operator's own model's, and a visitor's."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import safetensors.torch

import models
from tests.models.uploads import state
from viz.errors import RequestError
from viz.ui.visit.catalogue.known import forget
from viz.ui.visit.own_weights import own_weights
from viz.ui.visit.weights_words import (
    needs_in_words,
    own_report,
    weights_named,
    weights_wanted,
    words_for_weights,
)


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    """Forget the page's copy of the catalogue before and after each test."""
    forget()
    yield
    forget()


def test_weights_of_the_catalogue_are_trained_or_not() -> None:
    """In the visitor's language."""
    assert words_for_weights("lenet", "en") == {"pretrained": "trained", "random": "untrained"}
    assert weights_named("pretrained", "lenet", "en") == "trained"
    assert weights_named("random", "lenet", "zh") == words_for_weights("lenet", "zh")["random"] != "untrained"


def test_nobody_says_that_the_operators_own_model_was_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its weights are called the original ones."""
    monkeypatch.setattr(models, "own_model_name", lambda: "lenet")
    assert words_for_weights("lenet", "en")["pretrained"] == "original"
    assert "original" in weights_named("pretrained", "lenet", "en")


def test_own_weights_say_how_many_of_them_fit() -> None:
    """A file without its last two weights has the others."""
    whole = state(21)
    mine = own_weights(safetensors.torch.save(whole))
    part = own_weights(safetensors.torch.save(dict(list(whole.items())[:-2])))
    assert weights_named(mine.id, "lenet", "en") == "own weights"
    assert weights_named(part.id, "lenet", "en") == f"own weights, {len(whole) - 2} of {len(whole)}"
    assert weights_wanted(own_report(part.id, "lenet")) == len(whole)


def test_weights_of_a_visit_that_ended_have_no_words() -> None:
    """One sentence instead."""
    with pytest.raises(RequestError, match="ended"):
        weights_named("own:" + "0" * 64, "lenet", "en")


def test_models_that_are_ready_are_offered_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The net of the first screen leads; the others keep their order, and each says what it needs."""
    found = {
        "far": models.Needs("download", 44_700_000),
        "none": models.Needs("untrained"),
        "here": models.Needs("ready"),
        "efficientnet_lite0": models.Needs("ready"),
        "unknown": models.Needs("download"),
    }
    monkeypatch.setattr(models, "needs", lambda: found)
    assert list(needs_in_words("en").items()) == [
        ("efficientnet_lite0", "ready"),
        ("here", "ready"),
        ("far", "download 45 MB"),
        ("none", "untrained only"),
        ("unknown", "download"),
    ]
    assert set(needs_in_words("en").values()).isdisjoint(needs_in_words("zh").values())


def test_the_switch_of_weights_says_what_trained_ones_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A download's size; a model without trained weights leaves no choice."""
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    assert words_for_weights("resnet50", "en") == {"pretrained": "trained · 103 MB", "random": "untrained"}
    card = replace(models.describe("resnet50"), has_pretrained=False)
    monkeypatch.setattr(models, "describe", lambda _: card)
    forget()
    assert words_for_weights("resnet50", "en") == {"random": "untrained only"}
