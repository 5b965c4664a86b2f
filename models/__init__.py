"""What can be looked at: the catalogue of models. Imports neither ``viz`` nor Streamlit."""
