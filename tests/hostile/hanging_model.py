"""An operator's own models that hang or crash on every picture but plain grey, the survey's."""

import textwrap
from pathlib import Path

SOURCE = """
    import ctypes
    import time
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 4, 3)

        def forward(self, images):
            if images.std((2, 3)).max() > 0.01:
                {hazard}
            return self.conv(images).mean((2, 3))

    def hazardous():
        return Net()
"""
HAZARDS = {
    "loops": "while True: pass",
    "hangs": "ctypes.PyDLL(None).sleep(600)  # in C, holding the interpreter",
    "crashes": "ctypes.string_at(0)  # a real segmentation fault",
}


def hanging_model(folder: Path, hazard: str) -> str:
    """Write the model to a module in a folder; what ``LAYERGLASS_MODEL`` has to say to serve it."""
    source = textwrap.dedent(SOURCE).replace("{hazard}", HAZARDS[hazard])
    (folder / f"model_that_{hazard}.py").write_text(source)
    return f"model_that_{hazard}:hazardous"
