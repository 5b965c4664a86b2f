"""The forms in which a layer can be taken home; here so that a page knows them without what makes them."""

EXPORTS = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "npz": "application/octet-stream",
    "safetensors": "application/octet-stream",
}
