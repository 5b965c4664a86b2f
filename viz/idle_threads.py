"""Earlier sleep for PyTorch's idle threads.

Between two parts of a model they spin, and take the processor from whoever needs it: on two busy cores a
model took ten times as long. Never spinning costs a fifth on a quiet machine; so little of it, a tenth.

The command line imports this before PyTorch, which reads the setting once.
"""

import os

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # turns of a loop; libgomp's own: PyTorch on Linux has it
