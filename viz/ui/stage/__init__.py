"""Python's facts for the stage: subject, layers and words.

The scripts are in viz/ui/browser.
"""
