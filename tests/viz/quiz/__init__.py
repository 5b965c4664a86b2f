"""Tests of ``viz.quiz``: every right answer is right by plain torch.

computing: quiz/test_checking.py
question, scene: quiz/test_drawing.py
work: quiz/test_fates.py, quiz/test_quiz_task.py
"""
