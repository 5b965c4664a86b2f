"""An operator's own model that raises a chosen error, as long as a file beside it exists."""

import textwrap
from pathlib import Path

SOURCE = """
    import pathlib
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 4, 3)

        def forward(self, images):
            if pathlib.Path(__file__).with_suffix(".leave").exists():
                raise {error}
            return self.conv(images).mean((2, 3))

    def {factory}():
        return Net()
"""


def leaving_model(folder: Path, module: str, factory: str, error: str) -> Path:
    """Write the model to a module in a folder; it raises as long as there is a file at the path returned."""
    source = SOURCE.replace("{error}", error).replace("{factory}", factory)
    (folder / f"{module}.py").write_text(textwrap.dedent(source))
    return folder / f"{module}.leave"
