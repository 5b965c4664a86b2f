"""Tests of ``viz.quiz``: every right answer is right by plain torch."""
