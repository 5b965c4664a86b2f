"""The layouts that a visitor chooses from, in English and Chinese."""

LAYOUT_BROWSER_WORDS: dict[str, tuple[str, str]] = {
    "as_usual": ("The layer is shown as usual: {reason}", "该层按通常方式显示：{reason}"),
    "layout_maps": ("maps", "特征图"),
    "layout_channels_last": ("maps, channels last", "特征图（通道在后）"),
    "layout_attention": ("attention", "注意力"),
    "layout_attention_query": ("attention of one token", "单个词元的注意力"),
    "layout_tokens": ("tokens on a grid", "词元排成网格"),
    "layout_table": ("table", "表格"),
    "layout_sequence_first": ("table, sequence first", "表格（序列在前）"),
    "layout_signals": ("signals", "信号"),
    "layout_vector": ("a square each", "每个数一格"),
    "layout_bar": ("bar", "条带"),
    "layout_scalar": ("one number", "单个数"),
    "layout_volume": ("slices", "切片"),
    "layout_phase": ("phase", "相位"),
}
