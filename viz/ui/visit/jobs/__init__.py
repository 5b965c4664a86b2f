"""What is done in processes that hold nothing else: visitors' files read, their answers to exercises run."""
