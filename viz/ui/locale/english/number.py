"""Words about numbers: one, a block, a channel's weights, and copying."""

from ..words_table import Words

# Sent to the browser as they are, filled in there.
BROWSER_WORDS: Words = {
    "one_number": "One number",
    "computing": "Computing …",
    "cell_keys": (
        "Click a cell, or reach it with the arrow keys and press Enter, to see how its number came about."
    ),
    "cell_keys_tell": "Arrow keys move from cell to cell and tell each number; Escape leaves the map.",
    "seen_alt": "What the model saw",
    "sees_part": (
        "It sees {height} × {width} pixels: rows {top} to {bottom}, columns {left} to {right}, from 0."
    ),
    "freeze_first": (
        "Freeze the camera's picture first: this is about one picture, and frames are not kept."
    ),
    "sees_signal": (
        "It sees {width} values of the signal that the model was given: {left} to {right}, from 0."
    ),
    "padding": "padding",
    "grid_channel": "input, channel",
    "grid_input": "input, channel {channel}",
    "grid_weights": "weights",
    "grid_products": "products",
    "sum_channel": "channel {channel}, its products summed",
    "sum_others": ("the other channel", "the other {count} channels together"),
    "sum_input": "input {place}",
    "sum_inputs": ("the other input", "the other {count} inputs together"),
    "bias": "bias",
    "table_row": "row {row} of the table",
    "sum": "computed again",
    "sum_title": "computed here, in double precision",
    "all_digits": "All digits",
    "number_in_torch": "in PyTorch: {index}",
    "returned": "returned by the layer",
    "agrees": "The two agree to the precision of {precision}; they differ by {difference}.",
    "disagrees": "The two do not agree: they differ by {difference}, more than {precision} explains.",
    "number_edited": (
        "An edit changed this number after the layer had made it, so the two differ by {difference}."
    ),
    "play_sum": "Play this sum",
    "reading": "What this layer does, on its own numbers",
    "reading_convolution": (
        "A small window slides over the input. Every number that it covers is multiplied with the weight "
        "that lies on it. All products, from all channels, are added: that sum is one number of the output."
    ),
    "reading_resizing": (
        "Every number of the output is a mixture of the numbers around its place in the input. The nearer "
        "one is, the more it counts."
    ),
    "reading_pooling": (
        "A window slides over the input, and only the largest number in it goes on. The map becomes smaller, "
        "and what is strong stays."
    ),
    "reading_mean_pooling": (
        "A window slides over the input, and the mean of its numbers goes on. The map becomes smaller and "
        "smoother."
    ),
    "reading_normalisation": (
        "Numbers may be spread anywhere. This layer takes their mean away and divides by how far they are "
        "spread. A weight and a bias that the net has learned then give them the place that suits it."
    ),
    "reading_activation": (
        "Each number goes alone through the same curve. Where the curve is flat, differences are lost; where "
        "it is steep, they stay."
    ),
    "reading_softmax": (
        "Scores become shares of a whole. Each score is an exponent, so that a little more score is a much "
        "larger share. All shares together are 1."
    ),
    "reading_attention": (
        "One place asks, and every place answers with a score. The scores become shares of a whole. What the "
        "places have to say is then mixed by these shares."
    ),
    "reading_linear": (
        "Every input is multiplied with a weight of its own, and the products are added. A large product "
        "speaks for the result, a negative one against it."
    ),
    "reading_addition": ("Two ways through the net meet here. Number by number, what they bring is added."),
    "reading_plain": "One number after the other is made like this.",
    "reading_window": "the window",
    "reading_times": "window × weights = products",
    "reading_sum": "products added",
    "reading_pooled": "of the window",
    "reading_mean": "the mean",
    "reading_largest": "the largest",
    "reading_others": ("the other channel", "the other {count} channels"),
    "reading_total": "the output",
    "reading_how": "how each number is made",
    "reading_output": "output, channel {channel}",
    "reading_output_alt": "{count} of {all} numbers of the output are there",
    "reading_input_alt": "the window lies on rows {rows} and columns {columns} of the input",
    "reading_move": "Click to play another part of the map",
    "reading_at_window": (
        "For row {row}, column {column} of the output, the window lies on rows {rows} and columns "
        "{columns} of the input."
    ),
    "reading_at_products": (
        "One number times one weight: {value} × {weight} = {product}.",
        "Each of the {count} numbers is multiplied with its weight: {value} × {weight} = {product} is the "
        "product furthest from zero.",
    ),
    "reading_at_sum": (
        "The one product is {sum}.",
        "The {count} products add up to {sum}.",
    ),
    "reading_at_total": "Row {row}, column {column}: {sum} = {total}.",
    "reading_at_largest": (
        "Row {row}, column {column}: the only number is {total}.",
        "Row {row}, column {column}: the largest of {count} numbers is {total}.",
    ),
    "reading_at_mean": "Row {row}, column {column}: the numbers add up to {sum}; ÷ {divisor} = {total}.",
    "reading_in": "goes in",
    "reading_out": "comes out",
    "reading_one": "one number",
    "reading_curve": "the curve that every number goes through",
    "reading_at_input": "Row {row}, column {column}: {value} goes in.",
    "reading_at_curve": "Above {value}, the curve is at {total}.",
    "reading_at_out": "Row {row}, column {column}: {value} becomes {total}.",
    "reading_spread": "how the numbers are spread, before and after",
    "reading_less_mean": "− mean {mean}",
    "reading_by_deviation": "÷ deviation {deviation}",
    "reading_with_weight": "× weight {weight} + bias {bias}",
    "reading_at_mean_taken": "Without the mean: {value} − {mean} = {centred}.",
    "reading_at_deviation": (
        "Divided by how far the numbers are spread: {centred} ÷ {deviation} = {whitened}."
    ),
    "reading_at_weighted": (
        "Row {row}, column {column}: {whitened} × weight {weight} + bias {bias} gives {total}."
    ),
    "reading_keys": "scores, and the shares that they become",
    "reading_looks": "where this place looks",
    "reading_key": "key {key}",
    "reading_entry": "number {key}",
    "reading_more_keys": ("and one more", "and {count} more"),
    "reading_other_keys": ("the other one: {share}", "the other {count} together: {share}"),
    "reading_rest_keys": ("the other key", "the other {count} keys"),
    "reading_mix": "the mix",
    "reading_mix_weight": "× weight {weight}",
    "reading_mix_rest": "all other numbers of all heads",
    "reading_all_powers": ("the only value", "all {count} values together"),
    "reading_at_query": "Token {query} asks, in head {head}.",
    "reading_at_scores": (
        "The only key scores {score}.",
        "Each of the {count} keys gets a score; key {key} has the highest, {score}.",
    ),
    "reading_at_shares": "The scores become shares that are 1 together; key {key} has {share}.",
    "reading_at_mix": "What each key has to say is mixed by its share: {sum}.",
    "reading_at_mixed": "Row {row}, column {column}: the mix, weighted and added to the rest, is {total}.",
    "reading_at_entry": "Row {row}, column {column}: number {own} gets a share of {total}.",
    "reading_at_share": "Row {row}, column {column}: key {own} gets a share of {total}.",
    "reading_agrees": "The layer itself returned {value} at {index}: the same.",
    "reading_disagrees": "The layer itself returned {value} at {index}: that differs by {difference}.",
    "reading_edited": (
        "An edit changed this number after the layer had made it: {value} at {index}, a difference of "
        "{difference}."
    ),
    "reading_player": "Player of the sums",
    "reading_previous": "previous step",
    "reading_next": "next step",
    "reading_slider": "Place in the block",
    "filter": "Its weights",
    "filter_facts": (
        "One kernel of {size}, input channel {first}; colours end at ±{limit}.",
        "{count} kernels of {size}, input channels {first} to {last}; colours end at ±{limit}.",
    ),
    "filter_bias": "Bias {bias}.",
    "copy_link": "Copy link",
    "copy_code": "Copy as code",
    "copied": "Copied",
    "link_copied": "Copied: the link opens this view anywhere.",
    "link_weights": "Your weights are not in the link: it shows the model with its trained ones.",
    "link_donor": "For others, the edit that takes values from your own picture is left out.",
    "link_private": (
        "Copied: it opens this view with a sample picture. Your own picture stays private and is not in it."
    ),
    "code_copied": (
        "Copied: a script of plain hooks that makes this view from picture.png, which is under Download."
    ),
    "copy_failed": (
        "This browser did not allow copying: the script is under Download, the link in the address bar."
    ),
}
