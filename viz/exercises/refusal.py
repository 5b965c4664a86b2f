"""The errors of a visitor's code, and of an exercise's file."""

from ..errors import VizError
from ..sentences import Sentence


class CodeError(VizError, ValueError):
    """Error for a visitor's code that is forbidden or impossible.

    Attributes:
        line: where, counted from 1; 0 where that is not known yet.
    """

    def __init__(self, sentence: Sentence, line: int = 0) -> None:
        """Take a sentence with the right way to write it."""
        super().__init__(sentence)
        self.line = line


class ExerciseError(VizError, ValueError):
    """Error in an exercise's file; its sentence begins with file and line."""

    def __init__(self, path: str, line: int, problem: Sentence) -> None:
        """Put the place before the sentence."""
        super().__init__(Sentence("{path}:{line}: {problem}", path=path, line=line, problem=problem))


def at_line(error: CodeError, line: int) -> CodeError:
    """Return the error, with this line if it has none yet.

    The innermost place is the right one.
    """
    error.line = error.line or line
    return error
