"""The text of the lessons; ``docs/hooks-1.md`` and ``docs/hooks-2.md`` are the longer version."""

from ...words_table import Words

WORDS: Words = {
    "course_title_0": "The last layers of a transformer",
    "course_text_0": (
        "An encoder of eight transformer layers turns 196 patches of each of two pictures into tokens. "
        "We collect what its last K layers add in their feed-forward half, at the layer called "
        "`dropout2`, and stack it. Then hooks are placed by type and by name, and we look at what a kept "
        "value is worth later."
    ),
    "course_part_stack": "The last K layers, stacked",
    "course_part_stack_text": (
        "A forward hook on each `dropout2` keeps a clone. A capture, and the encoder's own arithmetic "
        "written out as a loop, must agree to the last bit."
    ),
    "course_part_neighbours": "The batch taken for tokens",
    "course_part_neighbours_text": (
        "Without `batch_first=True` a transformer reads (tokens, batch, width). Nothing fails, but "
        "changing one picture changes its neighbour's result."
    ),
    "course_part_names": "By type and by name",
    "course_part_names_text": (
        "A net of two linear layers, a ReLU and a ReLU6, for the input (2, the second "
        "input): hooks on every layer but the ReLU6, and on the layer named `relu6`."
    ),
    "course_part_walked": "A ReLU in the middle",
    "course_part_walked_text": (
        "A convolution, a batch norm, an in-place ReLU and a pooling, for two pictures of 224 × 224. The "
        "ReLU writes into the memory that batch norm returned."
    ),
    "course_part_kept": "What is kept",
    "course_part_kept_text": (
        "A value [1, 2, 3] is kept in seven ways. Then its original is overwritten with "
        "zeros, as an in-place layer would."
    ),
    "course_try_0": (
        "Set K to 3. Which line changes, and which does not? Choose a second input that makes the ReLU "
        "give 0."
    ),
    "course_traps_0": (
        "In eval mode PyTorch may fuse the steps of a transformer layer; what is fused has no layers to "
        "hook. A loop over names hooks nothing when a name is misspelt, and the list stays empty. "
        "`detach()` does not copy: it shares the memory."
    ),
    "course_line_stack_shape": "stacked: (K, batch, tokens, width)",
    "course_line_capture_equals_hook": "largest difference between hook and capture",
    "course_line_capture_equals_hand": "largest difference from the arithmetic by hand",
    "course_line_neighbour_moves": "picture 0 moves when picture 1 changes, without `batch_first`",
    "course_line_neighbour_rests": "the same with `batch_first=True`",
    "course_line_linear_1": "first linear layer",
    "course_line_linear_2": "second linear layer",
    "course_line_relu": "ReLU",
    "course_line_relu6": "ReLU6, hooked by its name",
    "course_line_by_capture": "ReLU6, captured",
    "course_line_misspelt": "hooks placed by the misspelt name `relu_6`",
    "course_line_relu_shape": "the ReLU's output",
    "course_line_end_shape": "the net's output",
    "course_line_hook_equals_hand": "largest difference between hook and walking by hand",
    "course_line_reference_minimum": "minimum of batch norm's output, kept as a reference",
    "course_line_copy_minimum": "how far below zero it really goes: a copy knows",
    "course_line_kept_shared_flows": "`{name}`: shared memory, the gradient flows",
    "course_line_kept_shared_cut": "`{name}`: shared memory, the gradient is cut off",
    "course_line_kept_own_flows": "`{name}`: memory of its own, the gradient flows",
    "course_line_kept_own_cut": "`{name}`: memory of its own, the gradient is cut off",
    "course_title_1": "Every layer as a heatmap",
    "course_text_1": (
        "LeNet's second convolution first; then a net whose layers stand in `features`, looked at one by "
        "one by index, for pictures and for signals, each layer as a heatmap; and what happens to a hook "
        "that nobody removes."
    ),
    "course_part_conv2": "One layer",
    "course_part_conv2_text": "`conv2` of LeNet, for two pictures of 32 × 32.",
    "course_part_index": "Layer by layer, by index",
    "course_part_index_text": (
        "Eight layers. A loop with one hook at a time runs the net eight times; a capture of all of them "
        "runs it once."
    ),
    "course_part_stays": "A hook that stays",
    "course_part_stays_text": (
        "A hook appends to a list. `handle.remove` without parentheses only names the method: the hook stays."
    ),
    "course_try_1": "Choose the net on signals: what is a row of its heatmap? Set the number of runs to 6.",
    "course_traps_1": (
        "Functions are not layers: `F.relu` has no name and takes no hook. A signal's (1, "
        "16, 52) is 16 channels of 52 values; it looks like a picture of 16 rows, but is not "
        "one."
    ),
    "course_line_conv2_shape": "`conv2` for two pictures",
    "course_line_layer_shape": "layer {name}",
    "course_line_growth_removed": "length of the list after each run, hook removed",
    "course_line_growth_left": "the same with the hook left in place",
    "course_line_left_without": "hooks left by `handle.remove` without parentheses",
    "course_line_left_with": "hooks left by `handle.remove()`",
    "course_line_inside_capture": "hooks inside a capture's block",
    "course_line_after_capture": "hooks after the model has failed in it",
    "course_title_2": "What goes in, what comes out, what can be changed",
    "course_text_2": (
        "ResNet-50 with untrained weights and its layer `layer1.1.conv2`: shapes, gradients, and which "
        "of it a hook can change. A forward hook runs after the layer: the output can still be changed, "
        "the input has been read already."
    ),
    "course_part_shapes": "Looking",
    "course_part_shapes_text": (
        "Two pictures. The inputs arrive as a tuple, also when there is one; the output is one tensor."
    ),
    "course_part_gradients": "Gradients",
    "course_part_gradients_text": (
        "A full backward hook is given two tuples: the gradients at the inputs, and at the output."
    ),
    "course_part_changes": "Changing",
    "course_part_changes_text": "How far the scores move, for pictures of 64 × 64.",
    "course_try_2": (
        "Halve the side of the pictures and predict the shapes first. Which axis does not change, and why?"
    ),
    "course_traps_2": (
        "`len(output)` is 2 because there are two pictures, not two outputs. If you "
        "overwrite `conv1`'s input in a forward hook, you are too late for `conv1`, but not "
        "for the shortcut that reads the same memory at the end of the block."
    ),
    "course_line_inputs_tuple": "inputs in the tuple",
    "course_line_input_shape": "the input",
    "course_line_output_shape": "the output",
    "course_line_result_shape": "the scores",
    "course_line_shapes_by_capture": "the output, captured",
    "course_line_gradient_in_shape": "gradient at the input",
    "course_line_gradient_out_shape": "gradient at the output",
    "course_line_output_doubled": "output doubled by a forward hook: the scores move by",
    "course_line_edit_equals_hook": "largest difference from the same by an edit",
    "course_line_input_too_late": "input overwritten in a forward hook: the scores move by",
    "course_line_input_before": "input replaced in a pre-hook: the scores move by",
    "course_line_shortcut": "input of `conv1` overwritten in a forward hook: the scores move by",
    "course_title_3": "Seeing a gradient",
    "course_text_3": (
        "x = [2, 2, 2, 2], y = x², z is the mean of y. A hook on the tensor y sees a "
        "gradient that y itself does not keep; a hook on x changes it. Then a convolution "
        "that you can check in your head."
    ),
    "course_part_watched": "Watching",
    "course_part_watched_text": (
        "Each of n values has an n-th of the mean: dz/dy = 1/n. Autograd stores gradients "
        "for leaves only, and y is not a leaf."
    ),
    "course_part_doubled": "Changing",
    "course_part_doubled_text": "dz/dx = 2x/n. A hook on x returns a multiple of what it is given.",
    "course_part_nines": "Nine and eighteen",
    "course_part_nines_text": (
        "A picture of ones, (1, 1, 4, 4), a convolution with a kernel of ones and one of twos, and a 2 × "
        "2 pooling."
    ),
    "course_try_3": (
        "Predict the maps for a kernel of 2 × 2. Which factor makes the hook hide x's gradient from "
        "everybody behind it? In the view of gradients, cut the gradient off at a ReLU (Edit): what "
        "becomes of the layers in front of it?"
    ),
    "course_traps_3": (
        "Gradients add up: two backward passes without any hook also give 2. A list that a hook fills "
        "with gradients begins with the last layer: do not match it by position with a list of outputs."
    ),
    "course_line_hook_on_y": "what the hook on y sees",
    "course_line_y_grad": "`y.grad` afterwards",
    "course_line_y_by_capture": "a capture of the layer y",
    "course_line_x_gradient": "x's gradient",
    "course_line_x_by_hook": "changed by a hook on x",
    "course_line_x_by_edit": "changed by an edit",
    "course_line_two_passes": "[2, 2, 2, 2] after two passes without a hook",
    "course_line_maps_shape": "the maps",
    "course_line_map_of_ones": "the kernel of ones",
    "course_line_map_of_twos": "the kernel of twos",
    "course_line_pooled_maps": "after the pooling",
    "course_title_4": "Changing a running net",
    "course_text_4": (
        "c = a · b: a hook on c changes the gradient on its way to a and b. Then a small net with a "
        "convolution, a pooling and a linear layer, in which a pre-hook, a forward hook and a backward "
        "hook each change something else."
    ),
    "course_part_product": "A gradient changed on its way",
    "course_part_product_text": (
        "The gradients of a, b and c. Without a hook they are b, a and 1; all three grow by the same "
        "factor when c's does."
    ),
    "course_part_in_place": "Why not in place",
    "course_part_in_place_text": (
        "c = a + b: both sides get the same tensor as their gradient. The gradients of a, of b, and the "
        "tensor that was given to `backward`."
    ),
    "course_part_pooled": "Activations of a pooling layer",
    "course_part_pooled_text": "For a picture (1, 3, 10, 10).",
    "course_part_kinds": "Three kinds of hook in a running net",
    "course_part_kinds_text": (
        "On the pooling: a pre-hook triples its input, a forward hook adds 1 to its output, a backward "
        "hook multiplies the gradient by 5."
    ),
    "course_try_4": (
        "Let the hook add −1: what is left of the three gradients? Which of the three kinds of hook can "
        "change what the net answers?"
    ),
    "course_traps_4": (
        "A hook that writes into its gradient writes into memory that others share: return a new tensor, "
        "always. A full backward hook returns a tuple, also for one input. A hook that changes something "
        "goes on changing it in every later pass."
    ),
    "course_line_product_plain": "gradients of a, b, c without a hook",
    "course_line_product_hook": "with the hook on c",
    "course_line_product_edit": "the same by an edit",
    "course_line_sum_plain": "without a hook",
    "course_line_sum_hook": "a hook on a returns its gradient + 2",
    "course_line_sum_in_place": "a hook on a adds 100 in place",
    "course_line_pooled_shape": "the pooling's output",
    "course_line_kind_pre": "result with the pre-hook",
    "course_line_kind_forward": "result with the forward hook",
    "course_line_kind_backward": "result with the backward hook: as without it",
    "course_line_kind_gradient": "how many times larger the picture's gradient is",
    "course_line_kind_moves": "how far the pre-hook moves the result",
}
