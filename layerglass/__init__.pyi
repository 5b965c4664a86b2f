from . import models as models
from . import viz as viz
from .viz import *

__version__: str
