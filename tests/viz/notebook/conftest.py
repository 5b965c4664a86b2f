"""The engine in this process, as in a notebook."""

from tests.models_here import models_here

__all__ = ["models_here"]
