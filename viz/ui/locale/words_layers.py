"""What each kind of layer does, in one or two sentences, in English and Chinese.

A kind is found by the name of a layer's class, or of an operation, without case, underscores and the
dimensions at its end: ``Conv2d``, ``conv3d`` and ``Conv1d`` are all ``conv``. The first pattern that fits
the whole name counts. Blocks of several layers and bare operations are in ``words_blocks``.
"""

from .words_blocks import BLOCK_WORDS

LAYER_WORDS: tuple[tuple[str, str, str], ...] = (
    (
        "conv|convsimple|convnotemporal|standardizedconv|stdconv|conv2dsame|lazyconv",
        "Slides small filters over its input; each channel shows where its own filter's pattern is found. "
        "Every value is a weighted sum over a small window of all input channels (of its group).",
        "用小滤波器在输入上滑动；每个通道显示其滤波器所寻找的图案出现在哪里。每个值都是（所在组）全部输入"
        "通道在一个小窗口内的加权和。",
    ),
    (
        "convtranspose",
        "A convolution the other way round: every input value lays a weighted copy of the filter on the "
        "output, and what overlaps is added up. With a stride above 1 the maps become larger.",
        "反方向的卷积：每个输入值按自身大小把滤波器叠放到输出上，重叠处相加。步幅大于 1 时图会变大。",
    ),
    (
        "(frozen|sync)?batchnorm(act)?",
        "Shifts and scales each channel by fixed numbers: the mean and variance that were collected in "
        "training, then a learned scale and shift. In eval mode, as here, nothing depends on other "
        "pictures.",
        "用固定的数对每个通道平移和缩放：先用训练时统计的均值和方差，再用学到的缩放和平移。推理模式下（此"
        "处即是）结果与其他图片无关。",
    ),
    (
        "instancenorm",
        "Brings each channel of this picture to mean 0 and variance 1, counted over its own positions.",
        "把这张图片的每个通道在其所有位置上归一化为均值 0、方差 1。",
    ),
    (
        "groupnorm(act)?",
        "Brings groups of channels of this picture to mean 0 and variance 1; then each channel gets a "
        "learned scale and shift.",
        "把这张图片的通道分组，各组归一化为均值 0、方差 1，再对每个通道做学到的缩放和平移。",
    ),
    (
        "layernorm(act|fp32)?",
        "Brings the features at each position, or of each token, to mean 0 and variance 1; then each "
        "feature gets a learned scale and shift.",
        "在每个位置（或每个词元）上把各特征归一化为均值 0、方差 1，再对每个特征做学到的缩放和平移。",
    ),
    (
        "(simple)?rmsnorm",
        "Divides the features of each token by their root mean square, then multiplies each feature by a "
        "learned number. Unlike LayerNorm it takes no mean away.",
        "把每个词元的各特征除以它们的均方根，再乘以学到的系数。与 LayerNorm 不同，它不减去均值。",
    ),
    (
        "localresponsenorm",
        "Divides each value by a measure of how strong its neighbouring channels are at the same position.",
        "把每个值除以同一位置上相邻通道的强度。",
    ),
    (
        "relu|threshold",
        "Keeps what is positive and turns everything negative into 0. Without such a bend, layers in a "
        "row could do no more than one.",
        "保留正值，把负值变为 0。没有这样的弯折，多层叠加也不过相当于一层。",
    ),
    (
        "relu6|hardtanh|clamp|clip",
        "Cuts values off at a lower and an upper bound (ReLU6: 0 and 6) and hands on what lies between.",
        "把值截断在下界和上界之间（ReLU6 为 0 和 6），其间的值原样通过。",
    ),
    (
        "leakyrelu|prelu|rrelu",
        "Keeps what is positive and multiplies what is negative by a small number, so that it is not lost.",
        "保留正值，把负值乘以一个小系数，使其不至于完全消失。",
    ),
    (
        "elu|selu|celu",
        "Keeps what is positive and bends what is negative smoothly towards a lower bound.",
        "保留正值，使负值平滑地趋于一个下界。",
    ),
    (
        "gelu|quickgelu|gelutanh",
        "A smooth relative of ReLU: large positive values pass, large negative ones become almost 0, and "
        "small negative ones stay slightly below 0.",
        "平滑版的 ReLU：大的正值通过，大的负值几乎变为 0，小的负值保留为略小于 0 的值。",
    ),
    (
        "silu|swish|mish|hardmish",
        "A smooth relative of ReLU: x times a number between 0 and 1 that grows with x. Small negative "
        "values stay slightly below 0.",
        "平滑版的 ReLU：x 乘以一个随 x 增大的、介于 0 和 1 之间的数。小的负值保留为略小于 0 的值。",
    ),
    (
        "hardswish",
        "A cheap stand-in for SiLU made of simple pieces: x · clamp(x + 3, 0, 6) / 6.",
        "用简单的分段函数近似 SiLU：x · clamp(x + 3, 0, 6) / 6。",
    ),
    (
        "sigmoid",
        "Squeezes every value into the range from 0 to 1. Inside a network this is often a gate: how much "
        "of something else is let through.",
        "把每个值压缩到 0 与 1 之间。在网络内部常用作门控：决定别的值通过多少。",
    ),
    (
        "hardsigmoid",
        "A cheap stand-in for the sigmoid made of straight lines, from 0 to 1: clamp(x + 3, 0, 6) / 6.",
        "用直线近似 Sigmoid，取值在 0 与 1 之间：clamp(x + 3, 0, 6) / 6。",
    ),
    (
        "tanh",
        "Squeezes every value into the range from −1 to 1 and keeps its sign.",
        "把每个值压缩到 −1 与 1 之间，符号不变。",
    ),
    (
        "(log)?softmax",
        "Turns scores into shares along one axis: none is negative and together they make 1 (LogSoftmax: "
        "their logarithms). The largest score gets the largest share.",
        "沿一个轴把得分变成份额：都不为负，总和为 1（LogSoftmax 取其对数）。得分最高者份额最大。",
    ),
    (
        "(fractional)?maxpool|lastlevelmaxpool",
        "Keeps the largest value in each small window. With a stride above 1 the maps become smaller, and "
        "small shifts of the picture matter less.",
        "保留每个小窗口中的最大值。步幅大于 1 时图会变小，图片的微小平移也不那么重要了。",
    ),
    (
        "avgpool|blurpool",
        "Averages each small window. With a stride above 1 the maps become smaller.",
        "对每个小窗口取平均。步幅大于 1 时图会变小。",
    ),
    (
        "adaptiveavgpool|selectadaptivepool|fastadaptiveavgpool|globalavgpool",
        "Averages into an output of a fixed size, however large the input is. With size 1 one number per "
        "channel is left: its mean over the whole map.",
        "无论输入多大，都平均成固定大小的输出。大小为 1 时，每个通道只剩一个数：整幅图的平均值。",
    ),
    (
        "adaptivemaxpool",
        "Keeps the largest values in an output of a fixed size, however large the input is.",
        "无论输入多大，都取各区域的最大值，得到固定大小的输出。",
    ),
    (
        "linear|nondynamicallyquantizablelinear|normlinear",
        "Every output is a weighted sum of all input features, plus a bias where there is one. Tokens or "
        "positions, if there are any, each go through the same weights.",
        "每个输出都是全部输入特征的加权和，有偏置时再加偏置。若有多个词元或位置，它们使用相同的权重。",
    ),
    (
        "bilinear",
        "Every output is a weighted sum of all products of one value of the first input with one of the "
        "second.",
        "每个输出都是第一个输入与第二个输入各值乘积的加权和。",
    ),
    (
        "(alpha|feature|patch)?dropout",
        "While training it sets random values to 0. In eval mode, as here, it hands on its input unchanged.",
        "训练时随机把一些值置为 0；推理模式下（此处即是）原样输出。",
    ),
    (
        "stochasticdepth|droppath",
        "While training it leaves out a whole branch at random. In eval mode, as here, it hands on its "
        "input unchanged.",
        "训练时随机跳过整个分支；推理模式下（此处即是）原样输出。",
    ),
    (
        "flatten|unflatten|reshape|view|unsqueeze|squeeze|expand",
        "Computes nothing: the same numbers in another shape, for example all maps in one row for a "
        "Linear layer.",
        "不做计算：同样的数换一种形状，例如把所有图排成一行交给 Linear 层。",
    ),
    (
        "permute|swapaxes|transpose|movedim|t|channelshuffle|roll|flip",
        "Computes nothing: the same numbers with their axes or places in another order.",
        "不做计算：同样的数，只是轴或位置的次序不同。",
    ),
    (
        "identity|quantstub|dequantstub",
        "Hands on its input unchanged; it keeps a place where other versions of the model have a layer.",
        "原样输出；它只占一个位置，模型的其他版本在这里会有别的层。",
    ),
    *BLOCK_WORDS,
)

TRANSFORMER_INSIDE = (
    "A transformer block: attention between tokens, then a small network on each token alone. What each "
    "computes is added to what came in.",
    "Transformer 块：先在词元之间做注意力，再对每个词元单独用一个小网络处理。两者的结果都与各自的输入相加。",
)
COMPOSED = (
    "A part of this model with layers inside it. The maps show what it returned as a whole; unfold it in "
    "the tree to see its steps.",
    "模型的一个组成部分，内含若干层。图中显示其整体的输出；在树中展开可查看各步骤。",
)
OWN_LAYER = (
    "A layer that is this model's own. The maps show what its code returned.",
    "该模型自定义的层。图中显示其代码的输出。",
)
OWN_OPERATION = (
    "A function that the model calls without a layer. The maps show what it returned.",
    "模型直接调用、不属于任何层的函数。图中显示其返回值。",
)
