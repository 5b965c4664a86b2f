"""Tests of models/zoo, and where modules without a test of their name are tested.

bundled_zoo, trained_here: models/test_loading.py, models/test_catalogue.py
torchvision_papers: models/test_catalogue.py
"""
