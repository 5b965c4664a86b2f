// The form of a question of one's own: kind, text, right answer. It is filled in to ask the class at once, and for a
// step of a lesson.

import { numberIn, shapeIn } from "../classroom/asking_state.js";
import { element, filled } from "../maps/mosaic.js";
import { segment } from "../page/segments.js";
import { FEWEST_CHOICES, LONGEST_EXPLANATION, LONGEST_TEXT, MOST_CHOICES } from "./limits.js";

export const ASKING = "plan-a-lesson#how-do-i-ask-the-class-a-question";

/** @typedef {ClassQuestion["kind"]} Kind */
/** @typedef {"text" | "choices" | "right" | "within" | "least" | "most" | "explanation"} Name */
/** @typedef {{kind: Kind} & Record<Name, string>} Typed - as it stands in the form */

const KINDS = /** @type {const} */ (["choice", "map", "number", "shape"]);

export class QuestionForm {
  /** @type {Kind} */
  kind = "choice";

  /** @type {Partial<Record<Name, HTMLInputElement | HTMLTextAreaElement>>} */
  fields = {};

  /**
   * @param {Words} words
   * @param {{group: string, right: string, isBounded?: boolean, isOfLayer: () => boolean}} how - the name of its radio
   *   buttons; what the right answer is called; whether a number has bounds; whether a shape that is left empty is known
   */
  constructor(words, how) {
    this.words = words;
    this.how = how;
    this.root = element("form", "lg-class-form lg-ask-own");
    this.root.noValidate = true; // what is wrong is said below, in the language of the page
    const kinds = element("div", "lg-segments");
    kinds.setAttribute("role", "radiogroup");
    kinds.setAttribute("aria-label", words.asking_kind);
    kinds.append(...KINDS.map((kind) => segment(how.group, kind, words[`asking_kind_${kind}`].toString(), () => this.choose(kind))));
    this.root.append(kinds);
    this.lay();
    this.choose("choice");
  }

  lay() {
    const { words, how } = this, short = { autocomplete: "off", maxLength: 20 };
    this.add("text", words.asking_text, element("textarea"), { maxLength: LONGEST_TEXT, rows: 2, required: true });
    this.add("choices", filled(words.asking_choices_lines, { fewest: FEWEST_CHOICES, most: MOST_CHOICES }), element("textarea"), { rows: 3, maxLength: 1000 });
    this.add("right", how.right, element("input"), { autocomplete: "off", maxLength: 80 });
    this.add("within", words.asking_within, element("input"), short);
    if (how.isBounded) {
      this.add("least", words.plan_question_least, element("input"), short);
      this.add("most", words.plan_question_most, element("input"), short);
    }
    this.add("explanation", words.asking_explanation, element("textarea"), { rows: 2, maxLength: LONGEST_EXPLANATION });
  }

  /** @type {(name: Name, text: string, input: HTMLInputElement | HTMLTextAreaElement, more: object) => void} */
  add(name, text, input, more) {
    const label = element("label", "", text);
    this.fields[name] = Object.assign(input, { name, ...more });
    label.append(input);
    this.root.append(label);
  }

  /** @param {Kind} kind */
  choose(kind) {
    const { words, fields: { choices, within, least, most, right } } = this;
    this.kind = kind;
    for (const radio of this.root.querySelectorAll("input")) if (radio.type === "radio") radio.checked = radio.value === kind;
    hide(kind !== "choice", choices);
    hide(kind !== "number", within, least, most);
    const placeholder = { choice: words.asking_right_choice, map: words.asking_right_map, number: words.asking_right_number, shape: this.how.isOfLayer() ? words.asking_right_shape : "64×56×56" };
    if (right) right.placeholder = placeholder[kind];
  }

  /** @param {Typed} typed */
  fill({ kind, ...typed }) {
    for (const [name, value] of Object.entries(typed)) {
      const field = this.fields[/** @type {Name} */ (name)];
      if (field) field.value = value;
    }
    this.choose(kind);
  }

  clear() {
    this.root.reset();
    this.choose(this.kind); // the next one may be of this kind
  }

  /** @returns {Typed} */
  get typed() {
    const { fields, kind } = this, said = (/** @type {Name} */ name) => fields[name]?.value.trim() ?? "";
    return { kind, text: said("text"), choices: said("choices"), right: said("right"), within: said("within"), least: said("least"), most: said("most"), explanation: said("explanation") };
  }
}

/** The choices, one a line. @param {string} typed */
export function choicesIn(typed) {
  return typed.split("\n").map((line) => line.trim()).filter(Boolean);
}

// The right answer, as it was typed: of choices counted from 1, of maps several with commas; null if it cannot be read.
/** @type {(kind: Kind, typed: string) => ?readonly number[]} */
export function rightIn(kind, typed) {
  if (!typed.trim()) return [];
  if (kind === "shape") return withoutBatch(typed);
  const parts = kind === "map" ? typed.split(/[,;\s]+/).filter(Boolean) : [typed];
  const numbers = parts.map(numberIn).map((each) => (each !== null && kind === "choice" ? each - 1 : each));
  const fits = numbers.every((each) => each !== null && (kind === "number" || (Number.isInteger(each) && each >= 0)));
  return fits ? numbers.map(Number) : null;
}

// People who type brackets name the batch too, which is one; without them, a first 1 is a single channel.
/** @param {string} typed */
function withoutBatch(typed) {
  const sizes = shapeIn(typed);
  return sizes && sizes.length > 1 && sizes[0] === 1 && /[([]/.test(typed) ? sizes.slice(1) : sizes;
}

/** @type {(hidden: boolean, ...inputs: (HTMLElement | undefined)[]) => void} */
function hide(hidden, ...inputs) {
  for (const input of inputs) input?.closest("label")?.toggleAttribute("hidden", hidden);
}
