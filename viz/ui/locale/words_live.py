"""What the live camera says, in English and Chinese."""

LIVE_WORDS: dict[str, tuple[str, str]] = {
    "live": ("Live: the maps follow the camera", "实时：特征图跟随摄像头"),
}

LIVE_BROWSER_WORDS: dict[str, tuple[str, str]] = {
    "live_freeze": ("Freeze this picture", "定格这张图片"),
    "live_video": ("What the camera sees", "摄像头画面"),
    "live_starting": ("Starting the camera …", "正在启动摄像头 …"),
    "live_rate": ("{rate} pictures per second", "每秒 {rate} 张"),
    "live_refused": (
        "The camera cannot be used: allow it in the browser, or close what else uses it.",
        "无法使用摄像头：请在浏览器中允许使用，或关闭正在使用它的其他程序。",
    ),
    "live_insecure": (
        "Browsers hand out the camera only on https:// or localhost addresses.",
        "浏览器只在 https:// 或 localhost 地址下开放摄像头。",
    ),
    "live_elsewhere": (
        "The camera's maps are shown in the views of one layer and of all layers.",
        "实时特征图仅在“单层”和“所有层”视图中显示。",
    ),
    "is_live": ("live", "实时"),
    "scale_model_live_note": (
        "one scale for the whole model, {low} to {high}, as for the picture before the camera; "
        "{share} of the values lie beyond",
        "整个模型统一刻度：{low} 至 {high}（取自实时之前的图片），{share}的值超出该范围",
    ),
}
