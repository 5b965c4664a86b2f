// Building blocks of all scenes: titled panels, lines of a sum, flying numbers.

import { brief, exact } from "../number/number_grids.js";
import { element } from "../maps/mosaic.js";

/**
 * The reading behind a scene, and its callbacks.
 * @typedef {Object} Told
 * @property {Reading} reading
 * @property {Words} words
 * @property {string} seen - the address of what the model saw
 * @property {(cell: number) => void} choose - another number of the block
 * @property {(channel: number) => void} chooseSource - another channel of the input
 */

/** @typedef {import("./steps.js").Step} Step */

/**
 * A scene: the panels before the output, and what they show at a step; `time` is how long its tweens may take.
 * @typedef {Object} Scene
 * @property {readonly HTMLElement[]} panels
 * @property {number} columns - squares beside each other, which the width is shared by
 * @property {(step: Step, time: number) => void} show
 * @property {(step: Step) => string} said - the step in words
 * @property {() => Element} result - from where the number flies into the output
 */

/** A part of the scene with its title. @type {(title: string | HTMLElement, ...content: Element[]) => HTMLElement} */
export function panel(title, ...content) {
  const root = element("figure", "lg-reading-panel");
  const caption = element("figcaption");
  caption.append(title);
  root.append(caption, ...content);
  return root;
}

/** A line of a sum: what it is, and how much. @type {(className: string, label: string, sign?: string) => {root: HTMLElement, value: HTMLElement, put: (value: Exact | null, label?: string) => void}} */
export function sumLine(className, label, sign = "") {
  const root = element("div", `lg-reading-line ${className}`);
  const [signed, name, value] = [element("i", "", sign), element("span", "", label), element("b")];
  root.append(signed, name, value);
  const put = (/** @type {Exact | null} */ number, said = label) => {
    name.textContent = said;
    value.textContent = number === null ? "" : written(number);
    value.title = number === null ? "" : exact(number);
  };
  return { root, value, put };
}

/** A number of a sum as it is read aloud and on a wall. @param {Exact} value */
export function written(value) {
  return brief(value, 4);
}

/** In brackets if it has a sign. @param {Exact} value */
export function bracketed(value) {
  return Number(value) < 0 ? `(${written(value)})` : written(value);
}

/** A number flies from one place to another. @type {(scene: HTMLElement, from: DOMRect, to: DOMRect, text: string, how: {time: number, delay?: number}) => void} */
export function fly(scene, from, to, text, { time, delay = 0 }) {
  if (!time || !from.width || !to.width) return;
  const around = scene.getBoundingClientRect();
  const zoom = around.width / scene.offsetWidth || 1; // of a presentation
  const flown = element("span", "lg-reading-flown", text);
  flown.setAttribute("aria-hidden", "true");
  scene.append(flown);
  const at = (/** @type {DOMRect} */ box) => `translate(${(box.left + box.width / 2 - around.left) / zoom}px, ${(box.top + box.height / 2 - around.top) / zoom}px) translate(-50%, -50%)`;
  const flight = flown.animate([{ transform: at(from), opacity: 0.3 }, { transform: at(from), opacity: 1, offset: 0.12 }, { transform: at(to), opacity: 1, offset: 0.85 }, { transform: at(to), opacity: 0 }], { duration: time, delay, easing: "ease-in-out", fill: "both" });
  flight.onfinish = () => flown.remove();
  flight.oncancel = () => flown.remove();
}
