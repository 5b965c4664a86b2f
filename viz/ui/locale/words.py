"""Every sentence of the page, in English and Chinese; what a visitor reads is written nowhere else."""

from .words_attention import ATTENTION_BROWSER_WORDS
from .words_compare import COMPARE_BROWSER_WORDS, COMPARE_WORDS
from .words_course import COURSE_WORDS
from .words_edits import EDIT_BROWSER_WORDS, EDIT_WORDS
from .words_guide import GUIDE_BROWSER_WORDS
from .words_home import HOME_BROWSER_WORDS
from .words_hooks import HOOK_BROWSER_WORDS, HOOK_WORDS
from .words_layouts import LAYOUT_BROWSER_WORDS
from .words_lessons import LESSON_WORDS
from .words_lessons_later import LATER_LESSON_WORDS
from .words_live import LIVE_BROWSER_WORDS, LIVE_WORDS
from .words_model import MODEL_WORDS
from .words_number import NUMBER_BROWSER_WORDS
from .words_questions import QUESTION_WORDS
from .words_questions_hooks import HOOK_QUESTION_WORDS
from .words_quiz import QUIZ_WORDS

LANGUAGES = {"en": "EN", "zh": "中文"}

# key: (English, Chinese); {braces} are filled in by the caller.
WORDS: dict[str, tuple[str, str]] = {
    "language": ("Language", "语言"),
    "upload": ("Upload a picture", "上传图片"),
    "upload_button": ("Upload", "上传"),
    "upload_help": (
        "PNG, JPEG, WebP, BMP or GIF, at most {megabytes} MB. It stays in this visit and is never stored.",
        "支持 PNG、JPEG、WebP、BMP、GIF，最大 {megabytes} MB。图片只在本次访问中使用，不会被保存。",
    ),
    "camera": ("Camera", "摄像头"),
    "camera_take": ("Take a picture", "拍照"),
    "sample": ("Sample picture", "示例图片"),
    "model": ("Model", "模型"),
    "weights": ("Weights", "权重"),
    "about": ("About", "说明"),
    "about_source": ("Architecture", "结构"),
    "about_parameters": ("Parameters", "参数量"),
    "about_weights": ("Weights", "权重来源"),
    "about_licence": ("Licence of the weights", "权重许可"),
    "about_accuracy": ("Accuracy", "准确率"),
    "about_preparation": ("A picture is", "图片处理"),
    "about_notes": ("Notes", "备注"),
    "trained": ("trained", "已训练"),
    "untrained": ("untrained", "未训练"),
    "use_untrained": ("Use untrained weights", "使用未训练的权重"),
    "layer": ("Layer", "层"),
    "tree": ("Module tree", "模块树"),
    "call": ("Call", "调用"),
    "operations": ("with operations ({count})", "显示运算 ({count})"),
    "operations_help": (
        "Functions that the model calls without a layer, such as relu, add, cat or flatten, as they run.",
        "模型直接调用、不属于任何层的函数：relu、add、cat、flatten 等，按执行顺序排列。",
    ),
    "view": ("View", "视图"),
    "view_layer": ("One layer", "单层"),
    "view_layers": ("All layers", "所有层"),
    "view_gradients": ("Gradients", "梯度"),
    "target": ("Class", "类别"),
    "target_top": ("top prediction: {label}", "最可能的类别：{label}"),
    "no_target": (
        "This model does not name classes: choose a classification model to see the gradient of a class.",
        "该模型不输出类别，没有可求梯度的类别得分。请选择一个分类模型。",
    ),
    "colormap": ("Colours", "配色"),
    "colormap_auto": ("automatic", "自动"),
    "scale": ("Scale", "刻度"),
    "scale_layer": ("one for the layer", "整层统一"),
    "scale_channel": ("one per channel", "逐通道"),
    "scale_clipped": ("1st to 99th percentile", "第 1 至 99 百分位"),
    "scale_model": ("one for the whole model", "整个模型统一"),
    "order": ("Order", "排序"),
    "order_index": ("by channel number", "按通道编号"),
    "order_mean": ("by mean", "按平均值"),
    "order_maximum": ("by maximum", "按最大值"),
    "order_variance": ("by variance", "按方差"),
    "order_zeros": ("by share of zeros", "按零值比例"),
    "scale_help": (
        """One scale for the layer lets you compare brightness between maps; one per channel shows faint maps.
One for the whole model lets you compare layers; it takes one more pass (about {cost} MB of memory).""",
        """整层统一的刻度便于比较各图的亮度；逐通道的刻度能看清较弱的图。
整个模型统一的刻度便于比较不同的层，但需再运行一次（约 {cost} MB 内存）。""",
    ),
    "loading_model": ("Loading {model} …", "正在加载 {model} …"),
    "downloading": (
        "Downloading the weights of {model}: {done} of {total} MB",
        "正在下载 {model} 的权重：{done} / {total} MB",
    ),
    "what_it_saw": ("What the model saw", "模型看到的图"),
    "prediction": ("Prediction", "预测"),
    "prediction_untrained": (
        "Untrained: these guesses mean nothing.",
        "权重未经训练：这些预测没有意义。",
    ),
    "no_prediction": ("This model does not name classes.", "该模型不输出类别。"),
    "bug": (
        "Something went wrong that should not have (report {error_id}). The page goes on; try another layer.",
        "出现了意外错误（编号 {error_id}）。页面仍可继续使用，请换一层试试。",
    ),
    "address_model": (
        "The address asks for the model “{value}”, which does not exist{hint}. Showing {instead}.",
        "地址中的模型“{value}”不存在{hint}。现显示 {instead}。",
    ),
    "address_layer": (
        "The address asks for the layer “{value}”, which {model} does not have{hint}. Showing {instead}.",
        "地址中的层“{value}”在 {model} 中不存在{hint}。现显示 {instead}。",
    ),
    "address_other": (
        "The address says {name}={value}, which does not exist{hint}. Showing {instead}.",
        "地址中的 {name}={value} 不存在{hint}。现显示 {instead}。",
    ),
    "did_you_mean": (" (did you mean {names}?)", "（您是否想要 {names}？）"),
    "lost_upload": (
        "Your picture is no longer on this server, which was restarted or ended your visit: upload it again.",
        "服务器已重启或结束了您的访问，您的图片已不在服务器上：请重新上传。",
    ),
    "lost_other_upload": (
        "Picture B is no longer on this server, which was restarted or ended your visit: upload it again.",
        "服务器已重启或结束了您的访问，图片 B 已不在服务器上：请重新上传。",
    ),
    "lost_camera_picture": (
        "Your photo is no longer on this server, which was restarted or ended your visit: take it again.",
        "服务器已重启或结束了您的访问，您拍的照片已不在服务器上：请重新拍摄。",
    ),
    "lost_own_weights": (
        "Your weights are no longer on this server, which was restarted or ended your visit: upload the file "
        "again.",
        "服务器已重启或结束了您的访问，您的权重已不在服务器上：请重新上传。",
    ),
    "picture_kept": ("{error}. The picture on screen stays.", "{error}。当前图片保持不变。"),
}

