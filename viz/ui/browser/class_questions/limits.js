// Limits of a question to a class: viz/answers/teaching/asking.py refuses what is over them.

export const MOST_CHOICES = 6;
export const LONGEST_CHOICE = 160; // letters, as Python counts them
