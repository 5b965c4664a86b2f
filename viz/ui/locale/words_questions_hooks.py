"""What the quiz asks and explains about hooks and gradients, in English and Chinese."""

HOOK_QUESTION_WORDS: dict[str, tuple[str, str]] = {
    # --- which hook fires next ---
    "quiz_ask_fires": (
        (
            "On each of {layers} in **{model}** sit four hooks: a pre-hook, a forward hook, a full backward "
            "pre-hook and a full backward hook. The model runs on “{sample}”, then the gradient of the "
            "score of “{class}” goes all the way back. Just now this one fired: **{fired}**. Which of these "
            "four is next?"
        ),
        (
            "在 **{model}** 的 {layers} 上各挂了四个钩子：前置钩子、前向钩子、反向前置钩子、反向钩子。模型处"
            "理图片“{sample}”，然后“{class}”得分的梯度一路传回。刚刚触发的是：**{fired}**。接下来触发的是这"
            "四个中的哪一个？"
        ),
    ),
    "quiz_why_fires": (
        (
            "On the way there they fired in this order: {there}. On the way back: {back}. A layer begins "
            "with its pre-hook and ends with its forward hook; one that stands around others begins before "
            "them and ends after them. On the way back it is just so from the last layer to the first, with "
            "the two backward hooks."
        ),
        (
            "去的路上触发的顺序是：{there}。返回的路上：{back}。一层以前置钩子开始，以前向钩子结束；包含其他"
            "层的层先开始、后结束。返回时从最后一层到第一层，两个反向钩子也是如此。"
        ),
    ),
    # --- what a hook is given ---
    "quiz_ask_sees_pre_hook": (
        (
            "A pre-hook sits on `{layer}` of **{model}**, a **{type}**. The net is given one picture. What "
            "shape has `args[0]` in the hook?"
        ),
        (
            "**{model}** 的 `{layer}`（**{type}**）上挂了一个前置钩子。网络的输入是一张图片。钩子里的 "
            "`args[0]` 是什么形状？"
        ),
    ),
    "quiz_ask_sees_forward_hook": (
        (
            "A forward hook sits on `{layer}` of **{model}**, a **{type}**. The net is given one picture. "
            "What shape has `output` in the hook?"
        ),
        (
            "**{model}** 的 `{layer}`（**{type}**）上挂了一个前向钩子。网络的输入是一张图片。钩子里的 "
            "`output` 是什么形状？"
        ),
    ),
    "quiz_ask_sees_full_backward_pre_hook": (
        (
            "A full backward pre-hook sits on `{layer}` of **{model}**, a **{type}**. The gradient of the "
            "score of “{class}” comes back, for one picture. What shape has `grad_output[0]` in the hook?"
        ),
        (
            "**{model}** 的 `{layer}`（**{type}**）上挂了一个反向前置钩子。一张图片的“{class}”得分的梯度传了"
            "回来。钩子里的 `grad_output[0]` 是什么形状？"
        ),
    ),
    "quiz_ask_sees_full_backward_hook": (
        (
            "A full backward hook sits on `{layer}` of **{model}**, a **{type}**. The gradient of the score "
            "of “{class}” comes back, for one picture. What shape has `grad_input[0]` in the hook?"
        ),
        (
            "**{model}** 的 `{layer}`（**{type}**）上挂了一个反向钩子。一张图片的“{class}”得分的梯度传了回来"
            "。钩子里的 `grad_input[0]` 是什么形状？"
        ),
    ),
    "quiz_why_sees": (
        (
            "`{layer}` is given {inputs} and returns {output}; the first number is the batch. A pre-hook "
            "sees what is given, a forward hook also what is returned. A gradient has the shape of what it "
            "belongs to: `grad_output` that of the output, `grad_input`, which has gone through the layer, "
            "that of the input."
        ),
        (
            "`{layer}` 的输入是 {inputs}，输出是 {output}；第一个数是批次大小。前置钩子看到输入，前向钩子还"
            "看到输出。梯度的形状与它所对应的量相同：`grad_output` 与输出相同；`grad_input` 已经穿过该层，与"
            "输入相同。"
        ),
    ),
    # --- what becomes of the gradients ---
    "quiz_ask_fate_same": (
        (
            "In **{model}** the gradient of the score of “{class}” goes back to the picture “{sample}”. A "
            "hook sets to zero what arrives at the output of `{layer}` ({type}). On the way there the "
            "layers ran in this order: {order}. At the output of which of these layers does the gradient "
            "stay as it was?"
        ),
        (
            "在 **{model}** 中，“{class}”得分的梯度传回图片“{sample}”。一个钩子把到达 `{layer}`（{type}）输"
            "出处的梯度置零。前向时各层的运行顺序是：{order}。下面哪一层输出处的梯度保持原样？"
        ),
    ),
    "quiz_ask_fate_zero": (
        (
            "In **{model}** the gradient of the score of “{class}” goes back to the picture “{sample}”. A "
            "hook sets to zero what arrives at the output of `{layer}` ({type}). On the way there the "
            "layers ran in this order: {order}. At the output of which of these layers is the gradient then "
            "zero everywhere?"
        ),
        (
            "在 **{model}** 中，“{class}”得分的梯度传回图片“{sample}”。一个钩子把到达 `{layer}`（{type}）输"
            "出处的梯度置零。前向时各层的运行顺序是：{order}。此时下面哪一层输出处的梯度处处为零？"
        ),
    ),
    "quiz_why_fate": (
        (
            "Computed with and without the hook: {fates}. The way back begins at the score, so a layer "
            "behind `{layer}` has its gradient before the hook acts, and one on another branch never hears "
            "of it. A layer in front gets zero if `{layer}` is its only way to the score; if there is "
            "another way, such as an identity path, it still gets what comes that way."
        ),
        (
            "有钩子和没有钩子各算一次：{fates}。反向从得分开始，所以 `{layer}` 后面的层在钩子起作用之前就已"
            "得到梯度，另一条支路上的层则不受影响。前面的层如果只能经过 `{layer}` 到达得分，就得到零；如果还"
            "有别的路（例如恒等连接），仍会得到从那条路传来的梯度。"
        ),
    ),
    "quiz_fate_same": ("`{layer}` as it was", "`{layer}` 不变"),
    "quiz_fate_changed": ("`{layer}` another one", "`{layer}` 变了"),
    "quiz_fate_zero": ("`{layer}` zero", "`{layer}` 为零"),
    # --- which gradient came through ---
    "quiz_ask_gate": (
        (
            "The first picture shows where the ReLU `{relu}` of **{model}** lets something through in one "
            "channel, for the picture “{sample}”: bright where it does, darkest where it returns 0. A to D "
            "are gradients of the score of “{class}” at the output of `{layer}`, right in front of the "
            "ReLU, in four channels: red above zero, blue below, grey exactly zero. Which one belongs to "
            "the channel of the first picture?"
        ),
        (
            "第一幅图是 **{model}** 的 ReLU 层 `{relu}` 处理图片“{sample}”时一个通道的输出：亮处有值通过，最"
            "暗处输出为零。A 到 D 是“{class}”得分的梯度，取自紧挨在这个 ReLU 前面的 `{layer}` 的输出处，共四"
            "个通道：红色为正，蓝色为负，灰色恰好为零。哪一个属于第一幅图的通道？"
        ),
    ),
    "quiz_why_gate": (
        (
            "It is {answer}. Where a ReLU returns 0 its slope is 0, so no gradient comes through: the right "
            "one is grey wherever the first picture is darkest, and the others are not. It may be grey in "
            "more places, for instance where a pooling behind the ReLU took a neighbour's value. The "
            "channels: {channels}."
        ),
        (
            "是 {answer}。ReLU 输出 0 的地方斜率为 0，梯度传不过来：第一幅图最暗的地方，正确的那幅都是灰色，"
            "其他几幅则不然。它在别处也可能是灰色，例如 ReLU 后面的池化取了相邻位置的值。各图的通道："
            "{channels}。"
        ),
    ),
}
