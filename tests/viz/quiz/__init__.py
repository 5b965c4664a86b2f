"""Tests of ``viz.quiz``: every right answer is right by plain torch.

question, scene: quiz/test_drawing.py
"""
