// The form for an answer: a choice is pressed, anything else is typed.

import { isSame, typedAnswer } from "../classroom/asking_state.js";
import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";

/** @typedef {{root: HTMLElement, show: (mine: Value) => void}} AnswerForm */

/**
 * @param {AskedQuestion} question
 * @param {Words} words
 * @param {(value: Value) => void} answered
 * @returns {AnswerForm}
 */
export function answerForm(question, words, answered) {
  return question.kind === "choice" ? choices(question, words, answered) : box(question, words, answered);
}

/** @type {(question: AskedQuestion, words: Words, answered: (value: Value) => void) => AnswerForm} */
function choices({ choices: texts }, words, answered) {
  const root = element("div", "lg-asked-choices");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", words.asking_choices);
  const buttons = texts.map((text, place) => button("", text, () => answered([place])));
  root.append(...buttons);
  return { root, show: (mine) => buttons.forEach((each, place) => each.setAttribute("aria-pressed", String(isSame(mine, [place])))) };
}

/** @type {(question: AskedQuestion, words: Words, answered: (value: Value) => void) => AnswerForm} */
function box(question, words, answered) {
  const root = element("form", "lg-asked-form");
  const label = element("label", "", { map: words.asking_type_map, number: words.asking_type_number, shape: words.asking_type_shape, choice: "" }[question.kind]);
  const input = element("input");
  Object.assign(input, { type: "text", autocomplete: "off", maxLength: 80, inputMode: question.kind === "map" ? "numeric" : "text", spellcheck: false });
  input.dataset.part = "asked_typed";
  if (question.kind === "shape") input.placeholder = "3×32×32";
  const send = element("button", "lg-primary", words.asking_answer);
  const wrong = element("p", "lg-asked-wrong");
  send.type = "submit";
  send.dataset.part = "asked_send";
  wrong.setAttribute("role", "alert");
  label.append(input);
  root.append(label, send, wrong);
  root.onsubmit = (event) => {
    event.preventDefault();
    const value = typedAnswer(question, input.value);
    const most = question.maps ? filled(words.asking_no_map, { most: question.maps - 1 }) : words.asking_no_number;
    wrong.textContent = value ? "" : { map: most, number: words.asking_no_number, shape: words.asking_no_shape, choice: "" }[question.kind];
    input.setAttribute("aria-invalid", String(!value));
    if (value) answered(value);
  };
  return { root, show: () => {} };
}
