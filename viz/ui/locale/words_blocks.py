"""What each kind of block and operation does, in English and Chinese; ``words_layers`` takes them in."""

BLOCK_WORDS: tuple[tuple[str, str, str], ...] = (
    (
        "embedding|embeddingbag",
        "Looks up one learned vector for each number that comes in.",
        "为每个输入的编号查出一个学到的向量。",
    ),
    (
        "positions|positionalencoding|positionembedding.*|posembed.*",
        "Adds to each token a vector that belongs to its place: without it, attention could not tell "
        "where a token comes from.",
        "给每个词元加上与其位置对应的向量：否则注意力无法知道词元来自哪里。",
    ),
    (
        "tokens",
        "Turns maps into tokens, row by row, one for each position, and puts a learned class token before "
        "them.",
        "把特征图逐行变成词元，每个位置一个，并在最前面加上一个学到的类别词元。",
    ),
    (
        "classtoken",
        "Picks the class token out of all tokens; only what it has gathered goes on to the classes.",
        "从所有词元中取出类别词元；只有它汇集到的信息继续用于分类。",
    ),
    (
        "patchembed|hybridembed|convstem|patchify",
        "Cuts the picture into patches and turns each into a vector, a token, by the same weights.",
        "把图片切成小块，用同样的权重把每块变成一个向量，即词元。",
    ),
    (
        "patchmerging(v2)?",
        "Joins each 2 × 2 neighbouring tokens into one: their features side by side, then a linear layer. "
        "The grid halves on each side.",
        "把相邻的 2 × 2 个词元合成一个：特征并排，再经过线性层。网格的边长减半。",
    ),
    (
        "shiftedwindowattention(3d|v2)?|windowattention",
        "Attention within small windows of the picture. In every second block the windows are shifted by "
        "half their size, so that neighbours across a border meet.",
        "在图片的小窗口内做注意力。每隔一个块，窗口平移半个窗口大小，使边界两侧的相邻位置得以交流。",
    ),
    (
        "multiheadattention|attention|multiscaleattention|relativepositionalmultiheadattention|"
        "partitionattention|efficientattention|scaleddotproductattention|multiheadattentionforward",
        "Each token compares its query with the keys of the tokens it may look at; the better the match, "
        "the more of that token's value it takes over. Several heads do this side by side.",
        "每个词元用自己的查询与可见词元的键作比较；越匹配，就取入该词元的值越多。多个头并行进行。",
    ),
    (
        "mlp|mlpblock|twomlphead|convmlp|feedforward|ffn",
        "Linear layers with an activation between them; each token or position goes through them by itself.",
        "几个线性层，其间夹着激活函数；每个词元或位置各自独立地通过。",
    ),
    (
        "upsample|interpolate|upsamplingnearest|upsamplingbilinear",
        "Makes the maps larger by repeating values or by values in between; nothing in it is learned.",
        "通过重复或插值把图放大；其中没有学到的参数。",
    ),
    (
        "pixelshuffle|pixelunshuffle",
        "Moves numbers between channels and positions: larger maps with fewer channels, or the other way "
        "round.",
        "在通道与位置之间搬动数值：图变大而通道变少，或者相反。",
    ),
    (
        "(zero|reflection|replication|constant|circular)?pad",
        "Puts a border around the maps: zeros, copies of the edge, or the mirrored edge.",
        "在图的四周加边：零、边缘的复制或镜像。",
    ),
    (
        "squeezeexcitation|squeezeexcite|semodule|selayer|quantizablesqueezeexcitation|effectivesemodule",
        "Averages each channel, computes from these means a weight between 0 and 1 for every channel, and "
        "multiplies the channel by it.",
        "对每个通道取平均，由这些平均值算出每个通道介于 0 和 1 之间的权重，再乘到该通道上。",
    ),
    (
        "basicblock|bottleneck|resbottleneckblock|residual|residualblock|bottleneckblock|"
        "preactbottleneck|quantizablebasicblock|quantizablebottleneck",
        "A residual block: its layers compute a change, which is added to the block's own input. The maps "
        "show what leaves the block.",
        "残差块：其中各层算出一个变化量，再与该块的输入相加。图中显示的是该块的输出。",
    ),
    (
        "invertedresidual|quantizableinvertedresidual|mbconv|depthwiseseparableconv",
        "Widens to more channels (1 × 1), filters each channel by itself, narrows again (1 × 1). Where "
        "shapes allow, the block's input is added.",
        "先用 1 × 1 卷积增加通道，再对每个通道单独滤波，最后用 1 × 1 卷积减少通道。形状允许时再加上块的输"
        "入。",
    ),
    (
        "fusedmbconv|edgeresidual",
        "Widens to more channels with an ordinary convolution, then narrows again (1 × 1). Where shapes "
        "allow, the block's input is added.",
        "先用普通卷积增加通道，再用 1 × 1 卷积减少通道。形状允许时再加上块的输入。",
    ),
    (
        "cnblock|convnextblock",
        "Filters each channel by itself in a 7 × 7 window, then mixes the channels of each position with "
        "two linear layers; the result is added to the block's input.",
        "先在 7 × 7 窗口内对每个通道单独滤波，再用两个线性层混合每个位置的各通道；结果与块的输入相加。",
    ),
    (
        "denselayer|denseblock",
        "Each layer of a dense block is given the outputs of all layers before it, side by side, and adds "
        "a few channels of its own.",
        "稠密块中的每一层都接收前面所有层的输出（并排拼接），并再添上几个自己的通道。",
    ),
    (
        "(dense)?transition",
        "Between two dense blocks: fewer channels by a 1 × 1 convolution, then half the size by averaging.",
        "两个稠密块之间：先用 1 × 1 卷积减少通道，再通过平均把边长减半。",
    ),
    (
        "(quantizable)?inception(a|b|c|d|e)?|sepinceptionblock",
        "Several branches with windows of different sizes look at the same input; their channels are put "
        "one behind the other.",
        "几个窗口大小不同的分支看同一个输入，各自的通道依次拼接在一起。",
    ),
    (
        "fire",
        "Squeezes to few channels (1 × 1), then expands with 1 × 1 and 3 × 3 filters side by side; their "
        "channels are put one behind the other.",
        "先用 1 × 1 卷积压缩到少量通道，再并行用 1 × 1 和 3 × 3 滤波器展开，通道依次拼接。",
    ),
    (
        "convnormactivation|basicconv|quantizablebasicconv|convbnrelu|convbnact|convnormact|convbnactivation",
        "A convolution, mostly with a normalisation and an activation behind it, as one layer.",
        "一个卷积，其后通常跟着归一化和激活函数，合为一层。",
    ),
    (
        "encoderblock|transformerencoderlayer|swintransformerblock(v2)?|multiscaleblock|attentionblock",
        "A transformer block: attention between tokens, then a small network on each token alone. What "
        "each computes is added to what came in.",
        "Transformer 块：先在词元之间做注意力，再对每个词元单独用一个小网络处理。两者的结果都与各自的输入"
        "相加。",
    ),
    (
        "featurepyramidnetwork",
        "Adds coarse, enlarged maps to finer ones, so that each size of map knows of the whole picture.",
        "把放大后的粗图加到更细的图上，使每种大小的图都了解整张图片。",
    ),
    (
        "sequential",
        "Runs the layers inside it one after the other. The maps show what the last of them returned.",
        "依次运行其中的各层。图中显示的是最后一层的输出。",
    ),
    (
        "modulelist|moduledict|parameterlist|parameterdict",
        "Only holds other layers or weights; the model takes them out one by one.",
        "只用来存放其他层或权重，由模型逐个取用。",
    ),
    (
        "add|sub",
        "Adds, or subtracts, two values place by place. In residual networks this is where a block's "
        "change meets its input.",
        "把两个值逐位置相加（或相减）。在残差网络中，块算出的变化量在这里与输入会合。",
    ),
    (
        "mul|truediv|div",
        "Multiplies, or divides, two values place by place, for example by a weight for each channel.",
        "把两个值逐位置相乘（或相除），例如乘以每个通道的权重。",
    ),
    (
        "cat|concat|concatenate|stack|hstack|vstack",
        "Puts several values one behind the other, often their channels; no number changes.",
        "把几个值依次拼接，常常是拼接通道；数值不变。",
    ),
    (
        "chunk|split|getitem|narrow|select|indexselect",
        "Takes a part out of a value; no number changes.",
        "取出值的一部分；数值不变。",
    ),
    (
        "matmul|bmm|mm|einsum|baddbmm",
        "A product of matrices: every result is a sum of products of a row with a column. Attention "
        "compares tokens in this way.",
        "矩阵乘积：每个结果都是一行与一列对应相乘之和。注意力就用它来比较词元。",
    ),
    (
        "mean|sum|amax|max|amin|min",
        "Brings many numbers together into one: their mean, sum, or largest or smallest.",
        "把许多数合成一个：平均值、总和、最大值或最小值。",
    ),
    (
        "normalize|norm",
        "Divides vectors by their length, so that only their direction counts.",
        "把向量除以自身长度，只留下方向。",
    ),
)
