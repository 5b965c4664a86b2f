// The outcome of a run: printed lines, verdict, pictures, reasons.

import { placed, textIn } from "../learning/making.js";
import { element, filled, percent } from "../maps/mosaic.js";

const WIDTH = 420; // screen pixels that a picture beside the text may have
const HEIGHT = 0.6; // of that: a square map and a photo stand side by side on a laptop
const MOST_LINES = 12;

/**
 * A figure of the printed lines; null if the code printed nothing.
 * @param {readonly string[]} printed
 * @param {Words} words
 */
export function printedOf(printed, words) {
  if (!printed.length) return null;
  const figure = element("figure", "lg-printed");
  const lines = printed.length > MOST_LINES ? [...printed.slice(0, MOST_LINES), "…"] : printed;
  const text = element("pre");
  text.append(element("samp", "", lines.join("\n")));
  figure.append(element("figcaption", "", words.step_printed), text);
  return figure;
}

/**
 * The verdict on a prediction, with the reason if a wrong answer was chosen.
 * @param {string} said
 * @param {boolean} right
 * @param {StepFacts} facts
 * @param {Words} words
 */
export function verdictOf(said, right, facts, words) {
  const root = element("div", right ? "lg-step-verdict lg-step-verdict-right" : "lg-step-verdict lg-step-verdict-wrong");
  root.append(element("strong", "", right ? `✓ ${words.step_right}` : `✗ ${words.step_wrong}`));
  if (facts.within !== null) {
    const answer = facts.answer.replace(" ", "\u00a0"); // a number and its unit stay on one line
    root.append(" ", filled(words.step_number, { said: `${said}${unitOf(answer)}`, answer }));
  } else if (facts.alike.includes(Number(said))) root.append(" ", textIn("span", words.step_alike));
  else if (!right && facts.whys[Number(said)]) root.append(" ", textIn("span", facts.whys[Number(said)]));
  else if (!right && facts.shown[Number(said)]) root.append(" ", textIn("span", filled(words.step_chosen_map, { shown: facts.shown[Number(said)] })));
  return root;
}

/**
 * The unit behind a number: " MB", " %"; empty if there is none.
 * @param {string} answer
 */
export function unitOf(answer) {
  return answer.replace(/^[−\d.,]+/, "");
}

/** @type {(paragraphs: readonly string[]) => HTMLElement} */
export function reasonsOf(paragraphs) {
  return placed("lg-after", ...paragraphs.map((text) => textIn("p", text)));
}

/**
 * A picture with its line, and its scale below it; the line of bars stands above them, as a title.
 * @param {StepPicture} picture
 */
export function pictureOf(picture) {
  const figure = element("figure", "lg-step-picture");
  const caption = element("figcaption");
  caption.append(textIn("span", picture.title));
  if (picture.bars.length) figure.append(caption, barsOf(picture));
  else {
    const image = mapImage(picture, WIDTH);
    figure.style.setProperty("--wide", `${image.width}px`); // its line does not make it wider
    figure.append(image, ...(picture.low ? [scaleOf(picture)] : []), caption);
  }
  return figure;
}

/**
 * The colours of a picture with the numbers that they stand for: both ends, and zero where it lies between them.
 * @param {StepPicture} picture
 */
export function scaleOf({ low, high, colours }) {
  const scale = element("div", "lg-step-scale");
  const strip = element("span", "lg-step-strip");
  strip.style.background = `linear-gradient(to right, ${colours.join(", ")})`;
  const numbers = /^(≤ )?−/.test(low) && !/^(≥ )?−/.test(high) && high !== "0" ? [low, "0", high] : [low, high];
  scale.append(strip, placed("lg-step-numbers", ...numbers.map((number) => element("span", "", number))));
  return scale;
}

/**
 * An image whose values are sharp squares, as large as a whole number of pixels for each allows.
 * @param {StepPicture} picture
 * @param {number} room
 */
export function mapImage({ png, text, width, height }, room) {
  const image = element("img");
  const times = Math.max(1, Math.floor(room / Math.max(width, height / HEIGHT)));
  Object.assign(image, { alt: text, src: `data:image/png;base64,${png}`, width: width * times, height: height * times });
  return image;
}

/** @param {StepPicture} picture */
function barsOf({ bars, text }) {
  const list = element("ul", "lg-step-bars");
  list.setAttribute("aria-label", text);
  const most = Math.max(...bars.map(({ value }) => Math.abs(value)), 1e-9);
  list.append(...bars.map(({ name, value }) => {
    const row = element("li");
    const bar = element("span", "lg-bar");
    bar.style.width = `${100 * Math.abs(value) / most}%`;
    row.append(element("span", "lg-bar-name", name), placed("lg-bar-room", bar), element("span", "lg-bar-value", percent(value)));
    return row;
  }));
  return list;
}
