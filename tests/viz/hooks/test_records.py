"""Records: calls in order, ambiguity as an error, and tensors as arrays."""

import numpy as np
import pytest
import torch

from viz.errors import CallError, LayoutError
from viz.hooks.records import Call, LayerRecord, to_array


def record_of(*outputs: object) -> LayerRecord:
    """Return the record of a layer that returned these values."""
    record = LayerRecord("relu")
    for output in outputs:
        record.append(Call(output, inputs=(output,), keywords={}))
    return record


def test_a_record_is_a_sequence_of_calls() -> None:
    """Length, index from either end, slice, iteration."""
    record = record_of(1, 2, 3)
    assert len(record) == 3
    assert (record[0].output, record[-1].output) == (1, 3)
    assert [call.output for call in record] == [1, 2, 3]
    assert [call.output for call in record[1:]] == [2, 3]
    assert [call.output for call in reversed(record)] == [3, 2, 1]


def test_the_only_call_answers_for_the_layer() -> None:
    """Output, inputs and keywords without an index."""
    record = record_of("value")
    assert (record.output, record.inputs, record.keywords) == ("value", ("value",), {})


@pytest.mark.parametrize("part", ["output", "inputs", "keywords", "gradient", "input_gradients", "only"])
@pytest.mark.parametrize(("outputs", "said"), [((), "never ran"), ((1, 2), "ran 2 times")])
def test_an_ambiguous_call_is_an_error_that_says_how_many(part: str, outputs: tuple[int], said: str) -> None:
    """That is so if there is none, and if there are several."""
    with pytest.raises(CallError, match=f"'relu' {said}"):
        getattr(record_of(*outputs), part)


def test_a_call_that_was_not_made_is_an_error_that_says_how_many_were() -> None:
    """Not a bare IndexError."""
    with pytest.raises(CallError, match="no call 2 of layer 'relu': it ran once"):
        _ = record_of(1)[2]


def test_a_record_shows_its_shapes() -> None:
    """The text in a notebook is short."""
    shown = repr(record_of((torch.ones(2, 3), "word")))
    assert shown == "LayerRecord('relu', [Call(output[0] (2, 3))])"


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (torch.float16, np.float32),
        (torch.bfloat16, np.float32),
        (torch.float8_e5m2, np.float32),
        (torch.float32, np.float32),
        (torch.float64, np.float64),
        (torch.complex64, np.complex64),
        (torch.int64, np.int64),
        (torch.uint8, np.uint8),
        (torch.bool, np.bool_),
    ],
)
def test_every_dtype_becomes_an_array(dtype: torch.dtype, expected: type[np.generic]) -> None:
    """Half precision is widened, the rest keeps its type."""
    array = to_array(torch.tensor([0, 1, 1]).to(dtype))
    assert array.dtype == expected
    assert array.tolist() == [0, 1, 1]


def test_infinities_of_half_precision_stay_infinite() -> None:
    """Widening does not bring an overflow back."""
    array = to_array(torch.tensor([70000.0, -70000.0, float("nan")]).half())
    assert np.isposinf(array[0])
    assert np.isneginf(array[1])
    assert np.isnan(array[2])


@pytest.mark.parametrize(
    "tensor",
    [
        torch.eye(3).to_sparse(),
        torch.eye(3, requires_grad=True),
        torch.eye(3).conj(),
        torch.complex(torch.eye(3), torch.zeros(3, 3)).conj().real,
        torch.eye(3).expand(3, 3).t(),
    ],
)
def test_every_layout_becomes_a_dense_array(tensor: torch.Tensor) -> None:
    """Sparse, part of a graph, lazily conjugated, transposed."""
    assert np.array_equal(to_array(tensor), np.eye(3))


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor:UserWarning")
def test_quantised_values_are_dequantised() -> None:
    """The stored integers times the scale."""
    quantised = torch.quantize_per_tensor(torch.tensor([0.0, 0.5, 1.0]), 0.25, 0, torch.quint8)
    assert to_array(quantised).tolist() == [0.0, 0.5, 1.0]


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors:UserWarning")
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: torch.ones(2, device="meta"), "no values"),
        (lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]), "different lengths"),
    ],
)
def test_a_tensor_that_cannot_be_an_array_says_why(make: object, said: str) -> None:
    """The tensor has no values, or no single shape."""
    with pytest.raises(LayoutError, match=said):
        to_array(make())
