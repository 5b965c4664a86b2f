// The way through a model: every call of every layer, by its end. A block comes after its content.

/** @typedef {{name: string, calls: number, ends: readonly number[]}} Passed */

/**
 * @template {Passed} Row
 * @typedef {{row: Row, call: number}} Stop
 */

/**
 * @template {Passed} Row
 * @param {readonly Row[]} rows - as the tree has them
 * @returns {Stop<Row>[]}
 */
export function wayThrough(rows) {
  const stops = rows.flatMap((row) => row.ends.map((end, call) => ({ row, call, end })));
  return stops.sort((one, other) => one.end - other.end).map(({ row, call }) => ({ row, call }));
}

/**
 * The stop so many steps after a layer's call, or before it. A layer that did not run is on no way: from there, one goes on
 * to what ran below or above it in the tree.
 * @template {Passed} Row
 * @param {readonly Stop<Row>[]} way
 * @param {readonly Row[]} rows
 * @param {{layer: string, call: number}} from
 * @param {number} by
 * @returns {Stop<Row> | undefined}
 */
export function stopAfter(way, rows, { layer, call }, by) {
  const at = way.findIndex((stop) => stop.row.name === layer && stop.call === call);
  if (at >= 0) return way[at + by];
  const place = rows.findIndex(({ name }) => name === layer);
  const beside = by < 0 ? rows.slice(0, place).reverse() : rows.slice(place + 1);
  const row = beside.filter(({ ends }) => ends.length)[Math.abs(by) - 1];
  return row && { row, call: by < 0 ? row.calls - 1 : 0 };
}
