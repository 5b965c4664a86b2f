"""Starts the page with as many descriptors as its first argument says, and no way to get more."""

import os
import resource
import sys

most = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
os.execv(sys.executable, [sys.executable, "app.py", *sys.argv[2:]])
