"""Gradient ascent on one parameter, with momentum that looks ahead: NAdam."""

import math

import torch
from torch import Tensor

_FIRST, _SECOND, _TINY = 0.9, 0.999, 1e-8
_WARMTH = 0.004


class Climber:
    """Gradient ascent on one parameter, which keeps its state between steps.

    Source: Dozat, "Incorporating Nesterov Momentum into Adam", 2016. After as many steps it brings waves
    further than Adam does: to 33, 41 and 59 where that reaches 28, 35 and 57 (``bench/RESULTS.md``).
    """

    def __init__(self, parameter: Tensor, rate: float) -> None:
        self._parameter, self._rate = parameter, rate
        self._mean, self._square = torch.zeros_like(parameter), torch.zeros_like(parameter)
        self._steps, self._product = 0, 1.0

    @property
    def bytes(self) -> int:
        """Bytes of the parameter, its gradient and the state between steps."""
        return 4 * self._parameter.nbytes

    def climb(self, slope: Tensor) -> None:
        """Go one step up the slope, the gradient of the objective."""
        self._steps += 1
        with torch.no_grad():
            self._mean.lerp_(slope, 1 - _FIRST)
            self._square.mul_(_SECOND).addcmul_(slope, slope, value=1 - _SECOND)
            spread = (self._square / (1 - _SECOND**self._steps)).sqrt_().add_(_TINY)
            self._parameter.addcdiv_(self._direction(slope), spread, value=self._rate)

    def _direction(self, slope: Tensor) -> Tensor:
        now, following = self._momentum(self._steps), self._momentum(self._steps + 1)
        self._product *= now
        part = (1 - now) / (1 - self._product) * slope
        return part + following / (1 - self._product * following) * self._mean

    @staticmethod
    def _momentum(step: int) -> float:
        return _FIRST * (1 - 0.5 * math.pow(0.96, step * _WARMTH))
