"""What the quiz asks and explains about maps, shapes and edits, in English and Chinese."""

QUESTION_WORDS: dict[str, tuple[str, str]] = {
    # --- which layer made these maps ---
    "quiz_ask_layer": (
        (
            "Maps of one layer of **{model}**, for the picture “{sample}”: the first {shown} of {channels}, "
            "each of {sides} values, from {minimum} to {maximum}. Which layer made them?"
        ),
        (
            "**{model}** 的某一层对图片“{sample}”给出的特征图：共 {channels} 个通道，这里是前 {shown} 个，每"
            "个 {sides}，取值从 {minimum} 到 {maximum}。是哪一层？"
        ),
    ),
    "quiz_ask_layer_tokens": (
        (
            "Tokens of one layer of **{model}**, for the picture “{sample}”, laid out on the grid of "
            "patches, one map for each feature: the first {shown} of {channels}, each of {sides} values, "
            "from {minimum} to {maximum}; the class token is left out. Which layer made them?"
        ),
        (
            "**{model}** 的某一层对图片“{sample}”给出的 token，按图块的网格排开，每个特征一幅图：共 "
            "{channels} 个特征，这里是前 {shown} 个，每个 {sides}，取值从 {minimum} 到 {maximum}；类别 "
            "token 未画出。是哪一层？"
        ),
    ),
    "quiz_ask_layer_attention": (
        (
            "One layer of **{model}** returns this for the picture “{sample}”: how much each token (from "
            "top to bottom) looks at each token (from left to right), {sides} values in each of {channels} "
            "heads, from {minimum} to {maximum}. Which layer is it?"
        ),
        (
            "**{model}** 的某一层对图片“{sample}”的输出：每个 token（从上到下）对每个 token（从左到右）的关"
            "注程度，共 {channels} 个头，每个 {sides}，取值从 {minimum} 到 {maximum}。是哪一层？"
        ),
    ),
    "quiz_ask_layer_signals": (
        (
            "**{model}** reads the picture “{sample}” as a signal: how bright it is from left to right. One "
            "of its layers returns this: channels from top to bottom, positions from left to right, {sides} "
            "values from {minimum} to {maximum}. Which layer is it?"
        ),
        (
            "**{model}** 把图片“{sample}”读成一段信号：从左到右的亮度。它的某一层输出如图：从上到下是通道，"
            "从左到右是位置，{sides} 个值，从 {minimum} 到 {maximum}。是哪一层？"
        ),
    ),
    "quiz_why_layer": (
        "It is `{layer}`, {type}: its maps are {shape}. The others: {others}.",
        "是 `{layer}`（{type}）：它的特征图是 {shape}。其他各层：{others}。",
    ),
    # --- which shape ---
    "quiz_ask_shape": (
        (
            "In **{model}** the layer `{layer}` is a **{type}**. Into it go values of shape {given} "
            "(without the batch). What comes out?"
        ),
        (
            "在 **{model}** 中，`{layer}` 层是 **{type}**。它的输入形状是 {given}（不含批次）。输出是什么形"
            "状？"
        ),
    ),
    "quiz_why_shape_window": (
        (
            "It is {shape}. Along each side the output has (side + 2 × padding − kernel) ÷ stride + 1 "
            "values, rounded down; padding is 0 where none is named. A convolution gives one map for each "
            "of its filters (the number after the arrow), a pooling keeps the number of channels."
        ),
        (
            "答案是 {shape}。每条边的长度为（边长 + 2 × padding − 核）÷ stride + 1，向下取整；没有写明 "
            "padding 就是 0。卷积的每个滤波器给出一个特征图（箭头之后的数字），池化不改变通道数。"
        ),
    ),
    "quiz_why_shape_linear": (
        (
            "It is {shape}. A linear layer works on the last axis alone: so many numbers go in and come out "
            "as its arrow says. All axes before it stay: each token is treated by itself."
        ),
        (
            "答案是 {shape}。线性层只作用于最后一个轴：进出的数目就是箭头两边的数字。前面的各轴保持不变：每"
            "个 token 各自计算。"
        ),
    ),
    "quiz_why_shape_flatten": (
        (
            "It is {shape}. Flattening loses no value and makes none: all lengths multiplied, {given}, in "
            "one axis."
        ),
        "答案是 {shape}。展平不增加也不丢失任何值：各轴长度相乘（{given}），排成一个轴。",
    ),
    "quiz_why_shape_average": (
        (
            "It is {shape}. Each channel is averaged by itself, over all its places; channels stay, and so "
            "do the axes, now of length 1."
        ),
        "答案是 {shape}。每个通道对自己的所有位置求平均；通道数不变，其余各轴仍在，长度变为 1。",
    ),
    # --- which channel was removed ---
    "quiz_ask_channel": (
        (
            "One channel of `{layer}` in **{model}** is set to zero while the model runs on the picture "
            "“{sample}”. The first picture is the difference that this makes to `{after}` behind it, in "
            "{shown} of {channels} maps: red where there is more than before, blue where there is less, "
            "grey where nothing changed. Beside it are four channels of `{layer}` as they were, each on its "
            "own scale. Which of them was removed?"
        ),
        (
            "**{model}** 处理图片“{sample}”时，`{layer}` 的一个通道被置零。第一幅图是它后面的 `{after}` 因此"
            "产生的变化（{channels} 幅图中的 {shown} 幅）：红色表示变大，蓝色表示变小，灰色表示不变。旁边是 "
            "`{layer}` 原来的四个通道，各用自己的刻度。被移除的是其中哪一个？"
        ),
    ),
    "quiz_why_channel": (
        (
            "It is channel {channel}. `{after}` is a convolution: it adds up what its filters make of every "
            "channel, so what is missing is just what they made of this one. Where a filter's window held "
            "only zeros of this channel nothing changed (grey), so the difference has the channel's shape, "
            "a little blurred; whether it is red or blue depends on the weights."
        ),
        (
            "是通道 {channel}。`{after}` 是卷积：它把滤波器从每个通道算出的结果相加，所以少掉的恰好是从这个"
            "通道算出的那一份。滤波器的窗口内该通道全为零的地方没有变化（灰色），所以变化的形状与该通道相近，"
            "只是略微模糊；是红是蓝取决于权重。"
        ),
    ),
    # --- which edit ---
    "quiz_ask_edit": (
        (
            "A hook changes all that `{layer}` ({type}) of **{model}** returns for the picture “{sample}”. "
            "The maps are those of the ReLU behind it, `{after}`, without and with the edit, {shown} of "
            "{channels} on one scale. What does the hook do to the values of `{layer}`?"
        ),
        (
            "一个钩子修改了 **{model}** 的 `{layer}` 层（{type}）对图片“{sample}”的全部输出。图中是它后面的 "
            "ReLU 层 `{after}` 的特征图（{channels} 幅中的 {shown} 幅），编辑前后用同一刻度。钩子对 "
            "`{layer}` 的值做了什么？"
        ),
    ),
    "quiz_edit_zero": ("set them to zero", "全部置零"),
    "quiz_edit_scale": ("change their sign", "改变正负号"),
    "quiz_edit_mean": ("each channel becomes its mean", "每个通道变成自己的平均值"),
    "quiz_edit_noise": ("add noise", "加入噪声"),
    "quiz_edit_clamp": ("cut them off at ±{amount}", "在 ±{amount} 处截断"),
    "quiz_why_edit_zero": (
        "It sets them to zero. A ReLU turns 0 into 0: behind it nothing is left anywhere.",
        "它把值全部置零。ReLU 遇到 0 输出 0：后面什么也不剩。",
    ),
    "quiz_why_edit_scale": (
        (
            "It multiplies by −1. The ReLU now stops what it let through, and lets through what it stopped: "
            "what was bright is dark, and there are values where there was nothing."
        ),
        "它把值乘以 −1。ReLU 挡住了原来通过的，放过了原来挡住的：亮处变暗，原来什么也没有的地方有了值。",
    ),
    "quiz_why_edit_mean": (
        (
            "Each channel becomes one number, its mean over the picture: a map of one colour, and of the "
            "darkest where the mean is below zero, for the ReLU stops it."
        ),
        (
            "每个通道变成一个数，即它在整幅图上的平均值：图变成单一颜色；平均值为负时被 ReLU 挡住，全是最暗"
            "色。"
        ),
    ),
    "quiz_why_edit_noise": (
        (
            "It adds random numbers (Gaussian, deviation {amount}): speckles without a shape. Where the sum "
            "is below zero the ReLU stops it, and where there was nothing some of the noise comes through."
        ),
        (
            "它加上随机数（高斯分布，标准差 {amount}）：没有形状的斑点。和为负的地方被 ReLU 挡住，原来为零的"
            "地方则有一部分噪声透过来。"
        ),
    ),
    "quiz_why_edit_clamp": (
        (
            "Values beyond ±{amount} become ±{amount}. Behind the ReLU nothing is larger than {amount}: the "
            "peaks are flat, and what was small is as it was."
        ),
        "超出 ±{amount} 的值变成 ±{amount}。ReLU 之后没有比 {amount} 更大的值：高峰被削平，小的值不变。",
    ),
}
