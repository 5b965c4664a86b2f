"""Sentences that can be said in another language: English text that knows its key and what is filled in.

Whoever reads it in Python reads English. The page looks the key up in a catalogue of its own
(``viz/ui/locale/words_sentences.py``).
"""

from collections.abc import Mapping
from typing import Self

__all__ = ["ENGLISH", "Sentence", "said"]

# key: the text; {braces} are filled in with the values.
ENGLISH: dict[str, str] = {
    "convolution": "Σ over {channels} channels and {places} places: input × weight",
    "convolution_bias": "Σ over {channels} channels and {places} places: input × weight + bias",
    "linear": "Σ over {count} inputs: input × weight",
    "linear_bias": "Σ over {count} inputs: input × weight + bias",
    "lookup": "table[row, column]",
    "addition": "the sum of {count} inputs",
    "pooling_maximum": "the largest of {count} values",
    "pooling_mean": "the sum of {count} values ÷ {divisor}",
    "normalisation": "(x − mean) ÷ √(variance + eps) × weight + bias",
    "normalisation_rms": "x ÷ √(mean square + eps) × weight",
    "softmax": "exp(x − largest) ÷ Σ over {count} values: exp(x − largest)",
    "softmax_log": "log(exp(x − largest) ÷ Σ over {count} values: exp(x − largest))",
    "gate": "x × sigmoid(gate)",
    "moved": "the input's own number",
    "padding": "0, the padding",
    "unexplained": "The arithmetic of {what} is not explained here.",
    "unexplained_container": "{what} is made of other layers; they are explained one by one: {layers}.",
    "unexplained_input": "No tensor was captured that was given to {what} as a positional input.",
    "unexplained_forward": "{what} has a forward pass of its own, so its arithmetic is not explained here.",
    "field_part": "A part of the picture: no step so far has joined all of its places.",
    "field_none": "It does not depend on the picture.",
    "field_windows": "The whole picture: the windows of the layers up to here have grown over all of it.",
    "field_pooling": "The whole picture: a pooling up to here gathers all places.",
    "field_attention": "The whole picture: attention up to here lets every place look at every other.",
    "field_linear": "The whole picture: a linear layer up to here reads all places.",
    "field_normalisation": (
        "The whole picture: a normalisation up to here takes its statistics from all places."
    ),
    "field_operation": "The whole picture: {operation} may join all places.",
    "cell_inputs": "Only what a layer returns can be taken apart: choose its output as the value.",
    "cell_operation": "{layer} is an operation without a layer; only the numbers of layers are taken apart.",
    "cell_gradient": "Gradients are not taken apart: choose the view of one layer to take a value apart.",
    "cell_difference": "A difference is not taken apart: choose the maps before or after the edits.",
    "cell_place": "There is no place {place}: the maps are {shape}.",
    "filter_none": "{what} has no filters: no weights of its own make a channel of {layer}.",
    "code_operation": "{layer} is an operation without a layer, which no hook can capture.",
    "code_edit_inside": (
        "The edit of {layer} cannot be written in a short script, because what it changes lies inside of "
        "other values ({path}): undo it, or show the maps before."
    ),
    "code_gradient": (
        "A script makes gradients at a layer's whole output or at one of its inputs: choose such a value."
    ),
    "safetensors_type": "A safetensors file holds no numbers of type {kinds}: download them as NPZ.",
    "code_own_picture": (
        "A script takes another picture's values from samples only: undo the edit, or show the maps before."
    ),
    "code_weights": "A script can load trained or untrained weights, not those that a visitor brought.",
}


class Sentence(str):
    """An English sentence with its key in ``ENGLISH`` and the values that were filled in."""

    __slots__ = ("key", "values")

    key: str
    values: Mapping[str, str | int]

    def __new__(cls, text: str, key: str = "", values: Mapping[str, str | int] | None = None) -> Self:
        """Return the text, with what it was made of; without a key it has no other language."""
        sentence = super().__new__(cls, text)
        sentence.key, sentence.values = key, values or {}
        return sentence


def said(key: str, **values: str | int) -> Sentence:
    """Return the sentence with this key, its braces filled in."""
    return Sentence(ENGLISH[key].format(**values), key, values)
