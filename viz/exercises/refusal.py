"""The errors of this room: of a visitor's code, and of an exercise's file."""

from ..errors import VizError
from ..sentences import Sentence


class CodeError(VizError, ValueError):
    """A visitor's code says something that it may not say, or that cannot be done.

    Attributes:
        line: where, counted from 1; 0 where that is not known yet.
    """

    def __init__(self, sentence: Sentence, line: int = 0) -> None:
        """Take a sentence with the right way to write it."""
        super().__init__(sentence)
        self.line = line


class ExerciseError(VizError, ValueError):
    """An exercise's file says something that cannot be; the sentence begins with the file and the line."""

    def __init__(self, path: str, line: int, problem: Sentence) -> None:
        """Put the place before the sentence."""
        super().__init__(Sentence("{path}:{line}: {problem}", path=path, line=line, problem=problem))


def at_line(error: CodeError, line: int) -> CodeError:
    """Return the error, with this line if it has none yet: the innermost place is the right one."""
    error.line = error.line or line
    return error
