"""Tests of models, and where modules without a test of their name are tested.

construction: models/own/test_own_model.py
errors: models/test_sentences.py for what all have in common; each error where it is raised
input_tensors: models/test_preprocessing.py, models/nets/test_signals.py
shaped_preprocessing: models/own/factory/test_preparing.py
whole_preprocessing: models/zoo/test_timm_zoo.py
"""
