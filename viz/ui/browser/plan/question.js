// The question of a plan's step: its text, its right answer, and checks of both. viz/plans/questions.py is the same.

import { CHANNELS, GUESS, MOST_CHOICES, NUMBER, SHAPE } from "../class_questions/limits.js";
import { headerOf, of, plain, PlanError } from "./blocks.js";

/** @typedef {"choice" | "number" | "map" | "shape"} Asking */
/** @typedef {{readonly value: string, readonly words: string, readonly why: string}} Choice */
/** @typedef {{readonly least: number, readonly most: number, readonly within: number, readonly unit: string}} Guess */
/** @typedef {{readonly kind: Asking, readonly text: string, readonly answer: string, readonly why: readonly string[], readonly choices: readonly Choice[], readonly guess: ?Guess}} PlanQuestion */
/** @typedef {import("./blocks.js").Block} Block */
/** @typedef {import("./blocks.js").Part} Part */

/** The question of a step; null for none. @type {(part: Part) => ?PlanQuestion} */
export function asked(part) {
  const questions = of(part, "question");
  if (questions.length > 1) throw new PlanError(questions[1].line, "questions");
  const choices = choicesOf(part), guess = guessOf(headerOf(part, "guess"));
  const kinds = kindsOf(part, choices, guess), right = headerOf(part, "answer"), why = whyOf(part);
  if (!questions.length) {
    if (kinds.length || right || why.length) throw new PlanError(part.heading.line, "unasked");
    return null;
  }
  const [{ line, text }] = questions;
  if (!kinds.length) throw new PlanError(line, "ways");
  if (kinds.length > 1) throw new PlanError(line, "ways_many");
  if (!right) throw new PlanError(line, "unanswered");
  if (!why.length) throw new PlanError(line, "unexplained");
  /** @type {PlanQuestion} */
  const found = Object.freeze({ kind: kinds[0], text: plain(text), answer: right.text, why, choices, guess });
  checkRight(found, right);
  return found;
}

/** @type {(part: Part, choices: readonly Choice[], guess: ?Guess) => Asking[]} */
function kindsOf(part, choices, guess) {
  const said = headerOf(part, "ask");
  if (said && said.text !== "map" && said.text !== "shape") throw new PlanError(said.line, "ask", { text: said.text });
  /** @type {(Asking | false)[]} */
  const kinds = [choices.length > 0 && "choice", guess !== null && "number", said ? /** @type {Asking} */ (said.text) : false];
  return kinds.filter((kind) => kind !== false);
}

/** @param {Part} part */
function whyOf(part) {
  const first = of(part, "after")[0]?.line ?? Infinity;
  return part.blocks.filter(({ kind, line }) => (kind === "after" || kind === "text") && line >= first).map(({ text }) => plain(text));
}

/** @type {(part: Part) => readonly Choice[]} */
function choicesOf(part) {
  /** @type {Choice[]} */
  const found = [];
  for (const { kind, text, line } of part.blocks) {
    if (kind === "choice") {
      const [value, ...shown] = text.split(" = ");
      found.push({ value: value.trim(), words: (shown.length ? shown.join(" = ") : value).trim(), why: "" });
    } else if (kind === "why") {
      const last = found.pop();
      if (!last) throw new PlanError(line, "why");
      found.push({ ...last, why: `${last.why} ${text}`.trim() });
    }
  }
  const values = found.map(({ value }) => value);
  const twice = values.find((value, place) => values.indexOf(value) !== place);
  if (twice !== undefined) throw new PlanError(part.heading.line, "same", { value: twice });
  if (found.length === 1) throw new PlanError(part.heading.line, "single");
  if (found.length > MOST_CHOICES) throw new PlanError(part.heading.line, "many", { most: MOST_CHOICES });
  return found;
}

/** @type {(block: Block | undefined) => ?Guess} */
function guessOf(block) {
  if (!block) return null;
  const said = GUESS.exec(block.text);
  const [least, most, within] = (said ?? []).slice(1, 4).map(Number);
  if (!said || least >= most) throw new PlanError(block.line, "guess", { text: block.text });
  return { least, most, within, unit: said[4] ?? "" };
}

// The right answer is one that can be given.
/** @type {(question: PlanQuestion, right: Block) => void} */
function checkRight({ kind, choices, guess }, { text: answer, line }) {
  const { least, most } = guess ?? { least: 0, most: 0 };
  /** @type {[boolean, string, Record<string, string | number>][]} */
  const rules = [
    [kind === "choice" && !choices.some(({ value }) => value === answer), "choice", { answer }],
    [kind === "map" && !CHANNELS.test(answer), "map", { answer }],
    [kind === "shape" && !SHAPE.test(answer), "shape", { answer }],
    [guess !== null && !(NUMBER.test(answer) && Number(answer) >= least && Number(answer) <= most), "number", { answer, least, most }],
  ];
  for (const [broken, sentence, values] of rules) if (broken) throw new PlanError(line, sentence, values);
}
