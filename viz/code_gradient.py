"""Lines of Python that capture the gradient of a class score at a layer's output, with plain hooks."""


def gradient_keep() -> list[str]:
    """Return the lines that define ``keep``, a forward hook of a layer whose output is one tensor."""
    return [
        "def keep(layer, args, kwargs, output):",
        '    """Let a copy flow on, and see what flows back through it; the graph may begin here."""',
        "    place, known = len(calls), output.requires_grad",
        "    flows = (output if known else output.detach().requires_grad_()).clone()",
        "    calls.append(None)",
        "    flows.register_hook(lambda gradient: calls.__setitem__(place, gradient.detach().clone()))",
        "    return flows",
    ]


def gradient_run(target: int) -> list[str]:
    """Return the lines that run ``model`` on ``arguments`` and back from the score of a class."""
    return [
        f"score = model(*arguments)[0, {target}]  # of class {target}, counted from 0",
        "score.backward()",
    ]
