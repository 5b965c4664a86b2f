"""Names and cards."""

import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from PIL import Image

import models

SHORT = (
    *models.names("bundled"),
    *models.names("torchvision"),
)  # timm's are tested in their own file
CLASSES = {
    "classification": {8, 10, 1000},
    "segmentation": {21},
    "detection": {2, 91},
    "video classification": {400},
    "optical flow": {0},
}


def test_the_bundled_nets_come_first_and_no_name_comes_twice() -> None:
    """The first name is the model on the first screen, which must work without a network."""
    names = models.names()
    assert names[:2] == ("lenet", "photonet")
    assert len(set(names)) == len(names)


def test_every_model_of_torchvision_and_timm_is_listed() -> None:
    """Against torchvision's own list, and timm's if timm is installed."""
    import torchvision.models

    listed = torchvision.models.list_models()
    assert set(models.names("torchvision")) == set(listed)
    assert set(models.names()) >= {*listed, *models.names("bundled"), *models.names("timm")}


def test_every_family_has_names_and_they_make_up_the_whole() -> None:
    """families() and names() agree."""
    assert models.families()[0] == "bundled"
    assert sum((models.names(family) for family in models.families()), ()) == models.names()


def test_every_card_is_complete() -> None:
    """Every field that a visitor is shown says something, for every model."""
    for name in SHORT:
        card = models.describe(name)
        assert card.id == name
        assert name in models.names(card.family)
        for text in (card.title, card.task, card.source, card.weights_origin, card.weights_licence):
            assert text
        prepared = card.preprocessing(Image.new("RGB", (40, 30)))
        first = prepared[0] if isinstance(prepared, list | tuple) else prepared
        assert first.shape[-2:] == card.input_size
        assert card.parameters > 0
        assert len(card.classes) in CLASSES[card.task]
        assert card.has_pretrained
        assert card.accuracy


def test_a_card_states_what_torchvision_states() -> None:
    """ResNet-50: facts that anyone can look up."""
    card = models.describe("resnet50")
    assert card.title == "ResNet-50"
    assert card.parameters == 25_557_032
    assert card.input_size == (224, 224)
    assert card.classes[207] == "golden retriever"
    assert "80.9 %" in card.accuracy
    assert "IMAGENET1K_V2" in card.weights_origin
    assert card.download_bytes == pytest.approx(102.5e6, rel=0.01)


def test_weights_with_terms_of_their_own_say_so() -> None:
    """Two models of torchvision are not free for every use."""
    assert "SWAG" in models.describe("vit_h_14").weights_licence
    assert "ImageNet" in models.describe("resnet50").weights_licence


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("vit_b_16", "ViT-B/16"),
        ("vgg11_bn", "VGG-11 with batch normalisation"),
        ("regnet_y_1_6gf", "RegNetY 1.6GF"),
        ("regnet_x_400mf", "RegNetX 400MF"),
        ("wide_resnet50_2", "Wide ResNet-50-2"),
        ("efficientnet_v2_s", "EfficientNetV2 S"),
        ("efficientnet_b0", "EfficientNet B0"),
        ("mobilenet_v3_large", "MobileNetV3 large"),
        ("swin_v2_t", "Swin V2 T"),
        ("googlenet", "GoogLeNet"),
    ],
)
def test_titles_are_written_as_people_write_them(name: str, title: str) -> None:
    """Not as identifiers."""
    assert models.describe(name).title == title


def test_no_two_models_share_a_title() -> None:
    """A visitor who searches must be able to tell them apart."""
    titles = [models.describe(name).title for name in SHORT]
    assert len(set(titles)) == len(titles)


def test_a_card_cannot_be_changed_and_can_be_a_key() -> None:
    """Cards are plain values."""
    card = models.describe("lenet")
    with pytest.raises(FrozenInstanceError):
        card.title = "other"  # type: ignore[misc]
    assert {card: 1}[models.describe("lenet")] == 1


@pytest.mark.parametrize("wrong", ["resnet51", "ResNet50", "resnet-50", "resnet 50"])
def test_a_near_miss_is_answered_with_what_was_meant(wrong: str) -> None:
    """Describing, loading, downloading and asking whether it is ready all suggest it."""
    for ask in (models.describe, models.load, models.download, models.is_ready):
        with pytest.raises(models.UnknownModelError, match="did you mean resnet50"):
            ask(wrong)


@pytest.mark.parametrize("wrong", ["", "../lenet", "lenet\n", "x" * 100_000, "<script>", "модель"])
def test_a_hopeless_name_is_answered_in_one_short_line(wrong: str) -> None:
    """Any name that a URL brings gets a LookupError with a short message on one line."""
    with pytest.raises(LookupError) as caught:
        models.describe(wrong)
    assert isinstance(caught.value, models.ModelError)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_an_unknown_family_is_answered_with_the_families() -> None:
    """Instead of an empty list."""
    with pytest.raises(models.UnknownModelError, match="bundled, torchvision"):
        models.names("timn")


def test_the_bundled_nets_do_not_wait_for_torchvision() -> None:
    """Importing torchvision takes two seconds, and the first screen does not need it."""
    code = (
        "import sys, models; models.describe('lenet'); models.load('lenet', weights='random');"
        "models.names('bundled'); sys.exit('torchvision' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_model_says_what_its_weights_need_without_its_card() -> None:
    """Against the cards, which take longer; timm's are known only once timm is imported."""
    needs = models.needs()
    assert tuple(needs) == models.names()
    for name in SHORT:
        card, ready = models.describe(name), models.is_ready(name)
        assert needs[name] == models.Needs(
            "ready" if ready else "download", 0 if ready else card.download_bytes
        )
    assert {needs[name].kind for name in models.names("timm")} <= {"download"}


def test_weights_that_have_been_fetched_are_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as the file is where torch.hub keeps it; what is asked often must not be remembered."""
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    assert models.needs()["resnet50"].kind == "download"
    file = tmp_path / "hub" / "checkpoints" / "resnet50-11ad3fa6.pth"
    file.parent.mkdir(parents=True)
    file.touch()
    assert models.needs()["resnet50"] == models.Needs("ready")
