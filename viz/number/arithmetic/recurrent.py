"""One number of a recurrent layer: the gates of one step.

The steps before it are computed here too, in double precision, with the errors that the layer's own numbers
gather on the way.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from ...findings.explanation import Explanation
from ...sentences import Sentence, counted
from .bounds import BoundedValues, exact, sigmoid, tanh
from .explanation import bracketed, doubles, product_text, short

RECURRENT: tuple[type[nn.Module], ...] = (nn.RNNBase, nn.RNNCellBase)
_PARTS = {"LSTM": 4, "GRU": 3}  # of a plain RNN there is one

_SHOWN = 4  # products in a line of text
_FORMULAS = {
    "LSTM": Sentence(
        "o × tanh(f × c + i × g); i, f, o: sigmoid, g: tanh of Σ input × weight + Σ state × weight + bias"
    ),
    "GRU": Sentence(
        "(1 − z) × n + z × h; r, z: sigmoid of Σ input × weight + Σ state × weight + bias; "
        "n: tanh, with r × Σ state"
    ),
    "RNN_TANH": Sentence("tanh(Σ input × weight + Σ state × weight + bias)"),
    "RNN_RELU": Sentence("max(0, Σ input × weight + Σ state × weight + bias)"),
}
_MEMORY = Sentence("f × c + i × g; i, f: sigmoid, g: tanh of Σ input × weight + Σ state × weight + bias")

Begun = Sequence[Tensor | None]
"""The states before the first step, zeros where there is none: the state, then an LSTM's cell state."""


class _Weights(NamedTuple):
    """Weights and biases of one step, for its input and state."""

    inputs: Tensor
    state: Tensor
    input_bias: Tensor | None
    state_bias: Tensor | None
    projection: Tensor | None = None


class _Step(NamedTuple):
    """The state after one step, an LSTM's cell state, and their parts.

    ``projected`` has the state (units) before an LSTM's projection, and the projection's weights.
    """

    state: BoundedValues
    memory: BoundedValues
    parts: dict[str, BoundedValues]
    projected: tuple[Tensor, Tensor] | None = None


def recurrent(
    layer: Any, inputs: Sequence[Any], keywords: Mapping[str, Any], leaf: str, cell: tuple[int, ...]
) -> Explanation | None:
    """Return the explanation of one cell of a recurrent layer's output.

    None for packed sequences, whose rows are of different lengths.

    Source: Hochreiter and Schmidhuber, Long short-term memory (1997); Cho et al., Learning phrase
    representations using RNN encoder-decoder (2014), section 2.3.
    """
    given = {**dict(zip(("input", "hx"), inputs, strict=False)), **keywords}
    if not isinstance(given["input"], Tensor):
        return None
    states = given.get("hx")
    begun = states if isinstance(states, tuple | list) else (states,)
    found = _of_one_step if isinstance(layer, nn.RNNCellBase) else _of_layers
    return found(layer, given["input"], begun, leaf, cell)


def _of_one_step(layer: Any, inputs: Tensor, begun: Begun, leaf: str, cell: tuple[int, ...]) -> Explanation:
    row = cell[:-1]  # empty without a batch
    weights = _Weights(layer.weight_ih, layer.weight_hh, layer.bias_ih, layer.bias_hh)
    own = [None if each is None else each[row] for each in begun]
    step = _steps(_mode(layer), exact(inputs[row][None]), own, weights)[0]
    return _explained(_mode(layer), step, "", cell[-1], memory=leaf.endswith("[1]"))


def _of_layers(layer: Any, inputs: Tensor, begun: Begun, leaf: str, cell: tuple[int, ...]) -> Explanation:
    alone = inputs.ndim == 2  # noqa: PLR2004  (one sequence without a batch)
    batch = 0 if layer.batch_first else 1
    whole = not leaf.startswith("output[1]")
    if whole:
        row, unit = 0 if alone else cell[batch], cell[-1] % (layer.proj_size or layer.hidden_size)
        depth, direction = layer.num_layers - 1, cell[-1] // (layer.proj_size or layer.hidden_size)
    else:
        row, unit = 0 if alone else cell[1], cell[-1]
        depth, direction = divmod(cell[0], 2 if layer.bidirectional else 1)
    sequence = inputs if alone else inputs.select(batch, row)
    own = [each if each is None or alone else each[:, row] for each in begun]
    steps = _run(layer, exact(sequence), own, depth)[direction]
    ends = 0 if direction else len(steps) - 1
    at = (cell[0] if alone or batch else cell[1]) if whole else ends
    where = f"layer {depth}{', backward' if direction else ''}, step {at}: "
    return _explained(_mode(layer), steps[at], where, unit, memory=leaf == "output[1][1]")


def _run(layer: Any, sequence: BoundedValues, begun: Begun, wanted: int) -> list[list[_Step]]:
    """Return one layer's steps for each direction, in the sequence's order."""
    directions = 2 if layer.bidirectional else 1
    found: list[list[_Step]] = []
    for depth in range(wanted + 1):
        below, found = sequence if not found else _joined(found), []
        for direction in range(directions):
            own = [None if each is None else each[depth * directions + direction] for each in begun]
            turned = BoundedValues(below.values.flip(0), below.errors.flip(0)) if direction else below
            steps = _steps(_mode(layer), turned, own, _weights(layer, depth, direction))
            found.append(steps[::-1] if direction else steps)
    return found


