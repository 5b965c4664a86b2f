"""Tests of viz/notebook, and where modules without a test of their name are tested.

answering: notebook/test_look.py, browser/test_notebook.py
view: notebook/test_look.py, browser/test_notebook.py
"""
