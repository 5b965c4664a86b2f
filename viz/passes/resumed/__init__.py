"""A pass that begins in the middle, from kept outputs of layers.

A class looks at thirty photos, and there is no room for all that their layers return. There is for a tenth of
it: the outputs of some layers, here called stages. A pass that goes on from the last stage before the wanted
layer takes a quarter of the time.

``timeline`` finds out when each layer runs, ``stages`` chooses some of them, ``keeping`` keeps what they
return, ``stand_ins`` lets that stand in for the layers before, ``resuming`` sees to it that the numbers stay.
"""
