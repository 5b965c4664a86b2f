"""Lines of Python that capture the gradient of a class score at a layer's output, with plain hooks."""

from viz.inspection import LayerView


def gradient_lines(view: LayerView, target: int) -> list[str]:
    """Return the lines that run ``model`` on ``arguments`` and back, and leave the gradients in ``calls``.

    The layer's output must be one tensor; ``target`` is the class, counted from 0.
    """
    return [
        "calls = []",
        "",
        "",
        "def keep(layer, args, kwargs, output):",
        '    """Let a copy flow on, and see what flows back through it; the graph may begin here."""',
        "    place, known = len(calls), output.requires_grad",
        "    flows = (output if known else output.detach().requires_grad_()).clone()",
        "    calls.append(None)",
        "    flows.register_hook(lambda gradient: calls.__setitem__(place, gradient.detach().clone()))",
        "    return flows",
        "",
        "",
        "model.requires_grad_(False)",
        f"layer = model.get_submodule({view.layer!r})",
        "handle = layer.register_forward_hook(keep, with_kwargs=True)",
        "torch.backends.mha.set_fastpath_enabled(False)  # the fused path of attention passes by its layers",
        f"score = model(*arguments)[0, {target}]  # of class {target}, counted from 0",
        "handle.remove()",
        "score.backward()",
    ]
