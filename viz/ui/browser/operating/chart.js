// One chart of the last minutes: lines over time, marks, a legend with values.

import { decades, linePath, marks } from "./series.js";

const HEIGHT = 168;
const BELOW = 20; // pixels for the times
const LEFT = 52; // pixels for the marks
const RIGHT = 8;
const ABOVE = 8;
const SVG = "http://www.w3.org/2000/svg";
const MINUTE = 60;

/** @typedef {import("./series.js").Series} Series */
/** @typedef {{series: readonly Series[], text: (value: ?number) => string, least: number, decades?: boolean, ceiling?: ?number, ceilingName?: string}} Drawn */

export class Chart {
  /**
   * @param {HTMLElement} root
   * @param {(place: ?number) => void} pointed is told which moment the pointer is at, or null
   */
  constructor(root, pointed) {
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("role", "img");
    this.legend = document.createElement("ul");
    root.append(this.legend, this.svg);
    /** @type {readonly number[]} */
    this.times = [];
    this.title = root.querySelector("figcaption")?.textContent ?? "";
    this.svg.addEventListener("pointermove", (event) => pointed(this.placeAt(event.clientX)));
    this.svg.addEventListener("pointerleave", () => pointed(null));
  }

  // Draw the series over these times (seconds); the legend says the values at a place, or the last ones.
  /** @type {(times: readonly number[], span: number, drawn: Drawn, place: ?number) => void} */
  draw(times, span, drawn, place) {
    this.times = times;
    this.width = this.svg.clientWidth || 400;
    this.end = times[times.length - 1] ?? 0;
    this.span = span;
    const values = drawn.series.flatMap((series) => series.values.filter((value) => value !== null));
    const most = Math.max(0, ...values);
    const ceiling = drawn.ceiling && drawn.ceiling < most * 3 ? drawn.ceiling : null;
    const steps = drawn.decades ? decades(values, drawn.least) : marks(Math.max(most, ceiling ?? 0), drawn.least);
    this.bottom = steps[0];
    this.top = steps[steps.length - 1];
    const parts = [...this.grid(steps, drawn.text), ...this.minutes()];
    if (ceiling) parts.push(this.line("ceiling", `M${LEFT} ${this.y(ceiling)}H${this.right}`));
    drawn.series.forEach((series, number) => {
      const points = series.values.map((value, at) => (value === null ? null : /** @type {[number, number]} */ ([this.x(times[at]), this.y(value)])));
      parts.push(this.line(`line c${number}`, linePath(points)));
    });
    if (place !== null && times[place] !== undefined) parts.push(this.line("pointer", `M${this.x(times[place]).toFixed(1)} ${ABOVE}V${HEIGHT - BELOW}`));
    this.svg.replaceChildren(...parts);
    this.say(drawn, place ?? times.length - 1);
  }

  get right() {
    return /** @type {number} */ (this.width) - RIGHT;
  }

  /** @param {number} time */
  x(time) {
    return this.right - ((/** @type {number} */ (this.end) - time) / /** @type {number} */ (this.span)) * (this.right - LEFT);
  }

  /** @param {number} value */
  y(value) {
    const [bottom, top] = /** @type {[number, number]} */ ([this.bottom, this.top]);
    const share = bottom ? Math.log(Math.max(value, bottom) / bottom) / Math.log(top / bottom) : value / top;
    return HEIGHT - BELOW - share * (HEIGHT - BELOW - ABOVE);
  }

  /** @type {(clientX: number) => ?number} */
  placeAt(clientX) {
    if (!this.times.length) return null;
    const x = clientX - this.svg.getBoundingClientRect().left;
    let nearest = 0;
    this.times.forEach((time, place) => {
      if (Math.abs(this.x(time) - x) < Math.abs(this.x(this.times[nearest]) - x)) nearest = place;
    });
    return nearest;
  }

  /** @type {(steps: readonly number[], text: (value: ?number) => string) => Element[]} */
  grid(steps, text) {
    return steps.flatMap((step) => [
      this.line("grid", `M${LEFT} ${this.y(step).toFixed(1)}H${this.right}`),
      label(LEFT - 6, this.y(step) + 4, "end", step ? text(step) : "0"),
    ]);
  }

  // Labels of the time axis in minutes ago, as many as there is room for.
  minutes() {
    const span = /** @type {number} */ (this.span) / MINUTE;
    const step = [1, 2, 5].find((each) => (span / each) * 56 < this.right - LEFT) ?? 5;
    const ago = Array.from({ length: Math.floor(span / step) + 1 }, (_, place) => place * step);
    return ago.map((minutes) => {
      const x = this.x(/** @type {number} */ (this.end) - minutes * MINUTE);
      return label(x, HEIGHT - 4, minutes ? "middle" : "end", minutes ? `−${minutes} min` : "now");
    });
  }

  /** @type {(kind: string, path: string) => Element} */
  line(kind, path) {
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("class", kind);
    line.setAttribute("d", path);
    return line;
  }

  /** @type {(drawn: Drawn, place: number) => void} */
  say(drawn, place) {
    const said = drawn.series.map((series) => [series.name, drawn.text(series.values[place] ?? null)]);
    if (drawn.ceiling && drawn.ceilingName) said.push([drawn.ceilingName, drawn.text(drawn.ceiling)]);
    this.legend.replaceChildren(
      ...said.map(([name, text], number) => {
        const entry = document.createElement("li");
        entry.className = number < drawn.series.length ? `c${number}` : "of-ceiling";
        const value = document.createElement("b");
        value.textContent = text;
        entry.append(`${name} `, value);
        return entry;
      }),
    );
    this.svg.setAttribute("aria-label", `${this.title}: ${said.map((each) => each.join(" ")).join(", ") || "–"}`);
  }
}

/** @type {(x: number, y: number, anchor: string, text: string) => Element} */
function label(x, y, anchor, text) {
  const element = document.createElementNS(SVG, "text");
  element.setAttribute("x", x.toFixed(1));
  element.setAttribute("y", y.toFixed(1));
  element.setAttribute("text-anchor", anchor);
  element.textContent = text;
  return element;
}
