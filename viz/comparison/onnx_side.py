"""An ONNX file as a side of a comparison, run on processors."""

import importlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ..errors import RequestError
from ..hooks.records import Call, leaves, to_array
from ..sentences import Sentence
from .events import Event
from .measure import Unordered
from .onnx_graph import NodeRun, constants, kind, node_runs
from .sides import Arguments, See, as_arguments

_WEIGHTS_FOLDER = "session.model_external_initializers_file_folder_path"
_SILENT = 4  # it prints errors that it also raises
_NUMBERS = "biuf"  # the kinds of NumPy arrays that a tensor can be made of


class OnnxSide:
    """A net in an ONNX file, run by onnxruntime without optimisations.

    Raises:
        RequestError: onnx or onnxruntime is not installed, the file is damaged, or the inputs do not fit.
    """

    def __init__(self, path: str | Path, inputs: Any) -> None:
        self._path = Path(path)
        self._onnx, self._runtime = _library("onnx"), _library("onnxruntime")
        self.arguments: Arguments | None = as_arguments(inputs)
        try:
            self._model = self._onnx.load(str(path), load_external_data=False)
            self._runs = node_runs(self._model.graph)
            self._constants = constants(self._model.graph)
            self._session = self._prepared(
                self._model, [name for run in self._runs for name in (*self._given(run), *run.outputs)]
            )
            self._shapes = {each.name: tuple(each.dims) for each in self._model.graph.initializer}
            values = self._values(self._runs)
        except Exception as error:  # of protobuf, onnx or onnxruntime, whose errors have no common class
            said = (str(error).splitlines() or [type(error).__name__])[0]
            raise RequestError("{path} cannot be run: {error}", path=str(path), error=said) from error
        self.events = tuple(self._event(*each) for each in enumerate(zip(self._runs, values, strict=True)))

    def show(self, names: Iterable[str], see: See) -> None:
        """Run the net once."""
        wanted = set(names)
        runs = [run for run in self._runs if run.name in wanted]
        for run, value in zip(runs, self._values(runs), strict=True):
            see(run.name, run.call, value)

    def keep(self, names: Iterable[str]) -> dict[tuple[str, int], Call]:
        """Run the net once, and return these layers' calls.

        A call has its inputs only if it is given one value.
        """
        wanted = set(names)
        runs = [run for run in self._runs if run.name in wanted]
        given = [self._given(run) for run in runs]
        taken = self._computed({name for each in (*given, *(run.outputs for run in runs)) for name in each})
        return {
            (run.name, run.call): Call(
                _returned(run, [taken[name] for name in run.outputs]),
                (taken[names[0]],) if len(names) == 1 else None,
                {} if len(names) == 1 else None,
            )
            for run, names in zip(runs, given, strict=True)
        }

    def again(self, names: Sequence[str], given: Call) -> Any:
        """Run some layers alone, each by the nodes of its first call."""
        value: Any = (given.inputs, given.keywords)
        for name in names:
            value = self._alone(next(run for run in self._runs if run.name == name), value)
        return value

    def lack(self, name: str) -> Sentence:
        """Return the reason: the file does not know it."""
        del name
        return Sentence("no value of the file is named after it")

    def _alone(self, run: NodeRun, given: Any) -> Any:
        """Run a call's nodes.

        Raises:
            ValueError: it takes another number of values.
        """
        names, arrays = self._given(run), [to_array(each) for each in leaves(given).values()]
        feeds = dict(zip(names, arrays, strict=True))
        part = self._onnx.ModelProto()
        part.CopyFrom(self._model)
        nodes = [
            node
            for place, node in enumerate(self._model.graph.node)
            if run.first <= place <= run.last or node.output[0] in self._constants
        ]
        del part.graph.node[:], part.graph.input[:]
        part.graph.node.extend(nodes)
        number = self._onnx.helper.np_dtype_to_tensor_dtype
        part.graph.input.extend(
            self._onnx.helper.make_tensor_value_info(name, number(array.dtype), array.shape)
            for name, array in feeds.items()
        )
        found = self._prepared(part, run.outputs).run(list(run.outputs), feeds)
        return _returned(run, [_tensor(value) for value in found])

    def _given(self, run: NodeRun) -> list[str]:
        """Return the names of a call's inputs, without weights."""
        nodes = self._model.graph.node[run.first : run.last + 1]
        made = {name for node in nodes for name in node.output}
        taken = dict.fromkeys(name for node in nodes for name in node.input if name)
        return [name for name in taken if name not in made and name not in self._constants]

    def _prepared(self, model: Any, outputs: Iterable[str]) -> Any:
        """Return a session of onnxruntime in which these values are outputs."""
        new = self._onnx.ModelProto()
        new.CopyFrom(model)
        del new.graph.output[:]
        inputs = {each.name for each in new.graph.input}
        names = [name for name in dict.fromkeys(outputs) if name not in inputs]
        new.graph.output.extend(self._onnx.ValueInfoProto(name=name) for name in names)
        options = self._runtime.SessionOptions()
        options.graph_optimization_level = self._runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = _SILENT
        options.add_session_config_entry(_WEIGHTS_FOLDER, str(self._path.resolve().parent))
        return self._runtime.InferenceSession(
            new.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def _values(self, runs: Sequence[NodeRun]) -> list[Any]:
        """Return what these calls return."""
        found = self._computed({name for run in runs for name in run.outputs})
        return [_returned(run, [found[name] for name in run.outputs]) for run in runs]

    def _computed(self, names: Iterable[str]) -> dict[str, Any]:
        """Return values by name, also those given to the net."""
        feeds = self._feeds()
        wanted = [name for name in names if name not in feeds]
        found = self._session.run(wanted, feeds) if wanted else []
        return {name: _tensor(value) for name, value in (*feeds.items(), *zip(wanted, found, strict=True))}

    def _feeds(self) -> dict[str, Any]:
        """Return the inputs by name, in the file's own precision."""
        inputs = [each for each in self._model.graph.input if each.name not in self._constants]
        args, kwargs = self.arguments or ((), {})
        arrays = [to_array(each) for each in leaves(args).values()]
        given = dict(zip([each.name for each in inputs], arrays, strict=False))
        given |= {name: to_array(each) for name, value in kwargs.items() for each in leaves(value).values()}
        kinds = {each.name: each.type.tensor_type.elem_type for each in inputs}
        numpy_kind = self._onnx.helper.tensor_dtype_to_np_dtype
        return {name: array.astype(numpy_kind(kinds[name])) for name, array in given.items() if name in kinds}

    def _event(self, place: int, seen: tuple[NodeRun, Any]) -> Event:
        run, value = seen
        found = list(leaves(value).values())
        begin = sum(each.last < run.first for each in self._runs[:place])
        nodes = self._model.graph.node[run.first : run.last + 1]
        plain = begin == place
        weights = [name for node in nodes for name in node.input if name in self._constants]
        given = self._given(run)
        makers = [
            other
            for other, each in enumerate(self._runs[:begin])
            if len(given) == 1 and given[0] in each.outputs
        ]
        return Event(
            run.name,
            run.call,
            kind(self._model.graph.node[run.own]) if plain else "",
            tuple(found[0].shape) if len(found) == 1 else None,
            tuple(self._shapes.get(name, ()) for name in weights) if plain else (),
            begin,
            makers[-1] if makers else None,
            sum(each.nbytes for each in found),
        )


def _returned(run: NodeRun, values: Sequence[Any]) -> Any:
    """Return a call's values; a layer's have no known order."""
    if len(values) == 1 and not run.name:
        return values[0]
    return tuple(values) if not run.name else Unordered(values)


def _tensor(value: Any) -> Any:
    plain = isinstance(value, np.ndarray) and value.dtype.kind in _NUMBERS
    return torch.from_numpy(value) if plain else value


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise RequestError(
            "{name} is not installed, which ONNX files need: pip install -r requirements-onnx.txt", name=name
        ) from error
