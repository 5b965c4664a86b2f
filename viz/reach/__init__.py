"""Where other machines find the page: this machine's addresses on the network, and QR codes of them."""