# What the viewer and the tree say; sent to the browser as they are, filled in there.
BROWSER_WORDS: dict[str, tuple[str, str]] = {
    "in_vain": WORDS["address_other"],
    "alt": (
        "Feature maps of {layer}, {shape}, minimum {min}, maximum {max}, mean {mean}, zeros {zeros}",
        "Feature maps of {layer}，{shape}，最小 {min}，最大 {max}，平均 {mean}，零值 {zeros}",
    ),
    "alt_gradient": (
        "Gradient maps of {layer}, {shape}, minimum {min}, maximum {max}, mean {mean}, zeros {zeros}",
        "Gradient maps of {layer}，{shape}，最小 {min}，最大 {max}，平均 {mean}，零值 {zeros}",
    ),
    "language_code": ("en", "zh"),
    "scale_clipped_note": (
        "colours from the 1st to the 99th percentile, {low} to {high}; {share} of the values lie beyond",
        "颜色取第 1 至 99 百分位：{low} 至 {high}；{share} 的值超出此范围",
    ),
    "scale_model_note": (
        "one scale for the whole model, {low} to {high}",
        "整个模型统一刻度：{low} 至 {high}",
    ),
    "scale_overview_note": (
        "means over channels, all on one scale: {low} to {high}",
        "各图为通道平均，统一刻度：{low} 至 {high}",
    ),
    "means_note": (
        "each pixel is the mean of about {down} × {across} values",
        "每个像素约为 {down} × {across} 个值的平均",
    ),
    "scale_channel_note": (
        "each map on its own scale: colours cannot be compared between maps",
        "各图刻度不同：颜色不能跨图比较",
    ),
    "previous": ("previous layer", "上一层"),
    "next": ("next layer", "下一层"),
    "call": ("call {call} of {calls}", "第 {call} 次调用，共 {calls} 次"),
    "eval": ("eval mode", "推理模式"),
    "minimum": ("min", "最小"),
    "maximum": ("max", "最大"),
    "mean": ("mean", "平均"),
    "zeros": ("zeros", "零值"),
    "nan": ("NaN", "NaN"),
    "inf": ("Inf", "Inf"),
    "constant": ("constant", "常数"),
    "channel": ("channel {channel}", "通道 {channel}"),
    "choose_channel": ("Click a map to see it large.", "点击任意一幅图以放大。"),
    "over_photo": ("over the picture", "叠加在图片上"),
    "download": ("Download", "下载"),
    "download_png": ("maps, one pixel per value (PNG)", "特征图，一值一像素 (PNG)"),
    "download_figure": ("figure (PNG)", "图表 (PNG)"),
    "download_svg": ("figure (SVG)", "图表 (SVG)"),
    "download_pdf": ("figure (PDF)", "图表 (PDF)"),
    "download_npz": ("numbers (NPZ)", "数值 (NPZ)"),
    "download_safetensors": ("numbers (safetensors)", "数值 (safetensors)"),
    "download_code": ("this view as a script (Python)", "此视图的脚本 (Python)"),
    "download_picture": ("picture.png, which the script reads", "脚本读取的 picture.png"),
    "maps_coming": (
        "The maps of {layer} are on their way; until they are here, no channel can be chosen or changed.",
        "{layer} 的特征图正在加载，加载完成后才能选择或更改通道。",
    ),
    "lost": (
        "The server did not answer; this page tries again by itself.",
        "服务器没有响应，页面会自动重试。",
    ),
    "grad_cam": ("Grad-CAM: {layer}", "Grad-CAM 热力图：{layer}"),
    "grad_cam_empty": ("Nothing in this layer speaks for this class.", "该层没有支持此类别的区域。"),
    "saliency": ("Saliency: gradient × input", "显著性：梯度 × 输入"),
    "strength": ("strength", "叠加强度"),
    "overview_loading": ("Computing every layer …", "正在计算所有层 …"),
    "histogram": (
        "How often values occur, on a logarithmic scale: grey bars the layer, the line this channel",
        "数值出现的频率（对数刻度）：灰色为整层，线条为该通道",
    ),
    "call_label": ("call", "调用"),
    "value_label": ("value", "取值"),
    "kind_label": ("layout", "布局"),
    "slice_label": ("slice", "切片"),
    "row_label": ("row of the batch", "批次中的行"),
    "row_of": ("row {row} of {rows}", "第 {row} 行，共 {rows} 行"),
    "no_run": ("did not run", "未运行"),
    "tree_label": ("Layers of the model", "模型的各层"),
}

