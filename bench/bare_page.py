"""A minimal Streamlit page to compare the real page with.

It has a choice and an upload; ``page.py`` measures both pages.
"""

import streamlit as st

LAYERS = [f"layer{number}" for number in range(150)]

with st.sidebar:
    layer = st.selectbox("Layer", LAYERS, key="layer")
    file = st.file_uploader("Picture", ["jpg"], key="upload")
st.html(f'<b class="lg-maps" data-layer="{layer}" data-bytes="{file.size if file else 0}">{layer}</b>')
