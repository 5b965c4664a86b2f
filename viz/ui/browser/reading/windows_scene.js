// The scene of a sliding window: its numbers times the weights, and the sum.

import { named as namedBox, selectBox } from "../layer/options.js";
import { element, filled } from "../maps/mosaic.js";
import { brief } from "../number/number_grids.js";
import { bracketed, fly, panel, sumLine, written } from "./parts.js";
import { svgPart, largest, Squares, squareText, UNIT } from "./squares.js";
import { nearest, phasesOf, reached } from "./steps.js";
import { furthestFromZero, kernelOf, named, seen, sumOf } from "./sums.js";

const WRITTEN_REGION = 12; // columns of the input whose numbers can be read
const WRITTEN_KERNEL = 5; // likewise of the weights
const MOST_FLIGHTS = 25;

/** @typedef {import("./parts.js").Told} Told */
/** @typedef {import("./parts.js").Step} Step */

/** @typedef {import("./parts.js").Scene} Scene */
/** @implements {Scene} */
export class WindowScene {
  /** @param {Told & {reading: Reading & {region: Region}}} told */
  constructor(told) {
    const { reading, words } = told;
    this.told = told;
    this.phases = phasesOf(reading);
    const { region, cells } = reading;
    const window = cells[0].window;
    this.size = { rows: window?.rows.length ?? 1, columns: window?.columns.length ?? 1 };
    const readable = this.size.columns <= WRITTEN_KERNEL && region.columns <= WRITTEN_REGION;
    this.input = new Squares(region.rows, region.columns, { written: readable, padding: region.padding });
    this.input.fill(region.values);
    this.most = largest(region.values);
    this.input.root.classList.add("lg-reading-input");
    this.listen();
    const written = this.size.columns <= WRITTEN_KERNEL;
    this.small = reading.kernels.length ? [0, 1, 2].map(() => new Squares(this.size.rows, this.size.columns, { written })) : [];
    this.small.slice(0, 2).forEach((grid, place) => grid.name(place ? words.grid_weights : words.reading_window));
    this.small[2]?.name(words.grid_products);
    this.lines = {
      sum: sumLine("lg-reading-sum", reading.kernels.length ? words.reading_sum : words.reading_pooled),
      others: sumLine("", "", "+"), bias: sumLine("", words.bias, "+"), total: sumLine("lg-reading-total", words.reading_total, "="),
    };
    this.panels = [panel(this.inputTitle(), this.input.root), this.workPanel()];
    this.columns = region.columns + (this.small.length ? 3 * this.size.columns + 2 : Math.max(4, this.size.columns));
  }

  inputTitle() {
    const { reading: { region, channels }, words, chooseSource } = this.told;
    if (channels.channel.length < 2) return filled(words.grid_input, { channel: region.channel });
    /** @type {[number, string][]} */
    const options = channels.channel.map((channel, place) => [channel, `${channel} (${brief(channels.total[place])})`]);
    if (!channels.channel.includes(region.channel)) options.unshift([region.channel, String(region.channel)]);
    return namedBox("source", selectBox(words.grid_channel, options, region.channel, chooseSource));
  }

  workPanel() {
    const { reading, words } = this.told;
    const lines = element("div", "lg-reading-lines");
    const { sum, others, bias, total } = this.lines;
    lines.append(...(reading.kernels.length ? [sum.root, others.root, bias.root, total.root] : [sum.root]));
    if (!this.small.length) return panel(words.reading_window, lines);
    const row = element("div", "lg-reading-products");
    const sign = (/** @type {string} */ text) => element("span", "lg-reading-sign", text);
    row.append(this.small[0].root, sign("×"), this.small[1].root, sign("="), this.small[2].root);
    return panel(words.reading_times, row, lines);
  }

