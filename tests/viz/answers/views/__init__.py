"""The room of answers/views.

figure, graph, reduced, units: ui/wire/routes/test_answers.py
"""
