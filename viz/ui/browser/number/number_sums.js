// The arithmetic behind one number, kind by kind: the window times the weights, the terms, the sum.

import { selectBox } from "../layer/options.js";
import { element, filled, readable } from "../maps/mosaic.js";
import { brief, exact, numberGrid, windowOf } from "./number_grids.js";

const TERMS_SHOWN = 6;
const ARITHMETIC = {
  convolution: convolutionParts,
  resizing: convolutionParts,
  pooling: poolingParts,
  linear: linearParts,
  addition: additionParts,
  lookup: (found, context) => [sumTable([[filled(context.words.table_row, { row: found.numbers[0][1] }), found.total]], found, context)],
};

// What is shown below the formula. `context` has the words, and what to call when another input channel is chosen.
export function arithmeticParts(found, context) {
  const parts = ARITHMETIC[found.kind] ?? writtenParts;
  return parts(found, context);
}

function writtenParts(found, { words }) {
  const written = found.kind === "move" && !found.source ? [] : [element("p", "lg-written", found.text)];
  return [...written, sumTable([], found, { words })];
}

function convolutionParts(found, context) {
  const { words } = context;
  const { patch, channels, total } = found;
  const bias = found.numbers.find(([name]) => name === "bias")?.[1];
  if (!patch) return [sumTable(bias === undefined ? [] : [[words.bias, bias]], found, context)];
  const others = channels.length - 1;
  const rows = [[filled(words.sum_channel, { channel: patch.channel }), patch.total]];
  if (others) rows.push([filled(words.sum_others, { count: others }), minus(total, patch.total, bias ?? 0)]);
  if (bias !== undefined) rows.push([words.bias, bias]);
  return [convolutionGrids(found, context), sumTable(rows, found, context)];
}

function convolutionGrids({ patch, channels }, { words, choose }) {
  const place = windowOf(patch);
  const row = element("div", "lg-grids");
  const products = patch.values.map((value, n) => (typeof value === "number" ? value * patch.weights[n] : value));
  const grid = (values, label) => numberGrid(values, place, { label, words });
  const input = grid(patch.values, filled(words.grid_input, { channel: patch.channel }));
  if (channels.length > 1) input.firstChild.replaceChildren(sourceBox(patch, channels, words, choose));
  row.append(input, sign("×"), grid(patch.weights, words.grid_weights), sign("="), grid(products, words.grid_products));
  return row;
}

// Every input channel with its share of the sum, the largest first.
function sourceBox(patch, channels, words, choose) {
  const options = channels.map(([channel, share]) => [String(channel), `${channel} (${brief(share)})`]);
  return selectBox(words.grid_channel, options, String(patch.channel), (chosen) => choose(Number(chosen)));
}

function poolingParts(found, context) {
  const { words } = context;
  const row = element("div", "lg-grids");
  const label = filled(words.grid_input, { channel: found.patch.channel });
  const winner = found.source ? found.patch.values.indexOf(found.total) : -1;
  row.append(numberGrid(found.patch.values, windowOf(found.patch), { label, words, marked: winner }));
  return [row, sumTable([], found, context)];
}

function linearParts(found, context) {
  const { words } = context;
  const shown = found.terms.slice(0, TERMS_SHOWN);
  const rest = found.terms.slice(TERMS_SHOWN);
  const bias = found.numbers.find(([name]) => name === "bias")?.[1];
  const rows = shown.map(([place, value, weight, product]) => [filled(words.sum_input, { place }), product, `${readable(value)} × ${bracketed(weight)}`]);
  const count = rest.length + found.others[0];
  if (count) rows.push([filled(words.sum_inputs, { count }), plus(found.others[1], ...rest.map((term) => term[3]))]);
  if (bias !== undefined) rows.push([words.bias, bias]);
  return [sumTable(rows, found, context)];
}

function additionParts(found, context) {
  return [sumTable(found.numbers.map(([, value], place) => [filled(context.words.sum_input, { place }), value]), found, context)];
}

// What was added line by line, the sum, what the layer returned, and whether the two agree.
function sumTable(rows, found, { words }) {
  const table = element("table", "lg-sum");
  const line = (className, label, value, how = "") => {
    const row = table.insertRow();
    row.className = className;
    row.append(element("th", "", label), element("td", "lg-how-much", how), element("td", "", value));
    row.firstChild.scope = "row";
  };
  for (const [label, value, how] of rows) line("", label, readable(value), how);
  line("lg-total", words.sum, exact(found.total));
  line("lg-returned", words.returned, exact(found.value));
  return table;
}

function sign(text) {
  return element("span", "lg-sign", text);
}

function bracketed(number) {
  return number < 0 ? `(${readable(number)})` : readable(number);
}

function plus(...numbers) {
  return numbers.every((number) => typeof number === "number") ? numbers.reduce((sum, number) => sum + number, 0) : "NaN";
}

function minus(from, ...numbers) {
  return typeof from === "number" ? plus(from, ...numbers.map((number) => (typeof number === "number" ? -number : number))) : "NaN";
}
