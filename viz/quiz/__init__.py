"""Questions for a class, made from real runs: the same seed and level ask the same questions everywhere.

A question is made of plain values; its right answer comes from the run itself. The wrong answers are chosen
so that they are wrong for a visible reason, which is measured if necessary.

    question     what is asked, and what a quiz needs to know of nets
    scene        one net on one picture: what a question is about
    levels       easy, middle, hard: which kinds of questions a quiz has
    looking/     the easy ones, which are answered by looking at maps, or by counting
    layers       which layer made these maps, which shape it returns
    channels     which channel's removal made this difference
    changes      which edit made the lower maps of the upper
    order        which hook fires next, what a hook is given
    gates        which gradient came through this ReLU
    fates        which gradients an edit of a gradient changes
    drawing      from seed, level and number to the question
    quiz_task    the question as a task of an engine
    subjects     the nets and pictures that the page's quiz is about
    checking     whether a question's choices can be told apart
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
