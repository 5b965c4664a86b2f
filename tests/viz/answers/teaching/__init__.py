"""The room of answers about learning.

exercises, learning, plans: ui/wire/routes/test_answers.py
asking, classroom: ui/classroom/test_routes.py
"""
