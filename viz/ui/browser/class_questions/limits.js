// Limits of questions and answers, as Python has them; `make answers` writes this file.

export const FEWEST_CHOICES = 2;
export const MOST_CHOICES = 6;
export const LONGEST_TEXT = 400;
export const LONGEST_CHOICE = 160;
export const LONGEST_EXPLANATION = 1500;
export const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;
export const GUESS = /^(-?[0-9]+(?:\.[0-9]+)?) to (-?[0-9]+(?:\.[0-9]+)?) within (-?[0-9]+(?:\.[0-9]+)?)(?: (\S+))?$/;
export const CHANNELS = /^[0-9]{1,5}(?:, [0-9]{1,5})*$/;
export const SHAPE = /^\([0-9]{1,7}(?:, [0-9]{1,7})*,?\)$/;
