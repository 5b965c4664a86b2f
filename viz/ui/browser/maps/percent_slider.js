// A slider in percent, for how much of a picture shows through or is covered.

import { element } from "./mosaic.js";

/**
 * It moves with the visitor's hand, which nothing takes from it, and is chosen once that rests.
 * @typedef {Object} PercentSlider
 * @property {HTMLElement} root
 * @property {() => number} share - from 0 to 1
 * @property {(percent: number) => void} follow - take what the look says, if that is another value than before
 * @property {(text: string) => void} name
 */

/** @type {(most: number | undefined, acts: {moved: (share: number) => void, chosen: (percent: number) => void}) => PercentSlider} */
export function percentSlider(most = 100, { moved, chosen }) {
  const root = element("label", "lg-overlay");
  const [name, input] = [element("span"), element("input")];
  Object.assign(input, { type: "range", min: 0, max: most / 100, step: 0.05, value: 0 });
  input.addEventListener("input", () => moved(Number(input.value)));
  input.addEventListener("change", () => chosen(Math.round(100 * Number(input.value))));
  root.append(name, input);
  let said = 0;
  return {
    root,
    share: () => Number(input.value),
    follow(percent) {
      if (percent === said) return;
      said = percent;
      input.step = percent % 5 ? "0.01" : "0.05"; // a link may say what the hand does not reach
      input.value = String(percent / 100);
      moved(Number(input.value));
    },
    name: (text) => { name.textContent = text; },
  };
}
