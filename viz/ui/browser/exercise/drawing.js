// The result of a checked answer: verdict, problems with their lines, pairs of maps.

import { buttonOf, mark, placed, textIn } from "../learning/making.js";
import { element, filled, readable } from "../maps/mosaic.js";
import { coloured } from "./colours.js";

const PICTURE_WIDTH = 448; // screen pixels: small maps are enlarged up to this, by whole pixels

/**
 * @param {{verdict: HTMLElement, found: HTMLElement}} places
 * @param {AnswerFacts} answer
 * @param {Words} words
 * @param {(line: number) => void} goTo
 */
export function drawFound({ verdict, found }, answer, words, goTo) {
  const says = element("p", answer.right ? "lg-right" : "lg-wrong");
  says.append(mark(answer.right ? "✓" : "✗", ""), " ", answer.right ? words.exercise_right : words.exercise_wrong);
  says.querySelector("[role=img]")?.setAttribute("aria-hidden", "true");
  const problems = element("ul", "lg-problems");
  problems.append(...answer.problems.map((problem) => problemOf(problem, words, goTo)));
  verdict.replaceChildren(says, ...(answer.problems.length ? [problems] : []));
  if (answer.advice) verdict.append(placedText("lg-advice", answer.advice));
  if (answer.why) verdict.append(placedText("lg-learned", answer.why));
  found.replaceChildren(...parts(answer, words));
}

/** @type {(answer: AnswerFacts, words: Words) => HTMLElement[]} */
function parts({ guesses, pairs, printed }, words) {
  const found = [];
  if (guesses.length > 1) found.push(element("p", "", filled(words.exercise_guesses, { before: guesses[0], after: guesses[1] })));
  if (printed.length) found.push(placed("lg-printed", element("h4", "", words.exercise_printed), element("pre", "", printed.join("\n"))));
  return [...found, ...pairs.map((pair) => pairOf(pair, words))];
}

/**
 * Code that is only looked at.
 * @param {string} code
 */
export function codeOf(code) {
  const made = element("pre", "lg-code");
  made.append(...coloured(code));
  return made;
}

/** @type {(name: string, text: Markup) => HTMLElement} */
function placedText(name, text) {
  const made = textIn("p", text);
  made.className = name;
  return made;
}

/** @type {(problem: AnswerProblem, words: Words, goTo: (line: number) => void) => HTMLElement} */
function problemOf({ text, line }, words, goTo) {
  const item = element("li");
  if (line) item.append(buttonOf(filled(words.exercise_line, { line }), () => goTo(line), "lg-to-line"), " ");
  item.append(textIn("span", text));
  return item;
}

/** @type {(pair: ValuePair, words: Words) => HTMLElement} */
function pairOf({ name, yours, wanted, vmin, vmax, maps, all }, words) {
  const sides = placed("lg-pair-sides",
    shown(yours, filled(words.exercise_yours, { name }), filled(words.exercise_alt_yours, { name }), words),
    shown(wanted, filled(words.exercise_wanted, { name }), filled(words.exercise_alt_wanted, { name }), words));
  const notes = [];
  if (maps < all) notes.push(filled(words.exercise_some, { maps, all }));
  if (yours?.png && wanted?.png && vmin !== null) notes.push(filled(words.exercise_scale, { vmin: readable(vmin), vmax: readable(vmax) }));
  return placed("lg-pair", sides, ...(notes.length ? [element("p", "lg-quiet", notes.join(" "))] : []));
}

/** @type {(value: ?ShownValue, title: string, alt: string, words: Words) => HTMLElement} */
function shown(value, title, alt, words) {
  const figure = element("figure", "lg-picture");
  figure.append(element("figcaption", "", title));
  if (value?.png) {
    const image = element("img", "lg-exact");
    Object.assign(image, { alt, src: `data:image/png;base64,${value.png}` });
    image.style.width = `${value.width * Math.max(1, Math.floor(PICTURE_WIDTH / value.width))}px`;
    figure.append(image);
  } else {
    figure.append(value ? element("pre", "", value.text) : element("p", "lg-quiet", words.exercise_nothing));
  }
  return figure;
}
