"""Sketches of the catalogue: the kept ones are those of today's models, and they choose the right ones."""

import json

import pytest
import torchvision

import models
from models.own.opening.sketches import KEPT, candidates, sketch


@pytest.mark.parametrize("name", ["resnet18", "vgg11_bn", "densenet121", "vit_b_32", "convnext_tiny"])
def test_a_kept_sketch_is_that_of_torchvisions_own_model(name: str) -> None:
    """Made of the names and shapes of a model that torchvision itself makes. If it fails: tools.sketches."""
    held = torchvision.models.get_model(name, weights=None).state_dict()
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert kept[name] == sketch({each: tuple(value.shape) for each, value in held.items()})


def test_each_model_of_torchvision_and_of_ours_has_a_sketch() -> None:
    """Also each of timm's, where it is installed in the tested version."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert set(models.names("bundled")) | set(models.names("torchvision")) <= set(kept)


def test_a_prefix_hides_no_model() -> None:
    """Names may begin anywhere in the file's; a model whose sketch is whole comes first."""
    held = models.load("lenet", "random").state_dict()
    shapes = {f"a/b/module.{name}": tuple(value.shape) for name, value in held.items()}
    assert candidates(shapes, models.names())[0] == "lenet"
    inside = {"._orig_mod.".join(name.rsplit(".", 1)): shape for name, shape in shapes.items()}
    assert candidates(inside, models.names())[0] == "lenet"
    assert candidates({"strange": (1, 2)}, models.names()) == ()


def test_a_model_without_a_sketch_is_compared_all_the_same() -> None:
    """An operator's own, or one that was added today."""
    assert candidates({"strange": (1, 2)}, ("mine", *models.names("bundled"))) == ("mine",)
