"""The Chinese of sentences that come from the layers below the page, by their English.

They know no languages: what they say is English, with values in it. {Braces} stand for these values, which
are translated in turn where they are sentences themselves. What is not here is shown in English.
"""

NOTES: dict[str, str] = {
    # How a value became maps: viz.maps.layout and viz.views.drawing.
    "gradient of {score} with respect to this layer's {side}: {note}": "{score}对该层{side}的梯度：{note}",
    "class {label} (logit {number})": "类别 {label}（logit {number}）",
    "output": "输出",
    "input": "输入",
    "The phase of: {note}": "相位：{note}",
    "{note}; the axes in front of them, {axes}, are counted as one": "{note}；其前的各轴 {axes} 合并为一个",
    "{note}; the class token in front is left out": "{note}；最前面的类别词元未显示",
    "{note}; {count} class and register tokens in front are left out": (
        "{note}；最前面的 {count} 个类别词元和寄存器词元未显示"
    ),
    "{note}; the layer puts the sequence before the batch": "{note}；该层把序列轴放在批次轴之前",
    "{channels} channels of {height} by {width}, none left out or rearranged": (
        "{channels} 个通道，每个 {height} × {width}，未作省略或重排"
    ),
    "{channels} channels of {height} by {width}; the layer keeps its channels in the last axis": (
        "{channels} 个通道，每个 {height} × {width}；该层的通道在最后一个轴"
    ),
    "{channels} channels of {height} by {width}: slice {place} of {depth} along the depth": (
        "{channels} 个通道，每个 {height} × {width}：深度方向共 {depth} 片中的第 {place} 片"
    ),
    "{heads} attention heads: how much each of {queries} tokens (down) attends to each of {keys} (right)": (
        "{heads} 个注意力头：{queries} 个词元（纵向）各自对 {keys} 个词元（横向）的关注程度"
    ),
    "{heads} attention heads: where token {query} of {queries} looks, on a grid of {height} by {width}": (
        "{heads} 个注意力头：{queries} 个词元中的第 {query} 个所关注的位置，网格为 {height} × {width}"
    ),
    "{tokens} tokens of {features} features on a grid of {height} by {width}": (
        "{tokens} 个词元，每个 {features} 个特征，排成 {height} × {width} 的网格"
    ),
    "one picture of {tokens} tokens (down) by {features} features (right)": (
        "一幅图：{tokens} 个词元（纵向）× {features} 个特征（横向）"
    ),
    "one picture of {channels} channels (down) by {length} positions (right)": (
        "一幅图：{channels} 个通道（纵向）× {length} 个位置（横向）"
    ),
    "{count} numbers, one small square each": "{count} 个数，各显示为一个小方格",
    "{count} numbers in a row": "{count} 个数，依次排成一行",
    "a single number": "单个数",
    "values of type {type} are no numbers, so they cannot be drawn": "{type} 类型的值不是数，无法显示",
    "this value has the shape {shape}: there is nothing in it to draw": (
        "该值的形状为 {shape}，没有可显示的内容"
    ),
    "{layer} was given no tensor, so there is nothing to draw.": "{layer} 没有收到张量，没有可显示的内容。",
    "{layer} returned no tensor, so there is nothing to draw.": "{layer} 没有返回张量，没有可显示的内容。",
    "values of type {type} cannot be drawn.": "{type} 类型的值无法显示。",
    "a tensor on the meta device holds no values to draw.": "meta 设备上的张量没有可显示的数值。",
    "a nested tensor has rows of different lengths, so it has no one shape to draw.": (
        "嵌套张量各行长度不同，没有统一的形状可供显示。"
    ),
    # Why a layer did not run: viz.profile.silence.
    "another layer uses its weight and never calls it": "别的层直接使用它的权重，从不调用它",
    "it is used only in training": "只在训练时使用",
    "its {method}() is called directly, which passes by every hook": (
        "它的 {method}() 被直接调用，绕过了所有 hook"
    ),
    "it is compiled by TorchScript, which takes no hooks": "它由 TorchScript 编译，无法注册 hook",
    "it only holds other layers or weights and is never called itself": (
        "它只用来存放其他层或权重，本身从不被调用"
    ),
    "the layers in it are called one by one, not as a whole": "其中的层被逐个调用，而不是作为整体",
    "the model has it but did not use it for this input": "模型含有它，但处理此输入时没有用到",
    "it is part of {layer}: {reason}": "它属于 {layer}：{reason}",
    "{layer} did not run for this input, so there is no call {call}.": (
        "{layer} 处理此输入时没有运行，因此没有第 {call} 次调用。"
    ),
    "{layer} ran once for this input, so there is no call {call}.": (
        "{layer} 处理此输入时只运行了一次，因此没有第 {call} 次调用。"
    ),
    # Gradients: viz.passes.attribution and viz.passes.gradcam.
    "no gradient arrives here, because the class score does not depend on this value.": (
        "没有梯度到达这里，因为类别得分与此值无关。"
    ),
    "{type} values have no gradient; only real and complex numbers have one.": (
        "{type} 类型的值没有梯度，只有实数和复数才有。"
    ),
    "{layer} has no Grad-CAM: what it returns has no places on the picture; choose a layer with maps, such "
    "as a convolution.": (
        "{layer} 没有 Grad-CAM：其输出与图片上的位置无对应关系。请选择有特征图的层，例如卷积层。"
    ),
    "the picture has no saliency: {reason}": "图片没有显著性图：{reason}",
    "{layer} is no layer; gradients are shown for layers only.": "{layer} 不是层，只有层才能显示梯度。",
    "{layer} would take about {cost} MB of memory, more than the {most} MB that one request may take here; "
    "choose a smaller layer or model.": (
        "{layer} 约需 {cost} MB 内存，超过此处单次请求的上限 {most} MB。请选择更小的层或模型。"
    ),
    "{layer}: {problem}": "{layer}：{problem}",
}

SAMPLES: dict[str, str] = {
    "A cat": "猫",
    "An astronaut": "宇航员",
    "A cup of coffee": "一杯咖啡",
    "A rocket launch": "火箭发射",
    "A man with a camera, greyscale": "摄影师（灰度）",
    "Coins, greyscale": "硬币（灰度）",
    "A brick wall, greyscale": "砖墙（灰度）",
    "Grass, greyscale": "草地（灰度）",
    "Test pattern: gratings of four orientations": "测试图：四个方向的光栅",
    "Test pattern: zone plate": "测试图：波带片",
    "Test pattern: checkerboard": "测试图：棋盘格",
    "Test pattern: step edge": "测试图：阶跃边缘",
    "Test pattern: a single dot": "测试图：单个亮点",
    "Waveform: sine": "波形：正弦波",
    "Waveform: square": "波形：方波",
    "Waveform: sawtooth": "波形：锯齿波",
    "Waveform: triangle": "波形：三角波",
    "Waveform: chirp": "波形：线性调频",
    "Waveform: noise": "波形：噪声",
}
