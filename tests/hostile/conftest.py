"""Fixtures of attacks on the page in the tests' own process."""

from tests.models_here import models_here

__all__ = ["models_here"]
