// The browser's memory of each exercise: text, hints asked for, solved or not.

/** @typedef {{code: string, help: number, solved: boolean}} Kept */

const PREFIX = "layerglass-exercise-";

/**
 * The stored state of an exercise; null if there is none, or not a valid one.
 * @param {string} id
 * @param {Pick<Storage, "getItem">} [storage]
 * @returns {?Kept}
 */
export function keptOf(id, storage = globalThis.localStorage) {
  try {
    return keptFrom(JSON.parse(storage.getItem(PREFIX + id) ?? "null"));
  } catch {
    return null; // a browser that keeps nothing, or a text of somebody else's
  }
}

/**
 * @param {string} id
 * @param {Kept} kept
 * @param {Pick<Storage, "setItem">} [storage]
 */
export function keep(id, kept, storage = globalThis.localStorage) {
  try {
    storage.setItem(PREFIX + id, JSON.stringify(kept));
  } catch { /* a browser that keeps nothing */ }
}

/** @type {(found: unknown) => ?Kept} */
function keptFrom(found) {
  if (typeof found !== "object" || found === null) return null;
  const { code, help, solved } = /** @type {Record<string, unknown>} */ (found);
  if (typeof code !== "string" || typeof help !== "number" || !Number.isInteger(help) || help < 0) return null;
  return { code, help, solved: solved === true };
}
