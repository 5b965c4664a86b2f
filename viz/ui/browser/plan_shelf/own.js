// A teacher's own lesson as plain values. Each change makes another lesson.

import { MOST_MINUTES } from "../plan/reading.js";
import { planText } from "../plan/writing.js";

/** @typedef {import("../plan/reading.js").Plan} Plan */
/** @typedef {Readonly<import("../plan/reading.js").PlanStep>} PlanStep */

export const MOST_STEPS = 60;
export const USUAL_MINUTES = 4;

/** @type {(title: string) => Plan} */
export function nothing(title) {
  return { title, about: "", net: "", picture: "", steps: [] };
}

/** @type {(plan: Plan, step: PlanStep) => Plan} */
export function withStep(plan, step) {
  return plan.steps.length < MOST_STEPS ? { ...plan, steps: [...plan.steps, step] } : plan;
}

/** @type {(plan: Plan, place: number) => Plan} */
export function without(plan, place) {
  return { ...plan, steps: plan.steps.filter((_, each) => each !== place) };
}

/** A step back at its place. @type {(plan: Plan, place: number, step: PlanStep) => Plan} */
export function withStepAt(plan, place, step) {
  return { ...plan, steps: [...plan.steps.slice(0, place), step, ...plan.steps.slice(place)] };
}

/** A step at another place; the same plan if there is none. @type {(plan: Plan, place: number, to: number) => Plan} */
export function moved(plan, place, to) {
  if (to < 0 || to >= plan.steps.length || to === place) return plan;
  const steps = plan.steps.filter((_, each) => each !== place);
  return { ...plan, steps: [...steps.slice(0, to), plan.steps[place], ...steps.slice(to)] };
}

// A step's place once a step, maybe itself, has moved.
/** @type {(place: number, from: number, to: number) => number} */
export function placeAfter(place, from, to) {
  if (place === from) return to;
  const closed = place - Number(from < place);
  return closed + Number(to <= closed);
}

// The place of a step in another lesson, −1 if it has none; one that was read from another tab is known by its text.
/** @type {(plan: Plan, step: PlanStep, before: number) => number} */
export function placeIn({ steps }, step, before) {
  const place = steps.indexOf(step);
  if (place >= 0) return place;
  return isSame(step, steps[before]) ? before : steps.findIndex((each) => isSame(step, each));
}

/** Compare two steps by their texts. @type {(step: PlanStep, other?: PlanStep) => boolean} */
export function isSame(step, other) {
  const [one, two] = [step, other].map((each) => planText({ ...nothing(""), steps: each ? [each] : [] }));
  return one === two;
}

/** @type {(plan: Plan, place: number, change: Partial<PlanStep>) => Plan} */
export function changed(plan, place, change) {
  return { ...plan, steps: plan.steps.map((step, each) => (each === place ? Object.freeze({ ...step, ...change }) : step)) };
}

/** The paragraphs of a typed text: each line is one. @param {string} typed */
export function paragraphs(typed) {
  return typed.split(/\r\n|\r|\n/).map(oneLine).filter(Boolean);
}

/** @param {string} typed */
export function oneLine(typed) {
  return typed.replace(/\s+/g, " ").trim();
}

/** Minutes that were typed, within what a plan may say. @param {string} typed */
export function minutesOf(typed) {
  const minutes = Math.round(Number(typed));
  return Number.isFinite(minutes) && minutes >= 1 ? Math.min(minutes, MOST_MINUTES) : 1;
}
