"""Forms in which a layer can be taken home, apart from the code that makes them, for the page."""

EXPORTS = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "npz": "application/octet-stream",
    "safetensors": "application/octet-stream",
}
