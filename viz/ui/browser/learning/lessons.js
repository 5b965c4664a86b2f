// The visitor's choices and runs in each lesson. Other views leave them as they are.

/** @typedef {{chosen: Record<string, string>, ran: string}} Progress */

/** @type {Map<number, Progress>} */
const lessons = new Map();

/**
 * A lesson as the visitor left it; at first every parameter has its first value, and nothing has run.
 * @param {number} lesson
 * @param {readonly LessonChoice[]} choices
 * @returns {Progress}
 */
export function progressIn(lesson, choices) {
  const known = lessons.get(lesson);
  if (known) return known;
  const progress = { chosen: Object.fromEntries(choices.map(({ name, first }) => [name, String(first)])), ran: "" };
  lessons.set(lesson, progress);
  return progress;
}

/**
 * The parameters as text, as a name of a lesson's numbers.
 * @param {Progress} progress
 */
export function parametersOf({ chosen }) {
  return new URLSearchParams(chosen).toString();
}

/**
 * Check whether the numbers are on screen, or wanted there: another parameter asks to run again.
 * @param {Progress} progress
 */
export function hasRun(progress) {
  return progress.ran === parametersOf(progress);
}

/**
 * The query of a lesson about the layer on screen.
 * @param {Pick<Look, "lesson" | "layer" | "call" | "edit">} look
 */
export function liveQuery({ lesson, layer, call, edit }) {
  const said = { lesson, layer, call: call ? String(call + 1) : "", edit };
  return new URLSearchParams(Object.entries(said).filter(([, value]) => value)).toString();
}
