// The question of a step in the teacher's own lesson: form → plan, and back.

import { MOST_CHOICES } from "../class_questions/limits.js";
import { choicesIn, rightIn } from "../class_questions/question_form.js";
import { numberIn } from "../classroom/asking_state.js";
import { oneLine, paragraphs } from "./own.js";

/** @typedef {import("../plan/question.js").PlanQuestion} PlanQuestion */
/** @typedef {import("../class_questions/question_form.js").Typed} Typed */

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/; // as a plan writes it

/** A fault of a question: its sentence by its name among the page's words. */
export class QuestionError extends Error {}

/** A form for a step that asks nothing yet. @type {Typed} */
export const BLANK = Object.freeze({ kind: "choice", text: "", choices: "", right: "", within: "", least: "", most: "", explanation: "" });

/**
 * The question that was typed; a QuestionError if something is missing.
 * @param {Typed} typed
 * @param {?PlanQuestion} before - what the step asked; reasons of its choices, and its unit, are kept
 * @param {readonly number[]} sizes - of the step's layer; none if nobody knows
 * @returns {PlanQuestion}
 */
export function questionFrom(typed, before, sizes) {
  const { kind } = typed, text = oneLine(typed.text), why = paragraphs(typed.explanation);
  if (!text) throw new QuestionError("asking_no_text");
  const choices = kind === "choice" ? choicesFrom(typed, before) : [];
  const answer = answerFrom(typed, choices, sizes, before);
  const guess = kind === "number" ? guessFrom(typed, answer, before) : null;
  if (!why.length) throw new QuestionError("plan_question_no_why");
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
/** @type {(typed: Typed, before: ?PlanQuestion) => PlanQuestion["choices"]} */
function choicesFrom(typed, before) {
  const lines = choicesIn(typed.choices).map(oneLine);
  if (lines.length < 2 || lines.length > MOST_CHOICES) throw new QuestionError("asking_no_choices");
  if (new Set(lines).size < lines.length) throw new QuestionError("plan_question_same");
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
  if (kind === "shape") return shapeFrom(right, sizes);
  const numbers = rightIn(kind, right) ?? [];
  const answer = kind === "choice" ? choices[numbers[0]]?.value : numbers.join(", ");
  const isTooHigh = kind === "map" && numbers.some((each) => each > 99_999);
  if (!answer || isTooHigh) throw new QuestionError("plan_question_no_right");
  return answer;
}

// A plan says a shape with its batch, in brackets.
/** @type {(right: string, sizes: readonly number[]) => string} */
function shapeFrom(right, sizes) {
  const said = rightIn("shape", right) ?? [], found = right ? said : sizes;
  const isTooHigh = found.some((each) => each > 9_999_999);
  if (!found.length || isTooHigh) throw new QuestionError("plan_question_no_right");
  return `(${[1, ...found].join(", ")})`;
}

/** @param {string} answer */
function shapeTyped(answer) {
  return (rightIn("shape", answer) ?? []).join("×");
}

/** @type {(typed: Typed, answer: string, before: ?PlanQuestion) => PlanQuestion["guess"]} */
function guessFrom(typed, answer, before) {
  if (!NUMBER.test(answer)) throw new QuestionError("plan_question_no_right");
  const [least, most, within] = [typed.least, typed.most, typed.within || "0"].map((each) => numberIn(each) ?? NaN);
  const fits = [least, most, within].every((each) => NUMBER.test(String(each))) && within >= 0;
  const isOutside = least >= most || Number(answer) < least || Number(answer) > most;
  if (!fits || isOutside) throw new QuestionError("plan_question_no_bounds");
  return { least, most, within, unit: before?.guess?.unit ?? "" };
}
