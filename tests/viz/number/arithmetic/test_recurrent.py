"""One number of RNN, LSTM and GRU: against the same layer in double precision, and a step by hand."""

import pytest
import torch
from torch import nn

from tests.viz.number.arithmetic.every_cell import check_against_double, shifted
from viz.number.arithmetic import explain


def _random(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.mark.filterwarnings("ignore:LSTM with projections is not supported with oneDNN")
@pytest.mark.parametrize(
    "layer",
    [
        nn.LSTM(3, 4),
        nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True),
        nn.LSTM(3, 4, bias=False, proj_size=2, num_layers=2),
        nn.GRU(3, 4, num_layers=2, bidirectional=True),
        nn.GRU(3, 4, bias=False, batch_first=True, dropout=0.5, num_layers=2),
        nn.RNN(3, 4, num_layers=2),
        nn.RNN(3, 4, nonlinearity="relu", bidirectional=True),
    ],
    ids=str,
)
def test_every_number_of_every_output_is_the_layers_own(layer: nn.RNNBase) -> None:
    """Sequence and last states; in batches and alone; from zeros and from given states."""
    found = check_against_double(layer, [_random(4, 2, 3)])
    assert {each.kind for cells in found.values() for each in cells.values()} == {"recurrent"}
    check_against_double(layer, [_random(4, 3)])
    directions, batch = (2 if layer.bidirectional else 1) * layer.num_layers, 4 if layer.batch_first else 2
    states = [_random(directions, batch, layer.proj_size or 4)]
    if isinstance(layer, nn.LSTM):
        states.append(_random(directions, batch, 4))
    begun = tuple(states) if len(states) > 1 else states[0]
    check_against_double(layer, [_random(4, 2, 3)], {"hx": begun})


@pytest.mark.parametrize(
    "layer",
    [
        nn.LSTMCell(3, 4),
        nn.GRUCell(3, 4, bias=False),
        nn.RNNCell(3, 4),
        nn.RNNCell(3, 4, nonlinearity="relu"),
    ],
    ids=str,
)
def test_one_step_of_a_cell_is_explained_alone_and_in_a_batch(layer: nn.RNNCellBase) -> None:
    """With the state that it was given, or zeros."""
    for rows in ((2,), ()):
        state = _random(*rows, 4)
        begun = (state, _random(*rows, 4) * 2) if isinstance(layer, nn.LSTMCell) else state
        check_against_double(layer, [_random(*rows, 3)])
        check_against_double(layer, [_random(*rows, 3), begun])


def test_the_gates_of_an_lstm_are_those_of_its_definition() -> None:
    """The second step by hand, with the state that the layer itself has after the first."""
    layer, sequence = nn.LSTM(3, 4), _random(2, 1, 3)
    with torch.no_grad():
        _, (state, memory) = layer(sequence[:1])
        output, _ = layer(sequence)
        sums = sequence[1] @ layer.weight_ih_l0.T + state[0] @ layer.weight_hh_l0.T
        i, f, g, o = (sums + layer.bias_ih_l0 + layer.bias_hh_l0)[0].view(4, 4)
    found = explain(layer, [sequence], output, (1, 0, 2), leaf="output[0]")
    numbers = dict(found.numbers)
    assert numbers["i"] == pytest.approx(float(i.sigmoid()[2]), abs=1e-6)
    assert numbers["f"] == pytest.approx(float(f.sigmoid()[2]), abs=1e-6)
    assert numbers["g"] == pytest.approx(float(g.tanh()[2]), abs=1e-6)
    assert numbers["o"] == pytest.approx(float(o.sigmoid()[2]), abs=1e-6)
    assert numbers["c"] == pytest.approx(float(memory[0, 0, 2]), abs=1e-6)
    assert found.text.startswith("layer 0, step 1: i = ")


def test_a_wrong_number_of_a_long_sequence_is_still_found() -> None:
    """The errors of two hundred steps do not add up to a part in ten thousand."""
    layer, sequence = nn.LSTM(8, 16, num_layers=2), _random(200, 1, 8)
    with torch.no_grad():
        output, _ = layer(sequence)
    for step, unit in ((0, 3), (100, 0), (199, 7)):
        cell = (step, 0, unit)
        right = explain(layer, [sequence], output, cell, leaf="output[0]")
        assert right.agrees
        wrong = explain(layer, [sequence], shifted(output, cell, 1e-4), cell, leaf="output[0]")
        assert not wrong.agrees


def test_packed_sequences_are_not_explained() -> None:
    """Their rows are of different lengths."""
    layer, sequence = nn.GRU(3, 4), _random(4, 2, 3)
    packed = nn.utils.rnn.pack_padded_sequence(sequence, torch.tensor([4, 3]))
    output, _ = layer(packed)
    for given in ([packed], [packed, torch.zeros(1, 2, 4)]):
        found = explain(layer, given, output.data.detach(), (0, 0), leaf="output[0].data")
        assert not found.explained
        assert "GRU" in found.reason
