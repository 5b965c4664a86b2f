"""Meaning of a model's numbers, for outputs whose meaning is known because a known function made them."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.viz.subjects import photo
from viz.findings.ablation_part import AblationPart, ablation_facts
from viz.findings.output_meaning import (
    BOXES,
    LABEL_LOGITS,
    LABELS,
    LOG_PROBABILITIES,
    LOGITS,
    MASKS,
    MEANINGS,
    MISNAMED,
    NUMBER,
    PROBABILITIES,
    SEVERAL,
    UNDEFINED,
    class_shares,
    output_meaning,
)
from viz.hooks.activations import LayerActivations
from viz.passes.attribution import capture_gradients
from viz.passes.forward import predict, probabilities, survey_with_layouts
from viz.pictures.subject import Subject
from viz.request.inspection import Prediction

IMAGES = torch.linspace(-1, 1, 192).reshape(1, 3, 8, 8)
SCORES = torch.tensor([[1.0, 3.0, 2.0]])


class Ending(nn.Module):
    """Fixed scores behind a layer with weights, and what becomes of them."""

    def __init__(self, end: nn.Module, scores: Tensor = SCORES) -> None:
        super().__init__()
        self.last = nn.Linear(1, scores.shape[1])
        nn.init.zeros_(self.last.weight)
        self.last.bias.data = scores[0].clone()
        self.end = end

    def forward(self, images: Tensor) -> Tensor:
        """Return what the end makes of the scores."""
        ended: Tensor = self.end(self.last(images.mean((1, 2, 3))[:, None]))
        return ended


class Calls(nn.Module):
    """A function as a layer."""

    def __init__(self, function: object) -> None:
        super().__init__()
        self.function = function

    def forward(self, scores: Tensor) -> object:
        """Return what the function returns."""
        return self.function(scores)  # type: ignore[operator]


def predicted(model: nn.Module, *, classes: int = 3, output: str = "") -> Prediction:
    """The prediction, with the model's own survey."""
    names = tuple("abc"[:classes])
    subject = Subject(model, lambda _: IMAGES, lambda _: photo(0).image, names, output)
    layers = LayerActivations(model, "cpu")
    rows, _ = survey_with_layouts(layers, (IMAGES,), operations=True)
    found = predict(layers, subject, photo(0), rows)
    shares = probabilities(layers, subject, photo(0), rows)
    assert (shares is None) == (not found.top)
    assert found.top == () or found.top[0][1] == pytest.approx(float(np.max(shares)))  # type: ignore[arg-type]
    return found


SOFT = SCORES.softmax(1)[0]


@pytest.mark.parametrize(
    ("end", "meaning", "shares"),
    [
        (nn.Identity(), LOGITS, SOFT),
        (nn.Softmax(1), PROBABILITIES, SOFT),
        (nn.LogSoftmax(1), LOG_PROBABILITIES, SOFT),
        (nn.Sigmoid(), LABELS, SCORES.sigmoid()[0]),
        (Calls(torch.sigmoid), LABELS, SCORES.sigmoid()[0]),
        (Calls(torch.special.expit), LABELS, SCORES.sigmoid()[0]),
        (Calls(lambda scores: scores.sigmoid().squeeze()), LABELS, SCORES.sigmoid()[0]),
        (Calls(lambda scores: 1 / (1 + torch.exp(-scores))), LABELS, SCORES.sigmoid()[0]),
        (Calls(lambda scores: (1 + torch.exp(-scores)) ** -1), LABELS, SCORES.sigmoid()[0]),
        (Calls(lambda scores: torch.reciprocal(1 + scores.neg().exp())), LABELS, SCORES.sigmoid()[0]),
        (Calls(lambda scores: torch.tanh(scores / 2) * 0.5 + 0.5), LABELS, SCORES.sigmoid()[0]),
        (Calls(lambda scores: nn.functional.logsigmoid(scores).exp()), LABELS, SCORES.sigmoid()[0]),
        (Calls(lambda scores: torch.exp(-nn.functional.softplus(-scores))), LABELS, SCORES.sigmoid()[0]),
        (Calls(lambda scores: scores.exp() / scores.exp().sum(1, keepdim=True)), PROBABILITIES, SOFT),
        (Calls(lambda scores: (scores.softmax(1),)), PROBABILITIES, SOFT),
        (
            Calls(lambda scores: (scores * scores.sigmoid()).softmax(1).squeeze()),
            PROBABILITIES,
            (SCORES * SCORES.sigmoid()).softmax(1)[0],
        ),
        (
            Calls(lambda scores: scores.sigmoid() / scores.sigmoid().sum(1, keepdim=True)),
            PROBABILITIES,
            (SCORES.sigmoid() / SCORES.sigmoid().sum())[0],
        ),
        (
            Calls(lambda scores: {"logits": scores, "hidden": scores[..., None, None] * torch.ones(2, 2)}),
            LOGITS,
            SOFT,
        ),
        (Calls(lambda scores: scores[:, :, None, None]), LOGITS, SOFT),
        (Calls(lambda scores: scores[:, None]), LOGITS, SOFT),
        (Calls(lambda scores: {"logits": scores, "pooled": scores + 1}), LOGITS, SOFT),
        (
            Calls(lambda scores: {"cls_logits": -scores, "logits": scores, "token_logits": 0 * scores}),
            LOGITS,
            SOFT,
        ),
        (Calls(lambda scores: scores.sigmoid() * 4), LOGITS, (SCORES.sigmoid() * 4).softmax(1)[0]),
    ],
)
def test_a_share_is_what_the_model_means(end: nn.Module, meaning: str, shares: Tensor) -> None:
    """Best first; torch's own functions say which share belongs to which class."""
    found = predicted(Ending(end))
    assert (found.meaning, found.classes) == (meaning, (1, 2, 0))
    expected = shares[list(found.classes)]
    torch.testing.assert_close(torch.tensor([share for _, share in found.top]), expected, check_dtype=False)


