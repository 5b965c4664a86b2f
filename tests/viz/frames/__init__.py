"""Tests of viz/frames, and where modules without a test of their name are tested.

camera: frames/test_filming.py
checkpoints: commands/test_film_command.py
"""
