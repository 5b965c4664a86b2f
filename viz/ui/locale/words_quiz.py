"""What the quiz says around its questions, in English and Chinese."""

QUIZ_WORDS: dict[str, tuple[str, str]] = {
    "view_quiz": ("Quiz", "测验"),
    "quiz_progress": (
        "Question {number} of {count} · {right} right so far",
        "第 {number} 题，共 {count} 题 · 已答对 {right} 题",
    ),
    "quiz_share": (
        "Quiz number {seed}. The address of this page gives everybody the same questions.",
        "测验编号 {seed}。打开本页地址的每个人都会得到同样的题目。",
    ),
    "address_seed": (
        "The address says seed={value}; quizzes have numbers from 0 to {most}. Showing quiz {instead}.",
        "地址中的 seed={value} 不是测验编号：编号从 0 到 {most}。现显示测验 {instead}。",
    ),
    "quiz_new": ("Another quiz", "换一套题"),
    "quiz_again": ("The same quiz again", "重做这套题"),
    "quiz_next": ("Next question", "下一题"),
    "quiz_result": ("See the result", "查看成绩"),
    "quiz_done": ("{right} of {count} right.", "共 {count} 题，答对 {right} 题。"),
    "quiz_right": ("Right.", "答对了。"),
    "quiz_wrong": ("Not quite: you chose {chosen}.", "不对：您选的是 {chosen}。"),
    "quiz_mark_none": ("{choice}", "{choice}"),
    "quiz_mark_right": ("✓ {choice}", "✓ {choice}"),
    "quiz_mark_wrong": ("✗ {choice}", "✗ {choice}"),
    "quiz_hook_of": ("{hook} of {layer}", "{layer} 的{hook}"),
    "quiz_hook_pre_hook": ("pre-hook", "前置钩子"),
    "quiz_hook_forward_hook": ("forward hook", "前向钩子"),
    "quiz_hook_full_backward_pre_hook": ("full backward pre-hook", "反向前置钩子"),
    "quiz_hook_full_backward_hook": ("full backward hook", "反向钩子"),
    "quiz_alt_maps": ("{shown} maps of {sides} values", "{shown} 幅特征图，每幅 {sides}"),
    "quiz_alt_signals": ("{sides} values in one picture", "一幅图，{sides} 个值"),
    "quiz_alt_attention": ("{shown} heads of {sides} values", "{shown} 个头，每个 {sides}"),
    "quiz_alt_before": (
        "without the edit: {shown} maps of {sides} values, from {minimum} to {maximum}, {zeros} of them zero",
        "编辑前：{shown} 幅特征图，每幅 {sides}，取值从 {minimum} 到 {maximum}，其中 {zeros} 为零",
    ),
    "quiz_alt_after": (
        "with the edit: {shown} maps of {sides} values, from {minimum} to {maximum}, {zeros} of them zero",
        "编辑后：{shown} 幅特征图，每幅 {sides}，取值从 {minimum} 到 {maximum}，其中 {zeros} 为零",
    ),
    "quiz_alt_lost": (
        "the difference: {shown} maps of {sides} values, {zeros} of them zero",
        "变化：{shown} 幅图，每幅 {sides}，其中 {zeros} 为零",
    ),
    "quiz_alt_candidate": (
        "channel {channel}: {sides} values up to {maximum}, {zeros} of them zero",
        "通道 {channel}：{sides} 个值，最大 {maximum}，其中 {zeros} 为零",
    ),
    "quiz_alt_through": (
        "behind the ReLU: {sides} values up to {maximum}, {zeros} of them zero",
        "ReLU 之后：{sides} 个值，最大 {maximum}，其中 {zeros} 为零",
    ),
    "quiz_alt_gradient": (
        "{letter}: the signs of {sides} values, {zeros} of them zero",
        "{letter}：{sides} 个值的正负，其中 {zeros} 为零",
    ),
    "quiz_title_before": ("without the edit", "编辑前"),
    "quiz_title_after": ("with the edit", "编辑后"),
    "quiz_title_lost": ("difference at {after}", "{after} 的变化"),
    "quiz_title_candidate": ("channel {channel}", "通道 {channel}"),
    "quiz_title_through": ("let through by {relu}", "{relu} 放过的值"),
    "quiz_title_gradient": ("{letter}", "{letter}"),
}
