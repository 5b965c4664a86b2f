"""What the quiz says, in English and Chinese."""

QUIZ_WORDS: dict[str, tuple[str, str]] = {
    "view_quiz": ("Quiz", "测验"),
    "quiz_progress": (
        "Question {number} of {count} · {right} right so far",
        "第 {number} 题，共 {count} 题 · 已答对 {right} 题",
    ),
    "quiz_share": (
        "Quiz number {seed}. The address of this page gives everybody the same questions.",
        "测验编号 {seed}。打开本页地址的每个人都会得到同样的题目。",
    ),
    "quiz_new": ("Another quiz", "换一套题"),
    "quiz_again": ("The same quiz again", "重做这套题"),
    "quiz_next": ("Next question", "下一题"),
    "quiz_result": ("See the result", "查看成绩"),
    "quiz_done": ("{right} of {count} right.", "共 {count} 题，答对 {right} 题。"),
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
    "quiz_ask_shape": (
        (
            "In **{model}** the layer `{layer}` is a **{type}**. Into it go maps of {given} (channels × "
            "height × width). What comes out?"
        ),
        (
            "在 **{model}** 中，`{layer}` 层是 **{type}**。它的输入是 {given}（通道 × 高 × 宽）。输出是什么形"
            "状？"
        ),
    ),
    "quiz_ask_channel": (
        (
            "On the left what `{layer}` of **{model}** returns for the picture “{sample}” ({shown} of "
            "{channels} channels), on the right the same while one channel is set to zero. Which channel was "
            "removed?"
        ),
        (
            "左图是 **{model}** 的 `{layer}` 层对图片“{sample}”的输出（{channels} 个通道中的 {shown} 个），右"
            "图是把其中一个通道置零之后的输出。被移除的是哪个通道？"
        ),
    ),
    "quiz_why_layer": (
        "It is `{layer}`, {type}: it returns {shape}. The others: {others}.",
        "是 `{layer}`（{type}）：它的输出是 {shape}。其他各层：{others}。",
    ),
    "quiz_why_shape": (
        (
            "It is {shape}. Along each side the output has (side + 2 × padding − kernel) ÷ stride + 1 "
            "values, rounded down; padding is 0 where none is named. A convolution gives one map for each of "
            "its filters (the number after the arrow), a pooling keeps the number of channels."
        ),
        (
            "答案是 {shape}。每条边的长度为（边长 + 2 × padding − 核）÷ stride + 1，向下取整；没有写明 "
            "padding 就是 0。卷积的每个滤波器给出一个特征图（箭头之后的数字），池化不改变通道数。"
        ),
    ),
    "quiz_why_channel": (
        (
            "It is channel {channel}. Channels are counted from 0, row by row, here {columns} in a row: this "
            "one stands in row {row}, column {column}, and is one colour on the right."
        ),
        (
            "是通道 {channel}。通道从 0 开始逐行计数，这里每行 {columns} 个：它在第 {row} 行第 {column} 列，"
            "右图中成了单一颜色。"
        ),
    ),
    "quiz_right": ("Right.", "答对了。"),
    "quiz_wrong": ("Not quite: you chose {chosen}.", "不对：您选的是 {chosen}。"),
    "quiz_mark_none": ("{choice}", "{choice}"),
    "quiz_mark_right": ("✓ {choice}", "✓ {choice}"),
    "quiz_mark_wrong": ("✗ {choice}", "✗ {choice}"),
    "quiz_picture_layer": ("{shown} maps of {sides} values", "{shown} 幅特征图，每幅 {sides}"),
    "quiz_picture_before": (
        "before: {shown} maps of {sides} values",
        "移除前：{shown} 幅特征图，每幅 {sides}",
    ),
    "quiz_picture_after": ("after: one of the maps is all zero", "移除后：其中一幅全为零"),
    "quiz_before": ("before", "移除前"),
    "quiz_after": ("after", "移除后"),
}
