"""Tests of viz/engine, and where modules without a test of their name are tested.

engine_protocol: engine/test_engine.py, on the engine that follows it
limits: engine/test_engine_limits.py
pulse: ui/wire/routes/test_routes_health.py
task: engine/test_engine.py, engine/test_engine_limits.py, by the tasks of viz/views
"""
