"""Forms in which a layer can be taken home, for the page.

They stand apart from the code that makes the files.
"""

EXPORTS = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "npz": "application/octet-stream",
    "safetensors": "application/octet-stream",
}
