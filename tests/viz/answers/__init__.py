"""The room of answers.

edits, hooks, layer, learning, live, model, number, other, subject: tools/test_answers.py, as scripts see them
"""
