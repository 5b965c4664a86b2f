"""What help, the first steps and presentation mode say, in English and Chinese."""

GUIDE_BROWSER_WORDS: dict[str, tuple[str, str]] = {
    "kind_ask": ("what is this?", "这是什么？"),
    "kind_ask_title": ("Explain this kind of layer (key i)", "解释这种层（按键 i）"),
    "present": ("Present", "演示"),
    "present_title": (
        "Presentation: the maps as large as the screen allows (key p)",
        "演示模式：让特征图占满屏幕（按键 p）",
    ),
    "present_end": ("Leave presentation", "退出演示"),
    "help": ("Keys and help", "按键与帮助"),
    "help_title": ("Keys", "按键"),
    "help_layers": ("previous and next layer, call by call", "上一层与下一层，逐次调用"),
    "help_channels": ("previous and next channel", "上一个与下一个通道"),
    "help_ends": ("first and last layer", "首层与末层"),
    "help_search": ("search for a layer by its name", "按名称搜索层"),
    "help_remove": ("remove this channel while the model runs, or put it back", "运行时移除此通道，或恢复"),
    "help_undo": ("take back the last change of the edits", "撤销对编辑的上一次改动"),
    "help_kind": ("explain the kind of layer on screen", "解释屏幕上这种层"),
    "help_present": ("presentation for projectors; Esc leaves it", "投影演示模式；按 Esc 退出"),
    "help_help": ("this help", "本帮助"),
    "help_tree": (
        "in the module tree: walk, unfold and fold; Enter shows a layer",
        "在模块树中：移动、展开与折叠；Enter 显示该层",
    ),
    "help_cells": (
        "in the large map: from cell to cell; Enter takes a number apart",
        "在放大的图中：逐格移动；Enter 解析该数值",
    ),
    "help_tab": ("from one control to the next", "在各控件之间移动"),
    "help_note": (
        "The keys work wherever you are not typing or choosing in a list.",
        "只要不在输入文字或选择列表项，这些按键随处可用。",
    ),
    "help_signs": ("Keys with letters and signs (x, i, p, /, ?) work", "启用字母和符号按键（x、i、p、/、?）"),
    "guide_again": ("Show the first steps again", "再次显示入门步骤"),
    "guide_label": ("First steps", "入门步骤"),
    "guide_of": ("Step {step} of 3:", "第 {step} 步，共 3 步："),
    "guide_picture": (
        "choose a picture at the side: your own or a sample.",
        "在侧栏选择图片：上传自己的，或选用示例。",
    ),
    "guide_layer": (
        "pick a layer at the side, or flip with ← and →.",
        "在侧栏选择一层，或用 ← → 翻看。",
    ),
    "guide_closer": (
        "click a map to see its channel large, or use ↑ and ↓.",
        "点击一幅图放大该通道，或用 ↑ ↓ 查看。",
    ),
    "guide_next": ("Next", "下一步"),
    "guide_done": ("Done", "完成"),
    "guide_dismiss": ("Close the first steps", "关闭入门步骤"),
}
