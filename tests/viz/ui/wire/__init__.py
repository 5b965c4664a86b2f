"""Tests of viz/ui/wire, and where modules without a test of their name are tested.

answers: ui/wire/test_routes.py
questions: ui/wire/test_inspecting.py, whose addresses they read
routes_hooks: ui/stage/test_draw_learning.py, beside the view that asks them
threads: ui/wire/test_routes.py, hostile/test_shared.py
"""
