"""Traffic between browser and server beside Streamlit: addresses, answers, headers."""
