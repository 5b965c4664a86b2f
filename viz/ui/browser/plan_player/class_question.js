// The question of a step for a class: plain text, the answer as numbers.

import { LONGEST_CHOICE, LONGEST_EXPLANATION, LONGEST_TEXT } from "../class_questions/limits.js";
import { unmarked } from "./marked.js";

/** @typedef {import("../plan/question.js").PlanQuestion} PlanQuestion */

/**
 * @param {PlanQuestion} question
 * @param {string} layer - of the step's look
 * @param {number} maps - how many that layer has; 0 if nobody knows
 * @returns {import("../classroom/asking.js").NewQuestion}
 */
export function classQuestion(question, layer, maps) {
  const { kind, text, choices, guess, why } = question, ofLayer = kind === "map" || kind === "shape";
  return {
    kind, text: cut(text, LONGEST_TEXT), choices: choices.map(({ words }) => cut(words, LONGEST_CHOICE)), right: rightOf(question),
    within: guess?.within ?? 0, explanation: cut(why.join(" "), LONGEST_EXPLANATION), ...(ofLayer ? { layer } : {}), ...(kind === "map" ? { maps } : {}),
  };
}

/** @type {(question: PlanQuestion) => number[]} */
function rightOf({ kind, choices, answer }) {
  if (kind === "choice") return [choices.findIndex(({ value }) => value === answer)];
  const numbers = answer.replace(/[()]/g, "").split(",").filter((each) => each.trim()).map(Number);
  const hasBatch = kind === "shape" && numbers.length > 1 && numbers[0] === 1; // a weight's shape has none
  return hasBatch ? numbers.slice(1) : numbers;
}

/** @type {(text: string, longest: number) => string} */
function cut(text, longest) {
  const plain = unmarked(text);
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
}
