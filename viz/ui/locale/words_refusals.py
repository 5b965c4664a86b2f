"""The Chinese of refusals: what is wrong with a file, an edit or a request, by their English.

``words_notes`` says how these sentences are found. What is not here is shown in English.
"""

REFUSALS: dict[str, str] = {
    # Pictures: viz.pictures.images and viz.pictures.containers.
    "this file is empty: choose a {formats} file": "文件是空的：请选择 {formats} 文件",
    "this file has {size} MB, and at most {most} MB are read: make the picture smaller": (
        "文件为 {size} MB，最多只能读取 {most} MB：请缩小图片"
    ),
    "this is {kind}, not a picture that can be read: use {formats}": (
        "这是{kind}，不是可读取的图片：请使用 {formats}"
    ),
    "this {format} file is damaged or incomplete: save or download it again, or use another one": (
        "该 {format} 文件已损坏或不完整：请重新保存或下载，或换一个文件"
    ),
    "this picture has {width} by {height} pixels: there is nothing to see": (
        "图片为 {width} × {height} 像素：没有可看的内容"
    ),
    "this picture has {width} by {height} pixels, and at most {most} on a side are read: make it smaller": (
        "图片为 {width} × {height} 像素，边长最多 {most} 像素：请缩小图片"
    ),
    "this picture has {width} by {height} pixels, and at most {most} million in all are read: make it "
    "smaller": "图片为 {width} × {height} 像素，总数最多 {most} 百万像素：请缩小图片",
    "this picture has {width} by {height} pixels, more than {most} times as long as wide: crop it to a part "
    "that matters": "图片为 {width} × {height} 像素，长边超过短边的 {most} 倍：请裁剪出重要的部分",
    "this JPEG file is made of far too many passes: save it again as a plain JPEG": (
        "该 JPEG 文件的扫描次数过多：请重新保存为普通 JPEG"
    ),
    "this {format} file is made of far too many parts: save it again with another program": (
        "该 {format} 文件的组成部分过多：请用其他程序重新保存"
    ),
    # Files of both kinds: viz.reader.
    "reading this picture takes more time or memory than one may: save it again, plain or smaller": (
        "读取该图片所需的时间或内存超过上限：请重新保存为普通或更小的图片"
    ),
    "visitors' pictures fill the memory that this server has for them: try later": (
        "访问者的图片已占满服务器为其预留的内存：请稍后再试"
    ),
    "too many files are being read here: send this one again in a moment": (
        "当前正在读取的文件过多：请稍后再上传"
    ),
    "Reading this file takes more time or memory than one file may; save it again, plain or smaller.": (
        "读取该文件所需的时间或内存超过单个文件的上限：请重新保存为普通或更小的文件。"
    ),
    "Too many files are being read here just now; send it again in a moment.": (
        "当前正在读取的文件过多：请稍后再上传。"
    ),
    "PNG, JPEG, WebP, BMP or GIF": "PNG、JPEG、WebP、BMP 或 GIF",
    "a TIFF file": " TIFF 文件",
    "a PDF document": " PDF 文档",
    "a ZIP archive or an office document": " ZIP 压缩包或办公文档",
    "a Photoshop file": " Photoshop 文件",
    "a JPEG XL file": " JPEG XL 文件",
    "a JPEG 2000 file": " JPEG 2000 文件",
    "an icon": "图标文件",
    "an SVG drawing or a web page": " SVG 图形或网页",
    "an AVIF file": " AVIF 文件",
    "a HEIC photo or a video": " HEIC 照片或视频",
    "a text": "文本文件",
    "a file of an unknown kind": "未知类型的文件",
    # Edits: viz.passes.editing.
    "{layer} is an operation and no layer: edit the layer in front of it.": (
        "{layer} 是运算而不是层：请编辑它前面的层。"
    ),
    "{layer} does not run, so there is nothing to edit: {reason}": (
        "{layer} 没有运行，没有可编辑的内容：{reason}"
    ),
    "there is no channel {channel}: {layer} has {count}, from 0 to {last}.": (
        "没有通道 {channel}：{layer} 有 {count} 个通道，编号 0 至 {last}。"
    ),
    "{layer} works with {type} values here, which cannot be edited.": (
        "{layer} 在此使用 {type} 类型的值，无法编辑。"
    ),
    "no sample picture named {name}; there is {names}": "没有名为 {name} 的示例图片；可用的有 {names}",
    "'swap' needs a sample picture to take values from: write layer:swap:3:cat.": (
        "'swap' 需要一张提供数值的示例图片：请写成 layer:swap:3:cat。"
    ),
    "the replacement's shape {given} does not fit {shape}, which the layer returns.": (
        "替换值的形状 {given} 与该层返回的形状 {shape} 不符。"
    ),
    "this model ended its run by {name}; choose another one.": (
        "该模型以 {name} 结束了自己的运行；请选择其他模型。"
    ),
    # Weights and visits: models.downloads and viz.ui.
    "{name} cannot be fetched from {place}: {reason}; {instead}": (
        "无法从 {place} 获取 {name}：{reason}；{instead}"
    ),
    "{place} cannot be reached: {reason}; {instead}": "无法连接 {place}：{reason}；{instead}",
    "untrained weights can be shown meanwhile": "可以先查看未训练的权重",
    "This picture belongs to a visit that has ended; open the page again.": (
        "这张图片属于已结束的访问，请重新打开页面。"
    ),
    "This edit takes values from a picture that is no longer here; upload it again, or choose a sample.": (
        "此编辑要从一张已不在此处的图片取值；请重新上传该图片，或改用示例图片。"
    ),
    "These weights belong to a visit that has ended; upload the file again.": (
        "这些权重属于已结束的访问，请重新上传文件。"
    ),
    "A newer request took this one's place.": "较新的请求已取代此请求。",
    # Own weights: models.own, viz.ui.visit.own_weights.
    "This file of weights is empty.": "权重文件是空的。",
    "This file of weights has more than the {most} MB that are read here.": (
        "权重文件超过此处可读取的 {most} MB。"
    ),
    "This file holds no weights by name; {advice}.": "文件中没有带名称的权重；{advice}。",
    "This is neither a safetensors file nor a PyTorch state dict (.pt, .pth).": (
        "这既不是 safetensors 文件，也不是 PyTorch 状态字典（.pt、.pth）。"
    ),
    "This safetensors file claims a header of {size} MB; more than {most} MB of names and shapes are not "
    "read.": "该 safetensors 文件声称文件头有 {size} MB；名称和形状最多只读取 {most} MB。",
    "This {kind} is damaged or cut short: {reason}.": "该 {kind} 已损坏或不完整：{reason}。",
    "it cannot be read to its end": "无法读到结尾",
    "what it claims to hold is not what is in it": "内容与其声明不符",
    "safetensors file": "safetensors 文件",
    "PyTorch file": "PyTorch 文件",
    "This file has more than {most} parts; {advice}.": "文件的组成部分超过 {most} 个；{advice}。",
    "This archive would unpack to more than its own {size} bytes, unlike PyTorch's; {advice}.": (
        "该压缩包解压后会超过自身的 {size} 字节，与 PyTorch 的不同；{advice}。"
    ),
    "This file holds far more names than weights have; {advice}.": (
        "文件中的名称远多于权重应有的数量；{advice}。"
    ),
    "This file holds more than weights ({what}); nothing in it was run. Please {advice}.": (
        "文件中除权重外还有其他内容（{what}）；其中的任何代码都没有运行。{advice}。"
    ),
    "A name in this file has more than {most} characters, or some that cannot be shown; rename what it "
    "names.": ("文件中有一个名称超过 {most} 个字符，或含有无法显示的字符；请改名。"),
    "Numbers of {name} share one place in this file; save its .contiguous() copy.": (
        "文件中 {name} 的若干数值共用同一位置；请保存它的 .contiguous() 副本。"
    ),
    "conjugated numbers": "共轭的数",
    "This file has names that are neither text nor number; {advice}.": (
        "文件中有既非文本也非数字的名称；{advice}。"
    ),
    "The numbers in this file were written on a machine that turns their bytes round; {advice}.": (
        "文件中的数值由字节序相反的机器写成；{advice}。"
    ),
    "save model.state_dict() alone, best as safetensors": (
        "请只保存 model.state_dict()，最好存为 safetensors"
    ),
    "Visitors' weights fill the memory that this server has for them; try later.": (
        "服务器留给访客权重的内存已满，请稍后再试。"
    ),
    # Ablation and gradients: viz.passes.ablation and viz.passes.attribution.
    "{layer} returns no tensor of real numbers, so it has no channels to remove.": (
        "{layer} 返回的不是实数张量，没有可移除的通道。"
    ),
    "this model does not return one score per class, by which a channel could be judged.": (
        "该模型不是每个类别返回一个得分，无法据此评判通道。"
    ),
    "this model's class scores are not finite for this picture: nothing to compare.": (
        "该模型对这张图片的类别得分不是有限值，无法比较。"
    ),
    "this model is not given one picture (1, colours, height, width): it has no saliency.": (
        "该模型的输入不是一张图片（1、颜色、高、宽），没有显著性图。"
    ),
    "this model does not end in one score per class, so there is no class score to take a gradient of; "
    "choose a classification model.": (
        "该模型的输出不是每个类别一个得分，没有可求梯度的类别得分。请选择一个分类模型。"
    ),
    # Comparing, scales and what is taken home: viz.views, viz.take_home, viz.engine.limits.
    "there is no {side} to be shown of this pair; open the page again.": (
        "这一对中没有可显示的 {side}，请重新打开页面。"
    ),
    "one scale for the whole model needs the model's limits; choose another scale.": (
        "整个模型统一的刻度需要整个模型的取值范围；请选择其他刻度。"
    ),
    "no layer named {block} runs in this model, so there is nothing to take home.": (
        "该模型中没有名为 {block} 的层运行，因此没有可带走的内容。"
    ),
    "none of these layers can be drawn, so there is nothing to animate.": "这些层都无法绘制，因此没有动画。",
    "{layer} {times} for this input, so there is no call {call}.": (
        "{layer} 对该输入{times}，没有第 {call} 次调用。"
    ),
    "did not run": "没有运行",
    "ran once": "运行了一次",
    "ran {count} times": "运行了 {count} 次",
    "{what} would take about {size} MB of memory, more than the {most} MB that one request may take here; "
    "choose a smaller layer or model.": (
        "{what} 约需 {size} MB 内存，超过单次请求可用的 {most} MB；请选择更小的层或模型。"
    ),
    # Edits that an address asks for: viz.request.edit_request.
    "there is no edit {kind}; there is {kinds}.": "没有编辑 {kind}；可用的有 {kinds}。",
    "these are {count} edits; at most {most} work at once.": "共有 {count} 项编辑；最多同时使用 {most} 项。",
    "these edits take {count} characters; at most {most} are read.": (
        "这些编辑共 {count} 个字符；最多读取 {most} 个。"
    ),
    "{text} cannot be a layer's name: write {form}.": "{text} 不能是层的名称：请写成 {form}。",
    "no layer has a channel {channel}; write at most {most}.": (
        "任何层都没有通道 {channel}；请最多写到 {most}。"
    ),
    "calls are written from 1 to {most}; there is no call {call}.": (
        "调用编号为 1 至 {most}，没有第 {call} 次调用。"
    ),
    "{text} is no edit: write {form}.": "{text} 不是编辑：请写成 {form}。",
    "layer:kind:channels:amount:seed, such as {example}": "layer:kind:channels:amount:seed，例如 {example}",
    "{text} names no channels: write them as 3,17 or 8-15, or all.": (
        "{text} 没有指明通道：请写成 3,17 或 8-15，或 all。"
    ),
    "the amount {text} is no number.": "数值 {text} 不是数。",
    "{kind} needs an amount: write {form}.": "{kind} 需要一个数值：请写成 {form}。",
    "an edit names at most {most} channels; leave them out to mean all.": (
        "一项编辑最多列出 {most} 个通道；不列出即指全部通道。"
    ),
    "channels are counted from 0; there is no channel {channel}.": "通道从 0 开始编号，没有通道 {channel}。",
    "the amount of an edit is a finite number, not {amount}.": "编辑的数值应为有限的数，而不是 {amount}。",
    "an edit changes a layer's output, inputs, gradient or inputs_gradient, not its {side}.": (
        "编辑可改动层的输出（output）、输入（inputs）、输出处的梯度（gradient）或输入处的梯度（inputs_gradient），"
        "没有 {side}。"
    ),
    "a gradient is changed by {kinds}, not by {kind}.": "梯度可用的编辑有 {kinds}，没有 {kind}。",
    "a seed is a whole number from 0 to {most}, not {seed}.": "种子应为 0 至 {most} 的整数，而不是 {seed}。",
    "there is no channel {channel}: the layer has {count}, from 0 to {last}.": (
        "没有通道 {channel}：该层有 {count} 个通道，编号 0 至 {last}。"
    ),
    "{layer} runs {times}, so there is no call {call} to edit.": (
        "{layer} 运行{times}，没有第 {call} 次调用可编辑。"
    ),
    "once": "一次",
    "{count} times": " {count} 次",
    "this value cannot be edited by channels: {problem}": "这个值无法按通道编辑：{problem}",
    "this layer returns a single number, which has no channels.": "该层只返回一个数，没有通道。",
    "there is no tensor in this {type} to be edited.": "这个 {type} 中没有可编辑的张量。",
    "{layer} is given its inputs by keyword ({names}): none can be edited.": (
        "{layer} 的输入以关键字参数给出（{names}），无法编辑。"
    ),
}
