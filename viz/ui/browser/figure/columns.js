// Columns of a figure in the look's text, as viz/request/figure.py reads it, and the layer on screen as one.

import { FIRST } from "../look/fields.js";

/** @typedef {{model: string, weights: string, layer: string, call: number}} Column - `call` from 0 */

export const MOST_COLUMNS = 8;
export const MOST_PICTURES = 4;

/**
 * The columns of a text that can be read; the server refuses the others.
 * @param {string} text
 * @returns {Column[]}
 */
export function columnsIn(text) {
  return text.split(";").flatMap((part) => {
    const [, model, weights, layer, call] = /^([^:;@]+):(pretrained|random):([^:;@]+)(?:@([1-9]\d{0,3}))?$/.exec(part) ?? [];
    return layer === undefined ? [] : [{ model: plain(model), weights, layer: plain(layer), call: Number(call ?? 1) - 1 }];
  });
}

/** @param {readonly Column[]} columns */
export function columnsText(columns) {
  return columns.map(({ model, weights, layer, call }) => `${encodeURIComponent(model)}:${weights}:${encodeURIComponent(layer)}${call ? `@${call + 1}` : ""}`).join(";");
}

/** @type {(one: Column, other: Column) => boolean} */
export function isSameColumn(one, other) {
  return columnsText([one]) === columnsText([other]);
}

/**
 * The items with one of them `by` places on.
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} place
 * @param {number} by
 * @returns {Item[]}
 */
export function moved(items, place, by) {
  const rest = items.filter((_, at) => at !== place);
  rest.splice(Math.max(0, place + by), 0, items[place]);
  return rest;
}

/**
 * The layer on screen as a column of a figure; null with own weights, which no address names.
 * @param {StagePage} page
 * @returns {?Column}
 */
export function columnOnPage({ data, store }) {
  const { weights } = data.address, { layer, call } = store.get();
  return weights === "pretrained" || weights === "random" ? { model: data.model, weights, layer, call } : null;
}

/**
 * The look at a figure with the layer on screen as its last column, if there is room for one more.
 * @param {StagePage} page
 * @returns {Look}
 */
export function withColumn(page) {
  const look = page.store.get(), columns = columnsIn(look.figure), column = columnOnPage(page);
  const fits = column && columns.length < MOST_COLUMNS && !columns.some((each) => isSameColumn(each, column));
  const reduce = look.reduce === "similar" ? FIRST.reduce : look.reduce; // a place of one map is none of another
  return Object.freeze({ ...look, view: "figure", cell: FIRST.cell, reduce, figure: fits ? columnsText([...columns, column]) : look.figure });
}

/** @param {string} part */
function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // no browser wrote it
  }
}
