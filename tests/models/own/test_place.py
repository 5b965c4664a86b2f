"""The weights of a model are found wherever people's files have them, by the model's own names and shapes."""

import argparse
import io
import warnings
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel

import models
from models.own.opening.fitting import ModelFit, fitted_model
from models.own.own_weights import compare, load_with
from models.own.place import fitting_places, names_at
from models.own.state_reading import table_of
from models.own.uploaded_state import outlines, tensors
from models.own.weights_report import WeightsReport
from tests.models.uploads import saved, state

State = dict[str, Tensor]


def under(prefix: str, weights: State) -> State:
    """The same weights with a prefix before each name."""
    return {f"{prefix}{name}": value for name, value in weights.items()}


def net() -> nn.Module:
    """LeNet with the weights that the files have."""
    made = models.load("lenet", "random")
    made.load_state_dict(state())
    return made


def scripted() -> bytes:
    """LeNet as a TorchScript program."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch advises against it; people have such files
        torch.jit.save(torch.jit.trace(net(), torch.zeros(1, 3, 32, 32)), file)
    return file.getvalue()


def moco() -> State:
    """Two encoders and a queue, in one state dict."""
    return {
        **under("module.encoder_q.", state(0)),
        **under("module.encoder_k.", state(1)),
        "module.queue": torch.ones(8, 4),
    }


def lightning() -> object:
    """A checkpoint with the weights of a loss, settings, and the state of a callback."""
    return {
        "epoch": 3,
        "state_dict": {**under("model.", state()), "loss.weight": torch.ones(3)},
        "hyper_parameters": argparse.Namespace(lr=0.1, size=np.float64(0.5)),
        "callbacks": {"ModelCheckpoint{'monitor': None}": {"best_model_score": torch.tensor(0.5)}},
        "optimizer_states": [{"state": {0: {"exp_avg": torch.ones(3)}}, "param_groups": [{"lr": 0.1}]}],
    }


def dino() -> object:
    """A student and a teacher, whose backbones have heads beside them."""
    both = {who: under("module.backbone.", state(seed)) for seed, who in enumerate(("teacher", "student"))}
    heads = {"module.head.mlp.0.weight": torch.ones(4, 84)}
    return {who: weights | heads for who, weights in both.items()} | {"args": argparse.Namespace(arch="x")}


def compiled_part() -> State:
    """One layer was compiled by itself."""
    made = net()
    made.conv1 = torch.compile(made.conv1)
    return made.state_dict()


def parallel_part() -> State:
    """Two layers are in DataParallel, as the features in PyTorch's ImageNet example, and then the whole."""
    made = net()
    for name in ("conv1", "conv2"):
        setattr(made, name, nn.DataParallel(getattr(made, name)))
    return nn.DataParallel(made).state_dict()


def sharded() -> State:
    """Names as FSDP and checkpointing wrap layers, one inside the other; whole below the first."""
    first, second = "_fsdp_wrapped_module", "_checkpoint_wrapped_module"
    names = (name.rpartition(".") for name in state())
    return {
        f"{first}.{layer}.{first}.{second}.{leaf}": value
        for (layer, _, leaf), value in zip(names, state().values(), strict=True)
    }


FORMS: dict[str, tuple[Callable[[], bytes], str]] = {
    "alone": (lambda: saved(state()), ""),
    "averaged": (lambda: saved(AveragedModel(net()).state_dict()), "module."),
    "averaged, beside the others": (
        lambda: saved({"epoch": 1, "ema": state(), "best": np.float32(0.5)}),
        "ema/",
    ),
    "Lightning": (lambda: saved(lightning()), "state_dict/model."),
    "MoCo": (lambda: saved({"state_dict": moco(), "arch": "x"}), "state_dict/module.encoder_q."),
    "DINO": (lambda: saved(dino()), "teacher/module.backbone."),
    "DeepSpeed": (
        lambda: saved({"module": state(), "ds_version": "1", "skipped": {1, 2}, "at": torch.device("cpu")}),
        "module/",
    ),
    "a part compiled": (lambda: saved(compiled_part()), ""),
    "parts in DataParallel": (lambda: saved({"state_dict": parallel_part()}), "state_dict/module."),
    "parts sharded and checkpointed": (lambda: saved(sharded()), "_fsdp_wrapped_module."),
    "a backbone": (lambda: saved(under("backbone.", state())), "backbone."),
    "one tensor more": (
        lambda: saved({**under("module.", state()), "n_averaged": torch.tensor(3)}),
        "module.",
    ),
    "a whole model": (lambda: saved(net()), ""),
    "a whole model in a checkpoint": (lambda: saved({"model": net(), "optimizer": None}), "model/"),
    "a list of models": (lambda: saved({"models": [state(), state(1)]}), "models/0/"),
    "TorchScript": (scripted, ""),
    "of before 2020": (
        lambda: saved({"net_g": state(), "args": argparse.Namespace()}, legacy=True),
        "net_g/",
    ),
}


