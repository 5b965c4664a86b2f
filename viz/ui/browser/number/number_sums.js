// The arithmetic behind one number, kind by kind: window times weights, terms, sum.

import { named, selectBox } from "../layer/options.js";
import { element, filled, readable } from "../maps/mosaic.js";
import { digits } from "./digits.js";
import { brief, exact, numberGrid, windowOf } from "./number_grids.js";

const TERMS_SHOWN = 6;
/** @typedef {{words: Words, choose: (channel: number) => void}} Context */
/** @typedef {readonly [string, unknown, string?]} Row - what is added, how much, and how it came about */

/** @type {Readonly<Record<string, (found: Arithmetic, context: Context) => HTMLElement[]>>} */
const ARITHMETIC = {
  convolution: convolutionParts,
  resizing: convolutionParts,
  pooling: poolingParts,
  linear: linearParts,
  addition: additionParts,
  lookup: (found, context) => [sumTable([[filled(context.words.table_row, { row: found.numbers[0].value }), found.total]], found, context)],
};

// Elements below the formula. `context` has the words, and a callback for the choice of another input channel.
/** @type {(found: Arithmetic, context: Context) => HTMLElement[]} */
export function arithmeticParts(found, context) {
  const parts = ARITHMETIC[found.kind] ?? writtenParts;
  return parts(found, context);
}

/** @type {(found: Arithmetic, context: Context) => HTMLElement[]} */
function writtenParts(found, { words }) {
  const written = found.kind === "move" && !found.source ? [] : [element("p", "lg-written", found.text)];
  return [...written, sumTable([], found, { words })];
}

/** @type {(found: Arithmetic, context: Context) => HTMLElement[]} */
function convolutionParts(found, context) {
  const { words } = context;
  const { patch, channels, total } = found;
  const bias = found.numbers.find(({ name }) => name === "bias")?.value;
  if (!patch) return [sumTable(bias === undefined ? [] : [[words.bias, bias]], found, context)];
  const others = channels.channel.length - 1;
  /** @type {Row[]} */
  const rows = [[filled(words.sum_channel, { channel: patch.channel }), patch.total]];
  if (others) rows.push([filled(words.sum_others, { count: others }), minus(total, patch.total, bias ?? 0)]);
  if (bias !== undefined) rows.push([words.bias, bias]);
  return [convolutionGrids(patch, channels, context), sumTable(rows, found, context)];
}

/** @type {(patch: PatchFacts, channels: Arithmetic["channels"], context: Context) => HTMLElement} */
function convolutionGrids(patch, channels, { words, choose }) {
  const place = windowOf(patch);
  const row = element("div", "lg-grids");
  const products = patch.values.map((value, n) => (typeof value === "number" ? value * Number(patch.weights[n]) : value));
  /** @type {(values: PatchFacts["values"], label: string) => HTMLElement} */
  const grid = (values, label) => numberGrid(values, place, { label, words });
  const input = grid(patch.values, filled(words.grid_input, { channel: patch.channel }));
  if (channels.channel.length > 1) input.children[0].replaceChildren(sourceBox(patch, channels, words, choose));
  row.append(input, signed("×", grid(patch.weights, words.grid_weights)), signed("=", grid(products, words.grid_products)));
  return row;
}

// Every input channel with its share of the sum, the largest first.
/** @type {(patch: PatchFacts, channels: Arithmetic["channels"], words: Words, choose: Context["choose"]) => HTMLElement} */
function sourceBox(patch, channels, words, choose) {
  /** @type {[number, string][]} */
  const options = channels.channel.map((channel, place) => [channel, `${channel} (${brief(channels.total[place])})`]);
  return named("source", selectBox(words.grid_channel, options, patch.channel, choose));
}

/** @type {(found: Arithmetic, context: Context) => HTMLElement[]} */
function poolingParts(found, context) {
  const { words } = context;
  const patch = /** @type {PatchFacts} */ (found.patch);
  const row = element("div", "lg-grids");
  const label = filled(words.grid_input, { channel: patch.channel });
  const winner = found.source ? patch.values.indexOf(found.total) : -1;
  row.append(numberGrid(patch.values, windowOf(patch), { label, words, marked: winner }));
  return [row, sumTable([], found, context)];
}

/** @type {(found: Arithmetic, context: Context) => HTMLElement[]} */
function linearParts(found, context) {
  const { words } = context;
  const { place: places, value, weight, product } = found.terms;
  const rest = product.slice(TERMS_SHOWN);
  const bias = found.numbers.find(({ name }) => name === "bias")?.value;
  /** @type {Row[]} */
  const rows = places.slice(0, TERMS_SHOWN).map((place, n) => [filled(words.sum_input, { place }), product[n], `${readable(value[n])} × ${bracketed(weight[n])}`]);
  const count = rest.length + found.others.count;
  if (count) rows.push([filled(words.sum_inputs, { count }), plus(found.others.total, ...rest)]);
  if (bias !== undefined) rows.push([words.bias, bias]);
  return [sumTable(rows, found, context)];
}

/** @type {(found: Arithmetic, context: Context) => HTMLElement[]} */
function additionParts(found, context) {
  /** @type {Row[]} */
  const rows = found.numbers.map(({ value }, place) => [filled(context.words.sum_input, { place }), value]);
  return [sumTable(rows, found, context)];
}

// Table of the addends line by line, their sum, and the value that the layer returned.
/** @type {(rows: readonly Row[], found: Arithmetic, context: {words: Words}) => HTMLElement} */
function sumTable(rows, found, { words }) {
  const table = element("table", "lg-sum");
  /** @type {(className: string, label: string, value: string, how?: string) => HTMLTableRowElement} */
  const line = (className, label, value, how = "") => {
    const row = table.insertRow();
    row.className = className;
    const head = element("th", "", label);
    head.scope = "row";
    row.append(head, element("td", "lg-how-much", how), element("td", "", value));
    return row;
  };
  for (const [label, value, how] of rows) line("", label, readable(value), how);
  line("lg-total", words.sum, digits(found.total)).title = `${words.sum_title}: ${exact(found.total)}`;
  line("lg-returned", words.returned, digits(found.value)).title = exact(found.value);
  return table;
}

// A grid and the sign before it, which stay together.
/** @type {(sign: string, grid: HTMLElement) => HTMLElement} */
function signed(sign, grid) {
  const made = element("div", "lg-signed");
  made.append(element("span", "lg-sign", sign), grid);
  return made;
}

/** @param {Exact} number */
function bracketed(number) {
  return Number(number) < 0 ? `(${readable(number)})` : readable(number);
}

/** @type {(...numbers: Exact[]) => Exact} */
function plus(...numbers) {
  return numbers.every((number) => typeof number === "number") ? numbers.reduce((sum, number) => sum + number, 0) : "NaN";
}

/** @type {(from: Exact, ...numbers: Exact[]) => Exact} */
function minus(from, ...numbers) {
  return typeof from === "number" ? plus(from, ...numbers.map((number) => (typeof number === "number" ? -number : number))) : "NaN";
}
