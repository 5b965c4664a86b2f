"""Tests of viz/ui/classroom, and where modules without a test of their name are tested.

events, routes_classroom, routes_student, routes_teacher, saying: ui/classroom/test_routes.py
"""
