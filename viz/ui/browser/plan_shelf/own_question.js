// The question of a step in the teacher's own lesson: form → plan, and back.

import { CHANNELS, FEWEST_CHOICES, MOST_CHOICES, NUMBER, SHAPE } from "../class_questions/limits.js";
import { choicesIn, rightIn } from "../class_questions/question_form.js";
import { numberIn } from "../classroom/asking_state.js";
import { filled } from "../maps/mosaic.js";
import { oneLine, paragraphs } from "./own.js";

/** @typedef {import("../plan/question.js").PlanQuestion} PlanQuestion */
/** @typedef {import("../class_questions/question_form.js").Typed} Typed */

const ANSWERS = Object.freeze({ choice: /./, map: CHANNELS, number: NUMBER, shape: SHAPE });

/** A form for a step that asks nothing yet. @type {Typed} */
export const BLANK = Object.freeze({ kind: "choice", text: "", choices: "", right: "", within: "", least: "", most: "", explanation: "" });

/**
 * The question that was typed; a sentence if something is missing.
 * @param {Typed} typed
 * @param {?PlanQuestion} before - what the step asked; reasons of its choices, and its unit, are kept
 * @param {readonly number[]} sizes - of the step's layer; none if nobody knows
 * @param {Words} words
 * @returns {PlanQuestion | string}
 */
export function questionFrom(typed, before, sizes, words) {
  const { kind } = typed, text = oneLine(typed.text), why = paragraphs(typed.explanation);
  const lines = kind === "choice" ? choicesIn(typed.choices).map(oneLine) : [];
  const choices = choicesFrom(lines, before), answer = answerFrom(typed, choices, sizes, before);
  const guess = kind === "number" ? guessFrom(typed, Number(answer), before) : null;
  if (!text) return words.asking_no_text;
  if (kind === "choice" && (lines.length < FEWEST_CHOICES || lines.length > MOST_CHOICES)) return filled(words.asking_no_choices, { fewest: FEWEST_CHOICES, most: MOST_CHOICES });
  if (new Set(lines).size < lines.length) return words.plan_question_same;
  if (!ANSWERS[kind].test(answer)) return words.plan_question_no_right;
  if (kind === "number" && !guess) return words.plan_question_no_bounds;
  if (!why.length) return words.plan_question_no_why;
  return Object.freeze({ kind, text, answer, why, choices, guess });
}

/** The texts of the form for a question. @type {(question: PlanQuestion) => Typed} */
export function typedFrom({ kind, text, answer, why, choices, guess }) {
  const place = choices.findIndex(({ value }) => value === answer);
  const right = { choice: String(place + 1), map: answer, number: answer, shape: shapeTyped(answer) }[kind];
  const bounds = guess ? { within: String(guess.within), least: String(guess.least), most: String(guess.most) } : {};
  return { ...BLANK, kind, text, right, choices: choices.map(({ words }) => words).join("\n"), explanation: why.join("\n"), ...bounds };
}

// A choice that stays as it was keeps its name and its reason; another one is named by its place.
/** @type {(lines: readonly string[], before: ?PlanQuestion) => PlanQuestion["choices"]} */
function choicesFrom(lines, before) {
  const old = lines.map((words) => before?.choices.find((each) => each.words === words));
  const taken = new Set(old.map((each) => each?.value));
  return lines.map((words, place) => old[place] ?? { value: nameFor(place, taken), words, why: "" });
}

// A kept choice may have any name, also one that was given here before.
/** @type {(place: number, taken: Set<string | undefined>) => string} */
function nameFor(place, taken) {
  let name = String(place + 1);
  for (let count = 1; taken.has(name); count += 1) name = `new ${count}`;
  taken.add(name);
  return name;
}

/**
 * @param {Typed} typed
 * @param {PlanQuestion["choices"]} choices
 * @param {readonly number[]} sizes
 * @param {?PlanQuestion} before
 */
function answerFrom({ kind, right }, choices, sizes, before) {
  const isSame = kind === "shape" && before?.kind === kind && right === shapeTyped(before.answer);
  if (isSame) return before.answer; // a weight's shape has no batch, and must not be given one
  const numbers = kind === "shape" && !right ? sizes : rightIn(kind, right) ?? [];
  if (kind === "choice") return choices[numbers[0]]?.value ?? "";
  return kind === "shape" && numbers.length ? `(${[1, ...numbers].join(", ")})` : numbers.join(", "); // a plan says the batch
}

/** @param {string} answer */
function shapeTyped(answer) {
  return (rightIn("shape", answer) ?? []).join("×");
}

/** @type {(typed: Typed, answer: number, before: ?PlanQuestion) => PlanQuestion["guess"]} */
function guessFrom(typed, answer, before) {
  const [least, most, within] = [typed.least, typed.most, typed.within || "0"].map((each) => numberIn(each) ?? NaN);
  const fits = [least, most, within].every((each) => NUMBER.test(String(each))) && within >= 0;
  const isInside = least < most && least <= answer && answer <= most;
  return fits && isInside ? { least, most, within, unit: before?.guess?.unit ?? "" } : null;
}
