"""Tests of viz/system, and where modules without a test of their name are tested.

optional: system/test_elsewhere.py
limits, memory: system/test_elsewhere.py for systems that have none, ui/door/test_descriptors.py and
  ui/operating/test_memory.py
processes: system/test_elsewhere.py, reader/test_reader.py
"""
