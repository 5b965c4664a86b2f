"""Sentences about what an address asks for in vain: each said once, in the visitor's language."""

from viz.ui.locale.vain import LONGEST, vain_in_words


def test_what_is_spelled_alike_is_suggested() -> None:
    """Also what is shown instead."""
    said = vain_in_words("en", "with_layer", "conv9", ("conv1", "conv2", "fc"), "same")
    expected = "The address says with_layer=conv9, which does not exist (did you mean conv2, conv1?)."
    assert said == f"{expected} Showing same."


def test_a_model_and_a_layer_have_sentences_of_their_own() -> None:
    """The layer's says which model does not have it."""
    assert "asks for the model “lenett”" in vain_in_words("en", "model", "lenett", (), "photonet")
    assert "lenet does not have" in vain_in_words("en", "layer", "conv9", (), "conv1", model="lenet")


def test_a_long_value_is_said_in_part_and_without_what_cannot_be_seen() -> None:
    """It comes from a stranger's link."""
    said = vain_in_words("en", "with_call", "\u202e" + "9" * 500, (), "1")
    assert "9" * (LONGEST - 1) in said
    assert "9" * LONGEST not in said
    assert "\u202e" not in said


def test_another_language_says_it_in_its_own_words() -> None:
    """The value stays as it was written."""
    assert "conv9" in (said := vain_in_words("zh", "with_layer", "conv9", ("conv1",), "same"))
    assert "The address" not in said
