"""Stages of a net: the layers that are some, and those from which a pass goes on."""

from collections.abc import Collection

import pytest
import torch

from viz.passes.resumed.stages import PARTS, Stages, Way, chosen
from viz.passes.resumed.timeline import Span


def leaf(number: int, values: int = 1, depth: int = 0, calls: int = 1) -> Span:
    """The n-th layer of a chain, from 0."""
    like = torch.empty(values, device="meta")
    return Span(
        begun=2 * number, ended=2 * number + 1, depth=depth, calls=calls, leaves=number + 1, like=like
    )


def chain(length: int) -> dict[str, Span]:
    """Layers ``l0`` to the last one after each other, all alike."""
    return {f"l{number}": leaf(number) for number in range(length)}


def test_a_long_chain_has_a_stage_in_each_part() -> None:
    """The last layer of each, since all return as much; but not the chain's last: nothing goes on from it."""
    assert chosen(chain(3 * PARTS)).names == (*(f"l{n}" for n in range(2, 3 * PARTS - 1, 3)), "l28")


def test_the_outermost_is_the_stage_and_then_the_smallest() -> None:
    """A block's last layer returns as much as the block, and less than a layer outside may."""
    spans = chain(2 * PARTS)
    spans["block"] = Span(begun=0, ended=100, depth=0, calls=1, leaves=2, like=torch.empty(9, device="meta"))
    spans["l0"], spans["l1"] = leaf(0, depth=1), leaf(1, depth=1)
    spans["l2"], spans["l3"] = leaf(2, values=5), leaf(3, values=6)
    assert chosen(spans).names[:2] == ("block", "l2")


def test_what_runs_twice_or_returns_no_plain_tensor_is_no_stage() -> None:
    """Their parts have another one, or none."""
    spans = chain(2 * PARTS)
    spans["l1"] = leaf(1, calls=2)
    spans["l2"].like = spans["l3"].like = None
    assert chosen(spans).names[:2] == ("l0", "l5")


def test_a_model_without_calls_has_no_stages() -> None:
    """Nor one with a single layer."""
    assert chosen({}).names == chosen(chain(1)).names == ()


@pytest.fixture
def stages() -> Stages:
    """Every second layer of eight is a stage."""
    return Stages(chain(8), ("l1", "l3", "l5"))


ALL = {"l1", "l3", "l5"}


def begins(stages: Stages, layer: str, *edited: str, kept: Collection[str] = ALL) -> str | None:
    """The stage with which the way to a layer begins."""
    way = stages.way(layer, edited, kept)
    return way.stage if way else None


@pytest.mark.parametrize(
    ("layer", "stage"), [("l0", None), ("l1", "l1"), ("l2", "l1"), ("l3", "l3"), ("l7", "l5")]
)
def test_a_pass_goes_on_from_the_latest_stage_before_the_layer_or_from_itself(
    stages: Stages, layer: str, stage: str | None
) -> None:
    """The first layers have none before them."""
    assert begins(stages, layer) == stage


def test_only_what_is_kept_is_gone_on_from(stages: Stages) -> None:
    """An earlier one does as well."""
    assert begins(stages, "l7", kept={"l1", "l3"}) == "l3"
    assert begins(stages, "l7", kept=()) is None


def test_an_edit_comes_after_the_stage(stages: Stages) -> None:
    """An edit of the stage itself changes what it returned, so an earlier one is taken."""
    assert begins(stages, "l7", "l5") == "l3"
    assert begins(stages, "l7", "l6", "l4") == "l3"
    assert begins(stages, "l7", "l1") is None


def test_what_did_not_run_in_the_timeline_has_no_stage(stages: Stages) -> None:
    """Such as a layer that nobody calls, what its code would call, or an edit of one."""
    assert begins(stages, "idle") is None
    assert begins(stages, "idle › add") is None
    assert begins(stages, "l7", "idle › add") is None


def test_a_stage_is_tried_alone_then_with_all_that_is_kept_and_then_an_earlier_one(stages: Stages) -> None:
    """A kind of way on which no pass ever was the same is given up, for every layer."""
    alone = stages.way("l7", (), ALL)
    assert alone == Way("l5", frozenset(["l5"]), "l7", edited=False)
    stages.refuse(alone)
    together = stages.way("l6", (), ALL)
    assert together == Way("l5", frozenset(ALL), "l6", edited=False)
    stages.refuse(together)
    assert begins(stages, "l6") == begins(stages, "l7") == "l3"


def test_a_stage_that_has_worked_is_given_up_for_one_layer(stages: Stages) -> None:
    """As where a layer far behind reads what went past the stage."""
    near, far = stages.way("l6", (), ALL), stages.way("l7", (), ALL)
    assert near is not None
    assert far is not None
    stages.proven.add(near)
    stages.refuse(far)
    assert stages.way("l6", (), ALL) == near
    assert stages.way("l7", (), ALL) == far._replace(kept=frozenset(ALL))


def test_a_layer_that_runs_again_later_is_not_over(stages: Stages) -> None:
    """Its calls behind the stage are its own."""
    stages.spans["l0"].ended = 100
    assert stages.over_at("l3") == ["l1", "l2", "l3"]


def test_what_a_stage_saves_is_its_share_of_the_calls(stages: Stages) -> None:
    """Two of eight have ended with the second."""
    assert stages.saves("l1") == 2 / 8


def test_what_a_layer_costs_again_is_its_way_from_the_stage_before_it(stages: Stages) -> None:
    """In calls of eight, and never nothing: a stage itself is copied."""
    calls = {"l0": 1, "l1": 1, "l2": 1, "l3": 1, "l4": 1, "l6": 1, "l7": 2}
    assert {layer: stages.share_to(layer) * 8 for layer in calls} == calls


def test_a_pass_to_an_operation_goes_on_from_before_the_layer_that_calls_it() -> None:
    """A stage inside that layer may come behind the operation; the model's own code begins with the pass."""
    block = Span(begun=8, ended=13, depth=0, calls=1, leaves=7)
    stages = Stages({**chain(8), "block": block}, ("l1", "l3", "l5"))
    assert begins(stages, "block › add") == "l3"
    assert begins(stages, "l7", "block › add") == "l3"
    assert begins(stages, "› flatten") is None
    assert stages.share_to("block › add") == 3 / 8
