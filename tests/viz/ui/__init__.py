"""Tests of viz/ui, and where modules without a test of their name are tested.

server: commands/test_serve.py, on a real server
"""