WORDS |= MODEL_WORDS | EDIT_WORDS | HOOK_WORDS | COMPARE_WORDS
WORDS |= COURSE_WORDS | LESSON_WORDS | LATER_LESSON_WORDS | QUIZ_WORDS | QUESTION_WORDS
WORDS |= HOOK_QUESTION_WORDS
BROWSER_WORDS |= EDIT_BROWSER_WORDS | NUMBER_BROWSER_WORDS | HOOK_BROWSER_WORDS | COMPARE_BROWSER_WORDS
WORDS |= LIVE_WORDS
BROWSER_WORDS |= (
    ATTENTION_BROWSER_WORDS
    | LAYOUT_BROWSER_WORDS
    | GUIDE_BROWSER_WORDS
    | LIVE_BROWSER_WORDS
    | HOME_BROWSER_WORDS
)


def say(language: str, key: str, **values: object) -> str:
    """The sentence with this key in a language, with its braces filled in."""
    return in_language(language, WORDS[key]).format(**values)


def browser_words(language: str) -> dict[str, str]:
    """What the browser's own parts say, in a language."""
    return {key: in_language(language, pair) for key, pair in BROWSER_WORDS.items()}


def in_language(language: str, pair: tuple[str, str]) -> str:
    """The text of a pair in a language of the page."""
    return pair[list(LANGUAGES).index(language)]
