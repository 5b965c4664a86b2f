// The code of a step: its own line lit, the order of running in numbers.

import { coloured } from "../exercise/colours.js";
import { element, filled } from "../maps/mosaic.js";

const LINE_MS = 380; // how long a line that runs is lit
const MOST_LIT = 16; // lines that are lit one after another; the numbers tell the rest
const MOST_SAID = 3; // numbers beside a line; of more, the first and the last
const BREAKS = /(?<=[.(])(?=\w)/; // where a line that is too long for the screen goes on in the next one

/**
 * The places of each line in the order of running; the first line that ran is 1.
 * @param {readonly number[]} ran - the numbers of lines in the order in which they ran
 * @returns {Map<number, number[]>}
 */
export function ordersOf(ran) {
  /** @type {Map<number, number[]>} */
  const orders = new Map();
  ran.forEach((line, place) => orders.set(line, [...orders.get(line) ?? [], place + 1]));
  return orders;
}

/**
 * The numbers beside a line: all of a few, the first and the last of many.
 * @param {readonly number[]} orders
 */
export function ordersSaid(orders) {
  return orders.length > MOST_SAID ? `${orders[0]}…${orders[orders.length - 1]}` : orders.join(" ");
}

export class Code {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  lighting;

  /**
   * @param {string} code
   * @param {readonly number[]} lit
   * @param {Words} words
   */
  constructor(code, lit, words) {
    this.words = words;
    this.root = element("pre", "lg-step-code");
    this.root.tabIndex = 0; // where it is wider than the screen, the keys can move it
    this.root.setAttribute("aria-label", words.step_code);
    this.lines = code.split("\n").map((line, place) => lineOf(line, place + 1, lit.includes(place + 1)));
    const all = element("code");
    all.append(...this.lines);
    this.root.append(all);
  }

  /**
   * Say in which order lines ran; show it, too, one line after the other, unless nothing may move.
   * @param {readonly number[]} ran
   * @param {boolean} moving
   */
  runs(ran, moving) {
    for (const [line, orders] of ordersOf(ran)) {
      const place = this.lines[line - 1]?.querySelector(".lg-order");
      if (!(place instanceof HTMLElement)) continue;
      place.textContent = ordersSaid(orders);
      place.title = filled(this.words.step_order, { order: ordersSaid(orders) });
    }
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (moving && !still) this.light(ran);
  }

  /**
   * Light one line after the other, in the order in which they ran.
   * @param {readonly number[]} ran
   */
  light(ran) {
    clearTimeout(this.lighting);
    this.lightFrom(ran.slice(0, MOST_LIT), 0);
  }

  /** @type {(ran: readonly number[], place: number) => void} */
  lightFrom(ran, place) {
    for (const line of this.lines) line.classList.remove("lg-runs");
    if (place >= ran.length) return;
    this.lines[ran[place] - 1]?.classList.add("lg-runs");
    this.lighting = setTimeout(() => this.lightFrom(ran, place + 1), LINE_MS);
  }

  close() {
    clearTimeout(this.lighting);
  }
}

/** @type {(line: string, number: number, lit: boolean) => HTMLElement} */
function lineOf(line, number, lit) {
  const root = element("span", lit ? "lg-code-line lg-lit" : "lg-code-line");
  root.dataset.line = String(number);
  const text = lit ? element("mark", "lg-code-text") : element("span", "lg-code-text");
  const indent = line.length - line.trimStart().length;
  text.style.setProperty("--indent", String(indent));
  text.append(element("span", "lg-code-indent", line.slice(0, indent)), ...coloured(line.slice(indent)).flatMap(breakable));
  root.append(element("span", "lg-order"), text);
  return root;
}

/**
 * Plain code with places at which it may break; coloured parts stay whole.
 * @param {Node} node
 * @returns {Node[]}
 */
function breakable(node) {
  if (!(node instanceof Text)) return [node];
  const parts = node.data.split(BREAKS).map((part) => document.createTextNode(part));
  return parts.flatMap((part, place) => (place ? [element("wbr"), part] : [part]));
}
