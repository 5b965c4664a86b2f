"""Taps: a block's work at each call of its layers.

A tap registers no hooks; ``activations`` calls ``before`` and ``after`` from its own. Several taps on one
layer work in the order of their rank, whatever the order of their blocks: edits change a value first, then it
is recorded. Gradients flow the other way, so gradient edits come last here and act first on gradients.

All this holds for operations too: ``operations`` calls the taps for them.
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ..errors import CallError, EditError
from ..home import API
from ..sentences import Sentence, counted
from .functional import Place
from .values.gradients import GradientWatch, recomputing

EDIT, OBSERVE, EDIT_GRADIENT, STOP = range(4)


class Tap:
    """One block's part in the calls of some layers."""

    rank = OBSERVE
    needs_graph = False
    needs_inputs = True  # whether before() and returned() have anything to do
    inside_fused = (
        True  # whether the softmax of fused attention is made for it, which the model does not make
    )
    over = False  # whether nothing more is to be seen, although the model goes on

    def __init__(self, layers: Mapping[Place, str]) -> None:
        self.layers = dict(layers)
        self.missing: dict[str, Sentence] = {}  # operations that the run had not, and why
        self.running = False  # whether a run is under way
        self.called = False  # whether no run, but somebody, called the model or a layer with its operations
        self.ran = False  # whether there was a pass in the block's own thread, even if it met nothing
        self.abroad = False  # whether there was one in another thread or asyncio task

    def start(self) -> None:
        """Prepare for a new run of the model."""

    def around(self) -> AbstractContextManager[Any]:
        """Return the context to open around a run of the model."""
        return nullcontext()

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Return the inputs that the layer will get."""
        del name
        return args, kwargs

    def returned(self, name: str) -> None:
        """Undo the changes of ``before`` to the inputs of a returned layer.

        The last tap comes first.
        """

    def after(self, name: str, output: Any) -> Any:
        """Return the output that the layer's caller will get."""
        del name
        return output

    def left(self, name: str) -> None:
        """Take note that the layer's code has ended, even by an error.

        Only taps that want operations get this.
        """

    def missed(self, name: str, reason: Sentence) -> None:
        """The run is over, and had no such operation."""
        self.missing[name] = reason

    def ran_abroad(self) -> None:
        """Note a call in another thread or asyncio task.

        Such calls are not for this block.
        """
        self.abroad = True

    def check(self) -> None:
        """Check that a finished run had any of the requested calls."""

    @property
    def met(self) -> bool:
        """True if any pass of the block had a requested call."""
        return True

    def watches(self) -> list[GradientWatch]:
        """Return the gradient watches that this tap has set."""
        return []

    def finish(self) -> None:
        """Undo lasting changes, when the block ends."""


def call_under_way() -> int:
    """Return a number for the call that a tap is about.

    It is the same before and after the call, and no other call's meanwhile: that of the frame from which both
    come. So a call that raises leaves nothing that a call around it could take for its own.
    """
    return id(sys._getframe(3))  # noqa: SLF001  (no hook is told of the call itself)


