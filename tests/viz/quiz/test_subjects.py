"""Subjects of the page's quiz: pictures for nets that see, waveforms for one that reads signals."""

import models
from tests.viz.quiz.asking import engine
from viz.quiz.scene import reads_signals
from viz.quiz.subjects import EASY_NETS, NETS, PHOTOS, SIGNALS, quiz_task
from viz.views.whole_model import Survey


def test_a_net_reads_signals_if_its_layers_slide_along_one() -> None:
    """As its input says: one row of brightness, and not a picture of three colours."""
    for net in {*NETS, *EASY_NETS}:
        rows = engine().do(Survey(net, "pretrained"), visitor="test").result()
        card = models.describe(net)
        assert reads_signals(rows) == any(
            type(layer).__name__ == "Conv1d" for layer in models.load(net).modules()
        )
        assert card.id == net


def test_signalnet_is_asked_about_waveforms_and_no_photo() -> None:
    """Nobody is told that it ran on an astronaut; the others never see a waveform."""
    asked = [
        engine().do(quiz_task(seed, number, "middle"), visitor="test").result()
        for seed in range(4)
        for number in range(8)
    ]
    shown = {
        signal: {each.sample for each in asked if (each.model == "signalnet") == signal}
        for signal in (True, False)
    }
    assert shown[True]
    assert shown[True] <= set(SIGNALS)
    assert shown[False] <= set(PHOTOS)
