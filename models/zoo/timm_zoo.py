"""The family of timm's models, where timm is installed: ``pip install -r requirements-timm.txt``.

timm takes seconds to import, so its names are read from its source, and it is imported when one of its models
is needed. Its trained weights are kept where timm and the Hugging Face libraries look for them.
"""

import importlib.util
import io
import re
from functools import cache
from pathlib import Path
from typing import Any

from torch import nn
from tqdm import tqdm

from ..cards import ModelCard, Needs, Progress
from ..downloads import checkpoint_path, fetch, require_answer
from ..errors import WeightsDamagedError, WeightsUnavailableError
from ..partial_file import check_room
from ..preprocessing import Preprocessing
from ..refused_memory import is_refused_memory
from ..skeleton import without_numbers
from ..whole_preprocessing import WholePreprocessing

__all__ = ["PREFIX", "TimmFamily"]

PREFIX = "timm/"
_MODEL = re.compile(r"^@register_model\s*\ndef (\w+)\(", re.MULTILINE)
_HUB_FILES = ("model.safetensors", "pytorch_model.bin")
_BYTES = 4  # of a parameter in a file of weights, as most are


class TimmFamily:
    """Every architecture of timm, with timm's own choice of weights.

    Without timm there are no models.
    """

    name = "timm"

    def names(self) -> tuple[str, ...]:
        """Return ``timm/<architecture>`` for each, in alphabetical order."""
        return _names()

    def representatives(self) -> tuple[str, ...]:
        """Return the smallest model of each of timm's modules.

        This makes every model, without numbers.
        """
        smallest: dict[str, tuple[int, str]] = {}
        for model_id in self.names():
            found = (_parameters(model_id), model_id)
            module = _module(model_id)
            smallest[module] = min(smallest.get(module, found), found)
        return tuple(model_id for _, (_, model_id) in sorted(smallest.items()))

    def describe(self, model_id: str) -> ModelCard:
        """Return the card, from timm's facts about its weights."""
        return _card(model_id)

    def untrained(self, model_id: str) -> nn.Module:
        """Return what ``timm.create_model(name)`` returns."""
        return _made(model_id)

    def trained(self, model_id: str) -> nn.Module:
        """Return what ``timm.create_model(name, pretrained=True)`` returns, from the file that is here.

        Raises:
            WeightsDamagedError: the file is cut short, or of another model.
        """
        path = _kept(model_id)
        if path is None:
            raise WeightsUnavailableError(
                "the weights of {model_id} are not here; fetch them first", model_id=model_id
            )
        try:
            return _made(model_id, pretrained=True, pretrained_cfg_overlay=_overlay(model_id, path))
        except Exception as error:  # whatever a damaged file makes of timm's readers
            if is_refused_memory(error):
                raise
            raise WeightsDamagedError(
                "{file} is damaged or does not belong to {model}; delete it", file=path, model=model_id
            ) from error

    def fetch(self, model_id: str, progress: Progress | None) -> None:
        """Download the weights, unless they are here.

        Raises:
            WeightsUnavailableError: no network, or no such file.
        """
        if _kept(model_id) is not None:
            return
        repository = _config(model_id).hf_hub_id
        if repository:
            _fetch_from_hub(repository, _hub_files(model_id), progress)
        else:
            fetch(_config(model_id).url, progress)

    def is_ready(self, model_id: str) -> bool:
        """Return whether the weights are here."""
        return _kept(model_id) is not None

    def needs(self, model_id: str) -> Needs:  # noqa: ARG002  # timm would have to be imported to know more
        """Return "download", of unknown size, without importing timm.

        A model's card knows better, but takes timm's import.
        """
        return Needs("download")


@cache
def _names() -> tuple[str, ...]:
    """Return every architecture that timm's source registers, without importing it."""
    found = importlib.util.find_spec("timm")
    if found is None or found.origin is None:
        return ()
    sources = (Path(found.origin).parent / "models").glob("*.py")
    names = {name for source in sources for name in _MODEL.findall(source.read_text(encoding="utf-8"))}
    return tuple(PREFIX + name for name in sorted(names))


def _timm_name(model_id: str) -> str:
    return model_id.removeprefix(PREFIX)


def _timm() -> Any:
    return importlib.import_module("timm")


def _made(model_id: str, **options: Any) -> nn.Module:
    model: nn.Module = _timm().create_model(_timm_name(model_id), **options)
    return model


@cache
def _config(model_id: str) -> Any:
    """Return timm's ``PretrainedCfg`` of its chosen weights, or the default."""
    known = _timm().get_pretrained_cfg(_timm_name(model_id))
    return known if known is not None else _timm().models.PretrainedCfg()


def _module(model_id: str) -> str:
    """Return the name of timm's file that defines the architecture."""
    return str(_timm().model_entrypoint(_timm_name(model_id)).__module__.rpartition(".")[2])


