"""The Chinese of refusals of a view: no weights, a value that cannot be drawn, by their English.

``words_notes`` says how these sentences are found. What is not here is shown in English.
"""

VIEW_REFUSALS: dict[str, str] = {
    # Models and their weights.
    "the trained weights of {model} are not in this copy of Layerglass; untrained weights can be shown": (
        "这份 Layerglass 中没有 {model} 的已训练权重；可以显示未训练的权重"
    ),
    "{model} has no trained weights; untrained weights can be shown": (
        "{model} 没有已训练的权重；可以显示未训练的权重"
    ),
    "{file} is damaged or of another net; get it anew from where this copy came from": (
        "{file} 已损坏或属于其他网络；请从原来的来源重新获取"
    ),
    "{file} is not of {model}; delete it, and it will be fetched anew": (
        "{file} 不属于 {model}；请删除它，程序会重新下载"
    ),
    "{file} is damaged; delete it, and it will be fetched anew": "{file} 已损坏；请删除它，程序会重新下载",
    "{file} is damaged or not of {model}; delete it": "{file} 已损坏或不属于 {model}；请删除它",
    "{file} holds something else than named weights; delete it": "{file} 中不是带名称的权重；请删除它",
    "no model named {model}: timm is not installed; {advice}": (
        "没有名为 {model} 的模型：未安装 timm；{advice}"
    ),
    "the weights of {model} cannot be fetched: {reason}; untrained weights can be shown meanwhile": (
        "无法下载 {model} 的权重：{reason}；可先显示未训练的权重"
    ),
    "what came for {file} is another file (its SHA-256 begins with {digest}); try again, or tell whoever "
    "runs this server": "收到的 {file} 是另一个文件（SHA-256 以 {digest} 开头）；请重试，或告知服务器管理者",
    "{model} has no untrained weights: its {what} cannot start over": (
        "{model} 没有未训练的权重：其 {what} 无法重新初始化"
    ),
    "a picture of {width}×{height} pixels has nothing to look at": (
        "图片为 {width}×{height} 像素：没有可看的内容"
    ),
    "a picture of {width} by {height} pixels has no signal in it": (
        "图片为 {width} × {height} 像素：其中没有信号"
    ),
    # Models that take no hooks: viz.hooks.hookable.
    "{kind} is a TorchScript module, which takes no hooks: use the Python model that it was made from.": (
        "{kind} 是 TorchScript 模块，不支持钩子：请使用生成它的 Python 模型。"
    ),
    "{name} has no shape yet (a lazy layer): run the model once on an example input.": (
        "{name} 还没有形状（惰性层）：请先用示例输入运行一次模型。"
    ),
    "{name} is on the meta device or offloaded, and has no values: load the whole model first.": (
        "{name} 在 meta 设备上或已被卸载，没有数值：请先完整加载模型。"
    ),
    "the model is spread over {places}: bring it onto one device first.": (
        "模型分布在 {places} 上：请先移到同一设备。"
    ),
    # What cannot be found in a model or a value.
    "no layer named {name}; did you mean {names}?": "没有名为 {name} 的层；是否想找 {names}？",
    "no layer named {name}; there are: {names}": "没有名为 {name} 的层；现有：{names}",
    "no layer named {name}: the model has no layers": "没有名为 {name} 的层：该模型没有层",
    "no colormap named {name}; did you mean {names}?": "没有名为 {name} 的颜色映射；是否想找 {names}？",
    "{layer} was given no tensor, so there is nothing to draw.": (
        "{layer} 没有收到张量，因此没有可绘制的内容。"
    ),
    "{layer} returned no tensor, so there is nothing to draw.": (
        "{layer} 没有返回张量，因此没有可绘制的内容。"
    ),
    "{layer} returned no tensor, so it has no Grad-CAM.": "{layer} 没有返回张量，因此没有 Grad-CAM。",
    "{layer} returned no {path}; it returned {paths}.": "{layer} 没有返回 {path}；它返回了 {paths}。",
    "channels are sorted by {orders}, not by {name}.": "通道可按 {orders} 排序，不能按 {name} 排序。",
    "there is no class {number}: this model has classes 0 to {last}.": (
        "没有类别 {number}：该模型的类别为 0 到 {last}。"
    ),
    "there is no place {place}: the maps are {size}.": "没有位置 {place}：特征图为 {size}。",
    "{path} is not the path of a tensor.": "{path} 不是张量的路径。",
    # Edits that a layer's value does not allow: viz.hooks.edits and viz.passes.editing.
    "a value of shape {shape} has no axis {axis} with channels.": (
        "形状为 {shape} 的值没有第 {axis} 轴作为通道轴。"
    ),
    "nothing was recorded of {name} that could be put into {layer}.": (
        "没有记录到 {name} 可放入 {layer} 的值。"
    ),
    "this edit changes a tensor, and the layer returns a {kind}: write a function that changes the part "
    "that is meant and returns the whole.": (
        "该编辑只能改变张量，而该层返回 {kind}：请编写函数，改变其中一部分并返回整体。"
    ),
    # Layouts: viz.maps.layout and viz.maps.guess.
    "only complex values have a phase": "只有复数才有相位",
    "there is no kind of layout named {name}; there is {names} and phase": (
        "没有名为 {name} 的布局；现有 {names} 和 phase"
    ),
    "a value of shape {shape} cannot be drawn as {name}; possible: {names}": (
        "形状为 {shape} 的值无法按 {name} 绘制；可用：{names}"
    ),
    "there is no batch row {number}: this value has rows 0 to {last}": (
        "批次中没有第 {number} 行：该值有第 0 到 {last} 行"
    ),
    "there is no {what} {number}: this value has {all} 0 to {last}": "没有{what} {number}：只有 0 到 {last}",
    "slice": "切片",
    "query token": "查询词元",
    "{count} tokens make no grid, with or without class and register tokens; use 'table'": (
        "{count} 个词元无法排成网格（无论是否含类别词元和寄存器词元）；请使用 'table'"
    ),
    "a value of shape {shape} has {count} axes; up to 5 can be drawn": (
        "形状为 {shape} 的值有 {count} 个轴；最多能绘制 5 个"
    ),
    # Gradients, live maps, memory, studies, addresses.
    "Grad-CAM belongs to the gradient of a class score: choose a class first.": (
        "Grad-CAM 属于类别得分的梯度：请先选择类别。"
    ),
    "this target does not depend on any layer: no gradient flows back from it.": (
        "该目标不依赖任何层：没有梯度从它回传。"
    ),
    "{layer} has {count} channels, from 0; there are none {channels}.": (
        "{layer} 有 {count} 个通道，从 0 起；没有通道 {channels}。"
    ),
    "no call {number} of layer {name}: it ran {times} times for this input.": (
        "层 {name} 没有第 {number} 次调用：它对该输入运行了 {times} 次。"
    ),
    "one call of {name} cannot be edited alone: the model repeats calls in its backward pass (activation "
    "checkpointing). Edit all its calls, or switch the checkpointing off.": (
        "无法只编辑 {name} 的一次调用：该模型在反向传播中重复调用（激活检查点）。"
        "请编辑全部调用，或关闭检查点。"
    ),
    "a frame has at most {most} pixels on a side: make it smaller": "画面边长最多 {most} 像素：请缩小",
    "a frame has at most {most} kB: make it smaller": "画面最多 {most} kB：请缩小",
    "Live maps are those of the forward pass; choose another view than gradients.": (
        "实时特征图来自前向传播；请选择梯度以外的视图。"
    ),
    "This address names a layer that the model does not have; open the page again.": (
        "该地址中的层在模型里不存在；请重新打开页面。"
    ),
}
