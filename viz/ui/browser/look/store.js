// The one place that holds the look. Everything on screen follows it, and whatever a visitor does is dispatched here.

import { begin, go, redo, undo } from "./history.js";
import { step } from "./look.js";

/** @typedef {import("./look.js").Look} Look */
/** @typedef {import("./look.js").Action} Action */
/** @typedef {(look: Look, before: Look) => void} Listener */

/**
 * @typedef {Object} Store
 * @property {() => Look} get
 * @property {(action: Action) => void} dispatch
 * @property {(listener: Listener) => () => void} subscribe - what it returns ends it
 * @property {() => void} undo
 * @property {() => void} redo
 */

/**
 * A store with a look. Its listeners hear of each change in the same order, with the look that they heard of before; if
 * one of them dispatches, all hear of that next.
 * @param {Look} initial
 * @returns {Store}
 */
export function createStore(initial) {
  /** @type {Set<Listener>} */
  const listeners = new Set();
  let history = begin(initial);
  let told = initial;
  let telling = false;

  /** @type {(next: import("./history.js").History) => void} */
  function turn(next) {
    history = next;
    if (telling) return;
    telling = true;
    /** @type {unknown[]} */
    const failures = [];
    while (told !== history.now) {
      const before = told;
      told = history.now;
      for (const listener of listeners) attempt(() => listener(told, before), failures);
    }
    telling = false;
    if (failures.length) throw failures[0];
  }

  return {
    get: () => history.now,
    dispatch: (action) => turn(go(history, step(history.now, action))),
    undo: () => turn(undo(history)),
    redo: () => turn(redo(history)),
    subscribe(listener) {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
  };
}

// One part that fails must not keep the others at an older look.
/** @type {(work: () => void, failures: unknown[]) => void} */
function attempt(work, failures) {
  try {
    work();
  } catch (failure) {
    failures.push(failure);
  }
}
