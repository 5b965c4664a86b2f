# In a checkout: the same package by its own name. The wheel has the package itself here.
from viz import *
