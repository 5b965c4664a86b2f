"""Layerglass: start it with ``make run`` (or ``streamlit run app.py``).

Streamlit loads this file once to find the server, and again as the page, for every visitor's every change.
It is the checkout's; an installation has ``installed/page/app.py``, where only the imports differ.
"""

import os

# Else PyTorch's threads spin while they wait, and take the processor from who works. Read at its import.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import streamlit
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz.ui import server
from viz.ui.page import draw_page

if get_script_run_ctx(suppress_warning=True) is None:
    app = streamlit.App(__file__, **server.parts())
else:
    draw_page()
