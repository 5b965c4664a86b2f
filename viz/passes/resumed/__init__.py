"""A pass that begins in the middle: what layers before it returned is kept for each photo, and not computed again.

A class looks at thirty photos, and all that their layers return has no room. A tenth of it has: the outputs of
some layers, here called stages. From the latest stage before the wanted layer, a pass takes a tenth of the time.
``timeline`` finds out when each layer runs, ``stages`` chooses some of them, ``keeping`` keeps what they return,
``stand_ins`` lets it stand in for the layers before, and ``resuming`` makes sure that the numbers are the same.
"""
