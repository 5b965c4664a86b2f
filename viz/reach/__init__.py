"""The page's addresses for other machines, and QR codes of them."""
