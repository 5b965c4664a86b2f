"""Raw maps of chosen layers as sharded Zarr v3.

They are written while a run goes on, and read without this program.

form       the parts of the format: metadata, chunks, and the index of a shard
array      one array under way, which grows by a picture at a time and survives a killed process
arrays     all arrays of a run
tap        the maps themselves, as the layers return them
"""
