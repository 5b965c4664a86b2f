"""Sentences about what an address asks for in vain: each said once, in the visitor's language."""

from viz.ui.locale.vain import LONGEST, vain_notice


def test_what_is_spelled_alike_is_suggested() -> None:
    """Also what is shown instead."""
    said = vain_notice("en", "with_layer", "conv9", ("conv1", "conv2", "fc"), "same").text
    expected = "The address says with_layer=conv9, which does not exist (did you mean conv2, conv1?)."
    assert said == f"{expected} Showing same."


def test_a_model_and_a_layer_have_sentences_of_their_own() -> None:
    """The layer's says which model does not have it."""
    assert "asks for the model “lenett”" in vain_notice("en", "model", "lenett", (), "photonet").text
    assert "lenet does not have" in vain_notice("en", "layer", "conv9", (), "conv1", model="lenet").text


def test_a_long_value_is_said_in_part_and_without_what_cannot_be_seen() -> None:
    """It comes from a stranger's link."""
    said = vain_notice("en", "with_call", "\u202e" + "9" * 500, (), "1").text
    assert "9" * (LONGEST - 1) in said
    assert "9" * LONGEST not in said
    assert "\u202e" not in said


def test_another_language_says_it_in_its_own_words() -> None:
    """The value stays as it was written."""
    assert "conv9" in (said := vain_notice("zh", "with_layer", "conv9", ("conv1",), "same").text)
    assert "The address" not in said


def test_a_sentence_leads_to_the_part_of_the_address_that_it_is_about() -> None:
    """The subject is in one table of its document, the look in another."""
    documents = {
        name: vain_notice("en", name, "x", (), "").document for name in ("model", "lang", "with_model")
    }
    assert documents == {
        "model": "address#the-subject",
        "lang": "address#the-subject",
        "with_model": "address#the-look",
    }
