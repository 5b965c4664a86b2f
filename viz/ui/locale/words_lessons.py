"""The text of lessons 0 and 1, in English and Chinese; ``docs/hooks.md`` is the longer version."""

LESSON_WORDS: dict[str, tuple[str, str]] = {
    "course_title_0": ("The last layers of a transformer", "Transformer 的最后几层"),
    "course_text_0": (
        (
            "An encoder of eight transformer layers turns 196 patches of each of two pictures into tokens. "
            "We collect what its last K layers add in their feed-forward half, at the layer called "
            "`dropout2`, and stack it. Then hooks are placed by type and by name, and we look at what a kept "
            "value is worth later."
        ),
        (
            "编码器有八个 Transformer 层，把两张图各 196 个图块变成 token。我们收集最后 K 层中前馈部分所加上"
            "的值（在名为 `dropout2` 的层上），叠成一个张量；然后按类型和名字挂钩子，再看保存下来的值之后还对"
            "不对。"
        ),
    ),
    "course_part_stack": ("The last K layers, stacked", "最后 K 层，叠在一起"),
    "course_part_stack_text": (
        (
            "A forward hook on each `dropout2` keeps a clone. A capture, and the encoder's own arithmetic "
            "written out as a loop, must agree to the last bit."
        ),
        "每个 `dropout2` 上的前向钩子保存一个克隆。捕获，以及把编码器的运算手写成循环，都必须与它逐位相同。",
    ),
    "course_part_neighbours": ("The batch taken for tokens", "把批当成 token"),
    "course_part_neighbours_text": (
        (
            "Without `batch_first=True` a transformer reads (tokens, batch, width). Nothing fails, but "
            "changing one picture changes its neighbour's result."
        ),
        (
            "不写 `batch_first=True` 时，Transformer 按（token，批，宽度）来读。不会报错，但改动一张图会改变"
            "旁边那张图的结果。"
        ),
    ),
    "course_part_names": ("By type and by name", "按类型和按名字"),
    "course_part_names_text": (
        (
            "A net of two linear layers, a ReLU and a ReLU6, for the input (2, the second input): hooks on "
            "all that is no ReLU6, and on the layer named `relu6`."
        ),
        (
            "由两个线性层、一个 ReLU 和一个 ReLU6 组成的网络，输入为（2，第二个输入）：在 ReLU6 以外的层上挂"
            "钩子，再在名为 `relu6` 的层上挂。"
        ),
    ),
    "course_part_walked": ("A ReLU in the middle", "中间的 ReLU"),
    "course_part_walked_text": (
        (
            "A convolution, a batch norm, an in-place ReLU and a pooling, for two pictures of 224 × 224. The "
            "ReLU writes into the memory that batch norm returned."
        ),
        "卷积、批归一化、原地运算的 ReLU 和池化，输入两张 224 × 224 的图。ReLU 直接写进批归一化返回的内存。",
    ),
    "course_part_kept": ("What is kept", "保存下来的是什么"),
    "course_part_kept_text": (
        (
            "A value [1, 2, 3] is kept in seven ways. Then its original is overwritten with zeros, as an "
            "in-place layer does it."
        ),
        "用七种方式保存 [1, 2, 3]，然后像原地运算的层那样，把原来的张量用零覆盖。",
    ),
    "course_try_0": (
        (
            "Set K to 3. Which line changes, and which does not? Choose a second input that makes the ReLU "
            "give 0."
        ),
        "把 K 设为 3：哪一行会变，哪一行不变？选一个能让 ReLU 输出 0 的第二个输入。",
    ),
    "course_traps_0": (
        (
            "In eval mode PyTorch may fuse the steps of a transformer layer; what is fused has no layers to "
            "hook. A loop over names hooks nothing when a name is misspelt, and the list stays empty. "
            "`detach()` does not copy: it shares the memory."
        ),
        (
            "在 eval 模式下，PyTorch 可能把 Transformer 层的各步融合，融合之后就没有层可挂。按名字挂钩子时，"
            "名字写错就什么也没挂上，列表一直是空的。`detach()` 不是复制：它共享内存。"
        ),
    ),
    "course_line_stack_shape": ("stacked: (K, batch, tokens, width)", "叠成的形状：（K，批，token，宽度）"),
    "course_line_capture_equals_hook": ("largest difference between hook and capture", "钩子与捕获的最大差"),
    "course_line_capture_equals_hand": (
        "largest difference from the arithmetic by hand",
        "与手写运算的最大差",
    ),
    "course_line_neighbour_moves": (
        "picture 0 moves when picture 1 changes, without `batch_first`",
        "不写 `batch_first`：改动图 1 时图 0 的变化",
    ),
    "course_line_neighbour_rests": (
        "the same with `batch_first=True`",
        "写上 `batch_first=True`：同样的变化",
    ),
    "course_line_linear_1": ("first linear layer", "第一个线性层"),
    "course_line_linear_2": ("second linear layer", "第二个线性层"),
    "course_line_relu": ("ReLU", "ReLU"),
    "course_line_relu6": ("ReLU6, hooked by its name", "ReLU6，按名字挂钩子"),
    "course_line_by_capture": ("ReLU6, captured", "ReLU6，用捕获"),
    "course_line_misspelt": (
        "hooks placed by the misspelt name `relu_6`",
        "用写错的名字 `relu_6` 挂上的钩子数",
    ),
    "course_line_relu_shape": ("the ReLU's output", "ReLU 的输出"),
    "course_line_end_shape": ("the net's output", "网络的输出"),
    "course_line_hook_equals_hand": (
        "largest difference between hook and walking by hand",
        "钩子与逐层手算的最大差",
    ),
    "course_line_reference_minimum": (
        "minimum of batch norm's output, kept as a reference",
        "批归一化的输出（保存引用）的最小值",
    ),
    "course_line_copy_minimum": (
        "how far below zero it really goes: a copy knows",
        "它实际低于零多少：副本知道",
    ),
    "course_line_kept_shared_flows": (
        "`{name}`: shared memory, the gradient flows",
        "`{name}`：共享内存，梯度可回传",
    ),
    "course_line_kept_shared_cut": (
        "`{name}`: shared memory, the gradient is cut off",
        "`{name}`：共享内存，梯度被切断",
    ),
    "course_line_kept_own_flows": (
        "`{name}`: memory of its own, the gradient flows",
        "`{name}`：独立内存，梯度可回传",
    ),
    "course_line_kept_own_cut": (
        "`{name}`: memory of its own, the gradient is cut off",
        "`{name}`：独立内存，梯度被切断",
    ),
    "course_title_1": ("Every layer as a heatmap", "把每一层画成热力图"),
    "course_text_1": (
        (
            "LeNet's second convolution first; then a net whose layers stand in `features`, looked at one by "
            "one by index, for pictures and for signals, each layer as a heatmap; and what happens to a hook "
            "that nobody removes."
        ),
        (
            "先看 LeNet 的第二个卷积；再看一个把各层放在 `features` 里的网络，按序号逐层取出，图片和一维信号"
            "各一个，每层画成热力图；最后看没有移除的钩子会怎样。"
        ),
    ),
    "course_part_conv2": ("One layer", "一层"),
    "course_part_conv2_text": (
        "`conv2` of LeNet, for two pictures of 32 × 32.",
        "LeNet 的 `conv2`，输入两张 32 × 32 的图。",
    ),
    "course_part_index": ("Layer by layer, by index", "按序号逐层取出"),
    "course_part_index_text": (
        (
            "Eight layers. A loop with one hook at a time runs the net eight times; a capture of all of them "
            "runs it once."
        ),
        "共八层。每次只挂一个钩子的循环要把网络运行八遍；一次捕获所有层只运行一遍。",
    ),
    "course_part_stays": ("A hook that stays", "没有移除的钩子"),
    "course_part_stays_text": (
        (
            "A hook appends to a list. `handle.remove` without parentheses only names the method: the hook "
            "stays."
        ),
        "钩子往列表里添加内容。`handle.remove` 少了括号就只是方法的名字：钩子还在。",
    ),
    "course_try_1": (
        "Choose the net on signals: what is a row of its heatmap? Set the number of runs to 6.",
        "选择一维信号的网络：热力图的一行代表什么？把运行次数设为 6。",
    ),
    "course_traps_1": (
        (
            "Functions are no layers: `F.relu` has no name and takes no hook. A signal's (1, 16, 52) is 16 "
            "channels of 52 values; it looks like a picture of 16 rows, and is none."
        ),
        (
            "函数不是层：`F.relu` 没有名字，挂不上钩子。信号的 (1, 16, 52) 是 16 个通道、各 52 个值；看上去像"
            " 16 行的图片，其实不是。"
        ),
    ),
    "course_line_conv2_shape": ("`conv2` for two pictures", "`conv2`，两张图"),
    "course_line_layer_shape": ("layer {name}", "第 {name} 层"),
    "course_line_growth_removed": (
        "length of the list after each run, hook removed",
        "移除钩子：每次运行后列表的长度",
    ),
    "course_line_growth_left": ("the same with the hook left in place", "不移除：每次运行后列表的长度"),
    "course_line_left_without": (
        "hooks left by `handle.remove` without parentheses",
        "写成 `handle.remove`（无括号）后剩下的钩子",
    ),
    "course_line_left_with": ("hooks left by `handle.remove()`", "写成 `handle.remove()` 后剩下的钩子"),
    "course_line_inside_capture": ("hooks inside a capture's block", "捕获的块内的钩子数"),
    "course_line_after_capture": ("hooks after the model has failed in it", "模型在块内报错之后的钩子数"),
}
