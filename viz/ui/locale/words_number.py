"""What the page says about one number, a channel's weights and copying, in English and Chinese."""

NUMBER_BROWSER_WORDS: dict[str, tuple[str, str]] = {
    "one_number": ("One number", "一个数"),
    "computing": ("Computing …", "正在计算 …"),
    "cell_keys": (
        "Click a cell, or reach it with the arrow keys and press Enter, to see how its number came about.",
        "点击任意一格，或用方向键移到该格后按 Enter，查看该数的由来。",
    ),
    "seen_alt": ("What the model saw", "模型看到的图"),
    "sees_part": (
        "It sees {height} × {width} pixels: rows {top} to {bottom}, columns {left} to {right}, from 0.",
        "它看到 {height} × {width} 个像素：第 {top} 至 {bottom} 行，第 {left} 至 {right} 列（从 0 起）。",
    ),
    "freeze_first": (
        "Freeze the camera's picture first: this is about one picture, and frames are not kept.",
        "请先定格摄像头画面：此功能针对单张图片，而实时画面不会保留。",
    ),
    "sees_signal": (
        "It sees {width} values of the signal that the model was given: {left} to {right}, from 0.",
        "它看到模型输入信号中的 {width} 个值：第 {left} 至 {right} 个（从 0 起）。",
    ),
    "padding": ("padding", "填充"),
    "grid_channel": ("input, channel", "输入，通道"),
    "grid_input": ("input, channel {channel}", "输入，通道 {channel}"),
    "grid_weights": ("weights", "权重"),
    "grid_products": ("products", "乘积"),
    "sum_channel": ("channel {channel}, its products summed", "通道 {channel} 的乘积之和"),
    "sum_others": ("the other {count} channels together", "其余 {count} 个通道合计"),
    "sum_input": ("input {place}", "输入 {place}"),
    "sum_inputs": ("the other {count} inputs together", "其余 {count} 个输入合计"),
    "bias": ("bias", "偏置"),
    "table_row": ("row {row} of the table", "表的第 {row} 行"),
    "sum": ("computed here, in double precision", "此处以双精度计算"),
    "returned": ("returned by the layer", "该层返回的值"),
    "agrees": (
        "The two agree to the precision of {precision}; they differ by {difference}.",
        "两者在 {precision} 精度内一致，相差 {difference}。",
    ),
    "disagrees": (
        "The two do not agree: they differ by {difference}, more than {precision} explains.",
        "两者不一致：相差 {difference}，超出 {precision} 精度所能解释的范围。",
    ),
    "number_edited": (
        "An edit changed this number after the layer had made it, so the two differ by {difference}.",
        "该层算出此数之后又被编辑修改，因此两者相差 {difference}。",
    ),
    "filter": ("Weights that make this channel", "生成此通道的权重"),
    "filter_facts": (
        "{count} kernels of {height} × {width}, input channels {first} to {last}; colours end at ±{limit}.",
        "{count} 个 {height} × {width} 的卷积核，对应输入通道 {first} 至 {last}；颜色两端为 ±{limit}。",
    ),
    "filter_bias": ("Bias {bias}.", "偏置 {bias}。"),
    "copy_link": ("Copy link", "复制链接"),
    "copy_code": ("Copy as code", "复制为代码"),
    "copied": ("Copied", "已复制"),
    "link_copied": ("Copied: the link opens this view anywhere.", "已复制：此链接可在任何地方打开该视图。"),
    "link_weights": (
        "Your weights are not in the link: it shows the model with its trained ones.",
        "链接不包含自备的权重：打开后使用该模型的已训练权重。",
    ),
    "link_donor": (
        "For others, the edit that takes values from your own picture is left out.",
        "他人打开时，从您自己的图片取值的编辑不会生效。",
    ),
    "link_private": (
        "Copied: it opens this view with a sample picture. Your own picture stays private and is not in it.",
        "已复制：此链接以示例图片打开该视图。您自己的图片保持私密，不在链接中。",
    ),
    "code_copied": (
        "Copied: a script of plain hooks that makes this view from picture.png, which is under Download.",
        "已复制：用原生 hook 从 picture.png 重现此视图的脚本；图片可在“下载”中获取。",
    ),
    "copy_failed": (
        "This browser did not allow copying: the script is under Download, the link in the address bar.",
        "浏览器不允许复制：脚本可在“下载”中获取，链接见地址栏。",
    ),
}
