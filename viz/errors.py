"""The error tree of ``viz``.

    VizError
    ├── UnknownLayerError   (LookupError)  no layer matches that selector
    ├── CallError           (LookupError)  a layer never ran, or ran more often than the one call asked for
    ├── UnsupportedModelError (TypeError)  this model cannot be hooked (scripted, meta, not a module)
    ├── CaptureError        (RuntimeError) the model failed while it ran
    ├── EditError           (ValueError)   an edit does not fit the value that it was given
    ├── ImageError          (ValueError)   these bytes are not a picture that can be read safely
    ├── LayoutError         (ValueError)   this value cannot be drawn as maps
    ├── RequestError        (ValueError)   a request names something that does not exist
    ├── TooLargeError       (MemoryError)  a request would take more memory than one may
    ├── BusyError           (TimeoutError) too many others are being served; the same request works later
    ├── RateError           (TimeoutError) this visitor has asked for much, and others wait; it works later
    ├── SupersededError     (RuntimeError) a newer request of the same visitor took this one's place
    └── EngineClosedError   (RuntimeError) the engine has been shut down

Every message is one sentence or two that a visitor can act on: what was asked, what is true, what to do. It
is written in English where it is raised, with {braces} for its values; so it can be translated:
``raise RequestError("there is no channel {channel}.", channel=7)``.
"""

from typing import ClassVar

from .sentences import Sentence, Value


class VizError(Exception):
    """Root of every error that ``viz`` raises on purpose.

    ``str()`` of it is a ``Sentence``, which can be said in another language.

    Any other error is a bug.

    Attributes:
        document: the document that says more, of those below ``docs``.
    """

    document: ClassVar[str] = "messages"

    def __init__(self, english: str, /, **values: Value) -> None:
        """Fill in the braces; a ``Sentence`` is taken as it is."""
        super().__init__(english if isinstance(english, Sentence) else Sentence(english, **values))


class UnknownLayerError(VizError, LookupError):
    """No layer matches that selector."""

    document = "find-a-layer"


class CallError(VizError, LookupError):
    """A layer never ran, or ran several times instead of once."""

    document = "calls"


class UnsupportedModelError(VizError, TypeError):
    """This model cannot be hooked."""

    document = "own-model"


class CaptureError(VizError, RuntimeError):
    """The model failed while it ran on this input."""

    document = "own-model"


class EditError(VizError, ValueError):
    """An edit does not fit the value that it was given."""

    document = "change-the-model"


class ImageError(VizError, ValueError):
    """These bytes are not a picture that can be read safely."""

    document = "your-files"


class LayoutError(VizError, ValueError):
    """This value cannot be drawn as maps."""


class RequestError(VizError, ValueError):
    """A request names something that does not exist."""


class TooLargeError(VizError, MemoryError):
    """A request would take more memory than one may."""

    document = "limits"


class BusyError(VizError, TimeoutError):
    """Too many others are being served; the same request works later."""

    document = "how-much-machine"


class RateError(VizError, TimeoutError):
    """This visitor asked for much while others wait; try again later."""

    document = "limits"


class SupersededError(VizError, RuntimeError):
    """A newer request of the same visitor took this one's place."""


class EngineClosedError(VizError, RuntimeError):
    """The engine has been shut down."""
