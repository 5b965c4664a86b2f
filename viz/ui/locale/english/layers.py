"""Explanations of each kind of layer, in one or two sentences.

A kind is found by the name of a layer's class, or of an operation, without case, underscores and the
dimensions at its end: ``Conv2d``, ``conv3d`` and ``Conv1d`` are all ``conv``. The first pattern that fits
the whole name counts. Blocks of several layers and bare operations come last.
"""

from ....sentences import Sentence

LAYER_WORDS: tuple[tuple[str, Sentence], ...] = (
    (
        "conv|convsimple|convnotemporal|standardizedconv|stdconv|conv2dsame|lazyconv",
        Sentence(
            "Slides small filters over its input; each channel shows where its own filter's pattern is "
            "found. Every value is a weighted sum over a small window of all input channels (of its group)."
        ),
    ),
    (
        "convtranspose",
        Sentence(
            "A convolution the other way round: every input value lays a weighted copy of the filter on the "
            "output, and what overlaps is added up. With a stride above 1 the maps become larger."
        ),
    ),
    (
        "(frozen|sync)?batchnorm(act)?",
        Sentence(
            "Shifts and scales each channel by fixed numbers: the mean and variance that were collected in "
            "training, then a learned scale and shift. In eval mode, as here, nothing depends on other "
            "pictures."
        ),
    ),
    (
        "instancenorm",
        Sentence(
            "Brings each channel of this picture to mean 0 and variance 1, computed over its own positions."
        ),
    ),
    (
        "groupnorm(act)?",
        Sentence(
            "Brings groups of channels of this picture to mean 0 and variance 1; then each channel gets a "
            "learned scale and shift."
        ),
    ),
    (
        "layernorm(act|fp32)?",
        Sentence(
            "Brings the features at each position, or of each token, to mean 0 and variance 1; then each "
            "feature gets a learned scale and shift."
        ),
    ),
    (
        "(simple)?rmsnorm",
        Sentence(
            "Divides the features of each token by their root mean square, then multiplies each feature by a "
            "learned number. Unlike LayerNorm it takes no mean away."
        ),
    ),
    (
        "localresponsenorm",
        Sentence(
            "Divides each value by a measure of how strong its neighbouring channels are at the same "
            "position."
        ),
    ),
    (
        "relu",
        Sentence(
            "Keeps what is positive and turns everything negative into 0. Without such a bend, layers in a "
            "row could do no more than one."
        ),
    ),
    (
        "threshold",
        Sentence("Keeps what is above a threshold and puts one fixed number in place of everything else."),
    ),
    (
        "relu6|hardtanh|clamp|clip",
        Sentence(
            "Cuts values off at a lower and an upper bound (ReLU6: 0 and 6) and hands on what lies between."
        ),
    ),
    (
        "leakyrelu|prelu|rrelu",
        Sentence(
            "Keeps what is positive and multiplies what is negative by a small number, so that it is not "
            "lost."
        ),
    ),
    (
        "elu|celu",
        Sentence("Keeps what is positive and bends what is negative smoothly towards a lower bound."),
    ),
    (
        "selu",
        Sentence(
            "Multiplies what is positive by about 1.05 and bends what is negative smoothly towards a lower "
            "bound."
        ),
    ),
    (
        "gelu|quickgelu|gelutanh",
        Sentence(
            "A smooth relative of ReLU: large positive values pass, large negative ones become almost 0, and "
            "small negative ones stay slightly below 0."
        ),
    ),
    (
        "silu|swish|mish|hardmish",
        Sentence(
            "A smooth relative of ReLU: x times a number between 0 and 1 that grows with x. Small negative "
            "values stay slightly below 0."
        ),
    ),
    ("hardswish", Sentence("A cheap stand-in for SiLU made of simple pieces: x · clamp(x + 3, 0, 6) / 6.")),
    (
        "sigmoid",
        Sentence(
            "Squeezes every value into the range from 0 to 1. Inside a network this is often a gate: how "
            "much of something else is let through."
        ),
    ),
    (
        "hardsigmoid",
        Sentence(
            "A cheap stand-in for the sigmoid made of straight lines, from 0 to 1: clamp(x + 3, 0, 6) / 6."
        ),
    ),
    ("tanh", Sentence("Squeezes every value into the range from −1 to 1 and keeps its sign.")),
    (
        "(log)?softmax",
        Sentence(
            "Turns scores into shares along one axis: none is negative and together they make 1 (LogSoftmax: "
            "their logarithms). The largest score gets the largest share."
        ),
    ),
    (
        "(fractional)?maxpool|lastlevelmaxpool",
        Sentence(
            "Keeps the largest value in each small window. With a stride above 1 the maps become smaller, "
            "and small shifts of the picture matter less."
        ),
    ),
    (
        "avgpool|blurpool",
        Sentence("Averages each small window. With a stride above 1 the maps become smaller."),
    ),
    (
        "adaptiveavgpool|selectadaptivepool|fastadaptiveavgpool|globalavgpool",
        Sentence(
            "Averages into an output of a fixed size, however large the input is. With size 1 one number per "
            "channel is left: its mean over the whole map."
        ),
    ),
    (
        "adaptivemaxpool",
        Sentence("Keeps the largest values in an output of a fixed size, however large the input is."),
    ),
    (
        "linear|nondynamicallyquantizablelinear|normlinear",
        Sentence(
            "Every output is a weighted sum of all input features, plus a bias where there is one. Tokens or "
            "positions, if there are any, each go through the same weights."
        ),
    ),
    (
        "bilinear",
        Sentence(
            "Every output is a weighted sum of all products of one value of the first input with one of the "
            "second."
        ),
    ),
    (
        "(alpha|feature|patch)?dropout",
        Sentence(
            "While training it sets random values to 0. In eval mode, as here, it hands on its input "
            "unchanged."
        ),
    ),
    (
        "stochasticdepth|droppath",
        Sentence(
            "While training it leaves out a whole branch at random. In eval mode, as here, it hands on its "
            "input unchanged."
        ),
    ),
    (
        "flatten|unflatten|reshape|view|unsqueeze|squeeze|expand",
        Sentence(
            "Computes nothing: the same numbers in another shape, for example all maps in one row for a "
            "Linear layer."
        ),
    ),
    (
        "permute|swapaxes|transpose|movedim|t|channelshuffle|roll|flip",
        Sentence("Computes nothing: the same numbers with their axes or places in another order."),
    ),
    (
        "identity|quantstub|dequantstub",
        Sentence(
            "Hands on its input unchanged; it keeps a place where other versions of the model have a layer."
        ),
    ),
    ("embedding", Sentence("Looks up one learned vector for each number that comes in.")),
    (
        "embeddingbag",
        Sentence(
            "Looks up a learned vector for each number that comes in, and makes one of each group of them: "
            "their mean, sum or largest values."
        ),
    ),
    (
        "positions|positionalencoding|positionembedding.*|posembed.*",
        Sentence(
            "Adds to each token a vector that belongs to its place: without it, attention could not tell "
            "where a token comes from."
        ),
    ),
    (
        "tokens",
        Sentence(
            "Turns maps into tokens, row by row, one for each position, and puts a learned class token "
            "before them."
        ),
    ),
    (
        "classtoken",
        Sentence(
            "Picks the class token out of all tokens; only what it has gathered goes on to the classes."
        ),
    ),
    (
        "patchembed|hybridembed|convstem|patchify",
        Sentence("Cuts the picture into patches and turns each into a vector, a token, by the same weights."),
    ),
    (
        "patchmerging(v2)?",
        Sentence(
            "Joins every 2 × 2 neighbouring tokens into one: their features side by side, then a "
            "linear layer. The grid halves on each side."
        ),
    ),
    (
        "shiftedwindowattention(3d|v2)?|windowattention",
        Sentence(
            "Attention within small windows of the picture. In every second block the windows are shifted by "
            "half their size, so that neighbours across a border meet."
        ),
    ),
    (
        "multiheadattention|attention|multiscaleattention|relativepositionalmultiheadattention|"
        "partitionattention|efficientattention|scaleddotproductattention|multiheadattentionforward",
        Sentence(
            "Each token compares its query with the keys of the tokens it may look at; the better the match, "
            "the more of that token's value it takes over. Several heads do this side by side."
        ),
    ),
    (
        "mlp|mlpblock|twomlphead|convmlp|feedforward|ffn",
        Sentence(
            "Linear layers with an activation between them; each token or position goes through them by "
            "itself."
        ),
    ),
    (
        "upsample|interpolate|upsamplingnearest|upsamplingbilinear",
        Sentence(
            "Makes the maps larger by repeating values or by values in between; nothing in it is learned."
        ),
    ),
    (
        "pixelshuffle|pixelunshuffle",
        Sentence(
            "Moves numbers between channels and positions: larger maps with fewer channels, or the other way "
            "round."
        ),
    ),
    (
        "(zero|reflection|replication|constant|circular)?pad",
        Sentence("Puts a border around the maps: zeros, copies of the edge, or the mirrored edge."),
    ),
    (
        "squeezeexcitation|squeezeexcite|semodule|selayer|quantizablesqueezeexcitation|effectivesemodule",
        Sentence(
            "Averages each channel, computes from these means a weight between 0 and 1 for every channel, "
            "and multiplies the channel by it."
        ),
    ),
    (
        "basicblock|bottleneck|resbottleneckblock|residual|residualblock|bottleneckblock|"
        "preactbottleneck|quantizablebasicblock|quantizablebottleneck",
        Sentence(
            "A residual block: its layers compute a change, which is added to the block's own input. The "
            "maps show what leaves the block."
        ),
    ),
    (
        "invertedresidual|quantizableinvertedresidual|mbconv",
        Sentence(
            "Widens to more channels (1 × 1), filters each channel by itself, narrows again (1 × 1). Where "
            "shapes allow, the block's input is added."
        ),
    ),
    (
        "depthwiseseparableconv",
        Sentence(
            "Filters each channel by itself, then mixes the channels of each position (1 × 1). Some versions "
            "add the block's input where shapes allow."
        ),
    ),
    (
        "fusedmbconv|edgeresidual",
        Sentence(
            "Widens to more channels with an ordinary convolution, then narrows again (1 × 1). Where shapes "
            "allow, the block's input is added."
        ),
    ),
    (
        "cnblock|convnextblock",
        Sentence(
            "Filters each channel by itself in a 7 × 7 window, then mixes the channels of each position with "
            "two linear layers; the result is added to the block's input."
        ),
    ),
    (
        "denselayer|denseblock",
        Sentence(
            "Each layer of a dense block is given the outputs of all layers before it, side by side, and "
            "adds a few channels of its own."
        ),
    ),
    (
        "(dense)?transition",
        Sentence(
            "Between two dense blocks: fewer channels by a 1 × 1 convolution, then half the size by "
            "averaging."
        ),
    ),
    (
        "(quantizable)?inception(a|b|c|d|e)?|sepinceptionblock",
        Sentence(
            "Several branches with windows of different sizes look at the same input; their channels are put "
            "one behind the other."
        ),
    ),
    (
        "fire",
        Sentence(
            "Squeezes to few channels (1 × 1), then expands with 1 × 1 and 3 × 3 filters side by side; their "
            "channels are put one behind the other."
        ),
    ),
    (
        "convnormactivation|basicconv|quantizablebasicconv|convbnrelu|convbnact|convnormact|convbnactivation",
        Sentence("A convolution, mostly with a normalisation and an activation behind it, as one layer."),
    ),
    (
        "encoderblock|transformerencoderlayer|swintransformerblock(v2)?|multiscaleblock|attentionblock",
        Sentence(
            "A transformer block: attention between tokens, then a small network on each token alone. What "
            "each computes is added to what came in."
        ),
    ),
    (
        "featurepyramidnetwork",
        Sentence(
            "Adds coarse, enlarged maps to finer ones, so that each size of map knows of the whole picture."
        ),
    ),
    (
        "sequential",
        Sentence(
            "Runs the layers inside it one after the other. The maps show what the last of them returned."
        ),
    ),
    (
        "modulelist|moduledict|parameterlist|parameterdict",
        Sentence("Only holds other layers or weights; the model takes them out one by one."),
    ),
    (
        "add|sub",
        Sentence(
            "Adds, or subtracts, two values place by place. In residual networks this is where a block's "
            "change meets its input."
        ),
    ),
    (
        "mul|truediv|div",
        Sentence(
            "Multiplies, or divides, two values place by place, for example by a weight for each channel."
        ),
    ),
    (
        "cat|concat|concatenate|stack|hstack|vstack",
        Sentence("Puts several values one behind the other, often their channels; no number changes."),
    ),
    (
        "chunk|split|getitem|narrow|select|indexselect",
        Sentence("Takes a part out of a value; no number changes."),
    ),
    (
        "matmul|bmm|mm|einsum|baddbmm",
        Sentence(
            "A product of matrices: every result is a sum of products of a row with a column. Attention "
            "compares tokens in this way."
        ),
    ),
    (
        "mean|sum|amax|max|amin|min",
        Sentence("Brings many numbers together into one: their mean, sum, or largest or smallest."),
    ),
    ("normalize", Sentence("Divides vectors by their length, so that only their direction counts.")),
    ("norm", Sentence("Measures the length of each vector, or of all numbers as one; nothing is divided.")),
)

TRANSFORMER_INSIDE = Sentence(
    "A transformer block: attention between tokens, then a small network on each token alone. What each "
    "computes is added to what came in."
)
COMPOSED = Sentence(
    "A part of this model with layers inside it. The maps show what it returned as a whole; unfold it in "
    "the tree to see its steps."
)
OWN_LAYER = Sentence("A layer that is this model's own. The maps show what its code returned.")
OWN_OPERATION = Sentence("A function that the model calls without a layer. The maps show what it returned.")