@pytest.mark.parametrize(("made", "place"), FORMS.values(), ids=FORMS)
def test_every_form_that_people_have_fits_the_model_it_holds(made: Callable[[], bytes], place: str) -> None:
    """All ten weights, bit for bit what was saved; what else is in the file is counted, and no obstacle."""
    data = made()
    table = table_of(data)
    report = compare("lenet", outlines(table))
    assert report.fits
    assert (set(report.fitting), report.place) == (set(state()), place)
    assert report.elsewhere == len(table.tensors) - 10
    loaded = load_with("lenet", tensors(data, table.only(set(report.names)))).state_dict()
    assert all(torch.equal(loaded[name], value) for name, value in state().items())


def test_weights_that_are_there_twice_are_said_to_be() -> None:
    """The first are taken, and the report says where else as many fit."""
    report = compare("lenet", outlines(table_of(saved(dino()))))
    assert report.again == ("student/module.backbone.",)


def test_of_two_models_the_one_that_fits_is_found() -> None:
    """Not the larger one, nor the first."""
    whole = models.load("resnet18", "random").state_dict()
    table = table_of(saved({"teacher": whole, "student": state()}))
    assert compare("lenet", outlines(table)).place == "student/"
    assert compare("resnet18", outlines(table)).place == "teacher/"


def test_a_head_of_other_classes_is_said() -> None:
    """LeNet tells ten classes apart; the file's last layer seven. A layer of another width is no head."""
    other = {**state(), "fc3.weight": torch.zeros(7, 84), "fc3.bias": torch.zeros(7)}
    assert compare("lenet", other).classes == 7
    assert compare("lenet", {**state(), "fc2.bias": torch.zeros(7)}).classes is None
    assert compare("lenet", state()).classes is None


def test_where_nothing_fits_all_of_the_largest_state_dict_is_unexpected() -> None:
    """The report names what the file has, without what is before each name."""
    strange = {"state_dict": {"module.a.b": torch.ones(2), "module.c": torch.ones(3)}, "mean": torch.ones(3)}
    report = compare("lenet", outlines(table_of(saved(strange))))
    assert report == WeightsReport(
        "lenet",
        (),
        missing=tuple(models.load("lenet", "random").state_dict()),
        unexpected=("a.b", "c"),
        place="state_dict/module.",
        elsewhere=1,
    )


def test_a_wrapper_that_the_model_itself_has_is_its_own() -> None:
    """By hand: ``a.module.w`` is what the model calls it, and only the other wrapper is left out."""
    wanted = {"a.module.w": "3", "b": "4"}
    held = dict.fromkeys(("x.a._orig_mod.module.w", "x.b", "x.c.module.w", "y"), "3")
    assert fitting_places(held, wanted) == ("x.",)
    assert fitting_places({"module.a.module.w": "3"}, {"a.w": "3"}) == ("module.",)
    assert names_at("x.", held, wanted) == {
        "a.module.w": "x.a._orig_mod.module.w",
        "b": "x.b",
        "c.module.w": "x.c.module.w",
    }


def test_a_name_is_not_taken_for_another_that_is_there() -> None:
    """The plain one fits; of two wrapped ones the first does, and the other is left over by its own name."""
    held = ("a._orig_mod.w", "a.w", "b._orig_mod.w", "b.module.w")
    assert names_at("", held, ("a.w", "b.w")) == {
        "a._orig_mod.w": "a._orig_mod.w",
        "a.w": "a.w",
        "b.w": "b._orig_mod.w",
        "b.module.w": "b.module.w",
    }


def test_a_wrapped_head_of_other_classes_is_said() -> None:
    """Its shape differs under the name that the model has."""
    other = {**state(), "fc3._orig_mod.weight": torch.zeros(7, 84), "fc3._orig_mod.bias": torch.zeros(7)}
    del other["fc3.weight"], other["fc3.bias"]
    report = compare("lenet", other)
    assert (report.classes, report.missing, report.unexpected) == (7, (), ())
    head = fitted_model(ModelFit(report, 7), other).fc3
    assert head.weight.shape == (7, 84)


def test_the_place_is_where_most_names_have_their_shapes() -> None:
    """Counted by hand: one of two fits under a, both under b, one at the top."""
    wanted = {"w": "3", "b": "4"}
    held = {"a.w": "3", "a.b": "5", "b.w": "3", "b.b": "4", "w": "3"}
    assert fitting_places(held, wanted) == ("b.",)
    assert fitting_places({"x.w": "3", "y/w": "3"}, wanted) == ("x.", "y/")
