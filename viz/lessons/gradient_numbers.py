"""The numbers of lessons 3 and 4, computed."""

import torch
from torch import Tensor

from . import changing_a_running_net as changing
from . import seeing_gradients as seeing
from .comparing import farthest, line, moves
from .line import Line, Parameters

Lines = tuple[Line, ...]
NEAR = 1e-4  # relative error allowed between two float32 numbers

# --- Lesson 3 --------------------------------------------------------------------------------------------


def watched(given: Parameters) -> Lines:
    """Return dz/dy as a hook on y sees it, and ``y.grad``.

    z is the mean of y = x².

    Args:
        given: ``value`` and ``count`` of the entries of x.
    """
    value, count = float(given["value"]), given["count"]
    seen = seeing.gradient_by_hook(value, count)
    return (
        line("hook_on_y", [1 / count] * count, seen.gradient),
        line("y_grad", None, seen.stored),
        line("y_by_capture", [1 / count] * count, seeing.gradient_by_capture(value, count)),
    )


def doubled(given: Parameters) -> Lines:
    """Return x's gradient, without a hook and with one that multiplies.

    Without a hook it is 2x/n.

    Args:
        given: as in ``watched``, and the ``factor``.
    """
    value, count, factor = float(given["value"]), given["count"], float(given["factor"])
    plain = 2 * value / count
    return (
        line("x_gradient", [plain] * count, seeing.plain_gradient(value, count)),
        line("x_by_hook", [plain * factor] * count, seeing.doubled_by_hook(factor, value, count)),
        line("x_by_edit", [plain * factor] * count, seeing.doubled_by_edit(factor, value, count)),
        line("two_passes", [2.0] * 4, seeing.after_two_passes()),
    )


def nines(given: Parameters) -> Lines:
    """Return the maps that kernels of ones and of twos make.

    The picture is all ones, (1, 1, 4, 4).

    Args:
        given: ``kernel``, the side of both.
    """
    kernel = given["kernel"]
    hooked, captured = seeing.maps_by_hook(kernel), seeing.maps_by_capture(kernel)
    side, ones = 5 - kernel, float(kernel**2)
    return (
        line("inputs_tuple", 1, len(hooked.inputs)),
        line("maps_shape", (1, 2, side, side), tuple(hooked.maps.shape)),
        line("map_of_ones", [ones] * side**2, hooked.maps[0, 0]),
        line("map_of_twos", [2 * ones] * side**2, hooked.maps[0, 1]),
        line("pooled_maps", _pooled(ones, side), hooked.pooled),
        line("capture_equals_hook", 0.0, farthest(captured.maps, hooked.maps)),
    )


def _pooled(ones: float, side: int) -> list[float]:
    places = (side // 2) ** 2  # a pooling of 2×2 steps by 2
    return [ones] * places + [2 * ones] * places


# --- Lesson 4 --------------------------------------------------------------------------------------------


def multiplied(given: Parameters) -> Lines:
    """Return the gradients of ``a · b``, with and without a hook.

    They are those of a, b and c = a · b; the hook on c adds to its gradient.

    Args:
        given: ``a``, ``b`` and what the hook ``adds``.
    """
    a, b, adds = float(given["a"]), float(given["b"]), float(given["adds"])

    def hook(gradient: Tensor) -> Tensor:
        return gradient + adds

    more = [b * (1 + adds), a * (1 + adds), 1 + adds]
    return (
        line("product_plain", [b, a, 1.0], changing.product(at=(a, b))),
        line("product_hook", more, changing.product(hook, (a, b))),
        line("product_edit", more, changing.product_by_edit(hook, (a, b))),
    )


def in_place(_: Parameters) -> Lines:
    """Return the gradients of ``c = a + b``, with different hooks on a.

    A hook returns a new gradient, or writes into its own.
    """
    return (
        line("sum_plain", [1.0, 1.0, 1.0], changing.total()),
        line("sum_hook", [3.0, 1.0, 1.0], changing.total(changing.plus_two)),
        line("sum_in_place", [101.0, 101.0, 101.0], changing.total(changing.plus_hundred_in_place)),
    )


def pooled(_: Parameters) -> Lines:
    """Return the shape of the pooling's output, in two ways.

    The picture is (1, 3, 10, 10).
    """
    net, pictures = changing.SmallNet().eval(), torch.randn(1, 3, 10, 10)
    hooked = changing.pooled_by_hook(net, pictures)
    return (
        line("pooled_shape", (1, 8, 4, 4), tuple(hooked.shape)),
        line("capture_equals_hook", 0.0, farthest(changing.pooled_by_capture(net, pictures), hooked)),
    )


def three_kinds(_: Parameters) -> Lines:
    """Return the effects of three kinds of hook on a net.

    A pre-hook multiplies by 3, a forward hook adds 1, and a backward hook multiplies by 5. The expected
    effects follow from the net's last layer, which is linear.
    """
    net, pictures = changing.SmallNet().eval(), torch.randn(1, 3, 10, 10)
    plain = changing.outcome(net, pictures)
    found = {kind: changing.outcome(net, pictures, kind) for kind in changing.PLAIN}
    bias, added = net.fc.bias.item(), net.fc.weight.sum().item()
    pre, forward, backward = (result.item() for result, _ in found.values())
    ratio = float(found["backward hook"].gradient.norm() / plain.gradient.norm())
    return (
        _near("kind_pre", 3 * (plain.result.item() - bias) + bias, pre),
        _near("kind_forward", plain.result.item() + added, forward),
        line("kind_backward", plain.result.item(), backward),
        _near("kind_gradient", 5.0, ratio),
        moves("kind_moves", abs(pre - plain.result.item())),
    )


def _near(key: str, expected: float, found: float) -> Line:
    """Return a line that is right up to the rounding of float32."""
    same = abs(expected - found) <= NEAR * max(1.0, abs(expected))
    shown = line(key, round(expected, 4), round(found, 4))
    return Line(key, shown.expected, shown.found, same)
