// Undo and redo: the looks before and after the one on screen.

/** @typedef {import("./look.js").Look} Look */
/** @typedef {{readonly past: readonly Look[], readonly now: Look, readonly future: readonly Look[]}} History */

export const MOST_PAST = 100;

/** @type {(look: Look, past?: readonly Look[]) => History} */
export function begin(look, past = []) {
  return { past: past.slice(-MOST_PAST), now: look, future: [] };
}

/**
 * The history with another look on screen; the same object if it is there already.
 * @param {History} history
 * @param {Look} look
 * @returns {History}
 */
export function go(history, look) {
  const { past, now } = history;
  return look === now ? history : begin(look, [...past, now]);
}

/**
 * The history with another look in place of the one on screen: nobody wants to undo a look that nobody chose.
 * @param {History} history
 * @param {Look} look
 * @returns {History}
 */
export function replaced(history, look) {
  return look === history.now ? history : { ...history, now: look };
}

/**
 * The history one look back; the same object if there is none before.
 * @param {History} history
 * @returns {History}
 */
export function undo(history) {
  const { past, now, future } = history;
  const before = past.at(-1);
  return before ? { past: past.slice(0, -1), now: before, future: [now, ...future] } : history;
}

/**
 * The history one look on, after an undo; the same object if there is none.
 * @param {History} history
 * @returns {History}
 */
export function redo(history) {
  const { past, now, future } = history;
  const [after, ...later] = future;
  return after ? { past: [...past, now], now: after, future: later } : history;
}

/**
 * The newest look before this one at a call of a layer, if there is one; looks at other models do not count.
 * @param {History} history
 * @param {{layer: string, call: number}} stop
 * @param {(look: Look) => boolean} isOthers
 * @returns {Look | undefined}
 */
export function lastSeen({ past }, { layer, call }, isOthers) {
  return past.findLast((look) => look.layer === layer && look.call === call && !isOthers(look));
}
