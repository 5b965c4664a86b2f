// The head of the quiz: its level, its number, and the progress in it.

import { CHOICES } from "../look/fields.js";
import { element, filled } from "../maps/mosaic.js";
import { segment } from "../page/segments.js";
import { QUESTIONS, streakIn, typedSeed } from "./games.js";
import { buttonOf } from "./making.js";

/** @typedef {import("./games.js").Game} Game */

export class QuizHead {
  drawnIn = ""; // the language of what is on screen

  /** @param {StagePage} page */
  constructor(page) {
    this.page = page;
    this.root = element("div", "lg-quiz-head");
  }

  /** @param {import("./games.js").Quizzed} quiz */
  show({ seed, level }) {
    const { words } = this.page.data;
    if (this.drawnIn !== words.language_code) this.draw(words);
    this.drawnIn = words.language_code;
    for (const radio of this.root.querySelectorAll("input")) {
      if (radio.type === "radio") radio.checked = radio.value === level;
      else if (document.activeElement !== radio) radio.value = String(seed);
    }
  }

  /** @param {Words} words */
  draw(words) {
    const group = element("div", "lg-segments");
    group.setAttribute("role", "radiogroup");
    group.setAttribute("aria-label", words.quiz_level);
    const names = { climb: words.quiz_level_climb, easy: words.quiz_level_easy, middle: words.quiz_level_middle, hard: words.quiz_level_hard };
    const { store } = this.page;
    group.append(...CHOICES.level.map((level) => segment("lg-level", level, names[level], () => store.dispatch({ type: "level", level }))));
    this.root.replaceChildren(group, numberBox(words, (seed) => store.dispatch({ type: "seed", seed })));
  }
}

// A box for the number of a quiz, such as a teacher has said.
/** @type {(words: Words, chosen: (seed: number) => void) => HTMLElement} */
function numberBox(words, chosen) {
  const form = element("form", "lg-quiz-number");
  const label = element("label", "", words.quiz_number);
  const box = element("input");
  const note = element("p", "lg-refused");
  Object.assign(box, { type: "text", inputMode: "numeric", autocomplete: "off", maxLength: 6, required: true });
  box.dataset.part = "quiz-number";
  note.setAttribute("role", "alert");
  note.hidden = true;
  label.append(box);
  const open = element("button", "", words.quiz_number_open);
  form.append(label, open, note);
  form.noValidate = true; // what is wrong is said below, in the language of the page
  form.onsubmit = (event) => {
    event.preventDefault();
    const seed = typedSeed(box.value);
    note.hidden = seed !== null;
    note.textContent = seed === null ? words.quiz_number_vain : "";
    box.setAttribute("aria-invalid", String(seed === null));
    if (seed !== null) {
      box.value = String(seed);
      chosen(seed);
    }
  };
  return form;
}

/**
 * The questions as a row of signs, each of which leads to its question: right, wrong, the one on screen, those to come.
 * @param {Game} game
 * @param {Words} words
 * @param {(number: number) => void} chosen
 */
export function stepsOf({ given, number }, words, chosen) {
  const list = element("ol", "lg-quiz-steps");
  list.setAttribute("aria-label", words.quiz_steps);
  list.append(...Array.from({ length: QUESTIONS }, (_, at) => {
    const said = stepAt(given[at], words, at === number);
    const item = element("li", said.className);
    const step = buttonOf("", () => chosen(at));
    step.append(element("span", "", said.sign || String(at + 1)));
    step.setAttribute("aria-label", filled(said.text, { number: at + 1 }));
    if (at === number) step.setAttribute("aria-current", "step");
    item.append(step);
    return item;
  }));
  return list;
}

/** @type {(given: ?{right?: boolean} | undefined, words: Words, isOnScreen: boolean) => {className: string, sign: string, text: string}} */
function stepAt(given, words, isOnScreen) {
  const now = isOnScreen ? " lg-now" : "";
  if (given?.right) return { className: `lg-right${now}`, sign: "✓", text: words.quiz_step_right };
  if (given?.right === false) return { className: `lg-wrong${now}`, sign: "✗", text: words.quiz_step_wrong };
  if (isOnScreen) return { className: "lg-now", sign: "", text: words.quiz_step_now };
  return { className: "", sign: "", text: words.quiz_step_later };
}

/**
 * Badge with the number of right answers in a row, from two on.
 * @param {Game} game
 * @param {Words} words
 */
export function streakOf(game, words) {
  const count = streakIn(game);
  const badge = element("span", "lg-quiz-streak", count > 1 ? `★ ${filled(words.quiz_streak, { count })}` : "");
  badge.hidden = count < 2;
  return badge;
}
