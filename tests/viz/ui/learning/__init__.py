"""Tests of viz/ui/learning, and where modules without a test of their name are tested.

exercise_facts: ui/wire/routes/teaching/test_routes_exercises.py
quiz_sentences: ui/learning/test_quiz_facts.py
"""