class Edit(Tap):
    """Changes a layer's inputs or output."""

    rank = EDIT

    def __init__(
        self,
        layers: Mapping[Place, str],
        *,
        output: Callable[[Any], Any] | None,
        inputs: Callable[[tuple[Any, ...]], Any] | None,
        keywords: Callable[[dict[str, Any]], Any] | None,
        call: int | None,
    ) -> None:
        super().__init__(layers)
        self._output, self._inputs, self._keywords = output, inputs, keywords
        self.needs_inputs = not (inputs is None and keywords is None)
        self._begun, self._ended = CallCounter(call), CallCounter(call)

    def start(self) -> None:
        """Count calls from the beginning."""
        self._begun.start()
        self._ended.start()

    def check(self) -> None:
        """See ``CallCounter.check``."""
        self._ended.check(tuple(self.layers.values()))

    @property
    def met(self) -> bool:
        """See ``CallCounter``."""
        return self._ended.met

    def before(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Return the edited inputs; one value stands for one positional input."""
        self.ran = True
        if not self._begun.meets(name):
            return args, kwargs
        if self._inputs is not None:
            check_positional(name, args, kwargs)
            new = edited(self._inputs, args, f"the inputs of {name!r}")
            args = new if isinstance(new, tuple) else (new,)
        if self._keywords is not None:
            kwargs = _by_keyword(
                name, edited(self._keywords, dict(kwargs), f"the keyword inputs of {name!r}")
            )
        return args, kwargs

    def after(self, name: str, output: Any) -> Any:
        """Return the edited output."""
        self.ran = True
        if not self._ended.meets(name) or self._output is None:
            return output
        return edited(self._output, output, f"the output of {name!r}")


class Watcher(Tap):
    """Tap that shows a function every call as it ends.

    Nothing is copied or kept.
    """

    needs_inputs = False

    def __init__(self, layers: Mapping[Place, str], see: Callable[[str, Any], None]) -> None:
        super().__init__(layers)
        self._see = see

    def after(self, name: str, output: Any) -> Any:
        """Show the call."""
        if not recomputing():
            self._see(name, output)
        return output


class StopSignal(BaseException):
    """End of a forward pass that has gone as far as wanted.

    It is no Exception, so models let it through.
    """

    def __init__(self, stop: "Stop") -> None:
        super().__init__()
        self.stop = stop


class Stop(Tap):
    """Ends the forward pass after one call of one layer."""

    rank = STOP
    needs_inputs = False

    def __init__(self, place: Place, name: str, call: int) -> None:
        super().__init__({place: name})
        self.call = call
        self._ended = CallCounter(call)
        self.output: Any = None

    def after(self, name: str, output: Any) -> Any:
        """Keep the output and leave the pass, if this is the call.

        Raises:
            StopSignal: caught by the run that placed this tap.
        """
        if not recomputing() and self._ended.meets(name):
            self.output, self.over = output, True
            raise StopSignal(self)
        return output

    def check(self) -> None:
        """Check that the pass ended here.

        Raises:
            CallError: the model ended without this call.
        """
        if self.over:
            return
        (name,) = self.layers.values()
        asked = {"call": self.call, "name": repr(name)}
        if name in self.missing:
            raise CallError(
                "the model ended without call {call} of {name}, where it was to stop: {reason}",
                **asked,
                reason=self.missing[name],
            )
        raise CallError(
            "the model ended without call {call}, counted from 0, of layer {name}, where it was to stop: see "
            "its calls with {api}.survey.",
            api=API,
            **asked,
        )

    def caused(self, problem: BaseException | None) -> bool:
        """Check whether an exception is the stop, or was made of it."""
        while problem is not None:
            if isinstance(problem, StopSignal) and problem.stop is self:
                return True
            problem = problem.__cause__ or problem.__context__
        return False


class CallCounter:
    """Counter of each layer's calls in a run, with the wanted one.

    ``wanted`` is None if all of them are wanted, and ``met`` whether any run had one that is.
    """

    def __init__(self, wanted: int | None) -> None:
        self._wanted = wanted
        self.met = False
        self._seen: Counter[str] = Counter()

    def start(self) -> None:
        """Count from zero again."""
        self._seen.clear()

    def meets(self, name: str) -> bool:
        """Count one call and return whether it is the wanted one.

        Raises:
            EditError: one call is wanted, and activation checkpointing repeats calls: which one is unclear.
        """
        if self._wanted is not None and recomputing():
            raise EditError(
                "one call of {name} cannot be edited alone: the model repeats calls in its backward "
                "pass (activation checkpointing). Edit all its calls, or switch the checkpointing "
                "off.",
                name=repr(name),
            )
        self._seen[name] += 1
        is_wanted = self._wanted in {None, self._seen[name] - 1}
        self.met |= is_wanted
        return is_wanted

    def check(self, names: tuple[str, ...]) -> None:
        """Check that a run had a call that is wanted.

        Raises:
            EditError: none of the layers ran, or none often enough.
        """
        most, said = max(self._seen.values(), default=0), ", ".join(map(repr, names))
        if not most:
            raise EditError(
                "the edit of {layers} changed nothing, for hooks saw no call: see why with {api}.survey.",
                layers=said,
                api=API,
            )
        if self._wanted is not None and not 0 <= self._wanted < most:
            raise EditError(
                counted(
                    "the edit of {layers} changed nothing: it ran once, so there is no call {call}, "
                    "counted from 0.",
                    "the edit of {layers} changed nothing: it ran {count} times, so there is no call "
                    "{call}, counted from 0.",
                    count=most,
                    layers=said,
                    call=self._wanted,
                )
            )


def check_positional(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Check that a layer has inputs that an edit can reach.

    Raises:
        EditError: all of it comes by keyword.
    """
    if kwargs and not args:
        raise EditError(
            "{layer} is given its inputs by keyword ({names}): edit them with keywords=.",
            layer=repr(name),
            names=", ".join(kwargs),
        )


def _by_keyword(name: str, new: Any) -> dict[str, Any]:
    """Return the keyword inputs that an edit made.

    Raises:
        EditError: they are no dict.
    """
    if not isinstance(new, dict):
        raise EditError(
            "the edit of the keyword inputs of {layer} returned a {kind}: it must return a dict.",
            layer=repr(name),
            kind=type(new).__name__,
        )
    return new


def edited(function: Callable[[Any], Any], value: Any, what: str) -> Any:
    """Return ``function(value)``.

    Raises:
        EditError: the function returned None where there was a value.
    """
    new = function(value)
    if new is None and value is not None:
        raise EditError(
            "the edit of {what} returned None: it must return the new value, also when it is unchanged.",
            what=what,
        )
    return new
