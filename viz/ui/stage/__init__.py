"""What Python says to the stage: the subject, its layers, the words; the scripts are in viz/ui/browser."""
