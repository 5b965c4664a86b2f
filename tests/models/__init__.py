"""Tests of models, and where modules without a test of their name are tested.

cards: models/test_catalogue.py
errors: models/test_sentences.py for what all have in common; each error where it is raised
skeleton, whole_preprocessing: models/zoo/test_timm_zoo.py
"""
