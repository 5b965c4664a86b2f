"""The page of an installation, like ``app.py`` in a checkout.

Start it with ``layerglass``.
"""

import gc
import os
import sys

# Without it, PyTorch's idle threads spin and slow down the busy ones. PyTorch reads it when it is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
gc.disable()  # thousands of modules come in and stay: collecting among them takes half a second

from layerglass.viz.system.interrupts import end_quietly

end_quietly()  # Streamlit would say 'Aborted!', and that something failed

from layerglass.viz.engine.process import head_start

head_start.begin()  # a process imports PyTorch while this one imports Streamlit and the page

import streamlit
from streamlit.runtime.scriptrunner import get_script_run_ctx

if get_script_run_ctx(suppress_warning=True) is not None:
    from layerglass.viz.ui.page import draw_page

    gc.enable()
    draw_page()
elif __name__ == "__main__":
    from streamlit.web.cli import main_run

    main_run([__file__, *sys.argv[1:]])  # which imports this file, and finds the server in it
else:
    from layerglass.viz.ui.visit.service import engine

    engine()
    from layerglass.viz.ui import server

    app = streamlit.App(__file__, **server.parts())
    gc.enable()
