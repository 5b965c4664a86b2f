"""Sentences that can be said in any language, from ``models.sentences``."""

from .catalogue import models

__all__ = ["Sentence", "Value", "counted"]

Sentence = models.sentences.Sentence
Value = models.sentences.Value
counted = models.sentences.counted
