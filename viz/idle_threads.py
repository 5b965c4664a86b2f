"""PyTorch's idle threads sleep soon: imported on the command line before PyTorch, which reads this once.

Between two parts of a model they spin, and take the processor from whoever needs it: on two busy cores a
model took ten times as long. Never spinning costs a fifth on a quiet machine; so little of it, a tenth.
"""

import os

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # turns of a loop; libgomp's own: PyTorch on Linux has it
