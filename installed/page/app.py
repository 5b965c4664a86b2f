"""The page of an installation, as ``app.py`` is that of a checkout: start it with ``layerglass``."""

import os

# Else PyTorch's threads spin while they wait, and take the processor from who works. Read at its import.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import streamlit
from streamlit.runtime.scriptrunner import get_script_run_ctx

from layerglass.viz.ui import server
from layerglass.viz.ui.page import draw_page

if get_script_run_ctx(suppress_warning=True) is None:
    app = streamlit.App(__file__, **server.parts())
else:
    draw_page()