  // Drag the window: the number whose window lies there comes next.
  listen() {
    const { root } = this.input;
    let isDown = false;
    const take = (/** @type {PointerEvent} */ event) => {
      const { row, column } = this.input.under(event);
      const { reading: { region, cells }, choose } = this.told;
      choose(nearest(cells, row + region.top, column + region.left));
    };
    root.addEventListener("pointerdown", (event) => {
      isDown = true;
      root.setPointerCapture(event.pointerId);
      take(event);
    });
    root.addEventListener("pointermove", (event) => { if (isDown) take(event); });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) root.addEventListener(end, () => { isDown = false; });
  }

  /** @type {(step: Step, time: number) => void} */
  show(step, time) {
    const { reading, words } = this.told;
    const cell = reading.cells[step.cell];
    const { region } = reading;
    const { window } = cell;
    if (!window) return;
    this.input.root.style.setProperty("--time", `${Math.min(400, time)}ms`);
    this.input.frameAround(window.rows.map((row) => row - region.top), window.columns.map((column) => column - region.left));
    this.input.name(filled(words.reading_input_alt, { rows: range(window.rows), columns: range(window.columns) }));
    if (this.small.length) this.showProducts(step, cell, time);
    else this.showPooled(step, cell);
  }

  /** @type {(step: Step, cell: ReadCell, time: number) => void} */
  showProducts(step, cell, time) {
    const { reading, words } = this.told;
    const { products, sum } = sumOf(reading, cell);
    const here = (/** @type {import("./steps.js").Phase} */ phase) => reached(this.phases, step, phase);
    this.small[0].fill(seen(reading, cell), this.most);
    this.small[1].fill(kernelOf(reading, cell), largest(reading.kernels.flat()));
    this.small[2].fill(here("products") ? products : []);
    const { count, others, bias } = this.rest(cell);
    this.lines.sum.put(here("sum") ? sum : null, words.reading_sum);
    this.lines.others.root.hidden = !count;
    this.lines.others.put(here("total") ? others : null, filled(words.reading_others, { count }));
    this.lines.bias.root.hidden = bias === undefined;
    this.lines.bias.put(here("total") ? bias ?? null : null);
    this.lines.total.put(here("total") ? sumOf(reading, cell).total : null);
    if (time && step.phase !== "window" && step.phase !== "products") this.flyProducts(products, step.phase === "total" ? time / 2 : time);
  }

  /** @type {(products: readonly number[], time: number) => void} */
  flyProducts(products, time) {
    const scene = /** @type {?HTMLElement} */ (this.panels[0].closest(".lg-reading-scene"));
    if (!scene || products.length > MOST_FLIGHTS || this.phases.length < 2) return;
    const to = this.lines.sum.value.getBoundingClientRect();
    this.lines.sum.value.animate([{ opacity: 0 }, { opacity: 0, offset: 0.6 }, { opacity: 1 }], { duration: time }); // as they arrive
    products.forEach((product, place) => fly(scene, this.small[2].boxOf(place), to, squareText(product, largest(products)), { time: 0.7 * time, delay: (0.25 * time * place) / products.length }));
  }

  /** @type {(step: Step, cell: ReadCell) => void} */
  showPooled(step, cell) {
    const { reading, words } = this.told;
    const { window } = cell;
    const isMean = named(cell, "divisor") !== undefined;
    const there = step.phase === "total";
    this.lines.sum.put(there ? sumOf(reading, cell).total : null, isMean ? words.reading_mean : words.reading_largest);
    this.mark?.remove();
    if (!there || !window || window.winner === null) return;
    const row = window.rows[Math.floor(window.winner / window.columns.length)] - reading.region.top;
    const column = window.columns[window.winner % window.columns.length] - reading.region.left;
    this.mark = svgPart("rect", { x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT, class: "lg-square-winner" });
    this.input.root.append(this.mark);
  }

  /** The addends beside the products that are shown. @param {ReadCell} cell */
  rest(cell) {
    const count = Math.max(0, this.told.reading.inputs - 1);
    return { count, others: cell.window?.others ?? 0, bias: named(cell, "bias") };
  }

  /** @param {Step} step */
  said(step) {
    const { reading, words } = this.told;
    const cell = reading.cells[step.cell];
    const { window } = cell;
    if (!window) return cell.text;
    const place = { row: cell.y, column: cell.x };
    if (step.phase === "window") return filled(words.reading_at_window, { ...place, rows: range(window.rows), columns: range(window.columns) });
    const { products, sum, total } = sumOf(reading, cell);
    if (!this.small.length) return filled(named(cell, "divisor") === undefined ? words.reading_at_largest : words.reading_at_mean, { ...place, total: written(total), sum: written(sum), divisor: named(cell, "divisor"), count: products.length });
    const most = furthestFromZero(products);
    if (step.phase === "products") return filled(words.reading_at_products, { value: written(seen(reading, cell)[most] ?? 0), weight: bracketed(kernelOf(reading, cell)[most]), product: written(products[most]), count: products.length });
    if (step.phase === "sum") return filled(words.reading_at_sum, { count: products.length, sum: written(sum) });
    const { count, others, bias } = this.rest(cell);
    const parts = [written(sum), ...(count ? [bracketed(others)] : []), ...(bias === undefined ? [] : [bracketed(bias)])];
    return filled(words.reading_at_total, { ...place, sum: parts.join(" + "), total: written(total) });
  }

  result() {
    return this.small.length ? this.lines.total.value : this.lines.sum.value;
  }
}

/** @param {readonly number[]} places */
function range(places) {
  const [first, last] = [places[0], places[places.length - 1]];
  return first === last ? String(first).replace("-", "−") : `${first}–${last}`.replaceAll("-", "−");
}
