"""The page's sentences about weights and costs, in English and Chinese; ``words`` takes them in."""

MODEL_WORDS: dict[str, tuple[str, str]] = {
    "own": ("own", "自备"),
    "own_place": ("Yours", "自备"),
    "own_weights": ("own weights", "自备权重"),
    "own_part": ("own weights, {fit} of {wanted}", "自备权重，{wanted} 项中的 {fit} 项"),
    "own_upload": ("Your own weights for {model}", "为 {model} 上传您的权重"),
    "own_help": (
        "A .safetensors file or a state dict (.pt, .pth), at most {megabytes} MB; no code in it is ever run.",
        ".safetensors 文件或状态字典（.pt、.pth），最大 {megabytes} MB；绝不运行其中的代码。",
    ),
    "own_private": (
        "They are yours alone and end with this visit; a link restores everything but them.",
        "仅您可见，随本次访问结束；链接可还原除此之外的一切。",
    ),
    "own_reading": ("Reading the weights …", "正在读取权重 …"),
    "own_kept": ("{error} What is on screen stays.", "{error} 当前画面保持不变。"),
    "own_fit": ("All {count} weights fit {model}.", "全部 {count} 项权重都适用于 {model}。"),
    "own_misfit": (
        "Your weights do not fit {model}: {counts}. Showing {instead} weights; see “{place}”.",
        "您的权重不适用于 {model}：{counts}。现显示{instead}的权重，详见“{place}”。",
    ),
    "own_each": (
        "{missing} missing, {unexpected} unexpected, {misshapen} of another shape, {fitting} fit",
        "缺少 {missing} 项，多余 {unexpected} 项，形状不符 {misshapen} 项，适用 {fitting} 项",
    ),
    "own_counts": (
        "{fitting} of {wanted} weights fit {model}.",
        "{model} 的 {wanted} 项权重中有 {fitting} 项适用。",
    ),
    "own_missing": ("{count} missing: {names}", "缺少 {count} 项：{names}"),
    "own_unexpected": ("{count} unexpected: {names}", "多余 {count} 项：{names}"),
    "own_misshapen": ("{count} of another shape: {names}", "形状不符 {count} 项：{names}"),
    "own_instead_of": ("{found} instead of {wanted}", "{found}，应为 {wanted}"),
    "own_go_on": ("Go on with the {fitting} that fit", "使用适用的 {fitting} 项"),
    "own_rest": ("The rest stays untrained.", "其余权重保持未训练状态。"),
    "cost_load": (
        "{model} takes about {cost} MB of memory to load; {free} MB are free on this server.",
        "加载 {model} 约需 {cost} MB 内存；服务器现有 {free} MB 可用。",
    ),
    "cost_layer": (
        "{layer} takes about {cost} MB of memory to show; {free} MB are free on this server.",
        "显示 {layer} 约需 {cost} MB 内存；服务器现有 {free} MB 可用。",
    ),
    "cost_layers": (
        "All layers of {model} take about {cost} MB of memory; {free} MB are free on this server.",
        "显示 {model} 的所有层约需 {cost} MB 内存；服务器现有 {free} MB 可用。",
    ),
    "cost_gradients": (
        "Gradients of {model} take about {cost} MB of memory; {free} MB are free on this server.",
        "计算 {model} 的梯度约需 {cost} MB 内存；服务器现有 {free} MB 可用。",
    ),
    "cost_scale": (
        "One scale for all of {model} takes about {cost} MB of memory; {free} MB are free on this server.",
        "为 {model} 的所有层求统一刻度约需 {cost} MB 内存；服务器现有 {free} MB 可用。",
    ),
    "cost_layer_scale": ("Use one scale for the layer", "改用整层统一的刻度"),
    "cost_too_large": (
        "{sentence} One request may take {most} MB here.",
        "{sentence} 单次请求最多可用 {most} MB。",
    ),
    "cost_go_on": ("Go on", "继续"),
    "cost_instead": ("Show {name} instead, about {cost} MB", "改为显示 {name}，约 {cost} MB"),
    "cost_alone": ("Show {name} alone", "只显示 {name}"),
    "cost_waiting": ("Not shown yet: it takes about {cost} MB of memory.", "尚未显示：约需 {cost} MB 内存。"),
}
