"""Noise that no eye sees, to test whether answers hold.

An answer that holds only without it is none to learn from.
"""

import ast

import numpy as np
from PIL import Image

GREY_LEVELS = 2.0  # the standard deviation, of 255


def with_noise(picture: Image.Image) -> Image.Image:
    """Return an RGB picture with Gaussian noise, the same each time."""
    values = np.asarray(picture.convert("RGB"), dtype=np.float64)
    noise = np.random.default_rng(0).normal(scale=GREY_LEVELS, size=values.shape)
    return Image.fromarray(np.clip(np.rint(values + noise), 0, 255).astype(np.uint8))


def without_assertions(code: str) -> str:
    """Return code without its assertions.

    Numbers in a plan's sentences are those of the very picture.
    """
    return ast.unparse(ast.fix_missing_locations(_Drop().visit(ast.parse(code))))


class _Drop(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> ast.Pass:  # as ast calls it
        return ast.copy_location(ast.Pass(), node)
