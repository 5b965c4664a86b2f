"""The course: lessons as text files, how they are read and checked, and how one step of them is run."""
