// Where the teacher asks: three questions that are ready for what is on screen, and one of their own.

import { button } from "../layer/help.js";
import { gameOf } from "../learning/games.js";
import { element, filled } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { segment } from "../page/segments.js";
import { numberIn, shapeIn, sizesOf } from "./asking_state.js";
import { readyQuestions } from "./ready_questions.js";

/** @typedef {import("./asking.js").NewQuestion} NewQuestion */
/** @typedef {Record<string, HTMLInputElement | HTMLTextAreaElement>} Fields */

const KINDS = /** @type {const} */ (["choice", "map", "number", "shape"]);
const MOST_CHOICES = 6;

export class AskDialog {
  /** @type {ClassQuestion["kind"]} */
  kind = "choice";

  /**
   * @param {HTMLElement} parent
   * @param {import("./classroom.js").Classroom} classroom
   * @param {() => ?{pointable?: import("./pointing.js").Pointable}} shown - the view
   */
  constructor(parent, classroom, shown) {
    this.classroom = classroom;
    this.shown = shown;
    this.dialog = element("dialog", "lg-class-dialog lg-ask");
    this.dialog.setAttribute("aria-labelledby", "lg-ask-title");
    this.dialog.addEventListener("click", ({ target }) => { if (target === this.dialog) this.dialog.close(); });
    this.wrong = element("p", "lg-class-wrong");
    this.wrong.setAttribute("role", "alert");
    parent.append(this.dialog);
  }

  open() {
    const { words } = this.classroom.page.data;
    this.wrong.textContent = "";
    const inside = element("div", "lg-help-page");
    const head = element("header");
    const title = element("h2", "", words.asking_title);
    title.id = "lg-ask-title";
    head.append(title, button("lg-help-close", words.close, () => this.dialog.close()));
    inside.append(head, this.ready(words), this.form(words), this.wrong);
    this.dialog.replaceChildren(inside);
    if (!this.dialog.open) this.dialog.showModal();
    /** @type {?HTMLElement} */
    const first = inside.querySelector("button[data-part]");
    first?.focus();
  }

  // What can be asked about is on screen.
  get screen() {
    const { page } = this.classroom;
    const look = page.store.get();
    const { seed, level } = look;
    const pointable = this.shown()?.pointable;
    const channel = Number(pointable?.chosen?.()?.replace("map ", "") ?? 0);
    const maps = pointable?.count?.() ?? 0;
    const number = seed === null ? 0 : gameOf({ seed, level }).number;
    const quiz = look.view === "quiz" && seed !== null ? { seed, level, number: number === gameOf({ seed, level }).questions ? 0 : number } : null;
    return { look, channel, maps, quiz, sizes: sizesOf(page.rowOf(look.layer)?.shape ?? "") ?? [] };
  }

  /** @param {Words} words */
  ready(words) {
    const root = element("section", "lg-ask-ready");
    root.append(element("h3", "", words.asking_ready));
    root.append(...readyQuestions(this.screen, words).map((each) => {
      const made = button("", each.title, () => this.ask("quiz" in each ? this.classroom.asking.askQuiz(each.quiz) : this.classroom.ask(each.question)));
      made.dataset.part = "ask_ready";
      made.dataset.kind = "quiz" in each ? "quiz" : each.question.kind;
      return made;
    }));
    return root;
  }

  // --- A question of the teacher's own -----------------------------------------------------------------------------

  /** @param {Words} words */
  form(words) {
    const form = element("form", "lg-class-form lg-ask-own");
    const kinds = element("div", "lg-segments");
    kinds.setAttribute("role", "radiogroup");
    kinds.setAttribute("aria-label", words.asking_kind);
    kinds.append(...KINDS.map((kind) => segment("lg-ask-kind", kind, words[`asking_kind_${kind}`].toString(), () => this.choose(kind, form))));
    const send = element("button", "lg-primary", words.asking_send);
    send.type = "submit";
    send.dataset.part = "ask_send";
    form.append(
      element("h3", "", words.asking_own), kinds,
      field("text", words.asking_text, element("textarea"), { maxLength: 400, rows: 2, required: true }),
      field("choices", words.asking_choices_lines, element("textarea"), { rows: 3, maxLength: 1000 }),
      field("right", words.asking_right_maybe, element("input"), { autocomplete: "off", maxLength: 80 }),
      field("within", words.asking_within, element("input"), { autocomplete: "off", maxLength: 20 }),
      field("explanation", words.asking_explanation, element("textarea"), { rows: 2, maxLength: 1500 }), send,
    );
    form.noValidate = true; // what is wrong is said below, in the language of the page
    form.onsubmit = (event) => {
      event.preventDefault();
      const question = this.read(form, words);
      if (question) this.ask(this.classroom.ask(question));
    };
    this.choose(this.kind, form);
    return form;
  }

