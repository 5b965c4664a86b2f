"""A visitor beside another who asks without a pause: both get answers, and the row says what was measured."""

from collections import Counter
from pathlib import Path

import pytest
import torch
from torch import nn

from bench.batching import differing, values
from bench.bystander import HEAVY, HeavyTask, chosen, measured, row
from tests.browser.serving import serving


@pytest.mark.slow
def test_the_bystander_and_the_other_visitor_are_both_answered(tmp_path: Path) -> None:
    """Each wait is a pick, and each heavy thing was done once at least."""
    (quiz,) = (heavy for heavy in HEAVY if heavy.name == "quiz questions")
    with serving(tmp_path) as address:
        waits, answers = measured(address, quiz, 1, 3.0)
    assert len(waits) >= 3
    assert all(0 < wait < 60_000 for wait in waits)
    assert answers[200] >= 1


def test_a_row_has_the_waits_beside_those_of_a_calm_time() -> None:
    """Of 20 waits the 19th is the 95th percentile."""
    said = row(
        HeavyTask("film", "lenet", None), "local", [1.0, 3.0], [float(n) for n in range(1, 21)], Counter()
    )
    assert said == "| film | local | 10 (2) | 19 (3) | 20 (3) | 20 | 0, 0 |"
    refused = row(HeavyTask("film", "lenet", None), "local", [1.0], [1.0], Counter({200: 3, 204: 1, 429: 2}))
    assert refused.endswith("| 1 | 4, 2 |")


def test_what_is_measured_can_be_chosen_by_parts_of_names() -> None:
    """All of it if nothing is said."""
    assert len(list(chosen([""]))) == len(HEAVY)
    assert {heavy.name for _, heavy in chosen(["GIF", "quiz"])} == {
        "GIF of ResNet-152",
        "GIF of ResNet-18",
        "quiz questions",
    }


class Mixing(nn.Module):
    """Rows that are not alone get another number."""

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """The rows, and how many there are."""
        return rows + len(rows)


def test_what_a_batch_changes_is_counted_layer_by_layer() -> None:
    """Of three layers the second changes with its batch, and the third with what it is given."""
    net = nn.Sequential(nn.ReLU(), Mixing(), nn.ReLU())
    rows = torch.ones(4, 2)
    assert list(values(net, rows)) == ["0", "1", "2", ""]
    assert differing(net, rows)[:2] == (3, 4)
    assert differing(net[:1], rows) == (0, 2, 0.0)
