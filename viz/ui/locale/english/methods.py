"""Words about classes: the attribution methods, and the layer that names them."""

from ..words_table import Words

WORDS: Words = {}

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "method": "Method",
    "method_grad_cam": "Grad-CAM",
    "method_grad_cam_said": (
        "Bright: these parts of the picture speak for the class. No finer than the layer's maps, and silent "
        "about what speaks against the class."
    ),
    "method_saliency": "Saliency",
    "method_saliency_said": (
        "How strongly each pixel pulls at the score right now: gradient × input. Noisy, and blind where more "
        "of the same would change nothing."
    ),
    "method_integrated": "Integrated gradients",
    "method_integrated_said": (
        "How the rise of the score, from an input of zeros to this picture, is shared among the pixels. "
        "Pixels near zero get nothing, whatever they show."
    ),
    "method_occlusion": "Occlusion",
    "method_occlusion_said": (
        "How far the score falls when a window covers a place. Needs no gradient, but is no finer than the "
        "window, and misses what the picture shows twice."
    ),
    "method_conductance": "Layer conductance",
    "method_conductance_said": (
        "How the rise of the score, from an input of zeros to this picture, passes through the places of the "
        "layer. What speaks for and against at one place may cancel."
    ),
    "method_rollout": "Attention rollout",
    "method_rollout_said": (
        "Of a transformer: which places went, by the attention of all layers, into the tokens that the score "
        "reads. It is about the model's answer as a whole: another class changes little."
    ),
    "method_relevance": "Attention relevance",
    "method_relevance_said": (
        "Of a transformer: which places went, by the attention of all layers, into the score of this class. "
        "Each number of attention counts times its gradient, where that is above 0. Silent about what speaks "
        "against the class."
    ),
    "lay": "Cells lie",
    "lay_centred": "where they are centred",
    "lay_stretched": "stretched over the picture",
    "lay_title": (
        "Each cell lies where the windows of all layers up to here have their middle, which is the middle of "
        "what it sees, padding included. Stretched, as is usual, the map fills the picture, and its cells "
        "lie beside what they see."
    ),
    "lay_unknown": "It is not known where these cells sit: the map is stretched over the picture.",
    "method_at": "Layer",
    "method_last": "the last whose places count",
    "method_layer": "the one on screen",
    "method_steps": "Steps",
    "method_window": "Window",
    "method_stride": "Stride",
    "method_places": "{layer}: {height} × {width} places.",
    "method_brightest": "Brightest from {high} on, in units of the score.",
    "method_sum": "Sum {sum}; the score rises by {rise}; gap {gap}.",
    "method_falls": (
        "{windows} windows of {window} × {window} pixels, {stride} apart. The score is {score}. Each pixel "
        "has the mean of what it falls by under the windows that cover the pixel: {peak} at most."
    ),
    "method_tokens": "{height} × {width} places; {peak} at most.",
    "method_zero": "It is zero at every place.",
    "method_progress": "{done} of {total} runs",
    "method_most": "counts most",
    "method_against": "against {low}",
    "method_for": "{high} for",
    "method_copied": "The script of this method is on the clipboard; it reads picture.png.",
    "class_title": "{name} · channel {channel}",
    "class_list": "Classes by score",
    "class_score_head": "score",
    "class_share_head": "probability",
    "class_search": "Search a class",
    "class_none": "No class is called that.",
    "class_more": "{rest} more: search for one.",
    "class_score": "score {score}, number {rank} of {total}",
    "class_share": "score {score}, probability {share}, number {rank} of {total}",
}
