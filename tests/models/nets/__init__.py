"""Tests of models/nets, and where modules without a test of their name are tested.

signal_preprocessing, signalnet, waveforms: models/nets/test_signals.py, from a wave to its class
"""
