"""Exemplars: the pictures of a folder that excite each channel most.

They are found in one pass over the folder.

listing    the pictures below a folder, one after the other
reading    files into a model's input, in processes of their own
processes  copies of the model in such processes, on processors
chosen     the layers that are meant, and the places of their channels
peaks      the strongest cell of every channel in one run: a tap
ranking    the pictures kept for each channel so far
fields     the part of the picture that a cell sees, for those that are kept
tables     the results as Arrow tables
keeping    the folder with the results, which a run can be stopped and killed over
card       the request of a run, and a check that another one may go on with it
search     the run itself
sheet      some channels drawn by lot, with the parts of pictures that excite them, as a figure
asking     queries on the files, without a model
"""
