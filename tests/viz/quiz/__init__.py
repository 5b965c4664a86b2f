"""Tests of ``viz.quiz``: every right answer is right by plain torch.

question, scene: quiz/test_drawing.py
work: quiz/test_fates.py, quiz/test_quiz_task.py
"""
