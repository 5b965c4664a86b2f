"""Tests of ``viz.quiz.looking``: every right answer is right by plain torch, and can be told by looking."""
