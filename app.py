"""Layerglass: start it with ``make run`` (or ``streamlit run app.py``).

Streamlit loads this file once to find the server, and runs it as the page after every change by a visitor.
This is the checkout's; an installation uses ``installed/page/app.py``, where only the imports differ.
"""

import gc
import os

# Without it, PyTorch's idle threads spin and slow down the busy ones. PyTorch reads it when it is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
gc.disable()  # thousands of modules come in and stay: collecting among them takes half a second

import streamlit
from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz.ui.visit.service import engine

engine()  # its processes import PyTorch while this one imports the page

from viz.ui import server
from viz.ui.page import draw_page

gc.enable()

if get_script_run_ctx(suppress_warning=True) is None:
    app = streamlit.App(__file__, **server.parts())
else:
    draw_page()
