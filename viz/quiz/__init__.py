"""Questions for a class, made from real runs.

The same seed and level make the same questions everywhere.

A question is made of plain values; its right answer comes from the run itself. The wrong answers are chosen
so that they are wrong for a visible reason, which is measured if necessary.

    question     a question, and the facts that a quiz needs of nets
    scene        one net on one picture: the subject of a question
    levels       easy, middle, hard: the kinds of questions in a quiz
    looking/     the easy ones, which are answered by looking at maps, or by counting
    layers       the layer that made some maps, the shape that it returns
    channels     the channel whose removal made a difference
    changes      the edit that made the lower maps of the upper
    order        the hook that fires next, the shapes that a hook is given
    gates        the gradient that came through a ReLU
    fates        the gradients that an edit of a gradient changes
    drawing      from seed, level and number to the question
    quiz_task    the question as a task of an engine
    subjects     the nets and pictures that the page's quiz is about
    checking     checks that a question's choices can be told apart
"""

from ..request.look import Level
from .drawing import SEEDS, question
from .fates import FatesTask, gradient_fates
from .levels import KINDS, LEVELS, QUESTIONS, level_of
from .question import CHOICES, Grid, Picture, Question, Runs, Subjects
from .quiz_task import QuizTask

__all__ = [
    "CHOICES",
    "KINDS",
    "LEVELS",
    "QUESTIONS",
    "SEEDS",
    "FatesTask",
    "Grid",
    "Level",
    "Picture",
    "Question",
    "QuizTask",
    "Runs",
    "Subjects",
    "gradient_fates",
    "level_of",
    "question",
]
