"""What is said about files to take home, on the page and in the file itself, in English and Chinese."""

HOME_BROWSER_WORDS: dict[str, tuple[str, str]] = {
    "home_label": ("To take with you", "带走"),
    "home_all": ("all layers", "所有层"),
    "home_html": ("page for offline use (HTML)", "离线网页 (HTML)"),
    "home_gif": ("animation (GIF)", "动画 (GIF)"),
    "home_layer_html": ("this layer as an offline page (HTML)", "当前层的离线网页 (HTML)"),
    "home_all_html": ("all layers as an offline page (HTML)", "所有层的离线网页 (HTML)"),
    "home_all_gif": ("animation through all layers (GIF)", "遍历所有层的动画 (GIF)"),
    "home_note": (
        "Large models: the largest layers show their first maps only, as many as fit into about 25 MB.",
        "对于大型模型，最大的层只包含前若干幅图，文件总大小约 25 MB 以内。",
    ),
}

# By the keys that ``viz/take_home/standalone.js`` uses.
FILE_WORDS: dict[str, tuple[str, str]] = {
    "seen": ("What the model saw", "模型看到的图"),
    "layer": ("Layer", "层"),
    "previous": ("previous layer", "上一层"),
    "next": ("next layer", "下一层"),
    "minimum": ("min", "最小"),
    "maximum": ("max", "最大"),
    "mean": ("mean", "平均"),
    "zeros": ("zeros", "零值"),
    "maps": ("Feature maps of {layer}", "{layer} 的特征图"),
    "channel": ("channel {channel}", "通道 {channel}"),
    "colours": ("colours from {low} to {high}", "颜色取值：{low} 至 {high}"),
    "choose": ("Click a map to see it large.", "点击任意一幅图以放大。"),
    "cut": (
        "{shown} of {channels} maps: the file holds no more of this layer.",
        "共 {channels} 幅图，文件中只有 {shown} 幅。",
    ),
    "keys": (
        "← → layers · ↑ ↓ channels · Home End first and last layer. Needs no network. Made by Layerglass.",
        "← → 切换层 · ↑ ↓ 切换通道 · Home End 首层与末层。无需网络。由 Layerglass 制作。",
    ),
}
