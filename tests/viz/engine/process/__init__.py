"""Tests of viz/engine/process, and where modules without a test of their name are tested.

host: engine/process/test_process_engine.py
hosts: engine/process/test_process_engine.py
messages: engine/process/test_process_engine.py
patience: engine/process/test_process_engine.py
station: engine/process/test_process_engine.py
"""
