"""Map of the tests of viz/commands/line/teaching: by whole commands.

exercises: exercises/test_checking.py
lessons: commands/test_lessons.py
plans: commands/test_plans.py
"""
