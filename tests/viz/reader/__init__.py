"""Tests of viz/reader, and where modules without a test of their name are tested.

bounds, jobs, messages, nursery, restraint: reader/test_reader.py, in the processes that it starts
"""
