"""Imported by a nursery: it looks every half second whether its hosts rest."""

import sys

vars(sys.modules["__main__"]).update(IDLE=0.5, RESTING=0.02)
