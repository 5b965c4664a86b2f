"""Numbers in double precision, with bounds on the layer's rounding errors."""

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from .explanation import doubles

__all__ = ["BoundedValues", "exact", "sigmoid", "softmax_row", "tanh"]


@dataclass(frozen=True, eq=False)
class BoundedValues:
    """Values, and error bounds in units of one rounding step.

    An error is how far a layer's own value may be from this one. A sum's own error is bounded by the sum of
    its absolute values. Errors that come with the operands are taken as independent of each other. Source:
    Higham, Accuracy and stability of numerical algorithms (2002), sections 3.1 and 2.8.
    """

    values: Tensor
    errors: Tensor

    def __add__(self, other: Self) -> Self:
        values = self.values + other.values
        return type(self)(values, torch.hypot(self.errors, other.errors) + values.abs())

    def __mul__(self, other: Self) -> Self:
        values = self.values * other.values
        carried = torch.hypot(self.errors * other.values, self.values * other.errors)
        return type(self)(values, carried + values.abs())

    def __matmul__(self, other: Self) -> Self:
        first, second = (
            self.errors.square() @ other.values.square(),
            self.values.square() @ other.errors.square(),
        )
        carried = (first + second).sqrt()
        return type(self)(self.values @ other.values, carried + self.values.abs() @ other.values.abs())

    def __getitem__(self, place: object) -> Self:
        return type(self)(self.values[place], self.errors[place])  # type: ignore[index]

    def scaled(self, by: float) -> Self:
        """Return every value times a number."""
        return type(self)(self.values * by, (self.errors + self.values.abs()) * abs(by))

    def plus(self, values: Tensor) -> Self:
        """Return the sum with exact values, some of which may be infinite."""
        found = self.values + values
        return type(self)(found, torch.where(found.isfinite(), self.errors + found.abs(), 0.0))

    def through(self, weight: Tensor, bias: Tensor | None = None) -> Self:
        """Return rows (..., inputs) times a layer's weights, plus its bias.

        The weights are (outputs, inputs), the bias is (outputs).
        """
        known = doubles(weight).T
        values, errors = self.values @ known, self.values.abs() @ known.abs()
        if self.errors.any():
            errors = errors + (self.errors.square() @ known.square()).sqrt()
        if bias is None:
            return type(self)(values, errors)
        shift = doubles(bias)
        return type(self)(values + shift, errors + shift.abs())


def exact(values: Tensor) -> BoundedValues:
    """Return a layer's own numbers as values without errors."""
    known = doubles(values)
    return BoundedValues(known, torch.zeros_like(known))


def sigmoid(x: BoundedValues) -> BoundedValues:
    """Return 1 ÷ (1 + exp(−x))."""
    values = x.values.sigmoid()
    return BoundedValues(values, values * (1 - values) * (x.errors + x.values.abs()) + values)


def tanh(x: BoundedValues) -> BoundedValues:
    """Return the hyperbolic tangent of x."""
    values = x.values.tanh()
    return BoundedValues(values, (1 - values.square()) * x.errors + values.abs())


def softmax_row(scores: BoundedValues) -> BoundedValues:
    """Return the softmax along the last axis; −∞ has no share.

    A rounding of an exponent is, at the same size, a relative error of its power.
    """
    shares = scores.values.softmax(-1)
    below = scores.values - scores.values.amax(-1, keepdim=True)
    moved = torch.where(shares > 0, scores.errors + below.abs(), 0.0)
    return BoundedValues(shares, shares * (1 + moved + (shares * moved).sum(-1, keepdim=True)))
