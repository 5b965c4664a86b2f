"""The page's addresses for other machines: this machine's on the network, and QR codes of them."""