@cache
def _card(model_id: str) -> ModelCard:
    config, preprocessing, parameters = _config(model_id), _preprocessing(model_id), _parameters(model_id)
    trained = _timm().is_model_pretrained(_timm_name(model_id))
    return ModelCard(
        id=model_id,
        title=f"{_timm_name(model_id)} (timm)",
        family=TimmFamily.name,
        task="classification" if config.num_classes else "features",
        source=_source(model_id),
        weights_origin=_origin(config) if trained else "timm has no trained weights for it",
        weights_licence=config.license or "timm states none for these weights",
        has_pretrained=trained,
        input_size=preprocessing.crop,
        preprocessing=preprocessing,
        classes=_classes(config),
        parameters=parameters,
        download_bytes=_BYTES * parameters if trained else 0,
        notes="How well it does is in timm's own tables of results.",
    )


def _source(model_id: str) -> str:
    config = _config(model_id)
    papers = config.paper_ids if isinstance(config.paper_ids, str) else ", ".join(config.paper_ids or ())
    known = ", ".join(filter(None, (config.paper_name, papers)))
    return f"timm.models.{_module(model_id)}" + (f"; {known}" if known else "")


def _origin(config: Any) -> str:
    weights = ".".join(filter(None, (config.architecture, config.tag)))
    return f"timm, {weights}" + (f", from {config.origin_url}" if config.origin_url else "")


def _classes(config: Any) -> tuple[str, ...]:
    """Return the names of the classes, where timm knows them."""
    data = importlib.import_module("timm.data")
    subset = data.infer_imagenet_subset(config.to_dict())
    return tuple(data.ImageNetInfo(subset).label_descriptions()) if subset else ()


def _preprocessing(model_id: str) -> Preprocessing:
    """Return the preparation of pictures in timm's own evaluation."""
    found = importlib.import_module("timm.data").resolve_data_config(
        pretrained_cfg=_config(model_id).to_dict()
    )
    _, height, width = found["input_size"]
    options = {
        "resize": int(max(height, width) / found["crop_pct"]),
        "crop": (height, width),
        "interpolation": found["interpolation"],
        "mean": tuple(found["mean"]),
        "std": tuple(found["std"]),
    }
    if found["crop_mode"] == "center":
        return Preprocessing(**options)
    return WholePreprocessing(**options, squeezed=found["crop_mode"] == "squash")


@cache
def _parameters(model_id: str) -> int:
    """Return a model's number of parameters, made without numbers if possible."""
    try:
        with without_numbers():
            model = _made(model_id)
    except RuntimeError:  # the constructor computes with the numbers it makes
        model = _made(model_id)
    return sum(value.numel() for value in model.parameters())


def _hub_files(model_id: str) -> tuple[str, ...]:
    wanted = _config(model_id).hf_hub_filename
    return (wanted,) if wanted else _HUB_FILES


def _kept(model_id: str) -> Path | None:
    """Return the file of weights, if it is here."""
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415  # comes with timm

    config = _config(model_id)
    if config.hf_hub_id:
        repository, _, revision = config.hf_hub_id.partition("@")
        found = (
            try_to_load_from_cache(repository, file, revision=revision or None)
            for file in _hub_files(model_id)
        )
        return next((Path(path) for path in found if isinstance(path, str)), None)
    path = checkpoint_path(config.url) if config.url else None
    return path if path and path.exists() else None


def _overlay(model_id: str, path: Path) -> dict[str, Any]:
    """Return timm's options for reading the weights from a file."""
    return {"file": str(path), "custom_load": _config(model_id).custom_load}


def _fetch_from_hub(place: str, files: tuple[str, ...], progress: Progress | None) -> None:
    from huggingface_hub import hf_hub_download, hf_hub_url  # noqa: PLC0415  # comes with timm
    from huggingface_hub.errors import EntryNotFoundError  # noqa: PLC0415  # likewise

    repository, _, revision = place.partition("@")
    require_answer(hf_hub_url(repository, files[0], revision=revision or None))
    for file in files:
        try:
            hf_hub_download(repository, file, revision=revision or None, tqdm_class=_reporting(progress))
        except EntryNotFoundError:
            continue
        except OSError as error:
            check_room(error, repository)
            raise WeightsUnavailableError(
                "the weights of {model} cannot be fetched: {reason}; untrained weights can be shown "
                "meanwhile",
                model=repository,
                reason=str(error).splitlines()[0],
            ) from error
        return
    raise WeightsUnavailableError(
        "{repository} has no file of weights that can be read here", repository=repository
    )


def _reporting(progress: Progress | None) -> type[Any]:
    """Return a silent progress bar's class that reports to ``progress``."""

    class ReportingBar(tqdm):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **{**options, "file": io.StringIO()})

        def update(self, n: float | None = 1) -> bool | None:
            shown: bool | None = super().update(n)
            if progress is not None:
                progress(int(self.n), int(self.total or 0))
            return shown

    return ReportingBar
