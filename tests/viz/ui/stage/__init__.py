"""Tests of viz/ui/stage, and where modules without a test of their name are tested.

components: ui/test_page.py, ui/choose/test_choose_edits.py, ui/stage/test_draw_learning.py
draw_comparison: ui/choose/test_address.py for what a link asks for, browser/test_comparison.py
draw_course, draw_hooks, draw_live, html_tables: ui/stage/test_draw_learning.py
quiz_sentences: ui/stage/test_draw_quiz.py
"""
