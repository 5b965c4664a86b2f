// The prediction before a run: one of several answers or maps, or a number.

import { element } from "../maps/mosaic.js";
import { placed, textIn } from "../learning/making.js";
import { mapImage } from "./outcome.js";

// Answers are often numbers, so their signs are letters; the digits work as well.
const LETTERS = ["A", "B", "C", "D"];

/** @param {number} place - of an answer, from 0 */
function letterOf(place) {
  return LETTERS[place] ?? String(place + 1);
}

/**
 * Place of the answer that a key chooses, from 0; -1 if none.
 * @param {string} key
 */
export function placeOfKey(key) {
  return /^[1-9]$/.test(key) ? Number(key) - 1 : LETTERS.indexOf(key.toUpperCase());
}

/** @typedef {{readonly right: boolean, readonly near?: boolean}} Judged */

/**
 * Check whether a prediction is right. A map that looks like the right one is.
 * @param {string} said - the place of a choice, or a number
 * @param {Pick<StepFacts, "right" | "alike" | "within" | "answer">} facts
 * @returns {boolean}
 */
export function isRight(said, { right, alike, within, answer }) {
  if (within === null) return said !== "" && (Number(said) === right || alike.includes(Number(said)));
  return Math.abs(Number(said) - Number.parseFloat(answer)) <= within;
}

export class Prediction {
  said = "";
  /** @type {HTMLInputElement | undefined} */
  range;
  /** @type {HTMLInputElement | undefined} */
  number;

  /**
   * @param {StepText} step
   * @param {Words} words
   * @param {() => void} chosen
   */
  constructor(step, words, chosen) {
    this.step = step;
    this.words = words;
    this.chosen = chosen;
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.root = element("section", "lg-predict");
    this.root.setAttribute("aria-label", words.step_predict);
    this.root.append(element("p", "lg-predict-head", words.step_predict), textIn("p", step.question), this.answers());
  }

  answers() {
    const { step: { choices, maps, guess } } = this;
    if (guess) return this.slider(guess);
    if (maps) {
      this.buttons = Array.from({ length: maps }, (_, place) => this.choice(place, element("span", "lg-map-wait", "…")));
      for (const button of this.buttons) button.disabled = true; // until there is something to choose from
      return placed("lg-map-choices", ...this.buttons);
    }
    this.buttons = choices.map((choice, place) => this.choice(place, textIn("span", choice)));
    return placed("lg-choices-of-step", ...this.buttons);
  }

  /** @type {(place: number, content: Node) => HTMLButtonElement} */
  choice(place, content) {
    const button = element("button", "lg-choice");
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.append(element("kbd", "", letterOf(place)), content);
    button.onclick = () => this.say(String(place));
    return button;
  }

  /** @param {NumberRange} guess */
  slider({ least, most, unit }) {
    const range = element("input");
    const step = most - least > 20 ? 1 : (most - least) / 100;
    Object.assign(range, { type: "range", min: least, max: most, step, value: (least + most) / 2 });
    range.setAttribute("aria-label", this.words.step_predict);
    const number = element("input");
    Object.assign(number, { type: "number", min: least, max: most, step: "any", placeholder: "?" });
    number.setAttribute("aria-label", this.words.step_guess_number);
    range.oninput = range.onclick = () => {
      number.value = range.value;
      range.setAttribute("aria-valuetext", `${range.value} ${unit}`.trim());
      this.say(range.value);
    };
    number.oninput = () => {
      range.value = number.value;
      this.say(number.checkValidity() ? number.value : "");
    };
    Object.assign(this, { range, number });
    return placed("lg-guess", element("span", "", String(least)), range, element("span", "", String(most)), number, element("span", "", unit));
  }

  /** @param {readonly StepPicture[]} maps */
  showMaps(maps) {
    maps.forEach((map, place) => this.buttons[place]?.replaceChildren(element("kbd", "", letterOf(place)), mapImage(map, 190)));
    for (const button of this.buttons) button.disabled = false;
  }

  /** @param {string} said */
  say(said) {
    if (this.root.classList.contains("lg-judged")) return;
    this.said = said;
    this.buttons.forEach((button, place) => button.setAttribute("aria-pressed", String(String(place) === said)));
    this.chosen();
  }

  /** @param {number} place - of a choice, from 0 */
  press(place) {
    this.buttons[place]?.click();
  }

  /**
   * Mark the prediction and the right answer, by sign and by colour.
   * @param {string} said
   * @param {StepFacts} facts
   */
  judge(said, facts) {
    this.said = said;
    this.root.classList.add("lg-judged");
    this.buttons.forEach((button, place) => {
      const [isSaid, isIt] = [String(place) === said, isRight(String(place), facts)];
      button.setAttribute("aria-pressed", String(isSaid));
      button.setAttribute("aria-disabled", "true");
      button.classList.toggle("lg-is-right", isIt);
      button.classList.toggle("lg-is-wrong", isSaid && !isIt);
      if (facts.shown[place] && !button.querySelector(".lg-choice-shown")) button.append(placed("lg-choice-shown", textIn("span", facts.shown[place])));
      if (isIt || isSaid) button.append(sign(isIt ? "✓" : "✗", isIt ? this.words.step_is_right : this.words.step_is_wrong));
    });
    for (const field of [this.range, this.number]) if (field) Object.assign(field, { value: said, disabled: true });
  }
}

/** @type {(text: string, meaning: string) => HTMLElement} */
function sign(text, meaning) {
  const made = element("span", "lg-step-sign", text);
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", meaning);
  return made;
}
