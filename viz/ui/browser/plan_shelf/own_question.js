// The question of a step in the teacher's own lesson: form → plan, and back.

import { choicesIn, MOST_CHOICES, rightIn } from "../class_questions/question_form.js";
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
  const answer = answerFrom(typed, choices, sizes), guess = kind === "number" ? guessFrom(typed, answer, before) : null;
  if (!why.length) throw new QuestionError("no_why");
  return Object.freeze({ kind, text, answer, why, choices, guess });
}

/** The texts of the form for a question. @type {(question: PlanQuestion) => Typed} */
export function typedFrom({ kind, text, answer, why, choices, guess }) {
  const place = choices.findIndex(({ value }) => value === answer);
  const right = { choice: String(place + 1), map: answer, number: answer, shape: withoutBatch(answer).join("×") }[kind];
  const bounds = guess ? { within: String(guess.within), least: String(guess.least), most: String(guess.most) } : {};
  return { ...BLANK, kind, text, right, choices: choices.map(({ words }) => words).join("\n"), explanation: why.join("\n"), ...bounds };
}

// A choice that stays as it was keeps its name and its reason; another one is named by its place.
/** @type {(typed: Typed, before: ?PlanQuestion) => PlanQuestion["choices"]} */
function choicesFrom(typed, before) {
  const lines = choicesIn(typed.choices).map(oneLine);
  if (lines.length < 2 || lines.length > MOST_CHOICES) throw new QuestionError("asking_no_choices");
  if (new Set(lines).size < lines.length) throw new QuestionError("same");
  const old = lines.map((words) => before?.choices.find((each) => each.words === words));
  const taken = old.map((each) => each?.value);
  return lines.map((words, place) => old[place] ?? { value: nameFor(place, taken), words, why: "" });
}

/** @type {(place: number, taken: readonly (string | undefined)[]) => string} */
function nameFor(place, taken) {
  const name = String(place + 1);
  return taken.includes(name) ? `new ${name}` : name;
}

/** @type {(typed: Typed, choices: PlanQuestion["choices"], sizes: readonly number[]) => string} */
function answerFrom({ kind, right }, choices, sizes) {
  if (kind === "shape") return shapeFrom(right, sizes);
  const numbers = rightIn(kind, right) ?? [];
  const answer = kind === "choice" ? choices[numbers[0]]?.value : numbers.join(", ");
  if (!answer || (kind === "map" && numbers.some((each) => each > 99_999))) throw new QuestionError("no_right");
  return answer;
}

// A plan says a shape with its batch, in brackets; so does a teacher who types brackets.
/** @type {(right: string, sizes: readonly number[]) => string} */
function shapeFrom(right, sizes) {
  const said = rightIn("shape", right) ?? [], found = right ? said : sizes;
  if (!found.length || found.some((each) => each > 9_999_999)) throw new QuestionError("no_right");
  const all = right.startsWith("(") && found[0] === 1 && found.length > 1 ? found : [1, ...found];
  return `(${all.join(", ")})`;
}

/** @param {string} answer */
function withoutBatch(answer) {
  const sizes = rightIn("shape", answer) ?? [];
  return sizes.length > 1 ? sizes.slice(1) : sizes;
}

/** @type {(typed: Typed, answer: string, before: ?PlanQuestion) => PlanQuestion["guess"]} */
function guessFrom(typed, answer, before) {
  if (!NUMBER.test(answer)) throw new QuestionError("no_right");
  const [least, most, within] = [typed.least, typed.most, typed.within || "0"].map((each) => numberIn(each) ?? NaN);
  const fits = [least, most, within].every((each) => NUMBER.test(String(each))) && within >= 0;
  if (!fits || least >= most || Number(answer) < least || Number(answer) > most) throw new QuestionError("no_bounds");
  return { least, most, within, unit: before?.guess?.unit ?? "" };
}
