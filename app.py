"""Layerglass: start it with ``make run`` (or ``python app.py``, or ``streamlit run app.py``).

It is the server, and the page: Streamlit runs this file again after every change by a visitor.
This is the checkout's; an installation uses ``layerglass/page/app.py``, where only the imports differ.
"""

import gc
import os
import sys

# Without it, PyTorch's idle threads spin and slow down the busy ones. PyTorch reads it when it is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
gc.disable()  # thousands of modules come in and stay: collecting among them takes half a second

from viz.system.interrupts import end_quietly

end_quietly()  # Streamlit would say 'Aborted!', and that something failed

from viz.engine.process import head_start

head_start.begin()  # a process imports PyTorch while this one imports Streamlit and the page

import streamlit
from streamlit.runtime.scriptrunner import get_script_run_ctx

if get_script_run_ctx(suppress_warning=True) is not None:
    from viz.ui.page import draw_page

    gc.enable()
    draw_page()
elif __name__ == "__main__":
    from streamlit.web.cli import main_run

    main_run([__file__, *sys.argv[1:]])  # which imports this file, and finds the server in it
else:
    from viz.ui.visit.service import engine

    engine()
    from viz.ui import server

    app = streamlit.App(__file__, **server.parts())
    gc.enable()
