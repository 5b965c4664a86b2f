"""Tests of viz, and where modules without a test of their name are tested.

catalogue: test_install.py for the wheel; nearly every test imports it from a checkout
displayed: representations/test_html.py
errors: models/test_sentences.py for what all have in common; each error where it is raised
home: test_install.py for the wheel, commands/test_serve.py and script/test_code.py for a checkout
layer_names: hooks/test_selectors.py, profile/test_tree.py
sentences: models/test_sentences.py, whose names it passes on
"""
