// The other side's layer and call, beside the first side's. viz/ui/wire/other/place.py has the same rules.

/** @typedef {import("../look/look.js").Look} Look */
/** @typedef {{name: string, calls: number, operation: boolean}} Row */

const SAME = "same";

/** @type {(said: string) => boolean} */
export function isSame(said) {
  return said === "" || said === SAME;
}

/**
 * The other side's layer: what the look says, else the one that the first side shows. If the other model has neither, it
 * stays where both were at last: at the last layer before this one that both have, or else at its own first.
 * @template {Row} Any
 * @param {readonly Row[]} rows
 * @param {readonly Any[]} others
 * @param {Look} look
 * @param {Any} first - the other model's first layer
 * @returns {Any}
 */
export function layerBeside(rows, others, look, first) {
  const byName = new Map(others.map((row) => [row.name, row]));
  const said = [look.with_layer, look.layer].filter((name) => !isSame(name));
  const before = rows.slice(0, Math.max(0, rows.findIndex(({ name }) => name === look.layer)));
  const both = before.filter(({ operation }) => !operation).map(({ name }) => name).reverse();
  const found = [...said, ...both].find((name) => byName.has(name));
  return byName.get(found ?? "") ?? first;
}

/**
 * The calls after the first that can be chosen: those of a layer that is chosen as well.
 * @param {Row} row
 * @param {Look} look
 */
export function callsOffered(row, look) {
  const chosen = !isSame(look.with_layer) && look.with_layer === row.name;
  return chosen ? Array.from({ length: Math.max(0, row.calls - 1) }, (_, n) => String(n + 2)) : [];
}

/**
 * The other side's call, from 0: of a chosen layer what the look says, else that of the first side.
 * @param {Row} row
 * @param {Look} look
 */
export function callBeside(row, look) {
  const offered = callsOffered(row, look);
  if (offered.length) return offered.includes(look.with_call) ? Number(look.with_call) - 1 : 0;
  return Math.max(0, Math.min(look.call, row.calls - 1));
}
