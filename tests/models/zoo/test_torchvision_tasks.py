"""Every model of torchvision, whatever it was made for, gets its own kind of input and runs on it."""

from pathlib import Path

import pytest
import torch
from PIL import Image

import models
from models.zoo.torchvision_tasks import TASKS

RUNS = (
    "lraspp_mobilenet_v3_large",
    "ssdlite320_mobilenet_v3_large",
    "quantized_shufflenet_v2_x0_5",
    "r3d_18",
)


def names_of(task: str, module: str) -> list[str]:
    """Return the names that torchvision itself lists for one of its parts."""
    import torchvision.models as zoo

    assert task
    return zoo.list_models(module=getattr(zoo, module) if module else zoo)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.module or "classification")
def test_cards_say_what_a_model_was_made_for(task: object) -> None:
    """For every model of every part of torchvision; together they are all of it."""
    names = names_of(task.name, task.module)
    assert names
    assert {models.describe(name).task for name in names} == {task.name}


def test_no_model_of_torchvision_is_left_out() -> None:
    """The tasks together list what torchvision lists."""
    import torchvision.models as zoo

    together = [name for task in TASKS for name in names_of(task.name, task.module)]
    assert sorted(together) == sorted(zoo.list_models()) == sorted(models.names("torchvision"))


def test_quantised_models_compute_with_whole_numbers() -> None:
    """Untrained ones too; the switch that torchvision sets for the whole process is set back."""
    from torch.backends import quantized

    before = quantized.engine
    model = models.load("quantized_shufflenet_v2_x0_5", weights="random")
    assert quantized.engine == before
    assert model.conv1[0].weight().dtype is torch.qint8


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*quantize.*:UserWarning", "ignore:TypedStorage:UserWarning")
@pytest.mark.parametrize("name", RUNS)
def test_a_model_runs_on_what_is_prepared_for_it(name: str) -> None:
    """One of each kind that torchvision has, untrained."""
    preprocessing = models.describe(name).preprocessing
    prepared = preprocessing(Image.effect_noise((90, 70), 60).convert("RGB"))
    arguments = prepared if isinstance(prepared, tuple) else (prepared,)
    with torch.inference_mode():
        assert models.load(name, weights="random")(*arguments) is not None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*quantize.*:UserWarning", "ignore:TypedStorage:UserWarning")
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("lraspp_mobilenet_v3_large", "lraspp_mobilenet_v3_large-d234d4ea.pth"),
        ("quantized_shufflenet_v2_x0_5", "shufflenetv2_x0.5_fbgemm-00845098.pth"),
        ("raft_small", "raft_small_C_T_V2-01064c6d.pth"),
    ],
)
def test_trained_weights_are_loaded_from_where_torch_keeps_them(
    name: str, file: str, checkpoints: Path
) -> None:
    """A file with other weights, under the name that torchvision's has, ends up in the model."""
    other = models.load(name, weights="random")
    for value in other.buffers():
        if value.dtype is torch.float32:
            value.add_(0.25)
    torch.save(other.state_dict(), checkpoints / file)
    assert models.is_ready(name)
    state, wanted = models.load(name).state_dict(), other.state_dict()
    assert state.keys() == wanted.keys()
    tensors = [key for key, value in wanted.items() if isinstance(value, torch.Tensor)]
    assert all(torch.equal(state[key], wanted[key]) for key in tensors)
