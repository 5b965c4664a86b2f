// A student's progress as plain values, and as text kept over a reload.

/**
 * A student's prediction in a step; `said` is empty where nothing is asked, `right` is null then.
 * @typedef {{readonly said: string, readonly right: ?boolean}} Done
 */
/** @typedef {{readonly at: number, readonly steps: Readonly<Record<string, Done>>}} InLesson - `at` is a step, from 1 */
/** @typedef {Readonly<Record<string, InLesson>>} Progress - by the lesson's id */

const KEPT = "layerglass.course";
/** @type {InLesson} */
const NOTHING = Object.freeze({ at: 1, steps: Object.freeze({}) });

/**
 * Progress in one lesson.
 * @param {Progress} progress
 * @param {string} lesson
 */
export function inLesson(progress, lesson) {
  return Object.hasOwn(progress, lesson) ? progress[lesson] : NOTHING;
}

/** @type {(progress: Progress, lesson: string, at: number) => Progress} */
export function arrived(progress, lesson, at) {
  return { ...progress, [lesson]: { ...inLesson(progress, lesson), at } };
}

/** @type {(progress: Progress, lesson: string, step: number, done: Done) => Progress} */
export function withDone(progress, lesson, step, done) {
  const { at, steps } = inLesson(progress, lesson);
  return { ...progress, [lesson]: { at, steps: { ...steps, [step]: done } } };
}

/** @type {(progress: Progress, lesson: string, step: number) => Progress} */
export function without(progress, lesson, step) {
  const { at, steps: { [step]: _, ...steps } } = inLesson(progress, lesson);
  return { ...progress, [lesson]: { at, steps } };
}

/** @type {(progress: Progress, lesson: string, step: number) => Done | undefined} */
export function doneIn(progress, lesson, step) {
  const { steps } = inLesson(progress, lesson);
  return Object.hasOwn(steps, step) ? steps[step] : undefined;
}

/** The steps of a lesson, from 1, whose prediction was wrong. @type {(progress: Progress, lesson: string, count: number) => number[]} */
export function wrongIn(progress, lesson, count) {
  return Array.from({ length: count }, (_, place) => place + 1).filter((step) => doneIn(progress, lesson, step)?.right === false);
}

/**
 * Counts of a lesson's steps: done ones, those of them that asked for something, and right predictions.
 * @param {Progress} progress
 * @param {string} lesson
 * @param {number} count - how many steps the lesson has
 */
export function counted(progress, lesson, count) {
  const done = Object.entries(inLesson(progress, lesson).steps).filter(([step]) => Number(step) <= count).map(([, each]) => each);
  const asked = done.filter(({ right }) => right !== null);
  return { done: done.length, asked: asked.length, right: asked.filter(({ right }) => right).length };
}

/**
 * The progress in a text; impossible parts are left out.
 * @param {?string} text
 * @returns {Progress}
 */
export function progressFrom(text) {
  try {
    const said = JSON.parse(text ?? "{}");
    if (!isRecord(said)) return {};
    return Object.fromEntries(Object.entries(said).filter(([, lesson]) => isRecord(lesson)).map(([name, lesson]) => [name, lessonFrom(lesson)]));
  } catch {
    return {};
  }
}

/** @type {(said: Record<string, unknown>) => InLesson} */
function lessonFrom({ at, steps }) {
  const known = Object.entries(isRecord(steps) ? steps : {}).filter(([step, done]) => /^\d{1,3}$/.test(step) && isDone(done));
  return { at: Number.isInteger(at) && Number(at) > 0 ? Number(at) : 1, steps: Object.fromEntries(known) };
}

/** @type {(value: unknown) => value is Record<string, any>} */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
function isDone(value) {
  return isRecord(value) && typeof value.said === "string" && [true, false, null].includes(value.right);
}

/** @type {Progress} */
let here = {}; // where the browser stores nothing

export function kept() {
  try {
    return progressFrom(localStorage.getItem(KEPT));
  } catch {
    return here;
  }
}

/** @param {Progress} progress */
export function keep(progress) {
  here = progress;
  try {
    localStorage.setItem(KEPT, JSON.stringify(progress));
  } catch { /* without storage, a reload begins anew */ }
}
