// Links of the model's chain: the link of a layer, and the names of links.

/** @typedef {Pick<LinkFacts, "layer" | "layers" | "main">} Link */
/** @typedef {{name: string, ends: readonly number[]}} Ended */

/**
 * The place of the link that a layer is in, or that it leads to; −1 if it is behind the last one, or never ran.
 * @param {readonly Link[]} chain
 * @param {readonly Ended[]} rows
 * @param {string} layer
 */
export function linkOf(chain, rows, layer) {
  const within = chain.findIndex(({ layers }) => layers.some((name) => isWithin(layer, name)));
  if (within >= 0) return within;
  const around = chain.findLastIndex(({ layers }) => layers.some((name) => isWithin(name, layer)));
  if (around >= 0) return around; // what a block returns is what the last link in it does
  const ends = new Map(rows.map((row) => [row.name, row.ends[0]]));
  const end = ends.get(layer);
  return end === undefined ? -1 : chain.findIndex((link) => (ends.get(link.layer) ?? -1) >= end);
}

/** @type {(layer: string, block: string) => boolean} */
function isWithin(layer, block) {
  return layer === block || layer.startsWith(`${block}.`) || layer.startsWith(`${block} ›`);
}

/**
 * The text below a link's picture: the part of its name that the others do not share, and the number of layers folded
 * into it.
 * @param {readonly Link[]} chain
 */
export function linkNames(chain) {
  const shared = sharedBlock(chain.flatMap(({ layers }) => layers));
  return chain.map(({ layers, main }) => {
    const [first, named, last] = [layers[0], main, layers[layers.length - 1]].map((name) => name.slice(shared.length));
    const numbers = [first, last].map((name) => name.split(".").at(-1) ?? "");
    if (layers.length === 1) return first;
    return numbers.every((name) => /^\d+$/.test(name)) ? `${first}–${numbers[1]}` : `${named} +${layers.length - 1}`;
  });
}

// The block that all names begin with, dot included.
/** @param {readonly string[]} names */
function sharedBlock(names) {
  const parts = (names[0] ?? "").split(".").slice(0, -1);
  while (parts.length && !names.every((name) => name.startsWith(`${parts.join(".")}.`))) parts.pop();
  return parts.length ? `${parts.join(".")}.` : "";
}
