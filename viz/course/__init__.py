"""The course: lessons as text files, their reading and checks, and the run of one step."""
