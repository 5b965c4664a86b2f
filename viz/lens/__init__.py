"""Data-set lens: channels and layers that tell a folder's classes apart.

It reads the folder's capture.

capture       what the files of a run say: every channel's numbers on every picture
labels        which class each picture belongs to
classes       channel × class: how far a class lies from the others, and in what order both are shown
channels      dead and redundant channels, and channels like one
same          pictures that are equal, or nearly
probe         how well a layer separates the classes, by a linear classifier
similarity    how alike layers are: linear CKA
chance        the CKA that chance alone reaches with so many pictures
lens          all of this for one capture
facts         what the browser is told, one layer at a time
told          the same of all layers, put together
tables        what is written, as Arrow tables
figures       the same, drawn
"""
