"""Engine that runs models in processes apart from the page.

What a model does to its process does not reach the page. Three kinds of processes take part. The page holds a
``ProcessEngine``: every request, and none of the models. A *nursery* has imported PyTorch and does nothing
else, so that it cannot hang. A *host* is a copy of it, made in milliseconds, and runs a ``LocalEngine`` for
some models; the page's side of it is a *station*. If a host fails, the nursery makes another one, and what
had not been answered is asked again.

``__init__.pyi`` lists what it offers. Each name is imported when it is first used, so that a nursery can be
started before anything else.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
