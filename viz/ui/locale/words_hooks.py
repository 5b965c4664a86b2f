"""What the view of hooks says, in English and Chinese."""

HOOK_WORDS: dict[str, tuple[str, str]] = {
    "view_hooks": ("Hooks", "钩子"),
    "cost_hooks": (
        (
            "The timeline of {model} takes about {cost} MB of memory, of {free} MB that are free: a forward "
            "and a backward pass in which every layer's output is kept."
        ),
        (
            "{model} 的时间线约需 {cost} MB 内存（可用 {free} MB）：一次前向和一次反向传播，期间保留每一层的"
            "输出。"
        ),
    ),
}

HOOK_BROWSER_WORDS: dict[str, tuple[str, str]] = {
    "hooks_intro": (
        (
            "Every hook of one forward and one backward pass, in the order in which it fires. Step through "
            "with ← and →."
        ),
        "一次前向传播和一次反向传播中的所有钩子，按触发顺序排列。用 ← 和 → 逐步查看。",
    ),
    "hooks_forward_only": (
        (
            "This model does not name classes, so there is no score to go back from: only the forward pass "
            "is shown."
        ),
        "该模型不输出类别，没有可供反向传播的得分，因此只显示前向传播。",
    ),
    "hooks_title": ("Timeline of one pass", "一次传播的时间线"),
    "hooks_loading": ("Running the model with every hook in place …", "正在挂上所有钩子并运行模型 …"),
    "hooks_step": ("{step} of {steps}", "第 {step} 步，共 {steps} 步"),
    "hooks_previous": ("previous hook", "上一个钩子"),
    "hooks_next": ("next hook", "下一个钩子"),
    "hooks_forward": ("forward", "前向"),
    "hooks_backward": ("backward", "反向"),
    "hooks_list": ("Hooks in firing order", "按触发顺序排列的钩子"),
    "hooks_left_out": (
        (
            "{left} of {total} events are not shown: those inside {folded} layers further in. Choose a layer "
            "in the tree to see its own."
        ),
        (
            "共 {total} 个事件，其中 {left} 个未显示：它们属于更内层的 {folded} 个层。在模块树中选择某一层即"
            "可看到它的事件。"
        ),
    ),
    "hooks_choose": ("Go to this layer", "转到该层"),
    "hooks_call": ("call {call}", "第 {call} 次调用"),
    "hooks_pre": ("pre-hook", "前置钩子"),
    "hooks_after": ("forward hook", "前向钩子"),
    "hooks_back_pre": ("full backward pre-hook", "反向前置钩子"),
    "hooks_back": ("full backward hook", "反向钩子"),
    "hooks_tensor": ("tensor hook", "张量钩子"),
    "hooks_pre_about": (
        "Before {layer} runs. The hook is given its inputs, always as a tuple, and may return others.",
        "{layer} 运行之前。钩子拿到它的输入（总是元组），可以返回新的输入。",
    ),
    "hooks_after_about": (
        (
            "{layer} has run. The hook is given inputs and output, and may return another output; for the "
            "inputs it is too late."
        ),
        "{layer} 已经运行。钩子拿到输入和输出，可以返回新的输出；此时再改输入已经太晚。",
    ),
    "hooks_back_pre_about": (
        "On the way back the gradient at {layer}'s output is there. The hook may return another one.",
        "反向传播到达 {layer} 的输出，梯度已经算出。钩子可以返回新的梯度。",
    ),
    "hooks_back_about": (
        (
            "The gradient has gone through {layer}. The hook is given the gradients on both sides, as "
            "tuples, and may return others for the inputs."
        ),
        "梯度已经穿过 {layer}。钩子拿到两侧的梯度（都是元组），可以为输入返回新的梯度。",
    ),
    "hooks_tensor_about": (
        (
            "The gradient of the tensor that {layer} returned. A hook on the tensor sees it, and may return "
            "another."
        ),
        "{layer} 所返回的张量的梯度。挂在该张量上的钩子能看到它，也可以返回新的梯度。",
    ),
    "hooks_inputs": ("inputs", "输入"),
    "hooks_outputs": ("output", "输出"),
    "hooks_input_gradients": ("gradient at the inputs", "输入的梯度"),
    "hooks_output_gradients": ("gradient at the output", "输出的梯度"),
    "hooks_none": ("none", "无"),
    "hooks_maps_input": ("What goes into {layer}", "{layer} 的输入"),
    "hooks_maps_output": ("What {layer} returned", "{layer} 的输出"),
    "hooks_maps_gradient": ("Gradient at the output of {layer}", "{layer} 输出处的梯度"),
    "hooks_maps_gradient_in": ("Gradient at the input of {layer}", "{layer} 输入处的梯度"),
    "hooks_maps_alt": (
        "{title}, {shape}, minimum {min}, maximum {max}",
        "{title}，{shape}，最小 {min}，最大 {max}",
    ),
    "memory_title": ("What is left in memory: {layer}", "内存里还剩什么：{layer}"),
    "memory_loading": ("Running the model once more …", "正在再次运行模型 …"),
    "memory_overwritten": (
        (
            "After the hook, later operations wrote {writes}× into this memory: {changed} of its values are "
            "others now."
        ),
        "钩子触发之后，后面的运算向这块内存写入了 {writes} 次：{changed} 的值已经改变。",
    ),
    "memory_rewritten": (
        "After the hook, later operations wrote {writes}× into this memory, and left every value as it was.",
        "钩子触发之后，后面的运算向这块内存写入了 {writes} 次，但所有值都没有变。",
    ),
    "memory_untouched": (
        "Nothing wrote into this memory after the hook.",
        "钩子触发之后没有运算写入这块内存。",
    ),
    "memory_nowhere": (
        (
            "No layer of this model is written to after its hook; in a ResNet, whose ReLUs work in place, "
            "many are."
        ),
        "该模型没有一层在钩子触发之后被写入；ResNet 的 ReLU 是原地运算，那里有很多。",
    ),
    "memory_written": (
        "Layers of this model whose memory is written to after their hook: {count}",
        "该模型中，钩子触发之后内存又被写入的层：{count} 个",
    ),
    "memory_more": ("and {count} more", "以及另外 {count} 个"),
    "memory_at_hook": ("at the hook", "钩子触发时"),
    "memory_after": ("the same memory after the pass", "传播结束后的同一块内存"),
    "memory_reference": ("output", "output"),
    "memory_detach": ("output.detach()", "output.detach()"),
    "memory_cpu": ("output.cpu()", "output.cpu()"),
    "memory_clone": ("output.clone()", "output.clone()"),
    "memory_shared_wrong": (
        "The layer's own memory: {wrong} of its values are wrong by now.",
        "与该层共用内存：{wrong} 的值已经不对了。",
    ),
    "memory_shared_right": (
        "The layer's own memory: right only because nothing changed it.",
        "与该层共用内存：只因没有运算改动它，值才仍然正确。",
    ),
    "memory_own": (
        "A copy of {copied}: as it was at the hook.",
        "独立的副本（{copied}）：与钩子触发时一致。",
    ),
    "memory_channels": ("channels {channels}, on one scale", "通道 {channels}，统一刻度"),
}