def test_one_output_is_a_probability_only_behind_a_sigmoid() -> None:
    """One number alone is never "100 %"."""
    one = torch.tensor([[0.3]])
    behind = predicted(Ending(nn.Sigmoid(), one), classes=1)
    assert behind.top == (("a", pytest.approx(float(torch.sigmoid(one)))),)
    by_hand = predicted(Ending(Calls(lambda scores: 1 / (1 + torch.exp(-scores))), one), classes=1)
    assert by_hand.top == (("a", pytest.approx(float(torch.sigmoid(one)))),)
    squeezed = predicted(Ending(Calls(lambda scores: scores.sigmoid().squeeze()), one), classes=1)
    assert squeezed.top == behind.top
    alone = predicted(Ending(nn.Identity(), one), classes=1)
    assert (alone.top, alone.meaning) == ((), NUMBER)
    assert alone.problem == "This model returns one number, which is no probability."


@pytest.mark.parametrize(
    ("output", "classes", "meaning", "problem"),
    [
        (
            [{"boxes": torch.zeros(0, 4), "labels": torch.zeros(0).long(), "scores": torch.zeros(0)}],
            3,
            BOXES,
            "boxes",
        ),
        ({"pred_logits": torch.zeros(1, 10, 3), "pred_boxes": torch.zeros(1, 10, 4)}, 3, BOXES, "boxes"),
        ({"out": torch.zeros(1, 3, 8, 8)}, 3, MASKS, "for each place"),
        ({"pred_masks": torch.zeros(1, 1, 3, 8, 8)}, 3, MASKS, "for each place"),
        (torch.tensor([[1.0, torch.nan, 2.0]]), 3, UNDEFINED, "no numbers"),
        (torch.full((1, 3), -torch.inf), 3, UNDEFINED, "no numbers"),
        ((SCORES, SCORES + 1), 3, SEVERAL, "several tensors"),
        (torch.zeros(1, 5), 3, MISNAMED, "another number of scores than there are names"),
        (torch.zeros(1, 3), 0, "", "does not name classes"),
        (torch.zeros(1, 7, 8, 8), 3, MASKS, "for each place"),
        (torch.zeros(1, 1, 8, 8), 2, MASKS, "for each place"),
        ([torch.zeros(()), torch.ones(())], 2, SEVERAL, "several tensors"),
        ({"a": torch.zeros(()), "b": torch.ones(())}, 2, SEVERAL, "several tensors"),
        (torch.zeros(()), 2, MISNAMED, "another number of scores than there are names"),
        ({"hidden": torch.zeros(1, 4, 5), "loss": torch.ones(())}, 1, "", "no score for each of its classes"),
        ({"state": torch.zeros(1, 4, 5), "attentions": torch.ones(1, 2, 4, 4)}, 3, "", "no score for each"),
        (torch.tensor(1), 3, "", "no score for each of its classes"),
        ("a cat", 3, "", "no score for each of its classes"),
        (None, 3, "", "no score for each of its classes"),
        (torch.zeros(1, 7, 8, 8), 0, "", "does not name classes"),
        ({"logits": torch.zeros(1, 16, 12), "mask": torch.ones(1, 16)}, 0, "", "does not name classes"),
        (
            {"masked_scores": torch.zeros(1, 16, 12), "attention_mask": torch.ones(1, 1, 16, 16)},
            0,
            "",
            "does not name classes",
        ),
        ({"masks_queries_logits": torch.zeros(1, 9, 8, 8)}, 3, MASKS, "for each place"),
    ],
    ids=[
        "detector",
        "DETR",
        "segmentation",
        "masks",
        "NaN",
        "all excluded",
        "two",
        "names",
        "unnamed",
        "maps",
        "one mask",
        "list of numbers",
        "numbers by name",
        "one number",
        "loss",
        "attention maps",
        "argmax",
        "text",
        "nothing",
        "unnamed maps",
        "masked tokens",
        "attention",
        "queries",
    ],
)
def test_a_model_without_shares_says_why(output: object, classes: int, meaning: str, problem: str) -> None:
    """It says what it returns in their place, and no more than is known."""
    found = predicted(Ending(Calls(lambda _: output)), classes=classes)
    assert (found.top, found.meaning) == ((), meaning)
    assert problem in found.problem


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (nn.Identity(), "logit 3"),
        (nn.Softmax(1), f"probability {SOFT[1]:.4g}"),
        (nn.Sigmoid(), f"probability {SCORES[0, 1].sigmoid():.4g}"),
        (nn.LogSoftmax(1), f"log-probability −{-SOFT[1].log():.4g}"),
    ],
)
def test_a_gradient_says_of_what_number_it_is(end: nn.Module, said: str) -> None:
    """A probability is not called a logit."""
    model = Ending(end)
    subject = Subject(model, lambda _: IMAGES, lambda _: photo(0).image, ("a", "b", "c"))
    layers = LayerActivations(model, "cpu")
    rows, _ = survey_with_layouts(layers, (IMAGES,), operations=True)
    found = capture_gradients(layers, subject, (IMAGES,), ["last"], 1, rows=rows)["last"]
    assert found.score_of == f"class 'b' ({said})"


