"""Python's facts for the stage: subject, layers, words; the scripts are in viz/ui/browser."""
