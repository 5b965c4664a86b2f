"""What attacks on the page in the tests' own process need."""

from tests.models_here import models_here

__all__ = ["models_here"]
