"""ONNX models: names, shapes and numbers as protobuf itself writes them, and damaged ones refused."""

import pytest
import torch
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message

import models
from models.own.formats.onnx_file import nodes_of
from models.own.opening.outline import outline_of
from models.own.state_reading import table_of
from models.own.uploaded_state import tensors

KINDS = {"int": 3, "text": 9, "bytes": 12, "floats": 2, "doubles": 1}  # protobuf's own numbers of types
REPEATED = 3
SCHEMA = {
    "Tensor": [
        ("dims", 1, "int", 3),
        ("data_type", 2, "int", 1),
        ("float_data", 4, "floats", 3),
        ("int32_data", 5, "int", 3),
        ("name", 8, "text", 1),
        ("raw_data", 9, "bytes", 1),
        ("double_data", 10, "doubles", 3),
        ("data_location", 14, "int", 1),
    ],
    "Node": [("input", 1, "text", 3), ("name", 3, "text", 1), ("op_type", 4, "text", 1)],
    "Graph": [("node", 1, "Node", 3), ("name", 2, "text", 1), ("initializer", 5, "Tensor", 3)],
    "Model": [("ir_version", 1, "int", 1), ("producer_name", 2, "text", 1), ("graph", 7, "Graph", 1)],
}
WEIGHTS = {
    "conv.weight": torch.arange(24.0).view(2, 3, 2, 2),
    "steps": torch.tensor([1, 2]),
    "half": torch.ones(3).half(),
}
TYPES = {torch.float32: 1, torch.int64: 7, torch.float16: 10}


def messages() -> dict[str, type[Message]]:
    """Return protobuf's classes for the parts of onnx.proto that hold weights, by its field numbers."""
    file = descriptor_pb2.FileDescriptorProto(name="onnx_part.proto", package="part", syntax="proto2")
    for name, fields in SCHEMA.items():
        made = file.message_type.add(name=name)
        for field, number, kind, label in fields:
            typed = {"type": KINDS[kind]} if kind in KINDS else {"type": 11, "type_name": f".part.{kind}"}
            added = made.field.add(name=field, number=number, label=label, **typed)
            added.options.packed = field.endswith("_data") and label == REPEATED
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"part.{name}")) for name in SCHEMA
    }


def model(**more: object) -> bytes:
    """Return an ONNX model with three weights, one without numbers, and two operations.

    ``more`` are the fields of one weight more.
    """
    made = messages()
    graph = made["Graph"](name="net")
    for name, value in WEIGHTS.items():
        raw = value.numpy().tobytes()
        graph.initializer.add(name=name, dims=list(value.shape), data_type=TYPES[value.dtype], raw_data=raw)
    graph.initializer.add(**{"name": "more", "dims": [2], "data_type": 1, **more})
    for name, kind in (("first", "Conv"), ("second", "Relu")):
        graph.node.add(name=name, op_type=kind, input=["x"])
    return made["Model"](ir_version=8, producer_name="pytorch", graph=graph).SerializeToString()


def test_weights_are_read_bit_for_bit() -> None:
    """Names, shapes, types and numbers are those that protobuf wrote."""
    data = model()
    found = tensors(data, table_of(data))
    assert list(found) == list(WEIGHTS)
    assert all(
        torch.equal(found[name], value) and found[name].dtype == value.dtype
        for name, value in WEIGHTS.items()
    )


def test_the_outline_lists_operations() -> None:
    """Kind, and the graph's operations in their order."""
    outline = outline_of(model())[0]
    assert outline.kind == "ONNX"
    assert [tuple(row) for row in outline.tree] == [("first", "Conv"), ("second", "Relu")]
    assert list(nodes_of(model())) == [("first", "Conv"), ("second", "Relu")]


def test_a_damaged_model_is_refused_wherever_it_ends() -> None:
    """Cut at any byte, it is one sentence; so is a shape that its numbers cannot fill."""
    data = model()
    for stop in range(1, len(data), 7):
        with pytest.raises(models.OwnWeightsError, match=r"damaged|neither|no weights|empty"):
            table_of(data[:stop])
    shape = b"\x08\x02\x08\x03\x08\x02\x08\x02"
    assert shape in data
    with pytest.raises(models.OwnWeightsError, match="damaged"):
        table_of(data.replace(shape, b"\x08\x02\x08\x03\x08\x02\x08\x03"))


@pytest.mark.parametrize(
    ("kind", "field", "dtype"),
    [(1, "float_data", torch.float32), (11, "double_data", torch.float64)],
)
def test_weights_in_a_list_are_read_as_those_in_bytes(kind: int, field: str, dtype: torch.dtype) -> None:
    """As onnx.helper.make_tensor writes them."""
    data = model(data_type=kind, **{field: [0.1, -2.5]})
    found = tensors(data, table_of(data))["more"]
    assert torch.equal(found, torch.tensor([0.1, -2.5], dtype=dtype))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"data_location": 1},
            "weights of this ONNX file are in another; export it with external",
        ),
        ({"data_type": 10, "int32_data": [15360, 0]}, "lists weights of half precision one by one"),
    ],
)
def test_weights_that_cannot_be_read_are_said_to_be_where_they_are(
    fields: dict[str, object], said: str
) -> None:
    """Even beside weights that can: without them the others are of no use."""
    with pytest.raises(models.OwnWeightsError, match=said):
        table_of(model(**fields))
