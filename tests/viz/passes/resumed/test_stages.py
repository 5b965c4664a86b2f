"""Which layers are stages, and from which of them a pass goes on."""

import pytest
import torch

from viz.passes.resumed.stages import PARTS, Stages, chosen
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


@pytest.mark.parametrize(
    ("layer", "stage"), [("l0", None), ("l1", "l1"), ("l2", "l1"), ("l3", "l3"), ("l7", "l5")]
)
def test_a_pass_goes_on_from_the_latest_stage_before_the_layer_or_from_itself(
    stages: Stages, layer: str, stage: str | None
) -> None:
    """The first layers have none before them."""
    assert stages.before(layer, (), ALL) == stage


def test_only_what_is_kept_is_gone_on_from(stages: Stages) -> None:
    """An earlier one does as well."""
    assert stages.before("l7", (), {"l1", "l3"}) == "l3"
    assert stages.before("l7", (), ()) is None


def test_an_edit_comes_after_the_stage(stages: Stages) -> None:
    """An edit of the stage itself changes what it returned, so an earlier one is taken."""
    assert stages.before("l7", ("l5",), ALL) == "l3"
    assert stages.before("l7", ("l6", "l4"), ALL) == "l3"
    assert stages.before("l7", ("l1",), ALL) is None


def test_what_did_not_run_in_the_timeline_has_no_stage(stages: Stages) -> None:
    """Such as an operation, or an edit of one."""
    assert stages.before("l7 › add", (), ALL) is None
    assert stages.before("l7", ("l7 › add",), ALL) is None


def test_a_stage_that_never_worked_is_given_up(stages: Stages) -> None:
    """For every layer."""
    stages.refuse("l5", "l7")
    assert stages.before("l6", (), ALL) == "l3"


def test_a_stage_that_has_worked_is_given_up_for_one_layer(stages: Stages) -> None:
    """As where a layer far behind reads what went past the stage."""
    stages.proven.add(stages.way("l5", "l6", (), ALL))
    stages.refuse("l5", "l7")
    assert [stages.before(layer, (), ALL) for layer in ("l6", "l7")] == ["l5", "l3"]


def test_a_layer_that_runs_again_later_is_not_over(stages: Stages) -> None:
    """Its calls behind the stage are its own."""
    stages.spans["l0"].ended = 100
    assert stages.over_at("l3") == ["l1", "l2", "l3"]
