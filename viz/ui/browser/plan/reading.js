// The reader of a lesson plan's text, which refuses faults with their line. viz/plans reads the same text, and both
// pass the cases of tests/plan_vectors.json.

import { blocks, headerOf, of, plain, PlanError } from "./blocks.js";
import { asked } from "./question.js";

/**
 * @typedef {Object} PlanStep
 * @property {string} title
 * @property {string} look - a query
 * @property {number} minutes
 * @property {string} net - of the look; "" for the plan's. Likewise `picture`, a sample's name
 * @property {string} picture
 * @property {readonly string[]} text - paragraphs for the class
 * @property {readonly string[]} note - paragraphs for the teacher
 * @property {?import("./question.js").PlanQuestion} question
 * @property {string} code - which makes the right answer; for the checker
 */
/** @typedef {{title: string, about: string, net: string, picture: string, steps: readonly Readonly<PlanStep>[]}} Plan */
/** @typedef {import("./blocks.js").Part} Part */

export const MOST_MINUTES = 60;
export const LONGEST_FILE = 200_000; // characters
const OF_PLAN = ["about", "net", "picture"];
const OF_STEP = ["look", "minutes", "net", "picture", "ask", "guess", "answer"];

/**
 * The plan that a text says.
 * @param {string} text
 * @returns {Plan}
 */
export function planFrom(text) {
  if (text.length > LONGEST_FILE) throw new PlanError(1, "long");
  const [beginning, ...steps] = partsOf(text);
  const [about, net, picture] = OF_PLAN.map((name) => said(beginning, name));
  return { title: beginning.heading.text, about, net, picture, steps: steps.map(stepOf) };
}

/** The sentence about what is wrong with a text. @type {(error: unknown, words: Words, filled: (text: string, values: Record<string, unknown>) => string) => string} */
export function faultOf(error, words, filled) {
  if (!(error instanceof PlanError)) throw error;
  return filled(words.plan_wrong_at, { line: error.line, sentence: filled(words[`plan_wrong_${error.sentence}`], error.values) });
}

/** @param {string} text */
function partsOf(text) {
  /** @type {Part[]} */
  const found = [];
  for (const block of blocks(text)) {
    if (!found.length && block.kind !== "lesson") throw new PlanError(block.line, "title");
    if (found.length && block.kind === "lesson") throw new PlanError(block.line, "titles");
    if (block.kind === "lesson" || block.kind === "step") found.push({ heading: block, blocks: [] });
    else found[found.length - 1].blocks.push(block);
  }
  if (!found.length) throw new PlanError(1, "empty");
  const [beginning, ...steps] = found;
  checkHeaders(beginning, OF_PLAN);
  const outside = beginning.blocks.find(({ kind }) => kind !== "header");
  if (outside) throw new PlanError(outside.line, "outside");
  if (!steps.length) throw new PlanError(beginning.heading.line, "steps");
  steps.forEach((step) => checkHeaders(step, OF_STEP));
  return found;
}

/** @type {(part: Part, known: readonly string[]) => void} */
function checkHeaders(part, known) {
  const seen = new Set();
  for (const { name, text, line } of of(part, "header")) {
    if (!known.includes(name)) throw new PlanError(line, "header", { name, names: known.join(", ") });
    if (seen.has(name)) throw new PlanError(line, "twice", { name });
    if (!text) throw new PlanError(line, "silent", { name });
    seen.add(name);
  }
}

/** @type {(part: Part) => Readonly<PlanStep>} */
function stepOf(part) {
  const code = of(part, "code");
  if (code.length > 1) throw new PlanError(code[1].line, "code");
  const after = of(part, "after")[0]?.line ?? Infinity;
  const minutes = minutesOf(part);
  return Object.freeze({
    title: part.heading.text,
    look: said(part, "look"),
    minutes,
    net: said(part, "net"),
    picture: said(part, "picture"),
    text: of(part, "text").filter(({ line }) => line < after).map(({ text }) => plain(text)),
    note: of(part, "note").map(({ text }) => plain(text)),
    question: asked(part),
    code: code[0]?.text ?? "",
  });
}

/** @param {Part} part */
function minutesOf(part) {
  const found = headerOf(part, "minutes");
  if (!found) throw new PlanError(part.heading.line, "untimed", { title: part.heading.text });
  const { text, line } = found, minutes = Number(text);
  if (!/^[0-9]+$/.test(text) || minutes < 1 || minutes > MOST_MINUTES) throw new PlanError(line, "minutes", { most: MOST_MINUTES, text });
  return minutes;
}

/** @type {(part: Part, name: string) => string} */
function said(part, name) {
  return headerOf(part, name)?.text ?? "";
}
