"""Questions of the quiz, and their explanations."""

from ...words_table import Words

WORDS: Words = {
    # --- which picture ---
    "quiz_ask_photo": (
        "One of these four pictures went into **{model}**. Shown are {shown} of the {channels} maps that "
        "its layer `{layer}` made of it. Which picture was it?"
    ),
    "quiz_why_photo": (
        "It is “{answer}”. In an early layer each place of a map looks at a small window of the picture, "
        "at the same place: what was bright, dark or an outline there is found again. Deeper layers lose "
        "that, bit by bit."
    ),
    # --- which map shows the outlines ---
    "quiz_ask_outlines": (
        "Here are four maps that `{layer}`, the first convolution of **{model}**, makes of this picture: "
        "red is above zero, blue below, grey is zero. Which of them shows the picture's outlines, and "
        "little else?"
    ),
    "quiz_why_outlines": (
        "It is {answer}, channel {channel}. It is grey wherever the picture is even, be that bright or "
        "dark, and has colour only along outlines. The others have colour where the picture is even, or "
        "hardly any where its outlines are."
    ),
    # --- which map is from the deepest layer ---
    "quiz_ask_depth_deepest": (
        "One map of each of four layers of **{model}**, for the picture “{sample}”, all drawn at the same "
        "size. Which of them is from the deepest layer, the one furthest from the picture?"
    ),
    "quiz_ask_depth_first": (
        "One map of each of four layers of **{model}**, for the picture “{sample}”, all drawn at the same "
        "size. Which of them is from the first layer, the one nearest to the picture?"
    ),
    "quiz_why_depth": (
        "It is {answer}, from `{layer}`. On its way through the net a picture gets coarser: there are "
        "fewer values, so each is drawn as a larger square. In the order in which the layers ran: "
        "{others}."
    ),
    # --- what becomes of these numbers ---
    "quiz_ask_relu": (
        "These nine numbers go into `{layer}`, a **ReLU** of **{model}**: rows {rows} and columns "
        "{columns} of channel {channel}, for the picture “{sample}”. What comes out?"
    ),
    "quiz_why_relu": (
        "A ReLU leaves every number above zero as it is, and makes 0 of every other one: max(0, x), each "
        "number by itself."
    ),
    "quiz_ask_pool": (
        "These numbers go into `{layer}`, a **max pooling** of **{model}**: rows {rows} and columns "
        "{columns} of channel {channel}, for the picture “{sample}”. Its windows of 2 × 2 lie side by "
        "side. What comes out?"
    ),
    "quiz_why_pool": (
        "Of each window of 2 × 2 the largest number is kept; the other three are gone. So there is a "
        "quarter as many numbers, and where they were stays roughly the same."
    ),
    # --- what comes out of a layer ---
    "quiz_ask_output_conv": (
        "`{layer}` of **{model}** is a **convolution** with {filters} filters. Each slides a window of "
        "{kernel} × {kernel} over all {ins} maps, in steps of {stride}, and never beyond the border. In go "
        "{given} values (maps × rows × columns). What comes out?"
    ),
    "quiz_why_output_conv": (
        "It is {shape}. Each of the {filters} filters makes one map. Along a side of {side} values, a "
        "window of {kernel} in steps of {stride} finds ({side} − {kernel}) ÷ {stride} + 1 places, rounded "
        "down: {out}."
    ),
    "quiz_ask_output_conv_padded": (
        "`{layer}` of **{model}** is a **convolution** with {filters} filters. Around each of the {ins} "
        "maps it puts a border of zeros, {padding} wide; over that each filter slides a window of "
        "{kernel} × {kernel} in steps of {stride}. In go {given} values (maps × rows × columns). What "
        "comes out?"
    ),
    "quiz_why_output_conv_padded": (
        "It is {shape}. Each of the {filters} filters makes one map. Along a side of {side} values with "
        "its border, a window of {kernel} in steps of {stride} finds ({side} + 2 × {padding} − {kernel}) ÷ "
        "{stride} + 1 places, rounded down: {out}."
    ),
    "quiz_ask_output_pool": (
        "`{layer}` of **{model}** is a **max pooling**: windows of {kernel} × {kernel} lie side by side, "
        "and of each only the largest value is kept. In go {given} values (maps × rows × columns). What "
        "comes out?"
    ),
    "quiz_why_output_pool": (
        "It is {shape}. Each map is pooled by itself, so there are still {channels}. Of the {side} values "
        "along a side, one in {kernel} is left."
    ),
    "quiz_ask_output_linear": (
        "`{layer}` of **{model}** is a **linear layer** with {outs} outputs: each is a weighted sum of all "
        "{given} numbers that go in. Which shape comes out?"
    ),
    "quiz_why_output_linear": "It is {shape}: one number for each output, however many went in.",
    "quiz_ask_output_flatten": (
        "`{layer}` of **{model}** **flattens**: it puts all values in one row. In go {given} values "
        "(maps × rows × columns). What comes out?"
    ),
    "quiz_why_output_flatten": "No value is lost, and none is made: {product} = {shape}, in one row.",
    "quiz_ask_output_relu": (
        "`{layer}` of **{model}** is a **ReLU**: it looks at each value by itself, and makes 0 of what is "
        "below zero. In go {given} values (maps × rows × columns). What comes out?"
    ),
    "quiz_ask_output_relu6": (
        "`{layer}` of **{model}** is a **ReLU6**: it looks at each value by itself, makes 0 of what is "
        "below zero, and 6 of what is above 6. In go {given} values (maps × rows × columns). What comes "
        "out?"
    ),
    "quiz_ask_output_batchnorm2d": (
        "`{layer}` of **{model}** is a **batch normalisation**: it shifts and scales all values of a map "
        "in the same way. In go {given} values (maps × rows × columns). What comes out?"
    ),
    "quiz_why_output_same": (
        "It is {shape}, as before: what is done to each value by itself changes values, never how many "
        "there are, nor how they lie."
    ),
    # --- which layer made these maps ---
    "quiz_ask_layer": (
        "Maps of one layer of **{model}**, for the picture “{sample}”: the first {shown} of {channels}, "
        "each of {sides} values, from {minimum} to {maximum}. Which layer made them?"
    ),
    "quiz_ask_layer_tokens": (
        "Tokens of one layer of **{model}**, for the picture “{sample}”, laid out on the grid of "
        "patches, one map for each feature: the first {shown} of {channels}, each of {sides} values, "
        "from {minimum} to {maximum}; the class token is left out. Which layer made them?"
    ),
    "quiz_ask_layer_attention": (
        "One layer of **{model}** returns this for the picture “{sample}”: how much each token (from "
        "top to bottom) looks at each token (from left to right), {sides} values in each of {channels} "
        "heads, from {minimum} to {maximum}. Which layer is it?"
    ),
    "quiz_ask_layer_signals": (
        "**{model}** reads the picture “{sample}” as a signal: how bright it is from left to right. One "
        "of its layers returns this: channels from top to bottom, positions from left to right, {sides} "
        "values from {minimum} to {maximum}. Which layer is it?"
    ),
    "quiz_why_layer": "It is `{layer}`, {type}: its maps are {shape}. The others: {others}.",
    # --- which shape ---
    "quiz_ask_shape": (
        "In **{model}** the layer `{layer}` is a **{type}**. Into it go values of shape {given} "
        "(without the batch). What comes out?"
    ),
    "quiz_why_shape_window": (
        "It is {shape}. Along each side the output has (side + 2 × padding − kernel) ÷ stride + 1 "
        "values, rounded down; padding is 0 where none is named. A convolution gives one map for each "
        "of its filters (the number after the arrow), a pooling keeps the number of channels."
    ),
    "quiz_why_shape_linear": (
        "It is {shape}. A linear layer works on the last axis alone: so many numbers go in and come out "
        "as its arrow says. All axes before it stay: each token is treated by itself."
    ),
    "quiz_why_shape_flatten": (
        "It is {shape}. Flattening loses no value and makes none: all lengths multiplied, {given}, in "
        "one axis."
    ),
    "quiz_why_shape_average": (
        "It is {shape}. Each channel is averaged by itself, over all its places; channels stay, and so "
        "do the axes, now of length 1."
    ),
    # --- which channel was removed ---
    "quiz_ask_channel": (
        "One channel of `{layer}` in **{model}** is set to zero while the model runs on the picture "
        "“{sample}”. The first picture is the difference that this makes to `{after}` behind it, in "
        "{shown} of {channels} maps: red where there is more than before, blue where there is less, "
        "grey where nothing changed. Beside it are four channels of `{layer}` as they were, each on its "
        "own scale. Which of them was removed?"
    ),
    "quiz_why_channel": (
        "It is channel {channel}. `{after}` is a convolution: it adds up what its filters make of every "
        "channel, so what is missing is just what they made of this one. Where a filter's window held "
        "only zeros of this channel nothing changed (grey), so the difference has the channel's shape, "
        "a little blurred; whether it is red or blue depends on the weights."
    ),
    # --- which edit ---
    "quiz_ask_edit": (
        "A hook changes all that `{layer}` ({type}) of **{model}** returns for the picture “{sample}”. "
        "The maps are those of the ReLU behind it, `{after}`, without and with the edit, {shown} of "
        "{channels} on one scale. What does the hook do to the values of `{layer}`?"
    ),
    "quiz_edit_zero": "set them to zero",
    "quiz_edit_scale": "change their sign",
    "quiz_edit_mean": "each channel becomes its mean",
    "quiz_edit_noise": "add noise",
    "quiz_edit_clamp": "cut them off at ±{amount}",
    "quiz_why_edit_zero": (
        "It sets them to zero. A ReLU turns 0 into 0: behind it nothing is left anywhere."
    ),
    "quiz_why_edit_scale": (
        "It multiplies by −1. The ReLU now stops what it let through, and lets through what it stopped: "
        "what was bright is dark, and there are values where there was nothing."
    ),
    "quiz_why_edit_mean": (
        "Each channel becomes one number, its mean over the picture: a map of one colour, and of the "
        "darkest where the mean is below zero, for the ReLU stops it."
    ),
    "quiz_why_edit_noise": (
        "It adds random numbers (Gaussian, deviation {amount}): speckles without a shape. Where the sum "
        "is below zero the ReLU stops it, and where there was nothing some of the noise comes through."
    ),
    "quiz_why_edit_clamp": (
        "Values beyond ±{amount} become ±{amount}. Behind the ReLU nothing is larger than {amount}: the "
        "peaks are flat, and what was small is as it was."
    ),
    # --- which hook fires next ---
    "quiz_ask_fires": (
        "On each of {layers} in **{model}** sit four hooks: a pre-hook, a forward hook, a full backward "
        "pre-hook and a full backward hook. The model runs on “{sample}”, then the gradient of the "
        "score of “{class}” goes all the way back. Just now this one fired: **{fired}**. Which of these "
        "four is next?"
    ),
    "quiz_why_fires": (
        "On the way there they fired in this order: {there}. On the way back: {back}. A layer begins "
        "with its pre-hook and ends with its forward hook; one that stands around others begins before "
        "them and ends after them. On the way back it is just so from the last layer to the first, with "
        "the two backward hooks."
    ),
    # --- what a hook is given ---
    "quiz_ask_sees_pre_hook": (
        "A pre-hook sits on `{layer}` of **{model}**, a **{type}**. The net is given one picture. What "
        "shape has `args[0]` in the hook?"
    ),
    "quiz_ask_sees_forward_hook": (
        "A forward hook sits on `{layer}` of **{model}**, a **{type}**. The net is given one picture. "
        "What shape has `output` in the hook?"
    ),
    "quiz_ask_sees_full_backward_pre_hook": (
        "A full backward pre-hook sits on `{layer}` of **{model}**, a **{type}**. The gradient of the "
        "score of “{class}” comes back, for one picture. What shape has `grad_output[0]` in the hook?"
    ),
    "quiz_ask_sees_full_backward_hook": (
        "A full backward hook sits on `{layer}` of **{model}**, a **{type}**. The gradient of the score "
        "of “{class}” comes back, for one picture. What shape has `grad_input[0]` in the hook?"
    ),
    "quiz_why_sees": (
        "`{layer}` is given {inputs} and returns {output}; the first number is the batch. A pre-hook "
        "sees what is given, a forward hook also what is returned. A gradient has the shape of what it "
        "belongs to: `grad_output` that of the output, `grad_input`, which has gone through the layer, "
        "that of the input."
    ),
    # --- what becomes of the gradients ---
    "quiz_ask_fate_same": (
        "In **{model}** the gradient of the score of “{class}” goes back to the picture “{sample}”. A "
        "hook sets to zero what arrives at the output of `{layer}` ({type}). On the way there the "
        "layers ran in this order: {order}. At the output of which of these layers does the gradient "
        "stay as it was?"
    ),
    "quiz_ask_fate_zero": (
        "In **{model}** the gradient of the score of “{class}” goes back to the picture “{sample}”. A "
        "hook sets to zero what arrives at the output of `{layer}` ({type}). On the way there the "
        "layers ran in this order: {order}. At the output of which of these layers is the gradient then "
        "zero everywhere?"
    ),
    "quiz_why_fate": (
        "Computed with and without the hook: {fates}. The way back begins at the score, so a layer "
        "behind `{layer}` has its gradient before the hook acts, and one on another branch never hears "
        "of it. A layer in front gets zero if `{layer}` is its only way to the score; if there is "
        "another way, such as an identity path, it still gets what comes that way."
    ),
    "quiz_fate_same": "`{layer}` as it was",
    "quiz_fate_changed": "`{layer}` another one",
    "quiz_fate_zero": "`{layer}` zero",
    # --- which gradient came through ---
    "quiz_ask_gate": (
        "The first picture shows where the ReLU `{relu}` of **{model}** lets something through in one "
        "channel, for the picture “{sample}”: bright where it does, darkest where it returns 0. A to D "
        "are gradients of the score of “{class}” at the output of `{layer}`, right in front of the "
        "ReLU, in four channels: red above zero, blue below, grey exactly zero. Which one belongs to "
        "the channel of the first picture?"
    ),
    "quiz_why_gate": (
        "It is {answer}. Where a ReLU returns 0 its slope is 0, so no gradient comes through: the right "
        "one is grey wherever the first picture is darkest, and the others are not. It may be grey in "
        "more places, for instance where a pooling behind the ReLU took a neighbour's value. The "
        "channels: {channels}."
    ),
}
