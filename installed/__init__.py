"""Layerglass, installed: ``layerglass.viz`` is the service and ``layerglass.models`` the catalogue.

>>> from layerglass import models
>>> from layerglass.viz import LayerActivations
>>> layers = LayerActivations(models.load("photonet"))

In a checkout this folder is called ``installed``, and the two stand beside it; the wheel puts them in here,
for names so common belong to whoever installs it.
"""
