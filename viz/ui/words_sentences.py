"""The Chinese of what the engine says in English (``viz.sentences``); the page looks sentences up by key."""

from viz.sentences import ENGLISH

CHINESE: dict[str, str] = {
    "convolution": "对 {channels} 个通道、{places} 个位置求和 Σ 输入 × 权重",
    "convolution_bias": "对 {channels} 个通道、{places} 个位置求和 Σ 输入 × 权重，再加偏置",
    "linear": "对 {count} 个输入求和 Σ 输入 × 权重",
    "linear_bias": "对 {count} 个输入求和 Σ 输入 × 权重，再加偏置",
    "lookup": "查表：表[行, 列]",
    "addition": "{count} 个输入之和",
    "pooling_maximum": "{count} 个值中的最大值",
    "pooling_mean": "{count} 个值之和 ÷ {divisor}",
    "normalisation": "(x − 均值) ÷ √(方差 + eps) × 权重 + 偏置",
    "normalisation_rms": "x ÷ √(均方 + eps) × 权重",
    "softmax": "exp(x − 最大值) ÷ Σ exp(x − 最大值)，对 {count} 个值求和",
    "softmax_log": "log(exp(x − 最大值) ÷ Σ exp(x − 最大值))，对 {count} 个值求和",
    "gate": "x × sigmoid(门控)",
    "moved": "与输入中的数完全相同",
    "padding": "填充的 0",
    "unexplained": "这里没有 {what} 的计算说明。",
    "unexplained_container": "{what} 由其他层组成，请逐层查看：{layers}。",
    "unexplained_input": "没有捕获到传给 {what} 的位置参数张量。",
    "unexplained_forward": "{what} 有自己的前向计算，这里没有它的计算说明。",
    "field_part": "图片的一部分：到此为止，还没有哪一步把所有位置合在一起。",
    "field_none": "它与图片无关。",
    "field_windows": "整张图片：到此为止，各层窗口已扩大到覆盖全图。",
    "field_pooling": "整张图片：此前的池化汇集了所有位置。",
    "field_attention": "整张图片：此前的注意力让每个位置都能看到其他所有位置。",
    "field_linear": "整张图片：此前的线性层读取了所有位置。",
    "field_normalisation": "整张图片：此前的归一化用到了所有位置的统计量。",
    "field_operation": "整张图片：运算 {operation} 可能把所有位置合在一起。",
    "cell_inputs": "只有层的输出可以拆解：请在“取值”中选择 output。",
    "cell_operation": "{layer} 是不属于任何层的运算，只有层的数可以拆解。",
    "cell_gradient": "梯度不能拆解：请切换到“单层”视图，查看数值的由来。",
    "cell_difference": "差异不能拆解：请选择编辑前或编辑后的图。",
    "cell_place": "没有位置 {place}：图的形状为 {shape}。",
    "filter_none": "{what} 没有滤波器：{layer} 的通道不由它自己的权重产生。",
    "code_operation": "{layer} 是不属于任何层的运算，hook 无法捕获。",
    "code_edits": "脚本只能重现未经编辑的视图：请撤销编辑，或显示编辑前的图。",
    "code_gradient": "脚本只能重现数值的视图：请切换到“单层”视图。",
    "code_weights": "脚本只能加载已训练或未训练的权重，无法加载访问者自备的权重。",
    "safetensors_type": "safetensors 文件不支持 {kinds} 类型的数：请下载 NPZ。",
}


def sentence_words(language: str) -> dict[str, str]:
    """Every sentence of the engine in a language, its braces not filled in."""
    return CHINESE if language == "zh" else ENGLISH