  /** @type {(kind: ClassQuestion["kind"], form: HTMLFormElement) => void} */
  choose(kind, form) {
    const { words } = this.classroom.page.data;
    this.kind = kind;
    for (const radio of form.querySelectorAll("input")) if (radio.type === "radio") radio.checked = radio.value === kind;
    const { choices, within, right } = fieldsOf(form);
    for (const [input, shown] of /** @type {const} */ ([[choices, kind === "choice"], [within, kind === "number"]])) /** @type {HTMLElement} */ (input.closest("label")).hidden = !shown;
    right.placeholder = { choice: words.asking_right_choice, map: words.asking_right_map, number: words.asking_right_number, shape: this.screen.sizes.join("×") && words.asking_right_shape }[kind].toString();
  }

  /** @type {(form: HTMLFormElement, words: Words) => ?NewQuestion} */
  read(form, words) {
    const { kind } = this;
    const fields = fieldsOf(form);
    const choices = kind === "choice" ? fields.choices.value.split("\n").map((line) => line.trim()).filter(Boolean) : [];
    const text = fields.text.value.trim();
    const right = rightIn(kind, fields.right.value);
    const within = numberIn(fields.within.value || "0");
    const isTooFew = kind === "choice" && (choices.length < 2 || choices.length > MOST_CHOICES);
    const misses = right !== null && kind === "choice" && right.some((place) => place >= choices.length);
    const wrong = !text ? words.asking_no_text : isTooFew ? words.asking_no_choices : right === null || misses || within === null || within < 0 ? words.asking_no_right : "";
    this.wrong.textContent = wrong.toString();
    if (wrong || right === null || within === null) return null;
    const { look, maps } = this.screen;
    const about = kind === "map" ? { layer: look.layer, maps } : kind === "shape" ? { layer: look.layer } : {};
    return { kind, text, choices, ...(right.length ? { right } : {}), within, explanation: fields.explanation.value.trim(), ...about };
  }

  /** @param {Promise<?Answer>} asked */
  async ask(asked) {
    const refusal = await asked;
    this.wrong.textContent = refusal ? said(refusal, "error", this.classroom.page.data.words) : "";
    if (!refusal) this.dialog.close();
  }

  close() {
    this.dialog.remove();
  }
}

// What is right, as it was typed: of choices counted from 1, of maps several with commas; null if it cannot be read.
/** @type {(kind: ClassQuestion["kind"], typed: string) => ?readonly number[]} */
export function rightIn(kind, typed) {
  if (!typed.trim()) return [];
  if (kind === "shape") return shapeIn(typed);
  const parts = kind === "map" ? typed.split(/[,;\s]+/).filter(Boolean) : [typed];
  const numbers = parts.map(numberIn).map((each) => (each !== null && kind === "choice" ? each - 1 : each));
  const fits = numbers.every((each) => each !== null && (kind === "number" || (Number.isInteger(each) && each >= 0)));
  return fits ? numbers.map(Number) : null;
}

/** @param {HTMLFormElement} form @returns {Fields} */
function fieldsOf(form) {
  return Object.fromEntries([...form.querySelectorAll("textarea, input:not([type=radio])")].map((each) => [/** @type {HTMLInputElement} */ (each).name, /** @type {HTMLInputElement} */ (each)]));
}

/** @type {(name: string, text: string | Words[string], input: HTMLInputElement | HTMLTextAreaElement, more: object) => HTMLElement} */
function field(name, text, input, more) {
  const label = element("label", "", filled(/** @type {string} */ (text), {}));
  Object.assign(input, { name, ...more });
  label.append(input);
  return label;
}