def _joined(directions: Sequence[Sequence[_Step]]) -> BoundedValues:
    """Return the states of all steps, both directions side by side."""
    values = [torch.stack([step.state.values for step in steps]) for steps in directions]
    errors = [torch.stack([step.state.errors for step in steps]) for steps in directions]
    return BoundedValues(torch.cat(values, 1), torch.cat(errors, 1))


def _mode(layer: Any) -> str:
    """Return LSTM, GRU, RNN_TANH or RNN_RELU."""
    if isinstance(layer, nn.RNNBase):
        return layer.mode
    names = {nn.LSTMCell: "LSTM", nn.GRUCell: "GRU"}
    known = next((name for kind, name in names.items() if isinstance(layer, kind)), None)
    return known or f"RNN_{layer.nonlinearity.upper()}"


def _weights(layer: Any, depth: int, direction: int) -> _Weights:
    ending = f"_l{depth}{'_reverse' if direction else ''}"
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
    found: list[Any] = [getattr(layer, name + ending, None) for name in names]
    return _Weights(*found)


def _steps(mode: str, sequence: BoundedValues, begun: Begun, weights: _Weights) -> list[_Step]:
    """Return the steps through a sequence (L, inputs), one after another."""
    weights = _Weights(*(each if each is None else doubles(each) for each in weights))  # type: ignore[arg-type]
    zeros = (weights.state.shape[1], weights.inputs.shape[0] // _PARTS.get(mode, 1))
    start = [
        torch.zeros(size) if each is None else each for each, size in zip((*begun, None), zeros, strict=False)
    ]
    state, memory = exact(start[0]), exact(start[1])
    from_inputs = sequence.through(weights.inputs, weights.input_bias)
    steps = []
    for place in range(len(sequence.values)):
        sums = from_inputs[place], state.through(weights.state, weights.state_bias)
        step = (
            _lstm(*sums, memory)
            if mode == "LSTM"
            else _gru(*sums, state)
            if mode == "GRU"
            else _rnn(mode, *sums)
        )
        if weights.projection is not None:
            made = step.state.values, weights.projection
            step = step._replace(state=step.state.through(weights.projection), projected=made)
        state, memory = step.state, step.memory
        steps.append(step)
    return steps


def _lstm(from_input: BoundedValues, from_state: BoundedValues, before: BoundedValues) -> _Step:
    size = len(before.values)
    i, f, g, o = ((from_input + from_state)[at * size : (at + 1) * size] for at in range(4))
    gates = {"i": sigmoid(i), "f": sigmoid(f), "g": tanh(g), "o": sigmoid(o)}
    memory = gates["f"] * before + gates["i"] * gates["g"]
    return _Step(gates["o"] * tanh(memory), memory, {**gates, "c": before})


def _gru(from_input: BoundedValues, from_state: BoundedValues, before: BoundedValues) -> _Step:
    size = len(before.values)
    inputs, states = (
        [each[at * size : (at + 1) * size] for at in range(3)] for each in (from_input, from_state)
    )
    r, z = sigmoid(inputs[0] + states[0]), sigmoid(inputs[1] + states[1])
    n = tanh(inputs[2] + r * states[2])
    kept = BoundedValues(1 - z.values, z.errors + 1)
    return _Step(kept * n + z * before, before, {"r": r, "z": z, "n": n, "h": before})


def _rnn(mode: str, from_input: BoundedValues, from_state: BoundedValues) -> _Step:
    total = from_input + from_state
    state = tanh(total) if mode == "RNN_TANH" else BoundedValues(total.values.relu(), total.errors)
    return _Step(state, state, {"Σ input × weight": from_input, "Σ state × weight": from_state})


def _explained(mode: str, step: _Step, where: str, unit: int, *, memory: bool) -> Explanation:
    found = step.memory if memory else step.state
    total = float(found.values[unit])
    if step.projected and not memory:
        return _projection(step.projected, where, unit, (total, float(found.errors[unit])))
    shown = {name: float(part.values[unit]) for name, part in step.parts.items()}
    listed = ", ".join(f"{name} = {short(value)}" for name, value in shown.items())
    return Explanation(
        "recurrent",
        _MEMORY if memory else _FORMULAS[mode],
        f"{where}{listed}; {_written(mode, shown, memory=memory)} = {short(total)}",
        total,
        float(found.errors[unit]),
        numbers=tuple(shown.items()),
    )


def _projection(
    made: tuple[Tensor, Tensor], where: str, unit: int, found: tuple[float, float]
) -> Explanation:
    """Return the explanation of a number of an LSTM's projected state."""
    states, weights = made[0], doubles(made[1][unit])
    order = (states * weights).abs().argsort(descending=True, stable=True)[:_SHOWN].tolist()
    terms = [product_text(float(states[at]), float(weights[at])) for at in order]
    more = [f"… ({len(states) - _SHOWN} more)"] if len(states) > _SHOWN else []
    formula = counted("unit × weight", "Σ over {count} units: o × tanh(c) × weight", count=len(states))
    text = f"{where}{' + '.join([*terms, *more])} = {short(found[0])}"
    return Explanation("recurrent", formula, text, *found)


def _written(mode: str, part: Mapping[str, float], *, memory: bool) -> str:
    number = {name: bracketed(value) for name, value in part.items()}
    if mode == "LSTM":
        inside = f"{number['f']} × {number['c']} + {number['i']} × {number['g']}"
        return inside if memory else f"{number['o']} × tanh({inside})"
    if mode == "GRU":
        return f"(1 − {number['z']}) × {number['n']} + {number['z']} × {number['h']}"
    sums = " + ".join(number.values())
    return f"tanh({sums})" if mode == "RNN_TANH" else f"max(0, {sums})"
