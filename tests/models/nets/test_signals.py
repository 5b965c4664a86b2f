"""Waveforms, the pictures that carry them, and the net that tells them apart."""

import numpy as np
import pytest
import torch
from PIL import Image

import models
from models.nets.signal_preprocessing import SignalPreprocessing
from models.nets.signalnet import SignalNet
from models.nets.waveforms import KINDS, LENGTH, strip, waveform


@pytest.mark.parametrize("kind", KINDS)
def test_a_waveform_is_float32_between_minus_one_and_one(kind: str) -> None:
    """And never flat."""
    values = waveform(kind, np.random.default_rng(0))
    assert values.shape == (LENGTH,)
    assert values.dtype == np.float32
    assert np.abs(values).max() <= 1
    assert values.std() > 0.05


@pytest.mark.parametrize("kind", KINDS)
def test_chance_decides_and_a_seed_decides_chance(kind: str) -> None:
    """The same seed gives the same waveform, another seed gives another."""
    first, same, other = (waveform(kind, np.random.default_rng(seed)) for seed in (4, 4, 5))
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


def test_a_sine_has_one_frequency_and_noise_has_all() -> None:
    """Against a Fourier transform: where the energy lies."""

    def share_of_the_strongest(kind: str) -> float:
        power = np.abs(np.fft.rfft(waveform(kind, np.random.default_rng(2)))) ** 2
        return float(np.sort(power)[-3:].sum() / power.sum())

    assert share_of_the_strongest("sine") > 0.8
    assert share_of_the_strongest("noise") < 0.2


def test_a_square_wave_has_two_levels_and_a_sawtooth_has_all() -> None:
    """Counted without the noise that every waveform has."""
    random = np.random.default_rng(3)
    square, sawtooth = (waveform(kind, random) for kind in ("square", "sawtooth"))
    assert np.mean(np.abs(square) > 0.6 * np.abs(square).max()) > 0.9
    assert np.mean(np.abs(sawtooth) > 0.6 * np.abs(sawtooth).max()) < 0.6


def test_a_waveform_survives_its_journey_as_a_picture() -> None:
    """To within half a grey level."""
    signal = waveform("chirp", np.random.default_rng(0))
    picture = strip(signal)
    assert picture.mode == "RGB"
    assert picture.size == (LENGTH, 32)
    read = SignalPreprocessing(LENGTH)(picture)
    assert read.shape == (1, 1, LENGTH)
    assert np.abs(read[0, 0].numpy() - signal).max() <= 0.5 / 127.5 + 1e-6


def test_any_picture_can_be_read_as_a_signal() -> None:
    """Black is -1, white is 1, and each value is the mean of its columns."""
    picture = Image.new("RGB", (600, 400), "black")
    picture.paste((255, 255, 255), (300, 0, 600, 400))
    picture.paste((255, 255, 255), (0, 0, 300, 200))
    read = SignalPreprocessing(6)(picture)
    assert torch.allclose(read[0, 0], torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), atol=0.01)


def test_a_picture_without_pixels_is_refused() -> None:
    """The other preprocessing refuses it too."""
    with pytest.raises(models.PictureError, match="0 by 3"):
        SignalPreprocessing(8)(Image.new("RGB", (0, 3)))


def test_what_the_model_saw_is_a_curve() -> None:
    """High values are drawn high, low ones low, two pixels wide each."""
    seen = SignalPreprocessing(4).as_seen(torch.tensor([[[1.0, 1.0, -1.0, -1.0]]]))
    ink = np.asarray(seen.convert("L")) < 120
    rows = [np.nonzero(ink[:, column])[0].mean() for column in (1, 7)]
    assert seen.size == (8, 128)
    assert rows[0] < 20
    assert rows[1] > 108


@pytest.mark.parametrize("length", [16, 100, 256, 1000])
def test_the_net_takes_signals_of_any_length(length: int) -> None:
    """One score for each kind of waveform."""
    assert SignalNet().eval()(torch.zeros(2, 1, length)).shape == (2, len(KINDS))


def test_the_nets_layers_are_known_by_number_as_in_the_sources() -> None:
    """Convolution, ReLU, convolution, ReLU, convolution, normalisation, pooling, ReLU."""
    kinds = [type(layer).__name__ for layer in SignalNet().features]
    assert kinds == ["Conv1d", "ReLU", "Conv1d", "ReLU", "Conv1d", "BatchNorm1d", "MaxPool1d", "ReLU"]


def test_the_trained_net_names_waveforms_that_it_has_never_seen() -> None:
    """Through the picture and the card's own preprocessing, as on the page."""
    net, card, random = models.load("signalnet"), models.describe("signalnet"), np.random.default_rng(99)
    right = 0
    for kind in KINDS * 10:
        scores = net(card.preprocessing(strip(waveform(kind, random))))
        right += card.classes[int(scores.argmax())] == kind
    assert right >= 72
