"""Tests of viz/engine/ray, and where modules without a test of their name are tested.

cluster: engine/ray/test_ray_engine.py
keeper: engine/ray/test_keeping.py
object_store: engine/ray/test_ray_engine.py
replica: engine/ray/test_ray_engine.py
seat: engine/ray/test_ray_engine.py
words: engine/ray/test_ray_engine.py
"""
