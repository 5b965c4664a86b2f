"""What the page says when it compares two sides, in English and Chinese."""

COMPARE_WORDS: dict[str, tuple[str, str]] = {
    "view_compare": ("Compare", "比较"),
    "other_sample": ("B: picture", "B：图片"),
    "other_upload": ("B: upload a picture", "B：上传图片"),
    "with_model": ("B: model", "B：模型"),
    "with_weights": ("B: weights", "B：权重"),
    "with_layer": ("B: layer", "B：层"),
    "same_sample": ("same picture", "相同图片"),
    "same_model": ("same model", "相同模型"),
    "same_weights": ("same weights", "相同权重"),
    "same_layer": ("same layer", "相同的层"),
    "with_edits": ("B: edits", "B：编辑"),
    "same_edits": ("same edits", "相同编辑"),
    "without_edits": ("without edits", "无编辑"),
    "with_the_edits": ("with edits", "有编辑"),
    "with_call": ("B: call", "B：调用"),
    "call_number": ("call {call}", "第 {call} 次调用"),
    "against": ("B, compared with A:", "与 A 比较的 B："),
    "own_picture": ("own picture", "自己的图片"),
    "with_order": ("Order", "排序"),
    "order_difference": ("most different first", "差异最大者在前"),
    "scale_both": ("one for both", "两侧统一"),
    "guess": ("{label} {share} %", "{label} {share} %"),
}

COMPARE_BROWSER_WORDS: dict[str, tuple[str, str]] = {
    "pair_alt": (
        "Feature maps of {layer}, side {side}: {label}, {shape}, minimum {min}, maximum {max}, mean {mean}",
        "Feature maps of {layer}，{side} 侧：{label}，{shape}，最小 {min}，最大 {max}，平均 {mean}",
    ),
    "pair_difference": ("A − B", "A − B"),
    "pair_difference_alt": (
        "Difference A − B of {layer}, {shape}, minimum {min}, maximum {max}, mean {mean}",
        "{layer} 的差异 A − B，{shape}，最小 {min}，最大 {max}，平均 {mean}",
    ),
    "pair_identical": ("no cell differs", "没有任何单元不同"),
    "pair_range": ("{min} to {max}", "{min} 至 {max}"),
    "pair_shapes": (
        "A has {left}, B has {right}: their cells do not belong together, so there is no difference to show.",
        "A 为 {left}，B 为 {right}：单元无法一一对应，因此没有差异图。",
    ),
    "pair_maps": ("{channels} maps of {height} × {width}", "{channels} 幅 {height} × {width} 的图"),
    "pair_scale": (
        "A and B on one scale, {low} to {high}; A − B around zero",
        "A 与 B 使用同一刻度：{low} 至 {high}；A − B 以零为中心",
    ),
    "pair_scale_clipped": (
        "A and B on one scale, from the 1st to the 99th percentile of both: {low} to {high}",
        "A 与 B 使用同一刻度，取两侧合计的第 1 至 99 百分位：{low} 至 {high}",
    ),
    "pair_scale_model": (
        "A and B on one scale for all their layers, {low} to {high}; A − B around zero",
        "A 与 B 的所有层使用同一刻度：{low} 至 {high}；A − B 以零为中心",
    ),
    "pair_meaning": (
        "Two trainings: channel numbers of A and B need not mean the same.",
        "两次不同的训练：A 与 B 的同号通道含义未必相同。",
    ),
    "pair_cells": (
        "Arrow keys move from cell to cell and tell the values of both sides; Escape leaves the map.",
        "方向键逐格移动，并显示两侧的数值；Esc 离开此图。",
    ),
    "pair_choose": ("Click a map to see that channel large.", "点击任意一幅图以放大该通道。"),
    "pair_channel": (
        "channel {channel} · mean A {left}, B {right} · mean of |A − B| {distance}",
        "通道 {channel} · 平均 A {left}，B {right} · |A − B| 平均 {distance}",
    ),
    "pair_channel_apart": (
        "channel {channel} · mean {mean} · {min} to {max}",
        "通道 {channel} · 平均 {mean} · {min} 至 {max}",
    ),
    "pair_cell": (
        "[{channel}, {y}, {x}]   A = {left}   B = {right}   A − B = {difference}",
        "[{channel}, {y}, {x}]   A = {left}   B = {right}   A − B = {difference}",
    ),
}
