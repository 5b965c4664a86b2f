"""Tests of viz/dataflow, and where modules without a test of their name are tested.

origins: dataflow/test_tracing.py, since only a run has origins; dataflow/test_tracing_models.py
"""
