"""Layerglass, installed: ``layerglass.viz`` is the service and ``layerglass.models`` the catalogue.

>>> from layerglass import models
>>> from layerglass.viz import LayerActivations
>>> layers = LayerActivations(models.load("photonet"))

In a checkout this folder is called ``installed``, and the two stand beside it. The wheel puts them inside it,
so that ``site-packages`` gets no packages with names as common as ``viz`` and ``models``.
"""
