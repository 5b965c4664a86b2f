"""Tests of viz/ui/visit/jobs, and where modules without a test of their name are tested.

answer_jobs: ui/visit/jobs/test_answering.py, in the processes that run answers
reader_jobs: ui/visit/jobs/test_reading.py, in the processes that read files
"""