def test_labels_before_their_sigmoid_can_be_set() -> None:
    """No value tells them from logits; large ones do not overflow."""
    scores = torch.tensor([[1000.0, -1000.0, 0.5]])
    found = predicted(Ending(nn.Identity(), scores), output=LABEL_LOGITS)
    assert [name for name, _ in found.top] == ["a", "c", "b"]
    expected = scores.double().sigmoid()[0, list(found.classes)]
    torch.testing.assert_close(torch.tensor([share for _, share in found.top]).double(), expected)


def test_a_class_that_is_excluded_has_no_share() -> None:
    """Minus infinity before a softmax; the shares of the others add up to 1."""
    excluded = torch.tensor([[1.0, -torch.inf, 2.0]])
    found = predicted(Ending(nn.Identity(), excluded))
    assert found.top[-1] == ("b", 0.0)
    assert sum(share for _, share in found.top) == pytest.approx(1)


def test_a_gate_before_the_last_weights_is_no_sigmoid_of_the_classes() -> None:
    """Small positive logits stay logits."""
    small = torch.tensor([[0.1, 0.3, 0.2]])
    model = nn.Sequential(nn.Conv2d(3, 1, 1), nn.Sigmoid(), Ending(nn.Identity(), small))
    assert predicted(model).meaning == LOGITS


@pytest.mark.parametrize("meaning", MEANINGS)
def test_what_is_said_of_a_model_goes_first(meaning: str) -> None:
    """The look of the values does not matter."""
    assert predicted(Ending(nn.Softmax(1)), output=meaning).meaning == meaning


def test_removing_a_channel_changes_probabilities_by_what_they_differ() -> None:
    """No softmax is put over the probabilities that the model returns."""
    before, after = np.array([0.7, 0.2, 0.1], np.float32), np.array([0.4, 0.5, 0.1], np.float32)
    part = AblationPart(range(1), after[None], before, 1, 1, 0.1)
    changes = ablation_facts(part, ("a", "b", "c")).changes
    np.testing.assert_allclose(changes.probabilities, [after - before], atol=1e-6)
    np.testing.assert_allclose(changes.logits, [after - before], atol=1e-6)


def test_half_precision_adds_up_nearly() -> None:
    """A thousand classes' probabilities, rounded to half precision, are still probabilities."""
    shares = torch.randn(1000, generator=torch.Generator().manual_seed(0)).softmax(0).half().numpy()
    assert output_meaning(shares) == PROBABILITIES
    assert class_shares(shares, NUMBER) is None
