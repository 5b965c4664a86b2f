"""Tests of viz/engine, and where modules without a test of their name are tested.

apart: engine/test_engine_fair.py
here: test_without_pytorch.py
limits: engine/test_engine_limits.py
pulse: ui/wire/routes/test_routes_health.py
"""
