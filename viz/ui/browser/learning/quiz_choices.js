// The choices of a question: buttons with texts, pictures or numbers. Once one is given, they have signs.

import { element, find } from "../maps/mosaic.js";
import { buttonOf, mark, numbersOf, pictureOf, placed } from "./making.js";

const MOST_SQUARES = 80; // values along a side that can be told apart

/**
 * The buttons; `chosen` is told the place of the one that was pressed, once.
 * @param {readonly QuizChoice[]} choices
 * @param {Words} words
 * @param {(place: number) => void} chosen
 */
export function choiceButtons(choices, words, chosen) {
  const buttons = choices.map((choice, place) => {
    const button = buttonOf("", () => {
      for (const each of buttons) each.setAttribute("aria-disabled", "true");
      button.classList.add("lg-given");
      chosen(place);
    });
    const key = element("kbd", "lg-quiz-key", String(place + 1));
    key.setAttribute("aria-hidden", "true");
    button.setAttribute("aria-keyshortcuts", String(place + 1));
    button.append(...drawn(choice, key));
    return button;
  });
  const group = placed(`lg-quiz-choices${kindOf(choices)}`, ...buttons);
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", words.quiz_choices);
  return group;
}

/**
 * The choices with the right one marked, and the one that was chosen, if it is another.
 * @param {readonly QuizChoice[]} choices
 * @param {{answer: number, choice: number}} given
 * @param {Words} words
 */
export function answeredChoices(choices, { answer, choice }, words) {
  const list = element("ul", `lg-answers${kindOf(choices)}`);
  list.append(...choices.map((each, place) => {
    const [className, sign, meaning] = place === answer ? ["lg-answer", "✓", words.quiz_sign_right]
      : place === choice ? ["lg-chosen", "✗", words.quiz_sign_wrong] : ["", "", ""];
    const item = element("li", className);
    item.append(...drawn(each, sign ? mark(sign, meaning) : null));
    return item;
  }));
  return list;
}

// The pictures or numbers that a question is about, besides those of its choices.
/** @param {QuizQuestionFacts} question */
export function shownWith({ numbers, pictures }) {
  const shown = pictures.length ? [placed("lg-quiz-pictures", ...pictures.map((picture) => pictureOf(picture)))] : [];
  return numbers ? [...shown, placed("lg-quiz-given", numbersOf(numbers))] : shown;
}

// A picture names itself to screen readers, and says what it shows; for all others its name is below it.
/** @type {(choice: QuizChoice, sign: ?HTMLElement) => HTMLElement[]} */
function drawn({ text, picture, numbers }, sign) {
  const name = element("span", "lg-choice", text);
  const line = element("span", "lg-choice-line");
  if (sign) {
    sign.classList.add("lg-quiz-sign");
    line.append(sign);
  }
  line.append(name);
  if (picture) {
    name.setAttribute("aria-hidden", "true");
    return [scaled(pictureOf(picture, "span")), line];
  }
  if (!numbers) return [line];
  name.classList.add("lg-unseen");
  const table = numbersOf(numbers);
  table.setAttribute("aria-hidden", "true"); // the text says them
  return [table, line];
}

// As wide as there is room: few values stay sharp squares, of many no square can be seen.
/** @param {HTMLElement} picture */
function scaled(picture) {
  const image = find(picture, "img");
  image.style.width = image.style.height = "";
  image.onload = () => image.classList.toggle("lg-smooth", image.naturalWidth > MOST_SQUARES);
  return picture;
}

/** @param {readonly QuizChoice[]} choices */
function kindOf([{ picture, numbers }]) {
  return picture ? " lg-pictured" : numbers ? " lg-numbered" : "";
}
