"""The room of answers/views.

graph, reduced, units: ui/wire/routes/test_answers.py
"""
