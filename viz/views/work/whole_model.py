"""Predictions of a model, and the effect of edits on them."""

from dataclasses import replace

from ...answers.model import PredictionChange
from ...engine.task import Bench
from ...findings.edit_effects import prediction_changes
from ...passes.forward import predict, probabilities
from ...request.inspection import Prediction
from ..whole_model import Changes, Predict


def prediction(task: Predict, bench: Bench) -> Prediction:
    """The most probable classes of the task's picture."""
    loaded = bench.loaded(task.model, task.weights)
    return predict(loaded.layers, loaded.subject, task.photo, loaded.rows)


def changes(task: Changes, bench: Bench) -> tuple[PredictionChange, ...]:
    """Return the effects of the edits on the most probable classes.

    There are none if there are no classes.
    """
    loaded = bench.loaded(task.wanted.model, task.wanted.weights)
    with loaded.as_wanted(replace(task.wanted, show="before").forward, task.photo):
        before = probabilities(loaded.layers, loaded.subject, task.photo, loaded.rows)
    with loaded.as_wanted(task.wanted.forward, task.photo):
        after = probabilities(loaded.layers, loaded.subject, task.photo, loaded.rows)
    if before is None or after is None:
        return ()
    return prediction_changes(before, after, loaded.subject.classes)
